public import OffprintCoreTypes

/// A computed color: `currentcolor` stays a keyword until it is used.
public enum ColorValue: Hashable, Sendable {
  case color(Color)
  case currentColor
  /// A function of `currentcolor`, such as `color-mix()` or a relative color.
  case derived(DerivedColorReference)
  @inlinable public func resolve(_ currentColor: Color) -> Color {
    switch self {
    case .color(let color): color
    case .currentColor: currentColor
    case .derived(let color): color.resolve(currentColor)
    }
  }
}

/// A `<position>`: offsets of the image's matching point from the left and top.
public struct Position: Hashable, Sendable {
  public var x: LengthPercentage
  public var y: LengthPercentage
  public init(x: LengthPercentage, y: LengthPercentage) {
    self.x = x
    self.y = y
  }
  public static var center: Position { Position(x: .percentage(50), y: .percentage(50)) }
  public static var topLeft: Position { Position(x: .percentage(0), y: .percentage(0)) }
}

/// A computed `<image>`.
///
/// https://drafts.csswg.org/css-images-3/
public indirect enum ImageValue: Hashable, Sendable {
  case none
  /// An absolute URL as written after resolving against its style sheet.
  case url(ByteString)
  /// The image that `image-set()` selected, and its pixels per CSS px.
  case dense(ByteString, density: Float)
  case gradient(Gradient)
  /// `image()` with a color. There is no case for `cross-fade()`: unsupported values never compute to an image.
  case solid(ColorValue)

  /// The image that is loaded for it, and its pixels per CSS px.
  public var resource: (url: ByteString, density: Float)? {
    switch self {
    case .url(let url): (url, 1)
    case .dense(let url, let density): (url, density)
    case .none, .gradient, .solid: nil
    }
  }
}

/// https://drafts.csswg.org/css-images-4/#gradients
public struct Gradient: Hashable, Sendable {
  public enum Shape: Hashable, Sendable {
    /// Degrees clockwise from up.
    case linear(angle: Float)
    /// `to right bottom`: x and y in -1, 0, 1.
    case linearTo(x: Int8, y: Int8)
    /// `-webkit-gradient(linear, …)`: the gradient line's ends.
    case line(from: Position, to: Position)
    /// `-webkit-gradient(radial, …)`: two circles, with their radii.
    case circles(from: Position, LengthPercentage, to: Position, LengthPercentage)
    case radial(ending: RadialEnding, at: Position)
    case conic(from: Float, at: Position)
  }
  public enum RadialEnding: Hashable, Sendable {
    case closestSide(circle: Bool)
    case farthestSide(circle: Bool)
    case closestCorner(circle: Bool)
    case farthestCorner(circle: Bool)
    case circle(LengthPercentage)
    case ellipse(LengthPercentage, LengthPercentage)
  }
  /// A color stop; a stop without a color is a transition hint. Conic positions are percentages of a turn.
  public struct Stop: Hashable, Sendable {
    public var color: ColorValue?
    public var position: LengthPercentage?
    public init(color: ColorValue?, position: LengthPercentage?) {
      self.color = color
      self.position = position
    }
  }
  public enum Interpolation: UInt8, Hashable, Sendable { case srgb, srgbLinear, lab, oklab, lch, oklch, hsl, hwb, xyz }
  public enum HueInterpolation: UInt8, Hashable, Sendable { case shorter, longer, increasing, decreasing }

  public var shape: Shape
  public var stops: [Stop]
  public var repeating: Bool
  public var interpolation: Interpolation = .srgb
  public var hue: HueInterpolation = .shorter
  public init(shape: Shape, stops: [Stop], repeating: Bool) {
    self.shape = shape
    self.stops = stops
    self.repeating = repeating
  }
}

public struct Shadow: Hashable, Sendable {
  public var color: ColorValue
  public var x: Float
  public var y: Float
  public var blur: Float
  public var spread: Float = 0
  public var inset = false
  public init(color: ColorValue, x: Float, y: Float, blur: Float, spread: Float = 0, inset: Bool = false) {
    self.color = color
    self.x = x
    self.y = y
    self.blur = blur
    self.spread = spread
    self.inset = inset
  }
}

public enum BoxEdge: UInt8, Hashable, Sendable {
  case borderBox, paddingBox, contentBox, marginBox, fillBox, strokeBox, viewBox, text, noClip, borderArea,
    /// The center line of the border.
    halfBorderBox
}

