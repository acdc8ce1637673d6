internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// The position inside a ruby column at which a line starts or ends: in its base and in its annotation.
struct RubyPosition: Hashable {
  struct Part: Hashable {
    var item = 0
    var offset = 0
  }
  var base = Part()
  var annotation = Part()
}

/// The part of a broken ruby column on a line.
struct RubyCut {
  var start: RubyPosition
  var end: RubyPosition
  /// The sizes that the lines of base and annotation are filled to.
  var limits: (base: LayoutUnit, annotation: LayoutUnit)
  /// The size of the wider line.
  var inlineSize = LayoutUnit.zero
}

/// Breaks ruby columns. https://drafts.csswg.org/css-ruby-1/#break-within leaves it to user agents how an annotation is distributed to the
/// parts of its base. Chromium (`LineBreaker::HandleRuby`) fills both to the same share of the line's space.
struct RubyBreaker {
  let engine: LayoutEngine
  let base: BoxID
  /// `.none` if there are no contents.
  let annotation: BoxID

  /// Chromium does not break bases and annotations with at most this number of characters.
  private static let unbroken = (base: 4, annotation: 8)

  /// nil unless the column only contains left-to-right text.
  init?(_ engine: LayoutEngine, _ column: BoxID) {
    let first = engine.tree[column].firstChild
    guard !first.isNone, engine.tree[first].hasInlineChildren else { return nil }
    let second = engine.tree[first].nextSibling
    self.engine = engine
    base = first
    annotation = second.isNone || engine.tree[second].firstChild.isNone ? .none : second
    guard isPlain(base), annotation.isNone || isPlain(annotation) else { return nil }
  }

  private func isPlain(_ box: BoxID) -> Bool {
    let style = engine.style(box)
    guard engine.tree[box].hasInlineChildren, style.text.writingMode == .horizontalTb, style.text.direction == .ltr,
      Sizing.border(style) + Sizing.padding(style, percentageBasis: .zero) == .zero
    else { return false }
    let contents = InlineFormattingContext.items(engine, box)
    return !contents.isBidi && contents.items.allSatisfy { $0.kind == .text || $0.kind == .openTag || $0.kind == .closeTag }
  }

  /// Whether lines may break inside the base.
  var isBreakable: Bool { !isShort(RubyPosition()) && hasOpportunity }

  private var hasOpportunity: Bool {
    let contents = InlineFormattingContext.items(engine, base)
    return contents.items.contains { item in
      guard item.kind == .text, item.traits.contains(.wraps) else { return false }
      if item.traits.contains(.breaksAnywhere) { return true }
      return (item.start..<item.end).contains {
        $0 > 0 && contents.boundaries.indices.contains($0) && contents.boundaries[$0].contains(.lineBreak)
      }
    }
  }

  // MARK: Sizes

  /// Whether the rest from `place` is too short to be broken.
  func isShort(_ place: RubyPosition) -> Bool {
    characters(base, from: place.base) <= Self.unbroken.base && characters(annotation, from: place.annotation) <= Self.unbroken.annotation
  }

  private func characters(_ box: BoxID, from place: RubyPosition.Part) -> Int {
    guard !box.isNone else { return 0 }
    return InlineFormattingContext.items(engine, box).text.dropFirst(place.offset).count { $0 & 0xc0 != 0x80 }
  }

  /// Whether the annotation ends at `place`.
  func isAtEnd(_ place: RubyPosition.Part) -> Bool {
    annotation.isNone || place.offset >= InlineFormattingContext.items(engine, annotation).text.count
  }

  /// The sizes of the rest of base and annotation, without breaks.
  func sizes(from place: RubyPosition) throws -> (base: LayoutUnit, annotation: LayoutUnit) {
    (try inlineSize(base, from: place.base), try inlineSize(annotation, from: place.annotation))
  }

  private func inlineSize(_ box: BoxID, from place: RubyPosition.Part) throws -> LayoutUnit {
    try Self.fill(engine, box, from: place, to: .max).inlineSize
  }

  /// The min-content size: in Chromium that of the first unit of the base, at least that of the entire annotation.
  func minimumSize() throws -> LayoutUnit {
    let whole = try sizes(from: RubyPosition())
    guard isBreakable else { return max(whole.base, whole.annotation) }
    return max(try Self.fill(engine, base, from: RubyPosition.Part(), to: .zero).inlineSize, whole.annotation)
  }

