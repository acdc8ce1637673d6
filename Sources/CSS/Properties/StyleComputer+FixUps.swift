import OffprintCoreTypes

/// Properties the code refers to by name.
struct KnownProperties {
  let direction = PropertyID.named("direction")
  let unicodeBidi = PropertyID.named("unicode-bidi")
}

// Adjustments of computed values that depend on several properties.

extension StyleComputer {
  /// Runs after writing mode, color scheme and font family are computed.
  func finishFirst() {
    let text = builder.text.current
    context.setAxes(text)
    context.isRTL = text.pointee.direction == .rtl
    let own = text.pointee.colorScheme
    let scheme = own.isEmpty ? pageScheme : own
    let isDarkScheme = scheme.contains(.dark) && (isDark || !scheme.contains(.light))
    if text.pointee.isDarkScheme != isDarkScheme {
      let writable = builder.text.writable()
      writable.pointee.isDarkScheme = isDarkScheme
      // The initial color is `CanvasText`.
      if context.parent.record == arena.initialStyle.record { writable.pointee.color = isDarkScheme ? .white : .black }
    }
    context.isDark = isDarkScheme
    context.mathDepth = builder.font.current.pointee.mathDepth
  }

  /// Chromium's default size for `monospace` is smaller: a size that comes from a keyword, or is relative to one, changes with the family.
  func finishFontSize(_ parent: UnsafePointer<FontStyle>) {
    if builder.font.isChanged {
      let font = builder.font.writable()
      let isMonospace = font.pointee.isMonospace
      if font.pointee.sizeKeyword != 0 {
        font.pointee.size = ValueParser.fontSize(keyword: font.pointee.sizeKeyword, isMonospace: isMonospace, quirks: quirks)
      } else if isMonospace != parent.pointee.isMonospace, !font.pointee.hasAbsoluteSize {
        font.pointee.size *= isMonospace ? 13.0 / 16 : 16.0 / 13
      }
      font.pointee.collectFeatures()
      if let adjust = font.pointee.sizeAdjust, font.pointee.size > 0 {
        font.pointee.adjustedSize = FontStyle.AdjustedSize(size: font.pointee.size, adjust: adjust)
      }
      context.fontSize = font.pointee.size
      context.setFont(font)
    }
    // On the root element, `rem` is its own font size.
    if isRoot { context.setRootFont(builder.font.current, isFinal: false) }
  }

  func fixUp(parent: ComputedStyle?, isRootElement: Bool, pseudo: PseudoElement?, zoom: Float) {
    fixWebkitBox(parent: parent)
    fixLines(resolution: context.resolution * Double(zoom))
    if builder.background.isChanged {
      let background = builder.background.writable()
      background.pointee.layers = background.pointee.lists.layers
    }
    if builder.effects.isChanged {
      let effects = builder.effects.writable()
      let lists = effects.pointee.maskLists
      effects.pointee.mask = lists.images.allSatisfy { $0 == .none } ? [] : lists.layers
    }
    fixBox(parent: parent, isRootElement: isRootElement, pseudo: pseudo)
    fixLocalBackgrounds()
  }

  /// A background that scrolls with the contents does not extend under the border. https://drafts.csswg.org/css-backgrounds-3/#local0
  private func fixLocalBackgrounds() {
    guard builder.background.isChanged, builder.box.current.pointee.overflowX.isScrollable else { return }
    let layers = builder.background.current.pointee.layers
    for index in layers.indices where layers[index].attachment == .local && layers[index].clip == .borderBox {
      builder.background.writable().pointee.layers[index].clip = .paddingBox
    }
  }

  /// Lines with the style `none` have no width; others are snapped to device px. https://drafts.csswg.org/css-backgrounds-3/#border-width
  private func fixLines(resolution: Double) {
    if builder.border.isChanged {
      let border = builder.border.writable()
      let style = border.pointee.style
      if !style.top.isVisible { border.pointee.width.top = 0 }
      if !style.right.isVisible { border.pointee.width.right = 0 }
      if !style.bottom.isVisible { border.pointee.width.bottom = 0 }
      if !style.left.isVisible { border.pointee.width.left = 0 }
      if !border.pointee.outlineStyle.isVisible { border.pointee.outlineWidth = 0 }
      border.pointee.snapWidths(resolution)
    }
    if builder.align.isChanged {
      let align = builder.align.writable()
      align.pointee.columnRule.snapWidths(resolution)
      align.pointee.rowRule.snapWidths(resolution)
    }
  }

