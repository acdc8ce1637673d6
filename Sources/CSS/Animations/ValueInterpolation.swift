import Glibc
import OffprintCoreTypes

// Values of single properties. https://drafts.csswg.org/css-values-4/#combining-values

extension LineHeight: Interpolable {
  func mixed(with other: LineHeight, _ part: Double) -> LineHeight? {
    switch (self, other) {
    case (.number(let a), .number(let b)): a.mixed(with: b, part).map { .number(max($0, 0)) }
    case (.length(let a), .length(let b)): a.mixed(with: b, part).map { .length(max($0, 0)) }
    default: nil
    }
  }
}

extension VerticalAlign: Interpolable {
  func mixed(with other: VerticalAlign, _ part: Double) -> VerticalAlign? {
    guard case .raise(let a) = self, case .raise(let b) = other else { return nil }
    return a.mixed(with: b, part).map { .raise($0) }
  }
}

extension SVGPaint: Interpolable {
  func mixed(with other: SVGPaint, _ part: Double) -> SVGPaint? {
    guard case .color(let a) = self, case .color(let b) = other else { return nil }
    return a.mixed(with: b, part).map { .color($0) }
  }

  func sum(with other: SVGPaint, _ composition: AnimationStyle.Composition) -> SVGPaint? {
    guard case .color(let a) = self, case .color(let b) = other else { return nil }
    return a.sum(with: b, composition).map { .color($0) }
  }
}

extension SpacingValue: Interpolable {
  func mixed(with other: SpacingValue, _ part: Double) -> SpacingValue? {
    guard let x = horizontal.mixed(with: other.horizontal, part), let y = vertical.mixed(with: other.vertical, part) else { return nil }
    return SpacingValue(horizontal: max(x, 0), vertical: max(y, 0))
  }
}

extension TextIndentValue: Interpolable {
  func mixed(with other: TextIndentValue, _ part: Double) -> TextIndentValue? {
    guard hanging == other.hanging, eachLine == other.eachLine, let length = length.mixed(with: other.length, part) else { return nil }
    return TextIndentValue(length: length, hanging: hanging, eachLine: eachLine)
  }
}

extension BackgroundLayer.Size: Interpolable {
  func mixed(with other: BackgroundLayer.Size, _ part: Double) -> BackgroundLayer.Size? {
    guard case .explicit(let x1, let y1) = self, case .explicit(let x2, let y2) = other else { return nil }
    func side(_ a: LengthPercentage?, _ b: LengthPercentage?) -> LengthPercentage?? {
      if a == nil, b == nil { return .some(nil) }
      return LengthPercentage.mixed(optional: a, b, part)
    }
    guard let x = side(x1, x2), let y = side(y1, y2) else { return nil }
    return .explicit(x, y)
  }
}

extension BoxStyle.AspectRatio: Interpolable {
  /// Ratios are interpolated as their logarithms. https://drafts.csswg.org/css-values-4/#combine-ratio
  func mixed(with other: BoxStyle.AspectRatio, _ part: Double) -> BoxStyle.AspectRatio? {
    guard auto == other.auto, let a = ratio, let b = other.ratio, a > 0, b > 0 else { return nil }
    let mixture = exp(log(Double(a)) + (log(Double(b)) - log(Double(a))) * part)
    return BoxStyle.AspectRatio(ratio: Float(mixture), auto: auto)
  }
}

extension FontStyle.Variation: Interpolable {
  func mixed(with other: FontStyle.Variation, _ part: Double) -> FontStyle.Variation? {
    guard tag == other.tag else { return nil }
    return value.mixed(with: other.value, part).map { FontStyle.Variation(tag: tag, value: $0) }
  }
}

extension MotionStyle.Rotation: Interpolable {
  func mixed(with other: MotionStyle.Rotation, _ part: Double) -> MotionStyle.Rotation? {
    guard isAuto == other.isAuto else { return nil }
    return angle.mixed(with: other.angle, part).map { MotionStyle.Rotation(isAuto: isAuto, angle: $0) }
  }

  func sum(with other: MotionStyle.Rotation, _ composition: AnimationStyle.Composition) -> MotionStyle.Rotation? {
    isAuto == other.isAuto ? MotionStyle.Rotation(isAuto: isAuto, angle: angle + other.angle) : nil
  }
}

