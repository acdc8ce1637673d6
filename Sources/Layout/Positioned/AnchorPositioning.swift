internal import OffprintCSS
internal import OffprintCoreTypes

/// Resolves the position of an anchor-positioned box. https://drafts.csswg.org/css-anchor-position-1/
struct AnchorPositioning {
  private let engine: LayoutEngine
  private let style: ComputedStyle
  private let box: BoxID
  /// The children of the containing block's fragment so far, relative to its border box.
  private let links: [FragmentLink]
  /// The containing block, relative to the same origin.
  private let container: LayoutRect
  /// The writing direction of the containing block.
  private let direction: WritingDirection

  /// nil if the box does not use anchors.
  init?(
    _ engine: LayoutEngine, _ box: BoxID, in container: LayoutRect, direction: WritingDirection, links: [FragmentLink]
  ) {
    let style = engine.style(box), inset = style.box.inset
    func asks(_ value: LengthPercentageAuto) -> Bool { if case .value(let length) = value { length.hasAnchor } else { false } }
    func asks(_ value: SizeValue) -> Bool { if case .value(let length) = value { length.hasAnchor } else { false } }
    let isAligned = style.align.justifySelf.keyword == .anchorCenter || style.align.alignSelf.keyword == .anchorCenter
    guard
      style.box.positionArea != nil || asks(inset.left) || asks(inset.right) || asks(inset.top) || asks(inset.bottom)
        || asks(style.box.width) || asks(style.box.height) || isAligned && style.box.positionAnchor != nil
    else { return nil }
    (self.engine, self.style, self.box, self.links, self.container) = (engine, style, box, links, container)
    self.direction = direction
  }

  /// The border box of an anchor, relative to the containing block: that of the last box with the name.
  func anchor(_ name: ByteString?) throws -> LayoutRect? {
    guard let name = name ?? style.box.positionAnchor else { return nil }
    var found: (box: BoxID, rect: LayoutRect)?
    func visit(_ link: FragmentLink, at origin: LayoutPoint, depth: Int) throws {
      try engine.tick()
      let fragment = engine.fragments[link.fragment], offset = origin + link.offset
      if fragment.kind == .box {
        guard fragment.box != box else { return }
        if fragment.style.box.anchorNames.contains(name), !engine.tree[fragment.box].isAnonymous {
          let rect = LayoutRect(origin: offset, size: fragment.size)
          found = found.map { $0.box == fragment.box ? (fragment.box, $0.rect.union(rect)) : (fragment.box, rect) } ?? (fragment.box, rect)
        }
      }
      guard depth < 512 else { return }
      for child in engine.fragments.children(of: link.fragment) { try visit(child, at: offset, depth: depth + 1) }
    }
    for link in links { try visit(link, at: .zero, depth: 0) }
    return found.map { $0.rect.offset(by: LayoutPoint.zero - container.origin) }
  }

  // MARK: Visibility

  /// Whether the default anchor is invisible, by `visibility` or because a box between it and the containing block clips it.
  func isDefaultAnchorHidden() throws -> Bool {
    guard let name = style.box.positionAnchor else { return false }
    var isHidden: Bool?
    func visit(_ link: FragmentLink, at origin: LayoutPoint, clip: LayoutRect?, depth: Int) throws {
      try engine.tick()
      let fragment = engine.fragments[link.fragment], offset = origin + link.offset
      var clip = clip
      if fragment.kind == .box {
        guard fragment.box != box else { return }
        let rect = LayoutRect(origin: offset, size: fragment.size)
        if fragment.style.box.anchorNames.contains(name), !engine.tree[fragment.box].isAnonymous {
          isHidden = fragment.style.text.visibility != .visible || clip.map { !isSeen(rect, in: $0) } ?? false
        }
        if fragment.style.box.overflowX != .visible {
          let inner = rect.inset(by: fragment.border)
          clip = clip.map { $0.intersection(inner) } ?? inner
        }
      }
      guard depth < 512 else { return }
      for child in engine.fragments.children(of: link.fragment) { try visit(child, at: offset, clip: clip, depth: depth + 1) }
    }
    for link in links { try visit(link, at: .zero, clip: nil, depth: 0) }
    return isHidden ?? false
  }

  private func isSeen(_ rect: LayoutRect, in clip: LayoutRect) -> Bool {
    rect.minX <= clip.maxX && rect.maxX >= clip.minX && rect.minY <= clip.maxY && rect.maxY >= clip.minY
  }

  // MARK: Insets and sizes

  private enum Property { case left, right, top, bottom }

  /// The insets with resolved anchor functions; `auto` if an anchor is missing.
  func insets() throws -> PhysicalSides<LengthPercentageAuto> {
    let inset = style.box.inset
    return PhysicalSides(
      top: try used(inset.top, .top), right: try used(inset.right, .right), bottom: try used(inset.bottom, .bottom),
      left: try used(inset.left, .left))
  }

