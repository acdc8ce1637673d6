internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Initial letters spanning several lines. https://drafts.csswg.org/css-inline-3/#initial-letter-styling
///
/// The box has the size of the letter's ink. The capitals extend from the cap height of the first line to the baseline of a following line.
enum InitialLetterLayout {
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    let style = engine.style(box)
    let edges = Sizing.border(style) + Sizing.padding(style, percentageBasis: input.percentageMargin)
    prepare(engine, box)
    let natural = try InlineFormattingContext.intrinsicSizes(engine, box, input).max
    let container = FloatContainer(
      direction: WritingDirection(style), lineLeft: .zero, inlineSize: natural, percentageBlock: nil, availableBlock: nil)
    let content = try InlineFormattingContext.layout(
      engine, box,
      InlineFormattingContext.Context(
        container: container, blockOffset: .zero, exclusions: ExclusionSpace(), isMeasure: input.isMeasure))
    let ink = ink(engine, box), indent = indent(style), direction = WritingDirection(style), sides = direction.logical(edges)
    let ascent = LayoutUnit(ink.ascent)
    let size = direction.physical(
      LogicalSize(
        inline: indent + LayoutUnit(ink.width) + sides.inlineSum, block: LayoutUnit(ink.height) + sides.blockSum))
    let lineLeft = (direction.isHorizontal ? edges.left : direction.mode == .sidewaysLr ? edges.bottom : edges.top) - LayoutUnit(ink.left)
    let blockShift = sides.blockStart - inkStart(engine, box, ink, baseline: content.firstBaseline ?? ascent)
    let links = content.items.compactMap { item in
      item.link.map { link in
        let (left, block) = (item.lineLeft + lineLeft, item.blockOffset + blockShift)
        let offset =
          direction.isHorizontal
          ? LayoutPoint(x: left, y: block)
          : LayoutPoint(
            x: direction.isFlippedBlocks ? size.width - block - item.size.width : block,
            y: direction.mode == .sidewaysLr ? size.height - left - item.size.height : left)
        return FragmentLink(fragment: link.fragment, offset: offset)
      }
    }
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    fragment.border = Sizing.border(style)
    fragment.padding = Sizing.padding(style, percentageBasis: input.percentageMargin)
    fragment.baseline = sides.blockStart + ascent
    let fragmentID = engine.append(fragment, children: links)
    var result = LayoutResult(fragment: fragmentID, size: size, intrinsicBlock: direction.logical(size).block)
    result.firstBaseline = sides.blockStart + ascent
    result.lastBaseline = result.firstBaseline
    return result
  }

  /// The block-start edge of the ink in the letter's own line, whose baseline may be central, and whose over side is the end in
  /// `vertical-lr`.
  private static func inkStart(_ engine: LayoutEngine, _ box: BoxID, _ ink: InkBounds, baseline: LayoutUnit) -> LayoutUnit {
    let style = engine.style(box), ascent = LayoutUnit(ink.ascent), font = engine.inlineFont(style).height
    let lower = LineMetrics.isCentral(style) ? (font.ascent - font.descent) / 2 : .zero
    guard style.text.writingMode == .verticalLr else { return baseline + lower - ascent }
    return baseline - lower - (LayoutUnit(ink.height) - ascent)
  }

  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let style = engine.style(box)
    let edges = Sizing.border(style) + Sizing.padding(style, percentageBasis: input.percentageMargin)
    prepare(engine, box)
    let width = indent(style) + LayoutUnit(ink(engine, box).width) + WritingDirection(style).logical(edges).inlineSum
    return MinMaxSizes(min: width, max: width)
  }

  /// The ink left of the letter's origin, which overflows the line so that the origin is at the line's start. Chromium does this for
  /// left-to-right letters without borders and padding.
  static func bearing(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit {
    let style = engine.style(box)
    let edges = Sizing.border(style) + Sizing.padding(style, percentageBasis: .zero)
    guard style.text.direction == .ltr, edges == .zero else { return .zero }
    prepare(engine, box)
    return min(.zero, LayoutUnit(ink(engine, box).left))
  }

  /// The indent of the first line, which applies to the letter too.
  private static func indent(_ style: ComputedStyle) -> LayoutUnit {
    style.text.textIndentHanging ? .zero : style.text.textIndent.resolve(LayoutUnit.zero)
  }

  /// The style of the block container that has the letter. It is outside ruby that contains the letter.
  static func paragraph(_ engine: LayoutEngine, _ letter: BoxID) -> ComputedStyle {
    var box = engine.tree[letter].parent
    while !box.isNone, engine.tree[box].kind == .inline || isInRuby(engine, box) { box = engine.tree[box].parent }
    return box.isNone ? engine.style(letter) : engine.style(box)
  }

  /// Whether a box is a ruby column, a base or an annotation.
  private static func isInRuby(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    let parent = engine.tree[box].parent
    return engine.tree[box].isRubyColumn || !parent.isNone && engine.tree[parent].isRubyColumn
  }

  /// Shapes the letter at the size at which its capitals span the lines.
  private static func prepare(_ engine: LayoutEngine, _ box: BoxID) {
    let style = engine.style(box)
    guard engine.inlineCache.items[box] == nil, let letter = style.box.initialLetter else { return }
    let lines = engine.inlineFont(paragraph(engine, box))
    var font = style.font
    if !keepsAdjustedSize(font) { font.size = fontSize(letter, lines, own: engine.inlineFont(style).metrics, computed: font.size) }
    font.lineHeight = .normal
    let scaled = engine.tree.arena.modified(style) { $0.font = engine.tree.arena.allocate(font) }
    var builder = InlineItemsBuilder(engine, box, firstLine: scaled)
    engine.inlineCache.items[box] = builder.build()
  }

  /// Whether the size from `font-size-adjust` is used. In Chromium it replaces the size of an initial letter, unless the first family is
  /// generic.
  private static func keepsAdjustedSize(_ font: OffprintCSS.FontStyle) -> Bool {
    if case .generic = font.families.first { return false }
    return font.sizeAdjust != nil
  }

  /// https://drafts.csswg.org/css-inline-3/#sizing-drop-initials. Chromium reduces the size in steps of 1 px while the capitals are too
  /// high.
  private static func fontSize(_ letter: InitialLetter, _ lines: InlineFont, own: FontMetrics, computed: Float) -> Float {
    let paragraph = CapHeight(lines.metrics), capitals = CapHeight(own)
    let height = lines.lineHeight.float * (letter.size - 1) + paragraph.height(atUsed: lines.metrics.size)
    let known = capitals.height(atUsed: own.size)
    var size = known > 0 ? height * computed / known : height / 0.7
    size = min(max(size, 0), 10_000)
    for _ in 0..<4 where size > 1 && capitals.height(at: size) > height { size -= 1 }
    return CapHeight.used(size)
  }

  /// The cap height of a face, computed like Chromium's: font sizes are whole hundredths of a pixel.
  private struct CapHeight {
    let units: Float
    let unitsPerEm: Float

    init(_ metrics: FontMetrics) {
      unitsPerEm = max(metrics.unitsPerEm, 1)
      units = metrics.size > 0 ? (metrics.capHeight / metrics.size * unitsPerEm).rounded() : 0
    }

    static func used(_ size: Float) -> Float { (size * 100).rounded(.down) / 100 }

    func height(at size: Float) -> Float { height(atUsed: CapHeight.used(size)) }

    func height(atUsed size: Float) -> Float { size * units / unitsPerEm }
  }

  /// The bounds of all glyphs, each rounded to whole px, relative to the origin of the first.
  private static func ink(_ engine: LayoutEngine, _ box: BoxID) -> InkBounds {
    var result: InkBounds?
    var pen: Float = 0
    for run in InlineFormattingContext.items(engine, box).runs {
      for segment in run.segments {
        for index in segment.glyphs where run.glyphs.indices.contains(index) && run.positions.indices.contains(index) {
          let glyph = run.glyphs[index]
          let own = engine.fonts.ink(glyph.glyph, segment.face, size: segment.size)
          guard own.height > 0 || own.width > 0 else { continue }
          let x = pen + run.positions[index] + glyph.xOffset
          var known = result ?? InkBounds()
          known.left = result == nil ? x + own.left : min(known.left, x + own.left)
          known.right = result == nil ? x + own.right : max(known.right, x + own.right)
          known.ascent = result == nil ? own.ascent : max(known.ascent, own.ascent)
          known.descent = result == nil ? own.descent : max(known.descent, own.descent)
          result = known
        }
      }
      pen += run.width
    }
    return result ?? InkBounds()
  }
}

