public import OffprintCoreTypes

/// What changes painting and not layout, and other rare properties.
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
  /// px; nil is `none`.
  public var perspective: Float?
  public var perspectiveOrigin = Position.center
  public var filter: [FilterFunction] = []
  public var backdropFilter: [FilterFunction] = []
  public var mixBlendMode = BlendMode.normal
  public var isolation = Isolation.auto
  public var clipPath = ShapeValue.none
  public var mask: [BackgroundLayer] = []
  /// What `mask` is made of.
  public var maskLists = LayerLists.mask
  /// `-webkit-mask-box-image`; nil is the initial value.
  public var maskBorder: BorderImage?
  public var reflection: BoxReflection?
  /// `clip: rect()`; nil sides are `auto`.
  public var clip: PhysicalSides<Float?>?
  public var shapeOutside = ShapeValue.none
  public var shapeMargin = LengthPercentage.zero
  public var shapeImageThreshold: Float = 0
  public var textDecorationLine: TextDecorationLine = []
  public var textDecorationStyle = TextDecorationStyle.solid
  public var textDecorationColor = ColorValue.currentColor
  public var textDecorationThickness = DecorationThickness.auto
  public var textOverflow = TextOverflow.clip
  /// `line-clamp`; nil is none.
  public var lineClamp: Int?
  /// `will-change` names a property that makes a stacking context or containing block.
  public var willChangeStackingContext = false
  public var willChangeContainingBlock = false
  /// It names a filter: inline boxes have those, but are not transformed.
  var willChangeFilter = false
  /// It names `z-index`, which applies to positioned boxes and items.
  var willChangeZIndex = false
  /// It names a property that makes a backdrop root.
  public var willChangeBackdropRoot = false
  /// Of absolutely positioned boxes alone.
  public var willChangePosition = false
  /// `animation`: none or one, see `animation`.
  var animations: [AnimationStyle] = []
  /// `scroll-timeline`, `view-timeline` and `timeline-scope`: none or one, see `timelines`.
  var namedTimelines: [TimelineStyle] = []
  /// `transition`: none or one, see `transition`.
  var transitions: [TransitionStyle] = []
  /// `offset-*`: none or one, see `motion`.
  @usableFromInline var motionPath: [MotionStyle] = []
  /// Properties of elements of SVG that are not initial: none or one, see `svg`.
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
