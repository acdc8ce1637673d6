internal import OffprintCSS
internal import OffprintCoreTypes

/// Positions sticky boxes after layout, with scroll containers at their initial positions.
///
/// https://drafts.csswg.org/css-position-3/#stickypos-insets
struct StickyPositioning {
  let engine: LayoutEngine
  /// Whether boxes stick to the bottom of the viewport, which they do unless the page scrolls.
  let hasViewportEnd: Bool

  /// The environment of a fragment's children, in page coordinates.
  private struct Surroundings {
    /// The padding box of the nearest scroll container.
    var scrollport: LayoutRect
    var isViewport = true
    /// Whether a fixed box contains the fragment, which does not scroll with the viewport.
    var isFixed = false
    /// The content box of the containing block of in-flow children.
    var container: LayoutRect
  }

  static func isNeeded(_ tree: BoxTree) -> Bool { tree.boxes.contains { $0.style.box.position == .sticky } }

  func run(_ root: FragmentID) throws {
    let viewport = LayoutRect(origin: .zero, size: engine.viewport)
    try visit(root, at: .zero, Surroundings(scrollport: viewport, container: viewport))
  }

  private func visit(_ id: FragmentID, at origin: LayoutPoint, _ around: Surroundings) throws {
    let fragment = engine.fragments[id]
    let inside = surroundings(of: fragment, at: origin, around)
    for number in fragment.children where engine.fragments.links.indices.contains(number) {
      let link = engine.fragments.links[number]
      let child = engine.fragments[link.fragment]
      var place = origin + link.offset
      if child.kind == .box, child.style.box.position == .sticky, engine.tree[child.box].kind != .inline {
        let shift = shift(LayoutRect(origin: place, size: child.size), child.style, inside)
        engine.fragments.links[number].offset += shift
        place += shift
      }
      try engine.descending { try visit(link.fragment, at: place, inside) }
    }
  }

  private func surroundings(of fragment: Fragment, at origin: LayoutPoint, _ around: Surroundings) -> Surroundings {
    guard fragment.kind == .box else { return around }
    var result = around
    if fragment.style.box.position == .fixed { result.isFixed = true }
    let box = LayoutRect(origin: origin, size: fragment.size)
    switch engine.tree[fragment.box].kind {
    case .inline, .tableRow, .tableRowGroup: break
    default: result.container = box.inset(by: fragment.border + fragment.padding)
    }
    if Sizing.isScrollContainer(fragment.style), !RootLayout.passesOverflowToViewport(engine, fragment.box) {
      result.scrollport = box.inset(by: fragment.border)
      result.isViewport = false
    }
    return result
  }

  /// The sticky offset. Top and left take precedence over bottom and right, and the margin box stays in the containing block.
  private func shift(_ box: LayoutRect, _ style: ComputedStyle, _ around: Surroundings) -> LayoutPoint {
    let port = around.scrollport, container = around.container
    let inset = style.box.inset, margin = Sizing.margin(style, percentageBasis: container.size.width)
    func used(_ value: LengthPercentageAuto, _ basis: LayoutUnit) -> LayoutUnit? {
      if case .value(let length) = value { length.resolve(basis) } else { nil }
    }
    func axis(
      _ low: LayoutUnit, _ high: LayoutUnit, start: LayoutUnit?, end: LayoutUnit?, room: (before: LayoutUnit, behind: LayoutUnit)
    ) -> LayoutUnit {
      var shift = LayoutUnit.zero
      if let end, high > end { shift = -min(high - end, room.before.clampedToZero) }
      if let start, low + shift < start { shift += min(start - low - shift, (room.behind - shift).clampedToZero) }
      return shift
    }
    let hasEnd = hasViewportEnd || !around.isViewport || around.isFixed
    return LayoutPoint(
      x: axis(
        box.minX, box.maxX, start: used(inset.left, port.size.width).map { port.minX + $0 },
        end: used(inset.right, port.size.width).map { port.maxX - $0 },
        room: (box.minX - margin.left - container.minX, container.maxX - box.maxX - margin.right)),
      y: axis(
        box.minY, box.maxY, start: used(inset.top, port.size.height).map { port.minY + $0 },
        end: hasEnd ? used(inset.bottom, port.size.height).map { port.maxY - $0 } : nil,
        room: (box.minY - margin.top - container.minY, container.maxY - box.maxY - margin.bottom)))
  }
}
