import OffprintCoreTypes

// Distribution of free space to tracks.

extension GridTrackSizing {
  /// https://drafts.csswg.org/css-grid-2/#algo-grow-tracks
  mutating func maximize() {
    guard available != nil else {
      // In Chromium the maximum size of the container does not limit them.
      for index in tracks.indices where tracks[index].flexFactor == nil {
        tracks[index].base = max(tracks[index].base, tracks[index].finiteLimit)
      }
      return
    }
    grow(to: available ?? .zero)
  }

  private mutating func grow(to size: LayoutUnit) {
    var free = size - total
    guard free > .zero else { return }
    func room(_ index: Int) -> LayoutUnit { tracks[index].finiteLimit - tracks[index].base }
    var open = tracks.indices.filter { room($0) > .zero && !tracks[$0].isCollapsed && tracks[$0].flexFactor == nil }
    let rooms = Dictionary(uniqueKeysWithValues: open.map { ($0, room($0)) })
    open.sort { (rooms[$0] ?? .zero, $0) < (rooms[$1] ?? .zero, $1) }
    for (position, index) in open.enumerated() {
      let step = min(free / (open.count - position), room(index))
      tracks[index].base += step
      free -= step
    }
  }

  /// https://drafts.csswg.org/css-grid-2/#algo-flex-tracks
  mutating func expandFlexible(_ contributions: [GridContribution]) {
    let flexible = tracks.indices.filter { tracks[$0].flexFactor != nil && !tracks[$0].isCollapsed }
    guard !flexible.isEmpty, constraint != .minContent else { return }
    let fraction = available.map { findFraction(tracks.indices, $0) } ?? indefiniteFraction(flexible, contributions)
    for index in flexible {
      let size = LayoutUnit(fraction * (tracks[index].flexFactor ?? 0))
      if size > tracks[index].base { tracks[index].base = size }
    }
  }

  private func indefiniteFraction(_ flexible: [Int], _ contributions: [GridContribution]) -> Double {
    var fraction = 0.0
    for index in flexible { fraction = max(fraction, tracks[index].base.double / max(tracks[index].flexFactor ?? 0, 1)) }
    for item in contributions where tracks[item.span].contains(where: { $0.flexFactor != nil }) {
      fraction = max(fraction, findFraction(item.span, item.maxContent))
    }
    let size = grown(fraction)
    if let maximumSize, size > maximumSize { fraction = findFraction(tracks.indices, maximumSize) }
    if let minimumSize, grown(fraction) < minimumSize { fraction = findFraction(tracks.indices, minimumSize) }
    return fraction
  }

  private func grown(_ fraction: Double) -> LayoutUnit {
    tracks.reduce(gaps) { $0 + max($1.base, LayoutUnit(fraction * ($1.flexFactor ?? 0))) }
  }

  /// https://drafts.csswg.org/css-grid-2/#algo-find-fr-size
  ///
  /// Flexible tracks are treated as inflexible in descending order of their base size by factor, as long as these exceed the fraction.
  private func findFraction(_ span: Range<Int>, _ space: LayoutUnit) -> Double {
    var left = (space - gaps(span)).double
    var factors = 0.0
    var flexible: [(base: Double, factor: Double)] = []
    for index in span {
      let base = tracks[index].base.double
      if let factor = tracks[index].flexFactor, factor > 0 {
        flexible.append((base, factor))
        factors += factor
      } else {
        left -= base
      }
    }
    flexible.sort { $0.base * $1.factor > $1.base * $0.factor }
    for track in flexible {
      let fraction = max(0, left) / max(factors, 1)
      guard fraction * track.factor < track.base else { break }
      left -= track.base
      factors -= track.factor
    }
    let fraction = max(0, left) / max(factors, 1)
    return fraction.isFinite ? fraction : 0
  }

  /// https://drafts.csswg.org/css-grid-2/#algo-stretch
  mutating func stretchAuto() {
    guard let space = available ?? minimumSize else { return }
    let auto = tracks.indices.filter { tracks[$0].stretches && !tracks[$0].isCollapsed }
    var free = space - total
    guard free > .zero else { return }
    for (number, index) in auto.enumerated() {
      let share = free / (auto.count - number)
      tracks[index].base += share
      free -= share
    }
  }
}
