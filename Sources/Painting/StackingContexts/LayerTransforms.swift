import CSS
import CoreTypes
import Layout

// https://drafts.csswg.org/css-transforms-2/
extension StackingContextPainter {
  /// False where nothing of the layer can be seen.
  func openTransform(
    _ layer: PaintLayer, _ box: Box, _ fragment: Fragment, _ offset: LayoutPoint, _ group: Group, _ open: inout OpenEffects
  ) -> Bool {
    let effects = box.style.effects
    open.outerContext3D = context3D
    // Only an element's children are in its context.
    let outer = context3D?.box == elementParent(layer.box) ? context3D : nil
    guard isTransformable(box) else {
      context3D = nil
      return true
    }
    let own = matrix(layer, fragment, offset)
    let keeps3D = preserves3D(layer, box)
    guard own != nil || outer != nil && keeps3D else {
      // The beginning of a context, or the end of one.
      context3D = keeps3D ? Context3D(box: layer.box, matrix: .identity, flat: .identity) : nil
      return true
    }
    let total = (outer?.matrix ?? .identity) * (own ?? .identity)
    guard !(effects.backfaceVisibility == .hidden && total.showsBack), let flat = flattened(total, fragment, offset),
      let back = (outer?.flat ?? .identity).inverted
    else { return false }
    // What holds no further planes is seen as it is; others are bent to first order.
    if !keeps3D || layer.children.isEmpty, total.isPerspective {
      context3D = nil
      let projection = Projection(back).concatenating(total.projection)
      if group.opacity >= 1 { addBackdrops(layer, seenIn: projection) }
      recorder.pushProjection(projection, area: planeArea(fragment, offset), group)
      open.hasProjection = true
      open.isTransformed = own != nil
      context.openTransforms += own != nil ? 1 : 0
      return true
    }
    let step = outer == nil ? flat : back.concatenating(flat)
    context3D = keeps3D ? Context3D(box: layer.box, matrix: total, flat: flat) : nil
    if own != nil {
      open.isTransformed = true
      context.openTransforms += 1
    }
    if !step.isIdentity {
      pushTransform(step)
      open.transforms = 1
    }
    return true
  }

  /// The box of the element's parent.
  private func elementParent(_ box: BoxID) -> BoxID {
    var parent = tree[box].parent
    while !parent.isNone, tree[parent].isAnonymous { parent = tree[parent].parent }
    return parent
  }

  /// The used value of `transform-style`. https://drafts.csswg.org/css-transforms-2/#grouping-property-values
  private func preserves3D(_ layer: PaintLayer, _ box: Box) -> Bool {
    let effects = box.style.effects
    return effects.transformStyle == .preserve3d && effects.opacity >= 1 && effects.filter.isEmpty && effects.clipPath == .none
      && effects.mixBlendMode == .normal && effects.isolation == .auto && effects.clip == nil && !box.style.hasMask
      && box.style.box.overflowX == .visible && box.style.box.overflowY == .visible && box.style.box.contain.isDisjoint(with: [.paint])
  }

  /// The matrix of `transform` and its relatives about their origin, in device pixels; nil for none.
  /// https://drafts.csswg.org/css-transforms-2/#ctm
  func matrix(_ layer: PaintLayer, _ fragment: Fragment, _ offset: LayoutPoint) -> Matrix4? {
    let effects = tree[layer.box].style.effects
    let perspective = layer.container.flatMap { container in
      fragments[container.fragment].box == elementParent(layer.box) ? perspectiveMatrix(container.fragment, container.offset) : nil
    }
    guard effects.hasTransform else { return nil }
    let geometry = BoxGeometry(context, fragment, offset)
    let reference = effects.transformBox == .contentBox ? DisplayRect(geometry.contentBox) : DisplayRect(geometry.borderBox)
    let size =
      effects.transformBox == .contentBox
      ? (reference.width, reference.height) : (fragment.size.width.double * scale, fragment.size.height.double * scale)
    let originX = reference.x + effects.transformOrigin.x.resolve(size.0 / scale) * scale
    let originY = reference.y + effects.transformOrigin.y.resolve(size.1 / scale) * scale
    let originZ = length(effects.transformOriginZ)
    var matrix = Matrix4.identity
    func apply(_ function: TransformFunction) {
      matrix = matrix * Matrix4(function, width: size.0 / scale, height: size.1 / scale, scale: scale)
    }
    for case let function? in [effects.translate, effects.rotate, effects.scale] { apply(function) }
    if let motion = motionMatrix(layer, fragment, offset, origin: DisplayPoint(originX, originY)) { matrix = matrix * motion }
    effects.transform.forEach(apply)
    matrix = .translation(originX, originY, originZ) * matrix * .translation(-originX, -originY, -originZ)
    return perspective.map { $0 * matrix } ?? matrix
  }

  /// https://drafts.csswg.org/css-transforms-2/#perspective-property
  private func perspectiveMatrix(_ id: FragmentID, _ offset: LayoutPoint) -> Matrix4? {
    let fragment = fragments[id], effects = tree[fragment.box].style.effects
    guard let perspective = effects.perspective, isTransformable(tree[fragment.box]) else { return nil }
    let px = x(offset.x) + effects.perspectiveOrigin.x.resolve(fragment.size.width.double) * scale
    let py = y(offset.y) + effects.perspectiveOrigin.y.resolve(fragment.size.height.double) * scale
    return .translation(px, py, 0) * .perspective(length(max(perspective, 1))) * .translation(-px, -py, 0)
  }

  /// What of a plane is drawn: the box, and what overflows it up to a bound.
  private func planeArea(_ fragment: Fragment, _ offset: LayoutPoint) -> PixelRect {
    let box = snap(LayoutRect(origin: offset, size: fragment.size)), most = 2048
    let middle = (x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2)
    let area = box.expanded(by: clampedPixel(1024 * min(scale, 2)))
    return area.intersection(
      PixelRect(left: middle.x - most, top: middle.y - most, right: middle.x + most, bottom: middle.y + most))
  }

  /// The order in which the planes of a three-dimensional rendering context are painted: those further away first.
  /// https://drafts.csswg.org/css-transforms-2/#3d-rendering-contexts
  func paintingOrder(_ layer: PaintLayer) -> [Int] {
    guard let outer = context3D else { return layer.children }
    let depths = layer.children.map { child -> Double in
      guard let piece = layers[child].pieces.first, isTransformable(tree[layers[child].box]) else { return 0 }
      let fragment = fragments[piece.fragment], size = fragment.size
      let own = elementParent(layers[child].box) == outer.box ? matrix(layers[child], fragment, piece.offset) : nil
      let total = outer.matrix * (own ?? .identity)
      let depth = total.depth(
        of: DisplayPoint(x(piece.offset.x) + size.width.double * scale / 2, y(piece.offset.y) + size.height.double * scale / 2))
      return depth.isFinite ? depth : 0
    }
    return layer.children.indices.sorted { (depths[$0], $0) < (depths[$1], $1) }.map { layer.children[$0] }
  }

  /// Onto the page; where perspective bends it, as at the box's middle.
  func flattened(_ matrix: Matrix4, _ fragment: Fragment, _ offset: LayoutPoint) -> AffineTransform? {
    let size = fragment.size
    let center = DisplayPoint(x(offset.x) + size.width.double * scale / 2, y(offset.y) + size.height.double * scale / 2)
    guard let flat = matrix.affine(around: center), flat.isFinite, abs(flat.determinant) > 1e-12 else { return nil }
    return flat
  }
}
