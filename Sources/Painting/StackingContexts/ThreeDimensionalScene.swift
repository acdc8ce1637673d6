import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// https://drafts.csswg.org/css-transforms-2/#3d-rendering-contexts
extension StackingContextPainter {
  /// A plane of a 3D rendering context, painted as a unit.
  struct ScenePlane {
    var layer: Int
    /// From the plane to the surroundings of the context.
    var matrix: Matrix4
    /// The child layers painted as part of this plane; nil for all of them, if the layer does not extend the context.
    var children: [Int]?
  }

  /// Paints the root of a 3D rendering context. The root and each element in the context are separate planes.
  func paintScene(_ index: Int, depth: Int) throws {
    var planes: [ScenePlane] = []
    collectPlanes(index, .identity, depth: depth, into: &planes)
    let polygons = planes.indices.compactMap { plane -> ScenePolygon? in
      guard let piece = layers[planes[plane].layer].pieces.first else { return nil }
      let box = DisplayRect(snap(LayoutRect(origin: piece.offset, size: fragments[piece.fragment].size)))
      return ScenePolygon(plane: plane, box: box, matrix: planes[plane].matrix)
    }
    for polygon in PlaneOrder.backToFront(polygons) {
      try paintPlane(planes[polygon.plane], polygon, in: layers[index].commonClip, depth: depth)
    }
  }

  private func collectPlanes(_ index: Int, _ outer: Matrix4, depth: Int, into planes: inout [ScenePlane]) {
    guard context.mayGo(to: depth), let piece = layers[index].pieces.first else { return }
    let layer = layers[index]
    let total = outer * (matrix(layer, fragments[piece.fragment], piece.offset) ?? .identity)
    guard index > 0, preserves3D(layer) else {
      planes.append(ScenePlane(layer: index, matrix: total))
      return
    }
    // Only children of the element extend its context.
    let inContext = layer.children.filter { isTransformable(tree[layers[$0].box]) && elementParent(layers[$0].box) == layer.box }
    planes.append(ScenePlane(layer: index, matrix: total, children: layer.children.filter { !inContext.contains($0) }))
    for child in inContext { collectPlanes(child, total, depth: depth + 1, into: &planes) }
  }

  private func paintPlane(_ plane: ScenePlane, _ polygon: ScenePolygon, in clip: Int32, depth: Int) throws {
    let layer = layers[plane.layer]
    let clips = enterClips(from: clip, to: layer.commonClip)
    if let effects = openEffects(layer, plane: plane.matrix, part: polygon.isPart ? .polygon(polygon.corners.map(\.local)) : nil) {
      try paintOrdered(plane.layer, plane.children ?? layer.children, depth: depth)
      closeEffects(effects, layer)
    }
    leaveClips(clips)
  }
}
