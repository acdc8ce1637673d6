import OffprintCoreTypes

/// The axis along which tracks are arranged: columns along the grid container's inline axis, rows along its block axis.
enum GridAxis: Sendable {
  case columns, rows
  var other: GridAxis { self == .columns ? .rows : .columns }
}

struct GridAxes<Value> {
  var columns: Value
  var rows: Value

  subscript(axis: GridAxis) -> Value {
    get { axis == .columns ? columns : rows }
    set { if axis == .columns { columns = newValue } else { rows = newValue } }
  }
}

extension GridAxes: Sendable where Value: Sendable {}
extension GridAxes: Equatable where Value: Equatable {}
extension GridAxes: Hashable where Value: Hashable {}

extension LogicalSize {
  subscript(axis: GridAxis) -> LayoutUnit { axis == .columns ? inline : block }
}

extension LogicalEdges {
  func start(_ axis: GridAxis) -> LayoutUnit { axis == .columns ? inlineStart : blockStart }
  func end(_ axis: GridAxis) -> LayoutUnit { axis == .columns ? inlineEnd : blockEnd }
  func sum(_ axis: GridAxis) -> LayoutUnit { start(axis) + end(axis) }
}

extension WritingDirection {
  /// Whether a grid container's axis is horizontal.
  func isHorizontal(_ axis: GridAxis) -> Bool { isHorizontal == (axis == .columns) }
}

/// Positioned tracks, relative to the start edge of the content box.
struct GridTrackPositions {
  var starts: [LayoutUnit]
  var sizes: [LayoutUnit]

  func area(_ span: Range<Int>) -> (start: LayoutUnit, size: LayoutUnit) {
    guard starts.indices.contains(span.lowerBound), starts.indices.contains(span.upperBound - 1) else { return (.zero, .zero) }
    let start = starts[span.lowerBound], last = span.upperBound - 1
    return (start, (starts[last] + sizes[last] - start).clampedToZero)
  }
}

/// The tracks that a subgrid shares with its parent. https://drafts.csswg.org/css-grid-2/#subgrid-tracks
struct SubgridTracks: Hashable, Sendable {
  var count: Int
  /// The parent's names of the lines.
  var names: [[ByteString]]
  /// Relative to the subgrid's content box; empty while the parent's tracks are unsized.
  var starts: [LayoutUnit] = []
  var sizes: [LayoutUnit] = []
  var baselines: [Baselines] = []

  /// The baselines of the parent's tracks, if any, from the edges of the subgrid's tracks.
  struct Baselines: Hashable, Sendable {
    var start: LayoutUnit?
    var end: LayoutUnit?
  }
}

/// The tracks of subgrids, which layout inputs refer to by index.
struct SubgridTracksTable {
  private var entries: [SubgridTracks] = []
  private var numbers: [SubgridTracks: Int32] = [:]

  subscript(number: Int32) -> SubgridTracks? { entries.indices.contains(Int(number)) ? entries[Int(number)] : nil }

  mutating func number(of tracks: SubgridTracks) -> Int32 {
    if let known = numbers[tracks] { return known }
    let number = Int32(truncatingIfNeeded: entries.count)
    entries.append(tracks)
    numbers[tracks] = number
    return number
  }
}
