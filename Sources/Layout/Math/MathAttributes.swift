import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintTypography

/// MathML attributes that are not presentational hints. https://w3c.github.io/mathml-core/#types-for-mathml-attribute-values
enum MathAttributes {
  static func value(_ name: StaticString, of node: NodeID, _ document: Document) -> ArraySlice<UInt8>? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for attribute in document.attributes(of: node) where attribute.namespace == .none {
      if document.names[attribute.name].elementsEqual(wanted) { return document.bytes(attribute.value) }
    }
    return nil
  }

  static func boolean(_ name: StaticString, of node: NodeID, _ document: Document) -> Bool? {
    guard let value = value(name, of: node, document) else { return nil }
    if isKeyword(value, "true") { return true }
    return isKeyword(value, "false") ? false : nil
  }

  /// Whether a value equals a keyword, ASCII case-insensitively.
  static func isKeyword(_ value: ArraySlice<UInt8>, _ keyword: StaticString) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
    return value.map(lower).elementsEqual(UnsafeBufferPointer(start: keyword.utf8Start, count: keyword.utf8CodeUnitCount))
  }

  /// A length attribute of a box's element.
  ///
  /// - Parameter basis: The basis of percentages; nil if they are not allowed.
  static func length(_ name: StaticString, _ box: BoxID, _ engine: LayoutEngine, basis: LayoutUnit? = nil) -> LayoutUnit? {
    let item = engine.tree[box]
    guard !item.node.isNone, let text = value(name, of: item.node, engine.tree.styled.document) else { return nil }
    return MathLength(text).flatMap { $0.used(engine.style(box), engine, basis: basis) }
  }
}

/// A number and its unit.
struct MathLength {
  var number: Double
  var unit: String

  init?(_ bytes: ArraySlice<UInt8>) {
    let length = bytes.trimmingHTMLSpaces
    let digits = length.prefix { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }
    guard let number = Double(String(decoding: digits, as: UTF8.self)), number.isFinite else { return nil }
    self.number = number
    unit = String(decoding: length[digits.endIndex...], as: UTF8.self).lowercased()
  }

  func used(_ style: ComputedStyle, _ engine: LayoutEngine, basis: LayoutUnit?) -> LayoutUnit? {
    if unit == "%" { return basis.map { $0 * (number / 100) } }
    if unit.isEmpty { return number == 0 ? .zero : nil }
    let metrics = engine.inlineFont(style).metrics
    let size: Double? =
      switch unit {
      case "em": Double(style.font.size)
      case "ex": Double(metrics.xHeight)
      case "ch": Double(metrics.zeroAdvance)
      case "ic": Double(metrics.icAdvance)
      case "cap": Double(metrics.capHeight)
      case "rem": Double(engine.rootStyle?.font.size ?? 16)
      case "vw": engine.viewport.width.double / 100
      case "vh": engine.viewport.height.double / 100
      default: Self.absolute[unit].map { $0 * Double(style.zoom) }
      }
    return size.map { LayoutUnit($0 * number) }
  }

  private static let absolute = ["px": 1, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54, "pt": 4.0 / 3, "pc": 16]
}

extension LayoutEngine {
  /// The style of the root element.
  var rootStyle: ComputedStyle? {
    let root = tree.styled.document.documentElement
    return root.isNone ? nil : tree.styled.style(of: root)
  }
}
