import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// A laid-out child of an element. Lengths are in the element's axes.
struct MathChild {
  var box: BoxID
  var result: LayoutResult
  var size: LogicalSize
  var margin: LogicalEdges
  /// From the top margin edge to the baseline, and from there to the bottom margin edge.
  var ascent: LayoutUnit
  var descent: LayoutUnit

  var inlineSize: LayoutUnit { size.inline + margin.inlineSum }
}

/// The parts common to all elements: edges and inline size of the box, its children, and the fragments it is composed of.
///
/// https://w3c.github.io/mathml-core/#box-model
struct MathFrame {
  let engine: LayoutEngine
  let box: BoxID
  let input: LayoutInput
  let style: ComputedStyle
  let direction: WritingDirection
  let border: LayoutEdges
  let padding: LayoutEdges
  let edges: LogicalEdges
  let inlineSize: LayoutUnit
  let contentInline: LayoutUnit
  let font: InlineFont

  private var placed: [(child: MathChild, offset: LogicalOffset)] = []
  /// Glyphs and lines, which do not belong to children.
  private var pieces: [(fragment: FragmentID, size: LayoutSize, offset: LogicalOffset)] = []
  private var candidates: [OutOfFlowCandidate] = []
  /// The bar of a fraction or radical.
  private var bar: (offset: LogicalOffset, size: LogicalSize)?
  var italicCorrection = LayoutUnit.zero

