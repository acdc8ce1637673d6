import OffprintCoreTypes

/// The contributions of an item to its spanned tracks, including margins.
struct GridContribution {
  var span: Range<Int>
  var minimum: LayoutUnit
  var minContent: LayoutUnit
  var maxContent: LayoutUnit
}

/// The track sizing algorithm for one axis. https://drafts.csswg.org/css-grid-2/#algo-track-sizing
struct GridTrackSizing {
  /// The constraint under which the container is sized.
  enum Constraint { case layout, minContent, maxContent }

  var tracks: [GridTrack]
  let gap: LayoutUnit
  /// The container's content-box size in this axis; nil if indefinite.
  let available: LayoutUnit?
  var constraint = Constraint.layout
  /// The minimum and maximum sizes of the container, if `available` is nil.
  var minimumSize: LayoutUnit?
  var maximumSize: LayoutUnit?
  /// Whether `auto` tracks stretch to fill the container.
  var stretches = false

  mutating func run(_ contributions: [GridContribution]) {
    resolveIntrinsic(contributions)
    if constraint != .minContent { maximize() }
    expandFlexible(contributions)
    if stretches { stretchAuto() }
  }

  var total: LayoutUnit { tracks.reduce(gaps) { $0 + $1.base } }
  var gaps: LayoutUnit { gap * max(0, tracks.lazy.filter { !$0.isCollapsed }.count - 1) }

  /// The sum of a size over the tracks of a span, including the gaps between them.
  func size(_ span: Range<Int>, _ size: (GridTrack) -> LayoutUnit) -> LayoutUnit {
    span.reduce(gaps(span)) { $0 + size(tracks[$1]) }
  }

  func gaps(_ span: Range<Int>) -> LayoutUnit {
    guard span.count > 1, gap != .zero else { return .zero }
    return gap * max(0, span.reduce(0) { $0 + (tracks[$1].isCollapsed ? 0 : 1) } - 1)
  }

  // MARK: Intrinsic sizes

  /// https://drafts.csswg.org/css-grid-2/#algo-content
  private mutating func resolveIntrinsic(_ contributions: [GridContribution]) {
    var flexibleBefore = [0]
    for track in tracks { flexibleBefore.append((flexibleBefore.last ?? 0) + (track.flexFactor == nil ? 0 : 1)) }
    func crossesFlexible(_ span: Range<Int>) -> Bool { flexibleBefore[span.upperBound] > flexibleBefore[span.lowerBound] }
    var spanning: [GridContribution] = [], flexible: [GridContribution] = []
    for item in contributions {
      if crossesFlexible(item.span) {
        flexible.append(item)
      } else if item.span.count == 1 {
        accommodate(item)
      } else {
        spanning.append(item)
      }
    }
    // 3. Items that span two tracks, then three, and so on.
    var planned = [LayoutUnit?](repeating: nil, count: tracks.count)
    spanning.sort { $0.span.count < $1.span.count }
    var start = 0
    while start < spanning.count {
      let end = spanning[start...].firstIndex { $0.span.count != spanning[start].span.count } ?? spanning.count
      accommodate(spanning[start..<end], onlyFlexible: false, &planned)
      start = end
    }
    // 4. Items that span flexible tracks, all together.
    if !flexible.isEmpty { accommodate(flexible[...], onlyFlexible: true, &planned) }
    // 5. Set infinite limits to the base size.
    for index in tracks.indices where tracks[index].limit == nil { tracks[index].limit = tracks[index].base }
  }

  /// 2. An item that spans one track. Chromium uses the minimum contribution for automatic minimums, also under a min-content or
  ///   max-content constraint.
  private mutating func accommodate(_ item: GridContribution) {
    var track = tracks[item.span.lowerBound]
    switch track.minimum {
    case .minContent: track.base = max(track.base, item.minContent)
    case .maxContent: track.base = max(track.base, item.maxContent)
    case .auto: track.base = max(track.base, item.minimum)
    case .fixed: break
    }
    switch track.maximum {
    case .minContent: track.limit = max(track.limit ?? .zero, item.minContent)
    case .maxContent, .auto: track.limit = max(track.limit ?? .zero, item.maxContent)
    case .fitContent(let limit): track.limit = max(track.limit ?? .zero, min(item.maxContent, limit))
    case .fixed, .flex: break
    }
    if let limit = track.limit, limit < track.base { track.limit = track.base }
    tracks[item.span.lowerBound] = track
  }

