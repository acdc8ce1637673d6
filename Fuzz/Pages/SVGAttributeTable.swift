/// The attributes of SVG and what their values look like. https://www.w3.org/TR/SVG2/attindex.html
enum SVGAttributeTable {
  enum Kind {
    case number, fraction, length, paint, reference, link, path, transform, clock
    case list(Int)
    case words(StaticWords)
  }

  static let presentation: StaticWords = """
    fill stroke fill-opacity stroke-opacity opacity fill-rule clip-rule stroke-width stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-dasharray stroke-dashoffset marker-start marker-mid marker-end clip-path mask filter color-interpolation
    color-interpolation-filters shape-rendering text-rendering image-rendering vector-effect paint-order transform transform-origin
    transform-box display visibility overflow mask-type writing-mode text-orientation direction unicode-bidi text-anchor
    dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing text-decoration font-size white-space
    systemLanguage requiredExtensions mix-blend-mode
    """
  static let animated: StaticWords = """
    fill stroke opacity stroke-width x y width height cx cy r rx ry d points transform viewBox stdDeviation offset stop-color href
    visibility display class stroke-dashoffset font-size startOffset gradientTransform
    """
  /// Attributes without which an element renders nothing.
  static let required: [String: StaticWords] = [
    "path": "d", "rect": "width height", "circle": "r", "ellipse": "rx ry", "polygon": "points", "polyline": "points", "use": "href",
    "image": "href width height", "foreignObject": "width height", "textPath": "href", "pattern": "width height", "stop": "offset",
    "feConvolveMatrix": "kernelMatrix", "feColorMatrix": "values", "feImage": "href", "line": "x2 y2",
  ]
  static let byElement: [String: StaticWords] = [
    "svg": "x y width height viewBox preserveAspectRatio", "symbol": "x y width height viewBox preserveAspectRatio refX refY",
    "use": "x y width height href", "image": "x y width height preserveAspectRatio href", "foreignObject": "x y width height",
    "rect": "x y width height rx ry pathLength", "circle": "cx cy r pathLength", "ellipse": "cx cy rx ry pathLength",
    "line": "x1 y1 x2 y2 pathLength", "polyline": "points pathLength", "polygon": "points pathLength", "path": "d pathLength",
    "text": "x_list y_list dx dy rotate textLength lengthAdjust", "tspan": "x_list y_list dx dy rotate textLength lengthAdjust",
    "textPath": "href startOffset method spacing side path textLength lengthAdjust", "a": "href", "view": "viewBox preserveAspectRatio",
    "linearGradient": "x1 y1 x2 y2 gradientUnits gradientTransform spreadMethod href",
    "radialGradient": "cx cy r fx fy fr gradientUnits gradientTransform spreadMethod href", "stop": "offset stop-color stop-opacity",
    "pattern": "x y width height patternUnits patternContentUnits patternTransform viewBox preserveAspectRatio href",
    "clipPath": "clipPathUnits", "mask": "x y width height maskUnits maskContentUnits",
    "marker": "viewBox refX refY markerWidth markerHeight markerUnits orient preserveAspectRatio overflow",
    "filter": "x y width height filterUnits primitiveUnits", "feGaussianBlur": "in stdDeviation edgeMode result x y width height",
    "feOffset": "in dx dy result x y", "feFlood": "flood-color flood-opacity result x y width height", "feBlend": "in in2 mode result",
    "feColorMatrix": "in type_matrix values result", "feComposite": "in in2 operator k1 k2 k3 k4 result", "feMerge": "result",
    "feMergeNode": "in", "feMorphology": "in operator_morphology radius result",
    "feTurbulence": "baseFrequency numOctaves seed stitchTiles type_turbulence result x y width height",
    "feTile": "in result x y width height", "feImage": "href preserveAspectRatio result x y width height",
    "feDropShadow": "in dx dy stdDeviation flood-color flood-opacity result",
    "feConvolveMatrix": "in order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha kernelUnitLength result",
    "feDisplacementMap": "in in2 scale xChannelSelector yChannelSelector result",
    "feDiffuseLighting": "in surfaceScale diffuseConstant lighting-color kernelUnitLength result",
    "feSpecularLighting": "in surfaceScale specularConstant specularExponent lighting-color result", "feComponentTransfer": "in result",
    "feFuncR": "type tableValues slope intercept amplitude exponent offset",
    "feFuncG": "type tableValues slope intercept amplitude exponent offset",
    "feFuncB": "type tableValues slope intercept amplitude exponent offset",
    "feFuncA": "type tableValues slope intercept amplitude exponent offset", "feDistantLight": "azimuth elevation",
    "fePointLight": "x y z", "feSpotLight": "x y z pointsAtX pointsAtY pointsAtZ specularExponent limitingConeAngle",
    "animate": "begin dur end repeatCount repeatDur fill_animation calcMode keyTimes keySplines additive accumulate href",
    "set": "begin dur end fill_animation href", "animateTransform": "type_transform begin dur fill_animation additive calcMode keyTimes",
    "animateMotion": "path rotate_motion keyPoints keyTimes begin dur calcMode fill_animation",
  ]
  static let all = StaticWords(byElement.sorted { $0.key < $1.key }.flatMap(\.value.words))

  /// The name of an attribute in markup. Attributes whose values depend on the element are listed with a suffix after `_`, which is removed.
  static func written(_ name: String) -> String { name.split(separator: "_").first.map(String.init) ?? name }

  static func kind(of name: String) -> Kind { kinds[name] ?? .length }

