import CSS
import CoreTypes

/// A range of tracks in one axis, counted from the first explicit line; negative lines are implicit.
struct GridSpan: Hashable {
  var start: Int
  var end: Int
  var count: Int { end - start }
}

struct GridItem {
  var box: BoxID
  var column = GridSpan(start: 0, end: 1)
  var row = GridSpan(start: 0, end: 1)
}

/// Where each item goes. https://drafts.csswg.org/css-grid-2/#auto-placement-algo
struct GridPlacement {
  /// A definite place, or only how many tracks it spans.
  enum Resolved {
    case definite(GridSpan)
    case span(Int)
  }

  let columns: ExplicitTracks
  let rows: ExplicitTracks
  private(set) var items: [GridItem] = []
  private var occupied: Set<Slot> = []
  private struct Slot: Hashable {
    var row: Int32
    var column: Int32
  }
  private var columnRange: Range<Int>
  private var rowRange: Range<Int>

  init(columns: ExplicitTracks, rows: ExplicitTracks) {
    self.columns = columns
    self.rows = rows
    columnRange = 0..<columns.count
    rowRange = 0..<rows.count
  }

  // MARK: Lines

  /// https://drafts.csswg.org/css-grid-2/#line-placement
  static func resolve(_ start: GridLine, _ end: GridLine, _ tracks: ExplicitTracks) -> Resolved {
    let from = line(start, tracks, isStart: true), to = line(end, tracks, isStart: false)
    switch (from, to) {
    case (let from?, let to?):
      if from == to { return .definite(GridSpan(start: from, end: from + 1)) }
      return .definite(clamped(min(from, to), max(from, to)))
    case (let from?, nil): return .definite(spanForward(from, end, tracks))
    case (nil, let to?): return .definite(spanBackward(to, start, tracks))
    case (nil, nil):
      if case .span(let count) = start { return .span(clampedSpan(count)) }
      if case .span(let count) = end { return .span(clampedSpan(count)) }
      return .span(1)
    }
  }

  static func clampedSpan(_ count: Int) -> Int { min(max(count, 1), ExplicitTracks.maximumTracks) }

  private static func clamped(_ start: Int, _ end: Int) -> GridSpan {
    let limit = ExplicitTracks.maximumTracks
    let low = min(max(start, -limit), limit - 1)
    return GridSpan(start: low, end: min(max(end, low + 1), limit))
  }

  private static func spanForward(_ start: Int, _ end: GridLine, _ tracks: ExplicitTracks) -> GridSpan {
    switch end {
    case .span(let count): clamped(start, start + clampedSpan(count))
    case .spanNamed(let name, let count): clamped(start, namedLine(name, clampedSpan(count), after: start, tracks))
    default: clamped(start, start + 1)
    }
  }

  private static func spanBackward(_ end: Int, _ start: GridLine, _ tracks: ExplicitTracks) -> GridSpan {
    switch start {
    case .span(let count): clamped(end - clampedSpan(count), end)
    case .spanNamed(let name, let count): clamped(namedLine(name, clampedSpan(count), before: end, tracks), end)
    default: clamped(end - 1, end)
    }
  }

  /// The `count`-th line called `name` behind `start`; implicit lines all have the name.
  private static func namedLine(_ name: String, _ count: Int, after start: Int, _ tracks: ExplicitTracks) -> Int {
    var left = count
    for line in tracks.lineNames.indices where line > start && tracks.lineNames[line].contains(name) {
      left -= 1
      if left == 0 { return line }
    }
    return max(start, tracks.lineNames.count - 1) + left
  }

  private static func namedLine(_ name: String, _ count: Int, before end: Int, _ tracks: ExplicitTracks) -> Int {
    var left = count
    for line in tracks.lineNames.indices.reversed() where line < end && tracks.lineNames[line].contains(name) {
      left -= 1
      if left == 0 { return line }
    }
    return min(end, 0) - left
  }

  /// A line that is given by number or name; nil for `auto` and spans.
  private static func line(_ line: GridLine, _ tracks: ExplicitTracks, isStart: Bool) -> Int? {
    switch line {
    case .auto, .span, .spanNamed: return nil
    case .line(let number):
      let limited = min(max(number, -ExplicitTracks.maximumTracks), ExplicitTracks.maximumTracks)
      return limited > 0 ? limited - 1 : tracks.count + 1 + limited
    case .named(let name, let number):
      guard let number else {
        // A named area's line first, then any line of that name, then the first implicit one.
        let edge = name + (isStart ? "-start" : "-end")
        if let found = tracks.lineNames.firstIndex(where: { $0.contains(edge) }) { return found }
        return tracks.lineNames.firstIndex { $0.contains(name) } ?? tracks.count + 1
      }
      let limited = min(max(number, -ExplicitTracks.maximumTracks), ExplicitTracks.maximumTracks)
      let named = tracks.lineNames.indices.filter { tracks.lineNames[$0].contains(name) }
      if limited > 0 { return limited <= named.count ? named[limited - 1] : tracks.count + limited - named.count }
      return -limited <= named.count ? named[named.count + limited] : limited + named.count
    }
  }

  // MARK: The algorithm

