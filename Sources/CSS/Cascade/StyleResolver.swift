import OffprintCoreTypes
import OffprintDOM

/// Visits the elements of a document and computes their styles.
///
/// For each element, `RuleCollector` finds the matching rules, `ElementDeclarations` the declarations from attributes, and `ElementStyler`
/// computes the style from both. https://drafts.csswg.org/css-cascade-5/#cascading
final class StyleResolver {
  let tree: ElementTree
  let context: StyleSheetContext
  let options: StyleEngine.Options
  let collector: RuleCollector
  let styler: ElementStyler
  private let declarations: ElementDeclarations
  private let pseudoElements: PseudoElementConditions
  private var links: FlatTreeLinks
  private let groupName: Name
  /// By node.
  private(set) var styles: [ComputedStyle]
  private(set) var pseudoStyles: [StyledDocument.PseudoKey: ComputedStyle] = [:]
  /// Query containers whose sizes styles may depend on.
  private(set) var queryContainers: [NodeID] = []
  /// The instances of elements referenced by `use`, and the root instance of each `use` element.
  /// Nil if all elements are styled.
  private(set) var advance: StyleAdvance?
  var svgInstances: [SVGInstance] = []
  var svgUses: [NodeID: Int32] = [:]

  /// - Parameters:
  ///   - sheets: The parsed style sheets of the document.
  ///   - grafts: The rules of each grafted document's style sheets.
  init(
    tree: ElementTree, context: StyleSheetContext, options: StyleEngine.Options, sheets: StyleEngine.ParsedSheets, computer: StyleComputer,
    grafts: [RuleSet] = [], advance: StyleAdvance? = nil
  ) {
    self.tree = tree
    self.context = context
    self.options = options
    collector = RuleCollector(tree: tree, context: context, author: sheets.rules, grafts: grafts)
    collector.keyframes = sheets.builder.keyframes
    declarations = ElementDeclarations(tree, context, options, baseURL: sheets.baseURL)
    styler = ElementStyler(
      computer, collector, declarations, context, positionTries: sheets.builder.positionTries, timelinePositions: options.timelinePositions,
      time: options.time)
    pseudoElements = PseudoElementConditions(tree: tree)
    links = FlatTreeLinks(tree: tree)
    groupName = context.names.table.intern("g")
    self.advance = advance
    if let previous = advance?.previous {
      (styles, pseudoStyles) = (previous.styles, previous.pseudoStyles)
      if tree.root != ElementInfo.none { styler.rootStyle = styles[Int(tree.root)] }
    } else {
      styles = Array(repeating: computer.arena.initialStyle, count: tree.document.nodes.count)
    }
    if let shadowSheets = sheets.shadows {
      let shadows = ShadowStyles(tree.document, shadowSheets, collector, context.names)
      collector.shadows = shadows
      links.shadows = FlatTreeLinks.ShadowLinks(shadows.flat)
    }
  }

  /// The diagnostics of `style` attributes.
  var diagnostics: DiagnosticLog { declarations.diagnostics }

  // MARK: Traversal

  func run() throws {
    try run(from: tree.root)
    for graft in tree.document.grafts {
      collector.forgetAncestors()
      try run(from: graft.root.raw)
    }
  }

  private func run(from root: UInt32) throws {
    var element = root
    while element != ElementInfo.none {
      let visit = advance?.visit(element, parent: links.parent(element)) ?? .style
      let entersChildren = visit == .style ? restyle(element) || holdsResources(element) : visit == .enter
      try context.meter.check(32)
      let child = links.firstChild(element)
      if entersChildren, child != ElementInfo.none {
        enter(element)
        element = child
        continue
      }
      if !entersChildren, visit == .style { hide(element) }
      while element != ElementInfo.none, links.next(element) == ElementInfo.none {
        element = links.parent(element)
        if element != ElementInfo.none { collector.leave(element) }
      }
      if element != ElementInfo.none { element = links.next(element) }
    }
  }

  private func enter(_ element: UInt32) {
    let style = styles[Int(element)]
    if style.box.containerType != .normal { queryContainers.append(NodeID(raw: element)) }
    collector.enter(element, style: style, containerSize: options.containerSizes[NodeID(raw: element)])
  }

  /// Whether the element can contain referenced resources. In Chromium, resources in a hidden SVG `g` can be referenced.
  /// https://www.w3.org/TR/SVG2/render.html#VisibilityControl
  private func holdsResources(_ element: UInt32) -> Bool { tree[element].namespace == .svg && tree[element].name == groupName }

  /// Elements inside `display: none` generate no boxes. They share the style of the hidden element.
  private func hide(_ element: UInt32) {
    var descendant = links.firstChild(element)
    while descendant != ElementInfo.none {
      styles[Int(descendant)] = styles[Int(element)]
      descendant = links.nextInPreOrder(descendant, within: element)
    }
  }

  // MARK: Single elements

  private func restyle(_ element: UInt32) -> Bool {
    if advance != nil, !pseudoStyles.isEmpty {
      for pseudo in PseudoElement.allCases { pseudoStyles[StyledDocument.PseudoKey(node: NodeID(raw: element), pseudo: pseudo)] = nil }
    }
    return style(element)
  }

