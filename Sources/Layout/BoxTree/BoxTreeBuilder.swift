public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
import OffprintImages

/// Generates boxes for a styled document. https://drafts.csswg.org/css-display-3/#box-generation
public struct BoxTreeBuilder {
  let styled: StyledDocument
  let document: Document
  /// The arena of the box tree.
  let arena: StyleArena
  let budget: BoxBudget
  let images: ImageStore
  var counters: CounterScopes
  var tree: BoxTree
  var quoteDepth = 0
  /// The character before the next text in its paragraph, because words continue across inline boxes.
  var previousCharacter: Unicode.Scalar?
  /// Whether any element has a `::first-letter`.
  let hasFirstLetters: Bool
  /// The results of a previous layout for scroll containers with scroll buttons or markers; nil if the page has none.
  let scrollStates: [NodeID: ScrollPartState]?
  /// The groups of scroll markers of the scroll containers around the current element, innermost last.
  var markerGroups: [MarkerGroup] = []
  /// The list box that contains the current element, unless the element is inside an option.
  var openListBox = NodeID.none
  lazy var suggestionLists = Self.suggestionLists(document)
  private(set) lazy var radioGroups = RadioGroups(styled.nodeTree)

  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  public static func build(
    _ styled: StyledDocument, images: ImageStore, limits: Limits = Limits(), deadline: Deadline = .never,
    scrollStates: [NodeID: ScrollPartState] = [:]
  ) throws -> BoxTree {
    let budget = BoxBudget(limits, deadline)
    var builder = BoxTreeBuilder(styled: styled, images: images, budget: budget, scrollStates: scrollStates)
    let tree = builder.build()
    if let failure = budget.failure { throw failure }
    return tree
  }

  private init(styled: StyledDocument, images: ImageStore, budget: BoxBudget, scrollStates: [NodeID: ScrollPartState]) {
    self.styled = styled
    self.images = images
    self.budget = budget
    document = styled.document
    counters = CounterScopes(styles: CounterStyles(styled))
    tree = BoxTree(styled: styled)
    arena = tree.arena
    tree.images = images
    hasFirstLetters = styled.pseudoStyles.keys.contains { $0.pseudo == .firstLetter || $0.pseudo == .detailsFirstLetter }
    self.scrollStates = styled.hasScrollParts ? scrollStates : nil
  }

  private mutating func build() -> BoxTree {
    var viewport = Box(kind: .blockContainer, style: arena.anonymousStyle(inheriting: arena.initialStyle, display: .block))
    viewport.isAnonymous = true
    var initial = PendingBox(viewport)
    let root = document.documentElement
    if !root.isNone {
      // The viewport takes the direction of the principal flow: https://drafts.csswg.org/css-writing-modes-4/#principal-flow
      let principal = principalStyle(root)
      initial.box.style = arena.modified(viewport.style) { $0.text = principal.record.pointee.text }
      generate(root, into: &initial.children, parent: initial.box)
      for index in initial.children.indices where initial.children[index].box.node == root {
        initial.children[index].box.isRoot = true
        adoptPrincipalWritingMode(&initial.children[index].box, principal)
      }
      fixBlockContainer(&initial)
    }
    emit(initial, to: .none)
    tree.findAnchoredStyles()
    return tree
  }

  private func principalStyle(_ root: NodeID) -> ComputedStyle {
    let body = document.children(of: root).first { document[$0].kind == .element && document[$0].name == .body }
    guard let body, styled.style(of: root).box.containment.isEmpty, styled.style(of: body).box.containment.isEmpty else {
      return styled.style(of: root)
    }
    return styled.style(of: body)
  }

  /// The used writing mode and direction of the root element are those of `body`; its children inherit the computed ones.
  private func adoptPrincipalWritingMode(_ root: inout Box, _ principal: ComputedStyle) {
    let own = root.style.text
    guard own.writingMode != principal.text.writingMode || own.direction != principal.text.direction else { return }
    var text = own
    text.writingMode = principal.text.writingMode
    text.direction = principal.text.direction
    root.style = arena.modified(root.style) { $0.text = arena.allocate(text) }
  }

  private mutating func emit(_ pending: PendingBox, to parent: BoxID) {
    guard budget.take() else { return }
    let id = tree.append(pending.box, to: parent)
    budget.descending { for child in pending.children { emit(child, to: id) } }
  }

  // MARK: Elements

