internal import OffprintCSS
internal import OffprintCoreTypes

/// Tries the position options of a box until one fits. https://drafts.csswg.org/css-anchor-position-1/#fallback
struct PositionFallbacks {
  /// The maximum number of fallbacks tried.
  private static let maximum = 16

  let engine: LayoutEngine
  let candidate: OutOfFlowCandidate
  let rect: LayoutRect
  let direction: WritingDirection
  let links: [FragmentLink]
  /// The base style of the box.
  let base: ComputedStyle

  func layout() throws -> OutOfFlowLayout.Placement {
    engine.restyle(candidate.box, as: base)
    let first = try placement()
    let chosen = base.box.positionTry.fallbacks.isEmpty ? first : try tried(first)
    if try isHidden(chosen) { hide(chosen.placed.link.fragment) }
    return chosen
  }

  private func placement() throws -> OutOfFlowLayout.Placement {
    try OutOfFlowLayout.place(engine, candidate, in: rect, direction: direction, links: links)
  }

  /// The first option that fits, in the order of `position-try-order`; the base style if none fits.
  private func tried(_ first: OutOfFlowLayout.Placement) throws -> OutOfFlowLayout.Placement {
    let order = base.box.positionTry.order
    if order == .normal, first.fits { return first }
    var options: [(style: ComputedStyle, placement: OutOfFlowLayout.Placement)] = [(base, first)]
    for fallback in base.box.positionTry.fallbacks.prefix(Self.maximum) {
      guard let style = style(of: fallback) else { continue }
      engine.restyle(candidate.box, as: style)
      let placement = try placement()
      if order == .normal, placement.fits { return placement }
      options.append((style, placement))
    }
    let sorted = options.indices.sorted { (-room(options[$0].placement, order), $0) < (-room(options[$1].placement, order), $1) }
    let chosen = options[(order == .normal ? nil : sorted.first { options[$0].placement.fits }) ?? 0]
    engine.restyle(candidate.box, as: chosen.style)
    return try placement()
  }

  /// https://drafts.csswg.org/css-anchor-position-1/#position-try-order-property
  private func room(_ placement: OutOfFlowLayout.Placement, _ order: PositionTryStyle.Order) -> LayoutUnit {
    let isHorizontal = direction.isHorizontal
    return switch order {
    case .normal: .zero
    case .mostWidth: placement.x.room.size
    case .mostHeight: placement.y.room.size
    case .mostInlineSize: isHorizontal ? placement.x.room.size : placement.y.room.size
    case .mostBlockSize: isHorizontal ? placement.y.room.size : placement.x.room.size
    }
  }

  /// nil if there is no `@position-try` rule with the name.
  private func style(of fallback: PositionFallback) -> ComputedStyle? {
    var style = base
    if let name = fallback.name {
      guard let named = engine.tree.triedStyle(name, of: candidate.box) else { return nil }
      style = named
    }
    if fallback.tactics.isEmpty, fallback.area == nil { return style }
    var flipped = FlippedPosition(style, container: direction)
    for tactic in fallback.tactics { flipped.apply(tactic) }
    if let area = fallback.area { flipped.box.positionArea = area }
    let arena = engine.tree.arena
    return arena.modified(style) {
      $0.box = arena.allocate(flipped.box)
      $0.align = arena.allocate(flipped.align)
    }
  }

  // MARK: Visibility

  /// https://drafts.csswg.org/css-anchor-position-1/#position-visibility
  private func isHidden(_ placement: OutOfFlowLayout.Placement) throws -> Bool {
    let style = engine.style(candidate.box), visibility = style.box.positionTry.visibility
    if visibility.contains(.noOverflow), !placement.fits { return true }
    guard visibility.contains(.anchorsVisible),
      let anchors = AnchorPositioning(engine, candidate.box, in: rect, direction: direction, links: links)
    else { return false }
    return try anchors.isDefaultAnchorHidden()
  }

  /// Makes the box and its contents invisible.
  private func hide(_ fragment: FragmentID) {
    let arena = engine.tree.arena, style = engine.style(candidate.box)
    var effects = style.effects
    effects.opacity = 0
    let hidden = arena.modified(style) { $0.effects = arena.allocate(effects) }
    engine.restyle(candidate.box, as: hidden)
    engine.fragments.fragments[fragment.index].style = hidden
  }
}

extension BoxTree {
  /// Stores the styles of boxes that layout may restyle.
  mutating func findAnchoredStyles() {
    guard styled.hasAnchoredBoxes else { return }
    for index in boxes.indices where boxes[index].isOutOfFlow {
      let style = boxes[index].style, box = style.box
      guard box.positionArea != nil || box.positionAnchor != nil || box.positionTry != PositionTryStyle() else { continue }
      anchoredStyles[BoxID(index)] = style
    }
  }

  /// The style of a box with an `@position-try` rule.
  func triedStyle(_ name: ByteString, of box: BoxID) -> ComputedStyle? {
    let node = self[box].node
    guard !node.isNone else { return nil }
    let style = self[box].pseudo.map { styled.style(of: node, $0) } ?? styled.style(of: node)
    return style.flatMap { styled.positionTries[$0]?[name] }
  }
}
