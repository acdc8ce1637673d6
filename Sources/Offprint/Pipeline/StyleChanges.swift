import OffprintCSS
import OffprintDOM
import OffprintLayout

/// The styles that differ between two times, if none of them affects layout.
struct StyleChanges {
  struct Change {
    var old: ComputedStyle
    var new: ComputedStyle
  }
  private var elements: [NodeID: Change] = [:]
  private var pseudoElements: [StyledDocument.PseudoKey: Change] = [:]

  var isEmpty: Bool { elements.isEmpty && pseudoElements.isEmpty }

  /// Nil if the page has to be laid out again.
  ///
  /// - Parameter new: The document with styles that were computed again; those without changed values become the old ones.
  init?(from old: StyledDocument, to new: inout StyledDocument) {
    guard old.pseudoStyles.count == new.pseudoStyles.count else { return nil }
    for node in new.restyled {
      switch Self.compare(old.styles[node.index], new.styles[node.index]) {
      case .same: new.styles[node.index] = old.styles[node.index]
      // What SVG elements show is made from their styles in layout.
      case .paint(let change) where old.document[node].namespace == .html: elements[node] = change
      case .paint, .layout: return nil
      }
      guard old.pseudoStyles.isEmpty || addPseudoElements(of: node, old, &new) else { return nil }
    }
  }

  private mutating func addPseudoElements(of node: NodeID, _ old: StyledDocument, _ new: inout StyledDocument) -> Bool {
    for pseudo in PseudoElement.allCases {
      let key = StyledDocument.PseudoKey(node: node, pseudo: pseudo)
      let (before, after) = (old.pseudoStyles[key], new.pseudoStyles[key])
      guard let before, let after else {
        if before == nil, after == nil { continue }
        return false
      }
      switch Self.compare(before, after) {
      case .same: new.pseudoStyles[key] = before
      // Lines have their own styles, not those of boxes.
      case .paint(let change) where pseudo != .firstLine && pseudo != .detailsFirstLine: pseudoElements[key] = change
      case .paint, .layout: return false
      }
    }
    return true
  }

  private enum Comparison {
    case same
    case paint(Change)
    case layout
  }

  private static func compare(_ old: ComputedStyle, _ new: ComputedStyle) -> Comparison {
    if old.hasSameValues(as: new) { return .same }
    return old.hasSameLayout(as: new) && old.imageURLs == new.imageURLs ? .paint(Change(old: old, new: new)) : .layout
  }

  /// The change of a box's style; nil if it does not change.
  func change(of box: Box) -> Change? {
    guard !box.node.isNone else { return nil }
    guard let pseudo = box.pseudo else { return elements[box.node] }
    return pseudoElements[StyledDocument.PseudoKey(node: box.node, pseudo: pseudo)]
  }
}

extension LaidOutPage {
  /// The page with changed styles; nil if boxes have styles that are made from these.
  func restyled(_ changes: StyleChanges, _ styled: StyledDocument) -> LaidOutPage? {
    var page = self
    page.styled = styled
    if changes.isEmpty { return page }
    guard fragments.collapsedBorders.isEmpty else { return nil }
    var boxes: [(box: BoxID, style: ComputedStyle)] = [], byBox: [BoxID: StyleChanges.Change] = [:]
    for index in tree.boxes.indices {
      guard let change = changes.change(of: tree.boxes[index]) else { continue }
      // Tables and inline boxes that are split have styles of their own.
      guard tree.boxes[index].style == change.old, !tree.boxes[index].lacksStartEdge, !tree.boxes[index].lacksEndEdge else { return nil }
      boxes.append((BoxID(index), change.new))
      byBox[BoxID(index)] = change
    }
    var pieces: [(fragment: Int, style: ComputedStyle)] = []
    for index in fragments.fragments.indices where fragments.fragments[index].kind == .box {
      guard let change = byBox[fragments.fragments[index].box] else { continue }
      guard fragments.fragments[index].style == change.old else { return nil }
      pieces.append((index, change.new))
    }
    page.tree.restyle(boxes, styled)
    page.fragments.restyle(pieces)
    return page
  }
}
