internal import OffprintCSS
internal import OffprintCoreTypes

/// The block offset on the page from which contents need not be laid out, because no ink of theirs can be in an image of fixed height.
///
/// In normal flow, boxes follow each other downward. What moves ink upward again is bounded over the whole page: negative margins and
/// offsets by their sum, shadows, outlines and glyphs by the largest of each. The bound is added to the height of the image. Boxes that may
/// move ink upward in another way, such as by a transform, and everything before them are laid out.
///
/// Layout stops only in boxes whose painting above the cutoff does not depend on their height (see `passesCutoff`).
struct LayoutCutoff {
  /// From the start of the initial containing block.
  let offset: LayoutUnit
  /// The last box that may move ink upward by any distance, or -1. Boxes are indexed in tree order.
  let lastUnbounded: Int
  /// The containing blocks of boxes that are positioned by their insets.
  let containers: Set<Int>

  /// Beyond this bound, in CSS px, layout would stop too late to be of use.
  private static let maximumBound = 20_000.0

  /// - Parameter height: The height of the image.
  init?(_ tree: BoxTree, height: LayoutUnit) {
    let styled = tree.styled
    guard styled.queryContainers.isEmpty, styled.timelineElements.isEmpty, !styled.hasScrollParts else { return nil }
    var bounds = InkBounds(tree)
    guard bounds.visitBoxes() else { return nil }
    let bound = bounds.upward + bounds.outset
    guard bound <= Self.maximumBound else { return nil }
    offset = height + LayoutUnit(ceiling: bound)
    lastUnbounded = bounds.lastUnbounded
    containers = bounds.containers
  }
}

/// The distances by which the boxes of a page can move ink upward.
private struct InkBounds {
  private let tree: BoxTree
  /// The sum of all distances by which boxes are moved upward, in CSS px.
  private(set) var upward = 0.0
  /// The maximum distance by which ink extends above a box, in CSS px.
  private(set) var outset = 0.0
  private(set) var containers: Set<Int> = []
  /// The last boxes that move ink by an unknown distance; that may be smaller than their contents; and that align overflowing contents at
  /// another edge than the top.
  private var lastUnboundedBox = -1, lastRestrictedContainer = -1, lastUpwardAlignment = -1
  /// By box: the nearest positioned box that is the box or an ancestor of it, without the initial containing block; -1 if absent.
  private var positioned: [Int]
  private var cached: (style: ComputedStyle, effect: StyleEffect)?
  private var current = 0

  /// What a style does to the bounds of each box that has it.
  private struct StyleEffect {
    var upward = 0.0
    var isBounded = true
    var alignsUpward = false
  }

  init(_ tree: BoxTree) {
    self.tree = tree
    positioned = Array(repeating: -1, count: tree.boxes.count)
  }

  /// Contents move upward by alignment only in a container smaller than they are.
  var lastUnbounded: Int { max(lastUnboundedBox, min(lastRestrictedContainer, lastUpwardAlignment)) }

  /// - Returns: Whether boxes are in tree order.
  mutating func visitBoxes() -> Bool {
    for index in tree.boxes.indices {
      let (parent, next) = (tree.boxes[index].parent, tree.boxes[index].nextSibling)
      guard parent.isNone || parent.index < index, next.isNone || next.index > index else { return false }
      visit(index)
    }
    return true
  }

  private mutating func noteUnbounded() { lastUnboundedBox = current }

  private mutating func visit(_ index: Int) {
    current = index
    let style = tree.boxes[index].style
    let parent = tree.boxes[index].parent
    let container = parent.isNone ? -1 : positioned[parent.index]
    positioned[index] = container
    if style.box.position != .static {
      visitPosition(tree.boxes[index], container)
      if index > 0 { positioned[index] = index }
    }
    // The parts of a split inline box, of which only some may be left out, are one containing block.
    let box = tree.boxes[index]
    if box.lacksStartEdge || box.lacksEndEdge || !box.splitInline.isNone { positioned[index] = -1 }
    visitKind(tree.boxes[index])
    let effect = effect(of: style)
    upward += effect.upward
    if !effect.isBounded { noteUnbounded() }
    if effect.alignsUpward { lastUpwardAlignment = index }
  }

  private mutating func effect(of style: ComputedStyle) -> StyleEffect {
    if let cached, cached.style == style { return cached.effect }
    let effect = visit(style)
    cached = (style, effect)
    return effect
  }

  // MARK: Positions

  /// - Parameter container: The nearest positioned ancestor.
  private mutating func visitPosition(_ box: Box, _ container: Int) {
    let style = box.style.box
    switch style.position {
    case .static: return
    case .sticky:
      // At the initial scroll position, only a bottom edge moves it upward.
      if !style.inset.bottom.isAuto { noteUnbounded() }
    case .relative: upward += relativeDistance(box.style)
    case .absolute, .fixed:
      guard style.positionArea == nil, style.positionTry == PositionTryStyle() else { return noteUnbounded() }
      visitOutOfFlow(box, container)
    }
  }

  /// https://drafts.csswg.org/css-position-3/#relpos-insets: `top` wins over `bottom`.
  private mutating func relativeDistance(_ style: ComputedStyle) -> Double {
    if !style.box.inset.top.isAuto { return distance(style.box.inset.top) }
    if style.box.inset.bottom.isAuto { return 0 }
    guard case .value(.length(let bottom)) = style.box.inset.bottom else {
      noteUnbounded()
      return 0
    }
    return Double(max(0, bottom))
  }