  mutating func generate(_ node: NodeID, into siblings: inout [PendingBox], parent: Box) {
    switch document[node].kind {
    case .text: generateText(node, into: &siblings, parent: parent)
    case .element:
      budget.descending {
        if scrollStates == nil {
          generateElement(node, into: &siblings, parent: parent)
        } else {
          generateScroller(node, into: &siblings, parent: parent)
        }
      }
    default: break
    }
  }

  /// Appends the text of an element. Text in an element with `display: contents` gets an anonymous inline box with the element's style, so
  /// that it affects the line height.
  private mutating func generateText(_ node: NodeID, into siblings: inout [PendingBox], parent: Box) {
    guard parent.style.box.display == .contents else {
      if isDropped(document.data(of: node), in: parent, behind: siblings.last) { return }
      return appendText(document.data(of: node), node: node, style: parent.style, into: &siblings)
    }
    let style = arena.anonymousStyle(inheriting: parent.style, display: .inline)
    var texts: [PendingBox] = []
    appendText(document.data(of: node), node: node, style: style, into: &texts)
    guard texts.contains(where: { !$0.isCollapsibleSpace }) else { return siblings.append(contentsOf: texts) }
    var box = Box(kind: .inline, style: style)
    box.isAnonymous = true
    box.isInlineLevel = true
    siblings.append(PendingBox(box, children: texts))
  }

  /// White space between the parts of a table generates no cell, even if it is preserved; after other text it is part of that text. Chromium drops
  /// it between inline boxes, too (`CanHaveWhitespaceChildren`).
  ///
  /// https://drafts.csswg.org/css-tables-3/#fixup-algorithm
  private func isDropped(_ text: some Collection<UInt8>, in parent: Box, behind previous: PendingBox?) -> Bool {
    switch parent.kind {
    case .tableWrapper, .tableRowGroup, .tableRow: previous?.box.kind != .text && text.allSatisfy(Self.isSpace)
    default: false
    }
  }

  mutating func generateElement(_ node: NodeID, into siblings: inout [PendingBox], parent: Box) {
    let style = unitStyle(node, itemStyle(styled.style(of: node), parent: parent), parent: parent)
    guard style.box.display != .none, budget.take() else { return }
    let isContents = style.box.display == .contents
    // Elements without a box do not change counters and do not scope them (Chromium).
    guard budget.spend(CounterScopes.changes(style)) else { return }
    if !isContents { counters.enter(style, node: node, styled) }
    defer { if !isContents { counters.leave() } }
    if isContents {
      var inherited = parent
      inherited.style = style
      generateChildren(of: node, style: style, into: &siblings, parent: inherited)
      return
    }
    // In Chromium words continue after floats and inline blocks, from the last text in them.
    if !continuesWords(style.box.display) { previousCharacter = nil }
    if let special = specialBox(node, style: style) {
      previousCharacter = nil
      siblings.append(contentsOf: special)
      return
    }
    var pending = PendingBox(principalBox(style, node: node))
    adoptFieldset(&pending.box)
    adoptButton(&pending.box)
    adoptListBox(&pending.box)
    if style.box.display.isListItem { generateMarker(node, style: style, into: &pending.children) }
    pending.box.isListItem = style.box.display.isListItem
    generateChildren(of: node, style: style, into: &pending.children, parent: pending.box)
    generateFirstLetter(of: node, in: &pending)
    generateFieldsetContent(node, in: &pending)
    finish(&pending)
    siblings.append(style.box.display == .rubyText ? annotation(pending, in: parent) : pending)
  }

  /// The style of a child of a `display: contents` element. In a flex or grid container it is an item: blockified and not floating.
  ///
  /// https://drafts.csswg.org/css-display-3/#transformations
  func itemStyle(_ style: ComputedStyle, parent: Box) -> ComputedStyle {
    guard parent.style.box.display == .contents, parent.kind == .flexContainer || parent.kind == .gridContainer else { return style }
    let floats = style.box.float != .none && style.box.position != .absolute && style.box.position != .fixed
    guard floats || style.box.display.blockified != style.box.display else { return style }
    var box = style.box
    box.display = box.display.blockified
    if floats { box.float = .none }
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }

  mutating func generateChildren(of node: NodeID, style: ComputedStyle, into children: inout [PendingBox], parent: Box) {
    let outer = openListBox
    openListBox = listBox(around: node, style)
    defer { openListBox = outer }
    if style.box.appearance == .baseSelect, isHTML(node, .select), !isListBox(node) {
      return generateBaseSelect(node, style: style, into: &children, parent: parent)
    }
    if isHTML(node, .option) { generatePseudo(.checkmark, of: node, into: &children, parent: parent) }
    generatePseudo(.before, of: node, into: &children, parent: parent)
    groupLabel(node, style: style, into: &children)
    if document[node].name == .option, document[node].namespace == .html, let label = document.attribute(.label, of: node), !label.isEmpty {
      // https://html.spec.whatwg.org/#concept-option-label
      appendText(Array(label), node: node, style: style, into: &children)
      return
    }
    if document[node].name == .details, document[node].namespace == .html {
      generateDetails(node, style: style, into: &children, parent: parent)
    } else {
      generateAll(of: node, into: &children, parent: parent)
    }
    generatePseudo(.after, of: node, into: &children, parent: parent)
  }

