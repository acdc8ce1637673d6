internal import OffprintCSS
internal import OffprintCoreTypes

/// Breaks a flow that was laid out without end into fragmentainers. https://drafts.csswg.org/css-break-3/
///
/// The flow's boxes are walked in order. Each is told where it begins, in which fragmentainer, and what of that is left to it (`Place`), and
/// tells where it ends (`Node`): what does not fit goes to the next fragmentainer with all that comes after it. Offsets count from the start
/// of the first fragmentainer as if all stood one below the other, so that a break is space left out. What lies side by side is walked from
/// the same place, each for itself. Where a break turns out worse than one that was passed, the walk is repeated with that one taken.
struct Fragmenter {
  /// What is kept free at both ends of each fragmentainer: edges of boxes with `box-decoration-break: clone`.
  struct Insets {
    var start = LayoutUnit.zero
    var end = LayoutUnit.zero
    /// From this fragmentainer on it is `endBehind`: the box whose edge it is ends there, and contents may stick out of it.
    var endsIn = Int.max
    var endBehind = LayoutUnit.zero
    /// From this fragmentainer on nothing is broken: a box ends there that clips what goes on behind it.
    var unbrokenFrom = Int.max
  }

  /// Where a box begins.
  struct Place {
    var offset: LayoutUnit
    var fragmentainer: Int
    /// Its offset in the flow without breaks.
    var original: LayoutUnit
    var insets = Insets()
    /// Breaks here are to be avoided.
    var avoids = false
    /// Where the outermost box begins in which they are.
    var avoidsFrom = LayoutUnit.zero
    /// The name of the pages that it is on.
    var page: Int32 = 0
    /// Where the boxes around it end that have sizes of their own.
    var fixedEnd = LayoutUnit.zero
    /// What it begins with stays even where it sticks out: a box of a size of its own ends in the fragmentainer.
    var keepsStart = false
    /// A break is directly before it.
    var isBehindBreak = false
    /// Lines before and behind it of inline boxes that blocks split.
    var split: SplitLines?
    var depth = 0
    /// The largest block-start or block-end edge of the boxes around it.
    var edge = LayoutUnit.zero
  }

  /// By how much contents stick out of all fragmentainers but the last, and out of that one if they are at its start.
  struct Excess {
    var total = LayoutUnit.zero
    /// How much of it is in the last fragmentainer that has any.
    var last = LayoutUnit.zero
    var fragmentainer = -1
  }

  /// A box, or line, in its place.
  struct Node {
    var fragment: FragmentID
    /// In its parent.
    var inline: LayoutUnit
    /// Relative positioning.
    var shift: LayoutPoint
    var offset: LayoutUnit
    var size: LayoutUnit
    var first: Int
    var last: Int
    /// The last fragmentainer that has contents of it.
    var reach: Int
    /// Where what comes behind it would be: before its end, where spanning elements took contents out of it.
    var follow: LayoutUnit
    /// Nothing in it is elsewhere than in the unbroken flow.
    var isWhole = true
    /// It ends with what cannot be broken in it, and sticks out of its fragmentainer.
    var endsUnbroken = false
    /// By how much its contents stick out of fragmentainers.
    var excess = Excess()
    /// Part of its own size that stands in what its contents stick out of its last fragmentainer.
    var endBeyond = LayoutUnit.zero
    var insets = Insets()
    /// What the end edge, which is not broken, or that of the last box inside, leaves free in a fragmentainer.
    var endGap = LayoutUnit.zero
    var gapFragmentainer = -1
    var children: [Int] = []
    /// A multi-column container: number in `nested`.
    var rows: Int?
    /// A table whose header or footer is in each of its parts: number in `repeated`.
    var repeated: Int?
    var end: LayoutUnit { offset + size }
  }

  /// A child on its way to its place. Offsets are in the unbroken parent.
  struct Child {
    var link: Int
    var id: FragmentID
    var inline: LayoutUnit
    var start: LayoutUnit
    var size: LayoutUnit
    var shift: LayoutPoint
    var end: LayoutUnit { start + size }
  }

