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
      // Layout builds the scene of SVG elements from their styles.
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

  /// Whether the box has the style of an element or pseudo-element.
  func includes(_ box: Box) -> Bool { !box.node.isNone && !box.isAnonymous && box.kind != .text }

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
    guard fragments.collapsedBorders.isEmpty, let restyling = BoxRestyling(tree, changes),
      let pieces = restyling.pieces(of: fragments)
    else { return nil }
    page.tree.restyle(restyling.boxes, styled)
    page.fragments.restyle(pieces)
    return page
  }
}

/// The new styles of boxes and fragments.
private struct BoxRestyling {
  private(set) var boxes: [(box: BoxID, style: ComputedStyle)] = []
  private var byBox: [BoxID: StyleChanges.Change] = [:]
  /// The boxes from which text inherits changed values.
  private var textSources: Set<BoxID> = []

  /// Nil if a box has a style that is made from a changed one.
  init?(_ tree: BoxTree, _ changes: StyleChanges) {
    for index in tree.boxes.indices {
      let box = tree.boxes[index], id = BoxID(index)
      if let change = changes.change(of: box) {
        // Tables and inline boxes that are split have styles of their own.
        guard box.style == change.old, !box.lacksStartEdge, !box.lacksEndEdge else { return nil }
        add(change, to: id)
      } else if textSources.contains(box.parent), let change = byBox[box.parent], box.kind == .text || !changes.includes(box) {
        // Text has the style of its parent; anonymous boxes have others.
        guard box.style == change.old else { return nil }
        add(change, to: id)
      }
    }
  }

  private mutating func add(_ change: StyleChanges.Change, to id: BoxID) {
    boxes.append((id, change.new))
    byBox[id] = change
    if !change.old.hasSameText(as: change.new) { textSources.insert(id) }
  }

  /// Nil if a fragment has a style that is made from a changed one, as in first lines.
  func pieces(of tree: FragmentTree) -> [(fragment: Int, style: ComputedStyle)]? {
    var pieces: [(fragment: Int, style: ComputedStyle)] = []
    for index in tree.fragments.indices {
      guard let change = byBox[tree.fragments[index].box] else { continue }
      guard tree.fragments[index].style == change.old else { return nil }
      pieces.append((index, change.new))
    }
    return pieces
  }
}
