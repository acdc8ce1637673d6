internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// The extents of a ruby column relative to its baseline, by em boxes.
struct RubyExtents: Sendable, Hashable {
  var over: LayoutUnit
  var under: LayoutUnit
  /// The parts of the column's sides that may overlap adjacent text.
  var overhang = Overhang()
  /// Set if the column has an annotation.
  var column: Column?
  /// The extents of the base relative to its baseline.
  var base = FontHeight.none

  struct Overhang: Hashable {
    var start = LayoutUnit.zero
    var end = LayoutUnit.zero
  }

  struct Column: Hashable {
    /// The extents of the base relative to its baseline (none if empty), and the em box of the annotation relative to its own.
    var base: FontHeight
    var annotation: FontHeight
    var isUnder: Bool
    /// The distance between the baselines of base and annotation in the column itself.
    var ownDistance: LayoutUnit

    /// The distance on a line of aligned annotations.
    var distance: LayoutUnit { isUnder ? base.descent + annotation.ascent : base.ascent + annotation.descent }
  }

  init(over: LayoutUnit, under: LayoutUnit) {
    (self.over, self.under) = (over, under)
  }

  /// In Chromium a base only reserves space on the side of the annotation.
  init(_ base: FontHeight, isUnder: Bool) {
    self.init(over: isUnder ? .min : base.ascent, under: isUnder ? base.descent : .min)
    self.base = base
  }
}

