public import OffprintCoreTypes

/// Inherited properties of SVG elements. https://www.w3.org/TR/SVG2/propidx.html
public struct SVGStyle: Hashable, Sendable {
  public var fill = SVGPaint.color(.color(.black))
  public var fillOpacity: Float = 1
  public var fillRule = FillRule.nonzero
  public var stroke = SVGPaint.none
  public var strokeOpacity: Float = 1
  public var strokeWidth = LengthPercentage.length(1)
  public var lineCap = LineCap.butt
  public var lineJoin = LineJoin.miter
  public var miterLimit: Float = 4
  public var dashArray: [LengthPercentage] = []
  public var dashOffset = LengthPercentage.zero
  public var markerStart: ByteString?
  public var markerMid: ByteString?
  public var markerEnd: ByteString?
  public var clipRule = FillRule.nonzero
  public var colorInterpolation = ColorInterpolation.sRGB
  public var filterColorInterpolation = ColorInterpolation.linearRGB
  public var shapeRendering = ShapeRendering.auto
  public var textAnchor = TextAnchor.start
  public var dominantBaseline = BaselineKeyword.auto
  public var paintOrder = PaintOrder()
  public init() {}
}

/// Properties of SVG elements that are not inherited.
public struct SVGElementStyle: Hashable, Sendable {
  public var stopColor = ColorValue.color(.black)
  public var stopOpacity: Float = 1
  public var floodColor = ColorValue.color(.black)
  public var floodOpacity: Float = 1
  public var lightingColor = ColorValue.color(.white)
  public var alignmentBaseline = BaselineKeyword.baseline
  public var baselineShift = BaselineShift.baseline
  public var vectorEffect = VectorEffect.none
  public var maskType = MaskType.luminance
  public var x = LengthPercentage.zero
  public var y = LengthPercentage.zero
  public var centerX = LengthPercentage.zero
  public var centerY = LengthPercentage.zero
  public var radius = LengthPercentage.zero
  /// Nil for `auto`.
  public var radiusX: LengthPercentage?
  public var radiusY: LengthPercentage?
  /// The path data of `d: path()`; empty for `none`, nil if the attribute applies.
  public var pathData: String?
  public init() {}
}

extension EffectStyle {
  /// Stored only if it is not initial.
  public var svg: SVGElementStyle {
    get { svgElement.first ?? SVGElementStyle() }
    set { svgElement = newValue == SVGElementStyle() ? [] : [newValue] }
  }
}
