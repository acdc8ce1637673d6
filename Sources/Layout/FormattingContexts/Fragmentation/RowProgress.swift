internal import OffprintCSS
internal import OffprintCoreTypes

/// What is left of a flex or grid container at the start of a fragment, and what breaks have changed of its rows: they move down behind
/// breaks, and grow with items that do. Rows that are done take no memory.
struct RowProgress {
  let rows: FragmentedRows
  /// Where the fragment begins in the container.
  private(set) var start = LayoutUnit.zero
  /// Where the contents of each stack end.
  private(set) var ends: [LayoutUnit]
  /// By stack, the first row that is not done, and how much all rows from there on have moved.
  private var firsts: [(row: Int, delta: LayoutUnit)]
  /// How much rows behind those have moved, each from a row of its stack on.
  private var moves: [(row: Int, distance: LayoutUnit)] = []
  private var growths: [Int: LayoutUnit] = [:]
  /// Items that have begun.
  private var begun: Set<Int> = []
  /// Rows before which there is a break already.
  private var broken: Set<Int> = []

  init(_ rows: FragmentedRows) {
    self.rows = rows
    ends = rows.ends
    firsts = rows.stacks.map { (row: $0.lowerBound, delta: .zero) }
  }

  /// The rows of a stack that are not done.
  func remaining(_ stack: Int) -> Range<Int> { firsts[stack].row..<rows.stacks[stack].upperBound }

  func delta(_ row: Int) -> LayoutUnit {
    let stack = rows.rows[row].stack
    return moves.reduce(firsts[stack].delta) { $1.row <= row && rows.stacks[stack].contains($1.row) ? $0 + $1.distance : $0 }
  }

  func growth(_ row: Int) -> LayoutUnit { growths[row] ?? .zero }
  func hasBegun(_ item: Int) -> Bool { begun.contains(item) }
  func isNew(_ row: Int) -> Bool { begun.isDisjoint(with: rows.rows[row].items) }
  func between(_ row: Int) -> BreakBetween { broken.contains(row) ? .auto : rows.rows[row].between }

  /// Moves the rows of a stack from one on.
  mutating func move(from row: Int, by distance: LayoutUnit) {
    moves.append((row, distance))
    ends[rows.rows[row].stack] += distance
  }

  /// Makes a row larger, which moves those behind it.
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
  /// - Parameter goingOn: Items that are broken in this fragment.
  mutating func advance(by extent: LayoutUnit, goingOn: Set<Int>) {
    start += extent
    for stack in rows.stacks.indices {
      var first = firsts[stack].row
      let end = rows.stacks[stack].upperBound
      while first < end, rows.rows[first].items.allSatisfy({ begun.contains($0) && !goingOn.contains($0) }) { first += 1 }
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
