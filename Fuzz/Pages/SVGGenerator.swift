/// Generates SVG: trees of all elements, with their own attributes and sometimes those of other elements.
extension PageGenerator {
  private static let shapes: StaticWords =
    "rect circle ellipse line polyline polygon path path path text text g g g image use use foreignObject switch svg a style title view"
  private static let definitions: StaticWords = "linearGradient radialGradient pattern clipPath mask filter marker symbol defs"
  private static let animations: StaticWords = "animate set animateTransform animateMotion"
  private static let primitives: StaticWords = """
    feGaussianBlur feOffset feFlood feBlend feColorMatrix feComposite feMerge feMorphology feTurbulence feTile feImage feDropShadow
    feConvolveMatrix feDisplacementMap feDiffuseLighting feSpecularLighting feComponentTransfer
    """
  static let ids: StaticWords = "a b g m c f p s"

  /// An outermost `svg` element.
  mutating func svg(depth: Int) {
    let number = open("svg")
    if page.isXHTML { attribute("xmlns", "http://www.w3.org/2000/svg") }
    for name in ["width", "height"] where values.random.chance(50) {
      attribute(name, values.random.chance(50) ? values.length(in: nil) : values.integer(in: 0...99))
    }
    if values.random.chance(40) { attribute("viewBox", svgValue(of: "viewBox")) }
    if values.random.chance(15) { attribute("preserveAspectRatio", svgValue(of: "preserveAspectRatio")) }
    commonAttributes()
    for _ in 0..<values.random.between(1, page.isSVG ? 9 : 4) { shape(depth: depth + 1) }
    if values.random.chance(page.isSVG ? 12 : 1) { hostileSVG() }
    close(number)
  }

  func isDeep(_ depth: Int) -> Bool { depth >= 20 || elements > budget * 4 }

  mutating func shape(depth: Int) {
    elements += 1
    guard !isDeep(depth) else { return }
    if values.random.chance(30) { return definition(depth: depth) }
    let name = values.random.word(Self.shapes)
    let number = open(name)
    svgAttributes(name)
    if values.random.chance(30) { commonAttributes() }
    switch name {
    case "text": svgText(depth: depth)
    case "g", "switch", "svg", "a": for _ in 0..<values.random.between(0, 3) { shape(depth: depth + 1) }
    case "foreignObject": children(depth: depth + 1)
    case "style": page.items.append(.text(values.random.word("rect{fill:red} g{opacity:.5} *{mask:url(#m)} .a{filter:url(#f)}")))
    case "title": text()
    default: break
    }
    if values.random.chance(8) { animation(depth: depth + 1) }
    close(number)
  }

  private mutating func svgText(depth: Int) {
    text()
    for _ in 0..<values.random.between(0, 2) where !isDeep(depth) {
      elements += 1
      let name = values.random.word("tspan tspan textPath a switch")
      let number = open(name)
      svgAttributes(name)
      if values.random.chance(40) { svgText(depth: depth + 2) } else { text() }
      close(number)
      if values.random.chance(50) { text() }
    }
  }

  private mutating func definition(depth: Int) {
    let name = values.random.word(Self.definitions)
    let number = open(name)
    if name != "defs" { attribute("id", values.random.word(Self.ids)) }
    svgAttributes(name)
    switch name {
    case "linearGradient", "radialGradient":
      for _ in 0..<values.random.between(0, 3) {
        let stop = open("stop")
        svgAttributes("stop")
        if values.random.chance(5) { animation(depth: depth + 1) }
        close(stop)
      }
    case "filter": for _ in 0..<values.random.between(1, 4) { primitive(depth: depth + 1) }
    default: for _ in 0..<values.random.between(0, 3) { shape(depth: depth + 1) }
    }
    close(number)
  }

  private mutating func primitive(depth: Int) {
    let name = values.random.word(Self.primitives)
    let number = open(name)
    svgAttributes(name)
    let parts: StaticWords =
      switch name {
      case "feMerge": "feMergeNode"
      case "feComponentTransfer": "feFuncR feFuncG feFuncB feFuncA"
      case "feDiffuseLighting", "feSpecularLighting": "fePointLight feSpotLight feDistantLight"
      default: "animate"
      }
    for _ in 0..<values.random.between(0, parts.words.first == "animate" ? 0 : 3) {
      let part = values.random.word(parts)
      let child = open(part)
      svgAttributes(part)
      close(child)
    }
    close(number)
  }

