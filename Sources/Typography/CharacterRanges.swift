/// The code points of a `unicode-range` descriptor, given in any number and order. Empty means all of Unicode.
struct CharacterRanges: Sendable {
  /// Sorted and disjoint.
  private let ranges: [ClosedRange<UInt32>]

  init(_ ranges: [ClosedRange<UInt32>] = []) {
    var joined: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    self.ranges = joined
  }

  var isAll: Bool { ranges.isEmpty }

  func contains(_ codepoint: UInt32) -> Bool {
    if ranges.isEmpty { return true }
    var low = 0, high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < codepoint { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= codepoint
  }
}
