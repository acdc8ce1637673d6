internal import OffprintCSS
internal import OffprintCoreTypes

/// The remaining content of a flex or grid container at the start of a fragment, and the effect of breaks on its rows: they move down after
/// breaks, and grow with their items. Finished rows take no memory.
struct RowProgress {
  let rows: FragmentedRows
  /// The block offset of the fragment in the container.
  private(set) var start = LayoutUnit.zero
  /// The block-end edge of the contents of each stack.
  private(set) var ends: [LayoutUnit]
  /// By stack, the first unfinished row, and the distance that it and all later rows have moved.
  private var firsts: [(row: Int, delta: LayoutUnit)]
  /// Additional distances, each for a row and the later rows of its stack.
  private var moves: [(row: Int, distance: LayoutUnit)] = []
  private var growths: [Int: LayoutUnit] = [:]
  /// Items that have a fragment.
  private var begun: Set<Int> = []
  /// Rows that already have a break before them.
  private var broken: Set<Int> = []

  init(_ rows: FragmentedRows) {
    self.rows = rows
    ends = rows.ends
    firsts = rows.stacks.map { (row: $0.lowerBound, delta: .zero) }
  }

  /// The unfinished rows of a stack.
  func remaining(_ stack: Int) -> Range<Int> { firsts[stack].row..<rows.stacks[stack].upperBound }

  func delta(_ row: Int) -> LayoutUnit {
    let stack = rows.rows[row].stack
    return moves.reduce(firsts[stack].delta) { $1.row <= row && rows.stacks[stack].contains($1.row) ? $0 + $1.distance : $0 }
  }

  func growth(_ row: Int) -> LayoutUnit { growths[row] ?? .zero }
  func hasBegun(_ item: Int) -> Bool { begun.contains(item) }
  func isNew(_ row: Int) -> Bool { begun.isDisjoint(with: rows.rows[row].items) }
  func between(_ row: Int) -> BreakBetween { broken.contains(row) ? .auto : rows.rows[row].between }

  /// Moves a row and the later rows of its stack.
  mutating func move(from row: Int, by distance: LayoutUnit) {
    moves.append((row, distance))
    ends[rows.rows[row].stack] += distance
  }

  /// Enlarges a row and moves the later rows of its stack.
  mutating func grow(_ row: Int, by size: LayoutUnit) {
    let stack = rows.rows[row].stack
    growths[row, default: .zero] += size
    if row + 1 < rows.stacks[stack].upperBound { moves.append((row + 1, size)) }
    ends[stack] += size
  }

  mutating func breakBefore(_ row: Int) { broken.insert(row) }
  mutating func begin(_ item: Int) { begun.insert(item) }

  /// Begins the next fragment `extent` below this one. Rows that have not begun begin no earlier. The gap before the first of them is not
  /// continued, unless a row before it is. https://drafts.csswg.org/css-align-3/#gaps
  ///
  /// - Parameter continuing: Items that continue in the next fragment.
  mutating func advance(by extent: LayoutUnit, continuing: Set<Int>) {
    start += extent
    for stack in rows.stacks.indices {
      var first = firsts[stack].row
      let end = rows.stacks[stack].upperBound
      while first < end, rows.rows[first].items.allSatisfy({ begun.contains($0) && !continuing.contains($0) }) { first += 1 }
      if let row = (first..<end).first(where: isNew) {
        let lag = start - rows.rows[row].start - delta(row)
        let isBehindGap = row == first && row > rows.stacks[stack].lowerBound
        if lag > .zero || isBehindGap { move(from: row, by: lag) }
      }
      pass(stack, upTo: first)
    }
  }

  private mutating func pass(_ stack: Int, upTo first: Int) {
    for row in firsts[stack].row..<first {
      begun.subtract(rows.rows[row].items)
      growths[row] = nil
      broken.remove(row)
    }
    if first < rows.stacks[stack].upperBound { firsts[stack].delta = delta(first) }
    firsts[stack].row = first
    moves.removeAll { rows.stacks[stack].contains($0.row) && $0.row <= first }
  }
}
