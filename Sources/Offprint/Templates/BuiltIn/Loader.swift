extension BuiltInTemplates {
  static let loader = #"""
    ---
    description: An animation that shows that something loads.
    page: {width: auto, background: $background-color}
    attributes:
      shape: {type: choice, choices: [spinner, dots, bars, pulse], default: spinner}
      text: {type: string, description: Below the shape., example: Loading…}
      size: {type: length, default: 48px, range: 8..1000}
      color: {type: color, default: "#2f6fde"}
      track-color: {type: color, default: "rgb(128 128 128 / .25)", description: The ring behind the spinner.}
      text-color: {type: color, default: "#5b6472"}
      background-color: {type: color, default: transparent}
      period: {type: number, default: 1, range: 0.1..60, description: Seconds per turn.}
      font-family: {type: font, default: "Inter, sans-serif"}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .loader { display: inline-block; padding: 8px; vertical-align: top; text-align: center; max-width: 1000px; }
    .shape { --size: {{size}}; position: relative; width: var(--size); height: var(--size); margin: 0 auto; }
    .shape i { animation-duration: {{period}}s; animation-iteration-count: infinite; }
    .text { margin-top: 8px; font: 500 14px/1.3 {{font-family}}; color: {{text-color}}; overflow-wrap: anywhere; }
    @keyframes turn { to { transform: rotate(1turn); } }
    @keyframes bounce { 0%, 60%, 100% { transform: translateY(0); } 30% { transform: translateY(-60%); } }
    @keyframes stretch { 0%, 60%, 100% { transform: scaleY(.4); } 30% { transform: scaleY(1); } }
    @keyframes pulse { from { transform: scale(.1); opacity: 1; } to { transform: scale(1); opacity: 0; } }
    .spinner i { display: none; }
    .spinner i:first-child {
      display: block; box-sizing: border-box; width: 100%; height: 100%; border: calc(var(--size) / 8) solid {{track-color}};
      border-top-color: {{color}}; border-radius: 50%; animation-name: turn; animation-timing-function: linear;
    }
    .dots, .bars { display: flex; align-items: center; justify-content: space-between; }
    .dots i { width: 26%; height: 26%; border-radius: 50%; background: {{color}}; animation-name: bounce; animation-timing-function: ease-in-out; }
    .bars i { width: 22%; height: 100%; border-radius: calc(var(--size) / 16); background: {{color}}; animation-name: stretch; animation-timing-function: ease-in-out; }
    /* Negative delays: an infinite animation begins in the middle, and its period can be repeated. */
    .dots i:nth-child(1), .bars i:nth-child(1) { animation-delay: calc({{period}}s * -.3); }
    .dots i:nth-child(2), .bars i:nth-child(2) { animation-delay: calc({{period}}s * -.15); }
    .pulse i { position: absolute; inset: 0; border-radius: 50%; background: {{color}}; animation-name: pulse; animation-timing-function: ease-out; }
    .pulse i:nth-child(2) { animation-delay: calc({{period}}s * -.5); }
    .pulse i:nth-child(3) { display: none; }
    </style></head><body><div class="loader"><div class="shape {{shape}}"><i></i><i></i><i></i></div
    >{{#text}}<div class="text" dir="auto">{{.}}</div>{{/text}}</div></body></html>

    """#
}
