import OffprintCoreTypes
import OffprintDOM

// Documents with shadow trees: elements inherit along the flat tree, and rules of several trees may match one element.
// https://drafts.csswg.org/css-scoping-1/#flattening
extension StyleResolver {
  func runFlatTree() throws {
    try runFlatTree(from: tree.root)
    for graft in tree.document.grafts {
      filter = AncestorFilter()
      try run(from: graft.root.raw)
    }
  }

  private func runFlatTree(from root: UInt32) throws {
    guard let links = shadows else { return }
    var element = root
    while element != ElementInfo.none {
      let isShown = style(element)
      try context.meter.check(32)
      if isShown || holdsResources(element), links.firstChildren[Int(element)] != ElementInfo.none {
        enter(element)
        element = links.firstChildren[Int(element)]
        continue
      }
      if !isShown, !holdsResources(element) { hide(element, links) }
      while element != ElementInfo.none, links.nexts[Int(element)] == ElementInfo.none {
        element = links.parents[Int(element)]
        if element != ElementInfo.none { leave(element) }
      }
      if element != ElementInfo.none { element = links.nexts[Int(element)] }
    }
  }

  private func hide(_ element: UInt32, _ links: ShadowStyles) {
    var open = [links.firstChildren[Int(element)]]
    while let next = open.popLast() {
      guard next != ElementInfo.none else { continue }
      styles[Int(next)] = styles[Int(element)]
      open.append(links.nexts[Int(next)])
      open.append(links.firstChildren[Int(next)])
    }
  }

  /// Collects the rules of all trees that match an element. - Returns: false for elements of other documents.
  func collectAcrossTrees(_ element: UInt32) -> Bool {
    guard var shadows, !tree.document.grafts.contains(where: { $0.nodes.contains(Int(element)) }) else { return false }
    let contexts = shadows.contexts(of: element, tree)
    shadows.ownSource += sourceSets[0].count - 1
    self.shadows = shadows
    choose(contexts)
    var found = matches
    matches = []
    found.removeAll(keepingCapacity: true)
    for (number, source) in sources.enumerated() {
      let place = number - (sourceSets[0].count - 1)
      if place >= 0 { source.matcher.enter(contexts[place].shadow) }
      collect(element, source, number, place >= 0 ? contexts[place].reach : .own, into: &found)
    }
    context.meter.spend(found.count)
    Self.sort(&found)
    matches = found
    return true
  }

  private func collect(
    _ element: UInt32, _ source: Source, _ number: Int, _ reach: SelectorReach, into found: inout [Match]
  ) {
    func consider(_ index: UInt32) {
      let entry = source.rules.entries[Int(index)]
      guard context.meter.spend(), filter.mayMatch(entry.head) else { return }
      // The host is not in the scope of any rule of its tree.
      let distance =
        reach == .host ? (entry.scope < 0 && source.matcher.matchesHost(entry.head) ? .max : nil) : distance(entry, source, element)
      guard let distance, entry.container < 0 || containerMatches(Int(entry.container), source.rules, element) else { return }
      let pseudo = entry.head.pseudo == SelectorHead.noPseudo ? 0 : entry.head.pseudo + 1
      found.append(
        Match(key: entry.key, distance: distance, rule: entry.rule, source: UInt8(truncatingIfNeeded: number), pseudo: pseudo))
    }
    if reach.contains(.own) { source.rules.forEachCandidate(tree, element, consider) }
    if reach.contains(.host) { source.rules.ofHost.forEach(consider) }
    if reach.contains(.slotted) { source.rules.ofSlotted.forEach(consider) }
    if reach.contains(.part) { source.rules.ofParts.forEach(consider) }
  }

  /// Makes the sources those of `contexts`, behind the user agent's.
  private func choose(_ contexts: [TreeContext]) {
    guard var shadows else { return }
    let signature = contexts.map { UInt32(truncatingIfNeeded: $0.sheet + 1) << 4 | UInt32($0.reach.rawValue) }
    if signature == [UInt32(SelectorReach.own.rawValue)] { return select(0, shadows) }
    if let known = shadows.sourceSets[signature] { return select(known, shadows) }
    let document = sourceSets[0]
    var set = Array(document.dropLast())
    var keyframes = shadows.keyframes[0]
    for context in contexts.reversed() where context.sheet >= 0 {
      keyframes.merge(shadows.sheets.sheets[context.sheet].builder.keyframes) { $1 }
    }
    for context in contexts {
      if context.sheet < 0, let own = document.last { set.append(own) }
      if context.sheet >= 0 {
        set.append(
          Source(rules: shadows.sheets.sheets[context.sheet].rules, matcher: shadows.matchers[context.sheet], origin: .author))
      }
    }
    shadows.sourceSets[signature] = sourceSets.count
    shadows.keyframes.append(keyframes)
    sourceSets.append(set)
    self.shadows = shadows
    select(sourceSets.count - 1, shadows)
  }

  private func select(_ set: Int, _ shadows: ShadowStyles) {
    guard set != sourceSet else { return }
    sourceSet = set
    sources = sourceSets[set]
    keyframes = shadows.keyframes[set]
  }

  /// Of normal declarations those of outer trees win, of important ones those of inner trees; a `style` attribute is of the element's tree.
  ///
  /// https://drafts.csswg.org/css-cascade-5/#cascade-sort
  func makeCascadeAcrossTrees(_ range: Range<Int>, _ attached: Attached) {
    let agents = sourceSets[0].count - 1, own = shadows?.ownSource ?? agents
    cascade.removeAll(keepingCapacity: true)
    let author = range.first { Int(matches[$0].source) >= agents } ?? range.upperBound
    for index in range.lowerBound..<author { append(index, range, important: false) }
    if attached.agent >= 0 { append(agentBlocks.blocks[attached.agent].normal, .userAgent, 0) }
    if attached.hints >= 0 { append(hintBlocks.blocks[attached.hints].normal, .presentationalHint, 0) }
    let outer = (author..<range.upperBound).first { Int(matches[$0].source) > own } ?? range.upperBound
    for index in author..<outer { append(index, range, important: false) }
    if attached.inline >= 0 { append(inlineBlocks.blocks[attached.inline].normal, .author, .max) }
    for index in outer..<range.upperBound { append(index, range, important: false) }
    importantStart = cascade.count
    appendImportantBySource(outer..<range.upperBound)
    let inner = (author..<outer).first { Int(matches[$0].source) == own } ?? outer
    appendImportant(inner..<outer)
    if attached.inline >= 0 { append(inlineBlocks.blocks[attached.inline].important, .author, .max) }
    appendImportantBySource(author..<inner)
    if attached.agent >= 0 { append(agentBlocks.blocks[attached.agent].important, .userAgent, 0) }
    for index in range.lowerBound..<author { append(index, range, important: true) }
  }

  private func appendImportantBySource(_ range: Range<Int>) {
    var end = range.upperBound
    while end > range.lowerBound {
      var start = end - 1
      while start > range.lowerBound, matches[start - 1].source == matches[end - 1].source { start -= 1 }
      appendImportant(start..<end)
      end = start
    }
  }
}