  mutating func place(_ children: [(box: BoxID, style: ComputedStyle)], flow: GridAutoFlow) {
    let resolved = children.map { child in
      (
        column: Self.resolve(child.style.align.gridColumnStart, child.style.align.gridColumnEnd, columns),
        row: Self.resolve(child.style.align.gridRowStart, child.style.align.gridRowEnd, rows)
      )
    }
    items = children.map { GridItem(box: $0.box) }
    // Work in flow-relative terms: "major" is rows for row flow.
    func major(_ index: Int) -> Resolved { flow.isColumn ? resolved[index].column : resolved[index].row }
    func minor(_ index: Int) -> Resolved { flow.isColumn ? resolved[index].row : resolved[index].column }
    var isPlaced = Array(repeating: false, count: items.count)
    // 0. Items with a definite place in both axes.
    for index in items.indices {
      if case .definite(let a) = major(index), case .definite(let b) = minor(index) {
        put(index, major: a, minor: b, flow)
        isPlaced[index] = true
      }
    }
    // 1. Items locked to a given row.
    var cursors: [Int: Int] = [:]
    for index in items.indices where !isPlaced[index] {
      guard case .definite(let a) = major(index), case .span(let count) = minor(index) else { continue }
      var position = flow.isDense ? minorRange(flow).lowerBound : max(cursors[a.start] ?? minorRange(flow).lowerBound, minorRange(flow).lowerBound)
      while !isFree(major: a, minor: GridSpan(start: position, end: position + count), flow) { position += 1 }
      put(index, major: a, minor: GridSpan(start: position, end: position + count), flow)
      cursors[a.start] = position + count
      isPlaced[index] = true
    }
    // 2. and 3. The columns of the implicit grid.
    for index in items.indices where !isPlaced[index] {
      switch minor(index) {
      case .definite(let b): extendMinor(b, flow)
      case .span(let count):
        let range = minorRange(flow)
        if range.count < count { extendMinor(GridSpan(start: range.lowerBound, end: range.lowerBound + count), flow) }
      }
    }
    placeRest(isPlaced, major: major, minor: minor, flow)
  }

  /// 4. Everything that is left, in order.
  private mutating func placeRest(_ isPlaced: [Bool], major: (Int) -> Resolved, minor: (Int) -> Resolved, _ flow: GridAutoFlow) {
    var cursor = (major: majorRange(flow).lowerBound, minor: minorRange(flow).lowerBound)
    for index in items.indices where !isPlaced[index] {
      guard case .span(let majorCount) = major(index) else { continue }
      switch minor(index) {
      case .definite(let b):
        if flow.isDense {
          cursor.major = majorRange(flow).lowerBound
        } else if b.start < cursor.minor {
          cursor.major += 1
        }
        cursor.minor = b.start
        while !isFree(major: GridSpan(start: cursor.major, end: cursor.major + majorCount), minor: b, flow) { cursor.major += 1 }
        put(index, major: GridSpan(start: cursor.major, end: cursor.major + majorCount), minor: b, flow)
      case .span(let count):
        if flow.isDense { cursor = (majorRange(flow).lowerBound, minorRange(flow).lowerBound) }
        while true {
          if cursor.minor + count > minorRange(flow).upperBound {
            cursor = (cursor.major + 1, minorRange(flow).lowerBound)
            continue
          }
          let a = GridSpan(start: cursor.major, end: cursor.major + majorCount), b = GridSpan(start: cursor.minor, end: cursor.minor + count)
          if isFree(major: a, minor: b, flow) {
            put(index, major: a, minor: b, flow)
            break
          }
          cursor.minor += 1
        }
      }
    }
  }

  private func minorRange(_ flow: GridAutoFlow) -> Range<Int> { flow.isColumn ? rowRange : columnRange }
  private func majorRange(_ flow: GridAutoFlow) -> Range<Int> { flow.isColumn ? columnRange : rowRange }

  private mutating func extendMinor(_ span: GridSpan, _ flow: GridAutoFlow) {
    if flow.isColumn { Self.extend(&rowRange, span) } else { Self.extend(&columnRange, span) }
  }

  private static func extend(_ range: inout Range<Int>, _ span: GridSpan) {
    range = min(range.lowerBound, span.start)..<max(range.upperBound, span.end)
  }

  private mutating func put(_ index: Int, major: GridSpan, minor: GridSpan, _ flow: GridAutoFlow) {
    items[index].row = flow.isColumn ? minor : major
    items[index].column = flow.isColumn ? major : minor
    Self.extend(&rowRange, items[index].row)
    Self.extend(&columnRange, items[index].column)
    // Occupancy is kept for a bounded number of slots: spans of thousands by thousands overlap rather than exhaust the memory.
    guard items[index].row.count * items[index].column.count <= 100_000 else { return }
    for row in items[index].row.start..<items[index].row.end {
      for column in items[index].column.start..<items[index].column.end {
        occupied.insert(Slot(row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: column)))
      }
    }
  }

  private func isFree(major: GridSpan, minor: GridSpan, _ flow: GridAutoFlow) -> Bool {
    if abs(major.start) > 2 * ExplicitTracks.maximumTracks || abs(minor.start) > 2 * ExplicitTracks.maximumTracks { return true }
    let row = flow.isColumn ? minor : major, column = flow.isColumn ? major : minor
    guard row.count * column.count <= 100_000 else { return true }
    for r in row.start..<row.end {
      for c in column.start..<column.end
      where occupied.contains(Slot(row: Int32(truncatingIfNeeded: r), column: Int32(truncatingIfNeeded: c))) { return false }
    }
    return true
  }

  /// How many implicit tracks stand before the explicit ones.
  var leading: (columns: Int, rows: Int) { (-columnRange.lowerBound, -rowRange.lowerBound) }
  var counts: (columns: Int, rows: Int) { (columnRange.count, rowRange.count) }
}
