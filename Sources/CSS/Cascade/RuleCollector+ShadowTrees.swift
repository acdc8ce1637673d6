import OffprintCoreTypes
import OffprintDOM

// In documents with shadow trees, rules of several trees can match an element.
// https://drafts.csswg.org/css-scoping-1/#selectors
extension RuleCollector {
  /// Collects the matching rules of all trees.
  ///
  /// - Returns: False if the document has no shadow trees or the element belongs to a grafted document.
  func collectAcrossTrees(_ element: UInt32, parent: ComputedStyle?) -> Bool {
    guard var shadows, !tree.document.grafts.contains(where: { $0.nodes.contains(Int(element)) }) else { return false }
    let contexts = shadows.contexts(of: element, tree)
    shadows.ownSource += sourceSets[0].count - 1
    self.shadows = shadows
    choose(contexts)
    var found = matches
    matches = []
    found.removeAll(keepingCapacity: true)
    for (number, source) in sources.enumerated() {
      let index = number - (sourceSets[0].count - 1)
      if index >= 0 { source.matcher.enter(contexts[index].shadow) }
      collect(element, parent, source, number, index >= 0 ? contexts[index].reach : .own, into: &found)
    }
    finish(&found)
    return true
  }

  private func collect(
    _ element: UInt32, _ parent: ComputedStyle?, _ source: RuleSource, _ number: Int, _ reach: SelectorReach,
    into found: inout [MatchedRule]
  ) {
    func consider(_ index: UInt32) {
      let entry = source.rules.entries[Int(index)]
      guard spend(), filter.mayMatch(entry.head) else { return }
      // The host is outside of the scopes of rules in its shadow tree.
      let distance =
        reach == .host ? (entry.scope < 0 && source.matcher.matchesHost(entry.head) ? .max : nil) : distance(entry, source, element)
      guard let distance, entry.container < 0 || containerMatches(Int(entry.container), source.rules, parent) else { return }
      found.append(match(entry, distance, source: number))
    }
    if reach.contains(.own) { source.rules.forEachCandidate(tree, element, consider) }
    if reach.contains(.host) { source.rules.ofHost.forEach(consider) }
    if reach.contains(.slotted) { source.rules.ofSlotted.forEach(consider) }
    if reach.contains(.part) { source.rules.ofParts.forEach(consider) }
  }

  /// Selects the user agent's sources followed by those of `contexts`.
  private func choose(_ contexts: [TreeContext]) {
    guard var shadows else { return }
    let signature = contexts.map { UInt32(truncatingIfNeeded: $0.sheet + 1) << 4 | UInt32($0.reach.rawValue) }
    if signature == [UInt32(SelectorReach.own.rawValue)] { return select(0, shadows) }
    if let known = shadows.sourceSets[signature] { return select(known, shadows) }
    shadows.sourceSets[signature] = sourceSets.count
    shadows.keyframes.append(keyframes(of: contexts, shadows))
    sourceSets.append(sources(of: contexts, shadows))
    self.shadows = shadows
    select(sourceSets.count - 1, shadows)
  }

  private func keyframes(of contexts: [TreeContext], _ shadows: ShadowStyles) -> [ByteString: KeyframesRule] {
    var keyframes = shadows.keyframes[0]
    for context in contexts.reversed() where context.sheet >= 0 {
      keyframes.merge(shadows.sheets.sheets[context.sheet].builder.keyframes) { $1 }
    }
    return keyframes
  }

  private func sources(of contexts: [TreeContext], _ shadows: ShadowStyles) -> [RuleSource] {
    let document = sourceSets[0]
    var set = Array(document.dropLast())
    for context in contexts {
      if context.sheet < 0, let own = document.last { set.append(own) }
      if context.sheet >= 0 {
        set.append(
          RuleSource(rules: shadows.sheets.sheets[context.sheet].rules, matcher: shadows.matchers[context.sheet], origin: .author))
      }
    }
    return set
  }

  private func select(_ set: Int, _ shadows: ShadowStyles) {
    guard set != sourceSet else { return }
    sourceSet = set
    sources = sourceSets[set]
    keyframes = shadows.keyframes[set]
  }
}
