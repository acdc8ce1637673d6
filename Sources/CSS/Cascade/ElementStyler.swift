import OffprintCoreTypes
import OffprintDOM

/// Computes the style of an element or pseudo-element from the rules that match; elements with the same matches and parent share one.
///
/// https://drafts.csswg.org/css-cascade-5/#value-stages
final class ElementStyler {
  let computer: StyleComputer
  private let tree: ElementTree
  private let context: StyleSheetContext
  private let collector: RuleCollector
  private let positionTries: [ByteString: [Declaration]]
  private var cascade: CascadeBuilder
  private var sharing = SharingCache()
  private var key: [UInt32] = []
  /// The style of the root element, once it is known.
  var rootStyle: ComputedStyle?
  /// Whether lengths refer to the sizes of containers.
  private(set) var usesContainerUnits = false
  /// See `StyledDocument`.
  private(set) var hasAnchoredBoxes = false
  /// See `StyleEngine.Options`.
  private let timelinePositions: [TimelineSubject: TimelinePositions]
  /// See `StyleEngine.Options`.
  private let time: AnimationTime
  /// Elements with animations on scroll timelines, and those that name timelines, in document order.
  private(set) var timelineElements: [TimelineSubject] = []
  /// See `StyledDocument`.
  private(set) var animationLengths = AnimationLengths()
  private(set) var triedStyles: [ComputedStyle: [ByteString: ComputedStyle]] = [:]

  init(
    _ computer: StyleComputer, _ collector: RuleCollector, _ declarations: ElementDeclarations, _ context: StyleSheetContext,
    positionTries: [ByteString: [Declaration]], timelinePositions: [TimelineSubject: TimelinePositions] = [:],
    time: AnimationTime = .start
  ) {
    self.timelinePositions = timelinePositions
    self.time = time
    self.computer = computer
    self.tree = collector.tree
    self.context = context
    self.collector = collector
    self.positionTries = positionTries
    cascade = CascadeBuilder(collector, declarations)
  }

  /// The style of an element, or of one of its pseudo-elements.
  ///
  /// - Parameters:
  ///   - range: The range of the collector's matches that apply.
  ///   - own: The element's own blocks; empty for a pseudo-element.
  func style(
    _ element: UInt32, _ range: Range<Int>, _ own: ElementDeclarations.Blocks, parent: ComputedStyle?, pseudo: PseudoElement?
  ) -> ComputedStyle {
    makeKey(element, range, own, parent, pseudo)
    let hash = SharingCache.hash(key)
    if let cached = sharing.style(key, hash: hash) { return cached }
    cascade.build(range, own)
    if pseudo == .firstLine || pseudo == .detailsFirstLine { cascade.removeAll { Self.notOfFirstLines.contains($0.declaration.property) } }
    context.meter.spend(cascade.declarations.count)
    computer.containerSize = collector.containers.isEmpty ? (nil, nil) : collector.containers.containerUnitBasis()
    var usedAttributes = false, usedContainerUnits = false
    let isZoomed = !tree.isShape(element)
    // https://html.spec.whatwg.org/#the-input-element-as-a-text-entry-widget
    let isTextField = pseudo == nil && tree.isHTML(element, .input) && ElementStates.isPlainTextField(tree, element)
    computer.context.findPlace = { [unowned self] in place(of: element) }
    func computed(_ declarations: [CascadedDeclaration]) -> ComputedStyle {
      let style = computer.compute(
        declarations, parent: parent, root: rootStyle, isRootElement: element == tree.root && pseudo == nil, pseudo: pseudo,
        language: own.language, isTextField: isTextField, isZoomed: isZoomed, attribute: { self.attribute($0, element) })
      usedAttributes = usedAttributes || computer.usedAttributes
      usedContainerUnits = usedContainerUnits || computer.usedContainerUnits
      return style
    }
    var style = computed(cascade.declarations), declarations: [Declaration] = [], layers = WillChangeValue()
    if cascade.hasStartingRules, style.effects.transition.isActive, style.box.display != .none {
      animationLengths.add(finite: style.effects.transition.end)
      declarations = transitions(to: style, range, own, &layers, computed)
    }
    if !style.effects.animations.isEmpty, !collector.keyframes.isEmpty, style.box.display != .none {
      style.effects.animation.add(to: &animationLengths, rules: collector.keyframes)
      declarations = animations(element, pseudo, style, &layers, computed) + declarations
    }
    if layers != WillChangeValue(), let declaration = AnimatedLayers.declaration(adding: layers, to: style) {
      declarations.append(declaration)
    }
    if !declarations.isEmpty { style = computed(cascade.adding(declarations)) }
    noteTimelines(of: style, element, pseudo)
    if style.box.position == .absolute || style.box.position == .fixed { tryPositions(style, computed) }
    usesContainerUnits = usesContainerUnits || usedContainerUnits
    // A style that depends on more than the key is for this element alone.
    if !usedAttributes, !usedContainerUnits || collector.containers.isEmpty, !style.effects.usesTimelines {
      sharing.insert(key, hash: hash, style)
    }
    return style
  }

