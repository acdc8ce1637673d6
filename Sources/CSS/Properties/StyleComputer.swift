import OffprintCoreTypes

/// Computes the style of an element from its declarations. One instance per document, used by a single thread.
///
/// https://drafts.csswg.org/css-cascade-5/#value-stages
final class StyleComputer {
  let arena: StyleArena
  let viewport: (width: Float, height: Float)
  let names: NameInterner
  let quirks: Bool
  /// Also properties that change nothing in an image are computed.
  private let reportsAll: Bool
  let isDark: Bool
  var registeredProperties: [Name: RegisteredProperty]
  /// The color schemes for `color-scheme: normal`.
  var pageScheme: TextStyle.ColorScheme = []
  /// Whether the last style depends on attributes of the element, so that it cannot be shared.
  var usedAttributes = false
  /// Whether the last style depends on `containerSize`.
  var usedContainerUnits = false
  /// Content sizes in CSS px of the containers for container units; nil for the viewport.
  var containerSize: (width: Double?, height: Double?) = (nil, nil)

  let table = PropertyTable.shared
  let known = KnownProperties()
  let builder: StyleBuilder
  let context: ElementContext
  private let winners: WinnerTable
  /// By property; nil for flow-relative properties, which are computed as their physical equivalents.
  private let phases: [ComputePhase?]
  private let isLogical: [Bool]
  /// Whether the element is the root, or there is no root.
  var isRoot = false
  /// Cached declarations of substituted values.
  var substituted: [SubstitutedKey: [Declaration]] = [:]
  /// Shorthands parsed for this element.
  var shorthandCache: [(ObjectIdentifier, [Declaration])] = []
  var custom: UnsafePointer<CustomProperties>?
  private var origins: StyleOrigins = []
  /// Total bytes of custom properties computed so far.
  var customBytes = 0
  /// Total bytes of the texts in `substituted`.
  var substitutedBytes = 0
  let meter: WorkMeter
  /// Custom functions and the inputs of `if()` conditions.
  var substitutionContext: SubstitutionContext?

  init(
    arena: StyleArena, viewport: (width: Float, height: Float), fontMetrics: any FontMetricsProvider, names: NameInterner,
    quirks: Bool, isDark: Bool, resolution: Double = 1, registeredProperties: [Name: RegisteredProperty] = [:],
    meter: WorkMeter = WorkMeter(deadline: .never), reportsAll: Bool = false
  ) {
    self.arena = arena
    self.meter = meter
    self.viewport = viewport
    self.names = names
    self.quirks = quirks
    self.isDark = isDark
    self.registeredProperties = registeredProperties
    builder = StyleBuilder(arena: arena, reportsAll: reportsAll)
    self.reportsAll = reportsAll
    context = ElementContext(parent: arena.initialStyle, provider: fontMetrics)
    context.resolution = resolution
    context.arena = arena
    phases = table.longhands.map { $0.logical == nil ? $0.phase : nil }
    isLogical = table.longhands.map { $0.logical != nil }
    winners = WinnerTable(capacity: table.longhands.count)
  }

