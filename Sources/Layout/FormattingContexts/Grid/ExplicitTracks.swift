import OffprintCSS
import OffprintCoreTypes

/// One axis of the explicit grid: track sizing functions and line names. https://drafts.csswg.org/css-grid-2/#explicit-grids
struct ExplicitTracks {
  var sizes: [TrackSize] = []
  /// Names of line `i`, which is before track `i`; one more than there are tracks.
  var lineNames: [[ByteString]] = [[]]
  /// Tracks made by `auto-fit`, which collapse where they are empty.
  var autoFit: Range<Int> = 0..<0

  /// Grids are clamped as browsers do: https://drafts.csswg.org/css-grid-2/#overlarge-grids
  static let maximumTracks = 10_000
  /// Of all lines together.
  private static let maximumNames = 200_000
  private var nameCount = 0
  /// The lines of each name, in their order.
  private var linesByName: [ByteString: [Int]] = [:]

  /// More tracks were asked for than there may be.
  private(set) var isClamped = false

  init() {}

  /// The explicit grid of a subgrid: as many tracks as it spans in its parent, whose line names it shares.
  ///
  /// https://drafts.csswg.org/css-grid-2/#subgrid-line-names
  init(subgrid components: [TrackComponent], count: Int, inherited: [[ByteString]], areas: GridTemplateAreas?, isColumns: Bool) {
    lineNames = Array(repeating: [], count: count + 1)
    let own = Self.subgridNames(components, lines: count + 1)
    for line in lineNames.indices {
      if own.indices.contains(line) { lineNames[line] = own[line] }
      if inherited.indices.contains(line) { lineNames[line] += inherited[line] }
    }
    if let areas { addAreaLines(areas, isColumns: isColumns) }
    lineNames.removeLast(max(0, lineNames.count - count - 1))
    indexNames()
  }

  private mutating func indexNames() {
    for line in lineNames.indices {
      for name in lineNames[line] where linesByName[name]?.last != line { linesByName[name, default: []].append(line) }
    }
  }

  /// The lines that have a name, in their order.
  func lines(named name: ByteString) -> [Int] { linesByName[name] ?? [] }

  /// The line name list of `subgrid`; `repeat(auto-fill)` takes the lines that the rest leaves.
  private static func subgridNames(_ components: [TrackComponent], lines: Int) -> [[ByteString]] {
    func fixed(_ component: TrackComponent) -> [[ByteString]] {
      switch component {
      case .lineNames(let names): return [names]
      case .track: return []
      case .repeat(.count(let count), let inner):
        let one = inner.flatMap(fixed), names = max(1, one.reduce(0) { $0 + $1.count })
        return one.isEmpty ? [] : Array(repeating: one, count: max(0, min(count, lines, maximumNames / names))).flatMap { $0 }
      case .repeat: return []
      }
    }
    let known = components.reduce(0) { $0 + fixed($1).count }
    var result: [[ByteString]] = []
    for component in components {
      if case .repeat(.autoFill, let inner) = component {
        let one = inner.flatMap(fixed)
        guard !one.isEmpty else { continue }
        let names = max(1, one.reduce(0) { $0 + $1.count })
        for _ in 0..<max(0, min((lines - known) / one.count, maximumNames / names)) { result += one }
      } else {
        result += fixed(component)
      }
      if result.count >= lines { break }
    }
    return result
  }

  /// - Parameters:
  ///   - available: the content-box size of the container, or its maximum or minimum, for counting automatic repetitions.
  ///   - isMinimum: `available` is a minimum: the repetitions must fill it.
  init(_ template: GridTemplate, available: LayoutUnit?, isMinimum: Bool, gap: LayoutUnit, areas: GridTemplateAreas?, isColumns: Bool) {
    let components: [TrackComponent] = if case .tracks(let components) = template { components } else { [] }
    let count = Self.automaticRepetitions(components, available: available, isMinimum: isMinimum, gap: gap)
    append(components, automatic: count)
    if let areas { addAreaLines(areas, isColumns: isColumns) }
    indexNames()
  }

