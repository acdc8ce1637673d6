// https://www.w3.org/TR/SVG2/propidx.html

extension TableBuilder {
  mutating func registerSVG() {
    registerSVGPaint()
    registerSVGText()
    registerSVGGeometry()
    shorthand("marker", ["marker-start", "marker-mid", "marker-end"]) { parser, values in
      guard values.take(0, &parser) else { return false }
      values.copy(1, from: 0)
      values.copy(2, from: 0)
      return true
    }
  }

  private mutating func registerSVGPaint() {
    field("fill", \SVGStyle.fill, "<paint>") { $0.svgPaint() }
    field("fill-opacity", \SVGStyle.fillOpacity, "<opacity-value>") { $0.svgOpacity() }
    keywords("fill-rule", \SVGStyle.fillRule, [("nonzero", .nonzero), ("evenodd", .evenodd)])
    field("stroke", \SVGStyle.stroke, "<paint>") { $0.svgPaint() }
    field("stroke-opacity", \SVGStyle.strokeOpacity, "<opacity-value>") { $0.svgOpacity() }
    field("stroke-width", \SVGStyle.strokeWidth, "<length-percentage> | <number>") { $0.svgLength(nonNegative: true) }
    keywords("stroke-linecap", \SVGStyle.lineCap, [("butt", .butt), ("round", .round), ("square", .square)])
    keywords("stroke-linejoin", \SVGStyle.lineJoin, [("miter", .miter), ("round", .round), ("bevel", .bevel)])
    field("stroke-miterlimit", \SVGStyle.miterLimit, "<number [0,∞]>") { $0.float(ValueParser.nonNegative) }
    field("stroke-dasharray", \SVGStyle.dashArray, "none | <dasharray>") { $0.dashArray() }
    field("stroke-dashoffset", \SVGStyle.dashOffset, "<length-percentage> | <number>") { $0.svgLength() }
    field("marker-start", \SVGStyle.markerStart, "none | <url>") { $0.keyword("none") ? .some(nil) : $0.url().map { .some($0) } }
    field("marker-mid", \SVGStyle.markerMid, "none | <url>") { $0.keyword("none") ? .some(nil) : $0.url().map { .some($0) } }
    field("marker-end", \SVGStyle.markerEnd, "none | <url>") { $0.keyword("none") ? .some(nil) : $0.url().map { .some($0) } }
    keywords("clip-rule", \SVGStyle.clipRule, [("nonzero", .nonzero), ("evenodd", .evenodd)])
    keywords("color-interpolation", \SVGStyle.colorInterpolation, [("auto", .auto), ("srgb", .sRGB), ("linearrgb", .linearRGB)])
    keywords(
      "color-interpolation-filters", \SVGStyle.filterColorInterpolation, [("auto", .auto), ("srgb", .sRGB), ("linearrgb", .linearRGB)])
    keywords(
      "shape-rendering", \SVGStyle.shapeRendering,
      [("auto", .auto), ("optimizespeed", .optimizeSpeed), ("crispedges", .crispEdges), ("geometricprecision", .geometricPrecision)])
    field("paint-order", \SVGStyle.paintOrder, "normal | [ fill || stroke || markers ]") { $0.paintOrder() }
    element("stop-color", "<color>", parse: { $0.color() }, set: { $0.stopColor = $1 }, get: { $0.stopColor })
    element("stop-opacity", "<opacity-value>", parse: { $0.svgOpacity() }, set: { $0.stopOpacity = $1 }, get: { $0.stopOpacity })
    element("flood-color", "<color>", parse: { $0.color() }, set: { $0.floodColor = $1 }, get: { $0.floodColor })
    element("flood-opacity", "<opacity-value>", parse: { $0.svgOpacity() }, set: { $0.floodOpacity = $1 }, get: { $0.floodOpacity })
    element("lighting-color", "<color>", parse: { $0.color() }, set: { $0.lightingColor = $1 }, get: { $0.lightingColor })
    element(
      "vector-effect", "none | non-scaling-stroke",
      parse: { $0.keyword(of: Self.vectorEffects) }, set: { $0.vectorEffect = $1 },
      get: { $0.vectorEffect })
    element(
      "mask-type", "luminance | alpha", parse: { $0.keyword(of: Self.maskTypes) },
      set: { $0.maskType = $1 }, get: { $0.maskType })
  }

