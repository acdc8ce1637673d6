internal import OffprintCSS
internal import OffprintCoreTypes

/// Determines the initial scroll positions of scroll containers: at a snap position, or at the initial scroll target.
///
/// https://drafts.csswg.org/css-scroll-snap-1/#re-snap, https://drafts.csswg.org/css-scroll-snap-2/#scroll-initial-target
struct ScrollSnapping {
  let engine: LayoutEngine

  /// A snap area: the border box of an element plus `scroll-margin`, relative to the padding edge of the scroll container.
  private struct Area {
    var rect: LayoutRect
    var align: ScrollSnapStyle.Alignment
  }
  private static let maximumDepth = 512
  /// With `proximity`, Chromium snaps to positions within a third of the snapport's size.
  private static let proximity = 3

  static func isNeeded(_ tree: BoxTree) -> Bool {
    tree.boxes.contains { $0.style.box.scrollSnap.kind != nil || $0.style.box.scrollSnap.isInitialTarget }
  }

  func run(_ root: FragmentID) throws { try visit(root) }

  private func visit(_ id: FragmentID) throws {
    for child in Array(engine.fragments.children(of: id)) { try engine.descending { try visit(child.fragment) } }
    let fragment = engine.fragments[id]
    guard fragment.kind == .box, Sizing.isScrollContainer(fragment.style), !RootLayout.passesOverflowToViewport(engine, fragment.box)
    else { return }
    var shift = try initialTarget(fragment, id)
    if let kind = fragment.style.box.scrollSnap.kind, shift == nil { shift = try offset(fragment, id, kind) }
    guard let shift else { return }
    guard shift != .zero else { return }
    for number in fragment.children where engine.fragments.links.indices.contains(number) {
      engine.fragments.links[number].offset = engine.fragments.links[number].offset - shift
    }
  }

  // MARK: Areas

  private func offset(_ fragment: Fragment, _ id: FragmentID, _ kind: ScrollSnapStyle.Kind) throws -> LayoutPoint {
    var areas: [Area] = []
    let origin = LayoutPoint(x: -fragment.border.left, y: -fragment.border.top)
    for link in engine.fragments.children(of: id) {
      try collect(link, at: origin, into: &areas, depth: 0) { $0.align != ScrollSnapStyle.Alignment() }
    }
    let direction = WritingDirection(fragment.style)
    let port = LayoutRect(origin: .zero, size: fragment.size).inset(by: fragment.border).size
    let range = ScrollableContent.range(of: id, engine.fragments, engine.tree)
    let snap = fragment.style.box.scrollSnap
    func inset(_ value: LengthPercentageAuto, _ basis: LayoutUnit) -> LayoutUnit {
      if case .value(let length) = value { length.resolve(basis).clampedToZero } else { .zero }
    }
    let padding = LayoutEdges(
      top: inset(snap.padding.top, port.height), right: inset(snap.padding.right, port.width),
      bottom: inset(snap.padding.bottom, port.height), left: inset(snap.padding.left, port.width))
    let axes = ScrollAxes(fragment.style, port), isSnapped = snappedAxes(kind.axis, direction)
    func nearest(_ axis: ScrollAxis, _ range: LayoutUnit) -> LayoutUnit {
      let sides = axis.sides(padding), isInline = axis.isHorizontal == direction.isHorizontal
      let edges = areas.map { area -> (ScrollSnapStyle.Align, LayoutUnit, LayoutUnit) in
        let place = axis.interval(area.rect)
        return (isInline ? area.align.inline : area.align.block, place.start, place.end)
      }
      return self.nearest(edges, (sides.start, axis.size - sides.end), range, kind.isMandatory)
    }
    return axes.physical(
      LayoutPoint(x: isSnapped.x ? nearest(axes.x, range.x) : .zero, y: isSnapped.y ? nearest(axes.y, range.y) : .zero))
  }

  /// The scroll offset that aligns the first initial target with the start of the scrollport in both axes. nil if there is no target whose
  /// nearest scroll container this is.
  ///
  /// https://drafts.csswg.org/css-scroll-snap-2/#scroll-initial-target
  private func initialTarget(_ fragment: Fragment, _ id: FragmentID) throws -> LayoutPoint? {
    var targets: [Area] = []
    let origin = LayoutPoint(x: -fragment.border.left, y: -fragment.border.top)
    for link in engine.fragments.children(of: id) where targets.isEmpty {
      try collect(link, at: origin, into: &targets, depth: 0, where: \.isInitialTarget)
    }
    guard let target = targets.first?.rect else { return nil }
    let range = ScrollableContent.range(of: id, engine.fragments, engine.tree)
    let axes = ScrollAxes(fragment.style, LayoutRect(origin: .zero, size: fragment.size).inset(by: fragment.border).size)
    return axes.physical(
      LayoutPoint(
        x: min(axes.x.interval(target).start.clampedToZero, range.x), y: min(axes.y.interval(target).start.clampedToZero, range.y)))
  }

  private func snappedAxes(_ axis: ScrollSnapStyle.Axis, _ direction: WritingDirection) -> (x: Bool, y: Bool) {
    switch axis {
    case .x: (true, false)
    case .y: (false, true)
    case .both: (true, true)
    case .inline: (direction.isHorizontal, !direction.isHorizontal)
    case .block: (!direction.isHorizontal, direction.isHorizontal)
    }
  }

  /// Collects the areas whose nearest scroll container this is.
  private func collect(
    _ link: FragmentLink, at origin: LayoutPoint, into areas: inout [Area], depth: Int, where isArea: (ScrollSnapStyle) -> Bool
  ) throws {
    try engine.tick()
    let fragment = engine.fragments[link.fragment], offset = origin + link.offset
    let snap = fragment.style.box.scrollSnap
    if fragment.kind == .box, isArea(snap) {
      let margin = LayoutEdges(
        top: LayoutUnit(snap.margin.top), right: LayoutUnit(snap.margin.right), bottom: LayoutUnit(snap.margin.bottom),
        left: LayoutUnit(snap.margin.left))
      areas.append(Area(rect: LayoutRect(origin: offset, size: fragment.size).outset(by: margin), align: snap.align))
    }
    guard depth < Self.maximumDepth, fragment.kind != .box || !Sizing.isScrollContainer(fragment.style) else { return }
    for child in engine.fragments.children(of: link.fragment) {
      try collect(child, at: offset, into: &areas, depth: depth + 1, where: isArea)
    }
  }

  // MARK: Positions

  /// The snap position nearest to the initial scroll position, or zero. https://drafts.csswg.org/css-scroll-snap-1/#choosing
  private func nearest(
    _ areas: [(align: ScrollSnapStyle.Align, start: LayoutUnit, end: LayoutUnit)], _ port: (start: LayoutUnit, end: LayoutUnit),
    _ range: LayoutUnit, _ isMandatory: Bool
  ) -> LayoutUnit {
    let positions = areas.compactMap { area -> LayoutUnit? in
      switch area.align {
      case .none: nil
      case .start: area.start - port.start
      case .end: area.end - port.end
      case .center: (area.start + area.end) / 2 - (port.start + port.end) / 2
      }
    }
    guard let minimum = positions.map({ max(.zero, min($0, range)) }).min() else { return .zero }
    return isMandatory || minimum * Self.proximity <= port.end - port.start ? minimum : .zero
  }
}