extension MotionStyle.Start: Interpolable {
  func mixed(with other: MotionStyle.Start, _ part: Double) -> MotionStyle.Start? {
    guard case .at(let a) = self, case .at(let b) = other else { return nil }
    return a.mixed(with: b, part).map { .at($0) }
  }
}

extension MotionStyle.Path: Interpolable {
  func mixed(with other: MotionStyle.Path, _ part: Double) -> MotionStyle.Path? {
    switch (self, other) {
    case (.shape(let a, let box, let isCentered), .shape(let b, let otherBox, let isOtherCentered)):
      guard box == otherBox, isCentered == isOtherCentered else { return nil }
      return a.mixed(with: b, part).map { .shape($0, box, isCentered: isCentered) }
    case (.ray(var ray, let box), .ray(let end, let otherBox)):
      guard box == otherBox, ray.size == end.size, ray.isContained == end.isContained, ray.center == end.center,
        let angle = ray.angle.mixed(with: end.angle, part)
      else { return nil }
      ray.angle = angle
      return .ray(ray, box)
    default: return nil
    }
  }
}

// MARK: Shapes

extension ShapeValue: Interpolable {
  func mixed(with other: ShapeValue, _ part: Double) -> ShapeValue? {
    guard case .shape(let a, let box) = self, case .shape(let b, let otherBox) = other, box == otherBox else { return nil }
    return a.mixed(with: b, part).map { .shape($0, box) }
  }
}

extension BasicShape.Radius: Interpolable {
  func mixed(with other: BasicShape.Radius, _ part: Double) -> BasicShape.Radius? {
    guard case .value(let a) = self, case .value(let b) = other else { return self == other ? self : nil }
    return a.mixed(with: b, part).map { .value($0) }
  }
}

extension BasicShape: Interpolable {
  /// https://drafts.csswg.org/css-shapes-1/#basic-shape-interpolation
  func mixed(with other: BasicShape, _ part: Double) -> BasicShape? {
    switch (self, other) {
    case (.inset(let a, let r), .inset(let b, let s)):
      guard let sides = Self.mixed(a, b, part), let corners = Self.mixed(r, s, part) else { return nil }
      return .inset(sides, corners)
    case (.circle(let a, let p), .circle(let b, let q)):
      guard let radius = a.mixed(with: b, part), let place = p.mixed(with: q, part) else { return nil }
      return .circle(radius, at: place)
    case (.ellipse(let a, let c, let p), .ellipse(let b, let d, let q)):
      guard let x = a.mixed(with: b, part), let y = c.mixed(with: d, part), let place = p.mixed(with: q, part) else { return nil }
      return .ellipse(x, y, at: place)
    case (.polygon(let evenOdd, let a, let r), .polygon(let isOther, let b, let s)):
      guard evenOdd == isOther, let points = Position.mixed(a, b, part), let round = r.mixed(with: s, part) else { return nil }
      return .polygon(evenOdd: evenOdd, points, round: round)
    case (.path(let evenOdd, let a), .path(let isOther, let b)):
      guard evenOdd == isOther else { return nil }
      return SVGNumbers.combined(a, b) { $0 + ($1 - $0) * part }.map { .path(evenOdd: evenOdd, $0) }
    case (.shape(let evenOdd, let a), .shape(let isOther, let b)):
      guard evenOdd == isOther else { return nil }
      return a.mixed(with: b, part).map { .shape(evenOdd: evenOdd, $0) }
    default: return nil
    }
  }

  private static func mixed(
    _ a: PhysicalSides<LengthPercentage>, _ b: PhysicalSides<LengthPercentage>, _ part: Double
  ) -> PhysicalSides<LengthPercentage>? {
    guard let top = a.top.mixed(with: b.top, part), let right = a.right.mixed(with: b.right, part),
      let bottom = a.bottom.mixed(with: b.bottom, part), let left = a.left.mixed(with: b.left, part)
    else { return nil }
    return PhysicalSides(top: top, right: right, bottom: bottom, left: left)
  }

