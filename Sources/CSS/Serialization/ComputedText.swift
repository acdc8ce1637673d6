public import OffprintCoreTypes

/// A computed value that can be serialized as CSS.
///
/// https://drafts.csswg.org/cssom-1/#resolved-values
protocol ComputedText {
  func css(_ writer: ComputedTextWriter) -> String
}

/// Inputs besides the value that affect its serialization.
struct ComputedTextWriter {
  /// The color for `currentcolor`.
  var color = Color.black
  /// The unit of the property's unitless numbers.
  var unit = ""
  /// The keyword for nil and empty values.
  var absence = "none"
  /// The separator of list items.
  var separator = " "

  func text(_ value: Any) -> String {
    if let value = value as? any ComputedText { return value.css(self) }
    if let names = value as? [ByteString] { return names.isEmpty ? absence : names.map(\.text).joined(separator: separator) }
    return Self.keyword("\(value)")
  }

  /// Converts `camelCase` to `kebab-case`.
  static func keyword(_ name: String) -> String {
    var result = name.hasPrefix("webkit") ? "-" : ""
    for character in name.unicodeScalars {
      if character.value >= 0x41, character.value <= 0x5A {
        result += "-" + String(Character(Unicode.Scalar(character.value + 0x20) ?? character))
      } else {
        result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// Formats a number, rounded to four decimals.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-infinity" : "infinity" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
    let rounded = abs(value) < 1e9 ? (value * 1e4).rounded() / 1e4 : value
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : "\(rounded)"
  }

  static func px(_ value: Float) -> String { number(Double(value)) + "px" }

  static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map {
        $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0 == "\n" ? "\\a " : "\($0)"
      }.joined() + "\""
  }

  func list(_ values: [some Any], separator: String? = nil) -> String {
    values.isEmpty
      ? absence : values.map { text($0) }.joined(separator: separator ?? self.separator)
  }

  /// Serializes the sides of a box as one to four values.
  func sides<Value: Equatable>(_ sides: PhysicalSides<Value>) -> String {
    let values = [sides.top, sides.right, sides.bottom, sides.left].map { text($0) }
    if values[1] != values[3] { return values.joined(separator: " ") }
    if values[0] != values[2] { return values[..<3].joined(separator: " ") }
    return values[0] == values[1] ? values[0] : values[..<2].joined(separator: " ")
  }
}

extension Longhand {
  /// The serialized computed value of the property in `group`; nil if it is not stored.
  func text(_ group: UnsafeRawPointer, currentColor: Color) -> String? {
    var writer = ComputedTextWriter(color: currentColor, unit: numberUnit)
    let grammar = kind.values
    writer.absence =
      grammar.split(byte: " ").map(String.init).first {
        $0.allSatisfy { $0.isLetter || $0 == "-" }
      } ?? "none"
    if grammar.contains("#") { writer.separator = ", " }
    return kind.read(group, writer)
  }
}

extension StyleEngine {
  /// The computed values of all stored properties by name, followed by the custom properties.
  ///
  /// https://drafts.csswg.org/css-cascade-5/#computed
  public static func computedValues(of style: ComputedStyle, names: NameTable) -> [(
    name: String, value: String
  )] {
    let record = style.unzoomed.record.pointee
    var values: [(name: String, value: String)] = []
    let table = PropertyTable.shared
    for row in table.longhands.dropFirst(2) {
      let physical = row.logical.map { table[$0.target(style.text.writingMode, style.text.direction)] } ?? row
      guard let group = record.group(row.group),
        let text = physical.text(group, currentColor: style.text.color)
      else { continue }
      values.append(("\(row.name)", text))
    }
    values.sort { $0.name < $1.name }
    let custom = record.custom?.pointee.values ?? [:]
    let listed = custom.map {
      (
        name: String(decoding: names[$0.key], as: UTF8.self),
        value: String(decoding: $0.value, as: UTF8.self)
      )
    }
    return values + listed.sorted { $0.name < $1.name }
  }
}

extension Longhand {
  fileprivate func starts(_ words: StaticString) -> Bool {
    name.withUTF8Buffer { name in words.withUTF8Buffer { name.starts(with: $0) } }
  }

  fileprivate func ends(_ words: StaticString) -> Bool {
    name.withUTF8Buffer { name in words.withUTF8Buffer { name.suffix($0.count).elementsEqual($0) } }
  }
}

extension TableBuilder {
  /// Sets the serialization units of fields that are unitless numbers.
  mutating func nameUnits() {
    change([
      "letter-spacing", "border-top-width", "border-right-width", "border-bottom-width",
      "border-left-width", "outline-width",
      "outline-offset", "column-width", "column-height", "perspective",
      "-webkit-text-stroke-width", "contain-intrinsic-width",
      "contain-intrinsic-height", "overflow-clip-margin", "clip",
    ]) { $0.numberUnit = "px" }
    change(["scroll-margin-top", "scroll-margin-right", "scroll-margin-bottom", "scroll-margin-left"]) { $0.numberUnit = "px" }
    change(["animation-duration", "animation-delay", "transition-duration", "transition-delay"]) { $0.numberUnit = "s" }
    change(["font-stretch"]) { $0.numberUnit = "%" }
    change(["text-shadow"]) { $0.numberUnit = "text" }
    change(["hyphenate-character", "text-emphasis-style"]) { $0.numberUnit = "\"" }
  }

  /// Sets the origins to record for declarations. https://drafts.csswg.org/css-ui-4/#appearance-disabling-properties
  mutating func nameOrigins() {
    for row in longhands where row.starts("b") {
      if row.starts("background-"), !row.starts("background-blend-mode") {
        row.origins = .authorBackground
      } else if row.starts("border-"), !row.starts("border-collapse"), !row.starts("border-spacing") {
        row.origins = row.ends("-radius") ? .authorBorderRadius : .authorBorder
      }
    }
    change(["margin-top"]) { $0.origins = .quirkyMarginTop }
    change(["margin-right"]) { $0.origins = .quirkyMarginRight }
    change(["margin-bottom"]) { $0.origins = .quirkyMarginBottom }
    change(["margin-left"]) { $0.origins = .quirkyMarginLeft }
  }
}
