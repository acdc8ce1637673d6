internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// An inline box on a line. The first one on each line is the root inline box.
struct InlineBoxState {
  var box: BoxID
  var style: ComputedStyle
  var font: InlineFont
  /// The index of the open tag's item; -1 for the root.
  var item: Int
  var parent: Int
  /// The font's ascent and descent without leading: the content area.
  var text: FontHeight
  /// The extents of all contents, including leading, relative to the baseline.
  var metrics: FontHeight
  /// The baseline's offset from the parent's, positive downward.
  var shift = LayoutUnit.zero
  /// Whether any descendant is aligned to the line's top or bottom.
  var hasPending = false
  /// The index of the first entry of `LineMetrics.pending` in this box.
  var firstPending = 0
  var hasStart = true
  var hasEnd = false
  var hasLeaf = false
  /// The nodes of this box, in visual order.
  var firstNode = -1
  var lastNode = -1

  /// `text` reduced by `text-box-trim`: the content area of the box's fragment. https://drafts.csswg.org/css-inline-3/#text-box-trim
  var trimmed: FontHeight {
    let trim = style.box.textBoxTrim
    guard item >= 0, !trim.isEmpty else { return text }
    let edges = font.edges(style.text.textBoxEdge, isCentral: LineMetrics.isCentral(style))
    let isFlipped = style.text.writingMode == .verticalLr
    return FontHeight(
      ascent: trim.contains(isFlipped ? .end : .start) ? edges.ascent : text.ascent,
      descent: trim.contains(isFlipped ? .start : .end) ? edges.descent : text.descent)
  }

  /// `text` plus leading.
  var strut: FontHeight { font.strut(text) }
}

/// An item positioned on a line: a piece of text, an atomic inline, or a zero-width placeholder.
struct LineLeaf {
  enum Kind { case text, tab, lineBreak, atomic, outOfFlow, empty, ellipsis }
  var kind: Kind
  /// Index into `LineInfo.pieces`, otherwise -1.
  var piece: Int
  var state: Int
  var level: UInt8
  var inlineSize: LayoutUnit
  /// Atomic inlines: the extents of the margin box relative to its baseline, and that baseline's offset from the parent's, or for initial
  /// letters from the line's.
  var metrics = FontHeight.none
  var shift = LayoutUnit.zero
  var isLineRelative = false
  /// The line-left edge, relative to the line's; the margin edge of atomic inlines.
  var lineLeft = LayoutUnit.zero
  /// The width added by justification.
  var expansion = LayoutUnit.zero
  var isHidden = false
}

/// Vertical alignment on a line. https://drafts.csswg.org/css-inline-3/#line-layout
struct LineMetrics {
  /// A box or leaf aligned to the top or bottom of its aligned subtree.
  private struct Pending {
    var state: Int?
    var leaf = 0
    var isTop: Bool
  }
  let engine: LayoutEngine
  /// The factor of `text-fit`.
  let textScale: Double
  let isCentral: Bool
  /// In quirks mode inline boxes without text do not affect the line height.
  /// https://quirks.spec.whatwg.org/#the-line-height-calculation-quirk
  let hasLineHeightQuirk: Bool
  var states: [InlineBoxState] = []
  private var pending: [Pending] = []
  /// The baseline of each box relative to the line's, set by `finish`.
  private var absoluteShifts: [LayoutUnit] = []
  /// Whether any baseline differs from the line's.
  private(set) var hasShifts = false

  init(_ engine: LayoutEngine, _ style: ComputedStyle, textScale: Double = 1) {
    self.engine = engine; self.textScale = textScale
    hasLineHeightQuirk = engine.tree.styled.document.quirksMode != .noQuirks
    isCentral = LineMetrics.isCentral(style)
  }

  /// Whether the dominant baseline is the central one. https://drafts.csswg.org/css-writing-modes-4/#text-baselines
  static func isCentral(_ style: ComputedStyle) -> Bool {
    let mode = style.text.writingMode
    return (mode == .verticalRl || mode == .verticalLr) && style.text.textOrientation != .sideways
  }

  mutating func open(_ box: BoxID, _ style: ComputedStyle, item: Int, parent: Int) -> Int {
    let font = engine.inlineFont(style).scaled(by: textScale)
    var state = InlineBoxState(
      box: box, style: style, font: font, item: item, parent: parent, text: isCentral ? font.height.centered : font.height, metrics: .none)
    state.firstPending = pending.count
    if !hasLineHeightQuirk { state.metrics = state.strut }
    states.append(state)
    return states.count - 1
  }

  /// Adds the strut of a box that contains text, which applies in quirks mode too.
  mutating func ensureStrut(_ index: Int) { states[index].metrics.unite(states[index].strut) }

  /// Whether nothing in the box affects the line height, including contents aligned to the line's top or bottom.
  func isEmpty(_ index: Int) -> Bool { states[index].metrics.isNone && !states[index].hasPending }

  /// With `line-height: normal` all fonts used in the box affect the line height, not only the primary one.
  mutating func addFallbackFonts(_ data: InlineItems, run: Int, _ piece: LinePiece, _ index: Int) {
    guard states[index].font.isNormalLineHeight else { return }
    let primary = engine.fonts.primaryFace(states[index].font.handle), segments = data.runs[run].segments
    if segments.count == 1, segments[0].face === primary { return }
    for (face, size) in data.runs[run].faces(from: piece.start, to: piece.end) where face !== primary {
      let metrics = engine.fonts.metrics(of: face, size: size)
      var height = FontHeight(ascent: LayoutUnit(rounding: Double(metrics.ascent)), descent: LayoutUnit(rounding: Double(metrics.descent)))
      if isCentral { height = height.centered }
      states[index].metrics.unite(height.scaled(by: textScale, lineHeight: LayoutUnit(rounding: Double(metrics.lineSpacing))))
    }
  }

