import OffprintCoreTypes

/// The size specified by the root element of an SVG document. Reads only the document's beginning.
///
/// https://www.w3.org/TR/SVG2/coords.html#SizingSVGInCSS
struct SVGRoot: Hashable {
  /// In CSS px; nil if missing or a percentage.
  var width: Double?
  var height: Double?
  /// From width and height, otherwise from `viewBox`.
  var ratio: Double?

  /// Nil if the first element is not `svg`.
  init?(_ bytes: [UInt8]) {
    var scanner = XMLPrologScanner(bytes)
    guard let name = scanner.rootElementName(), name == "svg" || name.hasSuffix(":svg") else { return nil }
    var viewBox: [Double] = [], isStretched = false
    while let (name, value) = scanner.attribute() {
      switch name {
      case "width", "height":
        if name == "width" { width = Self.length(value) } else { height = Self.length(value) }
      case "viewBox": viewBox = Self.numbers(value)
      case "preserveAspectRatio": isStretched = value.hasPrefix("none")
      default: break
      }
    }
    let hasBox = viewBox.count == 4 && viewBox[2] > 0 && viewBox[3] > 0
    if let width, let height, width > 0, height > 0 {
      ratio = width / height
    } else if hasBox, !isStretched {
      ratio = viewBox[2] / viewBox[3]
    }
  }

  private static func numbers(_ text: String) -> [Double] {
    text.split(whereByte: { $0.isHTMLSpace || $0 == 0x2C }).prefix(5).compactMap { Double(decimal: $0) }
  }

  private static func length(_ text: String) -> Double? {
    let trimmed = text.splitOnASCIIWhitespace().first ?? ""
    let units: [(String, Double)] = [
      ("px", 1), ("pt", 96.0 / 72), ("pc", 16), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4), ("rem", 16), ("em", 16), ("ex", 8),
      ("", 1),
    ]
    for (unit, factor) in units where trimmed.lowercased().hasSuffix(unit) {
      guard let number = Double(trimmed.dropLast(unit.count)), number.isFinite, number >= 0, number <= 1e7 else { continue }
      return number * factor
    }
    return nil
  }
}

/// Parses an XML document up to the end of its root element's start tag.
struct XMLPrologScanner {
  private let bytes: [UInt8]
  private var offset = 0
  /// The maximum offset of the root element.
  private static let longestProlog = 1 << 16

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func has(_ text: StaticString) -> Bool { ByteReader(bytes: bytes).hasASCII(text, at: offset) }

  private mutating func skipSpace() { while let byte = current, byte == 32 || 9...13 ~= byte { offset += 1 } }

  /// Moves to the offset after the next `text`.
  private mutating func skip(past text: StaticString) {
    while offset < min(bytes.count, Self.longestProlog), !has(text) { offset += 1 }
    offset += text.utf8CodeUnitCount
  }

  private mutating func skipDoctype() {
    var brackets = 0
    while offset < Self.longestProlog, let byte = current {
      offset += 1
      if byte == UInt8(ascii: "[") { brackets += 1 }
      if byte == UInt8(ascii: "]") { brackets -= 1 }
      if byte == UInt8(ascii: ">"), brackets <= 0 { return }
    }
  }

  /// The name of the first element; its attributes can be read afterwards.
  mutating func rootElementName() -> String? {
    while offset < Self.longestProlog {
      skipSpace()
      if has("<?") { skip(past: "?>") } else if has("<!--") { skip(past: "-->") } else if has("<!") { skipDoctype() } else { break }
    }
    guard current == UInt8(ascii: "<") else { return nil }
    offset += 1
    return name()
  }

  private mutating func name() -> String? {
    let start = offset
    while let byte = current, byte > 32, !"=/>\"'<".utf8.contains(byte), offset - start < 100 { offset += 1 }
    return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
  }

  /// The next attribute of the start tag; nil at its end.
  mutating func attribute() -> (name: String, value: String)? {
    skipSpace()
    guard let name = name() else { return nil }
    skipSpace()
    guard current == UInt8(ascii: "=") else { return nil }
    offset += 1
    skipSpace()
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    offset += 1
    let start = offset
    while let byte = current, byte != quote { offset += 1 }
    guard current != nil else { return nil }
    defer { offset += 1 }
    return (name, String(decoding: bytes[start..<offset].prefix(1000), as: UTF8.self))
  }
}
