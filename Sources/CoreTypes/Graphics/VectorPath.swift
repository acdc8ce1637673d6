import Glibc

/// A path of lines and cubic curves in device pixels.
public struct VectorPath: Hashable, Sendable {
  public enum Element: Hashable, Sendable {
    case move(DisplayPoint)
    case line(DisplayPoint)
    case cubic(DisplayPoint, DisplayPoint, DisplayPoint)
    case close
  }
  public var elements: [Element] = []
  public var evenOdd = false
  /// Whether the path is painted without antialiasing: `shape-rendering: crispEdges`.
  public var isCrisp = false
  public init() {}

  public mutating func move(_ x: Double, _ y: Double) { elements.append(.move(DisplayPoint(x, y))) }
  public mutating func line(_ x: Double, _ y: Double) { elements.append(.line(DisplayPoint(x, y))) }
  public mutating func cubic(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double) {
    elements.append(.cubic(DisplayPoint(x1, y1), DisplayPoint(x2, y2), DisplayPoint(x, y)))
  }
  public mutating func quadratic(from start: DisplayPoint, _ c: DisplayPoint, _ end: DisplayPoint) {
    let c1 = DisplayPoint(start.x + (c.x - start.x) * 2 / 3, start.y + (c.y - start.y) * 2 / 3)
    let c2 = DisplayPoint(end.x + (c.x - end.x) * 2 / 3, end.y + (c.y - end.y) * 2 / 3)
    elements.append(.cubic(c1, c2, end))
  }
  public mutating func close() { elements.append(.close) }

  public static func polygon(_ points: [DisplayPoint]) -> VectorPath {
    var path = VectorPath()
    for (index, point) in points.enumerated() { path.elements.append(index == 0 ? .move(point) : .line(point)) }
    path.close()
    return path
  }

  /// A polygon with corners rounded to `radius`, or to a smaller radius where an edge is too short for both of its corners.
  ///
  /// https://drafts.csswg.org/css-shapes-2/#funcdef-polygon
  public static func polygon(_ points: [DisplayPoint], radius: Double) -> VectorPath {
    var path = VectorPath()
    for index in points.indices {
      let corner = points[index], before = points[(index + points.count - 1) % points.count], after = points[(index + 1) % points.count]
      let (inX, inY) = (before.x - corner.x, before.y - corner.y), (outX, outY) = (after.x - corner.x, after.y - corner.y)
      let (lengthIn, lengthOut) = ((inX * inX + inY * inY).squareRoot(), (outX * outX + outY * outY).squareRoot())
      guard lengthIn > 0, lengthOut > 0 else { continue }
      let angle = acos(max(-1, min(1, (inX * outX + inY * outY) / (lengthIn * lengthOut))))
      let half = tan(angle / 2)
      // The distance from the corner to where the arc touches the edges.
      let distance = half > 1e-9 ? min(radius / half, lengthIn / 2, lengthOut / 2) : 0
      let turn = Double.pi - angle, control = distance > 0 && turn > 1e-9 ? 4.0 / 3 * tan(turn / 4) * distance * half : 0
      func along(_ x: Double, _ y: Double, _ length: Double, _ by: Double) -> DisplayPoint {
        DisplayPoint(corner.x + x / length * by, corner.y + y / length * by)
      }
      let start = along(inX, inY, lengthIn, distance), end = along(outX, outY, lengthOut, distance)
      path.elements.append(path.elements.isEmpty ? .move(start) : .line(start))
      guard control > 0 else { continue }
      path.elements.append(
        .cubic(along(inX, inY, lengthIn, distance - control), along(outX, outY, lengthOut, distance - control), end))
    }
    if !path.elements.isEmpty { path.close() }
    return path
  }

  /// The distance of a cubic's control points from its ends when it approximates a quarter of a circle of radius 1.
  package static let kappa = 0.552_284_749_830_793_4