  mutating func generateAll(of node: NodeID, except left: NodeID = .none, into children: inout [PendingBox], parent: Box) {
    var child = document[node].firstChild
    while !child.isNone {
      if child != left, !isOptionless(child, in: node) { generate(child, into: &children, parent: parent) }
      child = document[child].nextSibling
    }
  }

  /// The box for a `display` value, before its children are known.
  func principalBox(_ style: ComputedStyle, node: NodeID, pseudo: PseudoElement? = nil) -> Box {
    var box = Box(kind: kind(style.box.display), style: style)
    box.node = node
    box.pseudo = pseudo
    // Chromium lays out `-webkit-box` fieldsets as block containers.
    if style.box.display == .webkitBox || style.box.display == .webkitInlineBox, pseudo == nil, isHTML(node, .fieldset) {
      box.kind = .blockContainer
    }
    box.isInlineLevel = isInlineLevel(style.box.display)
    if style.box.display == .math || style.box.display == .blockMath { adoptMath(&box) }
    if pseudo == nil { readSpans(&box) }
    return box
  }

  /// Applies the fixup rules for the box's kind to its children.
  func finish(_ pending: inout PendingBox) {
    if case .math(let kind) = pending.box.specialLayout { return finishMath(&pending, kind) }
    switch pending.box.kind {
    case .tableWrapper: generateTableBoxes(&pending)
    case .tableRowGroup: pending.children = rows(pending.children, inheriting: pending.box.style)
    case .tableRow: pending.children = cells(pending.children, inheriting: pending.box.style)
    case .flexContainer, .gridContainer:
      wrapMisparentedTableBoxes(&pending)
      fixItems(&pending)
    case .blockContainer, .tableCell:
      if pending.box.kind == .tableCell { fillMathCell(&pending) }
      wrapMisparentedTableBoxes(&pending)
      fixBlockContainer(&pending)
    case .inline:
      wrapMisparentedTableBoxes(&pending)
      if pending.box.style.box.display == .ruby { formRubyColumns(&pending) }
    case .tableColumn: pending.children = []
    default: break
    }
  }

  private func kind(_ display: Display) -> BoxKind {
    switch display {
    case .inline, .ruby, .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer, .inlineListItem, .contents, .none: .inline
    case .flex, .inlineFlex, .webkitBox, .webkitInlineBox: .flexContainer
    case .grid, .inlineGrid: .gridContainer
    case .table, .inlineTable: .tableWrapper
    case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: .tableRowGroup
    case .tableRow: .tableRow
    case .tableCell: .tableCell
    case .tableColumnGroup: .tableColumnGroup
    case .tableColumn: .tableColumn
    case .block, .flowRoot, .listItem, .flowRootListItem, .inlineFlowRootListItem, .inlineBlock, .tableCaption, .math, .blockMath:
      .blockContainer
    }
  }

  func isInlineLevel(_ display: Display) -> Bool {
    switch display {
    case .inline, .inlineBlock, .inlineFlex, .inlineGrid, .inlineTable, .inlineListItem, .inlineFlowRootListItem, .webkitInlineBox, .ruby,
      .rubyBase, .rubyText,
      .rubyBaseContainer, .rubyTextContainer, .math:
      true
    default: false
    }
  }

  /// https://html.spec.whatwg.org/#attr-tdth-colspan
  private func readSpans(_ box: inout Box) {
    func number(_ name: Name, _ range: ClosedRange<Int>) -> UInt16? {
      document.attribute(name, of: box.node).flatMap { HTMLMicrosyntax.clampedInteger($0, range) }.flatMap { UInt16(exactly: $0) }
    }
    switch box.kind {
    case .tableCell:
      let isMath = document[box.node].namespace == .mathML
      box.columnSpan = (isMath ? mathColumnSpan(box.node) : number(.colspan, 1...1000)) ?? 1
      box.rowSpan = number(.rowspan, 0...65534) ?? 1
    case .tableColumn, .tableColumnGroup: box.columnSpan = number(.span, 1...1000) ?? 1
    default: break
    }
  }
}
