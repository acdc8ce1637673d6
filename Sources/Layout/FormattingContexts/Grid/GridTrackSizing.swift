import CSS
import CoreTypes

/// A track while its size is being found. https://drafts.csswg.org/css-grid-2/#algo-terms
struct GridTrack {
  enum Minimum {
    case fixed(LayoutUnit)
    case auto, minContent, maxContent
    var isIntrinsic: Bool { if case .fixed = self { false } else { true } }
  }
  enum Maximum {
    case fixed(LayoutUnit)
    case auto, minContent, maxContent
    case fitContent(LayoutUnit)
    case flex(Double)
    var isIntrinsic: Bool {
      switch self {
      case .fixed, .flex: false
      default: true
      }
    }
  }

  var minimum: Minimum
  var maximum: Maximum
  var base = LayoutUnit.zero
  /// nil is infinite.
  var limit: LayoutUnit?
  var isInfinitelyGrowable = false
  var isCollapsed = false

  var flexFactor: Double? { if case .flex(let factor) = maximum { factor } else { nil } }
  var finiteLimit: LayoutUnit { limit ?? base }

  /// - Parameter available: what percentages refer to; nil: they count as auto.
  init(_ size: TrackSize, available: LayoutUnit?) {
    func low(_ breadth: TrackBreadth) -> Minimum {
      switch breadth {
      case .auto, .flex: .auto
      case .minContent: .minContent
      case .maxContent: .maxContent
      case .value(let length): length.resolveIfDefinite(available).map { .fixed($0.clampedToZero) } ?? .auto
      }
    }
    func high(_ breadth: TrackBreadth) -> Maximum {
      switch breadth {
      case .auto: .auto
      case .minContent: .minContent
      case .maxContent: .maxContent
      case .flex(let factor): .flex(factor.isFinite ? max(0, Double(factor)) : 0)
      case .value(let length): length.resolveIfDefinite(available).map { .fixed($0.clampedToZero) } ?? .auto
      }
    }
    switch size {
    case .breadth(let breadth): (minimum, maximum) = (low(breadth), high(breadth))
    case .minmax(let a, let b): (minimum, maximum) = (low(a), high(b))
    case .fitContent(let limit):
      minimum = .auto
      maximum = limit.resolveIfDefinite(available).map { .fitContent($0.clampedToZero) } ?? .auto
    }
    // https://drafts.csswg.org/css-grid-2/#algo-init
    if case .fixed(let value) = minimum { base = value }
    if case .fixed(let value) = maximum { limit = max(base, value) }
  }
}

/// What an item adds to the tracks it spans, margins included.
struct GridContribution {
  var span: Range<Int>
  var minimum: LayoutUnit
  var minContent: LayoutUnit
  var maxContent: LayoutUnit
}

/// The track sizing algorithm. https://drafts.csswg.org/css-grid-2/#algo-track-sizing
struct GridTrackSizing {
  var tracks: [GridTrack]
  let gap: LayoutUnit
  /// The container's content-box size in this axis; nil is indefinite.
  let available: LayoutUnit?
  /// Sizing under a min-content constraint: nothing is stretched or maximised.
  var isMinContent = false

  enum Kind { case minimum, minContent, maxContent }

  mutating func run(_ contributions: [GridContribution], stretches: Bool, minimumSize: LayoutUnit? = nil) {
    resolveIntrinsic(contributions)
    if !isMinContent { maximize() }
    expandFlexible(contributions, minimumSize: minimumSize)
    if stretches { stretchAuto(minimumSize: minimumSize) }
  }

  var total: LayoutUnit { tracks.reduce(.zero) { $0 + $1.base } + gaps }
  private var gaps: LayoutUnit { gap * max(0, tracks.lazy.filter { !$0.isCollapsed }.count - 1) }

  // MARK: Intrinsic sizes

  /// https://drafts.csswg.org/css-grid-2/#algo-content
  private mutating func resolveIntrinsic(_ contributions: [GridContribution]) {
    let plain = contributions.filter { item in !tracks[item.span].contains { $0.flexFactor != nil } }
    let flexible = contributions.filter { item in tracks[item.span].contains { $0.flexFactor != nil } }
    for item in plain where item.span.count == 1 { single(item) }
    let spans = Set(plain.lazy.map(\.span.count).filter { $0 > 1 }).sorted()
    for count in spans { spanning(plain.filter { $0.span.count == count }, onlyFlexible: false) }
    if !flexible.isEmpty { spanning(flexible, onlyFlexible: true) }
    for index in tracks.indices where tracks[index].limit == nil { tracks[index].limit = tracks[index].flexFactor == nil ? tracks[index].base : nil }
    for index in tracks.indices where tracks[index].limit == nil { tracks[index].limit = tracks[index].base }
  }

