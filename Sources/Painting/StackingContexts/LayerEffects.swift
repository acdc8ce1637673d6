import CSS
import CoreTypes
import Glibc
import Images
import Layout

/// What a stacking context has opened around its contents.
struct OpenEffects {
  var transforms = 0
  var clips = 0
  /// A plane in perspective is open.
  var hasProjection = false
  var hasFilterGroup = false
  var hasGroup = false
  var isTransformed = false
  /// The context of the box's surroundings.
  var outerContext3D: StackingContextPainter.Context3D?
  /// `clip-path: url()`.
  var clipReference: String?
}

extension StackingContextPainter {
  /// Opens transforms, clip paths and groups; nil where nothing of the layer can be seen.
  func openEffects(_ layer: PaintLayer) -> OpenEffects? {
    var open = OpenEffects()
    guard let piece = layer.pieces.first else { return nil }
    let box = tree[layer.box], effects = box.style.effects
    let fragment = fragments[piece.fragment]
    guard openTransform(layer, box, fragment, piece.offset, &open) else { return nil }
    if let path = context.clipPath(effects.clipPath, fragment, piece.offset) {
      pushClip(path)
      open.clips = 1
    }
    if !effects.backdropFilter.isEmpty { addBackdrop(fragment, piece.offset) }
    var group = Group()
    group.opacity = min(max(effects.opacity, 0), 1)
    group.operation = .blend(effects.mixBlendMode)
    let filters = FilterResolver(context: context).resolve(effects.filter, box.style, fragment, piece.offset)
    if case .reference(let url) = effects.clipPath, let (scene, id) = context.scene(for: url, nil), scene.hasResource(id) {
      open.clipReference = url
    }
    let isMasked = box.style.hasMask || open.clipReference != nil
    // Filters come before masks.
    if !isMasked { group.filters = filters }
    if group.opacity < 1 || !group.isPlain || isMasked || isolates(layer) {
      pushGroup(group)
      open.hasGroup = true
    }
    if isMasked, !filters.isEmpty {
      var inner = Group()
      inner.filters = filters
      pushGroup(inner)
      open.hasFilterGroup = true
    }
    return open
  }

  func closeEffects(_ open: OpenEffects, _ layer: PaintLayer) {
    if open.hasFilterGroup { popGroup() }
    if open.hasGroup {
      if let piece = layer.pieces.first {
        let fragment = fragments[piece.fragment]
        if let clip = open.clipReference { masks.paintClip(clip, fragment, piece.offset) }
        if tree[layer.box].style.hasMask { masks.paintMask(fragment, piece.offset) }
      }
      popGroup()
    }
    leaveClips(open.clips)
    if open.hasProjection { popGroup() }
    if open.transforms > 0 { popTransform() }
    if open.isTransformed { context.openTransforms -= 1 }
    context3D = open.outerContext3D
  }

  /// A group of its own is only needed where something inside is blended with what is below.
  /// The root's group holds the canvas too, which has been drawn already.
  private func isolates(_ layer: PaintLayer) -> Bool {
    layer.isStackingContext && !tree[layer.box].isRoot
      && layer.children.contains {
        let effects = tree[layers[$0].box].style.effects
        return effects.mixBlendMode != .normal || (!effects.backdropFilter.isEmpty && tree[layer.box].style.effects.isolation == .isolate)
      }
  }

  private func addBackdrop(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = tree[fragment.box].style
    let filters = FilterResolver(context: context).resolve(style.effects.backdropFilter, style, fragment, offset)
    guard !filters.isEmpty else { return }
    let shape = BoxGeometry(context, fragment, offset).borderShape
    recorder.noteBackdrop(reach: filters.reduce(0) { $0 + $1.reach })
    add(.backdrop(shape, filters), shape.rect.enclosing)
  }
}