/// One layer of `background` or `mask`.
public struct BackgroundLayer: Hashable, Sendable {
  public enum Repeat: UInt8, Hashable, Sendable { case `repeat`, noRepeat, space, round }
  public enum Attachment: UInt8, Hashable, Sendable { case scroll, fixed, local }
  public enum Size: Hashable, Sendable {
    case cover, contain
    /// Nil for `auto`.
    case explicit(LengthPercentage?, LengthPercentage?)
  }
  public enum Composite: UInt8, Hashable, Sendable { case add, subtract, intersect, exclude }
  public enum MaskMode: UInt8, Hashable, Sendable { case matchSource, alpha, luminance }

  public var image: ImageValue = .none
  public var position = Position.topLeft
  public var size: Size = .explicit(nil, nil)
  public var repeatX: Repeat = .repeat
  public var repeatY: Repeat = .repeat
  public var attachment: Attachment = .scroll
  public var origin: BoxEdge = .paddingBox
  public var clip: BoxEdge = .borderBox
  public var blendMode: BlendMode = .normal
  /// Used only by masks.
  public var composite: Composite = .add
  public var maskMode: MaskMode = .matchSource
  public init() {}
}

public enum BlendMode: UInt8, Hashable, Sendable {
  case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference, exclusion, hue,
    saturation, color, luminosity, plusLighter
}

/// https://drafts.csswg.org/css-backgrounds-3/#border-images
public struct BorderImage: Hashable, Sendable {
  public enum Repeat: UInt8, Hashable, Sendable { case stretch, `repeat`, round, space }
  public enum Width: Hashable, Sendable {
    case auto
    case number(Float)
    case value(LengthPercentage)
  }
  public enum Slice: Hashable, Sendable {
    case number(Float)
    case percentage(Float)
  }
  public enum Outset: Hashable, Sendable {
    case number(Float)
    case length(Float)
  }
  public var source: ImageValue = .none
  public var slice = PhysicalSides<Slice>(all: .percentage(100))
  public var fill = false
  public var width = PhysicalSides<Width>(all: .number(1))
  public var outset = PhysicalSides<Outset>(all: .number(0))
  public var repeatX: Repeat = .stretch
  public var repeatY: Repeat = .stretch
  public init() {}
}

/// https://drafts.csswg.org/css-shapes-1/#basic-shape-functions
public indirect enum BasicShape: Hashable, Sendable {
  public enum Radius: Hashable, Sendable { case closestSide, farthestSide, value(LengthPercentage) }
  case inset(PhysicalSides<LengthPercentage>, PhysicalCorners<CornerRadius>)
  case circle(Radius, at: Position)
  case ellipse(Radius, Radius, at: Position)
  /// A polygon whose corners are rounded by a radius.
  case polygon(evenOdd: Bool, [Position], round: LengthPercentage)
  /// SVG path data in px.
  case path(evenOdd: Bool, String)
  case shape(evenOdd: Bool, ShapePath)
}

public struct CornerRadius: Hashable, Sendable {
  public var horizontal: LengthPercentage
  public var vertical: LengthPercentage
  public init(horizontal: LengthPercentage, vertical: LengthPercentage) {
    self.horizontal = horizontal
    self.vertical = vertical
  }
  public static var zero: CornerRadius { CornerRadius(horizontal: .zero, vertical: .zero) }
}

public enum ShapeValue: Hashable, Sendable {
  case none
  case box(BoxEdge)
  case shape(BasicShape, BoxEdge?)
  case image(ImageValue)
  /// A URL reference, such as `clip-path: url(#id)`.
  case reference(ByteString)
}

/// https://drafts.csswg.org/css-transforms-2/#transform-functions; angles in degrees.
public enum TransformFunction: Hashable, Sendable {
  case translate(LengthPercentage, LengthPercentage, Float)
  case scale(Float, Float, Float)
  case rotate(Float)
  case rotate3d(Float, Float, Float, Float)
  case skew(Float, Float)
  case matrix(Float, Float, Float, Float, Float, Float)
  /// Column-major.
  case matrix3d([Float])
  case perspective(Float)
  /// An intermediate value of an animation.
  case interpolation(TransformMixture)
}

/// https://drafts.csswg.org/filter-effects/#filter-functions
public enum FilterFunction: Hashable, Sendable {
  case blur(Float)
  case brightness(Float)
  case contrast(Float)
  case grayscale(Float)
  case hueRotate(Float)
  case invert(Float)
  case opacity(Float)
  case saturate(Float)
  case sepia(Float)
  case dropShadow(Shadow)
  case reference(ByteString)
}
