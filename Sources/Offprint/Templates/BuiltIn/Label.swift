extension BuiltInTemplates {
  static let label = #"""
    ---
    description: A word or a few in an outlined box, as wide as its text.
    page: {width: auto, max-width: $max-width, background: transparent}
    attributes:
      text: {type: string, required: true, example: In stock}
      font-family: {type: font, default: "Inter, sans-serif"}
      font-size: {type: length, default: 16px, range: 1..1000}
      font-weight: {type: choice, choices: [normal, bold], default: bold}
      text-color: {type: color, default: "#1f5f8b"}
      background-color: {type: color, default: transparent, description: Inside the outline.}
      outline-width: {type: length, default: 2px, range: 0..200}
      outline-color: {type: color, description: "By default that of the text."}
      corner-radius: {type: length, default: 8px, range: 0..1000}
      padding: {type: length, default: 10px, range: 0..1000, description: "Left and right; half of it above and below."}
      max-width: {type: length, default: 600px, range: 1..65535, description: Longer texts have several lines.}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body { margin: 0; }
    .label {
      display: inline-block; box-sizing: border-box; max-width: 100%;
      padding: calc({{padding}} / 2) {{padding}};
      border: {{outline-width}} solid {{#outline-color}}{{.}}{{/outline-color}}{{^outline-color}}{{text-color}}{{/outline-color}};
      border-radius: {{corner-radius}};
      color: {{text-color}}; background-color: {{background-color}};
      font: {{font-weight}} {{font-size}}/1.25 {{font-family}};
      text-align: center; overflow-wrap: anywhere; white-space: pre-line; vertical-align: top;
    }
    </style></head><body><div class="label" dir="auto">{{text}}</div></body></html>

    """#
}
