/// A rectangle of whole device pixels.
@frozen public struct PixelRect: Hashable, Sendable, BitwiseCopyable {
  public var left: Int
  public var top: Int
  public var right: Int
  public var bottom: Int

  @inlinable public init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left; self.top = top; self.right = right; self.bottom = bottom
  }
  @inlinable public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(left: x, top: y, right: x + max(0, width), bottom: y + max(0, height))
  }
  @inlinable public static var empty: PixelRect { PixelRect(left: 0, top: 0, right: 0, bottom: 0) }

  @inlinable public var width: Int { max(0, right - left) }
  @inlinable public var height: Int { max(0, bottom - top) }
  @inlinable public var isEmpty: Bool { right <= left || bottom <= top }

  @inlinable public func intersects(_ other: PixelRect) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
  @inlinable public func contains(_ other: PixelRect) -> Bool {
    left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
  }
  @inlinable public func intersection(_ other: PixelRect) -> PixelRect {
    let result = PixelRect(
      left: max(left, other.left), top: max(top, other.top), right: min(right, other.right), bottom: min(bottom, other.bottom))
    return result.isEmpty ? .empty : result
  }
  @inlinable public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right), bottom: max(bottom, other.bottom))
  }
  @inlinable public func insetBy(_ edges: PixelEdges) -> PixelRect {
    let x = min(left + edges.left, max(left, right - edges.right)), y = min(top + edges.top, max(top, bottom - edges.bottom))
    return PixelRect(left: x, top: y, right: max(x, right - edges.right), bottom: max(y, bottom - edges.bottom))
  }
  @inlinable public func expanded(by amount: Int) -> PixelRect {
    PixelRect(left: left - amount, top: top - amount, right: right + amount, bottom: bottom + amount)
  }
  @inlinable public func offset(x: Int, y: Int) -> PixelRect {
    PixelRect(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
  }
}

extension PixelRect: CustomStringConvertible {
  public var description: String { "\(left),\(top) \(width)x\(height)" }
}

/// Four widths in device pixels.
@frozen public struct PixelEdges: Hashable, Sendable, BitwiseCopyable {
  public var top: Int
  public var right: Int
  public var bottom: Int
  public var left: Int
  @inlinable public init(top: Int = 0, right: Int = 0, bottom: Int = 0, left: Int = 0) {
    self.top = top; self.right = right; self.bottom = bottom; self.left = left
  }
  @inlinable public var isZero: Bool { top == 0 && right == 0 && bottom == 0 && left == 0 }
  @inlinable public static func + (a: PixelEdges, b: PixelEdges) -> PixelEdges {
    PixelEdges(top: a.top + b.top, right: a.right + b.right, bottom: a.bottom + b.bottom, left: a.left + b.left)
  }
}

/// A point in device pixels.
@frozen public struct DisplayPoint: Hashable, Sendable, BitwiseCopyable {
  public var x: Double
  public var y: Double
  @inlinable public init(_ x: Double, _ y: Double) { self.x = x; self.y = y }
  @inlinable public static func + (a: DisplayPoint, b: DisplayPoint) -> DisplayPoint { DisplayPoint(a.x + b.x, a.y + b.y) }
  @inlinable public static func - (a: DisplayPoint, b: DisplayPoint) -> DisplayPoint { DisplayPoint(a.x - b.x, a.y - b.y) }
}

/// A rectangle in device pixels whose edges may lie between pixels.
@frozen public struct DisplayRect: Hashable, Sendable, BitwiseCopyable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
  @inlinable public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x; self.y = y; self.width = width; self.height = height
  }
  @inlinable public init(_ rect: PixelRect) {
    self.init(x: Double(rect.left), y: Double(rect.top), width: Double(rect.width), height: Double(rect.height))
  }
  /// In CSS px.
  public init(_ rect: LayoutRect) {
    self.init(x: rect.minX.double, y: rect.minY.double, width: rect.size.width.double, height: rect.size.height.double)
  }
  @inlinable public var maxX: Double { x + width }
  @inlinable public var maxY: Double { y + height }
  @inlinable public var center: DisplayPoint { DisplayPoint(x + width / 2, y + height / 2) }
  @inlinable public var isEmpty: Bool { !(width > 0 && height > 0) }
  @inlinable public func insetBy(_ amount: Double) -> DisplayRect {
    DisplayRect(x: x + amount, y: y + amount, width: max(0, width - 2 * amount), height: max(0, height - 2 * amount))
  }
  /// The smallest rectangle of whole pixels that contains it.
  public var enclosing: PixelRect {
    PixelRect(
      left: clampedPixel(x.rounded(.down)), top: clampedPixel(y.rounded(.down)), right: clampedPixel(maxX.rounded(.up)),
      bottom: clampedPixel(maxY.rounded(.up)))
  }
}