  /// - Returns: Whether the children can generate boxes.
  private func style(_ element: UInt32) -> Bool {
    let parent = parentStyle(of: element)
    var (style, end) = matchedStyle(element, parent: parent, queried: parent)
    // With base appearance, additional user agent rules apply. https://drafts.csswg.org/css-forms-1/#appearance
    if style.box.appearance == .baseSelect, tree.isHTML(element, .select), tree.baseSelects.insert(element).inserted {
      (style, end) = matchedStyle(element, parent: parent, queried: parent)
    }
    styles[Int(element)] = style
    if element == tree.root { styler.rootStyle = style }
    guard style.box.display != .none else { return false }
    if end < collector.matches.count { stylePseudoElements(element, from: end, style) }
    return true
  }

  private func parentStyle(of element: UInt32) -> ComputedStyle? {
    let parent = links.parent(element)
    return parent == ElementInfo.none ? nil : styles[Int(parent)]
  }

  /// The style of an element in a `use` shadow tree, which inherits from `parent`.
  func instanceStyle(_ element: UInt32, parent: ComputedStyle) -> ComputedStyle {
    collector.enterAncestors(of: element)
    return matchedStyle(element, parent: parent, queried: parentStyle(of: element)).style
  }

  /// The style of an element, and the index of the first match for its pseudo-elements.
  ///
  /// - Parameters:
  ///   - parent: The style to inherit from.
  ///   - queried: The style that style queries test.
  private func matchedStyle(
    _ element: UInt32, parent: ComputedStyle?, queried: ComputedStyle?
  ) -> (style: ComputedStyle, pseudoElements: Int) {
    collector.collect(element, parent: queried)
    let matches = collector.matches
    let end = matches.firstIndex { $0.pseudo != 0 } ?? matches.count
    let own = declarations.blocks(of: element, parent: parent, bodyColor: { self.bodyColor })
    return (styler.style(element, 0..<end, own, parent: parent, pseudo: nil), end)
  }

  /// The color of `body`, from which tables in quirks mode inherit.
  /// https://quirks.spec.whatwg.org/#the-tables-inherit-color-from-body-quirk
  private var bodyColor: Color? {
    var element = tree.root == ElementInfo.none ? ElementInfo.none : tree[tree.root].firstChild
    while element != ElementInfo.none, !tree.isHTML(element, .body) { element = tree[element].next }
    return element == ElementInfo.none ? nil : styles[Int(element)].text.color
  }

  private func stylePseudoElements(_ element: UInt32, from start: Int, _ style: ComputedStyle) {
    let matches = collector.matches
    var index = start
    while index < matches.count {
      let number = matches[index].pseudo
      var end = index + 1
      while end < matches.count, matches[end].pseudo == number { end += 1 }
      if let pseudo = PseudoElement(rawValue: number - 1) {
        if pseudo.isScrollPart, pseudo != .scrollMarkerGroup {
          styleScrollParts(pseudo, element, index..<end, style)
        } else {
          stylePseudoElement(pseudo, element, index..<end, style)
        }
      }
      index = end
    }
  }

  /// Computes the style of each scroll button or marker from the rules for its direction and state.
  private func styleScrollParts(_ family: PseudoElement, _ element: UInt32, _ range: Range<Int>, _ style: ComputedStyle) {
    guard pseudoElements.generatesBox(family, element, style, declaresContent: declaresContent(range)) else { return }
    let count = collector.matches.count
    let hasStates = collector.matches[range].contains { $0.variant.state != .any }
    for (pseudo, direction, state) in ScrollPartVariants.of(family, hasStates: hasStates) {
      for match in collector.matches[range] where match.variant.admits(direction, state, style) { collector.matches.append(match) }
      storePseudoElement(pseudo, element, count..<collector.matches.count, parent: style)
      collector.matches.removeLast(collector.matches.count - count)
    }
  }

  private func declaresContent(_ range: Range<Int>) -> Bool {
    collector.matches[range].contains { collector.sources[Int($0.source)].rules.rules[Int($0.rule)].declaresContent }
  }

  /// The style from which a pseudo-element inherits: that of the containing pseudo-element if it is nested, otherwise that of the element.
  /// Nil if the containing pseudo-element generates no box.
  private func pseudoParent(_ pseudo: PseudoElement, _ element: UInt32, _ style: ComputedStyle) -> ComputedStyle? {
    func outer(_ pseudo: PseudoElement) -> ComputedStyle? {
      pseudoStyles[StyledDocument.PseudoKey(node: NodeID(raw: element), pseudo: pseudo)]
    }
    switch pseudo {
    case .beforeMarker: return outer(.before)
    case .afterMarker: return outer(.after)
    case .detailsFirstLine, .detailsFirstLetter: return outer(.detailsContent)
    default: return style
    }
  }

  private func stylePseudoElement(_ pseudo: PseudoElement, _ element: UInt32, _ range: Range<Int>, _ style: ComputedStyle) {
    guard let parent = pseudoParent(pseudo, element, style),
      pseudoElements.generatesBox(pseudo, element, style, declaresContent: declaresContent(range))
    else { return }
    storePseudoElement(pseudo, element, range, parent: parent)
  }

  private func storePseudoElement(_ pseudo: PseudoElement, _ element: UInt32, _ range: Range<Int>, parent: ComputedStyle) {
    let style = styler.style(element, range, ElementDeclarations.Blocks(), parent: parent, pseudo: pseudo)
    guard pseudoElements.isShown(pseudo, style) else { return }
    pseudoStyles[StyledDocument.PseudoKey(node: NodeID(raw: element), pseudo: pseudo)] = style
  }
}