  /// An element that spans all columns, met in the flow.
  struct Spanner {
    var link: Int
    var child: Child
    /// The last fragmentainer before it.
    var fragmentainer: Int
    /// That in which the flow ends before it, with nothing in those behind but what breaks beside the flow.
    var flowEnd: Int
    /// In the unbroken flow.
    var start: LayoutUnit
    var end: LayoutUnit
    var hasContentBefore: Bool
    /// A box begins or ends in the column before it, be it an empty one.
    var hasBoxesBefore: Bool
  }

  /// Where a box of the unbroken flow went.
  struct Move {
    var original: LayoutUnit
    var offset: LayoutUnit
    var fragmentainer: Int
    var box: BoxID
  }

  /// What balancing asks of a walk.
  struct Findings {
    var shortages = Shortages()
    /// The least that a fragmentainer would have to be larger for a break to go.
    var shortage: LayoutUnit { shortages.least }
    var tallest = LayoutUnit.zero
    var forcedBreaks = 0
    /// The last fragmentainer with what sticks out of a box that is not to be broken.
    var avoidedReach = -1
    var hasViolation = false
    var overflows = false
    /// The break behind the first column is bad, or something sticks out before the last one of the row.
    var isRowBad = false
    /// The first fragmentainer behind the first one in which something at its start sticks out, or behind which the break is bad.
    var overflowing: Int?
  }

  let engine: LayoutEngine
  let direction: WritingDirection
  var rules: BreakRules
  var columns: Fragmentainers
  var nodes: [Node] = []
  var nested: [ColumnRows] = []
  var repeated: [RepeatedRows] = []
  /// Heights of pages, by the numbers of their names; empty: these are columns.
  var pageSizes: [PageAreas.Sizes] = []
  var spanners: [Spanner] = []
  /// Where parts of the unbroken flow went.
  var moves: [Move] = []
  /// The boxes being placed, from outside.
  var levels: [BreakLevel] = [BreakLevel()]
  var findings = Findings()
  /// Fragmentainers before it are not asked about, nor those of other segments.
  var watched = 0
  /// The last of them in a row of columns.
  private var lastInRow = 0
  private var watchedSegment = 0
  /// Something of the container is before the row in its fragmentainer.
  private var hasEdgeBefore = false
  /// Up to where contents reach.
  var reached: (fragmentainer: Int, offset: LayoutUnit) = (0, .zero)
  /// What percentages in margins of spanning elements refer to.
  var spannerInline = LayoutUnit.zero
  /// Those of the block formatting context that is being walked.
  var floats = Floats()
  var root = 0
  /// Those found to be the best; true: the box behind the break was begun and is put off as a whole.
  private var early: [ChosenBreak: Bool] = [:]
  private var acceptsAnyBreak = false
  /// How often the present walk went back, by the fragmentainer in which it did.
  private var returns = (fragmentainer: 0, count: 0)

  private static let maximumRepetitions = 300

  init(_ engine: LayoutEngine, _ direction: WritingDirection) {
    self.engine = engine; self.direction = direction
    rules = BreakRules(engine: engine, direction: direction)
    columns = Fragmentainers()
  }

  /// Walks the flow.
  ///
  /// - Parameters:
  ///   - watched: The first fragmentainer that `findings` are about.
  ///   - count: How many are in a row.
  ///   - hasEdgeBefore: A break before the row is better than a bad one behind its only column.
  mutating func run(
    _ flow: FragmentID, _ segments: [Fragmentainers.Segment], watched: Int, count: Int, hasEdgeBefore: Bool = false
  ) throws {
    self.hasEdgeBefore = hasEdgeBefore
    lastInRow = watched + count - 1
    early = [:]
    acceptsAnyBreak = false
    self.watched = watched
    watchedSegment = max(0, segments.count - 1)
    var shortages = Shortages(first: watched)
    for attempt in 0...Self.maximumRepetitions {
      returns = (0, 0)
      try engine.check()
      reset(segments)
      // What was too little for the break that is taken back, still is.
      findings.shortages = shortages
      engine.countFragmentationWalk()
      acceptsAnyBreak = attempt == Self.maximumRepetitions || !engine.mayWalkFlows
      do {
        try placeRoot(flow)
        return
      } catch is EarlierBreakNeeded {
        shortages = findings.shortages
        continue
      }
    }
  }

