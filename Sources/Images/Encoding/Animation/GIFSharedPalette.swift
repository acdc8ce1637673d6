internal import COffprintCodecs
import OffprintCoreTypes

extension GIFPalette {
  /// Colors that several frames have, with which these need no palette of their own. The best choice is a knapsack problem; this is the
  /// better one of two approximations.
  static func shared(by frames: [GIFFrame]) -> [UInt32] {
    let empty = SharedColors(frames)
    var grown = empty, shrunk = empty
    grown.grow()
    shrunk.shrink()
    shrunk.grow()
    return (shrunk.saved > grown.saved ? shrunk : grown).list
  }
}

/// Frames with the same colors.
private struct ColorGroup {
  /// Numbers of colors.
  var colors: [Int]
  /// The size of the palettes that are saved.
  var saved: Int
  /// The number of its colors that are not shared.
  var missing: Int
}

private struct SharedColors {
  private var colors: [UInt32] = []
  private var shared: [Int] = []
  private var isShared: [Bool] = []
  private var groups: [ColorGroup] = []
  private var groupsOfColor: [[Int]] = []
  private static let maximumGroups = 2000

  init(_ frames: [GIFFrame]) {
    var numbers: [UInt32: Int] = [:], groupIndices: [[UInt32]: Int] = [:]
    for frame in frames where frame.isLocal {
      let key = frame.colors.sorted()
      if let group = groupIndices[key] {
        groups[group].saved += frame.tableSize
        continue
      }
      if groups.count == Self.maximumGroups { continue }
      groupIndices[key] = groups.count
      let own = frame.colors.map { number(of: $0, &numbers) }
      for color in own { groupsOfColor[color].append(groups.count) }
      groups.append(ColorGroup(colors: own, saved: frame.tableSize, missing: own.count))
    }
  }

  private mutating func number(of color: UInt32, _ numbers: inout [UInt32: Int]) -> Int {
    if let number = numbers[color] { return number }
    numbers[color] = colors.count
    colors.append(color)
    isShared.append(false)
    groupsOfColor.append([])
    return colors.count - 1
  }

  var list: [UInt32] { shared.map { colors[$0] } }

  /// The size of the palettes that are not needed.
  var saved: Int { groups.reduce(0) { $0 + ($1.missing == 0 ? $1.saved : 0) } }

  // MARK: Growing

  /// Adds the groups that save most per color, as long as there is space.
  mutating func grow() {
    while let group = bestGroup { add(group) }
  }

  private var bestGroup: Int? {
    let space = Int(CODECS_GIF_COLORS) - shared.count
    var best: Int?
    for (index, group) in groups.enumerated() where group.missing > 0 && group.missing <= space {
      guard let other = best else { best = index; continue }
      if group.saved * groups[other].missing > groups[other].saved * group.missing { best = index }
    }
    return best
  }

  private mutating func add(_ group: Int) {
    for color in groups[group].colors where !isShared[color] {
      isShared[color] = true
      shared.append(color)
      for other in groupsOfColor[color] { groups[other].missing -= 1 }
    }
  }

  // MARK: Shrinking

  /// Adds all groups but those that save least per color, of which each group has a part.
  mutating func shrink() {
    var counts = groupsOfColor.map(\.count), used = colors.count
    var parts = groups.map { group in group.colors.reduce(0.0) { $0 + 1 / Double(counts[$1]) } }
    var remaining = Array(groups.indices)
    while used > Int(CODECS_GIF_COLORS) {
      func value(_ index: Int) -> Double { Double(groups[index].saved) / max(parts[index], 1e-9) }
      guard let worst = remaining.indices.min(by: { value(remaining[$0]) < value(remaining[$1]) }) else { break }
      for color in groups[remaining.remove(at: worst)].colors {
        let count = Double(counts[color])
        counts[color] -= 1
        if counts[color] == 0 { used -= 1; continue }
        for other in groupsOfColor[color] { parts[other] += 1 / (count - 1) - 1 / count }
      }
    }
    for group in remaining { add(group) }
  }
}
