/// A rule set and its matcher. User agent rule sets precede those of authors.
struct RuleSource {
  let rules: RuleSet
  let matcher: SelectorMatcher
  let origin: CascadeOrigin
}

/// A rule that matches an element or one of its pseudo-elements.
///
/// https://drafts.csswg.org/css-cascade-5/#cascade-sort
struct MatchedRule: BitwiseCopyable {
  /// Layer, specificity and order, from the most significant bits.
  var key: UInt64
  /// Generations to the root of the rule's `@scope`; the maximum value for unscoped rules.
  var distance: UInt32
  var rule: UInt32
  var source: UInt8
  /// 0 for the element itself, otherwise the pseudo-element's raw value plus 1.
  var pseudo: UInt8
  var variant = ScrollPartVariant()

  @inline(__always) func precedes(_ other: MatchedRule) -> Bool {
    let (group, otherGroup) = (UInt16(pseudo) << 8 | UInt16(source), UInt16(other.pseudo) << 8 | UInt16(other.source))
    if group != otherGroup { return group < otherGroup }
    // Scope proximity is compared after specificity and before order. https://drafts.csswg.org/css-cascade-6/#cascade-proximity
    if distance != other.distance, key >> 22 == other.key >> 22 { return distance > other.distance }
    return key < other.key
  }

  /// Insertion sort, since an element has few matches and those from one bucket are already sorted.
  static func sort(_ matches: inout [MatchedRule]) {
    if matches.count > 64 { return matches.sort { $0.precedes($1) } }
    for index in matches.indices.dropFirst() {
      let match = matches[index]
      var position = index
      while position > 0, match.precedes(matches[position - 1]) {
        matches[position] = matches[position - 1]
        position -= 1
      }
      matches[position] = match
    }
  }
}
