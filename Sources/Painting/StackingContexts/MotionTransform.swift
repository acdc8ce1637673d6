import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// https://drafts.fxtf.org/motion-1/
extension StackingContextPainter {
  /// The transform of `offset-path`, to be applied about `origin` (in device pixels).
  func motionMatrix(_ layer: PaintLayer, _ fragment: Fragment, _ offset: LayoutPoint, origin: DisplayPoint) -> Matrix4? {
    let motion = tree[layer.box].style.effects.motion
    guard motion.path != .none, let place = place(motion, layer, fragment, offset) else { return nil }
    // From CSS px relative to the box to device pixels.
    let corner = DisplayPoint(x(offset.x), y(offset.y))
    let target = DisplayPoint(corner.x + place.point.x * scale, corner.y + place.point.y * scale)
    let angle = (motion.rotation.isAuto ? place.angle : 0) + Double(motion.rotation.angle)
    var matrix = Matrix4.translation(target.x - origin.x, target.y - origin.y, 0)
    matrix = matrix * Matrix4(.rotate(Float(angle)), width: 0, height: 0, scale: 1)
    guard let anchor = motion.anchor else { return matrix }
    let anchorX = corner.x + anchor.x.resolve(fragment.size.width.double) * scale
    let anchorY = corner.y + anchor.y.resolve(fragment.size.height.double) * scale
    return matrix * .translation(origin.x - anchorX, origin.y - anchorY, 0)
  }

  /// The position on the path, in CSS px from the corner of the box.
  private func place(_ motion: MotionStyle, _ layer: PaintLayer, _ fragment: Fragment, _ offset: LayoutPoint) -> MotionPosition? {
    let zoom = Double(fragment.style.zoom)
    func along(_ path: VectorPath) -> MotionPosition {
      MotionPosition(on: path.mapped(.scaling(zoom, zoom)), at: motion.distance)
    }
    switch motion.path {
    case .none: return nil
    case .reference(let url):
      guard let (scene, id) = context.scene(for: url.text, nil), let path = scene.outline(id) else { return nil }
      return along(path)
    case .shape(.path(_, let data), _, _): return along(VectorPath(svgPath: data.utf8))
    case .shape(let shape, let edge, let isCentered): return place(shape, edge, isCentered, motion, layer, offset)
    case .ray(let ray, let edge):
      guard let (rect, _) = reference(edge, layer) else { return nil }
      let box = DisplayPoint(offset.x.double - rect.x, offset.y.double - rect.y)
      let start = ray.center.map { DisplayPoint($0.x.resolve(rect.width), $0.y.resolve(rect.height)) } ?? self.start(motion, rect, box)
      let side = max(fragment.size.width.double, fragment.size.height.double)
      return MotionPosition(on: ray, at: motion.distance, from: start, width: rect.width, height: rect.height, side: side)
        .moved(-box.x, -box.y)
    case .box(let edge):
      guard let (rect, shape) = reference(edge, layer) else { return nil }
      var path = VectorPath()
      path.add(shape)
      return MotionPosition(on: path, at: motion.distance, unit: scale, isRound: true).scaled(1 / scale)
        .moved(rect.x - shape.rect.x / scale - offset.x.double, rect.y - shape.rect.y / scale - offset.y.double)
    }
  }

  private func place(
    _ shape: BasicShape, _ edge: BoxEdge?, _ isCentered: Bool, _ motion: MotionStyle, _ layer: PaintLayer, _ offset: LayoutPoint
  ) -> MotionPosition? {
    guard let (rect, _) = reference(edge, layer) else { return nil }
    let box = DisplayPoint(offset.x.double - rect.x, offset.y.double - rect.y)
    var shape = shape, turn = 0.0, isRound = true
    let center = start(motion, rect, box)
    let given = Position(x: .length(Float(center.x)), y: .length(Float(center.y)))
    switch shape {
    case .circle(let radius, let at): (shape, turn) = (.circle(radius, at: isCentered ? given : at), 0.25)
    case .ellipse(let x, let y, let at): (shape, turn) = (.ellipse(x, y, at: isCentered ? given : at), 0.25)
    case .inset: break
    case .polygon, .path, .shape: isRound = false
    }
    let plane = DisplayRect(x: 0, y: 0, width: rect.width, height: rect.height)
    let path = BasicShapeOutline(rect: plane, scale: 1).path(shape)
    return MotionPosition(on: path, at: motion.distance, start: turn, isRound: isRound).moved(-box.x, -box.y)
  }

  /// The start of a path without an explicit position. https://drafts.fxtf.org/motion-1/#offset-position-property
  private func start(_ motion: MotionStyle, _ rect: DisplayRect, _ box: DisplayPoint) -> DisplayPoint {
    switch motion.position {
    case .normal: DisplayPoint(rect.width / 2, rect.height / 2)
    case .auto: box
    case .at(let position): DisplayPoint(position.x.resolve(rect.width), position.y.resolve(rect.height))
    }
  }

  /// The reference box of the containing block in CSS px, and its shape in device pixels.
  private func reference(_ edge: BoxEdge?, _ layer: PaintLayer) -> (DisplayRect, RoundedRect)? {
    // The initial containing block, for boxes without another container.
    let (id, offset) = layer.container ?? (fragments.root, .zero)
    guard fragments.fragments.indices.contains(id.index) else { return nil }
    let fragment = fragments[id]
    var rect = LayoutRect(origin: offset, size: fragment.size)
    switch edge {
    case .paddingBox: rect = rect.inset(by: fragment.border)
    case .contentBox, .fillBox: rect = rect.inset(by: fragment.border + fragment.padding)
    default: break
    }
    let exact = DisplayRect(x: rect.minX.double, y: rect.minY.double, width: rect.size.width.double, height: rect.size.height.double)
    return (exact, BoxGeometry(context, fragment, offset).shape(edge ?? .borderBox))
  }
}

extension MotionPosition {
  fileprivate func moved(_ x: Double, _ y: Double) -> MotionPosition {
    MotionPosition(point: DisplayPoint(point.x + x, point.y + y), angle: angle)
  }
  fileprivate func scaled(_ factor: Double) -> MotionPosition {
    MotionPosition(point: DisplayPoint(point.x * factor, point.y * factor), angle: angle)
  }
}