  /// - Parameters:
  ///   - declarations: In ascending order of precedence.
  ///   - parent: The style of the parent element, or of the originating element for a pseudo-element; nil for the root.
  ///   - root: The style of the root element; nil for the root itself.
  ///   - language: The language from the element's `lang` attribute; nil to inherit it.
  ///   - isTextField: Whether the element is a single-line text field, which uses at least `line-height: normal`.
  ///   - isZoomed: False inside an `svg` element, which is scaled as a whole.
  ///   - attribute: The value of an attribute of the element, for `attr()`.
  func compute(
    _ declarations: [CascadedDeclaration], parent: ComputedStyle?, root: ComputedStyle?, isRootElement: Bool, pseudo: PseudoElement? = nil,
    language: String? = nil, isTextField: Bool = false, isZoomed: Bool = true,
    attribute: @escaping (ArraySlice<UInt8>) -> ArraySlice<UInt8>? = { _ in nil }
  ) -> ComputedStyle {
    let outerZoom = parent?.zoom ?? 1
    let parent = parent?.unzoomed, root = root?.unzoomed
    let parentStyle = parent ?? arena.initialStyle
    usedAttributes = false
    origins = []
    context.usedContainerUnits = false
    context.usedPosition = false
    shorthandCache.removeAll(keepingCapacity: true)
    builder.begin(parent: parentStyle.record.pointee)
    begin(parentStyle, root: isRootElement ? nil : root)
    // The user agent's rule for markers. https://drafts.csswg.org/css-lists-3/#ua-stylesheet
    if pseudo == .marker || pseudo == .beforeMarker || pseudo == .afterMarker, parentStyle.text.textTransform != .none {
      builder.text.writable().pointee.textTransform = .none
    }
    if let language { builder.font.writable().pointee.language = language }
    custom = computeCustom(declarations, parentStyle, attribute)
    chooseWinners(declarations)
    let cascade = Cascade(declarations: declarations, parent: parentStyle, attribute: attribute)
    apply(.first, cascade)
    finishFirst()
    mapLogical()
    apply(.fontSize, cascade)
    finishFontSize(parentStyle.record.pointee.font)
    apply(.lineHeight, cascade)
    context.isParentLineHeight = false
    context.lineHeight = builder.font.current.pointee.lineHeight
    if isTextField, context.lineHeightPx < context.metrics.normalLineHeight {
      builder.font.writable().pointee.lineHeight = .normal
      context.lineHeight = .normal
    }
    if isRoot { context.setRootFont(builder.font.current, isFinal: false) }
    apply(.color, cascade)
    context.color = builder.text.current.pointee.color
    apply(.rest, cascade)
    let zoom = isZoomed ? Swift.min(Swift.max(outerZoom * builder.box.current.pointee.zoom, 1e-3), 1e3) : 1
    fixUp(parent: parent, isRootElement: isRootElement, pseudo: pseudo, zoom: zoom)
    usedContainerUnits = context.usedContainerUnits
    // A style that depends on the position among siblings cannot be shared either.
    usedAttributes = usedAttributes || context.usedPosition
    return arena.zoomed(builder.finish(custom: custom, origins: origins), zoom, resolution: context.resolution)
  }

  private func begin(_ parent: ComputedStyle, root: ComputedStyle?) {
    context.parent = parent
    context.viewportWidth = viewport.width
    context.viewportHeight = viewport.height
    context.containerWidth = containerSize.width ?? Double(viewport.width)
    context.containerHeight = containerSize.height ?? Double(viewport.height)
    let font = parent.record.pointee.font
    context.fontSize = font.pointee.size
    context.lineHeight = font.pointee.lineHeight
    context.isParentLineHeight = !isRoot
    // `lh` in `line-height` refers to the parent's computed line height, independent of the element's font size.
    if case .number(let factor) = font.pointee.lineHeight { context.lineHeight = .length(factor * font.pointee.size) }
    context.setFont(font)
    let text = parent.record.pointee.text
    context.setAxes(text)
    context.isRTL = text.pointee.direction == .rtl
    context.color = text.pointee.color
    context.isDark = text.pointee.isDarkScheme
    isRoot = root == nil
    context.isRoot = isRoot
    context.setRootFont((root ?? arena.initialStyle).record.pointee.font, isFinal: root != nil)
  }

  /// The declarations of the element being computed.
  struct Cascade {
    let declarations: [CascadedDeclaration]
    let parent: ComputedStyle
    let attribute: (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  }

  // MARK: Winning declarations

  private func chooseWinners(_ declarations: [CascadedDeclaration]) {
    winners.begin()
    for index in declarations.indices {
      let property = declarations[index].declaration.property
      if property == .custom { continue }
      if property == .all { touchAll(index) } else { winners.touch(property, index) }
    }
  }