/// `value` as a pixel coordinate: NaN becomes 0, and the range is limited so that adding a few coordinates cannot overflow.
@inlinable public func clampedPixel(_ value: Double) -> Int {
  value.isNaN ? 0 : Int(max(-1_000_000_000, min(1_000_000_000, value)))
}

/// A 2D affine transform: x' = a·x + c·y + e, y' = b·x + d·y + f.
@frozen public struct AffineTransform: Hashable, Sendable, BitwiseCopyable {
  public var a, b, c, d, e, f: Double
  @inlinable public init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f
  }
  @inlinable public static var identity: AffineTransform { AffineTransform(a: 1, b: 0, c: 0, d: 1, e: 0, f: 0) }
  @inlinable public static func translation(_ x: Double, _ y: Double) -> AffineTransform {
    AffineTransform(a: 1, b: 0, c: 0, d: 1, e: x, f: y)
  }
  @inlinable public var isIdentity: Bool { self == .identity }
  /// Whether it only translates by whole pixels.
  @inlinable public var isPixelTranslation: Bool {
    a == 1 && b == 0 && c == 0 && d == 1 && e == e.rounded() && f == f.rounded() && abs(e) < 1e9 && abs(f) < 1e9
  }
  @inlinable public var determinant: Double { a * d - b * c }
  @inlinable public var isFinite: Bool { a.isFinite && b.isFinite && c.isFinite && d.isFinite && e.isFinite && f.isFinite }
  /// The mean scale factor of lengths: the square root of the absolute determinant.
  @inlinable public var meanScale: Double { abs(determinant).squareRoot() }

  /// The largest and smallest scale factors of lengths: the singular values of the linear part.
  public var scales: (largest: Double, smallest: Double) {
    let half = (a * a + b * b + c * c + d * d) / 2
    let largest = (half + max(0, half * half - determinant * determinant).squareRoot()).squareRoot()
    return (largest, largest > 0 ? abs(determinant) / largest : 0)
  }

  /// Applies `first`, then this.
  @inlinable public func concatenating(_ first: AffineTransform) -> AffineTransform {
    AffineTransform(
      a: a * first.a + c * first.b, b: b * first.a + d * first.b, c: a * first.c + c * first.d, d: b * first.c + d * first.d,
      e: a * first.e + c * first.f + e, f: b * first.e + d * first.f + f)
  }

  @inlinable public func map(_ p: DisplayPoint) -> DisplayPoint { DisplayPoint(a * p.x + c * p.y + e, b * p.x + d * p.y + f) }

  public var inverted: AffineTransform? {
    let det = determinant
    guard det.isFinite, abs(det) > 1e-12 else { return nil }
    return AffineTransform(
      a: d / det, b: -b / det, c: -c / det, d: a / det, e: (c * f - d * e) / det, f: (b * e - a * f) / det)
  }

  /// The pixels that a transformed rectangle may touch.
  public func mapBounds(_ rect: PixelRect) -> PixelRect {
    if isIdentity { return rect }
    if isPixelTranslation { return rect.offset(x: clampedPixel(e), y: clampedPixel(f)) }
    return mapBounds(DisplayRect(rect))
  }

  public func mapBounds(_ r: DisplayRect) -> PixelRect {
    let corners = [
      map(DisplayPoint(r.x, r.y)), map(DisplayPoint(r.maxX, r.y)), map(DisplayPoint(r.x, r.maxY)), map(DisplayPoint(r.maxX, r.maxY)),
    ]
    var low = corners[0], high = corners[0]
    for corner in corners.dropFirst() {
      low = DisplayPoint(min(low.x, corner.x), min(low.y, corner.y))
      high = DisplayPoint(max(high.x, corner.x), max(high.y, corner.y))
    }
    // The tolerance keeps rounding errors from adding a pixel.
    return PixelRect(
      left: clampedPixel((low.x + 1e-6).rounded(.down)), top: clampedPixel((low.y + 1e-6).rounded(.down)),
      right: clampedPixel((high.x - 1e-6).rounded(.up)), bottom: clampedPixel((high.y - 1e-6).rounded(.up)))
  }
}