  private mutating func append(_ components: [TrackComponent], automatic: Int) {
    for component in components {
      switch component {
      case .lineNames(let names):
        guard nameCount + names.count <= Self.maximumNames else {
          isClamped = true
          return
        }
        nameCount += names.count
        lineNames[sizes.count].append(contentsOf: names)
      case .track(let size): add(size)
      case .repeat(let count, let inner):
        let start = sizes.count
        let repetitions: Int =
          switch count {
          case .count(let number): number
          case .autoFill, .autoFit: automatic
          }
        for _ in 0..<max(0, min(repetitions, Self.maximumTracks)) where sizes.count < Self.maximumTracks { append(inner, automatic: 1) }
        if repetitions > Self.maximumTracks { isClamped = true }
        if case .autoFit = count { autoFit = start..<sizes.count }
      }
    }
  }

  private mutating func add(_ size: TrackSize) {
    guard sizes.count < Self.maximumTracks else {
      isClamped = true
      return
    }
    sizes.append(size)
    lineNames.append([])
  }

  /// Areas name lines `foo-start` and `foo-end`, and make the grid at least as large as they are.
  ///
  /// https://drafts.csswg.org/css-grid-2/#implicit-named-lines
  private mutating func addAreaLines(_ areas: GridTemplateAreas, isColumns: Bool) {
    let count = isColumns ? areas.columns : areas.rows
    while lineNames.count < min(count, Self.maximumTracks) + 1 { lineNames.append([]) }
    for area in areas.areas {
      let start = isColumns ? area.columnStart : area.rowStart, end = isColumns ? area.columnEnd : area.rowEnd
      if lineNames.indices.contains(start - 1) { lineNames[start - 1].append(area.name + "-start") }
      if lineNames.indices.contains(end - 1) { lineNames[end - 1].append(area.name + "-end") }
    }
  }

  /// Tracks that the explicit grid has, those of areas without a size included.
  var count: Int { lineNames.count - 1 }

  /// https://drafts.csswg.org/css-grid-2/#auto-repeat
  private static func automaticRepetitions(_ components: [TrackComponent], available: LayoutUnit?, isMinimum: Bool, gap: LayoutUnit) -> Int
  {
    guard let available else { return 1 }
    var fixed = LayoutUnit.zero
    var fixedCount = 0
    var repeated = LayoutUnit.zero
    var repeatedCount = 0
    func fixedSize(_ size: TrackSize) -> LayoutUnit {
      func definite(_ breadth: TrackBreadth) -> LayoutUnit? {
        if case .value(let length) = breadth { length.resolve(available) } else { nil }
      }
      switch size {
      case .breadth(let breadth): return definite(breadth) ?? .zero
      case .minmax(let low, let high):
        if let high = definite(high) { return max(high, definite(low) ?? .zero) }
        return definite(low) ?? .zero
      case .fitContent(let limit): return limit.resolve(available)
      }
    }
    func sum(_ components: [TrackComponent], into total: inout LayoutUnit, _ count: inout Int) {
      for case .track(let size) in components {
        total += fixedSize(size).clampedToZero
        count += 1
      }
    }
    for component in components {
      switch component {
      case .lineNames: break
      case .track: sum([component], into: &fixed, &fixedCount)
      case .repeat(.count(let number), let inner):
        var one = LayoutUnit.zero, count = 0
        sum(inner, into: &one, &count)
        let repetitions = min(max(number, 0), maximumTracks)
        fixed += one * repetitions
        fixedCount += min(count, maximumTracks) * repetitions
      case .repeat(_, let inner): sum(inner, into: &repeated, &repeatedCount)
      }
    }
    guard repeatedCount > 0 else { return 1 }
    let one = max(repeated, .init(1)) + gap * repeatedCount
    let space = available - fixed - gap * (fixedCount - 1)
    guard one > .zero, space > .zero else { return 1 }
    let exact = space.double / one.double
    let whole = isMinimum ? exact.rounded(.up) : exact.rounded(.down)
    return max(1, min(maximumTracks, Int(whole)))
  }
}