  /// Step 2: items that span one track.
  private mutating func single(_ item: GridContribution) {
    let index = item.span.lowerBound
    var track = tracks[index]
    switch track.minimum {
    case .minContent: track.base = max(track.base, item.minContent)
    case .maxContent: track.base = max(track.base, item.maxContent)
    case .auto: track.base = max(track.base, item.minimum)
    case .fixed: break
    }
    switch track.maximum {
    case .minContent: track.limit = max(track.limit ?? .zero, item.minContent)
    case .maxContent, .auto: track.limit = max(track.limit ?? .zero, item.maxContent)
    case .fitContent(let limit): track.limit = max(track.limit ?? .zero, min(item.maxContent, max(limit, track.base)))
    case .fixed, .flex: break
    }
    if let limit = track.limit, limit < track.base { track.limit = track.base }
    tracks[index] = track
  }

  /// Steps 3 and 4: items that span several, and flexible, tracks.
  private mutating func spanning(_ items: [GridContribution], onlyFlexible: Bool) {
    growBase(items, onlyFlexible, { $0.minimum }, affects: { $0.minimum.isIntrinsic })
    growBase(items, onlyFlexible, { $0.minContent }, affects: {
      switch $0.minimum {
      case .minContent, .maxContent: true
      default: false
      }
    })
    growBase(items, onlyFlexible, { $0.maxContent }, affects: { if case .maxContent = $0.minimum { true } else { false } })
    for index in tracks.indices { if let limit = tracks[index].limit, limit < tracks[index].base { tracks[index].limit = tracks[index].base } }
    guard !onlyFlexible else { return }
    growLimit(items, { $0.minContent }, affects: { $0.maximum.isIntrinsic }, marksGrowable: true)
    growLimit(items, { $0.maxContent }, affects: {
      switch $0.maximum {
      case .maxContent, .auto, .fitContent: true
      default: false
      }
    }, marksGrowable: false)
    for index in tracks.indices { tracks[index].isInfinitelyGrowable = false }
  }

  private mutating func growBase(
    _ items: [GridContribution], _ onlyFlexible: Bool, _ size: (GridContribution) -> LayoutUnit, affects: (GridTrack) -> Bool
  ) {
    var planned = Array(repeating: LayoutUnit.zero, count: tracks.count)
    for item in items {
      let affected = item.span.filter { affects(tracks[$0]) && (!onlyFlexible || tracks[$0].flexFactor != nil) }
      guard !affected.isEmpty else { continue }
      let used = item.span.reduce(gap * (visible(item.span) - 1)) { $0 + tracks[$1].base }
      let extra = size(item) - used
      guard extra > .zero else { continue }
      let increases = onlyFlexible
        ? shareByFlex(extra, affected) : distribute(extra, affected, current: { $0.base }, limit: { $0.limit }, intrinsicMaximum: true)
      for (index, increase) in zip(affected, increases) { planned[index] = max(planned[index], increase) }
    }
    for index in tracks.indices { tracks[index].base += planned[index] }
  }

  private func visible(_ span: Range<Int>) -> Int { max(1, span.reduce(0) { $0 + (tracks[$1].isCollapsed ? 0 : 1) }) }

  private func shareByFlex(_ extra: LayoutUnit, _ affected: [Int]) -> [LayoutUnit] {
    let factors = affected.map { tracks[$0].flexFactor ?? 0 }
    let sum = factors.reduce(0, +)
    return factors.map { sum > 0 ? extra * ($0 / max(sum, 1)) : extra / affected.count }
  }

  private mutating func growLimit(
    _ items: [GridContribution], _ size: (GridContribution) -> LayoutUnit, affects: (GridTrack) -> Bool, marksGrowable: Bool
  ) {
    var planned = [LayoutUnit?](repeating: nil, count: tracks.count)
    for item in items {
      let affected = item.span.filter { affects(tracks[$0]) }
      guard !affected.isEmpty else { continue }
      let used = item.span.reduce(gap * (visible(item.span) - 1)) { $0 + tracks[$1].finiteLimit }
      let extra = size(item) - used
      let increases = extra > .zero
        ? distribute(extra, affected, current: { $0.finiteLimit }, limit: { track in
          track.isInfinitelyGrowable || track.limit == nil ? nil : track.limit
        }, intrinsicMaximum: false)
        : affected.map { _ in LayoutUnit.zero }
      for (index, increase) in zip(affected, increases) { planned[index] = max(planned[index] ?? .zero, increase) }
    }
    for index in tracks.indices {
      guard let increase = planned[index] else { continue }
      if tracks[index].limit == nil {
        tracks[index].limit = tracks[index].base + increase
        if marksGrowable { tracks[index].isInfinitelyGrowable = true }
      } else {
        tracks[index].limit = tracks[index].finiteLimit + increase
      }
      if case .fitContent(let most) = tracks[index].maximum {
        tracks[index].limit = min(tracks[index].finiteLimit, max(most, tracks[index].base))
      }
    }
  }

