/// SVG and MathML in a page.
extension PageGenerator {
  private static let shapes: StaticWords =
    "rect circle ellipse line polyline polygon path text g g image use foreignObject text switch svg a"
  private static let definitions: StaticWords = "linearGradient radialGradient pattern clipPath mask filter marker symbol defs style"
  private static let geometry: StaticWords = """
    x y width height cx cy r rx ry x1 y1 x2 y2 fx fy fr dx dy rotate refX refY markerWidth markerHeight stdDeviation offset k1 surfaceScale
    textLength startOffset pathLength stroke-width font-size opacity stroke-dashoffset scale radius order baseFrequency numOctaves seed
    """

  mutating func svg(depth: Int) {
    let number = open("svg")
    if page.isXHTML { attribute("xmlns", "http://www.w3.org/2000/svg") }
    for name in ["width", "height"] where values.random.chance(50) {
      attribute(name, values.random.chance(50) ? values.length(in: nil) : values.integer(in: 0...99))
    }
    if values.random.chance(40) {
      attribute("viewBox", (0..<4).map { _ in values.number(in: 0...200) }.joined(separator: " "))
    }
    if values.random.chance(15) { attribute("preserveAspectRatio", values.random.pick(["none", "xMinYMax slice", "xMidYMid meet"])) }
    commonAttributes()
    for _ in 0..<values.random.between(1, 4) { shape(depth: depth + 1) }
    close(number)
  }

  private mutating func shape(depth: Int) {
    elements += 1
    guard depth < 20 else { return }
    if values.random.chance(30) { return definition(depth: depth) }
    let name = values.random.word(Self.shapes)
    let number = open(name)
    shapeAttributes(name)
    commonAttributes()
    switch name {
    case "text": svgText(depth: depth)
    case "g", "switch", "svg", "a": for _ in 0..<values.random.between(0, 3) { shape(depth: depth + 1) }
    case "foreignObject": children(depth: depth + 1)
    default: break
    }
    close(number)
  }

  private mutating func svgText(depth: Int) {
    text()
    if values.random.chance(30) {
      let number = open(values.random.word("tspan tspan textPath a"))
      attribute("href", "#c")
      shapeAttributes("tspan")
      text()
      close(number)
    }
  }

  private mutating func shapeAttributes(_ name: String) {
    for _ in 0..<values.random.between(1, 5) {
      attribute(values.random.word(Self.geometry), values.random.chance(85) ? values.number(in: 0...100) : values.percentage(in: nil))
    }
    switch name {
    case "path": attribute("d", pathData())
    case "polyline", "polygon":
      attribute("points", (0..<values.random.between(0, 7)).map { _ in values.number(in: nil) }.joined(separator: ","))
    case "use": attribute("href", "#" + values.random.word("a b g m c f"))
    case "image": attribute("href", values.random.pick(Pictures.rasters + Pictures.vectors))
    default: break
    }
    if values.random.chance(20) {
      attribute("transform", "\(values.random.word("rotate scale translate skewX"))(\(values.number(in: nil)))")
    }
    if values.random.chance(15) { presentationAttribute() }
    if name == "text" || name == "tspan", values.random.chance(40) {
      let count = values.random.between(1, 5)
      attribute(
        values.random.word("x y dx dy rotate"), (0..<count).map { _ in values.number(in: nil) }.joined(separator: " "))
    }
    for name in ["fill", "stroke", "mask", "clip-path", "filter", "marker-start"] where values.random.chance(12) {
      attribute(name, values.random.word("url(#g) url(#m) url(#c) url(#f) red none url(#a)"))
    }
  }