  /// `-webkit-box` is laid out as a flex container of the same orientation. https://compat.spec.whatwg.org/#css-properties
  private func fixWebkitBox(parent: ComputedStyle?) {
    let display = builder.box.current.pointee.display
    if display == .webkitBox || display == .webkitInlineBox {
      let old = builder.align.current.pointee.webkitBox
      if old.isVertical, builder.effects.current.pointee.lineClamp != nil {
        let box = builder.box.writable()
        box.pointee.display = display == .webkitBox ? .flowRoot : .inlineBlock
        box.pointee.isLineClampContainer = true
        return
      }
      guard let raw = builder.writable(.align) else { return }
      let align = raw.assumingMemoryBound(to: AlignStyle.self)
      align.pointee.flexDirection = old.isVertical ? (old.isReverse ? .columnReverse : .column) : (old.isReverse ? .rowReverse : .row)
      align.pointee.alignItems = Alignment(old.align)
      align.pointee.justifyContent = Alignment(old.pack)
    }
    if let parentDisplay = parent?.box.display, parentDisplay == .webkitBox || parentDisplay == .webkitInlineBox {
      let old = builder.align.current.pointee.webkitBox
      guard let raw = builder.writable(.align) else { return }
      let align = raw.assumingMemoryBound(to: AlignStyle.self)
      align.pointee.flexGrow = old.flex
      align.pointee.flexShrink = old.flex
      // Anonymous items have the initial value.
      align.pointee.order = old.ordinal > 0 ? old.ordinal - 1 : old.ordinal
    }
  }

  private func fixBox(parent: ComputedStyle?, isRootElement: Bool, pseudo: PseudoElement?) {
    let box = builder.box.current
    let isAbsolute = box.pointee.position == .absolute || box.pointee.position == .fixed
    let parentDisplay = parent?.box.display
    let isItem =
      switch parentDisplay {
      case .flex, .inlineFlex, .grid, .inlineGrid, .math, .blockMath:
        pseudo != .firstLine && pseudo != .firstLetter && pseudo != .marker && pseudo?.isScrollPart != true
      default: false
      }
    if isAbsolute, box.pointee.float != .none { builder.box.writable().pointee.float = .none }
    // Flex and grid items do not float.
    let floats = builder.box.current.pointee.float != .none && !isItem
    if isItem, !isAbsolute, box.pointee.float != .none { builder.box.writable().pointee.float = .none }
    // https://drafts.csswg.org/css-display-3/#transformations
    if isAbsolute || floats || isRootElement || isItem {
      let display = builder.box.current.pointee.display
      let blockified = isRootElement && display == .contents ? .block : display.blockified
      if blockified != display { builder.box.writable().pointee.display = blockified }
    } else {
      inlinify(in: parent)
    }
    if pseudo == nil { fixDisplayWithAppearance() }
    fixBlockDirection()
    // https://drafts.csswg.org/css-will-change/#valdef-will-change-custom-ident: only if the property itself would have that effect.
    let effects = builder.effects.current
    if effects.pointee.willChangeContainingBlock, !effects.pointee.willChangeFilter, builder.box.current.pointee.display == .inline {
      builder.effects.writable().pointee.willChangeContainingBlock = false
    }
    if effects.pointee.willChangeZIndex, isItem || box.pointee.position != .static {
      builder.effects.writable().pointee.willChangeStackingContext = true
    }
    // https://drafts.csswg.org/css-overflow-3/#overflow-control
    let x = builder.box.current.pointee.overflowX
    let y = builder.box.current.pointee.overflowY
    if x.isScrollable != y.isScrollable {
      let writable = builder.box.writable()
      if !x.isScrollable { writable.pointee.overflowX = x == .visible ? .auto : .hidden }
      if !y.isScrollable { writable.pointee.overflowY = y == .visible ? .auto : .hidden }
    }
    fixWritingMode()
  }