  private mutating func animation(depth: Int) {
    let name = values.random.word(Self.animations)
    let number = open(name)
    let target = name == "animateTransform" ? "transform" : values.random.word(SVGAttributeTable.animated)
    attribute("attributeName", target)
    for part in ["from", "to", "by"] where values.random.chance(50) { attribute(part, svgValue(of: target)) }
    if values.random.chance(30) {
      attribute("values", (0..<values.random.between(1, 4)).map { _ in svgValue(of: target) }.joined(separator: ";"))
    }
    svgAttributes(name)
    if name == "animateMotion", values.random.chance(30) {
      let path = open("mpath")
      attribute("href", svgValue(of: "href"))
      close(path)
    }
    close(number)
  }

  // MARK: Attributes

  /// Attributes of the element, and some of other elements.
  private mutating func svgAttributes(_ name: String) {
    let own = SVGAttributeTable.byElement[name] ?? SVGAttributeTable.presentation
    if values.random.chance(15) { attribute("id", values.random.word(Self.ids)) }
    for _ in 0..<values.random.between(1, 6) {
      let roll = values.random.below(100)
      let chosen =
        roll < 65 ? values.random.word(own) : values.random.word(roll < 95 ? SVGAttributeTable.presentation : SVGAttributeTable.all)
      attribute(chosen, svgValue(of: chosen))
    }
    // Without them, the element renders nothing.
    for required in SVGAttributeTable.required[name]?.words ?? [] where values.random.chance(85) {
      attribute(required, svgValue(of: required))
    }
  }

  mutating func svgValue(of name: String) -> String {
    switch SVGAttributeTable.kind(of: name) {
    case .number: return values.number(in: 0...100)
    case .fraction: return values.random.chance(30) ? values.number(in: 0...1) : "\(Double(values.random.below(101)) / 100)"
    case .length:
      switch values.random.below(10) {
      case 0: return values.percentage(in: nil)
      case 1: return values.length(in: nil)
      default: return values.number(in: 0...100)
      }
    case .list(let maximum):
      let separator = values.random.word("s , ;") == "," ? "," : " "
      return (0..<values.random.between(1, maximum)).map { _ in values.number(in: -20...100) }.joined(separator: separator)
    case .words(let words): return values.random.word(words)
    case .reference:
      return values.random.chance(85) ? "url(#\(values.random.word(Self.ids)))" : values.random.word("none url(#) url(x.svg#a)")
    case .paint:
      let url = "url(#\(values.random.word(Self.ids)))"
      switch values.random.below(10) {
      case 0...3: return url
      case 4: return url + " red"
      case 5: return values.random.word("context-fill context-stroke none currentColor transparent")
      default: return values.random.word("red #0f08 blue hsl(9deg,50%,50%) rgb(0,9,0,.5)")
      }
    case .link:
      return values.random.chance(80) ? "#" + values.random.word(Self.ids) : values.random.pick(SampleImages.rasters + SampleImages.vectors)
    case .path: return pathData()
    case .transform:
      return (0..<values.random.between(1, 3)).map { _ in
        let function = values.random.word("rotate scale translate skewX skewY matrix")
        let count = function == "matrix" ? 6 : function.hasPrefix("skew") ? 1 : values.random.between(1, function == "rotate" ? 3 : 2)
        return "\(function)(\((0..<count).map { _ in values.number(in: -4...8) }.joined(separator: ",")))"
      }.joined(separator: " ")
    case .clock: return values.random.word("0s -1s 1s 5ms indefinite a.begin a.end+1s -100s 0;2s click 1:30 1h 1e9s")
    }
  }

  private mutating func pathData() -> String {
    var text = values.random.chance(95) ? "M\(values.number(in: 0...99)) \(values.number(in: 0...99))" : ""
    for _ in 0..<values.random.between(0, values.random.chance(5) ? 60 : 7) {
      let letter = values.random.word("L l H v C c S s Q q t T A a z M m h V")
      let counts: [Character: Int] = ["L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "M": 2]
      if letter == "A" || letter == "a" {
        text +=
          "\(letter)\(values.number(in: 0...50)) \(values.number(in: 0...50)) \(values.number(in: 0...90)) "
          + "\(values.random.below(2)) \(values.random.below(2)) \(values.number(in: 0...99)) \(values.number(in: 0...99))"
      } else {
        let count = counts[Character(letter.uppercased())] ?? 0
        text += letter + (0..<count).map { _ in values.number(in: -40...99) }.joined(separator: values.random.chance(80) ? " " : ",")
      }
    }
    return text
  }
}
