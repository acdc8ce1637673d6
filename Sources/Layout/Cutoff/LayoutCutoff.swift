internal import OffprintCSS
internal import OffprintCoreTypes

/// The block offset on the page from which contents need not be laid out, because no ink of theirs can be in an image of fixed height.
///
/// In normal flow, boxes follow each other downward. What moves ink upward again is bounded over the whole page: negative margins and
/// offsets by their sum, shadows, outlines and glyphs by the largest of each. The bound is added to the height of the image. If anything
/// else can move ink upward, such as a transform, the page has no cutoff.
///
/// Layout stops only in boxes whose painting above the cutoff does not depend on their height (see `passesCutoff`).
struct LayoutCutoff {
  private let tree: BoxTree
  /// The sum of all distances by which boxes are moved upward, in CSS px.
  private var upward = 0.0
  /// The maximum distance by which ink extends above a box, in CSS px.
  private var reach = 0.0
  private var isBounded = true
  /// Whether a flex or grid container may be smaller than its contents, and any alignment may move overflowing contents upward.
  private var hasRestrictedContainers = false, alignsUpward = false
  private var hasUnplacedBoxesInContainers = false
  /// By box: whether it has a positioned ancestor below the initial containing block, or is one.
  private var isInContainingBlock: [Bool]
  private var cached: (style: ComputedStyle, upward: Double)?

  /// Beyond this bound, in CSS px, layout stops too late to be of use.
  private static let maximumBound = 20_000.0

  /// The cutoff of an image of `height`; nil without one.
  static func offset(_ tree: BoxTree, height: LayoutUnit) -> LayoutUnit? {
    let styled = tree.styled
    guard styled.queryContainers.isEmpty, styled.timelineElements.isEmpty, !styled.hasScrollParts else { return nil }
    var cutoff = LayoutCutoff(tree)
    cutoff.visitBoxes()
    let bound = cutoff.upward + cutoff.reach
    guard cutoff.isBounded, bound <= maximumBound else { return nil }
    return height + LayoutUnit(ceiling: bound)
  }

  private init(_ tree: BoxTree) {
    self.tree = tree
    isInContainingBlock = Array(repeating: false, count: tree.boxes.count)
  }

  private mutating func visitBoxes() {
    for index in tree.boxes.indices {
      visit(index)
      guard isBounded else { return }
    }
    if alignsUpward, hasRestrictedContainers || hasUnplacedBoxesInContainers { isBounded = false }
  }

  private mutating func visit(_ index: Int) {
    let style = tree.boxes[index].style
    let parent = tree.boxes[index].parent
    let isContained = !parent.isNone && parent.index < index && isInContainingBlock[parent.index]
    if style.box.position != .static {
      visitPosition(tree.boxes[index], isContained: isContained)
      isInContainingBlock[index] = index > 0
    } else {
      isInContainingBlock[index] = isContained
    }
    // The parts of a split inline box, of which only some may be skipped, are one containing block.
    let box = tree.boxes[index]
    if box.lacksStartEdge || box.lacksEndEdge || !box.splitInline.isNone { isInContainingBlock[index] = false }
    visitKind(tree.boxes[index])
    if let cached, cached.style == style {
      upward += cached.upward
      return
    }
    let distance = visit(style)
    cached = (style, distance)
    upward += distance
  }

  // MARK: Positions

  private mutating func visitPosition(_ box: Box, isContained: Bool) {
    let style = box.style.box
    switch style.position {
    case .static: return
    case .sticky: isBounded = false
    case .relative: upward += relativeDistance(box.style)
    case .absolute, .fixed:
      guard style.positionArea == nil, style.positionTry == PositionTryStyle() else { return isBounded = false }
      visitOutOfFlow(box, isContained: isContained)
    }
  }

  /// https://drafts.csswg.org/css-position-3/#relpos-insets: `top` wins over `bottom`.
  private mutating func relativeDistance(_ style: ComputedStyle) -> Double {
    if !style.box.inset.top.isAuto { return negative(style.box.inset.top) }
    if style.box.inset.bottom.isAuto { return 0 }
    guard case .value(.length(let bottom)) = style.box.inset.bottom else {
      isBounded = false
      return 0
    }
    return Double(max(0, bottom))
  }

  /// An out-of-flow box starts at its static position, or below the start of its containing block. That may only be skipped if the containing
  /// block is skipped as well.
  private mutating func visitOutOfFlow(_ box: Box, isContained: Bool) {
    let style = box.style.box
    if style.inset.top.isAuto {
      guard style.inset.bottom.isAuto else { return isBounded = false }
      let parent = box.parent.isNone ? BoxKind.blockContainer : tree[box.parent].kind
      if parent == .flexContainer || parent == .gridContainer { hasUnplacedBoxesInContainers = true }
      return
    }
    let isCentered = !style.inset.bottom.isAuto && (style.margin.top.isAuto || style.margin.bottom.isAuto)
    guard style.position == .absolute, isContained, !isCentered, Self.startsAtTop(box.style.align.alignSelf) else {
      return isBounded = false
    }
    upward += negative(style.inset.top)
  }

