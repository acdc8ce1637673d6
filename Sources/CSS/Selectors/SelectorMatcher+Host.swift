import OffprintCoreTypes
import OffprintDOM

/// The shadow tree of the rules, and the relation of the current element to it.
struct ShadowContext {
  /// The host of the tree; `ElementInfo.none` for the document.
  var host = ElementInfo.none
  /// The slot of the tree to which the element is assigned.
  var slot = ElementInfo.none
  /// The host in the tree that exposes the element as a part; the tree's own host if the element is in the tree itself.
  var partOwner = ElementInfo.none
  /// The names of the part.
  var parts: [Name] = []
}

// From inside its shadow tree, a host is the featureless parent of the tree's elements.
// https://drafts.csswg.org/css-scoping-1/#host-element-in-tree
extension SelectorMatcher {
  func matchesHost(_ head: SelectorHead) -> Bool { matchHost(Int(head.start), Int(head.end), ElementInfo.none) == .matches }

  /// Matches the compound selector at `start`, which must contain `:host`. The host has no parent or siblings.
  func matchHost(_ start: Int, _ end: Int, _ anchor: UInt32) -> Outcome {
    guard shadow.host != ElementInfo.none, meter.spend() else { return .failsCompletely }
    var namesHost = false
    for index in start..<end {
      let part = parts[index]
      if part.isCombinator { return .failsCompletely }
      guard matchesOnHost(part, anchor) else { return .failsCompletely }
      if part.kind != .not, part.kind != .has { namesHost = true }
    }
    return namesHost ? .matches : .failsCompletely
  }

  private func matchesOnHost(_ part: SelectorPart, _ anchor: UInt32) -> Bool {
    switch part.kind {
    case .host: return part.extra == SelectorPart.noList || matchesAny(part.extra, shadow.host, ElementInfo.none)
    case .hostContext: return matchesAround(part.extra)
    case .matchesAny: return anyOnHost(part.extra, anchor)
    case .not: return !anyOnHost(part.extra, anchor)
    case .has: return lists[Int(part.extra)].contains { hasInTree($0) }
    case .anchor: return anchor == shadow.host
    case .scope: return scope == shadow.host
    default: return false
    }
  }

  private func anyOnHost(_ list: UInt32, _ anchor: UInt32) -> Bool {
    lists[Int(list)].contains { matchHost(Int(heads[Int($0)].start), Int(heads[Int($0)].end), anchor) == .matches }
  }

  /// Whether the host or one of its ancestors in any tree matches.
  private func matchesAround(_ list: UInt32) -> Bool {
    var element = shadow.host
    while element != ElementInfo.none, meter.spend() {
      if matchesAny(list, element, ElementInfo.none) { return true }
      element = tree.parentOrHost(element)
    }
    return false
  }

  /// Evaluates `:host:has()`, which searches the shadow tree.
  private func hasInTree(_ number: UInt32) -> Bool {
    guard let index = tree.document.shadowRootIndex(of: NodeID(raw: shadow.host)) else { return false }
    var element = tree[tree.document.shadowRoots[index].root.raw].firstChild
    while element != ElementInfo.none, !meter.hasPassed {
      if check(number, element, shadow.host) { return true }
      element = tree.nextInPreOrder(element, within: ElementInfo.none)
    }
    return false
  }

  /// The parent in the search for `@scope` roots, which ends at the host.
  func scopeParent(_ element: UInt32) -> UInt32 {
    let parent = elements[Int(element)].parent
    guard shadow.host != ElementInfo.none else { return parent }
    if element == shadow.host { return ElementInfo.none }
    return parent == ElementInfo.none ? shadow.host : parent
  }
}