  // MARK: Breaking

  /// Breaks the rest of the column. nil if it fits or cannot be broken. The first units are included even if they overflow.
  func cut(from place: RubyPosition, limit: LayoutUnit) throws -> RubyCut? {
    guard !isShort(place) else { return nil }
    let whole = try sizes(from: place), size = max(whole.base, whole.annotation)
    guard size > limit, size > .zero, whole.base > .zero else { return nil }
    guard let first = try attempt(place, whole, limit.clampedToZero.double / size.double), first.cut.inlineSize > limit else {
      return try attempt(place, whole, limit.clampedToZero.double / size.double)?.cut
    }
    // The first units overflow: use the share that they require.
    let needed = max(
      first.sizes.base.double / whole.base.double, whole.annotation > .zero ? first.sizes.annotation.double / whole.annotation.double : 0)
    return try attempt(place, whole, needed)?.cut ?? first.cut
  }

  private func attempt(
    _ place: RubyPosition, _ whole: (base: LayoutUnit, annotation: LayoutUnit), _ share: Double
  ) throws -> (cut: RubyCut, sizes: (base: LayoutUnit, annotation: LayoutUnit))? {
    let limits = (base: Self.share(whole.base, share), annotation: Self.share(whole.annotation, share))
    let first = try Self.fill(engine, base, from: place.base, to: limits.base)
    guard let baseEnd = first.end, baseEnd != place.base else { return nil }
    let second = try Self.fill(engine, annotation, from: place.annotation, to: limits.annotation)
    let text = annotation.isNone ? nil : InlineFormattingContext.items(engine, annotation)
    let annotationEnd = second.end ?? RubyPosition.Part(item: text?.items.count ?? 0, offset: text?.text.count ?? 0)
    var cut = RubyCut(start: place, end: RubyPosition(base: baseEnd, annotation: annotationEnd), limits: limits)
    cut.inlineSize = max(first.inlineSize, second.inlineSize)
    return (cut, (first.inlineSize, second.inlineSize))
  }

  /// A share that is less than the entire size, by more than the tolerance of lines.
  private static func share(_ whole: LayoutUnit, _ share: Double) -> LayoutUnit {
    min(LayoutUnit(whole.double * share), whole - .epsilon - .epsilon).clampedToZero
  }

  /// The end of the annotation's part for a base broken in a line of `limit`, if that does not end the base.
  func annotationEnd(from place: RubyPosition, limit: LayoutUnit) throws -> (end: RubyPosition.Part, limit: LayoutUnit)? {
    guard !annotation.isNone else { return nil }
    let whole = try sizes(from: place), size = max(whole.base, whole.annotation)
    guard size > .zero else { return nil }
    let own = Self.share(whole.annotation, limit.clampedToZero.double / size.double)
    let text = InlineFormattingContext.items(engine, annotation)
    let end = try Self.fill(engine, annotation, from: place.annotation, to: own).end
    return (end ?? RubyPosition.Part(item: text.items.count, offset: text.text.count), own)
  }

  /// Fills a line with a part. `end` is nil at the end of the contents.
  static func fill(
    _ engine: LayoutEngine, _ box: BoxID, from place: RubyPosition.Part, to limit: LayoutUnit
  ) throws -> (inlineSize: LayoutUnit, end: RubyPosition.Part?) {
    guard !box.isNone else { return (.zero, nil) }
    let data = InlineFormattingContext.items(engine, box)
    let container = FloatContainer(
      direction: WritingDirection(engine.style(box)), lineLeft: .zero, inlineSize: limit, percentageBlock: nil, availableBlock: nil)
    var breaker = LineBreaker(engine, data, container, ExclusionSpace())
    breaker.cursor = InlineCursor(item: place.item, offset: place.offset)
    breaker.openTags = RubyBreaker.openTags(data, at: place)
    breaker.line.lineRight = limit
    try breaker.fill(indent: .zero)
    let end = breaker.isAtEnd ? nil : RubyPosition.Part(item: breaker.cursor.item, offset: breaker.cursor.offset)
    return (breaker.line.width, end)
  }

  static func openTags(_ data: InlineItems, at place: RubyPosition.Part) -> [Int] {
    var result: [Int] = []
    for (index, item) in data.items.prefix(place.item).enumerated() {
      if item.kind == .openTag { result.append(index) }
      if item.kind == .closeTag { _ = result.popLast() }
    }
    return result
  }
}