  /// An out-of-flow box starts at its static position, or below the start of its containing block. That may only be skipped if the containing
  /// block is skipped as well.
  private mutating func visitOutOfFlow(_ box: Box, _ container: Int) {
    let style = box.style.box
    if style.inset.top.isAuto {
      guard style.inset.bottom.isAuto else { return noteUnbounded() }
      let parent = box.parent.isNone ? BoxKind.blockContainer : tree[box.parent].kind
      if parent == .flexContainer || parent == .gridContainer { lastRestrictedContainer = current }
      return
    }
    let isCentered = !style.inset.bottom.isAuto && (style.margin.top.isAuto || style.margin.bottom.isAuto)
    guard style.position == .absolute, container >= 0, !isCentered, Self.startsAtTop(box.style.align.alignSelf) else {
      return noteUnbounded()
    }
    containers.insert(container)
    upward += distance(style.inset.top)
  }

  // MARK: Kinds

  private mutating func visitKind(_ box: Box) {
    switch box.kind {
    case .flexContainer, .gridContainer:
      if isRestricted(box) { lastRestrictedContainer = current }
    case .replaced:
      guard tree.replaced.indices.contains(Int(box.replaced)) else { return }
      switch tree.replaced[Int(box.replaced)].kind {
      case .drawing, .image, .gradient:
        if box.style.box.overflowX == .visible || box.style.box.overflowY == .visible { noteUnbounded() }
      default: break
      }
    default: break
    }
  }

  /// Whether a flex or grid container, or a row of one, may be smaller than its contents.
  private func isRestricted(_ box: Box) -> Bool {
    let style = box.style
    if style.box.aspectRatio != nil || !style.box.height.isAuto || style.box.maxHeight != .none { return true }
    if style.text.writingMode != .horizontalTb { return true }
    return box.kind == .gridContainer && (style.align.gridTemplateRows != .none || style.align.gridAutoRows != [.breadth(.auto)])
  }

  // MARK: Styles

  private mutating func visit(_ style: ComputedStyle) -> StyleEffect {
    var effect = StyleEffect(isBounded: isPlain(style), alignsUpward: Self.alignsUpward(style.align))
    if style.border.image.source != .none || !style.border.shapes.isEmpty || style.box.initialLetter != nil { effect.isBounded = false }
    // Glyphs can be higher than their line, by less than four times the size of their font.
    var ink = 4 * Double(style.font.size) + 8 + style.inkOutset
    if let offset = style.text.underlineOffset { ink += Self.length(offset, &effect) }
    if case .value(let thickness) = style.effects.textDecorationThickness { ink += Self.length(thickness, &effect) }
    outset = max(outset, ink, cornerHeight(style.border.radius))
    for margin in [style.box.margin.top, style.box.margin.bottom] {
      if let distance = Self.negative(margin) { effect.upward += distance } else { effect.isBounded = false }
    }
    return effect
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

  /// Whether a style has no effects that can move ink upward.
  private func isPlain(_ style: ComputedStyle) -> Bool {
    !style.effects.hasTransform && style.effects.perspective == nil && style.effects.transformStyle == .flat
      && style.effects.filter.isEmpty && style.effects.backdropFilter.isEmpty && style.effects.mixBlendMode == .normal
      && style.effects.reflection == nil && style.effects.maskBorder == nil
      && style.box.containerType == .normal && style.text.textFit == TextFit() && style.box.anchorNames.isEmpty
      && !style.box.scrollSnap.isInitialTarget
  }

  private static func alignsUpward(_ align: AlignStyle) -> Bool {
    if align.flexDirection == .columnReverse || align.flexWrap == .wrapReverse || align.webkitBox.isReverse { return true }
    if align.webkitBox.align != .stretch || align.webkitBox.pack != .start { return true }
    return !startsAtTop(align.alignItems) || !startsAtTop(align.alignSelf) || !startsAtTop(align.alignContent)
      || !startsAtTop(align.justifyContent) || !startsAtTop(align.justifyItems) || !startsAtTop(align.justifySelf)
  }

  /// Whether contents larger than their container overflow at its end only.
  private static func startsAtTop(_ alignment: Alignment) -> Bool {
    switch alignment.keyword {
    case .auto, .normal, .stretch, .baseline, .start, .selfStart, .flexStart, .left: true
    default: alignment.overflow == .safe
    }
  }

  /// The distance by which a margin or inset moves a box upward; nil if unknown.
  private static func negative(_ value: LengthPercentageAuto) -> Double? {
    switch value {
    case .auto: 0
    case .value(.length(let length)): Double(max(0, -length))
    case .value(.percentage(let percent)) where percent >= 0: 0
    case .value: nil
    }
  }

  private mutating func distance(_ inset: LengthPercentageAuto) -> Double {
    if let distance = Self.negative(inset) { return distance }
    noteUnbounded()
    return 0
  }

  private static func length(_ value: LengthPercentage, _ effect: inout StyleEffect) -> Double {
    if case .length(let length) = value { return Double(abs(length)) }
    effect.isBounded = false
    return 0
  }
}
