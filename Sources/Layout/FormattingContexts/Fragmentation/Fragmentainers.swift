internal import OffprintCoreTypes

/// The fragmentainers of one flow, end to end: a block offset in the flow says in which of them it is, and where.
/// https://drafts.csswg.org/css-break-3/#fragmentation-model
struct Fragmentainers {
  /// Those between two elements that span all columns.
  struct Segment {
    /// The block sizes of the first ones.
    var sizes: [LayoutUnit] = []
    /// The block size of all others; `max`: the content decides.
    var rest = LayoutUnit.max
  }

  private struct Extent {
    var start: LayoutUnit
    var end: LayoutUnit
    var segment: Int
    /// Of those of its segment.
    var index = 0
    /// The name of a page, and whether nothing is to be on it.
    var page: Int32 = 0
    var isBlank = false
  }

  private static let maximumCount = 10_000

  private let segments: [Segment]
  /// Of pages, by their names' numbers; empty where these are columns.
  private let pages: [PageAreas.Sizes]
  private var known: [Extent] = []

  init(_ segments: [Segment] = [Segment()], pages: [PageAreas.Sizes] = []) {
    self.segments = segments
    self.pages = pages
    known.append(Extent(start: .zero, end: size(0, in: 0, page: 0), segment: 0))
  }

  private func size(_ index: Int, in segment: Int, page: Int32) -> LayoutUnit {
    if !pages.isEmpty { return pages[pages.indices.contains(Int(page)) ? Int(page) : 0].size(index) }
    guard segments.indices.contains(segment) else { return .max }
    return segments[segment].sizes.indices.contains(index) ? segments[segment].sizes[index] : segments[segment].rest
  }

  private mutating func extend(to number: Int) {
    while known.count <= number, let last = known.last {
      let index = last.index + 1
      let size = known.count < Self.maximumCount ? size(index, in: last.segment, page: last.page) : .max
      known.append(
        Extent(start: last.end, end: size == .max ? .max : last.end + size, segment: last.segment, index: index, page: last.page))
    }
  }

  mutating func start(_ number: Int) -> LayoutUnit {
    extend(to: number)
    return known[number].start
  }

  mutating func end(_ number: Int) -> LayoutUnit {
    extend(to: number)
    return known[number].end
  }

  /// Start and end of one that the flow has reached.
  func extent(_ number: Int) -> (start: LayoutUnit, end: LayoutUnit) {
    guard let last = known.last else { return (.zero, .max) }
    let extent = known.indices.contains(number) ? known[number] : last
    return (extent.start, extent.end)
  }

  func isLastKnown(_ number: Int) -> Bool { number + 1 >= known.count }

  func segment(_ number: Int) -> Int { known.indices.contains(number) ? known[number].segment : (known.last?.segment ?? 0) }

  /// The page `number`, and those behind it, have a name.
  mutating func name(_ number: Int, _ page: Int32) {
    extend(to: number)
    guard known[number].page != page else { return }
    known.removeSubrange((number + 1)...)
    let size = size(known[number].index, in: known[number].segment, page: page)
    known[number].page = page
    known[number].end = size == .max ? .max : known[number].start + size
  }

  mutating func markBlank(_ number: Int) {
    extend(to: number)
    known[number].isBlank = true
  }

  func page(_ number: Int) -> (name: Int32, isBlank: Bool) {
    known.indices.contains(number) ? (known[number].page, known[number].isBlank) : (0, false)
  }

  /// Ends one at `offset`; the next is the first of the next segment, or of this one's if `isSpanner` is false.
  mutating func close(_ number: Int, at offset: LayoutUnit, isSpanner: Bool) {
    extend(to: number)
    known.removeSubrange((number + 1)...)
    known[number].end = max(known[number].start, min(offset, known[number].end))
    guard isSpanner else { return }
    let segment = known[number].segment + 1, start = known[number].end, size = size(0, in: segment, page: 0)
    known.append(Extent(start: start, end: size == .max ? .max : start + size, segment: segment))
  }
}
