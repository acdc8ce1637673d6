internal import OffprintCSS
internal import OffprintCoreTypes

/// The names that boxes give to pages. https://drafts.csswg.org/css-page-3/#using-named-pages
struct PageNames {
  private static let most = 1000

  /// The first is that of pages without names.
  private(set) var names: [ByteString?] = [nil]
  private var numbers: [ByteString: Int32] = [:]

  var isUsed: Bool { names.count > 1 }

  mutating func add(_ name: ByteString) {
    guard numbers[name] == nil, names.count < Self.most else { return }
    numbers[name] = Int32(clamping: names.count)
    names.append(name)
  }

  /// Of a box in one whose pages have the name `outer`.
  func used(_ style: ComputedStyle, outer: Int32) -> Int32 { style.box.page.flatMap { numbers[$0] } ?? outer }
}

extension BreakRules {
  /// The name of the page that a box begins on: that of its first child. https://drafts.csswg.org/css-page-3/#start-page-value
  func startPage(_ id: FragmentID, outer: Int32) -> Int32 { page(id, outer: outer, depth: 0) { $0.first } }

  func endPage(_ id: FragmentID, outer: Int32) -> Int32 { page(id, outer: outer, depth: 0) { $0.last } }

  private func page(_ id: FragmentID, outer: Int32, depth: Int, _ outermost: ([FragmentLink]) -> FragmentLink?) -> Int32 {
    let fragment = engine.fragments[id]
    guard fragment.kind == .box else { return outer }
    let own = pages.used(fragment.style, outer: outer)
    guard depth < 512, !isMonolithic(fragment), !isParallel(fragment), engine.multiColumnFlows[id] == nil,
      let child = outermost(inFlow(id))
    else { return own }
    return page(child.fragment, outer: own, depth: depth + 1, outermost)
  }
}
