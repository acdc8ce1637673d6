import OffprintCoreTypes
import OffprintCSS

/// Validates values given to a template, and converts them.
enum AttributeValue {
  struct Invalid: Error {
    /// For example `rows[2].price`.
    var path: String
    var value: String
    var expectation: String
    var isMissing = false
    var isUnknown = false
    /// Replaces the expectation in the message.
    var problem: String?
  }

  /// A value given as text, by `--set` or a query parameter.
  static func parse(_ text: String, _ attribute: TemplateAttribute, path: String) throws(Invalid) -> JSONValue {
    switch attribute.kind {
    case .list:
      if text.utf8.first == UInt8(ascii: "[") || attribute.item?.kind == .object { return try parse(json: text, attribute, path) }
      if text.isEmpty { return try check(.array([]), attribute, path: path) }
      let items = text.split(byte: ",", omittingEmptySubsequences: false).map { JSONValue.string($0.trimmingSpaces) }
      return try check(.array(items), attribute, path: path)
    case .object: return try parse(json: text, attribute, path)
    default: return try check(.string(text), attribute, path: path)
    }
  }

  private static func parse(json text: String, _ attribute: TemplateAttribute, _ path: String) throws(Invalid) -> JSONValue {
    let value: JSONValue
    do {
      value = try JSONValue(checking: Array(text.utf8))
    } catch {
      let problem: String? = if error == .malformed { nil } else { error.predicate }
      throw Invalid(path: path, value: text, expectation: "\(attribute.expectation), as JSON", problem: problem)
    }
    return try check(value, attribute, path: path)
  }

  /// A value given as JSON.
  static func check(_ value: JSONValue, _ attribute: TemplateAttribute, path: String) throws(Invalid) -> JSONValue {
    switch (attribute.kind, value) {
    case (.list, .array(let items)): return try list(items, attribute, path)
    case (.object, .object(let members)):
      return .object(try AttributeSet(attribute.fields).values(members, path: path + ".", refusesUnknown: false))
    case (.list, _), (.object, _): throw invalid(value, attribute, path)
    case (_, .string(let text)): return try scalar(text, attribute, path)
    case (.boolean, .bool): return value
    case (.number, .number), (.integer, .number), (.number, .integer), (.integer, .integer):
      guard isIn(value, attribute) else { throw invalid(value, attribute, path) }
      return value
    case (_, .number), (_, .integer), (_, .bool): return try scalar(value.text, attribute, path)
    case (_, .null), (_, .array), (_, .object): throw invalid(value, attribute, path)
    }
  }

  private static func invalid(_ value: JSONValue, _ attribute: TemplateAttribute, _ path: String) -> Invalid {
    Invalid(path: path, value: value.string ?? value.text, expectation: attribute.expectation)
  }

  private static func isIn(_ number: Double, _ attribute: TemplateAttribute) -> Bool {
    number.isFinite && number >= attribute.minimum ?? -.infinity && number <= attribute.maximum ?? .infinity
  }

  /// Whether a number is in the range, and whole if it must be.
  private static func isIn(_ value: JSONValue, _ attribute: TemplateAttribute) -> Bool {
    switch value {
    case .number(let number): isIn(number, attribute) && (attribute.kind == .number || number == number.rounded())
    // Bounds of ranges are below 2^53, so an exact integer is outside of any bound on its side.
    case .integer(let integer): integer.isNegative ? attribute.minimum == nil : attribute.maximum == nil
    default: false
    }
  }

  private static func list(_ items: [JSONValue], _ attribute: TemplateAttribute, _ path: String) throws(Invalid) -> JSONValue {
    guard isIn(Double(items.count), attribute) else {
      throw Invalid(path: path, value: "\(items.count) items", expectation: attribute.expectation)
    }
    guard let item = attribute.item else { return .array(items) }
    var checked: [JSONValue] = []
    for (index, value) in items.enumerated() { checked.append(try check(value, item, path: "\(path)[\(index)]")) }
    return .array(checked)
  }