extension InitialLetter {
  fileprivate var lines: Int { Int(size.rounded(.up)) }

  fileprivate var sunkenLines: Int {
    switch sink {
    case .drop: lines
    case .raise: 1
    case .lines(let sink): sink
    }
  }
}

extension LineBuilder {
  /// The distance that the first line moves down because the letter extends above it.
  var initialLetterRaise: LayoutUnit {
    guard let letter = initialLetterValue else { return .zero }
    return letterLineHeight * Double(max(0, letter.lines - letter.sunkenLines))
  }

  private var letterAtomic: AtomicInline? { initialLetter.map { atomics[line.pieces[leaves[$0].piece].atomic] } }
  private var initialLetterBox: BoxID? { initialLetter.map { data.items[line.pieces[leaves[$0].piece].item].box } }
  private var initialLetterValue: InitialLetter? { initialLetterBox.flatMap { engine.style($0).box.initialLetter } }
  private var letterLineHeight: LayoutUnit { engine.inlineFont(style).lineHeight }

  /// Aligns the letter's baseline with that of the line it sinks to, in lines of the paragraph's font from the top of the line. The letter
  /// does not affect the extents of this line.
  ///
  /// https://drafts.csswg.org/css-inline-3/#initial-letter-align
  mutating func alignInitialLetter() {
    guard let index = initialLetter, let letter = initialLetterValue, let atomic = letterAtomic else { return }
    let block = atomic.size.block
    var top = letterLineHeight * Double(letter.size) - (atomic.result.firstBaseline ?? block) - metrics.states[0].strut.descent
    if letter.lines < letter.sunkenLines { top = letterLineHeight * Double(letter.sunkenLines) - block }
    leaves[index].isLineRelative = true
    let start = top - initialLetterRaise
    // Leaves are positioned relative to the line-over side, which is the block-end edge in `vertical-lr`.
    leaves[index].metrics.ascent = isFlippedLine ? start + block - height.descent : height.ascent - start
    leaves[index].metrics.descent = block - leaves[index].metrics.ascent
  }