  // MARK: Kinds

  private mutating func visitKind(_ box: Box) {
    switch box.kind {
    case .flexContainer, .gridContainer:
      if isRestricted(box) { hasRestrictedContainers = true }
    case .replaced:
      guard tree.replaced.indices.contains(Int(box.replaced)) else { return }
      switch tree.replaced[Int(box.replaced)].kind {
      case .drawing, .image, .gradient:
        if box.style.box.overflowX == .visible || box.style.box.overflowY == .visible { isBounded = false }
      default: break
      }
    default: break
    }
  }

  /// Whether a flex or grid container, or a row of one, may be smaller than its contents.
  private func isRestricted(_ box: Box) -> Bool {
    let style = box.style.box, align = box.style.align
    if style.aspectRatio != nil || !style.height.isAuto || style.maxHeight != .none { return true }
    if box.style.text.writingMode != .horizontalTb { return true }
    return box.kind == .gridContainer && (align.gridTemplateRows != .none || align.gridAutoRows != [.breadth(.auto)])
  }

  // MARK: Styles

  /// - Returns: The distance by which the margins of a box with this style move contents upward.
  private mutating func visit(_ style: ComputedStyle) -> Double {
    visitEffects(style)
    visitAlignment(style)
    let border = style.border
    if border.image.source != .none || !border.shapes.isEmpty || style.box.initialLetter != nil { isBounded = false }
    var ink = 4 * Double(style.font.size) + 8 + 2 * Double(style.text.strokeWidth)
    for shadow in style.background.boxShadow + style.text.textShadow {
      ink = max(ink, Double(abs(shadow.y)) + 2 * Double(abs(shadow.blur)) + Double(abs(shadow.spread)) + 4)
    }
    if border.outlineWidth > 0 { ink = max(ink, Double(border.outlineWidth) + Double(abs(border.outlineOffset)) + 8) }
    if let offset = style.text.underlineOffset { ink += decorationDistance(offset) }
    if case .value(let thickness) = style.effects.textDecorationThickness { ink += decorationDistance(thickness) }
    reach = max(reach, ink, cornerHeight(border.radius))
    return negative(style.box.margin.top) + negative(style.box.margin.bottom)
  }

  /// The height below which corners of a box are scaled. https://drafts.csswg.org/css-backgrounds-3/#corner-overlap
  ///
  /// A box that is visible in the image and continues to the cutoff is at least as high.
  private func cornerHeight(_ radius: PhysicalCorners<CornerRadius>) -> Double {
    func height(_ corner: CornerRadius) -> Double {
      if case .length(let height) = corner.vertical { Double(height) } else { 0 }
    }
    return max(height(radius.topLeft) + height(radius.bottomLeft), height(radius.topRight) + height(radius.bottomRight))
  }

  private mutating func visitEffects(_ style: ComputedStyle) {
    let effects = style.effects
    let isPlain =
      !effects.hasTransform && effects.perspective == nil && effects.transformStyle == .flat && effects.filter.isEmpty
      && effects.backdropFilter.isEmpty && effects.mixBlendMode == .normal && effects.reflection == nil && effects.maskBorder == nil
    let isSimple = style.box.containerType == .normal && style.text.textFit == TextFit() && style.box.anchorNames.isEmpty
    if !isPlain || !isSimple || style.box.scrollSnap.isInitialTarget { isBounded = false }
  }

  private mutating func visitAlignment(_ style: ComputedStyle) {
    let align = style.align
    let isReversed = align.flexDirection == .columnReverse || align.flexWrap == .wrapReverse || align.webkitBox.isReverse
    let isAtTop =
      Self.startsAtTop(align.alignItems) && Self.startsAtTop(align.alignSelf) && Self.startsAtTop(align.alignContent)
      && Self.startsAtTop(align.justifyContent) && Self.startsAtTop(align.justifyItems) && Self.startsAtTop(align.justifySelf)
    let isBoxAtTop = align.webkitBox.align == .stretch && align.webkitBox.pack == .start
    if isReversed || !isAtTop || !isBoxAtTop { alignsUpward = true }
  }

  /// Whether contents larger than their container overflow at its end only.
  private static func startsAtTop(_ alignment: Alignment) -> Bool {
    switch alignment.keyword {
    case .auto, .normal, .stretch, .baseline, .start, .selfStart, .flexStart, .left: true
    default: alignment.overflow == .safe
    }
  }

  private mutating func negative(_ value: LengthPercentageAuto) -> Double {
    switch value {
    case .auto: return 0
    case .value(.length(let length)): return Double(max(0, -length))
    case .value(.percentage(let percent)) where percent >= 0: return 0
    case .value:
      isBounded = false
      return 0
    }
  }

  private mutating func decorationDistance(_ value: LengthPercentage) -> Double {
    if case .length(let length) = value { return Double(abs(length)) }
    isBounded = false
    return 0
  }
}