  /// Steps 3 and 4: items with equal spans, or all that span flexible tracks.
  private mutating func accommodate(_ items: ArraySlice<GridContribution>, onlyFlexible: Bool, _ planned: inout [LayoutUnit?]) {
    growBase(items, onlyFlexible, &planned, affects: { $0.minimum.isIntrinsic }, beyond: { $0.maximum.isIntrinsic }) { $0.minimum }
    growBase(items, onlyFlexible, &planned, affects: { $0.minimum.isContentBased }, beyond: { $0.maximum.isIntrinsic }) { $0.minContent }
    growBase(items, onlyFlexible, &planned, affects: { $0.minimum.isMaxContent }, beyond: { $0.maximum.takesMaxContent }) { $0.maxContent }
    guard !onlyFlexible else { return }
    growLimit(items, &planned, marksGrowable: true, affects: { $0.maximum.isIntrinsic }) { $0.minContent }
    growLimit(items, &planned, marksGrowable: false, affects: { $0.maximum.takesMaxContent }) { $0.maxContent }
    for item in items { for index in item.span { tracks[index].isInfinitelyGrowable = false } }
  }

  private mutating func growBase(
    _ items: ArraySlice<GridContribution>, _ onlyFlexible: Bool, _ planned: inout [LayoutUnit?], affects: (GridTrack) -> Bool,
    beyond: (GridTrack) -> Bool, _ contribution: (GridContribution) -> LayoutUnit
  ) {
    var touched: [Int] = []
    for item in items {
      let affected = item.span.filter { affects(tracks[$0]) && (!onlyFlexible || tracks[$0].flexFactor != nil) }
      guard !affected.isEmpty else { continue }
      let extra = contribution(item) - size(item.span) { $0.base }
      guard extra > .zero else { continue }
      let increases =
        onlyFlexible
        ? shareByFlex(extra, affected)
        : distribute(extra, affected, room: { track in track.limit.map { ($0 - track.base).clampedToZero } }, beyond: beyond)
      Self.plan(increases, affected, &planned, &touched)
    }
    for index in touched {
      tracks[index].growBase(by: planned[index] ?? .zero)
      planned[index] = nil
    }
  }

  private static func plan(_ increases: [LayoutUnit], _ affected: [Int], _ planned: inout [LayoutUnit?], _ touched: inout [Int]) {
    for (index, increase) in zip(affected, increases) {
      if planned[index] == nil { touched.append(index) }
      planned[index] = max(planned[index] ?? .zero, increase)
    }
  }

  /// Distributes by flex factors, or equally if all are zero.
  private func shareByFlex(_ extra: LayoutUnit, _ affected: [Int]) -> [LayoutUnit] {
    let factors = affected.map { tracks[$0].flexFactor ?? 0 }
    let sum = factors.reduce(0, +)
    return factors.map { sum > 0 ? LayoutUnit(rounding: extra.double * ($0 / sum)) : extra / affected.count }
  }

  private mutating func growLimit(
    _ items: ArraySlice<GridContribution>, _ planned: inout [LayoutUnit?], marksGrowable: Bool, affects: (GridTrack) -> Bool,
    _ contribution: (GridContribution) -> LayoutUnit
  ) {
    var touched: [Int] = []
    for item in items {
      let affected = item.span.filter { affects(tracks[$0]) }
      guard !affected.isEmpty else { continue }
      let extra = contribution(item) - size(item.span) { $0.finiteLimit }
      let increases =
        extra > .zero
        ? distribute(extra, affected, room: { $0.isInfinitelyGrowable || $0.limit == nil ? nil : .zero }, beyond: { _ in true })
        : affected.map { _ in LayoutUnit.zero }
      Self.plan(increases, affected, &planned, &touched)
    }
    for index in touched {
      if tracks[index].limit == nil, marksGrowable { tracks[index].isInfinitelyGrowable = true }
      var limit = tracks[index].finiteLimit + (planned[index] ?? .zero)
      if case .fitContent(let most) = tracks[index].maximum { limit = min(limit, max(most, tracks[index].base)) }
      tracks[index].limit = limit
      planned[index] = nil
    }
  }

  /// Distributes space equally up to the limits, and then beyond them. https://drafts.csswg.org/css-grid-2/#extra-space
  ///
  /// - Parameters:
  ///   - room: The growth up to a track's limit; nil if unlimited.
  ///   - beyond: The tracks that grow beyond their limits; all of them if none is selected.
  private func distribute(
    _ extra: LayoutUnit, _ affected: [Int], room: (GridTrack) -> LayoutUnit?, beyond: (GridTrack) -> Bool
  ) -> [LayoutUnit] {
    var increases = Array(repeating: LayoutUnit.zero, count: affected.count)
    var left = extra
    // In ascending order, one pass distributes the space equally.
    let rooms = affected.map { room(tracks[$0]) ?? .max }
    let order =
      rooms.contains(.max) && !rooms.contains { $0 != .max }
      ? Array(rooms.indices) : rooms.indices.sorted { (rooms[$0], $0) < (rooms[$1], $1) }
    for (position, index) in order.enumerated() {
      let step = min(left / (order.count - position), rooms[index])
      increases[index] += step
      left -= step
    }
    guard left > .zero else { return increases }
    var takers = affected.indices.filter { beyond(tracks[affected[$0]]) }
    if takers.isEmpty { takers = Array(affected.indices) }
    for (number, index) in takers.enumerated() {
      let share = left / (takers.count - number)
      increases[index] += share
      left -= share
    }
    return increases
  }
}
