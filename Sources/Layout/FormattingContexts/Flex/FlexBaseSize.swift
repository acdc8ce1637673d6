import OffprintCSS
import OffprintCoreTypes

// §9.2 Line length determination. https://drafts.csswg.org/css-flexbox-1/#line-sizing

extension FlexContainer {
  mutating func determineMainSizes() throws {
    // Copies each item out of the array: mutating it in place while the container is read would copy the array.
    for index in items.indices {
      try engine.tick()
      var item = items[index]
      try determineMainSizes(&item)
      items[index] = item
    }
  }

  /// Determines the flex base size, the minimum and maximum main sizes (including the automatic minimum) and the hypothetical main size.
  private func determineMainSizes(_ item: inout FlexItem) throws {
    item.crossLimits = try crossLimits(item)
    item.definiteCross = try definiteCrossSize(item)
    try determineFlexBaseSize(&item)
    try determineMainLimits(&item)
    item.hypothetical = max(item.clampMain(item.base), item.mainEdges)
  }

  // MARK: Values by axis

  private func sizes(_ item: FlexItem) -> Sizing.LogicalSizes { Sizing.LogicalSizes(item.style) }

  func mainValue(_ item: FlexItem) -> SizeValue { item.isMainInline ? sizes(item).inline : sizes(item).block }
  func crossValue(_ item: FlexItem) -> SizeValue { item.isMainInline ? sizes(item).block : sizes(item).inline }

  /// The border-box size for a value in the item's inline or block axis; nil for `auto` and percentages without a basis.
  private func resolve(_ value: SizeValue, _ item: FlexItem, isInline: Bool) throws -> LayoutUnit? {
    var input = itemInput(item)
    if isInline {
      if case .fitContent = value, item.isMainInline { input.fixedBlock = item.definiteCross }
      return try Sizing.resolveInline(value, engine, item.box, input, edges: item.edges)
    }
    // https://drafts.csswg.org/css-sizing-3/#sizing-values: in the block axis content-based keywords are the content size.
    guard Sizing.isContentKeyword(value) else { return Sizing.resolveBlock(value, engine, item.box, input, edges: item.edges) }
    if item.isMainInline || value == .content { return nil }
    return Sizing.ofContents(value, try contentBlockSize(item), item.style, input, edges: item.edges)
  }

  func resolveMain(_ value: SizeValue, _ item: FlexItem) throws -> LayoutUnit? { try resolve(value, item, isInline: item.isMainInline) }
  func resolveCross(_ value: SizeValue, _ item: FlexItem) throws -> LayoutUnit? { try resolve(value, item, isInline: !item.isMainInline) }

  // MARK: Cross size before layout

  private func crossLimits(_ item: FlexItem) throws -> (min: LayoutUnit, max: LayoutUnit) {
    let sizes = sizes(item)
    let (minimum, maximum) = item.isMainInline ? (sizes.minBlock, sizes.maxBlock) : (sizes.minInline, sizes.maxInline)
    let low = max(try resolveCross(minimum, item) ?? .zero, item.crossEdges)
    return (low, max(low, try resolveCross(maximum, item) ?? .max))
  }

  /// Whether the item's `auto` cross size stretches to its line. https://drafts.csswg.org/css-flexbox-1/#stretched
  func stretches(_ item: FlexItem) -> Bool {
    // The `stretch` keyword fills the line whatever the alignment.
    if crossValue(item).isStretch { return true }
    guard item.alignment == .stretch, !item.hasAutoCrossMargin else { return false }
    return crossValue(item).isAuto
  }

  /// https://drafts.csswg.org/css-flexbox-1/#definite-sizes, points 1 and 3
  private func definiteCrossSize(_ item: FlexItem) throws -> LayoutUnit? {
    if let size = try resolveCross(crossValue(item), item) { return item.clampCross(size) }
    guard !isMultiLine, stretches(item), let available = definiteCross else { return nil }
    return item.clampCross(max(available - item.margin.crossSum, item.crossEdges))
  }

  // MARK: Flex base size

  /// https://drafts.csswg.org/css-flexbox-1/#algo-main-item
  private func determineFlexBaseSize(_ item: inout FlexItem) throws {
    var basis = item.style.align.flexBasis
    if basis.isAuto { basis = mainValue(item) }
    let ratio = Sizing.preferredAspectRatio(engine, item.box)
    // With an aspect ratio the block-axis content size is the transferred size.
    let isFromRatio = ratio != nil && item.definiteCross != nil && !item.isMainInline && Sizing.isContentKeyword(basis)
    // A. A definite used flex basis.
    if !isFromRatio, let size = try resolveMain(basis, item) {
      item.base = max(size, item.mainEdges)
      item.hasDefiniteBasis = item.isMainInline || !Sizing.isContentKeyword(basis)
    } else if let ratio, let cross = item.definiteCross {
      // B. An aspect ratio and a definite cross size.
      item.base = transferred(cross, item, ratio)
      item.hasDefiniteBasis = true
    } else {
      // C. to E. The max-content size (inline axis), or the size as laid out (block axis).
      item.base = transferClamped(try contentMainSize(item).max, item)
    }
  }