  private mutating func reset(_ segments: [Fragmentainers.Segment]) {
    columns = Fragmentainers(segments, pages: pageSizes)
    nodes.removeAll(keepingCapacity: true)
    nested.removeAll()
    repeated.removeAll()
    spanners.removeAll()
    moves.removeAll(keepingCapacity: true)
    levels = [BreakLevel()]
    findings = Findings()
    reached = (0, .zero)
    floats = Floats()
  }

  private mutating func placeRoot(_ flow: FragmentID) throws {
    let fragment = engine.fragments[flow]
    let place = Place(offset: .zero, fragmentainer: 0, original: .zero)
    if rules.pages.isUsed { columns.name(0, rules.startPage(flow, outer: 0)) }
    let outcome = try placeFlow(children(of: flow), in: fragment, place, contentStart: .zero)
    var size = direction.logical(fragment.size).block + outcome.growth
    // A margin that reaches over the end of the last fragmentainer is cut off there. https://drafts.csswg.org/css-break-3/#break-margins
    let bottom = end(outcome.last, place.insets)
    if outcome.required <= bottom { size = min(size, bottom) }
    var node = Node(
      fragment: flow, inline: .zero, shift: .zero, offset: .zero, size: size, first: 0, last: 0, reach: 0, follow: size,
      isWhole: false)
    node.last = outcome.endsUnbroken ? outcome.last : advance(from: outcome.last, to: size, place.insets, recordingFrom: outcome.last)
    node.reach = max(node.last, outcome.reach)
    node.children = outcome.nodes
    root = append(node)
  }

  // MARK: Fragmentainers

  mutating func start(_ number: Int, _ insets: Insets) -> LayoutUnit { columns.start(number) + insets.start }

  mutating func end(_ number: Int, _ insets: Insets) -> LayoutUnit {
    let end = number >= insets.unbrokenFrom ? .max : columns.end(number)
    return end == .max
      ? .max : max(end - (number >= insets.endsIn ? insets.endBehind : insets.end), columns.start(number) + insets.start + .epsilon)
  }

  /// The fragmentainer in which what ends at `offset` ends.
  mutating func advance(from number: Int, to offset: LayoutUnit, _ insets: Insets, recordingFrom first: Int) -> Int {
    var number = number
    while case let end = end(number, insets), offset > end {
      if number >= first { record(shortage: offset - end, in: number) }
      number += 1
    }
    return number
  }

  mutating func record(shortage: LayoutUnit, in number: Int) {
    if isWatched(number), shortage > .zero, !isRetaken(number) { findings.shortages.note(shortage, in: number) }
  }

  /// A box that is not to be broken was: like in browsers, no column becomes longer for what of it comes behind.
  func isRetaken(_ number: Int) -> Bool { levels.contains { $0.avoids && $0.fragmentainer < number } }

  /// A break at the end of a fragmentainer is no good one.
  mutating func noteViolation(in number: Int) {
    guard isWatched(number) else { return }
    findings.hasViolation = true
    // Behind the only column of a row that goes on, any break will do.
    guard number <= lastInRow, watched < lastInRow || hasEdgeBefore else { return }
    if number == watched { findings.isRowBad = true } else { findings.overflowing = min(findings.overflowing ?? number, number) }
  }

  func isWatched(_ number: Int) -> Bool { number >= watched && columns.segment(number) == watchedSegment }

  /// A walk that went back too often in one fragmentainer ends as one that is to begin anew would.
  mutating func countReturn(in number: Int) {
    if returns.fragmentainer != number { returns = (number, 0) }
    returns.count += 1
    if returns.count > Self.maximumRepetitions { acceptsAnyBreak = true }
  }

  mutating func append(_ node: Node) -> Int {
    if node.size > .zero, node.last > reached.fragmentainer || (node.last == reached.fragmentainer && node.end > reached.offset) {
      reached = (node.last, node.end)
    }
    nodes.append(node)
    return nodes.count - 1
  }

  // MARK: Breaks

