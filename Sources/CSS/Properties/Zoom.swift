import OffprintCoreTypes

// The `zoom` property. Styles are computed, inherited and serialized without zoom. Layout uses a copy in which all lengths are multiplied.
// https://drafts.csswg.org/css-viewport-1/#zoom-property

/// A value with lengths in CSS px.
protocol Zoomable {
  func zoomed(_ zoom: Float) -> Self
}

// Clamped to the range of `LayoutUnit`: 2³¹ / 64 = 33 554 432.
extension Float: Zoomable { func zoomed(_ zoom: Float) -> Float { Swift.min(Swift.max(self * zoom, -33_554_430), 33_554_430) } }

extension Optional: Zoomable where Wrapped: Zoomable { func zoomed(_ zoom: Float) -> Wrapped? { map { $0.zoomed(zoom) } } }

extension Array: Zoomable where Element: Zoomable { func zoomed(_ zoom: Float) -> [Element] { map { $0.zoomed(zoom) } } }

extension PhysicalSides: Zoomable where Value: Zoomable {
  func zoomed(_ zoom: Float) -> PhysicalSides<Value> {
    PhysicalSides(top: top.zoomed(zoom), right: right.zoomed(zoom), bottom: bottom.zoomed(zoom), left: left.zoomed(zoom))
  }
}

extension PhysicalCorners: Zoomable where Value: Zoomable {
  func zoomed(_ zoom: Float) -> PhysicalCorners<Value> {
    PhysicalCorners(
      topLeft: topLeft.zoomed(zoom), topRight: topRight.zoomed(zoom), bottomRight: bottomRight.zoomed(zoom),
      bottomLeft: bottomLeft.zoomed(zoom))
  }
}

// MARK: Lengths

extension LengthPercentage: Zoomable {
  func zoomed(_ zoom: Float) -> LengthPercentage {
    switch self {
    case .length(let px): .length(px.zoomed(zoom))
    case .percentage: self
    case .sum(let px, let percent): .sum(px: px.zoomed(zoom), percent: percent)
    case .math(let expression): .math(expression.zoomed(Double(zoom)))
    }
  }
}

extension MathExpression {
  /// Multiplies all lengths. Factors and percentages are unitless.
  func zoomed(_ zoom: Double) -> MathExpression {
    switch self {
    case .number(let px): .number(px * zoom)
    case .percentage, .sign, .basisSize: self
    case .dimension(let number, let unit): .dimension(number * zoom, unit)
    case .sum(let terms): .sum(terms.map { $0.zoomed(zoom) })
    case .product(let term, let factor): .product(term.zoomed(zoom), factor)
    case .min(let terms): .min(terms.map { $0.zoomed(zoom) })
    case .max(let terms): .max(terms.map { $0.zoomed(zoom) })
    case .clamp(let low, let value, let high): .clamp(low.zoomed(zoom), value.zoomed(zoom), high.zoomed(zoom))
    case .round(let strategy, let value, let step): .round(strategy, value.zoomed(zoom), step.zoomed(zoom))
    case .mod(let a, let b): .mod(a.zoomed(zoom), b.zoomed(zoom))
    case .rem(let a, let b): .rem(a.zoomed(zoom), b.zoomed(zoom))
    case .abs(let term): .abs(term.zoomed(zoom))
    case .anchor(let function, let fallback): .anchor(function, fallback: fallback?.zoomed(zoom))
    }
  }
}

extension LengthPercentageAuto: Zoomable {
  func zoomed(_ zoom: Float) -> LengthPercentageAuto { if case .value(let value) = self { .value(value.zoomed(zoom)) } else { self } }
}

extension SizeValue: Zoomable {
  func zoomed(_ zoom: Float) -> SizeValue {
    switch self {
    case .value(let value): .value(value.zoomed(zoom))
    case .calcSize(let size):
      .calcSize(CalcSize(basis: size.basis.zoomed(zoom), calculation: size.calculation.zoomed(Double(zoom)), isAutoLike: size.isAutoLike))
    default: self
    }
  }
}

extension CornerRadius: Zoomable {
  func zoomed(_ zoom: Float) -> CornerRadius { CornerRadius(horizontal: horizontal.zoomed(zoom), vertical: vertical.zoomed(zoom)) }
}

extension Position: Zoomable {
  func zoomed(_ zoom: Float) -> Position { Position(x: x.zoomed(zoom), y: y.zoomed(zoom)) }
}

extension Shadow: Zoomable {
  func zoomed(_ zoom: Float) -> Shadow {
    var shadow = self
    (shadow.x, shadow.y) = (x.zoomed(zoom), y.zoomed(zoom))
    (shadow.blur, shadow.spread) = (blur.zoomed(zoom), spread.zoomed(zoom))
    return shadow
  }
}

// MARK: Images, shapes and effects

extension ImageValue: Zoomable {
  func zoomed(_ zoom: Float) -> ImageValue {
    guard case .gradient(var gradient) = self else { return self }
    gradient.stops = gradient.stops.map { Gradient.Stop(color: $0.color, position: $0.position.zoomed(zoom)) }
    switch gradient.shape {
    case .linear, .linearTo: break
    case .line(let from, let to): gradient.shape = .line(from: from.zoomed(zoom), to: to.zoomed(zoom))
    case .circles(let from, let first, let to, let second):
      gradient.shape = .circles(from: from.zoomed(zoom), first.zoomed(zoom), to: to.zoomed(zoom), second.zoomed(zoom))
    case .conic(let from, let at): gradient.shape = .conic(from: from, at: at.zoomed(zoom))
    case .radial(let ending, let at): gradient.shape = .radial(ending: ending.zoomed(zoom), at: at.zoomed(zoom))
    }
    return .gradient(gradient)
  }
}

