internal import OffprintCSS
internal import OffprintCoreTypes

/// The floats of a block formatting context, in its coordinates: x from the line-left edge of its contents, y along the block axis.
///
/// https://www.w3.org/TR/CSS22/visuren.html#floats
struct ExclusionSpace: Sendable {
  enum Side: UInt8, Sendable { case left, right }

  /// A float's margin box.
  struct Exclusion: Sendable {
    var lineLeft: LayoutUnit
    var lineRight: LayoutUnit
    var blockStart: LayoutUnit
    var blockEnd: LayoutUnit
    var side: Side
    /// The area of `shape-outside`, which lines must not intersect; nil for the margin box.
    var shape: ShapeExclusion?
  }

  /// A layout opportunity: a block offset and the line-left and line-right edges there.
  struct Opportunity: Sendable {
    var blockOffset: LayoutUnit
    var lineLeft: LayoutUnit
    var lineRight: LayoutUnit
    /// The end of the space, where a narrower one starts; `max` if unlimited.
    var blockEnd: LayoutUnit = .max
    var inlineSize: LayoutUnit { (lineRight - lineLeft).clampedToZero }
    var blockSize: LayoutUnit { blockEnd == .max ? .max : blockEnd - blockOffset }
  }

  /// A chunk of exclusions. Copies of an exclusion space share all chunks except the last, which keeps adding cheap.
  private struct Run: Sendable {
    static let capacity = 64
    var exclusions: [Exclusion] = []
    /// `highestEnd[i]` is the largest block end of this run's exclusions 0...i and of all runs before it.
    var highestEnd: [LayoutUnit] = []
  }

  private var runs: [Run] = []
  private var leftClearance = LayoutUnit.min
  private var rightClearance = LayoutUnit.min
  /// The block start of the last float. Later floats must not be higher.
  private(set) var lastFloatBlockStart = LayoutUnit.min

  /// The ends of initial letters. Later floats are placed below them, and the formatting context contains them.
  private(set) var letterEnd = (left: LayoutUnit.min, right: LayoutUnit.min)

  /// Floats that continue or start in the next fragmentainer.
  struct Breaks: OptionSet, Sendable {
    var rawValue: UInt8
    static let left = Breaks(rawValue: 1)
    static let right = Breaks(rawValue: 2)
    /// An entire float is pushed there: later floats must not precede it.
    static let isBeforeFloat = Breaks(rawValue: 4)
  }
  var breaks: Breaks = []

  /// Whether a box that clears the floats moves to the next fragmentainer with them.
  func isPushed(clearing clear: Clear) -> Bool {
    switch clear {
    case .none: false
    case .left: breaks.contains(.left)
    case .right: breaks.contains(.right)
    case .both: !breaks.isEmpty
    }
  }

  /// The number of floats placed on each side.
  private(set) var floatCounts = (left: 0, right: 0)

  var isEmpty: Bool { runs.isEmpty }
  /// Whether any float has a `shape-outside`.
  private(set) var hasShapes = false

  mutating func add(_ exclusion: Exclusion) {
    lastFloatBlockStart = max(lastFloatBlockStart, exclusion.blockStart)
    let blockEnd = max(exclusion.blockStart, exclusion.blockEnd)
    switch exclusion.side {
    case .left:
      leftClearance = max(leftClearance, blockEnd)
      floatCounts.left += 1
    case .right:
      rightClearance = max(rightClearance, blockEnd)
      floatCounts.right += 1
    }
    insert(exclusion, until: blockEnd)
  }

  /// Adds an initial letter. Lines and formatting context roots avoid it like a float, but nothing clears it.
  ///
  /// https://drafts.csswg.org/css-inline-3/#initial-letter-exclusions
  mutating func add(letter: Exclusion) {
    let end = max(letter.blockStart, letter.blockEnd)
    switch letter.side {
    case .left: letterEnd.left = max(letterEnd.left, end)
    case .right: letterEnd.right = max(letterEnd.right, end)
    }
    insert(letter, until: end)
  }

  private mutating func insert(_ exclusion: Exclusion, until blockEnd: LayoutUnit) {
    // Excludes no inline space; only lowers the float ceiling.
    guard exclusion.lineLeft < exclusion.lineRight, exclusion.blockStart < blockEnd else { return }
    if exclusion.shape != nil { hasShapes = true }
    let highest = max(runs.last?.highestEnd.last ?? .min, blockEnd)
    if runs.last.map({ $0.exclusions.count >= Run.capacity }) ?? true { runs.append(Run()) }
    runs[runs.count - 1].exclusions.append(exclusion)
    runs[runs.count - 1].highestEnd.append(highest)
  }

