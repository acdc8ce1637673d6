// The properties of SVG: kept as text for the library that draws it. https://www.w3.org/TR/SVG2/propidx.html

extension TableBuilder {
  mutating func registerSVG() {
    let keywords: [(StaticString, [StaticString])] = [
      ("color-interpolation", ["auto", "srgb", "linearrgb"]),
      ("shape-rendering", ["auto", "optimizespeed", "crispedges", "geometricprecision"]),
      ("fill-rule", ["nonzero", "evenodd"]),
      ("clip-rule", ["nonzero", "evenodd"]),
      ("stroke-linecap", ["butt", "round", "square"]),
      ("stroke-linejoin", ["miter", "round", "bevel"]),
      ("text-anchor", ["start", "middle", "end"]),
      ("vector-effect", ["none", "non-scaling-stroke"]),
      (
        "dominant-baseline",
        ["auto", "text-bottom", "alphabetic", "ideographic", "middle", "central", "mathematical", "hanging", "text-top"]
      ),
      (
        "alignment-baseline",
        ["baseline", "alphabetic", "ideographic", "middle", "central", "mathematical", "text-before-edge", "text-after-edge"]
      ),
      ("mask-type", ["luminance", "alpha"]),
      ("color-interpolation-filters", ["auto", "srgb", "linearrgb"]),
    ]
    for (name, words) in keywords {
      svg(name, words.map { "\($0)" }.joined(separator: " | ")) { parser in words.first { parser.keyword($0) }.map { Self.spelling($0) } }
    }
    for name in ["fill", "stroke"] as [StaticString] { svg(name, "<paint>") { $0.svgPaint() } }
    for name in ["stop-color", "flood-color", "lighting-color"] as [StaticString] { svg(name, "<color>") { $0.svgColor() } }
    for name in ["fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity"] as [StaticString] {
      svg(name, "<opacity-value>") { parser in parser.numberOrPercentage().map { "\($0)" } }
    }
    for name in ["stroke-width", "stroke-dashoffset"] as [StaticString] { svg(name, "<length-percentage> | <number>") { $0.svgLength() } }
    for name in ["cx", "cy", "x", "y", "r", "rx", "ry"] as [StaticString] {
      svg(name, "<length-percentage>") { $0.keyword("auto") ? "auto" : $0.svgLength() }
    }
    svg("stroke-miterlimit", "<number>") { parser in parser.number(ValueParser.nonNegative).map { "\($0)" } }
    svg("stroke-dasharray", "none | <dasharray>") { parser in
      if parser.keyword("none") { return "none" }
      var parts: [String] = []
      while !parser.isAtEnd() {
        guard let length = parser.svgLength(), !length.hasPrefix("-") else { return nil }
        parts.append(length)
        _ = parser.comma()
      }
      return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
    svg("d", "none | path()") { parser in
      parser.keyword("none") ? "none" : parser.function("path", { $0.string() }).map { $0.filter { $0 != "\"" } }
    }
    svg("paint-order", "normal | [ fill || stroke || markers ]") { parser in
      parser.list(max: 3) { $0.customIdentifier() }.map { $0.joined(separator: " ") }
    }
    for name in ["marker-start", "marker-mid", "marker-end"] as [StaticString] {
      svg(name, "none | <url>") { $0.keyword("none") ? "none" : $0.svgURL() }
    }
  }

  /// Keywords of the SVG library keep their capitals.
  private static func spelling(_ word: StaticString) -> String {
    switch "\(word)" {
    case "linearrgb": "linearRGB"
    case "srgb": "sRGB"
    case "optimizespeed": "optimizeSpeed"
    case "crispedges": "crispEdges"
    case "geometricprecision": "geometricPrecision"
    default: "\(word)"
    }
  }

  private mutating func svg(
    _ name: StaticString, _ grammar: String, _ parse: @escaping @Sendable (inout ValueParser) -> String?
  ) {
    let key = "\(name)"
    fields(
      name, grammar, parse: { parser -> String?? in parse(&parser).map { .some($0) } },
      set: { (style: inout EffectStyle, value: String?) in style.svg[key] = value }, get: { $0.svg[key] })
  }
}
