import OffprintCoreTypes
import OffprintDOM

/// Walks the elements of a document and computes their styles.
///
/// https://drafts.csswg.org/css-cascade-5/#cascading
final class StyleResolver {
  let tree: ElementTree
  let context: StyleSheetContext
  let options: StyleEngine.Options
  let baseURL: String
  let computer: StyleComputer
  var styles: [ComputedStyle]
  private(set) var pseudoStyles: [StyledDocument.PseudoKey: ComputedStyle] = [:]
  private(set) var diagnostics = DiagnosticLog()
  var keyframes: [ByteString: KeyframesRule] = [:]
  var positionTries: [ByteString: [Declaration]] = [:]
  /// See `StyledDocument`.
  private(set) var hasAnchoredBoxes = false
  private(set) var triedStyles: [ComputedStyle: [ByteString: ComputedStyle]] = [:]
  /// nil where there are no shadow trees.
  var shadows: ShadowStyles?
  /// Where the important declarations of `cascade` begin.
  var importantStart = 0
  /// Copies of elements that `use` elements show, and the copy that each shows.
  var svgInstances: [SVGInstance] = []
  var svgUses: [NodeID: Int32] = [:]

  /// A set of rules and its matcher; those of the user agent come first.
  struct Source {
    let rules: RuleSet
    let matcher: SelectorMatcher
    let origin: CascadeOrigin
  }
  /// A rule that matches, in the order of the cascade.
  struct Match: BitwiseCopyable {
    var key: UInt64
    /// Generations to the root of its `@scope`.
    var distance: UInt32
    var rule: UInt32
    var source: UInt8
    /// 0 is the element itself, otherwise a pseudo-element's number + 1.
    var pseudo: UInt8

    @inline(__always) func precedes(_ other: Match) -> Bool {
      let (group, otherGroup) = (UInt16(pseudo) << 8 | UInt16(source), UInt16(other.pseudo) << 8 | UInt16(other.source))
      if group != otherGroup { return group < otherGroup }
      // Proximity is after specificity and before order. https://drafts.csswg.org/css-cascade-6/#cascade-proximity
      if distance != other.distance, key >> 22 == other.key >> 22 { return distance > other.distance }
      return key < other.key
    }
  }

  /// Those of the document that the element at hand is of.
  var sources: [Source]
  /// The document's own, and then those of each document that elements are taken from.
  var sourceSets: [[Source]] = []
  var sourceSet = 0
  var filter = AncestorFilter()
  private var sharing = SharingCache()
  var matches: [Match] = []
  private var key: [UInt32] = []
  var cascade: [CascadedDeclaration] = []
  private var ruleNumber: UInt32 = 0
  private var hints: PresentationalHints
  private var mathHints = MathHints()
  var hintBlocks = BlockCache()
  var agentBlocks = BlockCache()
  var inlineBlocks = BlockCache()
  private var rootStyle: ComputedStyle?
  private var containers = ContainerStack()
  /// Whether lengths refer to the sizes of containers.
  private(set) var usesContainerUnits = false
  /// The elements whose size rules or lengths can refer to.
  private(set) var queryContainers: [NodeID] = []

  init(
    tree: ElementTree, context: StyleSheetContext, options: StyleEngine.Options, baseURL: String, computer: StyleComputer, author: RuleSet,
    grafts: [RuleSet] = []
  ) {
    self.tree = tree
    self.context = context
    self.options = options
    self.baseURL = baseURL
    self.computer = computer
    styles = Array(repeating: computer.arena.initialStyle, count: tree.document.nodes.count)
    var sets: [(RuleSet, CascadeOrigin)] = [(UserAgentSheet.standard(for: tree), .userAgent)]
    if context.quirks { sets.append((UserAgentSheet.quirks, .userAgent)) }
    sets.append((author, .author))
    let all = sets.map { Source(rules: $0.0, matcher: SelectorMatcher(tree: tree, store: $0.0.selectors), origin: $0.1) }
    sources = all
    sourceSets =
      [all]
      + grafts.map { all.dropLast() + [Source(rules: $0, matcher: SelectorMatcher(tree: tree, store: $0.selectors), origin: .author)] }
    let parser = ParserContext(names: context.names)
    hints = PresentationalHints(tree: tree, media: options.media) { ColorNames.isColor($0, parser) }
  }

  // MARK: The walk

  func run() throws {
    if shadows == nil { try run(from: tree.root) } else { try runFlatTree() }
    for graft in tree.document.grafts {
      filter = AncestorFilter()
      try run(from: graft.root.raw)
    }
  }