  // MARK: Values from text

  private static func scalar(_ text: String, _ attribute: TemplateAttribute, _ path: String) throws(Invalid) -> JSONValue {
    if let value = value(of: text, attribute) { return value }
    var invalid = invalid(.string(text), attribute, path)
    if attribute.kind == .number || attribute.kind == .integer, isDecimal(text), Double(text)?.isInfinite == true {
      invalid.problem = JSONError.numberOutOfRange(text).predicate
    }
    throw invalid
  }

  private static func value(of text: String, _ attribute: TemplateAttribute) -> JSONValue? {
    switch attribute.kind {
    case .string: attribute.minimum == nil && attribute.maximum == nil || isIn(Double(text.count), attribute) ? .string(text) : nil
    case .html: .string(text)
    case .number, .integer: decimal(text).flatMap { isIn($0, attribute) ? $0 : nil }
    case .length: length(text, attribute).map { .string($0) }
    case .color: color(text).map { .string($0) }
    case .font: isDeclarationValue(text, property: "font-family") ? .string(text) : nil
    case .boolean: boolean(text).map { .bool($0) }
    case .choice: attribute.choices.contains(text) ? .string(text) : nil
    case .url: isURL(text) ? .string(text) : nil
    case .date: TimeLeft(text) == nil ? nil : .string(text)
    case .list, .object: nil
    }
  }

  private static func decimal(_ text: String) -> JSONValue? { isDecimal(text) ? JSONValue(decimal: text) : nil }

  private static func isDecimal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 400
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0", "": false
    default: nil
    }
  }

  /// px per absolute unit; https://www.w3.org/TR/css-values-4/#absolute-lengths
  private static let absoluteUnits: [String: Double] = ["px": 1, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "pt": 4 / 3.0, "pc": 16]
  private static let relativeUnits: Set = ["em", "rem", "ex", "ch", "lh", "vw", "vh", "vmin", "vmax", "%"]

  /// A number with a unit, px by default. A range is in px and applies to absolute lengths.
  private static func length(_ text: String, _ attribute: TemplateAttribute) -> String? {
    let unit = String(text.reversed().prefix { $0.isASCII && ($0.isLetter || $0 == "%") }.reversed()).lowercased()
    let digits = text.dropLast(unit.count)
    guard let number = decimal(String(digits))?.number, digits.utf8.allSatisfy({ $0 != 0x45 && $0 != 0x65 }) else { return nil }
    if let factor = absoluteUnits[unit.isEmpty ? "px" : unit] {
      return isIn(number * factor, attribute) ? digits + (unit.isEmpty ? "px" : unit) : nil
    }
    return relativeUnits.contains(unit) && number >= min(0, attribute.minimum ?? -.infinity) ? digits + unit : nil
  }

  /// A CSS color, or only its hexadecimal digits, as in URLs.
  private static func color(_ text: String) -> String? {
    if isDeclarationValue(text, property: "color"), StyleEngine.color(text) != nil { return text }
    let isHex = [3, 4, 6, 8].contains(text.utf8.count) && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    return isHex ? "#" + text : nil
  }

  /// Whether it is valid for the property, and cannot end the declaration or the style element.
  private static func isDeclarationValue(_ text: String, property: String) -> Bool {
    text.utf8.count <= 1000 && !text.utf8.contains { "<;{}\\@!".utf8.contains($0) || $0 < 0x20 }
      && StyleEngine.supports(property: property, value: text)
  }

  private static func isURL(_ text: String) -> Bool {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return false }
    guard let colon = text.firstIndex(where: { $0 == ":" || $0 == "/" || $0 == "?" || $0 == "#" }), text[colon] == ":" else { return true }
    return ["http", "https", "data", "file", "qr", "barcode"].contains(text[..<colon].lowercased())
  }
}