/// The radii of a corner.
@frozen public struct DisplayRadius: Hashable, Sendable, BitwiseCopyable {
  public var x: Double
  public var y: Double
  /// The parameter of the corner's superellipse: 1 is an ellipse, 0 a straight line, negative values are concave.
  ///
  /// https://drafts.csswg.org/css-borders-4/#corner-shaping
  public var curvature = 1.0
  @inlinable public init(_ x: Double, _ y: Double, curvature: Double = 1) { self.x = x; self.y = y; self.curvature = curvature }

  /// The fraction of an inset or spread distance by which the radius of the contour changes, in 0...1: 1 for ellipses, 0 for notches.
  package var contourFactor: Double {
    let bevel = 2 - 2.0.squareRoot()
    if curvature >= 0 { return min(1, bevel + (1 - bevel) * curvature) }
    return max(0, bevel + (bevel - 0.09) * max(curvature, -1)) * (curvature < -1 ? max(0, 2 + curvature) : 1)
  }

  package func scaled(by factor: Double) -> DisplayRadius { DisplayRadius(x * factor, y * factor, curvature: curvature) }
  @inlinable public static var zero: DisplayRadius { DisplayRadius(0, 0) }
  @inlinable public var isZero: Bool { x <= 0 || y <= 0 }
}

/// A rectangle with elliptical corners.
public struct RoundedRect: Hashable, Sendable {
  public var rect: DisplayRect
  public var radii: PhysicalCorners<DisplayRadius>

  public init(_ rect: DisplayRect, radii: PhysicalCorners<DisplayRadius> = PhysicalCorners(all: .zero)) {
    self.rect = rect; self.radii = radii
  }
  public init(_ rect: PixelRect) { self.init(DisplayRect(rect)) }

  public var isRounded: Bool {
    !(radii.topLeft.isZero && radii.topRight.isZero && radii.bottomRight.isZero && radii.bottomLeft.isZero)
  }
  /// The rectangle in whole pixels if it has no rounded corners and its edges are on pixel boundaries; nil otherwise.
  public var pixels: PixelRect? {
    guard !isRounded else { return nil }
    let r = rect.enclosing
    return Double(r.left) == rect.x && Double(r.top) == rect.y && Double(r.right) == rect.maxX && Double(r.bottom) == rect.maxY ? r : nil
  }

  /// https://drafts.csswg.org/css-backgrounds-3/#corner-overlap
  public func constrained() -> RoundedRect {
    var factor = 1.0
    func limit(_ sum: Double, _ side: Double) { if sum > side, sum > 0 { factor = min(factor, max(0, side) / sum) } }
    limit(radii.topLeft.x + radii.topRight.x, rect.width)
    limit(radii.bottomLeft.x + radii.bottomRight.x, rect.width)
    limit(radii.topLeft.y + radii.bottomLeft.y, rect.height)
    limit(radii.topRight.y + radii.bottomRight.y, rect.height)
    guard factor < 1 else { return self }
    return mapRadii { $0.scaled(by: factor) }
  }

  /// Replaces NaN by 0 and limits coordinates to 1e7, more than the size of any page.
  package func bounded() -> RoundedRect {
    func limit(_ v: Double, _ low: Double) -> Double { v.isNaN ? 0 : max(low, min(1e7, v)) }
    let bounded = RoundedRect(
      DisplayRect(x: limit(rect.x, -1e7), y: limit(rect.y, -1e7), width: limit(rect.width, 0), height: limit(rect.height, 0)),
      radii: radii)
    return bounded.mapRadii { DisplayRadius(limit($0.x, 0), limit($0.y, 0), curvature: $0.curvature) }.constrained()
  }

  package func mapRadii(_ change: (DisplayRadius) -> DisplayRadius) -> RoundedRect {
    RoundedRect(
      rect,
      radii: PhysicalCorners(
        topLeft: change(radii.topLeft), topRight: change(radii.topRight), bottomRight: change(radii.bottomRight),
        bottomLeft: change(radii.bottomLeft)))
  }

