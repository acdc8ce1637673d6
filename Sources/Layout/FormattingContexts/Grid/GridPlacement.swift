import OffprintCSS
import OffprintCoreTypes

/// Grid item placement. https://drafts.csswg.org/css-grid-2/#auto-placement-algo
///
/// Flow-independent: "major" is the axis in which auto-placement adds tracks, rows for `grid-auto-flow: row`.
struct GridPlacement {
  struct Area {
    var columns = GridSpan(start: 0, end: 1)
    var rows = GridSpan(start: 0, end: 1)
  }
  private struct Request {
    var major: GridLineResolution.Resolved
    var minor: GridLineResolution.Resolved
  }
  /// With dense packing, the search for an item continues after the last item with the same shape.
  private struct Shape: Hashable {
    var major: Int
    var minor: Int
    /// The position in the axis that is definite, if any.
    var line: Int?
  }

  private(set) var areas: [Area] = []
  private var occupancy: GridOccupancy
  private let flow: GridAutoFlow
  private var majorRange: Range<Int>
  private var minorRange: Range<Int>
  private var reached: [Shape: (major: Int, minor: Int)] = [:]
  var isClamped: Bool { occupancy.isExhausted }

  /// - Parameters:
  ///   - limits: In a subgrid, the number of tracks; nil if implicit tracks may be added.
  ///   - deadline: After it has passed, items may overlap.
  init(
    _ children: [(box: BoxID, style: ComputedStyle)], columns: ExplicitTracks, rows: ExplicitTracks, flow: GridAutoFlow,
    limits: GridAxes<Int?>, deadline: Deadline
  ) {
    self.flow = flow
    occupancy = GridOccupancy(deadline)
    majorRange = 0..<(flow.isColumn ? columns.count : rows.count)
    minorRange = 0..<(flow.isColumn ? rows.count : columns.count)
    let requests = children.map { child -> Request in
      let align = child.style.align
      let column = GridLineResolution.resolve(align.gridColumnStart, align.gridColumnEnd, columns).limited(to: limits.columns)
      let row = GridLineResolution.resolve(align.gridRowStart, align.gridRowEnd, rows).limited(to: limits.rows)
      return flow.isColumn ? Request(major: column, minor: row) : Request(major: row, minor: column)
    }
    areas = Array(repeating: Area(), count: children.count)
    place(requests)
    if let count = limits.columns { limit(\.columns, to: count) }
    if let count = limits.rows { limit(\.rows, to: count) }
  }

  private mutating func place(_ requests: [Request]) {
    // 3. The implicit grid contains the tracks of all definite positions.
    for request in requests {
      if case .definite(let span) = request.major { Self.extend(&majorRange, span) }
      switch request.minor {
      case .definite(let span): Self.extend(&minorRange, span)
      case .span(let count):
        if minorRange.count < count { Self.extend(&minorRange, GridSpan(start: minorRange.lowerBound, end: minorRange.lowerBound + count)) }
      }
    }
    // 1. Items with definite positions in both axes.
    for (index, request) in requests.enumerated() {
      if case .definite(let major) = request.major, case .definite(let minor) = request.minor { put(index, major, minor) }
    }
    // 2. Items locked to a given row.
    for (index, request) in requests.enumerated() {
      if case .definite(let major) = request.major, case .span(let count) = request.minor { placeLocked(index, major, count) }
    }
    // 4. All remaining items, in order.
    var cursor = (major: majorRange.lowerBound, minor: minorRange.lowerBound)
    for (index, request) in requests.enumerated() {
      guard case .span(let count) = request.major else { continue }
      switch request.minor {
      case .definite(let minor): placeInColumn(index, minor, count, &cursor)
      case .span(let minorCount): placeAutomatic(index, major: count, minor: minorCount, &cursor)
      }
    }
  }

  private mutating func placeLocked(_ index: Int, _ major: GridSpan, _ count: Int) {
    let shape = Shape(major: major.count, minor: flow.isDense ? count : 0, line: major.start)
    var minor = GridSpan(start: reached[shape]?.minor ?? minorRange.lowerBound, count: count)
    while let end = occupancy.conflict(major, minor) { minor = GridSpan(start: end, count: count) }
    reached[shape] = (major.start, flow.isDense ? minor.start : minor.end)
    put(index, major, minor)
  }

