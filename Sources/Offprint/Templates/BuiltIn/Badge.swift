extension BuiltInTemplates {
  static let badge = #"""
    ---
    description: A status badge for repositories, with a label and a message.
    page: {width: auto, background: transparent}
    attributes:
      label: {type: string, description: The left part; optional., example: build}
      message: {type: string, required: true, example: passing}
      color: {type: color, default: "#3fa63f", description: The background of the message.}
      label-color: {type: color, default: "#4a4f57", description: The background of the label.}
      text-color: {type: color, default: "#ffffff"}
      logo: {type: url, description: "A square image before the label, 14 px high."}
      shape: {type: choice, choices: [flat, square, pill, large], default: flat}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .badge {
      display: inline-flex; align-items: stretch; height: 20px; overflow: hidden; border-radius: 3px; vertical-align: top;
      font: 11px/20px "DejaVu Sans", Verdana, sans-serif; color: {{text-color}}; white-space: nowrap;
    }
    .badge > span { display: flex; align-items: center; padding: 0 6px; min-width: 0; max-width: 400px; }
    .badge bdi { overflow: hidden; text-overflow: ellipsis; text-shadow: 0 1px 0 rgb(0 0 0 / .28); }
    .label { background: {{label-color}}; }
    .message { background: {{color}}; }
    .flat > span { background-image: linear-gradient(rgb(255 255 255 / .14), rgb(0 0 0 / .08)); }
    .square { border-radius: 0; }
    .pill { border-radius: 10px; }
    .pill > span:first-child { padding-left: 9px; }
    .pill > span:last-child { padding-right: 9px; }
    .large { height: 28px; font: bold 10px/28px "DejaVu Sans", Verdana, sans-serif; letter-spacing: 1.1px; text-transform: uppercase; border-radius: 4px; }
    .large > span { padding: 0 11px 0 12px; }
    .large bdi, .square bdi { text-shadow: none; }
    img { height: 14px; width: auto; margin-right: 5px; }
    </style></head><body><div class="badge {{shape}}"
    >{{#label}}<span class="label">{{#logo}}<img src="{{.}}" alt="">{{/logo}}<bdi>{{.}}</bdi></span>{{/label
    }}<span class="message">{{^label}}{{#logo}}<img src="{{.}}" alt="">{{/logo}}{{/label}}<bdi>{{message}}</bdi></span></div></body></html>

    """#
}