  private static let units: StaticWords = "userSpaceOnUse objectBoundingBox"
  private static let inputs: StaticWords = "SourceGraphic SourceAlpha BackgroundImage FillPaint r1 r2 r3 x"
  private static let kinds: [String: Kind] = {
    var kinds: [String: Kind] = [
      "fill": .paint, "stroke": .paint, "stop-color": .paint, "flood-color": .paint, "lighting-color": .paint, "d": .path, "path": .path,
      "href": .link, "clip-path": .reference, "mask": .reference, "filter": .reference, "marker-start": .reference,
      "marker-mid": .reference, "marker-end": .reference, "transform": .transform, "gradientTransform": .transform,
      "patternTransform": .transform, "points": .list(12), "viewBox": .list(4), "kernelMatrix": .list(9), "values": .list(20),
      "tableValues": .list(6), "keyTimes": .words("0;1 0;.5;1 .5 1;0"), "keySplines": .words("0,0,1,1 .5,0,.5,1;0,0,1,1 x"),
      "keyPoints": .words("0;1 1;0 .5"), "x_list": .list(5), "y_list": .list(5), "dx": .list(4), "dy": .list(4), "rotate": .list(4),
      "stroke-dasharray": .list(5), "stdDeviation": .list(2), "radius": .list(2), "baseFrequency": .list(2), "order": .list(2),
      "kernelUnitLength": .list(2), "begin": .clock, "dur": .clock, "end": .clock, "repeatDur": .clock, "transform-origin": .list(2),
      "preserveAspectRatio": .words("none xMinYMax xMidYMid defer x"), "display": .words("none inline block contents"),
    ]
    for name in ["opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity", "offset"] { kinds[name] = .fraction }
    let numbers: StaticWords = """
      pathLength z pointsAtX pointsAtY pointsAtZ azimuth elevation specularExponent limitingConeAngle slope intercept amplitude exponent
      surfaceScale diffuseConstant specularConstant scale k1 k2 k3 k4 divisor bias targetX targetY numOctaves seed stroke-miterlimit
      repeatCount
      """
    for name in numbers.words { kinds[name] = .number }
    let units: StaticWords =
      "gradientUnits patternUnits patternContentUnits clipPathUnits maskUnits maskContentUnits filterUnits primitiveUnits"
    for name in units.words { kinds[name] = .words(Self.units) }
    for (name, words) in keywords { kinds[name] = .words(words) }
    for name in ["in", "in2"] { kinds[name] = .words(inputs) }
    return kinds
  }()

  private static let keywords: [(String, StaticWords)] = [
    ("result", "r1 r2 r3"), ("fill-rule", "evenodd nonzero"), ("clip-rule", "evenodd nonzero"), ("stroke-linecap", "butt round square"),
    ("stroke-linejoin", "miter round bevel miter-clip arcs"), ("color-interpolation", "sRGB linearRGB auto"),
    ("color-interpolation-filters", "sRGB linearRGB"), ("shape-rendering", "crispEdges auto geometricPrecision optimizeSpeed"),
    ("text-rendering", "optimizeSpeed geometricPrecision"), ("image-rendering", "pixelated auto"),
    ("vector-effect", "non-scaling-stroke none"), ("paint-order", "stroke markers fill"),
    ("transform-box", "fill-box stroke-box view-box content-box"), ("visibility", "hidden visible collapse"),
    ("overflow", "visible hidden auto scroll"), ("mask-type", "alpha luminance"), ("mix-blend-mode", "multiply difference hue"),
    ("writing-mode", "tb vertical-rl vertical-lr horizontal-tb sideways-rl"), ("text-orientation", "upright sideways mixed"),
    ("direction", "rtl ltr"), ("unicode-bidi", "bidi-override embed isolate plaintext"), ("text-anchor", "start middle end"),
    ("dominant-baseline", "hanging central auto no-change middle text-before-edge mathematical"),
    ("alignment-baseline", "middle hanging baseline text-after-edge"), ("baseline-shift", "sub super 50% 1e9 -9"),
    ("text-decoration", "underline overline line-through"), ("white-space", "pre nowrap pre-line"), ("systemLanguage", "en de x"),
    ("requiredExtensions", "http://www.w3.org/1999/xhtml x"), ("lengthAdjust", "spacing spacingAndGlyphs"),
    ("method", "align stretch"), ("spacing", "auto exact"), ("side", "left right"), ("spreadMethod", "reflect repeat pad"),
    ("markerUnits", "userSpaceOnUse strokeWidth"), ("orient", "auto auto-start-reverse 45 1turn"), ("edgeMode", "wrap none duplicate"),
    ("preserveAlpha", "true false"), ("mode", "multiply screen color-burn hue normal luminosity"),
    ("operator", "over in out atop xor lighter arithmetic"), ("operator_morphology", "erode dilate"),
    ("type_matrix", "matrix saturate hueRotate luminanceToAlpha"), ("type", "table discrete gamma linear identity"),
    ("type_turbulence", "turbulence fractalNoise"), ("type_transform", "translate scale rotate skewX skewY"),
    ("stitchTiles", "stitch noStitch"), ("xChannelSelector", "R G B A"), ("yChannelSelector", "R G B A"),
    ("fill_animation", "freeze remove"), ("calcMode", "discrete linear paced spline"), ("additive", "sum replace"),
    ("accumulate", "sum none"), ("rotate_motion", "auto auto-reverse 45"), ("class", "a b c d"),
  ]
}