  private static func mixed(
    _ a: PhysicalCorners<CornerRadius>, _ b: PhysicalCorners<CornerRadius>, _ part: Double
  ) -> PhysicalCorners<CornerRadius>? {
    guard let topLeft = a.topLeft.mixed(with: b.topLeft, part), let topRight = a.topRight.mixed(with: b.topRight, part),
      let bottomRight = a.bottomRight.mixed(with: b.bottomRight, part), let bottomLeft = a.bottomLeft.mixed(with: b.bottomLeft, part)
    else { return nil }
    return PhysicalCorners(topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft)
  }
}

extension ShapePath.ControlPoint: Interpolable {
  func mixed(with other: ShapePath.ControlPoint, _ part: Double) -> ShapePath.ControlPoint? {
    guard anchor == other.anchor else { return nil }
    return offset.mixed(with: other.offset, part).map { ShapePath.ControlPoint(offset: $0, anchor: anchor) }
  }
}

extension ShapePath.Command: Interpolable {
  func mixed(with other: ShapePath.Command, _ part: Double) -> ShapePath.Command? {
    guard isRelative == other.isRelative, let end = end.mixed(with: other.end, part) else { return nil }
    var result = self
    result.end = end
    switch (segment, other.segment) {
    case (.curve(let a), .curve(let b)):
      guard let points = ShapePath.ControlPoint.mixed(a, b, part) else { return nil }
      result.segment = .curve(points)
    case (.smooth(let a?), .smooth(let b?)):
      guard let point = a.mixed(with: b, part) else { return nil }
      result.segment = .smooth(point)
    default: guard segment == other.segment else { return nil }
    }
    return result
  }
}

extension ShapePath: Interpolable {
  func mixed(with other: ShapePath, _ part: Double) -> ShapePath? {
    guard let start = start.mixed(with: other.start, part), let commands = Command.mixed(commands, other.commands, part) else { return nil }
    return ShapePath(start: start, commands: commands)
  }
}

// MARK: Tracks

extension TrackBreadth: Interpolable {
  func mixed(with other: TrackBreadth, _ part: Double) -> TrackBreadth? {
    switch (self, other) {
    case (.value(let a), .value(let b)): a.mixed(with: b, part).map { .value($0) }
    case (.flex(let a), .flex(let b)): a.mixed(with: b, part).map { .flex(max($0, 0)) }
    default: self == other ? self : nil
    }
  }
}

extension TrackSize: Interpolable {
  func mixed(with other: TrackSize, _ part: Double) -> TrackSize? {
    switch (self, other) {
    case (.breadth(let a), .breadth(let b)): return a.mixed(with: b, part).map { .breadth($0) }
    case (.minmax(let a, let c), .minmax(let b, let d)):
      guard let minimum = a.mixed(with: b, part), let maximum = c.mixed(with: d, part) else { return nil }
      return .minmax(minimum, maximum)
    case (.fitContent(let a), .fitContent(let b)): return a.mixed(with: b, part).map { .fitContent($0) }
    default: return nil
    }
  }
}

extension TrackComponent: Interpolable {
  func mixed(with other: TrackComponent, _ part: Double) -> TrackComponent? {
    switch (self, other) {
    case (.track(let a), .track(let b)): return a.mixed(with: b, part).map { .track($0) }
    case (.repeat(let count, let a), .repeat(let other, let b)) where count == other:
      return TrackComponent.mixed(a, b, part).map { .repeat(count, $0) }
    case (.lineNames, .lineNames): return part < 0.5 ? self : other
    default: return nil
    }
  }
}

extension GridTemplate: Interpolable {
  /// https://drafts.csswg.org/css-grid-2/#track-sizes-interpolation
  func mixed(with other: GridTemplate, _ part: Double) -> GridTemplate? {
    guard case .tracks(let a) = self, case .tracks(let b) = other else { return nil }
    return TrackComponent.mixed(a, b, part).map { .tracks($0) }
  }
}

// MARK: Paths

/// The value of `d`; nil if the attribute applies.
struct PathData: Sendable {
  var text: String?
}

extension PathData: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { text.css(writer) }
}

extension PathData: Interpolable {
  func mixed(with other: PathData, _ part: Double) -> PathData? {
    guard let text, let end = other.text else { return nil }
    return SVGNumbers.combined(text, end) { $0 + ($1 - $0) * part }.map { PathData(text: $0) }
  }
}
