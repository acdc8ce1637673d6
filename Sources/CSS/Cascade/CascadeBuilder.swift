import OffprintCoreTypes
import OffprintDOM

/// Collects the declarations that apply to an element in cascade order: later ones override earlier ones.
///
/// https://drafts.csswg.org/css-cascade-5/#cascade-sort
struct CascadeBuilder {
  let collector: RuleCollector
  let elementDeclarations: ElementDeclarations
  private(set) var declarations: [CascadedDeclaration] = []
  /// The index of the first important declaration.
  private(set) var importantStart = 0
  /// Whether rules in `@starting-style` match. They are excluded unless requested.
  private(set) var hasStartingRules = false
  private var includesStartingRules = false
  private var ruleNumber: UInt32 = 0

  init(_ collector: RuleCollector, _ elementDeclarations: ElementDeclarations) {
    self.collector = collector
    self.elementDeclarations = elementDeclarations
  }

  /// The declarations with `added` ones inserted at the precedence of animations: above normal author declarations and below important ones.
  /// https://drafts.csswg.org/css-cascade-5/#cascade-origin
  func adding(_ added: [Declaration]) -> [CascadedDeclaration] {
    var all = declarations
    all.insert(
      contentsOf: added.map { CascadedDeclaration(declaration: $0, origin: .author, layer: .max - 1) }, at: importantStart)
    return all
  }

  mutating func removeAll(where isExcluded: (CascadedDeclaration) -> Bool) {
    importantStart -= declarations[..<importantStart].count(where: isExcluded)
    declarations.removeAll(where: isExcluded)
  }

  /// Replaces the declarations by those of the matches in `range` and of the element's own blocks.
  ///
  /// - Parameter includesStartingRules: Whether rules in `@starting-style` are included.
  mutating func build(_ range: Range<Int>, _ own: ElementDeclarations.Blocks, includesStartingRules: Bool = false) {
    declarations.removeAll(keepingCapacity: true)
    hasStartingRules = false
    self.includesStartingRules = includesStartingRules
    if let shadows = collector.shadows { return buildAcrossTrees(range, own, ownSource: shadows.ownSource) }
    let matches = collector.matches, sources = collector.sources
    var author = range.lowerBound
    while author < range.upperBound, sources[Int(matches[author].source)].origin == .userAgent { author += 1 }
    append(range.lowerBound..<author, important: false)
    appendHints(own)
    append(author..<range.upperBound, important: false)
    appendStyleAttribute(own, important: false)
    importantStart = declarations.count
    appendImportant(author..<range.upperBound)
    appendStyleAttribute(own, important: true)
    appendImportantUserAgent(range.lowerBound..<author, own)
  }

  /// Builds the cascade across shadow trees. Among normal declarations outer trees win, among important ones inner trees. The `style`
  /// attribute belongs to the tree of the element. https://drafts.csswg.org/css-cascade-5/#cascade-context
  private mutating func buildAcrossTrees(_ range: Range<Int>, _ own: ElementDeclarations.Blocks, ownSource: Int) {
    let matches = collector.matches, userAgentCount = collector.sourceSets[0].count - 1
    let author = range.first { Int(matches[$0].source) >= userAgentCount } ?? range.upperBound
    append(range.lowerBound..<author, important: false)
    appendHints(own)
    let outer = (author..<range.upperBound).first { Int(matches[$0].source) > ownSource } ?? range.upperBound
    append(author..<outer, important: false)
    appendStyleAttribute(own, important: false)
    append(outer..<range.upperBound, important: false)
    importantStart = declarations.count
    appendImportantBySource(outer..<range.upperBound)
    let inner = (author..<outer).first { Int(matches[$0].source) == ownSource } ?? outer
    appendImportant(inner..<outer)
    appendStyleAttribute(own, important: true)
    appendImportantBySource(author..<inner)
    appendImportantUserAgent(range.lowerBound..<author, own)
  }

  /// The declarations of rules in `@starting-style` among the matches in `range`.
  func startingDeclarations(_ range: Range<Int>) -> [Declaration] {
    range.flatMap { index -> [Declaration] in
      let match = collector.matches[index], rules = collector.sources[Int(match.source)].rules
      let rule = rules.rules[Int(match.rule)]
      return rule.place.isStarting ? Array(rules.declarations[rule.normal] + rules.declarations[rule.important]) : []
    }
  }

  // MARK: Blocks of the element

  private mutating func appendHints(_ own: ElementDeclarations.Blocks) {
    if own.agent >= 0 { append(elementDeclarations.agent.blocks[own.agent].normal, .userAgent, 0) }
    if own.hints >= 0 { append(elementDeclarations.hints.blocks[own.hints].normal, .presentationalHint, 0) }
  }

  private mutating func appendStyleAttribute(_ own: ElementDeclarations.Blocks, important: Bool) {
    guard own.inline >= 0 else { return }
    let block = elementDeclarations.inline.blocks[own.inline]
    append(important ? block.important : block.normal, .author, .max)
  }

  private mutating func appendImportantUserAgent(_ range: Range<Int>, _ own: ElementDeclarations.Blocks) {
    if own.agent >= 0 { append(elementDeclarations.agent.blocks[own.agent].important, .userAgent, 0) }
    append(range, important: true)
  }

  // MARK: Rules

  /// Appends important declarations; those of earlier layers win.
  private mutating func appendImportant(_ range: Range<Int>) {
    let matches = collector.matches
    var end = range.upperBound
    while end > range.lowerBound {
      let layer = matches[end - 1].key >> 52
      var start = end - 1
      while start > range.lowerBound, matches[start - 1].key >> 52 == layer { start -= 1 }
      append(start..<end, important: true)
      end = start
    }
  }

  private mutating func appendImportantBySource(_ range: Range<Int>) {
    let matches = collector.matches
    var end = range.upperBound
    while end > range.lowerBound {
      var start = end - 1
      while start > range.lowerBound, matches[start - 1].source == matches[end - 1].source { start -= 1 }
      appendImportant(start..<end)
      end = start
    }
  }

  /// Appends the rules of the matches in `range`. If several selectors of a rule match, only the last match is used.
  private mutating func append(_ range: Range<Int>, important: Bool) {
    let matches = collector.matches, sources = collector.sources
    for index in range {
      let match = matches[index]
      if index + 1 < range.upperBound, matches[index + 1].rule == match.rule, matches[index + 1].source == match.source { continue }
      let rules = sources[Int(match.source)].rules
      let rule = rules.rules[Int(match.rule)]
      if rule.place.isStarting {
        hasStartingRules = true
        guard includesStartingRules else { continue }
      }
      let declared = important ? rule.important : rule.normal
      if declared.isEmpty { continue }
      append(rules.declarations[declared], sources[Int(match.source)].origin, rules.layerRanks[rule.place.layer])
    }
  }

  private mutating func append(_ added: some Sequence<Declaration>, _ origin: CascadeOrigin, _ layer: UInt32) {
    ruleNumber &+= 1
    for declaration in added {
      declarations.append(CascadedDeclaration(declaration: declaration, origin: origin, layer: layer, rule: ruleNumber))
    }
  }
}
