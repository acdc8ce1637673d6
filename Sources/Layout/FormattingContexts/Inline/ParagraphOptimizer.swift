internal import OffprintCSS
internal import OffprintCoreTypes

/// Moves line breaks so that a paragraph does not end with one short word.
/// https://drafts.csswg.org/css-text-4/#valdef-text-wrap-style-pretty
///
/// The specification leaves the method to the engine. As Chromium does, only the last four lines of a paragraph change, and only if the last one
/// is a single word shorter than a third of the line. The new breaks leave at least two words on the last line, if that is possible, and the sum of
/// the squares of the space left on the other lines is as small as possible.
struct ParagraphOptimizer {
  /// Lines of a paragraph that may change.
  private static let lineCount = 4
  /// Lines that may be tried for one paragraph. Above that its breaks stay.
  private static let maximumTrials = 4000

  /// The state of the line breaker at the start of a line.
  private struct Start {
    var breaker: LineBreaker
    var indent: LayoutUnit
  }

  /// A line and the position after it.
  private struct Line {
    var start: Start
    var end: LineBreaker
    /// The width of the contents with the indent.
    var width: LayoutUnit
    var endsParagraph: Bool
    var endsWithHyphen: Bool { end.line.pieces.last { !$0.hangs }?.hasHyphen ?? false }
  }

  /// The best lines from the first one to a position.
  private struct Candidate {
    var start: Start
    var score: Double
    var previous: InlineCursor?
    /// The width of the line that ends here.
    var width = LayoutUnit.zero
  }

  /// The lines tried for one paragraph.
  private struct Search {
    private(set) var candidates: [InlineCursor: Candidate]
    /// The positions from which lines are still to be tried.
    private var waiting: [InlineCursor]
    /// The score above which lines are not considered.
    let limit: Double
    /// The start of the best last line.
    private(set) var end: (cursor: InlineCursor, score: Double, isOneWord: Bool)?

    init(_ start: Start, limit: Double) {
      let cursor = start.breaker.cursor
      candidates = [cursor: Candidate(start: start, score: 0)]
      waiting = [cursor]
      self.limit = limit
    }

    /// Removes the first waiting position.
    mutating func next() -> (InlineCursor, Candidate)? {
      guard let at = waiting.indices.min(by: { waiting[$0].precedes(waiting[$1]) }) else { return nil }
      let cursor = waiting.remove(at: at)
      return candidates[cursor].map { (cursor, $0) }
    }

    mutating func addCandidate(at cursor: InlineCursor, _ candidate: Candidate) {
      let known = candidates[cursor]
      if known == nil { waiting.append(cursor) }
      if candidate.score < known?.score ?? .infinity { candidates[cursor] = candidate }
    }

    /// Notes a last line. Any with two words is better than one with a single word.
    mutating func end(at cursor: InlineCursor, _ score: Double, isOneWord: Bool) {
      let isBetter = end.map { $0.isOneWord == isOneWord ? score < $0.score : $0.isOneWord }
      if isBetter ?? true { end = (cursor, score, isOneWord) }
    }
  }

  private let width: LayoutUnit
  /// The product of twice the font size and the width, which agrees with the breaks of Chromium.
  private let hyphenPenalty: Double
  private let indent: (_ isFirst: Bool, _ isAfterForcedBreak: Bool) -> LayoutUnit
  private var trials = 0
  /// The widths of lines that break early, by their start.
  private(set) var widths: [InlineCursor: LayoutUnit] = [:]

  init(width: LayoutUnit, fontSize: Double, indent: @escaping (_ isFirst: Bool, _ isAfterForcedBreak: Bool) -> LayoutUnit) {
    self.width = width; hyphenPenalty = 2 * fontSize * width.double; self.indent = indent
  }

  /// Finds the breaks of all paragraphs, unless there are more than `maximumLines`. `breaker` is at the first line.
  mutating func run(_ breaker: LineBreaker, maximumLines: Int) throws {
    var start = Start(breaker: breaker, indent: indent(true, true))
    var lines: [Line] = []
    var isLong = false
    var count = 0
    while !start.breaker.isAtEnd {
      let line = try fill(start, width)
      lines.append(line)
      if line.end.line.hasContent { count += 1 }
      guard count <= maximumLines else { return widths.removeAll() }
      if lines.count > Self.lineCount {
        lines.removeFirst()
        isLong = true
      }
      if line.endsParagraph {
        try optimize(lines, isLong: isLong)
        lines.removeAll()
        isLong = false
      }
      start = Start(breaker: line.end, indent: indent(false, line.end.line.hasForcedBreak))
    }
  }

