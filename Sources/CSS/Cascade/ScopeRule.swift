/// A `@scope` rule, which limits the elements its style rules can match.
///
/// https://drafts.csswg.org/css-cascade-6/#scoped-styles
struct ScopeRule: Sendable {
  /// Index of the selector list for scoping roots; nil for the implicit root `owner`.
  var start: UInt32?
  /// Index of the selector list for scoping limits.
  var end: UInt32?
  /// The parent of the style sheet's owner node; `ElementInfo.none` for the root of the document.
  var owner: UInt32
  /// Index of the enclosing `@scope` rule; -1 if absent.
  var outer: Int

  /// The number of generations between an element and the nearest scoping root for which `head` matches the element; nil if absent.
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
    // Nested scopes query the roots of outer scopes repeatedly, so results are memoized.
    return matcher.remembered(MatchCache.RootKey(rule: number, element: element)) {
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

  /// Whether `element` is an inclusive descendant of `root` without a scoping limit in between.
  /// https://drafts.csswg.org/css-cascade-6/#scoping-limit
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