  /// The shape inset by these widths. https://drafts.csswg.org/css-backgrounds-3/#corner-shaping
  public func inset(top: Double, right: Double, bottom: Double, left: Double) -> RoundedRect {
    let width = max(0, rect.width - left - right), height = max(0, rect.height - top - bottom)
    let inner = DisplayRect(
      x: rect.x + min(left, rect.width), y: rect.y + min(top, rect.height), width: width, height: height)
    func shrink(_ r: DisplayRadius, _ x: Double, _ y: Double) -> DisplayRadius {
      guard !r.isZero else { return .zero }
      let factor = r.contourFactor
      return DisplayRadius(max(0, r.x - x * factor), max(0, r.y - y * factor), curvature: r.curvature)
    }
    return RoundedRect(
      inner,
      radii: PhysicalCorners(
        topLeft: shrink(radii.topLeft, left, top), topRight: shrink(radii.topRight, right, top),
        bottomRight: shrink(radii.bottomRight, right, bottom), bottomLeft: shrink(radii.bottomLeft, left, bottom)))
  }

  public func inset(_ edges: PixelEdges) -> RoundedRect {
    inset(top: Double(edges.top), right: Double(edges.right), bottom: Double(edges.bottom), left: Double(edges.left))
  }

  /// The shape of a shadow with a spread distance of `amount`. https://drafts.csswg.org/css-backgrounds-3/#shadow-shape
  public func spread(_ amount: Double) -> RoundedRect {
    if amount < 0 { return inset(top: -amount, right: -amount, bottom: -amount, left: -amount) }
    func grow(_ radius: Double, _ coverage: Double) -> Double {
      if radius >= amount || amount <= 0 { return radius + amount }
      let ratio = radius / amount - 1
      return radius + amount * (1 + ratio * ratio * ratio)
    }
    let outer = DisplayRect(
      x: rect.x - amount, y: rect.y - amount, width: rect.width + 2 * amount, height: rect.height + 2 * amount)
    return RoundedRect(outer, radii: radii).mapRadii { radius in
      if radius.isZero { return .zero }
      if radius.curvature == 1 { return DisplayRadius(grow(radius.x, 0), grow(radius.y, 0)) }
      let more = amount * radius.contourFactor
      return DisplayRadius(radius.x + more, radius.y + more, curvature: radius.curvature)
    }
  }

  public func offset(x: Double, y: Double) -> RoundedRect {
    RoundedRect(DisplayRect(x: rect.x + x, y: rect.y + y, width: rect.width, height: rect.height), radii: radii)
  }

  /// Rectangles inside the shape that together cover all of it except the corners.
  package var safeRects: [PixelRect] {
    let left = max(radii.topLeft.x, radii.bottomLeft.x), right = max(radii.topRight.x, radii.bottomRight.x)
    let top = max(radii.topLeft.y, radii.topRight.y), bottom = max(radii.bottomLeft.y, radii.bottomRight.y)
    func inside(_ l: Double, _ t: Double, _ r: Double, _ b: Double) -> PixelRect {
      PixelRect(
        left: clampedPixel((rect.x + l).rounded(.up)), top: clampedPixel((rect.y + t).rounded(.up)),
        right: clampedPixel((rect.maxX - r).rounded(.down)), bottom: clampedPixel((rect.maxY - b).rounded(.down)))
    }
    return [inside(0, top, 0, bottom), inside(left, 0, right, 0)].filter { !$0.isEmpty }
  }
}

extension RoundedRect: CustomStringConvertible {
  public var description: String {
    let base = "\(short(rect.x)),\(short(rect.y)) \(short(rect.width))x\(short(rect.height))"
    guard isRounded else { return base }
    let corners = [radii.topLeft, radii.topRight, radii.bottomRight, radii.bottomLeft]
    return base + " r(" + corners.map { $0.x == $0.y ? short($0.x) : "\(short($0.x))/\(short($0.y))" }.joined(separator: " ") + ")"
  }
}

/// A number for dumps, rounded to hundredths.
package func short(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "?" }
  let hundredths = Int((value * 100).rounded())
  let whole = hundredths / 100, rest = abs(hundredths % 100)
  let sign = hundredths < 0 && whole == 0 ? "-" : ""
  if rest == 0 { return "\(sign)\(whole)" }
  return rest % 10 == 0 ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
}