  /// The block-end margin edge of the letter, from the top of the line.
  private var letterEnd: LayoutUnit? {
    guard let index = initialLetter else { return nil }
    let atomic = atomics[line.pieces[leaves[index].piece].atomic]
    let start =
      isFlippedLine ? leaves[index].metrics.ascent - atomic.size.block + height.descent : height.ascent - leaves[index].metrics.ascent
    return start + atomic.margin.blockStart + atomic.size.block + atomic.margin.blockEnd
  }

  private var isFlippedLine: Bool { container.direction.mode == .verticalLr }

  /// The block size of the line, including the overflow of an initial letter below it. Floats must not intersect either.
  var reachedBlockSize: LayoutUnit { max(blockSize, letterEnd ?? .zero) }

  /// https://drafts.csswg.org/css-inline-3/#initial-letter-exclusions
  func excludeInitialLetter(lineTop: LayoutUnit, from space: inout ExclusionSpace) {
    guard let index = initialLetter, let end = letterEnd else { return }
    let left = container.lineLeft + leaves[index].lineLeft
    space.add(
      letter: ExclusionSpace.Exclusion(
        lineLeft: left, lineRight: left + leaves[index].inlineSize.clampedToZero, blockStart: lineTop - initialLetterRaise,
        blockEnd: lineTop + end, side: container.direction.isRTL ? .right : .left))
  }
}

extension InlineLayout {
  /// The offset below which a block with an initial letter starts, to clear the letters of preceding blocks.
  ///
  /// https://drafts.csswg.org/css-inline-3/#short-para-initial-letter
  var letterClearance: LayoutUnit {
    let ends = breaker.exclusions.letterEnd
    guard result.lineCount == 0, max(ends.left, ends.right) != .min else { return .min }
    let hasLetter = data.items.contains { $0.kind == .atomic && engine.tree[$0.box].specialLayout == .initialLetter }
    if hasLetter { return max(ends.left, ends.right) }
    switch style.box.clear {
    case .none: return .min
    case .left: return ends.left
    case .right: return ends.right
    case .both: return max(ends.left, ends.right)
    }
  }
}