  /// Boxes that generate no block container inherit the direction of their containing block container.
  private func fixBlockDirection() {
    let text = builder.text.current.pointee
    guard text.blockDirection != text.direction else { return }
    switch builder.box.current.pointee.display {
    case .inline, .contents, .ruby, .rubyBase, .rubyBaseContainer, .rubyTextContainer: break
    default: builder.text.writable().pointee.blockDirection = text.direction
    }
  }

  /// In Chromium, any element with a native appearance is an inline-block, or a block if it is block-level.
  private func fixDisplayWithAppearance() {
    let box = builder.box.current.pointee
    guard box.appearance != .none else { return }
    let display: Display
    switch box.display {
    case .inline, .inlineTable, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableColumnGroup, .tableColumn,
      .tableCell, .tableCaption:
      display = .inlineBlock
    case .listItem, .table: display = .block
    default: return
    }
    builder.box.writable().pointee.display = display
  }

  /// The contents of ruby containers, bases and annotations are inline-level, including the contents of inline boxes in them.
  ///
  /// https://drafts.csswg.org/css-ruby-1/#anon-gen-inlinize
  private func inlinify(in parent: ComputedStyle?) {
    let isInlinified = parent?.box.inlinifiesContents ?? false, display = builder.box.current.pointee.display
    if isInlinified, display.inlinified != display { builder.box.writable().pointee.display = display.inlinified }
    if display == .ruby || display == .rubyText || isInlinified && display == .inline {
      builder.box.writable().pointee.inlinifiesContents = true
    }
  }

  /// An inline box with a writing mode different from its parent's is an inline block. (Layout makes blocks independent, except if the root takes
  /// the writing mode of `body`.) https://drafts.csswg.org/css-writing-modes-4/#block-flow
  private func fixWritingMode() {
    guard context.parent.record != arena.initialStyle.record,
      builder.text.current.pointee.writingMode != context.parent.text.writingMode
    else { return }
    switch builder.box.current.pointee.display {
    case .tableRow, .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableColumn, .tableColumnGroup:
      // The property does not apply to internal table boxes, and Chromium does not propagate it from them.
      builder.text.writable().pointee.writingMode = context.parent.text.writingMode
    case .inline: builder.box.writable().pointee.display = .inlineBlock
    default: break
    }
  }
}

extension FontStyle {
  var isMonospace: Bool {
    guard families.count == 1, case .generic(let name) = families[0] else { return false }
    return name == "monospace"
  }

  mutating func collectFeatures() {
    variantFeatures = variantLigatures + variantCaps + variantNumeric + variantEastAsian + variantPosition
    features = variantFeatures + featureSettings
  }
}

extension Overflow {
  var isScrollable: Bool { self == .hidden || self == .scroll || self == .auto }
}

extension Display {
  /// Whether it has a `::marker`.
  package var isListItem: Bool {
    switch self {
    case .listItem, .inlineListItem, .flowRootListItem, .inlineFlowRootListItem: true
    default: false
    }
  }

  /// Whether it is an internal ruby display type. https://drafts.csswg.org/css-ruby-1/#ruby-display
  var isRuby: Bool {
    switch self {
    case .ruby, .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer: true
    default: false
    }
  }

  /// https://drafts.csswg.org/css-display-3/#inlinify
  var inlinified: Display {
    switch self {
    case .block, .flowRoot: .inlineBlock
    case .flex: .inlineFlex
    case .grid: .inlineGrid
    case .table: .inlineTable
    case .listItem: .inlineListItem
    case .flowRootListItem: .inlineFlowRootListItem
    case .webkitBox: .webkitInlineBox
    case .blockMath: .math
    default: self
    }
  }

  /// https://drafts.csswg.org/css-display-3/#blockify
  package var blockified: Display {
    switch self {
    case .inline, .inlineBlock: .block
    case .inlineFlex: .flex
    case .inlineGrid: .grid
    case .inlineTable: .table
    case .inlineListItem: .listItem
    case .inlineFlowRootListItem: .flowRootListItem
    case .webkitInlineBox: .webkitBox
    case .math: .blockMath
    case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumnGroup, .tableColumn, .tableCaption: .block
    case .ruby, .rubyBase, .rubyText, .rubyBaseContainer, .rubyTextContainer: .block
    case .none, .contents, .block, .flowRoot, .listItem, .flowRootListItem, .flex, .grid, .table, .webkitBox, .blockMath: self
    }
  }
}