  func run(from root: UInt32) throws {
    var element = root
    while element != ElementInfo.none {
      let isShown = style(element)
      try context.meter.check(32)
      if isShown || holdsResources(element), tree[element].firstChild != ElementInfo.none {
        enter(element)
        element = tree[element].firstChild
        continue
      }
      if !isShown, !holdsResources(element) { hide(element) }
      while element != ElementInfo.none, tree[element].next == ElementInfo.none {
        element = tree[element].parent
        if element != ElementInfo.none { leave(element) }
      }
      if element != ElementInfo.none { element = tree[element].next }
    }
  }

  /// In browsers what a hidden `g` of SVG holds can be referred to. https://www.w3.org/TR/SVG2/render.html#VisibilityControl
  func holdsResources(_ element: UInt32) -> Bool { tree[element].namespace == .svg && tree[element].name == groupName }
  private lazy var groupName = context.names.table.intern("g")

  private func forEachHash(_ element: UInt32, _ body: (UInt32) -> Void) {
    let info = tree[element]
    body(AncestorFilter.hash(.type, info.name))
    if info.hasID { body(AncestorFilter.hash(.id, info.id)) }
    for index in Int(info.firstClass)..<Int(info.firstClass + info.classCount) { body(AncestorFilter.hash(.class, tree.classes[index])) }
  }

  func enter(_ element: UInt32) {
    forEachHash(element) { filter.add($0) }
    let style = styles[Int(element)]
    if style.box.containerType != .normal || !style.box.containerNames.isEmpty {
      if style.box.containerType != .normal { queryContainers.append(NodeID(raw: element)) }
      containers.push(element, size: options.containerSizes[NodeID(raw: element)], style: style)
    }
  }

  func leave(_ element: UInt32) {
    forEachHash(element) { filter.remove($0) }
    containers.pop(element)
  }

  /// What is below `display: none` has no boxes: it gets the style of what hides it.
  func hide(_ element: UInt32) {
    var descendant = tree[element].firstChild
    while descendant != ElementInfo.none {
      styles[Int(descendant)] = styles[Int(element)]
      descendant = tree.nextInPreOrder(descendant, within: element)
    }
  }

  // MARK: One element

  /// - Returns: whether its children can have boxes.
  func style(_ element: UInt32) -> Bool {
    let parent = shadows?.parents[Int(element)] ?? tree[element].parent
    let parentStyle: ComputedStyle? = parent == ElementInfo.none ? nil : styles[Int(parent)]
    let (style, end) = matchedStyle(element, parent: parentStyle)
    styles[Int(element)] = style
    if element == tree.root { rootStyle = style }
    guard style.box.display != .none else { return false }
    if end < matches.count { stylePseudoElements(element, from: end, style) }
    return true
  }

  /// Runs `body` while the element is the root of a tree: in a shadow tree selectors see nothing around it.
  /// https://www.w3.org/TR/SVG2/struct.html#UseStyleInheritance
  func alone<Value>(_ element: UInt32, _ body: () throws -> Value) rethrows -> Value {
    let place = tree.elements[Int(element)]
    tree.elements[Int(element)].parent = ElementInfo.none
    tree.elements[Int(element)].previous = ElementInfo.none
    tree.elements[Int(element)].next = ElementInfo.none
    (tree.elements[Int(element)].index, tree.elements[Int(element)].indexFromEnd) = (1, 1)
    func forget() { for set in sourceSets { for source in set { source.matcher.forget() } } }
    forget()
    defer {
      tree.elements[Int(element)] = place
      forget()
    }
    return try body()
  }

  /// The style of an element where `use` shows it: inside `parent`.
  func instanceStyle(_ element: UInt32, parent: ComputedStyle) -> ComputedStyle {
    filter = AncestorFilter()
    var ancestor = tree[element].parent
    while ancestor != ElementInfo.none {
      forEachHash(ancestor) { filter.add($0) }
      ancestor = tree[ancestor].parent
    }
    return matchedStyle(element, parent: parent).style
  }

  /// The style of an element, and where the rules for its pseudo-elements begin in `matches`.
  private func matchedStyle(_ element: UInt32, parent: ComputedStyle?) -> (style: ComputedStyle, pseudoElements: Int) {
    collectMatches(element)
    let end = matches.firstIndex { $0.pseudo != 0 } ?? matches.count
    let language = ElementStates.ownLanguage(of: element, tree)
    let attached = Attached(
      agent: agentHints(element, parent), hints: authorHints(element), inline: inlineBlock(element),
      language: language.map { String(decoding: $0, as: UTF8.self) })
    return (compute(element, 0..<end, attached, parent: parent, pseudo: nil), end)
  }

