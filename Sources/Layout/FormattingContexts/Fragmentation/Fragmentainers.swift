internal import CoreTypes

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
  }

  private static let maximumCount = 10_000

  private let segments: [Segment]
  private var known: [Extent] = []

  init(_ segments: [Segment] = [Segment()]) {
    self.segments = segments
    known.append(Extent(start: .zero, end: size(0, in: 0), segment: 0))
  }

  private func size(_ index: Int, in segment: Int) -> LayoutUnit {
    guard segments.indices.contains(segment) else { return .max }
    return segments[segment].sizes.indices.contains(index) ? segments[segment].sizes[index] : segments[segment].rest
  }

  private mutating func extend(to number: Int) {
    while known.count <= number, let last = known.last {
      let index = last.index + 1
      let size = known.count < Self.maximumCount ? size(index, in: last.segment) : .max
      known.append(Extent(start: last.end, end: size == .max ? .max : last.end + size, segment: last.segment, index: index))
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

  func segment(_ number: Int) -> Int { known.indices.contains(number) ? known[number].segment : (known.last?.segment ?? 0) }

  /// Ends one at `offset`; the next is the first of the next segment, or of this one's if `isSpanner` is false.
  mutating func close(_ number: Int, at offset: LayoutUnit, isSpanner: Bool) {
    extend(to: number)
    known.removeSubrange((number + 1)...)
    known[number].end = max(known[number].start, min(offset, known[number].end))
    guard isSpanner else { return }
    let segment = known[number].segment + 1, start = known[number].end, size = size(0, in: segment)
    known.append(Extent(start: start, end: size == .max ? .max : start + size, segment: segment))
  }
}