  /// Places an item with a definite minor position.
  private mutating func placeInColumn(_ index: Int, _ minor: GridSpan, _ count: Int, _ cursor: inout (major: Int, minor: Int)) {
    let shape = Shape(major: count, minor: minor.count, line: minor.start)
    if flow.isDense {
      cursor.major = reached[shape]?.major ?? majorRange.lowerBound
    } else if minor.start < cursor.minor {
      cursor.major += 1
    }
    cursor.minor = minor.start
    while occupancy.conflict(GridSpan(start: cursor.major, count: count), minor) != nil { cursor.major += 1 }
    reached[shape] = cursor
    put(index, GridSpan(start: cursor.major, count: count), minor)
  }

  private mutating func placeAutomatic(_ index: Int, major: Int, minor: Int, _ cursor: inout (major: Int, minor: Int)) {
    let shape = Shape(major: major, minor: minor, line: nil)
    if flow.isDense { cursor = reached[shape] ?? (majorRange.lowerBound, minorRange.lowerBound) }
    while true {
      if cursor.minor + minor > minorRange.upperBound {
        cursor = (cursor.major + 1, minorRange.lowerBound)
        continue
      }
      guard let end = occupancy.conflict(GridSpan(start: cursor.major, count: major), GridSpan(start: cursor.minor, count: minor))
      else { break }
      cursor.minor = end
    }
    reached[shape] = cursor
    put(index, GridSpan(start: cursor.major, count: major), GridSpan(start: cursor.minor, count: minor))
  }

  private mutating func put(_ index: Int, _ major: GridSpan, _ minor: GridSpan) {
    areas[index] = flow.isColumn ? Area(columns: major, rows: minor) : Area(columns: minor, rows: major)
    Self.extend(&majorRange, major)
    Self.extend(&minorRange, minor)
    occupancy.insert(major, minor)
  }

  private static func extend(_ range: inout Range<Int>, _ span: GridSpan) {
    range = min(range.lowerBound, span.start)..<max(range.upperBound, span.end)
  }

  /// Clamps items to the tracks of a subgrid, which has no implicit ones.
  private mutating func limit(_ axis: WritableKeyPath<Area, GridSpan>, to count: Int) {
    for index in areas.indices { areas[index][keyPath: axis] = areas[index][keyPath: axis].limited(to: count) }
    if (axis == \.columns) == flow.isColumn { majorRange = 0..<count } else { minorRange = 0..<count }
  }

  var columnRange: Range<Int> { flow.isColumn ? majorRange : minorRange }
  var rowRange: Range<Int> { flow.isColumn ? minorRange : majorRange }
}

/// The occupied cells: for each major track sorted, disjoint intervals of minor tracks.
private struct GridOccupancy {
  private var rows: [Int: [Range<Int>]] = [:]
  /// The remaining numbers of intervals and steps. When exhausted, items overlap instead of consuming more memory and time.
  private var capacity = 4_000_000
  private var steps = 50_000_000
  private(set) var isExhausted = false
  private let deadline: Deadline

  init(_ deadline: Deadline) { self.deadline = deadline }

  /// The first minor position after conflicting items; nil if the area is free.
  mutating func conflict(_ major: GridSpan, _ minor: GridSpan) -> Int? {
    guard !isExhausted else { return nil }
    var result: Int?
    for track in major.start..<major.end {
      guard let intervals = rows[track] else { continue }
      let index = Self.firstIndex(intervals, endingAfter: minor.start)
      if index < intervals.count, intervals[index].lowerBound < minor.end { result = max(result ?? .min, intervals[index].upperBound) }
    }
    let before = steps
    steps -= major.count
    if steps < 0 || (before >> 14 != steps >> 14 && deadline.hasPassed) { isExhausted = true }
    return result
  }

  private static func firstIndex(_ intervals: [Range<Int>], endingAfter line: Int) -> Int {
    var low = 0, high = intervals.count
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].upperBound > line { high = middle } else { low = middle + 1 }
    }
    return low
  }

  mutating func insert(_ major: GridSpan, _ minor: GridSpan) {
    guard capacity >= major.count else {
      isExhausted = true
      return
    }
    capacity -= major.count
    for track in major.start..<major.end { Self.insert(minor.start..<minor.end, into: &rows[track, default: []]) }
  }

  private static func insert(_ range: Range<Int>, into intervals: inout [Range<Int>]) {
    // Adjacent intervals are merged.
    let low = firstIndex(intervals, endingAfter: range.lowerBound - 1)
    var high = low, merged = range
    while high < intervals.count, intervals[high].lowerBound <= range.upperBound {
      merged = min(merged.lowerBound, intervals[high].lowerBound)..<max(merged.upperBound, intervals[high].upperBound)
      high += 1
    }
    intervals.replaceSubrange(low..<high, with: CollectionOfOne(merged))
  }
}
