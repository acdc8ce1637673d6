import OffprintCSS
import OffprintCoreTypes

/// Flex layout. This driver follows the steps of the specification, each of which is in a separate file.
/// https://drafts.csswg.org/css-flexbox-1/#layout-algorithm
enum FlexFormattingContext {
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    let edges = Sizing.edges(engine, box, input)
    let inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    guard input.fragmentation < 0 else {
      return try RowFragmentation.layout(engine, box, input, edges: edges, inlineSize: inlineSize) {
        try container(engine, box, input, edges: edges, inlineSize: inlineSize).fragmentedRows()
      }
    }
    return try container(engine, box, input, edges: edges, inlineSize: inlineSize).makeResult()
  }

  /// The container with positioned items.
  private static func container(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, inlineSize: LayoutUnit
  ) throws -> FlexContainer {
    var container = FlexContainer(engine, box, input, edges: edges, inlineSize: inlineSize)
    // §9.1 Anonymous flex items exist in the box tree. Order-modified document order.
    container.collectItems()
    // §9.2 Line length determination: flex base sizes, hypothetical main sizes, the main size of the container.
    try container.determineMainSizes()
    // §9.3 Main size determination: lines, then flexible lengths (§9.7).
    container.collectLines()
    container.determineContainerMainSize()
    for index in container.lines.indices { container.resolveFlexibleLengths(line: index) }
    // §9.4 Cross size determination.
    try container.determineCrossSizes()
    // §9.5 and §9.6 Main-axis and cross-axis alignment.
    for index in container.lines.indices { container.alignMainAxis(line: index) }
    container.alignCrossAxis()
    return container
  }

  /// https://drafts.csswg.org/css-flexbox-1/#intrinsic-sizes
  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let edges = Sizing.edges(engine, box, input)
    if let contained = Sizing.containedInline(engine.style(box)) {
      return MinMaxSizes(min: contained, max: contained) + edges.inlineSum
    }
    var container = FlexContainer(engine, box, input, edges: edges, inlineSize: nil)
    container.collectItems()
    return try container.intrinsicContentSizes() + edges.inlineSum
  }
}