  /// The block offset below the floats of `clear`; `LayoutUnit.min` without any.
  func clearance(for clear: Clear) -> LayoutUnit {
    switch clear {
    case .none: .min
    case .left: leftClearance
    case .right: rightClearance
    case .both: max(leftClearance, rightClearance)
    }
  }

  /// The exclusions that may extend below `blockOffset`.
  private func relevant(from blockOffset: LayoutUnit) -> Relevant {
    let run = Self.first(runs.count) { (runs[$0].highestEnd.last ?? .min) > blockOffset }
    guard run < runs.count else { return Relevant(runs: runs, run: run, index: 0) }
    let ends = runs[run].highestEnd
    return Relevant(runs: runs, run: run, index: Self.first(ends.count) { ends[$0] > blockOffset })
  }

  /// Binary search: the first index below `count` that passes a monotonic test.
  private static func first(_ count: Int, where test: (Int) -> Bool) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if test(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private struct Relevant: Sequence, IteratorProtocol {
    let runs: [Run]
    var run: Int
    var index: Int

    mutating func next() -> Exclusion? {
      while run < runs.count {
        if index < runs[run].exclusions.count {
          defer { index += 1 }
          return runs[run].exclusions[index]
        }
        run += 1
        index = 0
      }
      return nil
    }
  }

  /// The number of steps that follow the outline of a shape. After these, the next step is at the end of the float.
  private static let maximumShapeSteps = 8192

  /// The first position at or below `blockOffset`, between `lineLeft` and `lineRight`, where a box of `minInline` by `blockSize` fits.
  /// There always is one, because below all floats everything fits. Floats avoid the margin boxes of others, lines their shapes.
  func opportunity(
    _ engine: LayoutEngine, blockOffset: LayoutUnit, minInline: LayoutUnit, blockSize: LayoutUnit, lineLeft: LayoutUnit,
    lineRight: LayoutUnit, isFloat: Bool = false
  ) throws -> Opportunity {
    var top = blockOffset
    for step in 0... {
      if step & 15 == 15 { try engine.check() }
      let space = edges(from: top, blockSize: blockSize, lineLeft: lineLeft, lineRight: lineRight, ignoresShapes: isFloat)
      // Next to a float that extends past the opposite edge a box without inline size fits. A float wider than the container fits if the
      // entire inline size is free, like in Chromium.
      let room = space.lineRight - space.lineLeft
      let isRoomy =
        room >= minInline
        || (isFloat && (minInline <= .zero || room >= min(minInline, (lineRight - lineLeft).clampedToZero)))
      if !space.isNarrowed || isRoomy {
        return Opportunity(blockOffset: top, lineLeft: space.lineLeft, lineRight: space.lineRight)
      }
      let skipsShapes = isFloat || step > Self.maximumShapeSteps
      guard let next = nextEdge(below: top, blockSize: blockSize, lineLeft: lineLeft, lineRight: lineRight, skipsShapes: skipsShapes)
      else { break }
      top = next
    }
    return Opportunity(blockOffset: top, lineLeft: lineLeft, lineRight: lineRight)
  }

  /// The free edges in the band `top ..< top + blockSize`, or at `top` if it is empty.
  func edges(
    from top: LayoutUnit, blockSize: LayoutUnit, lineLeft: LayoutUnit, lineRight: LayoutUnit, ignoresShapes: Bool = false
  ) -> (lineLeft: LayoutUnit, lineRight: LayoutUnit, isNarrowed: Bool) {
    let bottom = max(top + blockSize, top + .epsilon)
    var left = lineLeft, right = lineRight
    var isNarrowed = false
    for exclusion in relevant(from: top) where exclusion.blockStart < bottom && exclusion.blockEnd > top {
      let (from, to) = ignoresShapes ? (exclusion.lineLeft, exclusion.lineRight) : exclusion.lineEdges(from: top, to: bottom)
      guard from < to else { continue }
      switch exclusion.side {
      case .left where to > lineLeft:
        left = max(left, to)
        isNarrowed = true
      case .right where from < lineRight:
        right = min(right, from)
        isNarrowed = true
      default: break
      }
    }
    // In a container without inline size lines start next to floats, rather than moving below them (Chromium).
    if lineLeft >= lineRight, !ignoresShapes { return (left, right, false) }
    return (left, max(right, isNarrowed ? min(left, lineRight) : right), isNarrowed)
  }

  /// The nearest block offset below `top` at which the free space may become wider.
  private func nextEdge(
    below top: LayoutUnit, blockSize: LayoutUnit, lineLeft: LayoutUnit, lineRight: LayoutUnit, skipsShapes: Bool
  ) -> LayoutUnit? {
    let bottom = max(top + blockSize, top + .epsilon)
    var next: LayoutUnit?
    for exclusion in relevant(from: top) where exclusion.blockEnd > top && exclusion.blockStart < bottom {
      let isInTheWay = exclusion.side == .left ? exclusion.lineRight > lineLeft : exclusion.lineLeft < lineRight
      guard isInTheWay else { continue }
      var edge = exclusion.blockEnd
      if exclusion.shape != nil, !skipsShapes { edge = min(edge, LayoutUnit(top.floor + 1)) }
      next = min(next ?? edge, edge)
    }
    return next
  }

  /// All maximal free rectangles at or below `blockOffset`, from top to bottom, the widest first: the candidates for a formatting context
  /// root.
  func allOpportunities(
    _ engine: LayoutEngine, from blockOffset: LayoutUnit, lineLeft: LayoutUnit, lineRight: LayoutUnit
  ) throws -> [Opportunity] {
    let open = relevant(from: blockOffset).filter {
      $0.blockEnd > blockOffset && ($0.side == .left ? $0.lineRight > lineLeft : $0.lineLeft < lineRight)
    }
    guard !open.isEmpty, lineLeft <= lineRight else {
      return [Opportunity(blockOffset: blockOffset, lineLeft: lineLeft, lineRight: lineRight)]
    }
    var found: [Opportunity] = []
    for (number, top) in ([blockOffset] + Set(open.map(\.blockEnd)).sorted()).enumerated() {
      if number & 15 == 15 { try engine.check() }
      appendOpportunities(at: top, among: open.filter { $0.blockEnd > top }, lineLeft, lineRight, to: &found)
    }
    return found
  }

  /// Appends the free rectangles starting at `top`, each narrower and taller than the previous one. Next to floats that extend past the
  /// opposite edge there is one without inline size, like in Chromium.
  private func appendOpportunities(
    at top: LayoutUnit, among open: [Exclusion], _ lineLeft: LayoutUnit, _ lineRight: LayoutUnit, to found: inout [Opportunity]
  ) {
    var left = LayoutUnit.min, right = LayoutUnit.max
    func narrow(_ exclusion: Exclusion) {
      switch exclusion.side {
      case .left: left = max(left, exclusion.lineRight)
      case .right: right = min(right, exclusion.lineLeft)
      }
    }
    open.filter { $0.blockStart <= top }.forEach(narrow)
    var pending = open.filter { $0.blockStart > top }.sorted { $0.blockStart < $1.blockStart }[...]
    while right >= left {
      // Skip exclusions that do not reduce the space.
      while let first = pending.first, first.side == .left ? first.lineRight <= left : first.lineLeft >= right { pending.removeFirst() }
      let end = pending.first?.blockStart ?? .max
      let from = max(left, lineLeft), to = max(min(right, lineRight), from)
      let isKnown = found.contains { $0.lineLeft <= from && $0.lineRight >= to && $0.blockEnd >= end && $0.lineRight > $0.lineLeft }
      if !isKnown { found.append(Opportunity(blockOffset: top, lineLeft: from, lineRight: to, blockEnd: end)) }
      guard end != .max else { return }
      while let first = pending.first, first.blockStart <= end {
        narrow(first)
        pending.removeFirst()
      }
    }
  }
}

extension ExclusionSpace.Exclusion {
  /// The line-left and line-right edges of the excluded area in a band.
  func lineEdges(from top: LayoutUnit, to bottom: LayoutUnit) -> (LayoutUnit, LayoutUnit) {
    guard let shape else { return (lineLeft, lineRight) }
    let excluded = shape.area?.excluded(from: (top - blockStart).double, to: (bottom - blockStart).double)
    guard let span = excluded else { return (lineLeft, lineLeft) }
    switch side {
    case .left: return (lineLeft, min(lineRight, lineLeft + LayoutUnit(span.upperBound)))
    case .right: return (max(lineLeft, lineLeft + LayoutUnit(span.lowerBound)), lineRight)
    }
  }
}

/// The area excluded by `shape-outside`; nil for an empty shape.
struct ShapeExclusion: Sendable {
  var area: FloatShape?
}
