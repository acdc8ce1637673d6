import OffprintCSS
import OffprintCoreTypes

// A textual dump of the fragment tree for tests and debugging: one line per fragment, with indented children.
extension FragmentTree {
  /// The kind, the element, the border box in CSS px of the page, and any edges.
  package func dump(_ tree: BoxTree) -> String { dump(tree) { _ in } }

  /// - Parameter spend: Called with the number of bytes before they are added. May throw to abort the dump.
  package func dump(_ tree: BoxTree, _ spend: (Int) throws -> Void) rethrows -> String {
    guard !root.isNone else { return "" }
    var text = ""
    var stack: [(id: FragmentID, origin: LayoutPoint, depth: Int)] = [(root, .zero, 0)]
    while let (id, origin, depth) = stack.popLast() {
      let line = String(repeating: "  ", count: depth) + line(of: id, at: origin, tree) + "\n"
      try spend(line.utf8.count)
      text += line
      stack.append(contentsOf: children(of: id).reversed().map { ($0.fragment, origin + $0.offset, depth + 1) })
    }
    return text
  }

  private func line(of id: FragmentID, at origin: LayoutPoint, _ tree: BoxTree) -> String {
    let fragment = self[id]
    let rect = DumpText.rect(origin, fragment.size)
    switch fragment.kind {
    case .line: return "line \(rect)"
    case .text: return "text \(rect) \(textWords(fragment))"
    case .box: break
    }
    var words = [fragment.isFirstLine ? "first-line" : boxName(fragment.box, tree), rect]
    if fragment.border != .zero { words.append("border \(edges(fragment.border))") }
    if fragment.padding != .zero { words.append("padding \(edges(fragment.padding))") }
    if !fragment.hasStartEdge { words.append("continued") }
    if !fragment.hasEndEdge { words.append("continues") }
    if fragment.isOmittedFromPaint { words.append("omitted") } else if fragment.isHiddenForPaint { words.append("hidden") }
    if let legend = fragment.legend { words.append("legend \(DumpText.rect(legend.origin, legend.size))") }
    if columns.indices.contains(Int(fragment.columns)) {
      words.append("columns " + columns[Int(fragment.columns)].map { DumpText.rect($0.origin, $0.size) }.joined(separator: ", "))
    }
    if collapsedBorders.indices.contains(Int(fragment.collapsedBorders)) {
      words += segments(collapsedBorders[Int(fragment.collapsedBorders)])
    }
    return words.joined(separator: " ")
  }

  private func boxName(_ box: BoxID, _ tree: BoxTree) -> String { tree.name(of: box) ?? "\(tree[box].kind)" }

  private func textWords(_ fragment: Fragment) -> String {
    guard texts.indices.contains(Int(fragment.payload)) else { return "" }
    let text = texts[Int(fragment.payload)]
    var words = [DumpText.quoted(text.text)]
    if text.isRTL { words.append("rtl") }
    if text.glyphs.contains(where: \.isSideways) { words.append("sideways") }
    if text.horizontalScale != 1 { words.append("compressed \(DumpText.number(Double(text.horizontalScale)))") }
    if !text.emphasisCenters.isEmpty {
      words.append("marks \(text.emphasisCenters.map { DumpText.number(Double($0)) }.joined(separator: " "))")
    }
    return words.joined(separator: " ")
  }

  private func segments(_ borders: CollapsedBorders) -> [String] {
    borders.segments.map { segment in
      "\(segment.edge.style) \(DumpText.rect(segment.rect.origin, segment.rect.size)) \(DumpText.number(segment.edge.width))"
    }
  }

  private func edges(_ edges: LayoutEdges) -> String {
    [edges.top, edges.right, edges.bottom, edges.left].map { DumpText.number($0) }.joined(separator: " ")
  }
}