  private mutating func presentationAttribute() {
    let choices: [(String, StaticWords)] = [
      ("writing-mode", "tb vertical-rl horizontal-tb"), ("text-anchor", "start middle end"),
      ("dominant-baseline", "hanging central auto no-change"),
      ("baseline-shift", "sub super 50% 1e9"), ("lengthAdjust", "spacing spacingAndGlyphs"), ("stroke-dasharray", "1 0 1e-9 9 none 1,2,3"),
      ("stroke-linecap", "butt round square"), ("stroke-linejoin", "miter round bevel"), ("paint-order", "stroke markers"),
      ("vector-effect", "non-scaling-stroke none"), ("shape-rendering", "crispEdges auto"), ("marker-mid", "url(#a) url(#m)"),
      ("marker-end", "url(#a) url(#m)"), ("orient", "auto auto-start-reverse 45"), ("spreadMethod", "reflect repeat pad"),
      ("color-interpolation-filters", "sRGB linearRGB"), ("mask-type", "alpha luminance"), ("overflow", "visible hidden"),
      ("display", "none inline"), ("visibility", "hidden visible"), ("systemLanguage", "en de"), ("text-decoration", "underline overline"),
      ("patternContentUnits", "objectBoundingBox userSpaceOnUse"), ("markerUnits", "userSpaceOnUse strokeWidth"),
      ("fill", "context-fill context-stroke currentColor"), ("opacity", "0 .5 1"), ("transform-box", "fill-box stroke-box view-box"),
    ]
    let (name, words) = values.random.pick(choices)
    attribute(name, values.random.word(words))
  }

  private mutating func pathData() -> String {
    var text = "M0 0"
    for _ in 0..<values.random.between(1, 6) {
      let letter = values.random.word("L l H v C c S Q t A z M")
      let counts = ["L": 2, "l": 2, "H": 1, "v": 1, "C": 6, "c": 6, "S": 4, "Q": 4, "t": 2, "A": 7, "M": 2]
      text += letter + (0..<(counts[letter] ?? 0)).map { _ in values.number(in: nil) }.joined(separator: " ")
    }
    return text
  }

  private mutating func definition(depth: Int) {
    let name = values.random.word(Self.definitions)
    let number = open(name)
    attribute("id", values.random.word("a b g m c f"))
    for unit in ["gradientUnits", "patternUnits", "maskUnits", "clipPathUnits", "filterUnits", "primitiveUnits", "maskContentUnits"]
    where values.random.chance(12) {
      attribute(unit, values.random.word("userSpaceOnUse objectBoundingBox"))
    }
    shapeAttributes(name)
    switch name {
    case "linearGradient", "radialGradient":
      for _ in 0..<values.random.between(0, 3) {
        let stop = open("stop")
        attribute("offset", values.number(in: 0...1))
        attribute("stop-color", values.random.word("red blue #0f08"))
        close(stop)
      }
    case "filter": for _ in 0..<values.random.between(1, 3) { primitive() }
    case "style": page.items.append(.text("rect{fill:red}"))
    default: for _ in 0..<values.random.between(0, 2) { shape(depth: depth + 1) }
    }
    close(number)
  }

  private mutating func primitive() {
    let number = open(
      values.random.word(
        """
        feGaussianBlur feOffset feFlood feBlend feColorMatrix feComposite feMerge feMorphology feTurbulence feTile feImage feDropShadow
        feConvolveMatrix feDisplacementMap feDiffuseLighting feSpecularLighting feComponentTransfer
        """))
    for _ in 0..<values.random.between(0, 3) { attribute(values.random.word(Self.geometry), values.number(in: nil)) }
    attribute("in", values.random.word("SourceGraphic SourceAlpha x"))
    attribute("in2", "SourceAlpha")
    if values.random.chance(30) { attribute("kernelMatrix", "0 1 0 1 -4 1 0 1 0") }
    if values.random.chance(20) { attribute("href", values.random.word("#a #c #f")) }
    if values.random.chance(40) {
      let child = open(values.random.word("fePointLight feSpotLight feDistantLight feFuncR feFuncA feMergeNode"))
      attribute(values.random.word("x y z azimuth elevation specularExponent limitingConeAngle amplitude slope"), values.number(in: nil))
      attribute("type", values.random.word("table discrete gamma linear"))
      attribute("tableValues", values.number(in: 0...1))
      close(child)
    }
    close(number)
  }
}