  /// Elements of other documents are styled by the sheets of those. https://www.w3.org/TR/SVG2/struct.html#UseStyleInheritance
  private func chooseSources(_ element: UInt32) {
    let graft = tree.document.grafts.firstIndex { $0.nodes.contains(Int(element)) }
    let wanted = graft.map { $0 + 1 } ?? 0
    if shadows != nil, wanted == 0 { return }
    guard wanted != sourceSet, sourceSets.indices.contains(wanted) else { return }
    sourceSet = wanted
    sources = sourceSets[wanted]
  }

  private func collectMatches(_ element: UInt32) {
    if sourceSets.count > 1 || shadows != nil {
      chooseSources(element)
      if collectAcrossTrees(element) { return }
    }
    // Local copies: in a loop this hot, each access to a class's variable counts.
    var found = matches
    matches = []
    found.removeAll(keepingCapacity: true)
    let filter = filter
    for (number, source) in sources.enumerated() {
      source.rules.forEachCandidate(tree, element) { index in
        let entry = source.rules.entries[Int(index)]
        guard filter.mayMatch(entry.head), let distance = distance(entry, source, element) else { return }
        if entry.container >= 0, !containerMatches(Int(entry.container), source.rules, element) { return }
        let pseudo = entry.head.pseudo == SelectorHead.noPseudo ? 0 : entry.head.pseudo + 1
        found.append(
          Match(key: entry.key, distance: distance, rule: entry.rule, source: UInt8(truncatingIfNeeded: number), pseudo: pseudo))
      }
    }
    context.meter.spend(found.count)
    Self.sort(&found)
    matches = found
  }

  /// The distance to the root of the `@scope` rule that `entry` is in, the largest where there is none; nil where it does not match.
  @inline(__always) func distance(_ entry: RuleEntry, _ source: Source, _ element: UInt32) -> UInt32? {
    if entry.scope < 0 { return source.matcher.matches(entry.head, element) ? .max : nil }
    return ScopeRule.proximity(Int(entry.scope), source.rules.scopes, entry.head, element, source.matcher)
  }

