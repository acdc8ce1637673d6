/// A `@scope` rule: which elements its style rules may match.
///
/// https://drafts.csswg.org/css-cascade-6/#scoped-styles
struct ScopeRule: Sendable {
  /// The list of selectors for scoping roots; nil is `owner`.
  var start: UInt32?
  /// The list of selectors for scoping limits.
  var end: UInt32?
  /// The parent of the sheet's owner node; `ElementInfo.none` is the document's root.
  var owner: UInt32
  /// The `@scope` rule around; -1 is none.
  var outer: Int

  /// How many generations apart an element and a scoping root are, by the nearest root in whose scope `head` matches the element.
  ///
  /// https://drafts.csswg.org/css-cascade-6/#cascade-proximity
  static func proximity(_ number: Int, _ rules: [ScopeRule], _ head: SelectorHead, _ element: UInt32, _ matcher: SelectorMatcher) -> UInt32?
  {
    var root = element
    var distance: UInt32 = 0
    while root != ElementInfo.none, matcher.tree.meter.spend() {
      if isRoot(root, of: number, rules, matcher), contains(element, root, rules[number], matcher),
        matcher.matches(head, element, scope: root)
      {
        return distance
      }
      root = matcher.scopeParent(root)
      distance += 1
    }
    return nil
  }

  /// https://drafts.csswg.org/css-cascade-6/#scoping-root
  private static func isRoot(_ element: UInt32, of number: Int, _ rules: [ScopeRule], _ matcher: SelectorMatcher) -> Bool {
    let rule = rules[number]
    guard let start = rule.start else {
      return element == (rule.owner == ElementInfo.none ? matcher.home : rule.owner)
    }
    guard rule.outer >= 0 else { return matcher.matchesAny(start, element, scope: matcher.home) }
    // Rules in rules ask for the roots of the outer ones again and again.
    return matcher.remembered(MatchMemory.RootKey(rule: number, element: element)) {
      isRoot(element, startingAt: start, in: rule.outer, rules, matcher)
    }
  }

  private static func isRoot(
    _ element: UInt32, startingAt start: UInt32, in outerRule: Int, _ rules: [ScopeRule], _ matcher: SelectorMatcher
  ) -> Bool {
    var outer = element
    while outer != ElementInfo.none, matcher.tree.meter.spend() {
      if isRoot(outer, of: outerRule, rules, matcher), contains(element, outer, rules[outerRule], matcher),
        matcher.matchesAny(start, element, scope: outer)
      {
        return true
      }
      outer = matcher.scopeParent(outer)
    }
    return false
  }

  /// Whether `element` is `root` or below it, and no limit is between them. https://drafts.csswg.org/css-cascade-6/#scoping-limit
  private static func contains(_ element: UInt32, _ root: UInt32, _ rule: ScopeRule, _ matcher: SelectorMatcher) -> Bool {
    guard let end = rule.end else { return true }
    var current = element
    while current != ElementInfo.none, matcher.tree.meter.spend() {
      if matcher.matchesAny(end, current, scope: root) { return false }
      if current == root { return true }
      current = matcher.scopeParent(current)
    }
    return false
  }
}
