import OffprintCSS
import OffprintCoreTypes

/// A range of tracks in one axis, counted from the first explicit line. Negative indices are implicit lines.
struct GridSpan: Hashable {
  var start: Int
  var end: Int
  var count: Int { end - start }

  init(start: Int, end: Int) { self.start = start; self.end = end }
  init(start: Int, count: Int) { self.init(start: start, end: start + count) }

  /// The part of the span within `count` tracks, at least one track.
  func limited(to count: Int) -> GridSpan {
    let low = max(0, min(start, count - 1))
    return GridSpan(start: low, end: max(low + 1, min(end, count)))
  }
}

/// Resolves grid placement properties to tracks. https://drafts.csswg.org/css-grid-2/#line-placement
enum GridLineResolution {
  /// A definite position, or only a number of spanned tracks.
  enum Resolved {
    case definite(GridSpan)
    case span(Int)

    /// Limits the position to the tracks of a subgrid, which has no implicit ones.
    func limited(to count: Int?) -> Resolved {
      guard let count else { return self }
      switch self {
      case .definite(let span): return .definite(span.limited(to: count))
      case .span(let wanted): return .span(max(1, min(wanted, count)))
      }
    }
  }

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

  /// The `count`-th line with a name after `start`. All implicit lines have the name.
  private static func namedLine(_ name: ByteString, _ count: Int, after start: Int, _ tracks: ExplicitTracks) -> Int {
    let lines = tracks.lines(named: name)
    let first = lines.partitioningIndex { $0 > start }
    if count <= lines.count - first { return lines[first + count - 1] }
    return max(start, tracks.lineNames.count - 1) + count - (lines.count - first)
  }

  private static func namedLine(_ name: ByteString, _ count: Int, before end: Int, _ tracks: ExplicitTracks) -> Int {
    let lines = tracks.lines(named: name)
    let before = lines.partitioningIndex { $0 >= end }
    return count <= before ? lines[before - count] : min(end, 0) - (count - before)
  }

  /// A line specified by number or name; nil for `auto` and spans.
  private static func line(_ line: GridLine, _ tracks: ExplicitTracks, isStart: Bool) -> Int? {
    switch line {
    case .auto, .span, .spanNamed: return nil
    case .line(let number):
      let limited = min(max(number, -ExplicitTracks.maximumTracks), ExplicitTracks.maximumTracks)
      return limited > 0 ? limited - 1 : tracks.count + 1 + limited
    case .named(let name, let number):
      guard let number else {
        // The line of a named area, otherwise any line of that name, otherwise the first implicit line.
        let edge = name + (isStart ? "-start" : "-end")
        return tracks.lines(named: edge).first ?? tracks.lines(named: name).first ?? tracks.count + 1
      }
      let limited = min(max(number, -ExplicitTracks.maximumTracks), ExplicitTracks.maximumTracks)
      let named = tracks.lines(named: name)
      if limited > 0 { return limited <= named.count ? named[limited - 1] : tracks.count + limited - named.count }
      return -limited <= named.count ? named[named.count + limited] : limited + named.count
    }
  }
}

extension [Int] {
  /// Binary search: the first index from which on the predicate holds.
  fileprivate func partitioningIndex(_ isBehind: (Int) -> Bool) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