  init(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws {
    self.engine = engine; self.box = box; self.input = input
    style = engine.style(box)
    direction = WritingDirection(style)
    border = Sizing.usedBorder(engine, box, input)
    padding = Sizing.usedPadding(engine, box, input)
    edges = direction.logical(border + padding)
    inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    contentInline = (inlineSize - edges.inlineSum).clampedToZero
    font = engine.inlineFont(style)
  }

  var stretch: MathStretch? { if case .stretch(let stretch) = input.context { stretch } else { nil } }
  var isDisplayStyle: Bool { !style.font.isMathCompact }
  var children: [BoxID] { engine.tree.children(of: box).filter { engine.tree[$0].isInFlow } }

  // MARK: Constants

  /// A constant of the font, or a fallback. https://w3c.github.io/mathml-core/#layout-constants-mathconstants
  func constant(_ constant: MathConstant, else fallback: @autoclosure () -> Double = 0) -> LayoutUnit {
    LayoutUnit(engine.fonts.mathConstant(constant, font.handle) ?? fallback())
  }
  var fontSize: Double { Double(style.font.size) }
  var xHeight: Double { Double(font.metrics.xHeight) }
  /// https://w3c.github.io/mathml-core/#dfn-default-rule-thickness
  var defaultRule: Double { font.metrics.underlineThickness > 0 ? Double(font.metrics.underlineThickness) : 0.05 * fontSize }
  /// The fallback for the space after scripts and the gap between them. Chromium floors it to whole pixels.
  var defaultScriptSpace: Double { (fontSize / 5).rounded(.down) }
  var axisHeight: LayoutUnit { Self.axisHeight(engine, style) }

  static func axisHeight(_ engine: LayoutEngine, _ style: ComputedStyle) -> LayoutUnit {
    let font = engine.inlineFont(style)
    return LayoutUnit(engine.fonts.mathConstant(.axisHeight, font.handle) ?? Double(font.metrics.xHeight) / 2)
  }

  // MARK: Children

  func child(_ child: BoxID, stretch: MathStretch? = nil) throws -> MathChild {
    var constraint = LayoutInput(
      engine, child: child, parent: direction, availableInline: contentInline, availableBlock: nil, percentageInline: contentInline,
      percentageBlock: nil)
    constraint.autoInline = .fitContent
    constraint.isMeasure = input.isMeasure
    if let stretch { constraint.context = .stretch(stretch) }
    let result = try engine.layout(child, constraint)
    let size = direction.logical(result.size)
    let margin = Sizing.logicalMargin(engine.style(child), percentageBasis: contentInline, in: direction)
    let baseline = baseline(of: child, result, size)
    return MathChild(
      box: child, result: result, size: size, margin: margin, ascent: margin.blockStart + baseline,
      descent: size.block - baseline + margin.blockEnd)
  }

  /// The baseline of a child. The center of a table is on the math axis. https://w3c.github.io/mathml-core/#table-or-matrix-mtable
  private func baseline(of child: BoxID, _ result: LayoutResult, _ size: LogicalSize) -> LayoutUnit {
    if engine.tree[child].kind == .tableWrapper, engine.isMathElement(child, "mtable") {
      return size.block / 2 + MathFrame.axisHeight(engine, engine.style(child))
    }
    return result.firstBaseline ?? size.block
  }

  /// Places the border box of a child at an offset from the frame's corner.
  mutating func place(_ child: MathChild, inline: LayoutUnit, block: LayoutUnit) {
    placed.append((child, LogicalOffset(inline: inline, block: block)))
  }

  /// Places a child with its baseline at `baseline` and its margin box starting at `inline`.
  mutating func place(_ child: MathChild, inline: LayoutUnit, baseline: LayoutUnit) {
    place(child, inline: inline + child.margin.inlineStart, block: baseline - child.ascent + child.margin.blockStart)
  }

  /// The start of a centered child.
  func centered(_ child: MathChild) -> LayoutUnit { edges.inlineStart + (contentInline - child.inlineSize) / 2 }

  mutating func addPiece(_ fragment: FragmentID, _ size: LayoutSize, at offset: LogicalOffset) { pieces.append((fragment, size, offset)) }
  mutating func add(_ candidates: [OutOfFlowCandidate]) { self.candidates += candidates }
  mutating func addBar(inline: LayoutUnit, middle: LayoutUnit, length: LayoutUnit, thickness: LayoutUnit) {
    guard length > .zero, thickness > .zero else { return }
    bar = (LogicalOffset(inline: inline, block: middle), LogicalSize(inline: length, block: thickness))
  }

  // MARK: Result

  /// - Parameters: The extents of the border box above and below its baseline.
  mutating func finish(ascent: LayoutUnit, descent: LayoutUnit) throws -> LayoutResult {
    let content = ascent + descent
    let block = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: content, inlineSize: inlineSize)
    let size = direction.physical(LogicalSize(inline: inlineSize, block: block))
    var links: [FragmentLink] = []
    for (child, offset) in placed {
      let origin = direction.physical(offset, outer: size, inner: child.result.size)
      let shift = Sizing.relativeOffset(engine, child.box, width: contentInline, height: nil, direction: direction)
      links.append(FragmentLink(fragment: child.result.fragment, offset: origin + shift))
      for var candidate in child.result.outOfFlow {
        candidate.staticPosition = candidate.staticPosition + origin + shift
        candidates.append(candidate)
      }
    }
    for piece in pieces {
      links.append(FragmentLink(fragment: piece.fragment, offset: direction.physical(piece.offset, outer: size, inner: piece.size)))
    }
    addOutOfFlow(in: size)
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    fragment.border = border
    fragment.padding = padding
    fragment.baseline = ascent
    if let bar {
      let inner = direction.physical(bar.size)
      engine.fragments.bars.append(LayoutRect(origin: direction.physical(bar.offset, outer: size, inner: inner), size: inner))
      fragment.payload = Int32(clamping: engine.fragments.bars.count - 1)
    }
    let remaining = try OutOfFlowLayout.finish(engine, box, input, &fragment, border: border, links: &links, pending: candidates)
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: content)
    (result.firstBaseline, result.lastBaseline, result.inlineBlockBaseline) = (ascent, ascent, ascent)
    result.outOfFlow = remaining
    result.italicCorrection = italicCorrection
    return result
  }

  /// Adds out-of-flow children. Their static position is the start corner of the content box.
  private mutating func addOutOfFlow(in size: LayoutSize) {
    for child in engine.tree.children(of: box) where engine.tree[child].isOutOfFlow {
      let corner = LogicalOffset(inline: edges.inlineStart, block: edges.blockStart)
      var candidate = OutOfFlowCandidate(box: child, staticPosition: direction.physical(corner, outer: size, inner: .zero))
      if direction.isFlippedInline { candidate.horizontalEdge = .end }
      candidates.append(candidate)
    }
  }
}
