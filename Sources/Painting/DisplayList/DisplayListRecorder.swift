import OffprintCoreTypes
import OffprintTypography

/// Records commands in painting order with the pixels each may change, and drops commands without visible effect.
final class DisplayListRecorder {
  private(set) var list: DisplayList
  // The state of the innermost open scope.
  private(set) var transform = AffineTransform.identity
  private(set) var clipBounds: PixelRect
  private var scopes: [Scope] = []
  /// Provides outlines, for example for the boxes of missing glyphs.
  var glyphs: GlyphRasterizer?
  /// Whether glyph runs keep their source text.
  var recordsText = false
  var colorGlyphs = ColorGlyphs()
  /// Shared by all lists of a page.
  var missing = MissingCharacterLog()
  /// Shared by all lists of a page. Once it is exhausted, nothing more is recorded.
  var budget: PaintBudget?

  /// The outline of a glyph; empty once the budget is exhausted.
  func outline(_ face: FaceInstance, size: Float, glyph: UInt32) -> GlyphOutline {
    guard let glyphs, budget?.failure == nil else { return GlyphOutline() }
    let outline = glyphs.outline(face, size: size, glyph: glyph)
    budget?.spend(work: glyphs.takeWork())
    return outline
  }

  /// Whether a path under construction may grow further.
  func hasRoom(for path: VectorPath) -> Bool {
    guard let budget else { return true }
    budget.permit(path)
    return budget.failure == nil
  }

  private struct Scope {
    var index: Int
    var transform: AffineTransform
    var clipBounds: PixelRect
  }

  init(bounds: PixelRect) {
    list = DisplayList(bounds: bounds)
    clipBounds = bounds
  }

  /// Records a command that changes `bounds` (before transforms), unless all of it is clipped.
  func add(_ command: DisplayCommand, _ bounds: PixelRect) {
    let visible = transform.mapBounds(bounds).intersection(clipBounds)
    guard !visible.isEmpty else { return }
    if case .glyphs(let run) = command { return add(run, visible) }
    append(command, visible)
  }

  /// Records text that changes these pixels of the image.
  func add(_ run: GlyphRun, _ visible: PixelRect) {
    guard let run = run.face.hasColorPaints ? paintColored(run) : run else { return }
    append(.glyphs(run), visible)
    noteMissing(run)
  }

  func fill(_ rect: PixelRect, _ color: Color) {
    if !color.isTransparent, !rect.isEmpty { add(.fillRect(rect, color), rect) }
  }

  func fill(_ shape: RoundedRect, _ color: Color) {
    guard !color.isTransparent, !shape.rect.isEmpty else { return }
    if let rect = shape.pixels { fill(rect, color) } else { add(.fillRoundedRect(shape, color), shape.rect.enclosing) }
  }

  func fillRing(_ outer: RoundedRect, _ inner: RoundedRect, _ color: Color) {
    guard !color.isTransparent, !outer.rect.isEmpty else { return }
    if inner.rect.isEmpty { return fill(outer, color) }
    add(.fillRing(outer: outer, inner: inner, color), outer.rect.enclosing)
  }

  func fill(_ path: VectorPath, _ color: Color) {
    if !color.isTransparent, !path.elements.isEmpty { add(.fillPath(path, color), path.bounds.enclosing) }
  }

  func stroke(_ path: VectorPath, _ stroke: Stroke, _ color: Color) {
    guard !color.isTransparent, stroke.width > 0 else { return }
    let bounds = path.bounds.enclosing.expanded(by: clampedPixel((min(stroke.width, 1e5) * 2).rounded(.up)) + 1)
    add(.strokePath(path, stroke, color), bounds)
  }

  /// Records a command that changes these pixels of the image.
  func append(_ command: DisplayCommand, _ visible: PixelRect) {
    guard hasRoom(for: command) else { return }
    list.items.append(DisplayItem(command: command, bounds: visible))
  }

  private func hasRoom(for command: DisplayCommand) -> Bool {
    guard let budget else { return true }
    budget.spend(command)
    return budget.failure == nil
  }

  /// Opens a clip that excludes everything outside of `bounds`.
  func pushClip(_ shape: ClipShape, _ bounds: DisplayRect) {
    open(.pushClip(shape))
    clipBounds = clipBounds.intersection(transform.mapBounds(bounds).expanded(by: 1))
  }

