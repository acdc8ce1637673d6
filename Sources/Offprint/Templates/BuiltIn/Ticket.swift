extension BuiltInTemplates {
  static let ticket = #"""
    ---
    description: An admission ticket of 900×340 px with a stub to tear off.
    page: {width: 900, height: 340, background: transparent}
    attributes:
      event: {type: string, required: true, description: "Two lines at most.", example: An Evening of Computable Music}
      kind: {type: string, default: Admit one, description: Above the event.}
      date: {type: string, required: true, example: Sat 21 November 2026}
      time: {type: string, example: "19:30"}
      venue: {type: string, example: "St George's Hall, Great George Street, Bristol"}
      holder: {type: string, example: Ada Lovelace}
      seats:
        type: list
        range: 0..4
        description: "The large text on the stub, such as row and seat."
        items: {fields: {label: {type: string, required: true}, value: {type: string, required: true}}}
        example: [{label: Row, value: F}, {label: Seat, value: "12"}, {label: Gate, value: North}]
      price: {type: string, example: "£24.00"}
      number: {type: string, description: The ticket's number., example: OFP-7F3K-0042}
      qr: {type: string, description: "The text of a QR code on the stub.", example: "https://example.org/t/OFP-7F3K-0042"}
      code: {type: url, description: "A square image on the stub, if there is no qr."}
      date-label: {type: string, default: Date}
      time-label: {type: string, default: Time}
      venue-label: {type: string, default: Venue}
      holder-label: {type: string, default: Name}
      accent-color: {type: color, default: "#7c2d5e"}
      text-color: {type: color, default: "#2a1620"}
      paper-color: {type: color, default: "#fff8ef"}
      font-family: {type: font, default: "Inter, sans-serif"}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .ticket {
      display: flex; width: 900px; height: 340px; overflow: hidden; border-radius: 18px; font-family: {{font-family}};
      color: {{text-color}}; background: {{paper-color}};
      mask: radial-gradient(circle 16px at 650px 0, transparent 15.5px, black 16px), radial-gradient(circle 16px at 650px 100%, transparent 15.5px, black 16px);
      mask-composite: intersect;
    }
    .main { position: relative; box-sizing: border-box; width: 650px; padding: 34px 40px 32px 58px; display: flex; flex-direction: column; }
    .main::before { content: ""; position: absolute; left: 0; top: 0; bottom: 0; width: 22px; background: {{accent-color}}; }
    .kind { font-size: 14px; font-weight: 600; letter-spacing: .16em; text-transform: uppercase; color: {{accent-color}}; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; text-fit: shrink 60%; }
    h1 { margin: 10px 0 0; font-size: 38px; line-height: 1.16; font-weight: 700; letter-spacing: -.022em; padding-bottom: .05em; text-wrap: balance; flex: none; }
    h1, .venue dd { overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
    dl { margin: auto 0 0; display: grid; grid-template-columns: 1.5fr 1fr; gap: 12px 26px; }
    dl > div { min-width: 0; }
    .wide { grid-column: span 2; }
    dt { font-size: 11.5px; font-weight: 500; letter-spacing: .09em; text-transform: uppercase; opacity: .6; margin-bottom: 2px; }
    dd { margin: 0; font-size: 19px; line-height: 1.3; font-weight: 600; text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-fit: shrink 60%; }
    .venue dd { white-space: normal; font-weight: 500; font-size: 17px; }
    .stub { box-sizing: border-box; width: 250px; border-left: 3px dashed color-mix(in srgb, {{accent-color}} 45%, transparent); padding: 34px 28px 30px; display: flex; flex-direction: column; align-items: center; text-align: center; }
    .seats { display: flex; flex-wrap: wrap; justify-content: center; gap: 10px 22px; width: 100%; max-height: 184px; overflow: hidden; }
    .with-code .seats { max-height: 92px; gap: 6px 18px; }
    .with-code .seats dd { font-size: 24px; }
    .stub .kind { margin: auto 0; writing-mode: vertical-rl; max-height: 200px; }
    .seats > div { min-width: 0; max-width: 100%; }
    .seats dd { font-size: 30px; font-weight: 700; line-height: 1.2; text-align: center; color: {{accent-color}}; }
    .code { width: 112px; height: 112px; margin: 12px 0 0; flex: none; image-rendering: pixelated; object-fit: contain; }
    .end { margin-top: auto; width: 100%; min-width: 0; }
    .price { font-size: 23px; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; text-fit: shrink 60%; }
    .with-code .price { font-size: 20px; }
    .number { margin-top: 6px; font: 14px "Liberation Mono", monospace; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; text-fit: shrink 60%; }
    </style></head><body><div class="ticket">
    <div class="main"><div class="kind" dir="auto">{{kind}}</div><h1 dir="auto">{{event}}</h1>
    <dl>
    <div{{^time}} class="wide"{{/time}}><dt>{{date-label}}</dt><dd dir="auto">{{date}}</dd></div>
    {{#time}}<div><dt>{{time-label}}</dt><dd dir="auto">{{.}}</dd></div>{{/time}}
    {{#venue}}<div class="venue{{^holder}} wide{{/holder}}"><dt>{{venue-label}}</dt><dd dir="auto">{{.}}</dd></div>{{/venue}}
    {{#holder}}<div><dt>{{holder-label}}</dt><dd dir="auto">{{.}}</dd></div>{{/holder}}
    </dl></div>
    <div class="stub{{#qr}} with-code{{/qr}}{{^qr}}{{#code}} with-code{{/code}}{{/qr}}">{{^seats}}{{^qr}}{{^code}}<div class="kind" dir="auto">{{kind}}</div>{{/code}}{{/qr}}{{/seats}}<div class="seats">{{#seats}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/seats}}</div>
    {{#qr}}<img class="code" src="{{qr(.)}}" alt="">{{/qr}}{{^qr}}{{#code}}<img class="code" src="{{.}}" alt="">{{/code}}{{/qr}}
    <div class="end">{{#price}}<div class="price">{{.}}</div>{{/price}}{{#number}}<div class="number">{{.}}</div>{{/number}}</div></div>
    </div></body></html>

    """#
}
