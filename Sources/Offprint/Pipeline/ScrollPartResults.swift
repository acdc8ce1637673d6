import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

/// The results of layout that scroll buttons and markers depend on: the scrollable overflow and the number of columns.
///
/// https://drafts.csswg.org/css-overflow-5/#scroll-navigation
struct ScrollPartResults: Equatable {
  private(set) var states: [NodeID: ScrollPartState] = [:]

  init() {}

  /// The results of layout; empty without buttons and markers.
  init(_ page: LaidOutPage) {
    guard page.styled.hasScrollParts else { return }
    let parts = page.styled.pseudoStyles.keys.filter(\.pseudo.isScrollPart)
    let owners = Set(parts.map(\.node))
    let subjects = Set(owners.map { TimelineSubject(node: $0, pseudo: nil) })
    let geometry = ScrollGeometry(page.tree, page.fragments, of: subjects, viewport: page.viewport.size, content: page.contentSize)
    var numbers: [Int: NodeID] = [:]
    for node in owners.sorted(by: { $0.raw < $1.raw }) {
      guard let own = geometry.boxes[TimelineSubject(node: node, pseudo: nil)]?.own else { continue }
      let scroller = geometry.scrollers[own]
      var state = ScrollPartState()
      state.scrollsHorizontally = scroller.content.width > scroller.port.width
      state.scrollsVertically = scroller.content.height > scroller.port.height
      states[node] = state
      numbers[own] = node
    }
    let markers = parts.lazy.filter { $0.pseudo == .scrollMarker }.map(\.node).sorted { $0.raw < $1.raw }
    chooseCurrent(markers, geometry, numbers)
    countColumns(page)
  }

  /// The last marker whose element could not be scrolled any nearer to the start. https://drafts.csswg.org/css-overflow-5/#active-scroll-marker
  private mutating func chooseCurrent(_ markers: [NodeID], _ geometry: ScrollGeometry, _ numbers: [Int: NodeID]) {
    var counts: [Int: Int] = [:]
    for marker in markers {
      guard let place = geometry.boxes[TimelineSubject(node: marker, pseudo: nil)], let scroller = numbers[place.scroller] else {
        continue
      }
      let number = counts[place.scroller, default: 0], state = states[scroller] ?? ScrollPartState()
      counts[place.scroller] = number + 1
      let isAtStart = (!state.scrollsHorizontally || place.rect.minX <= .zero) && (!state.scrollsVertically || place.rect.minY <= .zero)
      if isAtStart { states[scroller]?.current = number }
    }
  }

  private mutating func countColumns(_ page: LaidOutPage) {
    guard !page.fragments.columns.isEmpty, !page.fragments.root.isNone else { return }
    var open = [page.fragments.root]
    while let id = open.popLast() {
      let fragment = page.fragments[id]
      if fragment.kind == .box, page.fragments.columns.indices.contains(Int(fragment.columns)) {
        let box = page.tree[fragment.box]
        if !box.node.isNone { states[box.node]?.columns += page.fragments.columns[Int(fragment.columns)].count }
      }
      for link in page.fragments.children(of: id) { open.append(link.fragment) }
    }
  }
}