  /// Insertion: there are few, and those of one bucket are in order.
  static func sort(_ matches: inout [Match]) {
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

  func containerMatches(_ number: Int, _ rules: RuleSet, _ element: UInt32) -> Bool {
    let parent = shadows?.parents[Int(element)] ?? tree[element].parent
    let style: ComputedStyle? = parent == ElementInfo.none ? nil : styles[Int(parent)]
    var query: Int? = number
    while let index = query, context.meter.spend(32) {
      let condition = rules.containers[index]
      guard containers.matches(condition, parent: style, names: context.names) else { return false }
      query = condition.outer
    }
    return true
  }

  // MARK: Declarations that are not in sheets

  /// Numbers of declaration blocks; -1 is none.
  struct Attached {
    var agent = -1
    var hints = -1
    var inline = -1
    var language: String?
  }

  private func block(_ text: [UInt8]) -> DeclarationBlock {
    var ignored = DiagnosticLog(capacity: 0)
    return StyleSheetParser.parseDeclarations(text, context: context, baseURL: baseURL, position: nil, diagnostics: &ignored)
  }

  private func authorHints(_ element: UInt32) -> Int {
    let isCell = tree[element].name == .td || tree[element].name == .th
    guard isCell || !tree.attributeRange(element).isEmpty || tree[element].name == .tbody || tree[element].name == .colgroup else {
      return -1
    }
    hints.write(element)
    return hints.writer.text.isEmpty ? -1 : hintBlocks.number(hints.writer.text) { block(hints.writer.text) }
  }

  private func agentHints(_ element: UInt32, _ parent: ComputedStyle?) -> Int {
    var writer = HintWriter()
    if tree[element].namespace == .mathML { mathHints.writeAgent(element, tree, &writer) }
    AgentHints.write(element, tree, parent, quirks: context.quirks, bodyColor: { self.bodyColor }, &writer)
    return writer.text.isEmpty ? -1 : agentBlocks.number(writer.text) { block(writer.text) }
  }

  /// In quirks mode tables take their colour from the body.
  private var bodyColor: Color? {
    var element = tree.root == ElementInfo.none ? ElementInfo.none : tree[tree.root].firstChild
    while element != ElementInfo.none, !tree.isHTML(element, .body) { element = tree[element].next }
    return element == ElementInfo.none ? nil : styles[Int(element)].text.color
  }

  private func inlineBlock(_ element: UInt32) -> Int {
    guard let text = tree.attribute(.style, element), !text.isEmpty else { return -1 }
    let bytes = Array(text)
    return inlineBlocks.number(bytes) {
      var log = DiagnosticLog()
      let block = StyleSheetParser.parseDeclarations(bytes, context: context, baseURL: baseURL, position: nil, diagnostics: &log)
      report(log, element)
      return block
    }
  }

  /// Problems of a `style` attribute are at its element.
  private func report(_ log: DiagnosticLog, _ element: UInt32) {
    guard !log.entries.isEmpty else { return }
    let offset = Int(tree.document.nodes[Int(element)].sourceOffset)
    let position = options.source.isEmpty ? nil : Document.position(ofOffset: offset, in: options.source, named: options.sourceName)
    for entry in log.entries {
      var entry = entry
      entry.position = position
      diagnostics.report(entry)
    }
  }

  // MARK: Computing

  private func compute(
    _ element: UInt32, _ range: Range<Int>, _ attached: Attached, parent: ComputedStyle?, pseudo: PseudoElement?
  ) -> ComputedStyle {
    makeKey(element, range, attached, parent, pseudo)
    let hash = SharingCache.hash(key)
    if let known = sharing.style(key, hash: hash) { return known }
    makeCascade(range, attached)
    if pseudo == .firstLine { keepFirstLineProperties() }
    context.meter.spend(cascade.count)
    computer.containerSize = containers.isEmpty ? (nil, nil) : containers.unitBase()
    var usedAttributes = false, usedContainerUnits = false
    let isZoomed = !isInsideDrawing(element)
    // https://html.spec.whatwg.org/#the-input-element-as-a-text-entry-widget
    let isTextField = pseudo == nil && tree.isHTML(element, .input) && ElementStates.isTextField(tree, element)
    computer.context.findPlace = { [unowned self] in place(of: element) }
    func made(_ declarations: [CascadedDeclaration]) -> ComputedStyle {
      let style = computer.compute(
        declarations, parent: parent, root: rootStyle, isRootElement: element == tree.root && pseudo == nil, pseudo: pseudo,
        language: attached.language, isTextField: isTextField, isZoomed: isZoomed, attribute: { self.attribute($0, element) })
      usedAttributes = usedAttributes || computer.usedAttributes
      usedContainerUnits = usedContainerUnits || computer.usedContainerUnits
      return style
    }
    var style = made(cascade)
    if !style.effects.animations.isEmpty, !keyframes.isEmpty, style.box.display != .none { style = animated(style, made) }
    if style.box.position == .absolute || style.box.position == .fixed { tryPositions(style, made) }
    usesContainerUnits = usesContainerUnits || usedContainerUnits
    // What depends on more than the key is for this element alone.
    if !usedAttributes, !usedContainerUnits || containers.isEmpty { sharing.insert(key, hash: hash, style) }
    return style
  }

  /// https://drafts.csswg.org/css-values-5/#tree-counting
  private func place(of element: UInt32) -> ElementPlace {
    let nodes = tree.document.nodes
    var index = 1, count = 1
    func walk(_ start: NodeID, _ next: (Node) -> NodeID) -> Int {
      var found = 0, sibling = start
      while !sibling.isNone {
        if nodes[sibling.index].kind == .element { found += 1 }
        context.meter.spend(1)
        sibling = next(nodes[sibling.index])
      }
      return found
    }
    let before = walk(nodes[Int(element)].previousSibling) { $0.previousSibling }
    index += before
    count += before + walk(nodes[Int(element)].nextSibling) { $0.nextSibling }
    return ElementPlace(index: index, count: count, element: element)
  }

  private func isInsideDrawing(_ element: UInt32) -> Bool {
    let parent = tree[element].parent
    return tree[element].namespace == .svg && parent != ElementInfo.none && tree[parent].namespace == .svg
      && tree[parent].name != .foreignObject
  }

  /// What of text does not apply to `::first-line`, as in Chromium. https://drafts.csswg.org/css-pseudo-4/#first-line-styling
  private static let notOfFirstLines: Set<PropertyID> = Set(
    [
      "text-emphasis-style", "text-emphasis-color", "text-emphasis-position", "-webkit-text-stroke-width", "-webkit-text-stroke-color",
    ].map { PropertyID.named($0) })

  private func keepFirstLineProperties() {
    func isLeftOut(_ declaration: CascadedDeclaration) -> Bool { Self.notOfFirstLines.contains(declaration.declaration.property) }
    importantStart -= cascade[..<importantStart].count(where: isLeftOut)
    cascade.removeAll(where: isLeftOut)
  }

  /// With what animations declare: above the author's declarations, below important ones.
  /// https://drafts.csswg.org/css-cascade-5/#cascade-origin
  private func animated(_ base: ComputedStyle, _ made: ([CascadedDeclaration]) -> ComputedStyle) -> ComputedStyle {
    let cascade = cascade, place = importantStart
    func with(_ declarations: [Declaration]) -> ComputedStyle {
      context.meter.spend(cascade.count)
      var all = cascade
      all.insert(
        contentsOf: declarations.map { CascadedDeclaration(declaration: $0, origin: .author, layer: .max - 1) }, at: place)
      return made(all)
    }
    let declarations = withoutActuallyEscaping(with) {
      AnimationSampler(rules: keyframes, registered: computer.registeredProperties, style: $0, base: base).declarations()
    }
    return declarations.isEmpty ? base : with(declarations)
  }

  /// The styles of a positioned box by the `@position-try` rules that it names: above the author's declarations, below important ones.
  /// https://drafts.csswg.org/css-anchor-position-1/#fallback-apply
  private func tryPositions(_ style: ComputedStyle, _ made: ([CascadedDeclaration]) -> ComputedStyle) {
    let box = style.box
    let isPlain = box.positionArea == nil && box.positionAnchor == nil && box.positionTry == PositionTryStyle()
    guard !isPlain else { return }
    hasAnchoredBoxes = true
    let cascade = cascade, place = importantStart
    for name in box.positionTry.fallbacks.compactMap(\.name) where triedStyles[style]?[name] == nil {
      guard let declarations = positionTries[name], context.meter.spend(cascade.count) else { continue }
      var all = cascade
      all.insert(
        contentsOf: declarations.map { CascadedDeclaration(declaration: $0, origin: .author, layer: .max - 1) }, at: place)
      triedStyles[style, default: [:]][name] = made(all)
    }
  }

  private func attribute(_ name: ArraySlice<UInt8>, _ element: UInt32) -> ArraySlice<UInt8>? {
    let wanted = tree[element].isHTML ? context.names.internLowercased(name) : context.names.table.intern(name)
    return tree.attribute(wanted, element).map { Array($0)[...] }
  }

  private func makeKey(_ element: UInt32, _ range: Range<Int>, _ attached: Attached, _ parent: ComputedStyle?, _ pseudo: PseudoElement?) {
    key.removeAll(keepingCapacity: true)
    let address = parent.map { UInt64(UInt(bitPattern: $0.record)) } ?? 0
    key.append(UInt32(truncatingIfNeeded: address))
    key.append(UInt32(truncatingIfNeeded: address >> 32))
    key.append(UInt32(pseudo.map { $0.rawValue + 1 } ?? 0) << 1 | (element == tree.root ? 1 : 0))
    key.append(UInt32(truncatingIfNeeded: attached.agent))
    key.append(UInt32(truncatingIfNeeded: attached.hints))
    key.append(UInt32(truncatingIfNeeded: attached.inline))
    key.append(attached.language.map { context.names.table.intern($0).raw } ?? .max)
    if sourceSet > 0 { key.append(UInt32(truncatingIfNeeded: sourceSet) | 0xf000_0000) }
    if shadows != nil { key.append(contentsOf: matches[range].lazy.map { UInt32($0.source) }) }
    for match in matches[range] { key.append(UInt32(match.source) << 28 | match.rule) }
  }

  /// https://drafts.csswg.org/css-cascade-5/#cascade-sort
  private func makeCascade(_ range: Range<Int>, _ attached: Attached) {
    if shadows != nil { return makeCascadeAcrossTrees(range, attached) }
    cascade.removeAll(keepingCapacity: true)
    var index = range.lowerBound
    while index < range.upperBound, sources[Int(matches[index].source)].origin == .userAgent {
      append(index, range, important: false)
      index += 1
    }
    let author = index
    if attached.agent >= 0 { append(agentBlocks.blocks[attached.agent].normal, .userAgent, 0) }
    if attached.hints >= 0 { append(hintBlocks.blocks[attached.hints].normal, .presentationalHint, 0) }
    while index < range.upperBound {
      append(index, range, important: false)
      index += 1
    }
    if attached.inline >= 0 { append(inlineBlocks.blocks[attached.inline].normal, .author, .max) }
    importantStart = cascade.count
    appendImportant(author..<range.upperBound)
    if attached.inline >= 0 { append(inlineBlocks.blocks[attached.inline].important, .author, .max) }
    if attached.agent >= 0 { append(agentBlocks.blocks[attached.agent].important, .userAgent, 0) }
    for index in range.lowerBound..<author { append(index, range, important: true) }
  }

  /// Important declarations of earlier layers win.
  func appendImportant(_ range: Range<Int>) {
    var end = range.upperBound
    while end > range.lowerBound {
      let layer = matches[end - 1].key >> 52
      var start = end - 1
      while start > range.lowerBound, matches[start - 1].key >> 52 == layer { start -= 1 }
      for index in start..<end { append(index, range, important: true) }
      end = start
    }
  }

  /// Of one rule's selectors that match one after the other the last counts.
  func append(_ index: Int, _ range: Range<Int>, important: Bool) {
    let match = matches[index]
    if index + 1 < range.upperBound, matches[index + 1].rule == match.rule, matches[index + 1].source == match.source { return }
    let source = sources[Int(match.source)]
    let rule = source.rules.rules[Int(match.rule)]
    let range = important ? rule.important : rule.normal
    if range.isEmpty { return }
    append(source.rules.declarations[range], source.origin, source.rules.layerRanks[rule.place.layer])
  }

  func append(_ declarations: some Sequence<Declaration>, _ origin: CascadeOrigin, _ layer: UInt32) {
    ruleNumber &+= 1
    for declaration in declarations {
      cascade.append(CascadedDeclaration(declaration: declaration, origin: origin, layer: layer, rule: ruleNumber))
    }
  }

  // MARK: Pseudo-elements

  private func stylePseudoElements(_ element: UInt32, from start: Int, _ style: ComputedStyle) {
    var index = start
    while index < matches.count {
      let number = matches[index].pseudo
      var end = index + 1
      while end < matches.count, matches[end].pseudo == number { end += 1 }
      if let pseudo = PseudoElement(rawValue: number - 1), generatesBox(pseudo, element, style, index..<end) {
        let pseudoStyle = compute(element, index..<end, Attached(), parent: style, pseudo: pseudo)
        if isShown(pseudo, pseudoStyle) {
          pseudoStyles[StyledDocument.PseudoKey(node: NodeID(raw: element), pseudo: pseudo)] = pseudoStyle
        }
      }
      index = end
    }
  }

  private static let withoutContents: Set<Name> = [
    .img, .input, .br, .textarea, .select, .iframe, .video, .audio, .canvas, .object, .embed, .wbr, .meter, .progress,
  ]

  /// In browsers boxes to tick have `::before` and `::after`, unlike other fields.
  private func isTickBox(_ element: UInt32) -> Bool {
    guard tree.isHTML(element, .input) else { return false }
    let type = ElementStates.inputType(tree, element)
    return type == "checkbox" || type == "radio"
  }

  private func generatesBox(_ pseudo: PseudoElement, _ element: UInt32, _ style: ComputedStyle, _ range: Range<Int>) -> Bool {
    switch pseudo {
    case .before, .after:
      if tree[element].namespace == .html, Self.withoutContents.contains(tree[element].name), !isTickBox(element) { return false }
      return matches[range].contains { sources[Int($0.source)].rules.rules[Int($0.rule)].declaresContent }
    case .marker: return style.box.display.isListItem
    case .placeholder: return tree[element].namespace == .html && ElementStates.showsPlaceholder(tree, element)
    case .fileSelectorButton: return tree.isHTML(element, .input) && ElementStates.inputType(tree, element) == "file"
    case .detailsContent: return tree.isHTML(element, .details)
    case .firstLine, .firstLetter: return true
    case .sliderTrack, .sliderThumb: return style.box.appearance == .none && ElementStates.inputType(tree, element) == "range"
    case .progressBar, .progressValue, .meterBar, .meterOptimumValue, .meterSuboptimumValue, .meterPoorValue:
      return style.isPlainGauge
    case .backdrop, .selection: return false
    }
  }

  private func isShown(_ pseudo: PseudoElement, _ style: ComputedStyle) -> Bool {
    guard pseudo == .before || pseudo == .after else { return true }
    guard style.box.display != .none else { return false }
    switch style.content.content {
    case .normal, .none: return false
    case .items: return true
    }
  }
}