  /// What may break before a child.
  struct Opportunity {
    var link: Int
    var isForced = false
    var appeal: BreakAppeal
    /// The block size of what cannot be broken; nil: that inside decides.
    var unbreakable: LayoutUnit?
    var size: LayoutUnit
    /// Its first piece says by how much it finds no room.
    var child: FragmentID?
    /// The child before which to break instead, where no opportunity is good.
    var fallback: (link: Int, stamp: Int)?
    /// It may be come back to.
    var isCandidate = true
    /// What it is worth when it is come back to, where that is less.
    var appealAsCandidate: BreakAppeal?
    /// Kept by a forced break.
    var margin = LayoutUnit.zero
    /// Where what is before a forced break ends, with its margin.
    var end = LayoutUnit.zero
    /// Of the page to go on at.
    var parity: Int?
    /// Its name.
    var page: Int32?
  }

  /// Breaks before a child where that must be: moves `position` to the next fragmentainer.
  ///
  /// - Throws: `EarlierBreakNeeded`.
  mutating func breakIfNeeded(
    _ opportunity: Opportunity, _ position: inout LayoutUnit, _ number: inout Int, _ place: Place
  ) throws -> Bool {
    let insets = place.insets
    if opportunity.isForced, number < insets.unbrokenFrom {
      if columns.end(number) == .max {
        columns.close(number, at: max(end(of: number), columns.start(number), opportunity.end, place.fixedEnd), isSpanner: false)
      }
      if isWatched(number) {
        findings.forcedBreaks += 1
        findings.shortages.forget(number)
      }
      number += 1
      if let page = opportunity.page { columns.name(number, page) }
      if let parity = opportunity.parity, number % 2 != parity {
        columns.markBlank(number)
        number += 1
      }
      position = start(number, insets) + opportunity.margin
      return true
    }
    let bottom = end(number, insets)
    let isAtStart = position <= start(number, insets)
    if let unbreakable = opportunity.unbreakable { noteUnbreakable(unbreakable, at: position, in: number) }
    var isNeeded = position > bottom || (position == bottom && opportunity.size > .zero)
    let putOff = isNeeded ? nil : early[ChosenBreak(link: opportunity.link, fragmentainer: number)]
    let isEarly = putOff != nil
    if let unbreakable = opportunity.unbreakable, position + unbreakable > bottom { isNeeded = true }
    let appeal = place.avoids ? min(opportunity.appeal, .violatingAvoid) : opportunity.appeal
    if isNeeded || isEarly {
      if place.keepsStart, !isEarly, opportunity.appeal == .lastResort {
        if place.avoids, position > place.avoidsFrom {
          record(shortage: position + (opportunity.unbreakable ?? opportunity.size) - bottom, in: number)
          noteViolation(in: number)
        }
        return false
      }
      if !isAtStart {
        if !isEarly {
          record(shortage: position + (opportunity.unbreakable ?? leastSize(opportunity, isAll: position < bottom)) - bottom, in: number)
          try preferEarlier(than: opportunity.appeal, number)
          if let fallback = opportunity.fallback, !acceptsAnyBreak {
            early[ChosenBreak(link: fallback.link, fragmentainer: number)] = false
            throw EarlierBreakNeeded(stamp: fallback.stamp)
          }
        } else if putOff == false {
          try preferEarlier(than: .perfect, number)
        }
        // Like in browsers, a break that was come back to is as good as any, but for what it breaks; one before the box inside which breaking
        // would be worse is not.
        if putOff == false ? place.avoids : appeal < .perfect { noteViolation(in: number) }
        number += 1
        position = start(number, insets)
        if let unbreakable = opportunity.unbreakable { noteUnbreakable(unbreakable, at: position, in: number) }
        return true
      }
      if let unbreakable = opportunity.unbreakable, isWatched(number) {
        findings.overflows = true
        if number < lastInRow { findings.isRowBad = true }
        if number > watched { findings.overflowing = min(findings.overflowing ?? number, number) }
        record(shortage: position + unbreakable - bottom, in: number)
      }
    }
    if !isAtStart, opportunity.isCandidate, opportunity.appeal > .lastResort, !levels.isEmpty {
      levels[levels.count - 1].note(
        Breakpoint(
          link: opportunity.link, fragmentainer: number, appeal: opportunity.appealAsCandidate ?? opportunity.appeal, stamp: nodes.count))
    }
    return false
  }