extension Gradient.RadialEnding {
  fileprivate func zoomed(_ zoom: Float) -> Gradient.RadialEnding {
    switch self {
    case .circle(let radius): .circle(radius.zoomed(zoom))
    case .ellipse(let x, let y): .ellipse(x.zoomed(zoom), y.zoomed(zoom))
    default: self
    }
  }
}

extension BackgroundLayer: Zoomable {
  func zoomed(_ zoom: Float) -> BackgroundLayer {
    var layer = self
    layer.image = image.zoomed(zoom)
    layer.position = position.zoomed(zoom)
    if case .explicit(let width, let height) = size { layer.size = .explicit(width.zoomed(zoom), height.zoomed(zoom)) }
    return layer
  }
}

extension BorderImage: Zoomable {
  func zoomed(_ zoom: Float) -> BorderImage {
    guard source != .none else { return self }
    var image = self
    image.source = source.zoomed(zoom)
    image.width = width.map { if case .value(let value) = $0 { .value(value.zoomed(zoom)) } else { $0 } }
    image.outset = outset.map { if case .length(let px) = $0 { .length(px.zoomed(zoom)) } else { $0 } }
    // The slices of a gradient are in CSS px; those of an image are in pixels of the image.
    if case .gradient = source { image.slice = slice.map { if case .number(let px) = $0 { .number(px.zoomed(zoom)) } else { $0 } } }
    return image
  }
}

extension PhysicalSides {
  fileprivate func map<Result>(_ change: (Value) -> Result) -> PhysicalSides<Result> {
    PhysicalSides<Result>(top: change(top), right: change(right), bottom: change(bottom), left: change(left))
  }
}

extension TransformFunction: Zoomable {
  func zoomed(_ zoom: Float) -> TransformFunction {
    switch self {
    case .translate(let x, let y, let z): return .translate(x.zoomed(zoom), y.zoomed(zoom), z.zoomed(zoom))
    case .matrix(let a, let b, let c, let d, let e, let f): return .matrix(a, b, c, d, e.zoomed(zoom), f.zoomed(zoom))
    case .matrix3d(var values) where values.count == 16:
      for index in [3, 7, 11] { values[index] /= zoom }
      for index in [12, 13, 14] { values[index] = values[index].zoomed(zoom) }
      return .matrix3d(values)
    case .perspective(let distance): return .perspective(distance.zoomed(zoom))
    case .interpolation(var mixture):
      (mixture.from, mixture.to) = (mixture.from.map { $0.zoomed(zoom) }, mixture.to.map { $0.zoomed(zoom) })
      return .interpolation(mixture)
    case .scale, .rotate, .rotate3d, .skew, .matrix3d: return self
    }
  }
}

extension FilterFunction: Zoomable {
  func zoomed(_ zoom: Float) -> FilterFunction {
    switch self {
    case .blur(let radius): .blur(radius.zoomed(zoom))
    case .dropShadow(let shadow): .dropShadow(shadow.zoomed(zoom))
    default: self
    }
  }
}

extension ShapeValue: Zoomable {
  func zoomed(_ zoom: Float) -> ShapeValue {
    switch self {
    case .shape(let shape, let edge): .shape(shape.zoomed(zoom), edge)
    case .image(let image): .image(image.zoomed(zoom))
    case .none, .box, .reference: self
    }
  }
}

extension BasicShape: Zoomable {
  /// Path data is zoomed later, when it is converted to a path.
  func zoomed(_ zoom: Float) -> BasicShape {
    func radius(_ value: Radius) -> Radius { if case .value(let length) = value { .value(length.zoomed(zoom)) } else { value } }
    return switch self {
    case .inset(let sides, let corners): .inset(sides.zoomed(zoom), corners.zoomed(zoom))
    case .circle(let size, let at): .circle(radius(size), at: at.zoomed(zoom))
    case .ellipse(let x, let y, let at): .ellipse(radius(x), radius(y), at: at.zoomed(zoom))
    case .polygon(let evenOdd, let points, let radius): .polygon(evenOdd: evenOdd, points.zoomed(zoom), round: radius.zoomed(zoom))
    case .path: self
    case .shape(let evenOdd, let path): .shape(evenOdd: evenOdd, path.zoomed(zoom))
    }
  }
}

// MARK: Grid

extension TrackBreadth: Zoomable {
  func zoomed(_ zoom: Float) -> TrackBreadth { if case .value(let value) = self { .value(value.zoomed(zoom)) } else { self } }
}

extension TrackSize: Zoomable {
  func zoomed(_ zoom: Float) -> TrackSize {
    switch self {
    case .breadth(let breadth): .breadth(breadth.zoomed(zoom))
    case .minmax(let minimum, let maximum): .minmax(minimum.zoomed(zoom), maximum.zoomed(zoom))
    case .fitContent(let limit): .fitContent(limit.zoomed(zoom))
    }
  }
}

extension TrackComponent: Zoomable {
  func zoomed(_ zoom: Float) -> TrackComponent {
    switch self {
    case .lineNames: self
    case .track(let size): .track(size.zoomed(zoom))
    case .repeat(let count, let components): .repeat(count, components.zoomed(zoom))
    }
  }
}

extension GridTemplate: Zoomable {
  func zoomed(_ zoom: Float) -> GridTemplate { if case .tracks(let components) = self { .tracks(components.zoomed(zoom)) } else { self } }
}
