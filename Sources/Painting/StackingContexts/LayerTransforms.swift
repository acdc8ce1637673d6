import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// https://drafts.csswg.org/css-transforms-2/
extension StackingContextPainter {
  /// - Parameters:
  ///   - plane: In a 3D rendering context, the matrix from the layer to the surroundings of the context.
  ///   - part: The part of the plane to paint; nil for all of it.
  /// - Returns: False if nothing of the layer is visible.
  func openTransform(
    _ layer: PaintLayer, _ box: Box, _ fragment: Fragment, _ offset: LayoutPoint, _ group: Group, plane: Matrix4?, part: VectorPath?,
    _ open: inout OpenEffects
  ) -> Bool {
    guard isTransformable(box), let total = plane ?? matrix(layer, fragment, offset) else { return true }
    guard !(box.style.effects.backfaceVisibility == .hidden && total.showsBack), let flat = flattened(total, fragment, offset) else {
      return false
    }
    open.isTransformed = true
    context.openTransforms += 1
    if total.isPerspective {
      if group.opacity >= 1, part == nil { addBackdrops(layer, seenIn: total.projection) }
      recorder.pushProjection(total.projection, area: planeArea(fragment, offset), group)
      open.hasProjection = true
    } else if !flat.isIdentity {
      pushTransform(flat)
      open.transforms = 1
    }
    if let part {
      pushClip(.path(part))
      open.clips += 1
    }
    return true
  }

  /// The box of the parent element, skipping anonymous boxes.
  func elementParent(_ box: BoxID) -> BoxID {
    var parent = tree[box].parent
    while !parent.isNone, tree[parent].isAnonymous { parent = tree[parent].parent }
    return parent
  }

  /// Whether the used value of `transform-style` is `preserve-3d`, so that the children of the element are in its 3D rendering context.
  /// https://drafts.csswg.org/css-transforms-2/#grouping-property-values
  func preserves3D(_ layer: PaintLayer) -> Bool {
    let box = tree[layer.box], effects = box.style.effects
    return effects.transformStyle == .preserve3d && isTransformable(box) && effects.opacity >= 1 && effects.filter.isEmpty
      && effects.clipPath == .none && effects.mixBlendMode == .normal && effects.isolation == .auto && effects.clip == nil
      && !box.style.hasMask && box.style.box.overflowX == .visible && box.style.box.overflowY == .visible
      && box.style.box.containment.isDisjoint(with: [.paint])
  }

  /// The matrix of the transform properties about their origin, in device pixels; nil if the layer is not transformed.
  /// https://drafts.csswg.org/css-transforms-2/#ctm
  func matrix(_ layer: PaintLayer, _ fragment: Fragment, _ offset: LayoutPoint) -> Matrix4? {
    let effects = tree[layer.box].style.effects
    let perspective = layer.container.flatMap { container in
      fragments[container.fragment].box == elementParent(layer.box) ? perspectiveMatrix(container.fragment, container.offset) : nil
    }
    // An untransformed element with `preserve-3d` still passes the perspective of its parent on to its children.
    guard effects.hasTransform || perspective != nil && preserves3D(layer) else { return nil }
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

  /// The area of a plane to rasterize: the box and its overflow up to a limit.
  private func planeArea(_ fragment: Fragment, _ offset: LayoutPoint) -> PixelRect {
    let box = snap(LayoutRect(origin: offset, size: fragment.size)), maximum = 2048
    let middle = (x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2)
    let area = box.expanded(by: clampedPixel(1024 * min(scale, 2)))
    return area.intersection(
      PixelRect(left: middle.x - maximum, top: middle.y - maximum, right: middle.x + maximum, bottom: middle.y + maximum))
  }

  /// Projects the matrix onto the page as an affine transform; with perspective, approximated at the center of the box.
  func flattened(_ matrix: Matrix4, _ fragment: Fragment, _ offset: LayoutPoint) -> AffineTransform? {
    let size = fragment.size
    let center = DisplayPoint(x(offset.x) + size.width.double * scale / 2, y(offset.y) + size.height.double * scale / 2)
    guard let flat = matrix.affine(around: center), flat.isFinite, abs(flat.determinant) > 1e-12 else { return nil }
    return flat
  }
}