  private static let vectorEffects: [(StaticString, VectorEffect)] = [("none", .none), ("non-scaling-stroke", .nonScalingStroke)]
  private static let maskTypes: [(StaticString, MaskType)] = [("luminance", .luminance), ("alpha", .alpha)]

  private static let baselines: [(StaticString, BaselineKeyword)] = [
    ("auto", .auto), ("baseline", .baseline), ("alphabetic", .alphabetic), ("ideographic", .ideographic), ("middle", .middle),
    ("central", .central), ("mathematical", .mathematical), ("hanging", .hanging), ("text-before-edge", .textTop),
    ("text-after-edge", .textBottom), ("before-edge", .textTop), ("after-edge", .textBottom),
    ("use-script", .useScript), ("no-change", .noChange), ("reset-size", .resetSize),
  ]

  private mutating func registerSVGText() {
    keywords("text-anchor", \SVGStyle.textAnchor, [("start", .start), ("middle", .middle), ("end", .end)])
    keywords("dominant-baseline", \SVGStyle.dominantBaseline, Self.baselines)
    element(
      "alignment-baseline", "baseline | <dominant-baseline>", parse: { $0.keyword(of: Self.baselines) },
      set: { $0.alignmentBaseline = $1 }, get: { $0.alignmentBaseline })
    elementLength(
      "baseline-shift", "baseline | sub | super | <length-percentage>",
      parse: { parser -> BaselineShift? in
        if parser.keyword("baseline") { return .baseline }
        if parser.keyword("sub") { return .sub }
        return parser.keyword("super") ? .super : parser.svgLength().map { .value($0) }
      }, set: { $0.baselineShift = $1 }, get: { $0.baselineShift })
  }

  private mutating func registerSVGGeometry() {
    elementLength("x", "<length-percentage>", parse: { $0.lengthPercentage() }, set: { $0.x = $1 }, get: { $0.x })
    elementLength("y", "<length-percentage>", parse: { $0.lengthPercentage() }, set: { $0.y = $1 }, get: { $0.y })
    elementLength("cx", "<length-percentage>", parse: { $0.lengthPercentage() }, set: { $0.centerX = $1 }, get: { $0.centerX })
    elementLength("cy", "<length-percentage>", parse: { $0.lengthPercentage() }, set: { $0.centerY = $1 }, get: { $0.centerY })
    elementLength(
      "r", "<length-percentage [0,∞]>", parse: { $0.lengthPercentage(nonNegative: true) }, set: { $0.radius = $1 }, get: { $0.radius })
    elementLength(
      "rx", "auto | <length-percentage [0,∞]>",
      parse: { $0.keyword("auto") ? .some(nil) : $0.lengthPercentage(nonNegative: true).map { .some($0) } }, set: { $0.radiusX = $1 },
      get: { $0.radiusX })
    elementLength(
      "ry", "auto | <length-percentage [0,∞]>",
      parse: { $0.keyword("auto") ? .some(nil) : $0.lengthPercentage(nonNegative: true).map { .some($0) } }, set: { $0.radiusY = $1 },
      get: { $0.radiusY })
    element(
      "d", "none | path()",
      parse: { parser -> PathData? in
        parser.keyword("none") ? PathData(text: "") : parser.function("path", { $0.string() }).map { PathData(text: $0) }
      }, set: { $0.pathData = $1.text }, get: { PathData(text: $0.pathData) })
  }

  private mutating func element<Value: Sendable>(
    _ name: StaticString, _ grammar: String, parse: @escaping @Sendable (inout ValueParser) -> Value?,
    set: @escaping @Sendable (inout SVGElementStyle, Value) -> Void, get: @escaping @Sendable (SVGElementStyle) -> Value
  ) {
    fields(name, grammar, parse: parse, set: { (style: inout EffectStyle, value: Value) in set(&style.svg, value) }, get: { get($0.svg) })
  }

  private mutating func elementLength<Value: LengthRelative>(
    _ name: StaticString, _ grammar: String, parse: @escaping @Sendable (inout ValueParser) -> Value?,
    set: @escaping @Sendable (inout SVGElementStyle, Value) -> Void, get: @escaping @Sendable (SVGElementStyle) -> Value
  ) {
    fields(name, grammar, parse: parse, set: { (style: inout EffectStyle, value: Value) in set(&style.svg, value) }, get: { get($0.svg) })
  }
}