  /// https://drafts.csswg.org/css-cascade-5/#all-shorthand
  private func touchAll(_ index: Int) {
    for number in 2..<table.longhands.count {
      let property = PropertyID(rawValue: UInt16(number))
      if property != known.direction, property != known.unicodeBidi, table[property].logical == nil { winners.touch(property, index) }
    }
  }

  /// Applies flow-relative declarations as declarations of their physical equivalents, in cascade order.
  private func mapLogical() {
    let text = builder.text.current
    for place in 0..<winners.count {
      let property = winners[place]
      guard isLogical[Int(property.rawValue)], let mapping = table[property].logical, let index = winners.winner(property) else { continue }
      winners.touch(mapping.target(text.pointee.writingMode, text.pointee.direction), index)
    }
  }

  private func apply(_ phase: ComputePhase, _ cascade: Cascade) {
    let phases = phases
    for place in 0..<winners.count {
      let property = winners[place]
      guard phases[Int(property.rawValue)] == phase, let index = winners.winner(property) else { continue }
      let row = table[property]
      if row.group != .none || reportsAll { apply(property, row, index, cascade) }
    }
  }

  // MARK: Values

  private func apply(_ property: PropertyID, _ row: Longhand, _ start: Int, _ cascade: Cascade) {
    var index: Int? = start
    while let current = index {
      let value = cascade.declarations[current].declaration.value
      guard case .wide(let keyword) = value, [.revert, .revertLayer, .revertRule].contains(keyword) else {
        if !row.origins.isEmpty { record(cascade.declarations[current], row) }
        return apply(value, property, row, cascade)
      }
      index = earlier(than: current, property, keyword, cascade)
    }
    defaultValue(row)
  }

  /// Records the origin of a winning declaration.
  private func record(_ winner: CascadedDeclaration, _ row: Longhand) {
    if row.isMargin {
      if case .specified(let value) = winner.declaration.value, value.isQuirky { origins.formUnion(row.origins) }
    } else if winner.origin == .author || winner.origin == .user {
      origins.formUnion(row.origins)
    }
  }

  /// The declaration to which `revert`, `revert-layer` or `revert-rule` rolls back.
  ///
  /// https://drafts.csswg.org/css-cascade-5/#default
  private func earlier(than index: Int, _ property: PropertyID, _ keyword: WideKeyword, _ cascade: Cascade) -> Int? {
    let text = builder.text.current
    let from = cascade.declarations[index]
    for place in stride(from: index - 1, through: 0, by: -1) {
      let candidate = cascade.declarations[place]
      let other = candidate.declaration.property
      let matches =
        other == property || other == .all
        || (other != .custom && table[other].logical?.target(text.pointee.writingMode, text.pointee.direction) == property)
      guard matches else { continue }
      if candidate.isBefore(from, rollingBack: keyword) { return place }
    }
    return nil
  }

  private func defaultValue(_ row: Longhand) { if row.isInherited { builder.inherit(row) } else { builder.setInitial(row) } }

  private func apply(_ value: PropertyValue, _ property: PropertyID, _ row: Longhand, _ cascade: Cascade) {
    switch value {
    case .specified(let value):
      if let group = builder.writable(row.group) { value.store(to: group, offset: row.kind.offset, element: context) }
    case .wide(.initial): builder.setInitial(row)
    case .wide(.inherit): builder.inherit(row)
    case .wide: defaultValue(row)
    case .relative(let raw): applyRelative(raw, row)
    case .pending(let pending):
      if let value = resolve(pending, for: property, cascade.attribute) { apply(value, property, row, cascade) } else { defaultValue(row) }
    case .custom, .customWide: break
    }
  }

  private func applyRelative(_ raw: RawValue, _ row: Longhand) {
    var parser = ValueParser(raw, element: context)
    parser.allowsUnitlessLength = row.allowsUnitlessLength
    parser.allowsHashlessColor = row.allowsHashlessColor
    guard let value = row.kind.parse(&parser), let group = builder.writable(row.group) else { return defaultValue(row) }
    value.store(to: group, offset: row.kind.offset, element: context)
  }
}