  private func used(_ value: LengthPercentageAuto, _ property: Property) throws -> LengthPercentageAuto {
    guard case .value(let length) = value, length.hasAnchor else { return value }
    return try resolved(length) { try side($0, property) }.map { .value($0) } ?? .auto
  }

  /// The content size specified by `anchor-size()` in an axis; nil without the function.
  func size(isWidth: Bool) throws -> LayoutUnit? {
    guard case .value(let length) = isWidth ? style.box.width : style.box.height, length.hasAnchor else { return nil }
    return try resolved(length) { try extent($0, isWidth: isWidth) }?.resolve(isWidth ? container.size.width : container.size.height)
  }

  private func resolved(_ length: LengthPercentage, _ value: (AnchorFunction) throws -> Double?) throws -> LengthPercentage? {
    var failure: (any Error)?
    let result = length.resolvingAnchors { function in
      do { return try value(function) } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    return result
  }

  /// https://drafts.csswg.org/css-anchor-position-1/#anchor-pos
  private func side(_ function: AnchorFunction, _ property: Property) throws -> Double? {
    if function.isSize { return try extent(function, isWidth: property == .left || property == .right) }
    guard let rect = try anchor(function.name), let kind = function.kind else { return nil }
    let isX = property == .left || property == .right, isFar = property == .right || property == .bottom
    let low = (isX ? rect.minX : rect.minY).double, high = (isX ? rect.maxX : rect.maxY).double
    let size = (isX ? container.size.width : container.size.height).double
    let isFlipped = direction.isFlipped(horizontal: isX), isOwnFlipped = WritingDirection(style).isFlipped(horizontal: isX)
    let place: Double
    switch kind {
    case .left where isX: place = low
    case .right where isX: place = high
    case .top where !isX: place = low
    case .bottom where !isX: place = high
    case .start: place = isFlipped ? high : low
    case .end: place = isFlipped ? low : high
    case .selfStart: place = isOwnFlipped ? high : low
    case .selfEnd: place = isOwnFlipped ? low : high
    case .inside: place = isFar ? high : low
    case .outside: place = isFar ? low : high
    case .percentage(let percent): place = isFlipped ? high - (high - low) * percent / 100 : low + (high - low) * percent / 100
    default: return nil
    }
    return isFar ? size - place : place
  }

  private func extent(_ function: AnchorFunction, isWidth: Bool) throws -> Double? {
    guard function.isSize, let rect = try anchor(function.name) else { return nil }
    let isHorizontal = WritingDirection(style).isHorizontal
    switch function.kind {
    case nil: return (isWidth ? rect.size.width : rect.size.height).double
    case .width: return rect.size.width.double
    case .height: return rect.size.height.double
    case .inlineSize: return (isHorizontal ? rect.size.width : rect.size.height).double
    case .blockSize: return (isHorizontal ? rect.size.height : rect.size.width).double
    default: return nil
    }
  }

  // MARK: Areas

  /// The `position-area` relative to the containing block. https://drafts.csswg.org/css-anchor-position-1/#position-area
  func area() throws -> LayoutRect? {
    guard let area = tracks, let rect = try anchor(nil) else { return nil }
    func lines(_ size: LayoutUnit, _ low: LayoutUnit, _ high: LayoutUnit) -> [LayoutUnit] { [min(.zero, low), low, high, max(size, high)] }
    let xs = lines(container.size.width, rect.minX, rect.maxX), ys = lines(container.size.height, rect.minY, rect.maxY)
    let left = xs[Int(area.columns.first)], right = xs[Int(area.columns.last) + 1]
    let top = ys[Int(area.rows.first)], bottom = ys[Int(area.rows.last) + 1]
    return LayoutRect(x: left, y: top, width: (right - left).clampedToZero, height: (bottom - top).clampedToZero)
  }

  /// The columns and rows of the box's `position-area`.
  var tracks: (columns: PositionArea.Span, rows: PositionArea.Span)? {
    style.box.positionArea.map { $0.tracks(container: direction.areaDirections, own: WritingDirection(style).areaDirections) }
  }

  /// The effect of `normal` alignment in a `position-area`: at the side of the anchor, centered, or centered on the anchor.
  enum Place { case start, center, end, anchor }

  static func place(_ span: PositionArea.Span) -> Place {
    switch (span.first, span.last) {
    case (0, 0), (0, 1): .end
    case (1, 1): .center
    case (2, 2), (1, 2): .start
    default: .anchor
    }
  }
}

extension WritingDirection {
  var areaDirections: PositionArea.Directions {
    PositionArea.Directions(
      isHorizontal: isHorizontal, isFlippedX: isFlipped(horizontal: true), isFlippedY: isFlipped(horizontal: false))
  }
}