  /// https://drafts.csswg.org/css-grid-2/#extra-space: evenly up to the limits, then beyond them.
  private func distribute(
    _ extra: LayoutUnit, _ affected: [Int], current: (GridTrack) -> LayoutUnit, limit: (GridTrack) -> LayoutUnit?, intrinsicMaximum: Bool
  ) -> [LayoutUnit] {
    var increases = Array(repeating: LayoutUnit.zero, count: affected.count)
    var left = extra
    var open = Array(affected.indices)
    while left > .zero && !open.isEmpty {
      let share = left / open.count
      if share <= .zero {
        increases[open[0]] += left
        return increases
      }
      var stillOpen: [Int] = []
      for position in open {
        let track = tracks[affected[position]]
        let room = limit(track).map { ($0 - current(track) - increases[position]).clampedToZero }
        let step = room.map { min($0, share) } ?? share
        increases[position] += step
        left -= step
        if room == nil || step < (room ?? .max) { stillOpen.append(position) }
      }
      if stillOpen.count == open.count && share < .epsilon * 2 { break }
      open = stillOpen
    }
    guard left > .zero else { return increases }
    // Beyond limits: tracks with an intrinsic maximum if there are any, else all.
    var beyond = affected.indices.filter { intrinsicMaximum && tracks[affected[$0]].maximum.isIntrinsic }
    if beyond.isEmpty { beyond = Array(affected.indices) }
    for (number, position) in beyond.enumerated() {
      let share = left / (beyond.count - number)
      increases[position] += share
      left -= share
    }
    return increases
  }

  // MARK: Growing

  /// https://drafts.csswg.org/css-grid-2/#algo-grow-tracks
  private mutating func maximize() {
    guard let available else {
      for index in tracks.indices where tracks[index].flexFactor == nil { tracks[index].base = max(tracks[index].base, tracks[index].finiteLimit) }
      return
    }
    var free = available - total
    var open = tracks.indices.filter { tracks[$0].finiteLimit > tracks[$0].base && !tracks[$0].isCollapsed }
    while free > .zero && !open.isEmpty {
      let share = max(free / open.count, .epsilon)
      for index in open where free > .zero {
        let step = min(min(share, tracks[index].finiteLimit - tracks[index].base), free)
        tracks[index].base += step
        free -= step
      }
      open = open.filter { tracks[$0].finiteLimit > tracks[$0].base }
    }
  }

  /// https://drafts.csswg.org/css-grid-2/#algo-flex-tracks
  private mutating func expandFlexible(_ contributions: [GridContribution], minimumSize: LayoutUnit?) {
    let flexible = tracks.indices.filter { tracks[$0].flexFactor != nil && !tracks[$0].isCollapsed }
    guard !flexible.isEmpty else { return }
    var fraction = 0.0
    if let available, !isMinContent {
      fraction = available > total - flexible.reduce(.zero, { $0 + tracks[$1].base }) ? findFraction(tracks.indices, available) : 0
    } else if !isMinContent {
      for index in flexible {
        let factor = tracks[index].flexFactor ?? 0
        fraction = max(fraction, tracks[index].base.double / max(factor, 1))
      }
      for item in contributions where tracks[item.span].contains(where: { $0.flexFactor != nil }) {
        fraction = max(fraction, findFraction(item.span, item.maxContent))
      }
      if let minimumSize, grown(fraction) < minimumSize { fraction = max(fraction, findFraction(tracks.indices, minimumSize)) }
    }
    for index in flexible {
      let size = LayoutUnit(fraction * (tracks[index].flexFactor ?? 0))
      if size > tracks[index].base { tracks[index].base = size }
    }
  }

  private func grown(_ fraction: Double) -> LayoutUnit {
    tracks.reduce(gaps) { $0 + max($1.base, LayoutUnit(fraction * ($1.flexFactor ?? 0))) }
  }

  /// https://drafts.csswg.org/css-grid-2/#algo-find-fr-size
  private func findFraction(_ span: Range<Int>, _ space: LayoutUnit) -> Double {
    var inflexible: Set<Int> = []
    while true {
      var left = (space - gap * (visible(span) - 1)).double
      var factors = 0.0
      for index in span {
        if let factor = tracks[index].flexFactor, !inflexible.contains(index) { factors += factor } else { left -= tracks[index].base.double }
      }
      let fraction = max(0, left) / max(factors, 1)
      let tooSmall = span.filter { index in
        guard let factor = tracks[index].flexFactor, !inflexible.contains(index) else { return false }
        return fraction * factor < tracks[index].base.double
      }
      if tooSmall.isEmpty { return fraction.isFinite ? fraction : 0 }
      inflexible.formUnion(tooSmall)
    }
  }

  /// https://drafts.csswg.org/css-grid-2/#algo-stretch
  private mutating func stretchAuto(minimumSize: LayoutUnit?) {
    guard let space = available ?? minimumSize else { return }
    let auto = tracks.indices.filter { index in
      if case .auto = tracks[index].maximum { !tracks[index].isCollapsed } else { false }
    }
    var free = space - total
    guard free > .zero, !auto.isEmpty else { return }
    for (number, index) in auto.enumerated() {
      let share = free / (auto.count - number)
      tracks[index].base += share
      free -= share
    }
  }
}