  private mutating func fill(_ start: Start, _ width: LayoutUnit) throws -> Line {
    var breaker = start.breaker
    let left = breaker.container.lineLeft
    trials += 1
    breaker.line = LineInfo()
    breaker.line.lineLeft = left
    breaker.line.lineRight = left + width
    breaker.atomics.removeAll(keepingCapacity: true)
    try breaker.fill(indent: start.indent)
    for piece in breaker.line.pieces {
      switch breaker.data.items[piece.item].kind {
      case .openTag: breaker.openTags.append(piece.item)
      case .closeTag: _ = breaker.openTags.popLast()
      default: break
      }
    }
    let line = breaker.line
    return Line(
      start: start, end: breaker, width: line.width + line.indent, endsParagraph: breaker.isAtEnd || line.hasForcedBreak)
  }

  /// The same line with its last word left out; nil if it has only one.
  private mutating func shortened(_ line: Line) throws -> Line? {
    let limit = line.width - .epsilon - .epsilon
    guard limit > .zero else { return nil }
    let result = try fill(line.start, limit)
    return result.end.line.overflows || result.end.breaksAnywhere ? nil : result
  }

  // MARK: Optimization

  private mutating func optimize(_ lines: [Line], isLong: Bool) throws {
    guard lines.count > 1, let first = lines.first, let last = lines.last, last.width < width / 3, try shortened(last) == nil,
      try isLong || lines.count > 2 || hasThreeWords(first)
    else { return }
    trials = 0
    var search = Search(first.start, limit: try bound(lines))
    while let (cursor, candidate) = search.next() {
      guard try tryLines(from: cursor, candidate, &search) else { return }
    }
    if let end = search.end { choose(search.candidates, end.cursor) }
  }

  /// Tries all lines from a position, from the longest on. Returns false if too many lines were tried.
  private mutating func tryLines(from cursor: InlineCursor, _ candidate: Candidate, _ search: inout Search) throws -> Bool {
    let longest = try fill(candidate.start, width)
    if longest.end.line.overflows || longest.end.breaksAnywhere { return true }
    var next: Line? = longest
    while let line = next {
      guard trials < Self.maximumTrials else { return false }
      let shorter = try shortened(line)
      if line.endsParagraph {
        search.end(at: cursor, candidate.score, isOneWord: shorter == nil)
      } else {
        let score = candidate.score + space(behind: line)
        guard score <= search.limit else { return true }
        let start = Start(breaker: line.end, indent: indent(false, false))
        search.addCandidate(at: line.end.cursor, Candidate(start: start, score: score, previous: cursor, width: line.width))
      }
      next = shorter
    }
    return true
  }

  private mutating func hasThreeWords(_ line: Line) throws -> Bool {
    guard let shorter = try shortened(line) else { return false }
    return try shortened(shorter) != nil
  }

  /// The square of the space left at the end of a line, in square pixels, with the penalty of a hyphen.
  private func space(behind line: Line) -> Double {
    let space = (width - line.width).double
    return space * space + (line.endsWithHyphen ? hyphenPenalty : 0)
  }

  /// The score of the lines when only the last word before the last line moves.
  private mutating func bound(_ lines: [Line]) throws -> Double {
    guard let shorter = try shortened(lines[lines.count - 2]) else { return .infinity }
    let rest = try fill(Start(breaker: shorter.end, indent: indent(false, false)), width)
    guard rest.endsParagraph else { return .infinity }
    return lines.dropLast(2).reduce(space(behind: shorter)) { $0 + space(behind: $1) }
  }

  /// Notes the widths of the lines that end at `cursor`.
  private mutating func choose(_ candidates: [InlineCursor: Candidate], _ cursor: InlineCursor) {
    var cursor = cursor
    while let candidate = candidates[cursor], let previous = candidate.previous {
      widths[previous] = candidate.width
      cursor = previous
    }
  }
}

extension InlineCursor {
  fileprivate func precedes(_ other: InlineCursor) -> Bool { (item, offset) < (other.item, other.offset) }
}

extension InlineLayout {
  /// The widths of the lines that `text-wrap: pretty` breaks early, by their start.
  ///
  /// Lines beside floats and those with ruby or emphasis marks stay as they are. So do paragraphs of which `line-clamp` hides lines, and blocks with
  /// `::first-line`: Chromium does not optimize these either.
  func prettyWidths(indent: @escaping (_ isFirst: Bool, _ isAfterForcedBreak: Bool) -> LayoutUnit) throws -> [InlineCursor: LayoutUnit] {
    guard style.text.textWrapMode == .wrap, firstLine == nil, !data.hasFloats, !data.hasAnnotations, !data.hasRuby,
      context.exclusions.isEmpty
    else { return [:] }
    var breaker = LineBreaker(engine, data, context.container, context.exclusions)
    breaker.contentBlockOffset = context.blockOffset
    var optimizer = ParagraphOptimizer(
      width: context.container.inlineSize, fontSize: Double(style.font.size), indent: indent)
    try optimizer.run(breaker, maximumLines: context.lineClamp?.lines ?? .max)
    return optimizer.widths
  }
}