  /// Whether a break of this appeal, in the innermost box, is to be: each box from inside has it where it has no better one itself, nor is one
  /// before it better, like in browsers.
  ///
  /// - Throws: where another is better in the same fragmentainer.
  mutating func preferEarlier(than appeal: BreakAppeal, _ number: Int) throws {
    guard !acceptsAnyBreak else { return }
    var appeal = appeal
    var before: Breakpoint?
    for level in levels.reversed() {
      if let best = level.best, best.fragmentainer == number, best.appeal > appeal { try goBack(to: best, isPutOff: false) }
      if level.avoids { appeal = min(appeal, .violatingAvoid) }
      guard let point = level.before, point.fragmentainer == number, point.appeal > appeal else { continue }
      (before, appeal) = (point, point.appeal)
    }
    if let before { try goBack(to: before, isPutOff: true) }
  }

  private mutating func goBack(to point: Breakpoint, isPutOff: Bool) throws {
    early[ChosenBreak(link: point.link, fragmentainer: point.fragmentainer)] = isPutOff
    throw EarlierBreakNeeded(stamp: point.stamp)
  }

  /// What is above the start of a fragmentainer needs no room in it.
  mutating func noteUnbreakable(_ size: LayoutUnit, at position: LayoutUnit, in number: Int) {
    guard isWatched(number) else { return }
    findings.tallest = max(findings.tallest, size + min(position - columns.start(number), .zero))
  }

  /// What finds no room of a box that begins at the end of a fragmentainer is, like in browsers, the first thing in it.
  private func leastSize(_ opportunity: Opportunity, isAll: Bool) -> LayoutUnit {
    guard !isAll, let child = opportunity.child else { return opportunity.size }
    return firstSize(child)
  }

  private func firstSize(_ id: FragmentID, depth: Int = 0) -> LayoutUnit {
    let fragment = engine.fragments[id], size = direction.logical(fragment.size).block
    guard depth < 64, fragment.kind == .box, engine.multiColumnFlows[id] == nil, !rules.isMonolithic(fragment),
      !rules.avoidsInside(fragment), !rules.isParallel(fragment), let first = rules.inFlow(id).first
    else { return size }
    let inner = engine.fragments[first.fragment]
    let offset = direction.logical(first.offset, outer: fragment.size, inner: inner.size).block
    return offset + firstSize(first.fragment, depth: depth + 1)
  }

  /// How far what was placed in the current fragmentainer reaches.
  private func end(of number: Int) -> LayoutUnit {
    nodes.reversed().prefix { $0.reach >= number }.reduce(.zero) { $1.insets.unbrokenFrom <= number ? $0 : max($0, $1.end) }
  }

  // MARK: Children

  /// Of a box, or of the inline boxes that one out of flow is positioned in.
  private func relativeShift(_ fragment: Fragment, in parent: Fragment) -> LayoutPoint {
    func offset(_ box: BoxID) -> LayoutPoint {
      Sizing.relativeOffset(engine, box, width: parent.size.width, height: nil, direction: WritingDirection(parent.style))
    }
    if fragment.style.box.position == .relative { return offset(fragment.box) }
    guard engine.tree[fragment.box].isOutOfFlow else { return .zero }
    var shift = LayoutPoint.zero, outer = engine.tree[fragment.box].parent
    while !outer.isNone, engine.tree[outer].kind == .inline {
      shift += offset(outer)
      outer = engine.tree[outer].parent
    }
    return shift
  }

  func children(of id: FragmentID) -> [Child] {
    let parent = engine.fragments[id]
    return parent.children.map { number in
      let link = engine.fragments.links[number]
      let fragment = engine.fragments[link.fragment]
      var shift = LayoutPoint.zero
      if fragment.kind == .box, !engine.tree[fragment.box].isTextual { shift = relativeShift(fragment, in: parent) }
      let point = LayoutPoint(x: link.offset.x - shift.x, y: link.offset.y - shift.y)
      let offset = direction.logical(point, outer: parent.size, inner: fragment.size)
      return Child(
        link: number, id: link.fragment, inline: offset.inline, start: offset.block, size: direction.logical(fragment.size).block,
        shift: shift)
    }
  }
}
