import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// MathML layout. Each kind of element has its own algorithm based on a common frame. All are horizontal.
///
/// https://w3c.github.io/mathml-core/#layout-algorithms
enum MathFormattingContext {
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ kind: MathKind, _ input: LayoutInput) throws -> LayoutResult {
    var frame = try MathFrame(engine, box, input)
    switch usedKind(engine, box, kind) {
    case .row: return try MathRow.layout(&frame)
    case .token: return try MathToken.layout(&frame)
    case .operatorToken: return try MathStretchyOperator.layout(&frame)
    case .fraction: return try MathFraction.layout(&frame)
    case .root, .indexedRoot: return try MathRadical.layout(&frame, hasIndex: kind == .indexedRoot)
    case .sub, .sup, .subSup, .multiscripts: return try MathScripts.layout(&frame, kind)
    case .under, .over, .underOver:
      return MathUnderOver.isLaidOutAsScripts(engine, box)
        ? try MathScripts.layout(&frame, kind) : try MathUnderOver.layout(&frame, kind)
    case .padded: return try MathPadded.layout(&frame)
    case .space: return try MathPadded.layoutSpace(&frame)
    }
  }

  /// https://w3c.github.io/mathml-core/#dfn-min-content-inline-size, for the border box.
  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ kind: MathKind, _ input: LayoutInput) throws -> MinMaxSizes {
    let edges = Sizing.edges(engine, box, input).inlineSum
    if let contained = Sizing.containedInline(engine.style(box)) { return MinMaxSizes(min: contained + edges, max: contained + edges) }
    let measure = MathMeasure(engine, box, input)
    var sizes: MinMaxSizes
    switch usedKind(engine, box, kind) {
    case .row: sizes = try MathRow.sizes(measure)
    case .token: sizes = try MathToken.sizes(measure)
    case .operatorToken: sizes = MathStretchyOperator.sizes(measure)
    case .fraction: sizes = try measure.widest()
    case .root, .indexedRoot: sizes = try MathRadical.sizes(measure, hasIndex: kind == .indexedRoot)
    case .sub, .sup, .subSup, .multiscripts: sizes = try MathScripts.sizes(measure, kind)
    case .under, .over, .underOver:
      sizes = MathUnderOver.isLaidOutAsScripts(engine, box) ? try MathScripts.sizes(measure, kind) : try measure.widest()
    case .padded: sizes = try measure.widest()
    case .space: sizes = MinMaxSizes()
    }
    // Negative margins may exceed the other contributions.
    sizes = MinMaxSizes(min: sizes.min.clampedToZero, max: max(sizes.min, sizes.max).clampedToZero)
    return sizes + edges
  }

  /// Operators that are neither stretched nor large are laid out as text.
  private static func usedKind(_ engine: LayoutEngine, _ box: BoxID, _ kind: MathKind) -> MathKind {
    kind == .operatorToken && !MathStretchyOperator.applies(engine, box) ? .token : kind
  }
}

extension Sizing {
  /// Whether an `auto` width is that of the contents, which applies to all MathML elements except for `math`.
  static func isMathPart(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    engine.style(box).box.display == .blockMath && !engine.isMathElement(box, "math")
  }
}

/// Measures the children of an element for intrinsic sizes.
struct MathMeasure {
  let engine: LayoutEngine
  let box: BoxID
  let input: LayoutInput
  let style: ComputedStyle
  let direction: WritingDirection

  init(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) {
    self.engine = engine; self.box = box; self.input = input
    style = engine.style(box)
    direction = WritingDirection(style)
  }

  var children: [BoxID] { engine.tree.children(of: box).filter { engine.tree[$0].isInFlow } }

  /// The contribution of a child, including margins.
  func contribution(_ child: BoxID) throws -> MinMaxSizes {
    var measure = LayoutInput(availableInline: nil)
    measure.isMeasure = true
    let sizes = try Sizing.contribution(engine, child, direction, measure)
    return sizes + Sizing.logicalMargin(engine.style(child), percentageBasis: .zero, in: direction).inlineSum
  }

  func widest() throws -> MinMaxSizes {
    var sizes = MinMaxSizes()
    for child in children { sizes.encompass(try contribution(child)) }
    return sizes
  }
}

extension MinMaxSizes {
  static func + (a: MinMaxSizes, b: MinMaxSizes) -> MinMaxSizes { MinMaxSizes(min: a.min + b.min, max: a.max + b.max) }
}
