import OffprintCSS
import OffprintCoreTypes

/// The state of a track during track sizing. https://drafts.csswg.org/css-grid-2/#algo-terms
struct GridTrack {
  enum Minimum {
    case fixed(LayoutUnit)
    case auto, minContent, maxContent
    var isIntrinsic: Bool { if case .fixed = self { false } else { true } }
    var isAuto: Bool { if case .auto = self { true } else { false } }
    var isMaxContent: Bool { if case .maxContent = self { true } else { false } }
    var isContentBased: Bool { isIntrinsic && !isAuto }
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
    var isAuto: Bool { if case .auto = self { true } else { false } }
    /// Whether the track grows to max-content contributions, possibly up to a limit.
    var takesMaxContent: Bool {
      switch self {
      case .auto, .maxContent, .fitContent: true
      default: false
      }
    }
  }

  var minimum: Minimum
  var maximum: Maximum
  var base = LayoutUnit.zero
  /// nil if infinite.
  var limit: LayoutUnit?
  var isInfinitelyGrowable = false
  /// Whether this is an empty track of `auto-fit`.
  var isCollapsed = false
  /// Whether the track grows into remaining free space.
  var stretches: Bool

  var flexFactor: Double? { if case .flex(let factor) = maximum { factor } else { nil } }
  var finiteLimit: LayoutUnit { limit ?? base }
  /// Whether the size depends on the contents.
  var dependsOnContent: Bool { minimum.isIntrinsic || maximum.isIntrinsic || flexFactor != nil }

  /// A track with a fixed size: that of a subgrid, or a collapsed one.
  init(fixed size: LayoutUnit) {
    minimum = .fixed(size)
    maximum = .fixed(size)
    base = size
    limit = size
    stretches = false
  }

  /// A track of a grid with `subgrid` that is not a child of a grid. In Chromium it grows to the minimum contributions of its items, but
  /// not to their max-content contributions, and stretches like `auto` tracks.
  static var ofLoneSubgrid: GridTrack {
    var track = GridTrack(.fitContent(.zero), available: .zero)
    track.stretches = true
    return track
  }

  /// - Parameter available: The basis of percentages; if nil, they are treated as `auto`.
  init(_ size: TrackSize, available: LayoutUnit?) {
    switch size {
    case .breadth(let breadth): (minimum, maximum) = (Self.low(breadth, available), Self.high(breadth, available))
    case .minmax(let a, let b): (minimum, maximum) = (Self.low(a, available), Self.high(b, available))
    case .fitContent(let limit):
      minimum = .auto
      maximum = limit.resolveIfDefinite(available).map { .fitContent($0.clampedToZero) } ?? .auto
    }
    stretches = maximum.isAuto
    // https://drafts.csswg.org/css-grid-2/#algo-init
    if case .fixed(let value) = minimum { base = value }
    if case .fixed(let value) = maximum { limit = max(base, value) }
  }

  private static func low(_ breadth: TrackBreadth, _ available: LayoutUnit?) -> Minimum {
    switch breadth {
    case .auto, .flex: .auto
    case .minContent: .minContent
    case .maxContent: .maxContent
    case .value(let length): length.resolveIfDefinite(available).map { .fixed($0.clampedToZero) } ?? .auto
    }
  }

  private static func high(_ breadth: TrackBreadth, _ available: LayoutUnit?) -> Maximum {
    switch breadth {
    case .auto: .auto
    case .minContent: .minContent
    case .maxContent: .maxContent
    case .flex(let factor): .flex(factor.isFinite ? min(max(0, Double(factor)), 1e9) : factor > 0 ? 1e9 : 0)
    case .value(let length): length.resolveIfDefinite(available).map { .fixed($0.clampedToZero) } ?? .auto
    }
  }

  mutating func growBase(by increase: LayoutUnit) {
    base += increase
    if let limit, limit < base { self.limit = base }
  }
}

extension TrackSize {
  /// Whether the size depends on the container's.
  var dependsOnAvailableSize: Bool {
    func depends(_ breadth: TrackBreadth) -> Bool {
      switch breadth {
      case .value(let length): length.hasPercentage
      case .flex: true
      default: false
      }
    }
    switch self {
    case .breadth(let breadth): return depends(breadth)
    case .minmax(let low, let high): return depends(low) || depends(high)
    case .fitContent(let limit): return limit.hasPercentage
    }
  }
}