  private func makeKey(
    _ element: UInt32, _ range: Range<Int>, _ own: ElementDeclarations.Blocks, _ parent: ComputedStyle?, _ pseudo: PseudoElement?
  ) {
    key.removeAll(keepingCapacity: true)
    let address = parent.map { UInt64(UInt(bitPattern: $0.record)) } ?? 0
    key.append(UInt32(truncatingIfNeeded: address))
    key.append(UInt32(truncatingIfNeeded: address >> 32))
    key.append(UInt32(pseudo.map { $0.rawValue + 1 } ?? 0) << 1 | (element == tree.root ? 1 : 0))
    key.append(UInt32(truncatingIfNeeded: own.agent))
    key.append(UInt32(truncatingIfNeeded: own.hints))
    key.append(UInt32(truncatingIfNeeded: own.inline))
    key.append(own.language.map { context.names.table.intern($0).raw } ?? .max)
    if collector.sourceSet > 0 { key.append(UInt32(truncatingIfNeeded: collector.sourceSet) | 0xf000_0000) }
    let matches = collector.matches
    if collector.shadows != nil { key.append(contentsOf: matches[range].lazy.map { UInt32($0.source) }) }
    for match in matches[range] { key.append(UInt32(match.source) << 28 | match.rule) }
  }

  /// Chromium does not apply these properties of text to `::first-line`. https://drafts.csswg.org/css-pseudo-4/#first-line-styling
  private static let notOfFirstLines: Set<PropertyID> = Set(
    [
      "text-emphasis-style", "text-emphasis-color", "text-emphasis-position", "-webkit-text-stroke-width", "-webkit-text-stroke-color",
    ].map { PropertyID.named($0) })

  // MARK: Values from the document

  /// https://drafts.csswg.org/css-values-5/#tree-counting
  private func place(of element: UInt32) -> ElementPosition {
    let nodes = tree.document.nodes
    func countElements(from start: NodeID, _ next: (Node) -> NodeID) -> Int {
      var found = 0, sibling = start
      while !sibling.isNone {
        if nodes[sibling.index].kind == .element { found += 1 }
        context.meter.spend(1)
        sibling = next(nodes[sibling.index])
      }
      return found
    }
    let before = countElements(from: nodes[Int(element)].previousSibling) { $0.previousSibling }
    let after = countElements(from: nodes[Int(element)].nextSibling) { $0.nextSibling }
    return ElementPosition(index: 1 + before, count: 1 + before + after, element: element)
  }

  private func attribute(_ name: ArraySlice<UInt8>, _ element: UInt32) -> ArraySlice<UInt8>? {
    let wanted = tree[element].isHTML ? context.names.internLowercased(name) : context.names.table.intern(name)
    return tree.attribute(wanted, element).map { Array($0)[...] }
  }

  // MARK: Styles with further declarations

  /// The declarations of animations, below those of transitions. https://drafts.csswg.org/css-cascade-5/#cascade-origin
  private func animations(
    _ element: UInt32, _ pseudo: PseudoElement?, _ base: ComputedStyle, _ layers: inout WillChangeValue,
    _ computed: ([CascadedDeclaration]) -> ComputedStyle
  ) -> [Declaration] {
    let cascade = cascade
    let positions = timelinePositions[TimelineSubject(node: NodeID(raw: element), pseudo: pseudo)]
    func with(_ declarations: [Declaration]) -> ComputedStyle {
      // Nothing is computed after the deadline.
      guard context.meter.spend(cascade.declarations.count + declarations.count) else { return base }
      return computed(cascade.adding(declarations))
    }
    return withoutActuallyEscaping(with) {
      let sampler = AnimationSampler(
        rules: collector.keyframes, registered: computer.registeredProperties, style: $0, base: base, positions: positions, time: time)
      layers = layers.union(sampler.layers)
      return sampler.declarations()
    }
  }

  /// Records elements with scroll timelines for layout. https://drafts.csswg.org/scroll-animations-1/#html-processing
  private func noteTimelines(of style: ComputedStyle, _ element: UInt32, _ pseudo: PseudoElement?) {
    guard style.effects.usesTimelines, style.box.display != .none, timelineElements.count < Self.maximumTimelineElements else { return }
    timelineElements.append(TimelineSubject(node: NodeID(raw: element), pseudo: pseudo))
  }
  private static let maximumTimelineElements = 100_000

  /// The declarations of transitions from the declarations of `@starting-style` to the style without animations.
  /// https://drafts.csswg.org/css-transitions-2/#defining-before-change-style
  private func transitions(
    to ending: ComputedStyle, _ range: Range<Int>, _ own: ElementDeclarations.Blocks, _ layers: inout WillChangeValue,
    _ computed: ([CascadedDeclaration]) -> ComputedStyle
  ) -> [Declaration] {
    let cascade = cascade
    var before = cascade
    before.build(range, own, includesStartingRules: true)
    context.meter.spend(before.declarations.count)
    let sampler = StartingStyleSampler(
      beforeChange: computed(before.declarations), afterChange: ending, names: context.names.table,
      registered: computer.registeredProperties, time: time)
    let declarations = sampler.declarations(of: cascade.startingDeclarations(range))
    layers = layers.union(sampler.layers(of: declarations))
    return declarations
  }

  /// Computes the styles of a positioned box by the `@position-try` rules that it names.
  /// https://drafts.csswg.org/css-anchor-position-1/#fallback-apply
  private func tryPositions(_ style: ComputedStyle, _ computed: ([CascadedDeclaration]) -> ComputedStyle) {
    let box = style.box
    let isPlain = box.positionArea == nil && box.positionAnchor == nil && box.positionTry == PositionTryStyle()
    guard !isPlain else { return }
    hasAnchoredBoxes = true
    let cascade = cascade
    for name in box.positionTry.fallbacks.compactMap(\.name) where triedStyles[style]?[name] == nil {
      guard let declarations = positionTries[name], context.meter.spend(cascade.declarations.count) else { continue }
      triedStyles[style, default: [:]][name] = computed(cascade.adding(declarations))
    }
  }
}
