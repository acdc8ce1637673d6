internal import OffprintCSS
internal import OffprintCoreTypes

/// Out-of-flow boxes whose containing blocks are fragmented. They are laid out after the fragmentainers, when the sizes of their containing
/// blocks are known: in a coordinate system without breaks, from which each piece moves to its fragmentainer.
///
/// https://drafts.csswg.org/css-position-3/#abspos-layout leaves their fragmentation undefined. This implements the rules of LayoutNG:
/// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/layout/out_of_flow_layout_part.cc
struct FragmentedOutOfFlow {
  struct Candidate {
    /// The static position is relative to the fragmentainer.
    var candidate: OutOfFlowCandidate
    var fragmentainer: Int

    init(_ candidate: OutOfFlowCandidate, in fragmentainer: Int) { self.candidate = candidate; self.fragmentainer = fragmentainer }
  }

  private struct Fragmentainer {
    var layout: LayoutResult
    /// The fragmentainer's start in the flow.
    var start: LayoutUnit
    /// Index into `nodes` of the fragmentainer's contents.
    var root: Int
  }

  /// A fragment of a box in a fragmentainer.
  private struct Node {
    var fragment: FragmentID
    var fragmentainer: Int
    /// Relative to the fragmentainer.
    var offset: LayoutPoint
    /// The part of `offset` from relative positioning, which moves boxes without moving their breaks.
    var shift: LayoutPoint
    /// Index into `nodes`; -1 for the contents of the fragmentainer.
    var parent: Int
    var additions: [FragmentLink] = []
  }

  /// The maximum number of fragmentainers. Boxes positioned far below could require any number of short ones.
  private static let maximumFragmentainers = 10_000

  let engine: LayoutEngine
  /// The box whose contents are fragmented.
  let container: BoxID
  let direction: WritingDirection
  let inlineSize: LayoutUnit
  /// The containing block of boxes that no other box contains, at the start of the flow: of pages.
  var initialContainingBlock: LayoutSize?
  /// The block sizes of fragmentainers after the given ones, by index; nil for that of the last one.
  var sizeOfNext: ((Int) -> LayoutUnit)?
  private var fragmentainers: [Fragmentainer] = []
  private var given = 0
  private var candidates: [Candidate] = []
  /// The smallest additional size that would have avoided a break, see `BreakResult.shortage`.
  private(set) var shortage: LayoutUnit?
  private var nodes: [Node] = []
  private var nodesOfBoxes: [BoxID: [Int]] = [:]

  init(_ engine: LayoutEngine, _ container: BoxID, _ direction: WritingDirection, inlineSize: LayoutUnit) {
    self.engine = engine; self.container = container; self.direction = direction; self.inlineSize = inlineSize
  }

  /// Whether there are no candidates.
  var isEmpty: Bool { candidates.isEmpty }

  /// Adds the next fragmentainer with its candidates, except those whose containing blocks are `unfinished`.
  mutating func add(fragmentainer layout: LayoutResult, except unfinished: Set<BoxID>) {
    for candidate in layout.outOfFlow
    where !candidate.fragmentedContainer.isNone && !unfinished.contains(candidate.fragmentedContainer) {
      candidates.append(Candidate(candidate, in: fragmentainers.count))
    }
    fragmentainers.append(Fragmentainer(layout: layout, start: end, root: -1))
  }

  /// The fragmentainers created for out-of-flow boxes only.
  var added: [LayoutResult] { fragmentainers.dropFirst(given).map(\.layout) }

  /// Lays out the candidates. They are added to the fragment tree by `addPieces`.
  ///
  /// - Returns: Out-of-flow boxes inside them whose containing block is the container or one of its ancestors.
  mutating func layout() throws -> [Candidate] {
    given = fragmentainers.count
    for number in fragmentainers.indices {
      fragmentainers[number].root = nodes.count
      try index(FragmentLink(fragment: fragmentainers[number].layout.fragment, offset: .zero), at: .zero, number, parent: -1)
    }
    var queue = candidates, left: [Candidate] = [], next = 0
    while next < queue.count {
      try engine.check()
      let item = queue[next]
      next += 1
      for nested in try layout(item) {
        if nested.candidate.fragmentedContainer.isNone { left.append(nested) } else { queue.append(nested) }
      }
    }
    return left
  }

  // MARK: The flow

  private var end: LayoutUnit { fragmentainers.last.map { $0.start + blockSize($0.layout) } ?? .zero }

  private func blockSize(_ layout: LayoutResult) -> LayoutUnit { direction.logical(layout.size).block }

