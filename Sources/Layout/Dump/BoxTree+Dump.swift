import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// A textual dump of the box tree for tests and debugging: one line per box, with indented children.
extension BoxTree {
  /// The kind, the element, and distinctive properties.
  package func dump() -> String { dump { _ in } }

  /// - Parameter spend: Called with the number of bytes before they are added. May throw to abort the dump.
  package func dump(_ spend: (Int) throws -> Void) rethrows -> String {
    guard !boxes.isEmpty else { return "" }
    var text = ""
    var stack: [(box: BoxID, depth: Int)] = [(BoxID(0), 0)]
    while let (box, depth) = stack.popLast() {
      let line = String(repeating: "  ", count: depth) + line(of: box) + "\n"
      try spend(line.utf8.count)
      text += line
      stack.append(contentsOf: Array(children(of: box)).reversed().map { ($0, depth + 1) })
    }
    return text
  }

  private func line(of id: BoxID) -> String {
    let box = self[id]
    var words = ["\(box.kind)"]
    if let name = name(of: id) { words.append(name) }
    words += flags(of: box)
    if box.kind == .text { words.append(DumpText.quoted(text[box.text.range])) }
    if box.replaced >= 0, replaced.indices.contains(Int(box.replaced)) { words.append(contents(replaced[Int(box.replaced)])) }
    if box.control != .none { words.append("\(box.control)") }
    if box.columnSpan > 1 || box.rowSpan != 1 { words.append("spans \(box.columnSpan)x\(box.rowSpan)") }
    return words.joined(separator: " ")
  }

  /// The element's name with its id and pseudo-element; nil for text and anonymous boxes.
  func name(of id: BoxID) -> String? {
    let box = self[id], document = styled.document
    guard !box.node.isNone, document[box.node].kind == .element, !box.isAnonymous || box.pseudo != nil else { return nil }
    var name = String(decoding: document.names[document[box.node].name], as: UTF8.self)
    if let identifier = document.attribute(.id, of: box.node) { name += "#" + String(decoding: identifier, as: UTF8.self) }
    return box.pseudo.map { name + "::\($0)" } ?? name
  }

  private func flags(of box: Box) -> [String] {
    let flags: [(Bool, String)] = [
      (box.isAnonymous, "anonymous"), (box.hasInlineChildren, "inline-children"), (box.isAtomicInline, "atomic"),
      (box.isFloating, "floating"), (box.isOutOfFlow, "\(box.style.box.position)"), (box.isListItem, "list-item"),
      (box.isOutsideMarker, "outside"), (box.isRubyColumn, "ruby"), (box.specialLayout == .combinedText, "combined"),
      (box.specialLayout == .initialLetter, "initial-letter"),
      (box.lacksStartEdge, "continued"),
      (box.lacksEndEdge, "continues"),
    ]
    let math: [String] = if case .math(let kind) = box.specialLayout { ["math-\(kind)"] } else { [] }
    return flags.compactMap { $0.0 ? $0.1 : nil } + math
  }

  private func contents(_ content: ReplacedContent) -> String {
    let size = [content.naturalWidth, content.naturalHeight].map { $0.map { DumpText.number(Double($0)) } ?? "auto" }.joined(separator: "x")
    return switch content.kind {
    case .image: "image \(size)"
    case .gradient: "gradient"
    case .empty: "empty \(size)"
    case .brokenImage(let hasFrame, let hasIcon): "broken image\(hasFrame ? " frame" : "")\(hasIcon ? " icon" : "")"
    case .symbol(let symbol): "symbol \(symbol)"
    case .drawing: "drawing \(size)"
    case .control(let symbol, let isDisabled): "control \(symbol)\(isDisabled ? " disabled" : "")"
    }
  }
}

/// Formatting of texts and numbers in dumps.
enum DumpText {
  /// Quotes and escapes a text, on one line.
  static func quoted(_ bytes: some Sequence<UInt8>) -> String {
    var text = "\""
    for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\"": text += "\\\""
      case _ where scalar.value < 0x20 || scalar.properties.isDefaultIgnorableCodePoint || scalar.value == 0xA0:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Rounds to hundredths.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    let hundredths = (value * 100).rounded()
    if hundredths.truncatingRemainder(dividingBy: 100) == 0 { return "\(Int(hundredths / 100))" }
    return "\(hundredths / 100)"
  }

  static func number(_ value: LayoutUnit) -> String { number(value.double) }
  static func point(_ point: LayoutPoint) -> String { "\(number(point.x)),\(number(point.y))" }
  static func rect(_ origin: LayoutPoint, _ size: LayoutSize) -> String {
    "\(point(origin)) \(number(size.width))x\(number(size.height))"
  }
}
