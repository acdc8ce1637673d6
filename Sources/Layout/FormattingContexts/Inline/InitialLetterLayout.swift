internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Letters as high as several lines. https://drafts.csswg.org/css-inline-3/#initial-letter-styling
///
/// The box is as large as the letter's ink; the letter's capitals reach from those of the first line down to a baseline of another.
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
    let ink = ink(engine, box), indent = indent(style)
    let ascent = LayoutUnit(ink.ascent)
    let shift = LayoutPoint(x: edges.left - LayoutUnit(ink.left), y: edges.top + ascent - (content.firstBaseline ?? ascent))
    let links = content.items.compactMap { item in
      item.link.map { FragmentLink(fragment: $0.fragment, offset: LayoutPoint(x: item.lineLeft, y: item.blockOffset) + shift) }
    }
    let size = LayoutSize(
      width: indent + LayoutUnit(ink.width) + edges.left + edges.right, height: LayoutUnit(ink.height) + edges.top + edges.bottom)
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    fragment.border = Sizing.border(style)
    fragment.padding = Sizing.padding(style, percentageBasis: input.percentageMargin)
    fragment.baseline = edges.top + ascent
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: size.height)
    result.firstBaseline = edges.top + ascent
    result.lastBaseline = result.firstBaseline
    return result
  }

  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let style = engine.style(box)
    let edges = Sizing.border(style) + Sizing.padding(style, percentageBasis: input.percentageMargin)
    prepare(engine, box)
    let width = indent(style) + LayoutUnit(ink(engine, box).width) + edges.left + edges.right
    return MinMaxSizes(min: width, max: width)
  }

  /// The indent of the first line is the letter's too.
  private static func indent(_ style: ComputedStyle) -> LayoutUnit {
    style.text.textIndentHanging ? .zero : style.text.textIndent.resolve(LayoutUnit.zero)
  }

  /// The block container whose line the letter is in.
  static func paragraph(_ engine: LayoutEngine, _ letter: BoxID) -> ComputedStyle {
    var box = engine.tree[letter].parent
    while !box.isNone, engine.tree[box].kind == .inline { box = engine.tree[box].parent }
    return box.isNone ? engine.style(letter) : engine.style(box)
  }

  /// Shapes the letter in the size that makes its capitals reach over the lines.
  private static func prepare(_ engine: LayoutEngine, _ box: BoxID) {
    let style = engine.style(box)
    guard engine.inlineCache.items[box] == nil, let letter = style.box.initialLetter else { return }
    let lines = engine.inlineFont(paragraph(engine, box)), own = engine.inlineFont(style).metrics
    let height = lines.lineHeight.float * (letter.size - 1) + lines.metrics.capHeight
    let ratio = own.capHeight > 0 && own.size > 0 ? own.capHeight / own.size : 0.7
    var font = style.font
    font.size = min(max(height / ratio, 0), 10_000)
    font.lineHeight = .normal
    let scaled = engine.tree.arena.modified(style) { $0.font = engine.tree.arena.allocate(font) }
    var builder = InlineItemsBuilder(engine, box, firstLine: scaled)
    engine.inlineCache.items[box] = builder.build()
  }

  /// Around all glyphs, in whole px, from the origin of the first.
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
          known.left = result == nil ? (x + own.left).rounded(.down) : min(known.left, (x + own.left).rounded(.down))
          known.right = result == nil ? (x + own.right).rounded(.up) : max(known.right, (x + own.right).rounded(.up))
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

extension LineBuilder {
  /// How many lines the first line stands lower, because the letter reaches above it.
  var initialLetterRaise: LayoutUnit {
    guard let letter = initialLetterValue else { return .zero }
    switch letter.sink {
    case .drop: return .zero
    case .raise: return letterLineHeight * Double(letter.size.rounded(.up) - 1)
    case .lines(let sink): return letterLineHeight * Double(max(0, letter.size.rounded(.up) - Float(sink)))
    }
  }

  private var initialLetterBox: BoxID? { initialLetter.map { data.items[line.pieces[leaves[$0].piece].item].box } }
  private var initialLetterValue: InitialLetter? { initialLetterBox.flatMap { engine.style($0).box.initialLetter } }
  private var letterLineHeight: LayoutUnit { engine.inlineFont(style).lineHeight }

  /// Puts the letter's baseline on that of the line it sinks to; its extents do not count for this line's.
  ///
  /// https://drafts.csswg.org/css-inline-3/#initial-letter-align
  mutating func alignInitialLetter() {
    guard let index = initialLetter, let letter = initialLetterValue else { return }
    let atomic = atomics[line.pieces[leaves[index].piece].atomic]
    var below = letterLineHeight * Double(letter.size - 1) - initialLetterRaise
    if case .lines(let sink) = letter.sink, Float(sink) > letter.size { below += letterLineHeight * Double(Float(sink) - letter.size) }
    leaves[index].isLineRelative = true
    leaves[index].metrics.ascent = (atomic.result.firstBaseline ?? atomic.size.block) - below
    leaves[index].metrics.descent = atomic.size.block - leaves[index].metrics.ascent
  }

  /// How far the letter's margin box reaches from the line's top.
  private var letterEnd: LayoutUnit? {
    guard let index = initialLetter else { return nil }
    let atomic = atomics[line.pieces[leaves[index].piece].atomic]
    return height.ascent - leaves[index].metrics.ascent + atomic.margin.blockStart + atomic.size.block + atomic.margin.blockEnd
  }

  /// The line's block size, and what of an initial letter sticks out below: floats may be in the way of neither.
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
