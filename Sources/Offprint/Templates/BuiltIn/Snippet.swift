extension BuiltInTemplates {
  static let snippet = #"""
    ---
    description: Rich text in one font and color, as high as its content.
    page: {width: $width}
    attributes:
      body:
        type: html
        description: The text, any HTML.
        example: "Some <b>rich</b> text with <i>H</i><sub>2</sub><i>O</i> in it.<p>A second paragraph.</p>"
      line-height: {type: number, default: 1.0, range: 0..100, description: Of each line in font sizes.}
      font-family: {type: font, default: sans-serif}
      font-size: {type: length, default: 16px, range: 1..1000}
      text-color: {type: color, default: "#000000"}
      background-color: {type: color, default: "#ffffff"}
      width: {type: length, default: 300px, range: 1..65535, description: The width of the text and the image.}
    ---
    <!DOCTYPE html><html><head><meta charset="utf-8"><style>
    html, body, div, span, h1, h2, h3, h4, h5, h6, p, blockquote, pre, a, abbr, address, cite, code, del, dfn, em, img, ins, kbd, q, s, samp, small, strong, sub, sup, var, b, u, i, dl, dt, dd, ol, ul, li, fieldset, form, label, legend, table, caption, tbody, tfoot, thead, tr, th, td, figure, figcaption, article, aside, section, header, footer, nav { margin: 0; padding: 0; border: 0; }
    p + p { padding-top: .5em; }
    ol, ul { padding-left: 2em; }
    table { border-collapse: collapse; border-spacing: 0; }
    body { line-height: {{line-height}}; font-family: {{font-family}}; font-size: {{font-size}}; color: {{text-color}}; background-color: {{background-color}}; }
    #snippet { width: {{width}}; }
    </style></head><body><div id="snippet">{{{body}}}</div></body></html>

    """#
}
