internal import OffprintCSS
internal import OffprintCoreTypes

/// The state before a float was placed next to the line.
struct FloatBackup {
  var item: Int
  var exclusions: ExclusionSpace
  var floatCount: Int
  var lineLeft: LayoutUnit
  var lineRight: LayoutUnit
}

// Floats within lines. https://www.w3.org/TR/CSS22/visuren.html#float-position
extension LineBreaker {
  /// Places a float next to the line if it fits, otherwise below it.
  mutating func handleFloat(_ item: InlineItem) throws {
    let index = cursor.item
    var piece = LinePiece(item: index, start: item.start, end: item.end)
    if let last = line.pieces.indices.last {
      piece.canBreakAfter = line.pieces[last].canBreakAfter
      line.pieces[last].canBreakAfter = false
    }
    let trailing = line.pieces.last.map { trailingSpaceWidth(data.items[$0.item], $0) } ?? .zero
    line.pieces.append(piece)
    next()
    guard !placedFloats.contains(index) else { return }
    let float = try FloatLayout.layout(engine, item.box, in: container)
    let fits = pendingFloats.isEmpty && position - trailing + float.marginInline <= available
    guard fits || !line.hasContent else {
      pendingFloats.append(index)
      return
    }
    backups.append(
      FloatBackup(item: index, exclusions: exclusions, floatCount: floats.count, lineLeft: line.lineLeft, lineRight: line.lineRight))
    try place(float, index, blockOffset: lineTop)
    updateEdges()
  }

  /// Removes the floats of this line from `item` on, because the line ends before them. They are placed again with the next line.
  mutating func rewindFloats(from item: Int) {
    pendingFloats.removeAll { $0 >= item }
    guard let first = backups.firstIndex(where: { $0.item >= item }) else { return }
    let backup = backups[first]
    for taken in backups[first...] { placedFloats.remove(taken.item) }
    backups.removeSubrange(first...)
    exclusions = backup.exclusions
    floats.removeSubrange(min(backup.floatCount, floats.count)...)
    line.lineLeft = backup.lineLeft
    line.lineRight = backup.lineRight
  }

  mutating func updateEdges() {
    let edges = exclusions.edges(
      from: lineTop, blockSize: lineBlockSize, lineLeft: container.lineLeft, lineRight: container.lineLeft + container.inlineSize)
    line.lineLeft = max(line.lineLeft, container.direction.isRTL ? min(edges.lineLeft, edges.lineRight) : edges.lineLeft)
    line.lineRight = min(line.lineRight, edges.lineRight)
  }

  mutating func place(_ float: UnpositionedFloat, _ index: Int, blockOffset: LayoutUnit) throws {
    placedFloats.insert(index)
    if let builder = container.builder {
      let (placed, broken) = try FloatLayout.place(
        engine, float.box, in: container, builder, nil, blockOffset: blockOffset, exclusions: &exclusions)
      add(placed, float.box, broken)
      return
    }
    let placed = try FloatLayout.place(engine, float, in: container, blockOffset: blockOffset, exclusions: &exclusions)
    add(placed, float.box, nil)
  }

  private mutating func add(_ placed: PositionedFloat, _ box: BoxID, _ broken: BrokenFloat?) {
    var item = FlowItem(
      link: FragmentLink(fragment: placed.result.fragment, offset: .zero), lineLeft: placed.lineLeft - container.lineLeft,
      blockOffset: placed.blockOffset - contentBlockOffset, size: placed.result.size, shift: floatShift(box),
      outOfFlow: placed.result.outOfFlow)
    item.brokenFloat = broken
    if broken?.isPushed == true { (item.link, item.outOfFlow) = (nil, []) }
    floats.append(item)
  }

  /// Places the floats before any content of the line, independent of the line's width.
  mutating func placeLeadingFloats(at blockOffset: LayoutUnit) throws {
    guard data.hasFloats else { return }
    for index in cursor.item..<data.items.count {
      let item = data.items[index]
      switch item.kind {
      case .floating where !placedFloats.contains(index):
        try place(FloatLayout.layout(engine, item.box, in: container), index, blockOffset: blockOffset)
      case .openTag, .closeTag:
        if tagSize(item) != .zero { return }
      case .floating, .outOfFlow: break
      case .text:
        if item.start < item.end { return }
      default: return
      }
    }
  }

  /// Whether the line starts with a forced break. Such a line stays next to floats however wide they are.
  var beginsWithBreak: Bool {
    for item in data.items[min(cursor.item, data.items.count)...] {
      switch item.kind {
      case .forcedBreak: return true
      case .openTag, .closeTag:
        if tagSize(item) != .zero { return false }
      case .outOfFlow, .floating: break
      case .text:
        if item.start < item.end { return false }
      case .tab, .atomic: return false
      }
    }
    return false
  }

  /// Places the floats that did not fit next to the line, below it.
  mutating func placePendingFloats(at blockOffset: LayoutUnit) throws {
    for index in pendingFloats where !placedFloats.contains(index) {
      try place(FloatLayout.layout(engine, data.items[index].box, in: container), index, blockOffset: blockOffset)
    }
    pendingFloats.removeAll(keepingCapacity: true)
  }

  /// Ends a line: returns its floats, and forgets those before the cursor, which are not visited again.
  mutating func forgetFloats() -> [FlowItem] {
    defer { floats.removeAll() }
    if !placedFloats.isEmpty {
      let cursor = cursor.item
      placedFloats = placedFloats.filter { $0 >= cursor }
    }
    return floats
  }

  /// The relative position of a float, including that of the inline boxes around it.
  private func floatShift(_ float: BoxID) -> LayoutPoint {
    var shift = relativeOffset(float)
    var parent = engine.tree[float].parent
    while !parent.isNone, engine.tree[parent].kind == .inline {
      shift += relativeOffset(parent)
      parent = engine.tree[parent].parent
    }
    return shift
  }

  func relativeOffset(_ box: BoxID) -> LayoutPoint {
    guard engine.style(box).box.position == .relative else { return .zero }
    let isHorizontal = container.direction.isHorizontal
    return Sizing.relativeOffset(
      engine, box, width: isHorizontal ? container.inlineSize : container.percentageBlock,
      height: isHorizontal ? container.percentageBlock : container.inlineSize, direction: container.direction)
  }
}
