import OffprintCoreTypes

/// A plane of a 3D rendering context, or a part of one, in the space of the context.
///
/// Its corners are homogeneous, so that they depend linearly on the position in the plane.
struct ScenePolygon {
  struct Corner {
    var local: DisplayPoint
    var place: SIMD4<Double>

    func mixed(_ other: Corner, _ t: Double) -> Corner {
      Corner(
        local: DisplayPoint(local.x + (other.local.x - local.x) * t, local.y + (other.local.y - local.y) * t),
        place: place + (other.place - place) * t)
    }
  }

  /// Index of the plane in painting order.
  var plane: Int
  var corners: [Corner]
  /// Whether this is only a part of the plane.
  var isPart = false

  /// A rectangle of the plane, mapped by `matrix` to the space of the context and clipped to the part in front of the viewer; nil if nothing remains.
  init?(plane: Int, box: DisplayRect, matrix: Matrix4) {
    self.plane = plane
    let points = [
      DisplayPoint(box.x, box.y), DisplayPoint(box.maxX, box.y), DisplayPoint(box.maxX, box.maxY), DisplayPoint(box.x, box.maxY),
    ]
    corners = points.map { Corner(local: $0, place: matrix.map($0)) }
    guard corners.allSatisfy({ $0.place.x.isFinite && $0.place.y.isFinite && $0.place.z.isFinite && $0.place.w.isFinite }) else {
      return nil
    }
    let nearest = 1e-6
    if corners.contains(where: { $0.place.w < nearest }) {
      corners = Self.cut(corners) { $0.place.w - nearest }.front
      isPart = true
    }
    guard corners.count > 2 else { return nil }
  }

  /// The plane equation: the dot product with a homogeneous point is its signed distance, positive on the front side. Nil for a degenerate polygon.
  var equation: SIMD4<Double>? {
    let points = corners.map { SIMD3($0.place.x, $0.place.y, $0.place.z) / $0.place.w }
    guard let first = points.first else { return nil }
    var normal = SIMD3<Double>.zero
    for (a, b) in zip(points.dropFirst(), points.dropFirst(2)) {
      let (p, q) = (a - first, b - first)
      normal += SIMD3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
    }
    let length = (normal * normal).sum().squareRoot()
    guard length.isFinite, length > 1e-9 else { return nil }
    normal /= length
    return SIMD4(normal, -(normal * first).sum())
  }

  /// The parts in front of and behind a plane.
  func split(by plane: SIMD4<Double>) -> (front: ScenePolygon?, back: ScenePolygon?, isWithin: Bool) {
    let distances = corners.map { (plane * $0.place).sum() / $0.place.w }
    let near = distances.min() ?? 0, far = distances.max() ?? 0, threshold = 0.05
    if near >= -threshold, far <= threshold { return (nil, nil, true) }
    if near >= -threshold { return (self, nil, false) }
    if far <= threshold { return (nil, self, false) }
    let parts = Self.cut(corners) { (plane * $0.place).sum() }
    return (part(parts.front), part(parts.back), false)
  }

  private func part(_ corners: [Corner]) -> ScenePolygon? {
    guard corners.count > 2 else { return nil }
    var part = self
    (part.corners, part.isPart) = (corners, true)
    return part
  }

  private static func cut(_ corners: [Corner], _ distance: (Corner) -> Double) -> (front: [Corner], back: [Corner]) {
    var front: [Corner] = [], back: [Corner] = []
    for (index, corner) in corners.enumerated() {
      let next = corners[index + 1 == corners.count ? 0 : index + 1]
      let here = distance(corner), there = distance(next)
      if here >= 0 { front.append(corner) }
      if here <= 0 { back.append(corner) }
      if here * there < 0 {
        let edge = corner.mixed(next, here / (here - there))
        front.append(edge)
        back.append(edge)
      }
    }
    return (front, back)
  }
}

/// The painting order of planes: back to front. Intersecting planes are split; coplanar ones keep their order.
///
/// https://drafts.csswg.org/css-transforms-2/#3d-rendering-contexts
enum PlaneOrder {
  /// The maximum number of parts; beyond it planes are not split.
  private static let maximumParts = 1024
  private static let deepest = 256

  static func backToFront(_ polygons: [ScenePolygon]) -> [ScenePolygon] {
    var result: [ScenePolygon] = [], made = polygons.count
    visit(polygons, depth: 0, &made, into: &result)
    return result
  }

  /// Binary space partitioning by the first of the planes.
  private static func visit(_ polygons: [ScenePolygon], depth: Int, _ made: inout Int, into result: inout [ScenePolygon]) {
    // Beyond the limits the remaining planes keep their order.
    guard polygons.count > 1, depth < deepest, made < maximumParts, let root = polygons.firstIndex(where: { $0.equation != nil }),
      let plane = polygons[root].equation
    else {
      result += polygons
      return
    }
    var front: [ScenePolygon] = [], back: [ScenePolygon] = [], within: [ScenePolygon] = []
    for (index, polygon) in polygons.enumerated() {
      if index == root {
        within.append(polygon)
        continue
      }
      let parts = polygon.split(by: plane)
      if parts.isWithin { within.append(polygon) }
      if let part = parts.front { front.append(part) }
      if let part = parts.back { back.append(part) }
      if parts.front != nil, parts.back != nil { made += 1 }
    }
    // The viewer looks along the negative z axis.
    let isFacing = plane.z > 0
    visit(isFacing ? back : front, depth: depth + 1, &made, into: &result)
    result += within
    visit(isFacing ? front : back, depth: depth + 1, &made, into: &result)
  }
}
