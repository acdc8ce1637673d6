public import OffprintCSS
public import OffprintCoreTypes
public import OffprintImages

/// A node of an SVG image, in its own user space.
public struct SVGNode {
  public indirect enum Kind {
    /// A container without contents of its own.
    case group
    /// A viewport, clipped to the rectangle.
    case viewport(clip: DisplayRect?)
    case shape(VectorPath)
    case text(SVGText)
    case image(DecodedImage, rect: DisplayRect, SVGImageFit)
    case foreign(rect: DisplayRect)
  }
  public var reference: SVGReference
  public var style: ComputedStyle
  public var kind: Kind
  /// The transform to the parent's user space.
  public var transform = AffineTransform.identity
  public var children: [SVGNode] = []
  /// The fill bounding box, without strokes; nil if empty. https://www.w3.org/TR/SVG2/coords.html#BoundingBoxes
  public var bounds: DisplayRect?
  /// The basis of percentages.
  public var viewport: SVGViewport
  /// Whether this is a `use` element. Its paint is `context-fill` for the instances inside.
  public var isUse = false
  /// `pathLength`.
  public var pathLength: Double?
}

public struct SVGImageFit: Hashable, Sendable {
  package var aspect: SVGAspect
  public var isSmooth = true
}

extension DisplayRect {
  package func union(_ other: DisplayRect) -> DisplayRect {
    let left = min(x, other.x), top = min(y, other.y)
    return DisplayRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }
  package func intersection(_ other: DisplayRect) -> DisplayRect {
    let left = max(x, other.x), top = max(y, other.y)
    return DisplayRect(x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
  }
}

extension AffineTransform {
  /// The bounding box of a mapped rectangle.
  package func mapRect(_ r: DisplayRect) -> DisplayRect {
    if b == 0, c == 0, a > 0, d > 0 { return DisplayRect(x: a * r.x + e, y: d * r.y + f, width: a * r.width, height: d * r.height) }
    let corners = [
      map(DisplayPoint(r.x, r.y)), map(DisplayPoint(r.maxX, r.y)), map(DisplayPoint(r.x, r.maxY)), map(DisplayPoint(r.maxX, r.maxY)),
    ]
    var (left, top, right, bottom) = (corners[0].x, corners[0].y, corners[0].x, corners[0].y)
    for p in corners { (left, top, right, bottom) = (min(left, p.x), min(top, p.y), max(right, p.x), max(bottom, p.y)) }
    return DisplayRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  package static func scaling(_ x: Double, _ y: Double) -> AffineTransform { AffineTransform(a: x, b: 0, c: 0, d: y, e: 0, f: 0) }
}

extension VectorPath {
  /// The bounding box of the curves; nil for an empty path.
  package var tightBounds: DisplayRect? {
    var low = DisplayPoint(.infinity, .infinity), high = DisplayPoint(-.infinity, -.infinity)
    var current = DisplayPoint(0, 0), start = current
    func add(_ p: DisplayPoint) {
      low = DisplayPoint(min(low.x, p.x), min(low.y, p.y))
      high = DisplayPoint(max(high.x, p.x), max(high.y, p.y))
    }
    var hasSegments = false
    for element in elements {
      switch element {
      case .move(let p):
        (current, start) = (p, p)
      case .line(let p):
        add(current); add(p)
        current = p
        hasSegments = true
      case .cubic(let a, let b, let c):
        add(current); add(c)
        for t in Self.extrema(current.x, a.x, b.x, c.x) + Self.extrema(current.y, a.y, b.y, c.y) { add(Self.point(current, a, b, c, t)) }
        current = c
        hasSegments = true
      case .close: current = start
      }
    }
    guard hasSegments, low.x <= high.x, low.y <= high.y else {
      // A single point has an empty bounding box.
      if case .move(let p)? = elements.first { return DisplayRect(x: p.x, y: p.y, width: 0, height: 0) }
      return nil
    }
    return DisplayRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  static func point(_ p: DisplayPoint, _ a: DisplayPoint, _ b: DisplayPoint, _ c: DisplayPoint, _ t: Double) -> DisplayPoint {
    let u = 1 - t
    func mix(_ p: Double, _ a: Double, _ b: Double, _ c: Double) -> Double {
      u * u * u * p + 3 * u * u * t * a + 3 * u * t * t * b + t * t * t * c
    }
    return DisplayPoint(mix(p.x, a.x, b.x, c.x), mix(p.y, a.y, b.y, c.y))
  }

  /// The parameters of the extrema of a cubic curve in one coordinate.
  private static func extrema(_ p: Double, _ a: Double, _ b: Double, _ c: Double) -> [Double] {
    let qa = c - 3 * b + 3 * a - p, qb = 2 * (b - 2 * a + p), qc = a - p
    var roots: [Double] = []
    if abs(qa) < 1e-12 {
      if abs(qb) > 1e-12 { roots = [-qc / qb] }
    } else {
      let discriminant = qb * qb - 4 * qa * qc
      if discriminant >= 0 {
        let root = discriminant.squareRoot()
        roots = [(-qb + root) / (2 * qa), (-qb - root) / (2 * qa)]
      }
    }
    return roots.filter { $0 > 0 && $0 < 1 }
  }
}
