import OffprintCSS
import OffprintCoreTypes
import Glibc
import OffprintImages
import OffprintLayout

/// The transforms, clips and groups opened for a stacking context.
struct OpenEffects {
  var transforms = 0
  var clips = 0
  /// Whether a projected plane is open.
  var hasProjection = false
  var groups = 0
  /// Groups inside of those, around the contents alone.
  var innerGroups = 0
  var isTransformed = false
  /// The target of `clip-path: url()`.
  var clipReference: String?
}

extension StackingContextPainter {
  /// Opens transforms, clip paths and groups.
  ///
  /// - Parameters:
  ///   - plane: In a 3D rendering context, the matrix from the layer to the surroundings of the context.
  ///   - part: The part of the plane to paint; nil for all of it.
  /// - Returns: Nil if nothing of the layer is visible.
  func openEffects(_ layer: PaintLayer, plane: Matrix4? = nil, part: VectorPath? = nil) -> OpenEffects? {
    var open = OpenEffects()
    guard let piece = layer.pieces.first else { return nil }
    let box = tree[layer.box], effects = box.style.effects
    let fragment = fragments[piece.fragment]
    var group = Group()
    group.opacity = min(max(effects.opacity, 0), 1)
    group.operation = .blend(effects.mixBlendMode)
    guard openTransform(layer, box, fragment, piece.offset, group, plane: plane, part: part, &open) else { return nil }
    // These effects apply when the plane is composited.
    if open.hasProjection { group = Group() }
    if let path = context.clipPath(effects.clipPath, fragment, piece.offset) {
      pushClip(path)
      open.clips += 1
    }
    if case .reference(let url) = effects.clipPath, let (scene, id) = context.scene(for: url.text, nil), scene.hasEffectResource(id) {
      open.clipReference = url.text
    }
    var backdrops = layer.pieces.compactMap { backdrop(fragments[$0.fragment], $0.offset) }
    if open.hasProjection {
      // Already painted by `addBackdrops`, in the projected shape.
      backdrops = []
    } else if effects.mixBlendMode != .normal {
      for backdrop in backdrops { add(backdrop, isBelowGroup: false) }
      backdrops = []
    }
    openGroups(layer, group, backdrops, &open)
    return open
  }

  private func openGroups(
    _ layer: PaintLayer, _ group: Group, _ backdrops: [Backdrop], _ open: inout OpenEffects
  ) {
    let box = tree[layer.box]
    var group = group
    let filters = FilterResolver(context: context).resolve(box.style.effects.filter, box.style) { filterArea(layer) }
    let isMasked = box.style.hasMask || open.clipReference != nil
    // Filters apply before masks.
    if !isMasked { group.filters = filters }
    let isApart = layer.hasBackdropsInside && isBackdropRoot(box) || isolates(layer)
    let isGroup = group.opacity < 1 || !group.isPlain || isMasked
    if !backdrops.isEmpty {
      // Chromium composites the filtered backdrop and the contents one after the other, each with the effects of the element.
      var below = group
      below.hasBackdrop = true
      below.filters = filters.filter { if case .dropShadow = $0 { false } else { true } }
      if isGroup { pushGroup(below) }
      for backdrop in backdrops { add(backdrop, isBelowGroup: isGroup) }
      if isGroup {
        paintMasks(layer, open)
        popGroup()
      }
    }
    if isGroup || isApart {
      pushGroup(group)
      open.groups = 1
    }
    if isMasked && !filters.isEmpty {
      var inner = Group()
      inner.filters = filters
      pushGroup(inner)
      open.innerGroups = 1
    }
  }

  func closeEffects(_ open: OpenEffects, _ layer: PaintLayer) {
    for _ in 0..<open.innerGroups { popGroup() }
    if open.groups > 0 {
      paintMasks(layer, open)
      popGroup()
    }
    leaveClips(open.clips)
    if open.hasProjection { popGroup() }
    if open.transforms > 0 { popTransform() }
    if open.isTransformed { context.openTransforms -= 1 }
  }

  private func paintMasks(_ layer: PaintLayer, _ open: OpenEffects) {
    guard let piece = layer.pieces.first else { return }
    let fragment = fragments[piece.fragment]
    if let clip = open.clipReference { masks.paintClip(clip, fragment, piece.offset) }
    if tree[layer.box].style.hasMask { masks.paintMask(fragment, piece.offset) }
  }

  /// Whether a layer without effects needs an isolated group: it does if a descendant blends with the content below it. The root group
  /// includes the canvas background. If there is one, it has been painted already and the root must blend with it; otherwise the root is
  /// isolated from the background of the image.
  private func isolates(_ layer: PaintLayer) -> Bool {
    layer.isStackingContext && !(tree[layer.box].isRoot && canvas.hasBackground)
      && (context.blendsInDrawings || layer.children.contains { tree[layers[$0].box].style.effects.mixBlendMode != .normal })
  }

  // MARK: Backdrops

  /// Whether backdrop filters inside do not include the content below this box. https://drafts.fxtf.org/filter-effects-2/#BackdropRoot
  private func isBackdropRoot(_ box: Box) -> Bool {
    let effects = box.style.effects
    return effects.opacity < 1 || !effects.filter.isEmpty || !effects.backdropFilter.isEmpty || effects.mixBlendMode != .normal
      || effects.clipPath != .none || box.style.hasMask || effects.willChangeBackdropRoot
  }

  private func backdrop(_ fragment: Fragment, _ offset: LayoutPoint) -> Backdrop? {
    let style = tree[fragment.box].style
    guard !style.effects.backdropFilter.isEmpty, style.text.visibility == .visible else { return nil }
    let filters = FilterResolver(context: context).resolve(style.effects.backdropFilter, style) {
      DisplayRect(BoxGeometry(context, fragment, offset).borderBox)
    }
    return filters.isEmpty ? nil : Backdrop(shape: BoxGeometry(context, fragment, offset).borderShape, filters: filters)
  }

  /// Filters the content below a projected plane, within the projected shape.
  func addBackdrops(_ layer: PaintLayer, seenIn projection: Projection) {
    for piece in layer.pieces {
      guard var backdrop = backdrop(fragments[piece.fragment], piece.offset) else { continue }
      let r = backdrop.shape.rect
      let corners = [DisplayPoint(r.x, r.y), DisplayPoint(r.maxX, r.y), DisplayPoint(r.maxX, r.maxY), DisplayPoint(r.x, r.maxY)]
      let seen = corners.compactMap { projection.map($0) }
      guard seen.count == 4 else { continue }
      let outline = VectorPath.polygon(seen)
      backdrop.outline = outline
      recorder.noteBackdrop(outset: backdrop.filters.reduce(0) { $0 + $1.outset })
      add(.backdrop(backdrop), outline.bounds.enclosing)
    }
  }

  private func add(_ backdrop: Backdrop, isBelowGroup: Bool) {
    var backdrop = backdrop
    backdrop.isBelowGroup = isBelowGroup
    recorder.noteBackdrop(outset: backdrop.filters.reduce(0) { $0 + $1.outset })
    add(.backdrop(backdrop), backdrop.shape.rect.enclosing)
  }
}