  /// The size of the flow, which physical offsets in it depend on.
  private var flowSize: LayoutSize { direction.physical(LogicalSize(inline: inlineSize, block: end)) }

  private func logicalRect(_ rect: LayoutRect, in number: Int) -> LogicalRect {
    let layout = fragmentainers[number].layout
    var offset = direction.logical(rect.origin, outer: layout.size, inner: rect.size)
    offset.block += fragmentainers[number].start
    return LogicalRect(offset: offset, size: direction.logical(rect.size))
  }

  private func physicalRect(_ rect: LogicalRect) -> LayoutRect {
    let size = direction.physical(rect.size)
    return LayoutRect(origin: direction.physical(rect.offset, outer: flowSize, inner: size), size: size)
  }

  /// The fragmentainer at an offset in the flow.
  private mutating func fragmentainer(at block: LayoutUnit) throws -> Int {
    if block >= end { while block >= end, try addFragmentainer() {} }
    var low = 0, high = fragmentainers.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if fragmentainers[middle].start <= block { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Returns false if there are too many.
  private mutating func addFragmentainer() throws -> Bool {
    try engine.check()
    guard fragmentainers.count < Self.maximumFragmentainers, let last = fragmentainers.last, blockSize(last.layout) > .zero else {
      return false
    }
    let block = sizeOfNext?(fragmentainers.count) ?? blockSize(last.layout)
    let size = direction.physical(LogicalSize(inline: inlineSize, block: block))
    let fragment = engine.append(Fragment(kind: .box, box: container, style: engine.style(container), size: size), children: [])
    let number = fragmentainers.count
    fragmentainers.append(Fragmentainer(layout: LayoutResult(fragment: fragment, size: size), start: end, root: nodes.count))
    try index(FragmentLink(fragment: fragment, offset: .zero), at: .zero, number, parent: -1)
    return true
  }

  // MARK: Fragments

  /// Indexes the fragments of boxes. Those inside lines contain their positioned descendants directly.
  private mutating func index(_ link: FragmentLink, at origin: LayoutPoint, _ fragmentainer: Int, parent: Int) throws {
    try engine.tick()
    let fragment = engine.fragments[link.fragment], offset = origin + link.offset
    guard fragment.kind == .box else { return }
    let number = nodes.count
    var shift = parent < 0 ? LayoutPoint.zero : nodes[parent].shift
    if parent >= 0 { shift += relativeOffset(fragment.box, in: engine.fragments[nodes[parent].fragment]) }
    nodes.append(Node(fragment: link.fragment, fragmentainer: fragmentainer, offset: offset, shift: shift, parent: parent))
    nodesOfBoxes[fragment.box, default: []].append(number)
    for child in engine.fragments.children(of: link.fragment) {
      try engine.descending { try index(child, at: offset, fragmentainer, parent: number) }
    }
  }

  private func relativeOffset(_ box: BoxID, in container: Fragment) -> LayoutPoint {
    guard engine.style(box).box.position == .relative else { return .zero }
    let content = LayoutRect(origin: .zero, size: container.size).inset(by: container.border + container.padding).size
    return Sizing.relativeOffset(
      engine, box, width: content.width, height: content.height, direction: WritingDirection(container.style))
  }

  /// The parent node in a fragmentainer for pieces of descendants of a box: a fragment of the box, or of its nearest ancestor with one.
  private func parent(for box: BoxID, in fragmentainer: Int) -> Int {
    var box = box
    while !box.isNone, box != container {
      if let node = nodesOfBoxes[box]?.first(where: { nodes[$0].fragmentainer == fragmentainer }) { return node }
      box = engine.tree[box].parent
    }
    return fragmentainers[fragmentainer].root
  }

  mutating func addPieces() {
    for number in nodes.indices.reversed() where !nodes[number].additions.isEmpty {
      engine.addChildren(nodes[number].additions, to: nodes[number].fragment)
      var child = number
      while case let parent = nodes[child].parent, parent >= 0 {
        let offset = nodes[child].offset - nodes[parent].offset
        guard engine.extendOverflow(of: nodes[parent].fragment, by: FragmentLink(fragment: nodes[child].fragment, offset: offset)) else {
          break
        }
        child = parent
      }
    }
  }

  // MARK: Containing blocks

  /// The containing block in the flow. https://drafts.csswg.org/css-position-3/#def-cb
  private func containingBlock(of candidate: OutOfFlowCandidate) -> LogicalRect? {
    if candidate.fragmentedContainer == container, let size = initialContainingBlock {
      return LogicalRect(offset: LogicalOffset(), size: direction.logical(size))
    }
    let fragments = nodesOfBoxes[candidate.fragmentedContainer] ?? []
    guard candidate.inlineContainer.isNone else { return inlineRect(candidate.inlineContainer, in: fragments) }
    guard let first = fragments.first else { return nil }
    var rect = paddingBox(first)
    for number in fragments.dropFirst() { rect.size.block += paddingBox(number).size.block }
    return rect
  }

  private func paddingBox(_ number: Int) -> LogicalRect {
    let node = nodes[number], fragment = engine.fragments[node.fragment]
    return logicalRect(LayoutRect(origin: node.offset - node.shift, size: fragment.size).inset(by: fragment.border), in: node.fragmentainer)
  }

  /// The containing block of an inline box: from its first part to its last, in any fragments of the block container.
  private func inlineRect(_ box: BoxID, in fragments: [Int]) -> LogicalRect? {
    var bounds: LayoutRect?
    for number in fragments {
      let node = nodes[number], children = Array(engine.fragments.children(of: node.fragment))
      let container = WritingDirection(engine.fragments[node.fragment].style)
      guard let rect = ContainingBlock.rect(of: box, engine, in: children, direction: container) else { continue }
      let shift = node.shift + relativeOffset(box, in: engine.fragments[node.fragment])
      let part = physicalRect(logicalRect(rect.offset(by: node.offset - shift), in: node.fragmentainer))
      bounds = bounds.map { ContainingBlock.bounds($0, part, container) } ?? part
    }
    return bounds.map { rect in
      LogicalRect(
        offset: direction.logical(rect.origin, outer: flowSize, inner: rect.size), size: direction.logical(rect.size))
    }
  }

  /// The relative positions of the containing block or block container, and of the inline box in it, if that is the containing block.
  private func shift(of candidate: OutOfFlowCandidate) -> (block: LayoutPoint, inline: LayoutPoint) {
    guard let number = nodesOfBoxes[candidate.fragmentedContainer]?.first else { return (.zero, .zero) }
    let node = nodes[number]
    guard !candidate.inlineContainer.isNone else { return (node.shift, .zero) }
    return (node.shift, relativeOffset(candidate.inlineContainer, in: engine.fragments[node.fragment]))
  }

  // MARK: Layout of a box

  /// - Returns: Out-of-flow boxes inside with other containing blocks.
  private mutating func layout(_ item: Candidate) throws -> [Candidate] {
    guard let rect = containingBlock(of: item.candidate) else { return [] }
    var candidate = item.candidate
    let shift = shift(of: candidate)
    // The relative position of an inline box does not move static positions inside.
    candidate.staticPosition = candidate.staticPosition - shift.block
    let position = logicalRect(LayoutRect(origin: candidate.staticPosition, size: .zero), in: item.fragmentainer)
    candidate.staticPosition = physicalRect(position).origin
    let containerDirection = WritingDirection(engine.style(candidate.fragmentedContainer))
    let placement = try OutOfFlowLayout.layout(
      engine, candidate, in: physicalRect(rect), direction: containerDirection, links: anchorLinks())
    var offset = direction.logical(placement.placed.link.offset, outer: flowSize, inner: placement.size)
    var number = try fragmentainer(at: offset.block)
    offset.block -= fragmentainers[number].start
    guard !Monolithic.contains(engine, candidate.box, direction) else {
      let whole = Piece(fragment: placement.placed.link.fragment, size: placement.size, outOfFlow: placement.placed.outOfFlow)
      return try add(whole, of: candidate, in: number, at: offset, shift.block + shift.inline)
    }
    var token: BreakToken?, nested: [Candidate] = []
    repeat {
      let result = try layout(candidate.box, placement.input, token, in: number, at: offset.block)
      let piece = Piece(fragment: result.fragment, size: result.size, outOfFlow: result.outOfFlow)
      nested += try add(piece, of: candidate, in: number, at: offset, shift.block + shift.inline)
      token = result.breaking?.token
      if token != nil, let more = result.breaking?.shortage { shortage = min(shortage ?? more, more) }
      (number, offset.block) = (number + 1, .zero)
      if token != nil, !fragmentainers.indices.contains(number) { guard try addFragmentainer() else { break } }
    } while token != nil
    return nested
  }

  /// The fragmentainers as links, in which anchors are searched.
  private func anchorLinks() -> [FragmentLink] {
    guard engine.tree.styled.hasAnchoredBoxes else { return [] }
    return fragmentainers.map { item in
      let rect = LogicalRect(
        offset: LogicalOffset(inline: .zero, block: item.start), size: direction.logical(item.layout.size))
      return FragmentLink(fragment: item.layout.fragment, offset: physicalRect(rect).origin)
    }
  }

  private func layout(
    _ box: BoxID, _ input: LayoutInput, _ token: BreakToken?, in number: Int, at offset: LayoutUnit
  ) throws -> LayoutResult {
    var space = FragmentainerSpace()
    space.blockSize = FragmentainerSpace.capacity(blockSize(fragmentainers[number].layout))
    space.offset = offset
    return try engine.fragmenting(FragmentationInput(space: space, token: token), input) { try engine.layout(box, $0) }
  }

  private struct Piece {
    var fragment: FragmentID
    var size: LayoutSize
    var outOfFlow: [OutOfFlowCandidate]
  }

  /// - Parameters:
  ///   - offset: In the fragmentainer.
  ///   - shift: The relative position there.
  private mutating func add(
    _ piece: Piece, of candidate: OutOfFlowCandidate, in number: Int, at offset: LogicalOffset, _ shift: LayoutPoint
  ) throws -> [Candidate] {
    let origin = direction.physical(offset, outer: fragmentainers[number].layout.size, inner: piece.size) + shift
    let parent = parent(for: candidate.fragmentedContainer, in: number)
    let link = FragmentLink(fragment: piece.fragment, offset: origin - nodes[parent].offset)
    nodes[parent].additions.append(link)
    try index(link, at: nodes[parent].offset, number, parent: parent)
    return piece.outOfFlow.map { nested in
      var nested = nested
      nested.staticPosition += origin
      if nested.fragmentedContainer.isNone { findContainer(of: &nested, in: candidate) }
      return Candidate(nested, in: number)
    }
  }

  /// Determines the containing block of an out-of-flow box inside another one.
  private func findContainer(of nested: inout OutOfFlowCandidate, in candidate: OutOfFlowCandidate) {
    let isFixed = engine.style(nested.box).box.position == .fixed
    let inline = candidate.inlineContainer
    if !inline.isNone, ContainingBlock.isEstablished(byInline: engine.style(inline), isFixed: isFixed) {
      (nested.fragmentedContainer, nested.inlineContainer) = (candidate.fragmentedContainer, inline)
      return
    }
    var box = candidate.fragmentedContainer
    while !box.isNone, box != container {
      if !engine.tree[box].splitInline.isNone, ContainingBlock.isEstablished(byInline: engine.style(box), isFixed: isFixed) {
        (nested.fragmentedContainer, nested.inlineContainer) = (blockContainer(ofSplitInline: box), box)
        // Unlike lines, the blocks between them are moved with their relatively positioned inline box.
        nested.staticPosition = nested.staticPosition - self.shift(of: nested).inline
        return
      }
      if ContainingBlock.isEstablished(engine, by: box, isFixed: isFixed) {
        nested.fragmentedContainer = box
        return
      }
      box = engine.tree[box].parent
    }
  }

  /// The block container of all parts of an inline box that blocks split.
  private func blockContainer(ofSplitInline box: BoxID) -> BoxID {
    var parent = engine.tree[box].parent
    while !parent.isNone, parent != container, engine.tree[parent].isAnonymous { parent = engine.tree[parent].parent }
    return parent
  }
}

extension LayoutEngine {
  func addChildren(_ links: [FragmentLink], to fragment: FragmentID) {
    let start = fragments.links.count
    fragments.links.append(contentsOf: Array(fragments.children(of: fragment)))
    fragments.links.append(contentsOf: links)
    fragments.fragments[fragment.index].children = start..<fragments.links.count
    for link in links { _ = extendOverflow(of: fragment, by: link) }
  }

  /// Extends the scrollable overflow area of a fragment by a child. Returns whether it changed.
  /// https://drafts.csswg.org/css-overflow-3/#scrollable
  func extendOverflow(of fragment: FragmentID, by child: FragmentLink) -> Bool {
    let known = fragments[fragment]
    guard known.style.box.overflowX == .visible || known.kind == .line else { return false }
    let overflow = known.overflow.union(TransformedOverflow.rect(of: fragments[child.fragment], tree).offset(by: child.offset))
    guard overflow != known.overflow else { return false }
    fragments.fragments[fragment.index].overflow = overflow
    return true
  }
}