/// Layout of a ruby base with an annotation over or under it. https://drafts.csswg.org/css-ruby-1/#ruby-layout
///
/// The column's box and baseline are those of the base. The annotation overflows it.
enum RubyLayout {
  private struct Part {
    var box: BoxID
    var result: LayoutResult
    var size: LogicalSize
    var offset = LayoutUnit.zero
    /// The extents relative to the part's baseline.
    var em: FontHeight
    /// Whether there are no texts and boxes.
    var isEmpty = false
    /// Relative to the line-over edge.
    var baseline: LayoutUnit
    /// The number of justification opportunities.
    var gaps: Int
  }

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    try layout(engine, box) { part, inline, isBase in
      try self.part(engine, part, WritingDirection(engine.style(box)), inline: inline, isBase: isBase)
    }
  }

  /// The part of a broken column on a line: from a position to the end, or to `cut`.
  static func layout(_ engine: LayoutEngine, _ box: BoxID, from place: RubyPosition, cut: RubyCut?) throws -> LayoutResult {
    try layout(engine, box) { part, inline, isBase in
      try line(
        engine, part, from: isBase ? place.base : place.annotation, limit: isBase ? cut?.limits.base : cut?.limits.annotation, inline)
    }
  }

  private static func layout(
    _ engine: LayoutEngine, _ box: BoxID, _ layoutPart: (_ part: BoxID, _ inline: LayoutUnit?, _ isBase: Bool) throws -> Part
  ) throws -> LayoutResult {
    let style = engine.style(box), direction = WritingDirection(style)
    let boxes = Array(engine.tree.children(of: box).prefix(2))
    guard let first = boxes.first else {
      let fragment = Fragment(kind: .box, box: box, style: style, size: .zero)
      return LayoutResult(fragment: engine.append(fragment, children: []), size: .zero)
    }
    var parts = try boxes.map { try layoutPart($0, nil, $0 == first) }
    let inline = parts.map(\.size.inline).max() ?? .zero
    let overhang = overhang(engine, parts, inline)
    for index in parts.indices where parts[index].size.inline < inline {
      let isBase = boxes[index] == first
      parts[index] = try spread(engine, parts[index], to: inline, isAnnotation: !isBase) { try layoutPart(boxes[index], $0, isBase) }
    }
    var result = assemble(engine, box, style, direction, inline, parts)
    result.ruby?.overhang = overhang
    return result
  }

  /// The overhang of an annotation wider than its base over adjacent text: at most half of its font size, in whole px, and half of the
  /// space that the base gets at each side.
  ///
  /// https://drafts.csswg.org/css-ruby-1/#ruby-overhang leaves this to user agents. In Chromium bases with `space-between` have none.
  private static func overhang(_ engine: LayoutEngine, _ parts: [Part], _ inline: LayoutUnit) -> RubyExtents.Overhang {
    guard let base = parts.first, engine.style(base.box).text.rubyOverhang != .none, base.size.inline > .zero, base.size.inline < inline,
      let widest = parts.dropFirst().first(where: { $0.size.inline == inline })
    else { return RubyExtents.Overhang() }
    let most = LayoutUnit((Double(engine.style(widest.box).font.size).rounded() / 2).rounded(.down))
    let space = inline - base.size.inline
    switch engine.style(base.box).text.rubyAlign {
    case .start: return RubyExtents.Overhang(end: min(space, most))
    case .center, .spaceAround:
      let inset = min(space / (base.gaps + 1) / 2, most)
      return RubyExtents.Overhang(start: inset, end: inset)
    case .spaceBetween: return RubyExtents.Overhang()
    }
  }

  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let direction = WritingDirection(engine.style(box))
    var inline = LayoutUnit.zero
    for child in engine.tree.children(of: box) { inline = max(inline, try part(engine, child, direction, inline: nil).size.inline) }
    return MinMaxSizes(min: try RubyBreaker(engine, box)?.minimumSize() ?? inline, max: inline)
  }

  private static func part(
    _ engine: LayoutEngine, _ box: BoxID, _ direction: WritingDirection, inline: LayoutUnit?, isBase: Bool = false
  ) throws -> Part {
    var input = LayoutInput(
      engine, child: box, parent: direction, availableInline: nil, availableBlock: nil, percentageInline: nil, percentageBlock: nil)
    input.autoInline = .fitContent
    input.fixedInline = inline
    let result = try engine.layout(box, input)
    let size = direction.logical(result.size)
    let style = engine.style(box)
    let strut = engine.inlineFont(style)
    let fromStart = result.lastBaseline ?? strut.height.withLeading(lineHeight: strut.lineHeight).ascent
    // In `vertical-lr` the line-over side is the block-end side.
    let baseline = direction.mode == .verticalLr ? size.block - fromStart : fromStart
    var em = RubyMetrics.contents(engine, result.fragment, style, baseline: baseline)
    let isEmpty = em == nil
    if isEmpty, isBase, direction.isHorizontal { em = strut.height.withLeading(lineHeight: strut.lineHeight) }
    return Part(
      box: box, result: result, size: size, em: em ?? RubyMetrics.emHeight(strut.metrics, isCentral: LineMetrics.isCentral(style)),
      isEmpty: isEmpty, baseline: baseline, gaps: RubyMetrics.justificationGaps(engine, box, in: 0..<Int.max))
  }

  /// A line of a left-to-right part.
  ///
  /// - Parameter limit: The size it is filled to; nil for the entire rest.
  private static func line(
    _ engine: LayoutEngine, _ box: BoxID, from place: RubyPosition.Part, limit: LayoutUnit?, _ inline: LayoutUnit?
  ) throws -> Part {
    let style = engine.style(box), direction = WritingDirection(style), data = InlineFormattingContext.items(engine, box)
    let natural = try RubyBreaker.fill(engine, box, from: place, to: limit ?? .max).inlineSize
    let container = FloatContainer(
      direction: direction, lineLeft: .zero, inlineSize: inline ?? natural, percentageBlock: nil, availableBlock: nil)
    var context = InlineFormattingContext.Context(container: container, blockOffset: .zero, exclusions: ExclusionSpace())
    context.recordsLines = true
    context.maximumLines = 1
    context.lineLimit = limit ?? .max
    context.start = InlineState(
      cursor: InlineCursor(item: place.item, offset: place.offset), openTags: RubyBreaker.openTags(data, at: place),
      lineCount: place == RubyPosition.Part() ? 0 : 1, isAfterForcedBreak: false)
    let content = try InlineFormattingContext.layout(engine, box, context)
    let size = LayoutSize(width: inline ?? natural, height: content.blockSize)
    let links = content.items.compactMap { item in
      item.link.map { FragmentLink(fragment: $0.fragment, offset: LayoutPoint(x: item.lineLeft, y: item.blockOffset)) }
    }
    var result = LayoutResult(
      fragment: engine.append(Fragment(kind: .box, box: box, style: style, size: size), children: links), size: size,
      intrinsicBlock: size.height)
    let strut = engine.inlineFont(style), leaded = strut.height.withLeading(lineHeight: strut.lineHeight)
    result.lastBaseline = content.lastBaseline ?? leaded.ascent
    let baseline = content.lastBaseline ?? leaded.ascent
    return Part(
      box: box, result: result, size: direction.logical(size),
      em: RubyMetrics.contents(engine, result.fragment, style, baseline: baseline) ?? leaded, baseline: baseline,
      gaps: RubyMetrics.justificationGaps(engine, box, in: place.offset..<max(place.offset, content.end.offset)))
  }

  /// The part of an annotation over a base of size `inline`.
  static func annotation(
    _ engine: LayoutEngine, _ box: BoxID, from place: RubyPosition.Part, limit: LayoutUnit?, over inline: LayoutUnit
  ) throws -> (fragment: FragmentID, offset: LayoutUnit) {
    var part = try line(engine, box, from: place, limit: limit, nil)
    if part.size.inline < inline {
      part = try spread(engine, part, to: inline, isAnnotation: true) { try line(engine, box, from: place, limit: limit, $0) }
    }
    return (part.result.fragment, part.offset)
  }

  // MARK: Alignment

  /// Expands a part to the column's inline size. https://drafts.csswg.org/css-ruby-1/#ruby-align-property
  private static func spread(
    _ engine: LayoutEngine, _ part: Part, to inline: LayoutUnit, isAnnotation: Bool, _ layoutPart: (LayoutUnit) throws -> Part
  ) throws -> Part {
    let style = engine.style(part.box)
    let space = inline - part.size.inline
    let gaps = part.gaps
    var centered = part
    centered.offset = style.text.rubyAlign == .start ? .zero : space / 2
    guard gaps > 0, style.text.rubyAlign == .spaceAround || style.text.rubyAlign == .spaceBetween else { return centered }
    var inset = LayoutUnit.zero
    if style.text.rubyAlign == .spaceAround {
      inset = space / (gaps + 1)
      if isAnnotation { inset = min(inset, LayoutUnit(rounding: 2 * Double(style.font.size))) }
    }
    var result = try layoutPart(inline - inset)
    result.offset = inset / 2
    return result
  }

  // MARK: Fragments

  private static func assemble(
    _ engine: LayoutEngine, _ box: BoxID, _ style: ComputedStyle, _ direction: WritingDirection, _ inline: LayoutUnit, _ parts: [Part]
  ) -> LayoutResult {
    let base = parts[0]
    let size = direction.physical(LogicalSize(inline: inline, block: base.size.block))
    var links: [FragmentLink] = []
    var outOfFlow: [OutOfFlowCandidate] = []
    let isUnder = engine.style(base.box).text.rubyUnder
    var extents = RubyExtents(base.isEmpty ? .none : base.em, isUnder: isUnder)
    for (index, part) in parts.enumerated() {
      var over = LayoutUnit.zero
      if index > 0 { over = annotationOffset(part, base, isUnder: isUnder, &extents) }
      let block = direction.mode == .verticalLr ? base.size.block - over - part.size.block : over
      let offset = direction.physical(LogicalOffset(inline: part.offset, block: block), outer: size, inner: part.result.size)
      links.append(FragmentLink(fragment: part.result.fragment, offset: offset))
      for var candidate in part.result.outOfFlow {
        candidate.staticPosition = candidate.staticPosition + offset
        outOfFlow.append(candidate)
      }
    }
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    let baseline = direction.mode == .verticalLr ? base.size.block - base.baseline : base.baseline
    fragment.baseline = baseline
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: base.size.block)
    result.firstBaseline = baseline
    result.lastBaseline = baseline
    result.outOfFlow = outOfFlow
    result.ruby = extents
    return result
  }

  /// The offset of the annotation's line-over edge from that of the base: their em boxes are adjacent.
  private static func annotationOffset(_ part: Part, _ base: Part, isUnder: Bool, _ extents: inout RubyExtents) -> LayoutUnit {
    guard part.size.inline > .zero else { return .zero }
    let distance = isUnder ? base.em.descent + part.em.ascent : base.em.ascent + part.em.descent
    extents.column = RubyExtents.Column(base: extents.base, annotation: part.em, isUnder: isUnder, ownDistance: distance)
    return base.baseline + (isUnder ? distance : -distance) - part.baseline
  }
}
