import OffprintCSS
import OffprintCoreTypes

/// Breaks items into lines of similar sizes. https://drafts.csswg.org/css-flexbox-2/#valdef-flex-wrap-balance
///
/// Minimizes the sum of the squares of the free space on each line, for a fixed number of lines. Ties are resolved in favor of more items
/// on the first line, then on the second, and so on.
struct FlexLineBalancer {
  /// Outer hypothetical main sizes, at least zero.
  let sizes: [LayoutUnit]
  let gap: LayoutUnit
  /// The maximum size of a line with several items; nil if infinite.
  let limit: LayoutUnit?

  /// Above this number of steps, lines are broken greedily.
  private static let maximumSteps = 4_000_000

  /// Fills each line with as many items as fit.
  func greedy() -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while start < sizes.count {
      var end = start + 1
      var used = sizes[start]
      while end < sizes.count {
        used += gap + sizes[end]
        if let limit, used > limit { break }
        end += 1
      }
      lines.append(start..<end)
      start = end
    }
    return lines
  }

  /// - Parameter minimumLines: `flex-line-count`.
  func lines(minimumLines: Int) -> [Range<Int>] {
    let greedy = greedy()
    let count = min(max(greedy.count, minimumLines), sizes.count)
    guard count > 1, sizes.count <= Self.maximumSteps / max(count, 1) else { return greedy }
    return balanced(count) ?? greedy
  }

  /// Dynamic programming: `costs[start]` is the minimum cost of the items from `start` on, with `remaining` lines.
  private func balanced(_ count: Int) -> [Range<Int>]? {
    let total = sizes.count
    var costs = [Double](repeating: .infinity, count: total + 1)
    costs[total] = 0
    // The number of items on the first of the remaining lines.
    var choices = [Int32](repeating: 0, count: count * total)
    var steps = 0
    for remaining in 1...count {
      var next = [Double](repeating: .infinity, count: total + 1)
      for start in 0..<total {
        var used = LayoutUnit.zero
        var end = start
        while end < total {
          used += end > start ? gap + sizes[end] : sizes[end]
          if let limit, end > start, used > limit { break }
          end += 1
          let cost = cost(used) + costs[end]
          // On equal costs the last one has the most items.
          if cost <= next[start], cost.isFinite {
            next[start] = cost
            choices[(remaining - 1) * total + start] = Int32(truncatingIfNeeded: end - start)
          }
          steps += 1
        }
        if steps > Self.maximumSteps { return nil }
      }
      costs = next
    }
    guard costs[0].isFinite else { return nil }
    var lines: [Range<Int>] = []
    var start = 0
    for remaining in stride(from: count, to: 0, by: -1) where start < total {
      let end = start + max(1, Int(choices[(remaining - 1) * total + start]))
      lines.append(start..<min(end, total))
      start = end
    }
    return start >= total ? lines : nil
  }

  private func cost(_ used: LayoutUnit) -> Double {
    let free = limit.map { Double(($0 - used).clampedToZero.raw) } ?? Double(used.raw)
    return free * free
  }
}
