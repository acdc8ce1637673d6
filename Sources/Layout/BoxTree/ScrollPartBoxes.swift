import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// The state of a scroll container that its buttons and markers depend on, from a previous layout. The scroll position is always the
/// initial one.
public struct ScrollPartState: Equatable, Sendable {
  /// Whether the contents overflow the scrollport horizontally.
  public package(set) var scrollsHorizontally = true
  public package(set) var scrollsVertically = true
  /// The index of the marker whose element is scrolled into view.
  public package(set) var current = 0
  /// The number of columns of a multi-column container.
  public package(set) var columns = 0

  package init() {}
}

/// The markers of the elements in a scroll container.
struct MarkerGroup {
  var scroller: NodeID
  /// The box of the group, which determines the display type of the markers.
  var box: Box
  var markers: [PendingBox] = []
  var count = 0
}

// Scroll buttons and groups of scroll markers are siblings of their scroll container.
//
// https://drafts.csswg.org/css-overflow-5/#scroll-navigation
extension BoxTreeBuilder {
  /// Generates an element, its marker in the group of the enclosing scroll container, and its own group and buttons.
  mutating func generateScroller(_ node: NodeID, into siblings: inout [PendingBox], parent: Box) {
    let style = styled.style(of: node)
    appendScrollMarker(of: node)
    guard style.isScroller, style.box.display != .contents else { return generateElement(node, into: &siblings, parent: parent) }
    let group = styled.style(of: node, .scrollMarkerGroup).flatMap { $0.box.display == .none ? nil : $0 }
    if let group {
      let box = principalBox(scrollPartStyle(group, parent: parent), node: node, pseudo: .scrollMarkerGroup)
      markerGroups.append(MarkerGroup(scroller: node, box: box))
    }
    var own: [PendingBox] = []
    generateElement(node, into: &own, parent: parent)
    var markers: PendingBox?
    if group != nil, let open = markerGroups.popLast() { markers = groupBox(open) }
    let isBefore = style.box.scrollMarkerGroup == .before || style.box.scrollMarkerGroup == .beforeTabs
    if isBefore, let markers { siblings.append(markers) }
    siblings.append(contentsOf: own)
    appendScrollButtons(of: node, style, into: &siblings, parent: parent)
    if !isBefore, let markers { siblings.append(markers) }
  }

  private mutating func groupBox(_ group: MarkerGroup) -> PendingBox {
    var pending = PendingBox(group.box, children: group.markers)
    let columns = min(scrollStates?[group.scroller]?.columns ?? 0, Self.maximumColumns)
    for index in 0..<columns {
      let state: PseudoElement = index == 0 ? .currentColumnScrollMarker : .laterColumnScrollMarker
      let pseudo = styled.style(of: group.scroller, state) == nil ? .columnScrollMarker : state
      generatePseudo(pseudo, of: group.scroller, into: &pending.children, parent: group.box)
    }
    finish(&pending)
    return pending
  }

  private static let maximumColumns = 1000

  /// Adds the marker of an element to the innermost group whose scroll container scrolls the element.
  private mutating func appendScrollMarker(of node: NodeID) {
    guard !markerGroups.isEmpty, styled.style(of: node, .scrollMarker) != nil,
      let index = markerGroups.lastIndex(where: { isScrolled(node, by: $0.scroller) })
    else { return }
    let current = scrollStates?[markerGroups[index].scroller]?.current ?? 0, number = markerGroups[index].count
    let state: PseudoElement =
      number < current ? .earlierScrollMarker : number == current ? .currentScrollMarker : .laterScrollMarker
    let pseudo = styled.style(of: node, state) == nil ? .scrollMarker : state
    var group = markerGroups[index]
    group.count += 1
    generatePseudo(pseudo, of: node, into: &group.markers, parent: group.box)
    markerGroups[index] = group
  }

  /// Whether `scroller` is in the chain of containing blocks of an element in it.
  private func isScrolled(_ node: NodeID, by scroller: NodeID) -> Bool {
    var position = styled.style(of: node).box.position, ancestor = document[node].parent
    while !ancestor.isNone, document[ancestor].kind == .element {
      let style = styled.style(of: ancestor)
      let isOutOfFlow = position == .absolute || position == .fixed
      if !isOutOfFlow || ContainingBlock.isEstablished(by: style, isFixed: position == .fixed) {
        if ancestor == scroller { return true }
        position = style.box.position
      } else if ancestor == scroller {
        return false
      }
      ancestor = document[ancestor].parent
    }
    return false
  }

  /// Appends the scroll buttons in logical order. Those that cannot scroll further are disabled.
  private mutating func appendScrollButtons(of node: NodeID, _ style: ComputedStyle, into siblings: inout [PendingBox], parent: Box) {
    guard
      styled.style(of: node, .scrollButtonBlockStart) ?? styled.style(of: node, .scrollButtonInlineStart)
        ?? styled.style(of: node, .scrollButtonInlineEnd) ?? styled.style(of: node, .scrollButtonBlockEnd) != nil
    else { return }
    let state = scrollStates?[node] ?? ScrollPartState()
    let isHorizontal = style.text.writingMode == .horizontalTb
    let scrollsInline = isHorizontal ? state.scrollsHorizontally : state.scrollsVertically
    let scrollsBlock = isHorizontal ? state.scrollsVertically : state.scrollsHorizontally
    let buttons: [PseudoElement] = [
      .disabledButtonBlockStart, .disabledButtonInlineStart, scrollsInline ? .scrollButtonInlineEnd : .disabledButtonInlineEnd,
      scrollsBlock ? .scrollButtonBlockEnd : .disabledButtonBlockEnd,
    ]
    for button in buttons { generatePseudo(button, of: node, into: &siblings, parent: parent) }
  }

  /// The style of a scroll part as a child of `parent`: blockified in flex and grid containers.
  func scrollPartStyle(_ style: ComputedStyle, parent: Box) -> ComputedStyle {
    guard parent.kind == .flexContainer || parent.kind == .gridContainer, style.box.display.blockified != style.box.display else {
      return style
    }
    var box = style.box
    box.display = box.display.blockified
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }
}

extension PseudoElement {
  var isScrollButton: Bool { rawValue >= PseudoElement.scrollButtonBlockStart.rawValue }
}

extension StyledDocument {
  package var hasScrollParts: Bool { pseudoStyles.keys.contains { $0.pseudo.isScrollPart } }
}
