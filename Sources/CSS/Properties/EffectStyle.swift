public import OffprintCoreTypes

/// Properties that affect painting but not layout, and other rarely used properties.
public struct EffectStyle: Hashable, Sendable {
  public var opacity: Float = 1
  public var transform: [TransformFunction] = []
  /// Individual transforms, applied before `transform`.
  public var translate: TransformFunction?
  public var rotate: TransformFunction?
  public var scale: TransformFunction?
  public var transformOrigin = Position.center
  public var transformOriginZ: Float = 0
  public var transformBox = TransformBox.borderBox
  public var transformStyle = TransformStyle.flat
  public var backfaceVisibility = BackfaceVisibility.visible
  /// In CSS px; nil for `none`.
  public var perspective: Float?
  public var perspectiveOrigin = Position.center
  public var filter: [FilterFunction] = []
  public var backdropFilter: [FilterFunction] = []
  public var mixBlendMode = BlendMode.normal
  public var isolation = Isolation.auto
  public var clipPath = ShapeValue.none
  public var mask: [BackgroundLayer] = []
  /// The property values from which `mask` is built.
  public var maskLists = LayerLists.mask
  /// `-webkit-mask-box-image`; nil for the initial value.
  public var maskBorder: BorderImage?
  public var reflection: BoxReflection?
  /// `clip: rect()`; sides are nil for `auto`.
  public var clip: PhysicalSides<Float?>?
  public var shapeOutside = ShapeValue.none
  public var shapeMargin = LengthPercentage.zero
  public var shapeImageThreshold: Float = 0
  public var textDecorationLine: TextDecorationLine = []
  public var textDecorationStyle = TextDecorationStyle.solid
  public var textDecorationColor = ColorValue.currentColor
  public var textDecorationThickness = DecorationThickness.auto
  public var textOverflow = TextOverflow.clip
  /// `line-clamp`; nil for `none`.
  public var lineClamp: Int?
  /// Whether `will-change` names a property that creates a stacking context or containing block.
  public var willChangeStackingContext = false
  public var willChangeContainingBlock = false
  /// Whether `will-change` names `filter` or `backdrop-filter`, which also apply to inline boxes.
  var willChangeFilter = false
  /// Whether `will-change` names `z-index`, which applies to positioned boxes and to flex and grid items.
  var willChangeZIndex = false
  /// Whether `will-change` names a property that creates a backdrop root.
  public var willChangeBackdropRoot = false
  /// Whether `will-change: position` creates a containing block for absolutely positioned boxes only.
  public var willChangePosition = false
  /// `animation`; empty for the initial value. See `animation`.
  var animations: [AnimationStyle] = []
  /// `scroll-timeline`, `view-timeline` and `timeline-scope`; empty for initial values. See `timelines`.
  var namedTimelines: [TimelineStyle] = []
  /// `transition`; empty for the initial value. See `transition`.
  var transitions: [TransitionStyle] = []
  /// `offset-*`; empty for initial values. See `motion`.
  @usableFromInline var motionPath: [MotionStyle] = []
  /// Properties of SVG elements; empty for initial values. See `svg`.
  var svgElement: [SVGElementStyle] = []
  public init() {}

  public enum DecorationThickness: Hashable, Sendable {
    case auto, fromFont
    case value(LengthPercentage)
  }

  @inlinable public var hasTransform: Bool {
    !transform.isEmpty || translate != nil || rotate != nil || scale != nil || !motionPath.isEmpty && hasMotion
  }
}

/// Generated content.
public struct ContentStyle: Hashable, Sendable {
  public var content = Content.normal
  public var counterReset: [CounterChange] = []
  public var counterIncrement: [CounterChange] = []
  public var counterSet: [CounterChange] = []
  public init() {}
}