  public mutating func add(_ shape: RoundedRect) {
    let r = shape.rect, k = 1 - VectorPath.kappa
    let (tl, tr, br, bl) = (shape.radii.topLeft, shape.radii.topRight, shape.radii.bottomRight, shape.radii.bottomLeft)
    let square = DisplayRadius.zero
    let (a, b, c, d) = (tl.isZero ? square : tl, tr.isZero ? square : tr, br.isZero ? square : br, bl.isZero ? square : bl)
    move(r.x + a.x, r.y)
    line(r.maxX - b.x, r.y)
    if b.curvature != 1 {
      corner(b, DisplayPoint(r.maxX - b.x, r.y + b.y), from: (0, -1), to: (1, 0))
    } else if !b.isZero {
      cubic(r.maxX - b.x * k, r.y, r.maxX, r.y + b.y * k, r.maxX, r.y + b.y)
    }
    line(r.maxX, r.maxY - c.y)
    if c.curvature != 1 {
      corner(c, DisplayPoint(r.maxX - c.x, r.maxY - c.y), from: (1, 0), to: (0, 1))
    } else if !c.isZero {
      cubic(r.maxX, r.maxY - c.y * k, r.maxX - c.x * k, r.maxY, r.maxX - c.x, r.maxY)
    }
    line(r.x + d.x, r.maxY)
    if d.curvature != 1 {
      corner(d, DisplayPoint(r.x + d.x, r.maxY - d.y), from: (0, 1), to: (-1, 0))
    } else if !d.isZero {
      cubic(r.x + d.x * k, r.maxY, r.x, r.maxY - d.y * k, r.x, r.maxY - d.y)
    }
    line(r.x, r.y + a.y)
    if a.curvature != 1 {
      corner(a, DisplayPoint(r.x + a.x, r.y + a.y), from: (-1, 0), to: (0, -1))
    } else if !a.isZero {
      cubic(r.x, r.y + a.y * k, r.x + a.x * k, r.y, r.x + a.x, r.y)
    }
    close()
  }

  /// Appends a superellipse corner around `center`, from one axis to the other. https://drafts.csswg.org/css-borders-4/#corner-shaping
  private mutating func corner(_ radius: DisplayRadius, _ center: DisplayPoint, from: (Double, Double), to: (Double, Double)) {
    guard !radius.isZero else { return }
    func add(_ u: Double, _ v: Double) {
      line(center.x + radius.x * (from.0 * u + to.0 * v), center.y + radius.y * (from.1 * u + to.1 * v))
    }
    let steps = 32, isConcave = radius.curvature < 0, strength = abs(radius.curvature)
    if strength > 16 {
      add(isConcave ? 0 : 1, isConcave ? 0 : 1)
    } else if strength > 0 {
      // |u|ⁿ + |v|ⁿ = 1, mirrored about the line between its ends if concave.
      let exponent = 2 / exp2(strength)
      for step in 1..<steps {
        let angle = Double(step) / Double(steps) * Double.pi / 2
        let u = pow(cos(angle), exponent), v = pow(sin(angle), exponent)
        add(isConcave ? 1 - v : u, isConcave ? 1 - u : v)
      }
    }
    add(0, 1)
  }

  public static func ellipse(center: DisplayPoint, rx: Double, ry: Double) -> VectorPath {
    var path = VectorPath()
    let radius = DisplayRadius(rx, ry)
    path.add(
      RoundedRect(
        DisplayRect(x: center.x - rx, y: center.y - ry, width: 2 * rx, height: 2 * ry), radii: PhysicalCorners(all: radius)))
    return path
  }

  /// The bounding box of all points, including control points.
  public var bounds: DisplayRect {
    var low = DisplayPoint(.infinity, .infinity), high = DisplayPoint(-.infinity, -.infinity)
    func add(_ p: DisplayPoint) {
      low = DisplayPoint(min(low.x, p.x), min(low.y, p.y))
      high = DisplayPoint(max(high.x, p.x), max(high.y, p.y))
    }
    for element in elements {
      switch element {
      case .move(let p), .line(let p): add(p)
      case .cubic(let a, let b, let c): add(a); add(b); add(c)
      case .close: break
      }
    }
    guard low.x <= high.x, low.y <= high.y else { return DisplayRect(x: 0, y: 0, width: 0, height: 0) }
    return DisplayRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  /// The points of each subpath, with each curve as sixteen chords.
  package func flattened() -> [[DisplayPoint]] {
    var loops: [[DisplayPoint]] = []
    var current = DisplayPoint(0, 0), start = current
    func add(_ point: DisplayPoint) {
      if loops.isEmpty { loops.append([start]) }
      loops[loops.count - 1].append(point)
      current = point
    }
    for element in elements {
      switch element {
      case .move(let point):
        loops.append([point])
        (current, start) = (point, point)
      case .line(let point): add(point)
      case .cubic(let a, let b, let c):
        let from = current
        for step in 1...16 {
          let t = Double(step) / 16, u = 1 - t
          let (k0, k1, k2, k3) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
          add(DisplayPoint(k0 * from.x + k1 * a.x + k2 * b.x + k3 * c.x, k0 * from.y + k1 * a.y + k2 * b.y + k3 * c.y))
        }
      case .close: add(start)
      }
    }
    return loops
  }

  public func mapped(_ transform: AffineTransform) -> VectorPath {
    var result = self
    result.elements = elements.map { element in
      switch element {
      case .move(let p): .move(transform.map(p))
      case .line(let p): .line(transform.map(p))
      case .cubic(let a, let b, let c): .cubic(transform.map(a), transform.map(b), transform.map(c))
      case .close: .close
      }
    }
    return result
  }
}
