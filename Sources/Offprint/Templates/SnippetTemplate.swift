import CSS
import CoreTypes

/// The built-in template for rich-text snippets: a reset, one font, one colour, and the body.
enum SnippetTemplate {
  static let name = "snippet"

  struct Attribute {
    var name: String
    var defaultValue: String
    var help: String
    /// The value as it goes into the style sheet; nil where it is not valid.
    var validate: @Sendable (String) -> String?
  }

  static let attributes: [Attribute] = [
    Attribute(name: "line-height", defaultValue: "1.0", help: "a number, 0 to 100", validate: number(0...100, unit: "")),
    Attribute(name: "font-family", defaultValue: "sans-serif", help: "a font-family list", validate: fontFamily),
    Attribute(name: "font-size", defaultValue: "16", help: "px, 1 to 1000", validate: number(1...1000, unit: "px")),
    Attribute(name: "text-color", defaultValue: "#000000", help: "a CSS colour", validate: color),
    Attribute(name: "background-color", defaultValue: "#ffffff", help: "a CSS colour or transparent", validate: color),
    Attribute(name: "width", defaultValue: "300", help: "px, 1 to 65535", validate: number(1...65535, unit: "px")),
  ]

  /// The page for `body` with the attributes given.
  static func expand(_ values: [String: String], body: [UInt8]) throws(OffprintError) -> [UInt8] {
    for name in values.keys.sorted() where !attributes.contains(where: { $0.name == name }) && name != "body" {
      throw OffprintError(
        .templateAttributeUnknown,
        "The template 'snippet' has no attribute '\(name)'; it has \(attributes.map(\.name).joined(separator: ", ")).")
    }
    var css: [String: String] = [:]
    for attribute in attributes {
      let value = values[attribute.name] ?? attribute.defaultValue
      guard let valid = attribute.validate(value) else {
        throw OffprintError(
          .templateAttributeInvalid, "The template attribute '\(attribute.name)' cannot be '\(value)'; it takes \(attribute.help).")
      }
      css[attribute.name] = valid
    }
    return Array(head(css).utf8) + (values["body"].map { Array($0.utf8) } ?? body) + Array("</div></body></html>\n".utf8)
  }

  /// The width that the picture gets unless the request says otherwise, in px.
  static func width(_ values: [String: String]) -> Double? { Double(values["width"] ?? "300") }

  private static func head(_ css: [String: String]) -> String {
    func value(_ name: String) -> String { css[name] ?? "" }
    return """
      <!DOCTYPE html><html><head><meta charset="utf-8"><style>
      \(reset)
      body { line-height: \(value("line-height")); font-family: \(value("font-family")); font-size: \(value("font-size")); \
      color: \(value("text-color")); background-color: \(value("background-color")); }
      #snippet { width: \(value("width")); }
      </style></head><body><div id="snippet">
      """
  }

  private static let reset = """
    html, body, div, span, h1, h2, h3, h4, h5, h6, p, blockquote, pre, a, abbr, address, cite, code, del, dfn, em, img, ins, kbd, q, s, samp, \
    small, strong, sub, sup, var, b, u, i, dl, dt, dd, ol, ul, li, fieldset, form, label, legend, table, caption, tbody, tfoot, thead, tr, \
    th, td, figure, figcaption, article, aside, section, header, footer, nav { margin: 0; padding: 0; border: 0; }
    p + p { padding-top: .5em; }
    ol, ul { padding-left: 2em; }
    table { border-collapse: collapse; border-spacing: 0; }
    """

  // MARK: Validators

  private static func number(_ range: ClosedRange<Double>, unit: String) -> @Sendable (String) -> String? {
    { text in
      let digits = !unit.isEmpty && text.hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
      guard let value = Double(digits), range.contains(value), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
        return nil
      }
      return digits + unit
    }
  }

  @Sendable private static func color(_ text: String) -> String? { isDeclarationValue(text, property: "color") ? text : nil }
  @Sendable private static func fontFamily(_ text: String) -> String? { isDeclarationValue(text, property: "font-family") ? text : nil }

  /// Valid for the property, and nothing in it can end the declaration or the style element.
  private static func isDeclarationValue(_ text: String, property: String) -> Bool {
    !text.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
      && StyleEngine.supports(property: property, value: text)
  }
}