  /// Aligns a completed inline box in its parent.
  mutating func close(_ index: Int, _ leaves: inout [LineLeaf]) {
    if isLineRelative(states[index].style) {
      alignPending(in: index, &leaves)
      pending.append(Pending(state: index, isTop: states[index].style.box.verticalAlign == .top))
      states[states[index].parent].hasPending = true
      return
    }
    let state = states[index]
    if state.hasPending { states[state.parent].hasPending = true }
    let shift = baselineShift(state.style, state.metrics.isNone ? state.strut : state.metrics, font: state.font, parent: state.parent)
    states[index].shift = shift
    states[state.parent].metrics.unite(state.metrics.moved(by: shift))
  }

  /// Aligns an atomic inline in its parent.
  mutating func align(_ leaf: inout LineLeaf, number: Int, _ style: ComputedStyle) {
    if isLineRelative(style) {
      states[leaf.state].hasPending = true
      pending.append(Pending(leaf: number, isTop: style.box.verticalAlign == .top))
      return
    }
    leaf.shift = baselineShift(style, leaf.metrics, font: engine.inlineFont(style), parent: leaf.state)
    states[leaf.state].metrics.unite(leaf.metrics.moved(by: leaf.shift))
  }

  private func isLineRelative(_ style: ComputedStyle) -> Bool {
    style.box.verticalAlign == .top || style.box.verticalAlign == .bottom
  }

  /// https://drafts.csswg.org/css-inline-3/#transverse-alignment
  private func baselineShift(_ style: ComputedStyle, _ metrics: FontHeight, font: InlineFont, parent: Int) -> LayoutUnit {
    let outer = states[parent]
    let parentSize =
      textScale == 1 ? LayoutUnit(rounding: Double(outer.style.font.size)) : LayoutUnit(Double(outer.style.font.size) * textScale)
    switch style.box.verticalAlign {
    case .baseline, .top, .bottom: return .zero
    case .sub: return parentSize / 5 + LayoutUnit(1)
    case .super: return -(parentSize / 3 + LayoutUnit(1))
    case .middle: return (metrics.ascent - metrics.descent) / 2 - LayoutUnit(rounding: Double(outer.font.metrics.xHeight) / 2)
    case .baselineMiddle: return (metrics.ascent - metrics.descent) / 2
    case .textTop: return metrics.ascent - outer.text.ascent
    // Chromium centers the font exactly here, without rounding to pixels.
    case .textBottom: return (isCentral ? outer.font.height.halved : outer.text).descent - metrics.descent
    case .raise(let length): return -length.resolve(font.lineHeight)
    }
  }

  /// The extents of the line, after aligning top- and bottom-aligned contents.
  mutating func finish(_ leaves: inout [LineLeaf]) -> FontHeight {
    defer { addUpShifts() }
    alignPending(in: 0, &leaves)
    let line = states[0].metrics
    return line.isNone ? FontHeight(ascent: .zero, descent: .zero) : line
  }

  /// Aligns the pending entries of an aligned subtree, which gets the smallest possible height.
  ///
  /// By https://drafts.csswg.org/css2/#propdef-vertical-align they align to the line box. In Chromium the aligned subtree ends at the
  /// nearest box with `top` or `bottom`, and baseline shifts in between (`sub`) also apply to the aligned contents.
  private mutating func alignPending(in root: Int, _ leaves: inout [LineLeaf]) {
    let first = states[root].firstPending
    guard first < pending.count else { return }
    var extents = states[root].metrics
    if extents.isNone { extents = FontHeight(ascent: .zero, descent: .zero) }
    for entry in pending[first...] {
      let own = metrics(entry, leaves)
      guard !own.isNone, own.height > extents.height else { continue }
      if entry.isTop { extents.descent = own.height - extents.ascent } else { extents.ascent = own.height - extents.descent }
    }
    for entry in pending[first...] {
      let own = metrics(entry, leaves)
      guard !own.isNone else { continue }
      let shift = entry.isTop ? own.ascent - extents.ascent : extents.descent - own.descent
      if let state = entry.state { states[state].shift = shift } else { leaves[entry.leaf].shift = shift }
    }
    states[root].metrics = extents
    pending.removeSubrange(first...)
  }

  private func metrics(_ entry: Pending, _ leaves: [LineLeaf]) -> FontHeight {
    if let state = entry.state { states[state].metrics } else { leaves[entry.leaf].metrics }
  }

  /// Parents precede their children in `states`.
  private mutating func addUpShifts() {
    absoluteShifts = []
    absoluteShifts.reserveCapacity(states.count)
    for (index, state) in states.enumerated() {
      absoluteShifts.append(index == 0 ? .zero : absoluteShifts[state.parent] + state.shift)
    }
    hasShifts = absoluteShifts.contains { $0 != .zero }
  }

  /// The baseline of a box relative to the line's. `finish` must have been called.
  func absoluteShift(_ index: Int) -> LayoutUnit { absoluteShifts[index] }
}