  /// The min-content and max-content sizes in the main axis.
  private func contentMainSize(_ item: FlexItem) throws -> MinMaxSizes {
    if item.isMainInline {
      var input = itemInput(item)
      input.fixedBlock = item.definiteCross
      if item.definiteCross == nil, ReplacedLayout.hasRatioAlone(engine, item.box) {
        // A percentage of an indefinite size: use the width without the ratio.
        if input.availableInline == nil, case .value(let length) = mainValue(item), length.hasPercentage {
          return MinMaxSizes(min: item.mainEdges, max: item.direction.logical(ReplacedLayout.defaultSize).inline + item.mainEdges)
        }
        // Both content sizes are the stretch-fit size, so the item does not shrink because of others on its line.
        // https://drafts.csswg.org/css-sizing-3/#intrinsic-sizes
        let room = Sizing.stretchInline(engine, item.box, input, edges: item.edges) ?? item.mainEdges
        return MinMaxSizes(min: room, max: room)
      }
      var sizes = try engine.intrinsicSizes(item.box, input)
      // Chromium limits the max-content size of items of a `-webkit-box` to its main size.
      if isWebkitBox, let room = definiteMain { sizes.max = max(sizes.min, min(sizes.max, room - item.margin.mainSum)) }
      return sizes
    }
    let size = try contentBlockSize(item)
    return MinMaxSizes(min: size, max: size)
  }

  /// The block size of an item's contents, laid out with an `auto` block size, without a basis for percentages. If the item's own block
  /// size is a content-based keyword, it refers to this size, so the contents cannot depend on it.
  private func contentBlockSize(_ item: FlexItem) throws -> LayoutUnit {
    if !mainValue(item).isAuto, let size = ReplacedLayout.blockSizeWithoutRatio(engine, item.box) { return size + item.mainEdges }
    var input = itemInput(item)
    input.availableBlock = nil
    input.percentageBlock = nil
    input.fixedInline = item.definiteCross
    let isAuto = mainValue(item).isAuto
    if !isAuto, let specified = Sizing.resolveBlock(mainValue(item), engine, item.box, itemInput(item), edges: item.edges) {
      // The specified size must not be a percentage basis for the contents.
      input.fixedBlock = specified
      input.fixedBlockIsDefinite = false
    }
    let result = try engine.measured(item.box, input)
    if isAuto, item.definiteCross == nil, Sizing.preferredAspectRatio(engine, item.box) != nil {
      return max(result.intrinsicBlock, item.direction.logical(result.size).block)
    }
    return result.intrinsicBlock
  }

  private func transferred(_ cross: LayoutUnit, _ item: FlexItem, _ ratio: Sizing.Ratio) -> LayoutUnit {
    item.isMainInline
      ? Sizing.inline(fromBlock: cross, ratio: ratio, item.style, edges: item.edges)
      : Sizing.block(fromInline: cross, ratio: ratio, item.style, edges: item.edges)
  }

  /// Clamps a size by the cross-axis minimum and maximum, transferred through the aspect ratio.
  /// https://drafts.csswg.org/css-sizing-4/#aspect-ratio-size-transfers
  private func transferClamped(_ size: LayoutUnit, _ item: FlexItem) -> LayoutUnit {
    guard let ratio = Sizing.preferredAspectRatio(engine, item.box) else { return size }
    var size = size
    if item.crossLimits.max != .max { size = min(size, transferred(item.crossLimits.max, item, ratio)) }
    if item.crossLimits.min > item.crossEdges { size = max(size, transferred(item.crossLimits.min, item, ratio)) }
    return size
  }

  // MARK: Minimum and maximum

  private func determineMainLimits(_ item: inout FlexItem) throws {
    let sizes = sizes(item)
    let (minimum, maximum) = item.isMainInline ? (sizes.minInline, sizes.maxInline) : (sizes.minBlock, sizes.maxBlock)
    let high = try resolveMain(maximum, item) ?? .max
    var low: LayoutUnit
    if minimum.isAuto {
      low = Sizing.isScrollContainer(item.style) ? item.mainEdges : try automaticMinimum(item, maximum: high)
    } else {
      low = try resolveMain(minimum, item) ?? item.mainEdges
    }
    // Tables are never narrower than their min-content size.
    if engine.tree[item.box].kind == .tableWrapper { low = max(low, try contentMainSize(item).min) }
    low = max(low, item.mainEdges)
    item.mainLimits = (low, max(low, high))
  }

  /// https://drafts.csswg.org/css-flexbox-1/#min-size-auto
  private func automaticMinimum(_ item: FlexItem, maximum: LayoutUnit) throws -> LayoutUnit {
    if engine.tree.isGauge(item.box) { return item.mainEdges }
    if let compressed = compressedSize(item) { return min(max(compressed, item.mainEdges), maximum) }
    var specified: LayoutUnit?
    if case .value = mainValue(item) { specified = try resolveMain(mainValue(item), item) }
    // The automatic minimum is at most the specified size.
    if let known = specified, known <= item.mainEdges { return item.mainEdges }
    var content = try contentMainSize(item).min
    if let known = specified {
      content = min(known, transferClamped(content, item))
    } else if let ratio = Sizing.preferredAspectRatio(engine, item.box), let cross = item.definiteCross {
      let size = transferred(cross, item, ratio)
      // With a definite cross size, the transferred size replaces the min-content size, except for replaced elements.
      let isReplaced = engine.tree[item.box].kind == .replaced
      content = isReplaced ? min(size, content) : item.isMainInline ? max(size, content) : content
      content = transferClamped(content, item)
    } else {
      content = transferClamped(content, item)
    }
    return min(content, maximum)
  }

  /// The specified size of controls whose percentages are treated as zero. https://drafts.csswg.org/css-sizing-3/#min-content-zero
  private func compressedSize(_ item: FlexItem) -> LayoutUnit? {
    guard engine.tree[item.box].control != .none || engine.tree.isDrawnControl(item.box) else { return nil }
    guard case .value(let length) = mainValue(item), Sizing.isCompressible(engine, item.box, mainValue(item)) else { return nil }
    return Sizing.borderBox(length.resolve(.zero), item.style, edges: item.mainEdges)
  }
}