  func pushClip(_ shape: ClipShape) {
    let bounds: PixelRect =
      switch shape {
      case .rect(let rect): rect
      case .rounded(let shape): shape.rect.enclosing
      case .path(let path): path.bounds.enclosing
      case .stroke(let path, let stroke): path.bounds.insetBy(-stroke.width * 2).enclosing
      }
    open(.pushClip(shape))
    clipBounds = clipBounds.intersection(transform.mapBounds(bounds))
  }
  func popClip() { close(.popClip) }

  func pushTransform(_ next: AffineTransform) {
    open(.pushTransform(next))
    transform = transform.concatenating(next)
  }
  func popTransform() { close(.popTransform) }

  func pushGroup(_ group: Group) {
    var group = group
    group.outset = min(group.filters.reduce(0) { $0 + $1.outset }, 16_384)
    open(.pushGroup(group))
    // Content outside of the image can be blurred into it.
    if group.outset > 0 { clipBounds = clipBounds.expanded(by: group.outset) }
    for case .graph(let graph) in group.filters {
      // A filter can paint even if its source is empty, for example with `feFlood`.
      let area = graph.region.enclosing.intersection(clipBounds)
      if !area.isEmpty { append(.fillRect(.empty, .transparent), area) }
    }
  }
  func popGroup() { close(.popGroup) }

  /// Opens a plane that is composited through a projection.
  ///
  /// - Parameter area: The part of the plane to rasterize, before the projection.
  func pushProjection(_ projection: Projection, area: PixelRect, _ group: Group = Group()) {
    var group = group
    group.projection = projection
    open(.pushGroup(group))
    transform = .identity
    clipBounds = area
  }

  private func open(_ command: DisplayCommand) {
    scopes.append(Scope(index: list.items.count, transform: transform, clipBounds: clipBounds))
    guard hasRoom(for: command) else { return }
    list.items.append(DisplayItem(command: command, bounds: .empty))
  }

  private func close(_ command: DisplayCommand) {
    guard let scope = scopes.popLast() else { return }
    (transform, clipBounds) = (scope.transform, scope.clipBounds)
    // If the budget is exhausted, the opening command may not have been recorded.
    if budget?.failure != nil { return }
    var bounds = content(from: scope.index + 1)
    var isNeeded = list.items.count > scope.index + 1
    if case .pushGroup(var group) = list.items[scope.index].command {
      if let projection = group.projection {
        group.content = bounds
        bounds = Projection(scope.transform).concatenating(projection).mapBounds(bounds, limits: scope.clipBounds)
        list.items[scope.index].command = .pushGroup(group)
      } else if group.outset > 0 {
        group.content = bounds
        bounds = bounds.isEmpty ? bounds : bounds.expanded(by: group.outset).intersection(scope.clipBounds)
        list.items[scope.index].command = .pushGroup(group)
      }
      if case .blend = group.operation {
      } else {
        // Masks affect all content of the enclosing group.
        bounds = bounds.union(content(from: (scopes.last(where: { isGroup($0.index) })?.index ?? -1) + 1, to: scope.index))
        isNeeded = true
      }
    }
    guard isNeeded, !bounds.isEmpty else {
      list.items.removeSubrange(scope.index...)
      return
    }
    list.items[scope.index].bounds = bounds
    list.items[scope.index].end = list.items.count
    list.items.append(DisplayItem(command: command, bounds: bounds))
  }

  private func isGroup(_ index: Int) -> Bool { if case .pushGroup = list.items[index].command { true } else { false } }

  /// The union of the bounds of the items from `start` on; nested items are covered by their outermost scope.
  private func content(from start: Int, to end: Int? = nil) -> PixelRect {
    var bounds = PixelRect.empty, index = start
    let end = end ?? list.items.count
    while index < end {
      bounds = bounds.union(list.items[index].bounds)
      index = list.items[index].command.opens && list.items[index].end > index ? list.items[index].end + 1 : index + 1
    }
    return bounds
  }

  /// Raises the list's `backdropOutset`.
  func noteBackdrop(outset: Int) { list.backdropOutset = max(list.backdropOutset, outset) }
}
