/// Generates the page of a seed.
struct PageGenerator {
  var values: ValueGenerator
  var page = Page()
  var elements = 0
  var budget = 20

  static func page(seed: UInt64, isSVG: Bool = false) -> Page {
    var generator = PageGenerator(values: ValueGenerator(seed: seed))
    generator.page.isSVG = isSVG
    generator.run()
    return generator.page
  }

  private mutating func run() {
    let roll = values.random.below(10)
    values.hostility = roll < 4 ? 0 : roll < 8 ? 3 : 20
    budget = values.random.between(4, values.random.chance(10) ? 60 : 28)
    chooseOptions()
    for _ in 0..<values.random.between(0, 2) { atRule() }
    for _ in 0..<values.random.between(0, 8) { rule(depth: 0) }
    page.body = page.items.count
    if page.isSVG {
      for _ in 0..<values.random.between(1, 3) { if values.random.chance(60) { svg(depth: 0) } else { svgImage() } }
    } else {
      while elements < budget { element(depth: 0) }
    }
    page.isRemoved = Array(repeating: false, count: page.items.count)
  }

  private mutating func chooseOptions() {
    page.doctype = values.random.pick([
      "<!DOCTYPE html>", "<!DOCTYPE html>", "",
      "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\">",
    ])
    page.isXHTML = values.random.chance(8)
    page.width = values.random.chance(8) ? nil : values.random.pick([1, 37, 120, 200, 300, 300, 320, 480, 640, 800])
    page.height = values.random.chance(70) ? values.random.pick([1, 60, 200, 200, 300]) : nil
    page.scale = values.random.chance(80) ? 1 : values.random.pick([0.5, 1.25, 2, 3, 0.01])
    page.isDark = values.random.chance(10)
    page.isPrint = values.random.chance(5)
  }

  mutating func declaration() -> Page.Declaration {
    if values.random.chance(4) {
      let property = values.property()
      return Page.Declaration(property: "--v\(values.random.below(4))", value: values.value(of: property))
    }
    let property = values.property()
    return Page.Declaration(
      property: property, value: values.value(of: property), suffix: values.random.chance(4) ? " !important" : "")
  }

  /// Properties that only have an effect in combination, which independent random choices seldom produce. Values that are not given are random.
  private static let bundles: [StaticWords] = [
    "display:flex flex-direction flex-wrap align-items", "display:flex flex-direction:column height",
    "display:inline-flex flex-direction gap",
    "display:grid grid-template-columns grid-template-rows", "display:grid grid-auto-flow grid-auto-rows justify-items",
    "display:inline-grid grid-template-areas gap height", "columns height column-fill", "columns column-span width",
    "writing-mode width height",
    "position:absolute inset width height", "position:absolute top left z-index", "float:left width height shape-outside", "width height",
    "display:table table-layout width border-collapse", "display:table-cell vertical-align height",
    "overflow:hidden text-overflow white-space",
    "container-type width height", "display:inline-block vertical-align width height", "min-width max-width width",
    "min-height max-height height",
    "aspect-ratio width min-height", "block-size inline-size writing-mode", "mask-image mask-size mask-position mask-composite",
    "background-image background-size background-position background-repeat", "transform transform-style:preserve-3d perspective",
    "filter opacity mix-blend-mode", "border-image-source border-image-slice border-width border-style", "clip-path overflow border-radius",
    "display:list-item list-style-type list-style-position",
    "-webkit-line-clamp display:-webkit-box -webkit-box-orient:vertical overflow:hidden",
    "text-decoration-line text-decoration-style text-decoration-thickness", "flex-basis flex-grow min-width",
    "grid-column grid-row align-self",
    "display:ruby ruby-position ruby-align", "contain contain-intrinsic-size content-visibility", "break-inside break-after height",
  ]

  mutating func declarations(_ count: Int) -> [Page.Declaration] {
    guard values.random.chance(22) else { return (0..<count).map { _ in declaration() } }
    return values.random.pick(Self.bundles).words.map { word in
      let parts = word.split(separator: ":").map(String.init)
      return Page.Declaration(property: parts[0], value: parts.count > 1 ? parts[1] : values.value(of: parts[0]))
    }
  }

  mutating func open(_ name: String, isVoid: Bool = false) -> Int {
    page.items.append(.open(name: name, isVoid: isVoid))
    return page.items.count - 1
  }

  mutating func close(_ number: Int) {
    page.closes[number] = page.items.count
    page.items.append(.close)
  }

  mutating func attribute(_ name: String, _ value: String) {
    page.items.append(.attribute(SVGAttributeTable.written(name), value))
  }

  /// An SVG document as the image of an element or of a `background` declaration.
  mutating func svgImage() {
    var inner = PageGenerator(values: values)
    inner.page.isXHTML = true
    inner.page.isSVG = true
    inner.budget = budget
    inner.svg(depth: 1)
    values = inner.values
    inner.page.isRemoved = Array(repeating: false, count: inner.page.items.count)
    let fragment = values.random.chance(20) ? values.random.word("#a #m #svgView(viewBox(0,0,9,9)) #svgView(transform(scale(9)))") : ""
    let url = "data:image/svg+xml," + Self.percentEncoded(inner.page.markup) + fragment
    let name = values.random.word("img img object embed div div li image")
    let outer = name == "image" ? open("svg") : nil
    let number = open(name, isVoid: name == "img" || name == "embed")
    switch name {
    case "img", "embed": attribute("src", url)
    case "object": attribute("data", url)
    case "image": attribute("href", url)
    default:
      let property = values.random.word("background-image mask-image border-image-source list-style-image content")
      page.items.append(.style(Page.Declaration(property: property, value: "url(\"\(url)\")")))
      for size in ["width", "height"] { page.items.append(.style(Page.Declaration(property: size, value: values.length(in: 0...200)))) }
    }
    commonAttributes()
    close(number)
    if let outer { close(outer) }
  }

  private static func percentEncoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let isPlain = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || " -.,:;/=()'".utf8.contains(byte)
      let hex = String(byte, radix: 16)
      result += isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
    }
    return result
  }
}
