/// Generates trees of elements: typical structures (tables, lists, controls, images) with arbitrary contents.
extension PageGenerator {
  private static let containers: StaticWords = """
    div div div div p section article main header footer nav aside span span b i em strong small code a q cite mark sub sup u s ins del
    kbd samp var abbr dfn time label h1 h3 h6 blockquote pre address center font big tt bdo bdi figure output dialog menu dir body
    nobr marquee data slot custom-element noscript hgroup search legend summary caption td tr li dt option
    """
  private static let texts = [
    "x", "Text that is long enough to be broken into lines", "שלום עולם abc", "日本語のテキスト。「括弧」", "a\u{AD}b\u{200B}c\u{A0}d", "مرحبا 123",
    "  spaces   and\n lines \t tab", "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww", "🏳️‍🌈👨‍👩‍👧é", "e\u{301}\u{302}\u{303}",
    "\u{202E}rtl\u{202C} \u{2067}iso\u{2069}", "ffi fl AV To",
    "1 234,56 €", "กขค ฉัน", "\u{1F1E9}\u{1F1EA}\u{FE0F}\u{200D}", "हिन्दी", "—–-", "ß ŉ ǰ İ ﬁ", "\u{FFFD}\u{FEFF}\u{2028}\u{85}",
  ]

  mutating func element(depth: Int) {
    elements += 1
    guard depth < 24 else { return text() }
    switch values.random.below(40) {
    case 0...19: container(values.random.word(Self.containers), depth: depth)
    case 20, 21: table(depth: depth)
    case 22: list(depth: depth)
    case 23, 24: control(depth: depth)
    case 25: ruby(depth: depth)
    case 26, 27: svg(depth: depth)
    case 28: math(depth: depth)
    case 29: container("details", depth: depth, parts: ["summary", "div"], attributes: [("open", "")])
    case 30...32: image()
    case 33: container("fieldset", depth: depth, parts: ["legend", "div"])
    case 34: container("dl", depth: depth, parts: ["dt", "dd", "div"])
    case 35: container("figure", depth: depth, parts: ["img", "figcaption"])
    case 36: leaf(values.random.word("br wbr hr hr br"))
    case 37: frame(depth: depth)
    default: text()
    }
  }

  mutating func text() { page.items.append(.text(values.random.pick(Self.texts))) }

  /// Adds random identifiers, classes, languages and a `style` attribute.
  mutating func commonAttributes() {
    if values.random.chance(12) { attribute("id", values.random.word("a b g m c f")) }
    if values.random.chance(45) { attribute("class", values.random.word("a b c d a b") + (values.random.chance(20) ? " c" : "")) }
    if values.random.chance(5) { attribute("dir", values.random.word("rtl ltr auto")) }
    if values.random.chance(4) { attribute("lang", values.random.word("en ja ar tr zh-Hant el de")) }
    if values.random.chance(3) { attribute("data-a", values.number(in: nil)) }
    if values.random.chance(3) { attribute("hidden", values.random.word("until-found hidden")) }
    if values.random.chance(6) {
      let name = values.random.word(
        "align valign width height bgcolor border cellspacing cellpadding color size face nowrap background hspace")
      let value = values.random.chance(50) ? values.integer(in: nil) : values.random.word("center 50% red middle left 3* +2 -1 dot.png")
      attribute(name, value)
    }
    if values.random.chance(55) {
      for declaration in declarations(values.random.between(1, 4)) { page.items.append(.style(declaration)) }
    }
  }

  private mutating func container(_ name: String, depth: Int, parts: [String] = [], attributes: [(String, String)] = []) {
    let number = open(name)
    commonAttributes()
    for (name, value) in attributes where values.random.chance(70) { attribute(name, value) }
    for part in parts where values.random.chance(85) {
      if part == "img" { image() } else { container(part, depth: depth + 1) }
    }
    if parts.isEmpty || values.random.chance(20) { children(depth: depth) }
    close(number)
  }

  mutating func children(depth: Int) {
    for _ in 0..<values.random.between(0, depth < 3 ? 4 : 2) where elements < budget || values.random.chance(15) {
      if values.random.chance(35) { text() } else { element(depth: depth + 1) }
    }
  }

  private mutating func leaf(_ name: String) {
    let number = open(name, isVoid: true)
    commonAttributes()
    close(number)
  }

  // MARK: Structures

  private mutating func table(depth: Int) {
    let number = open("table")
    commonAttributes()
    if values.random.chance(20) { container("caption", depth: depth + 2) }
    if values.random.chance(25) {
      let group = open("colgroup")
      for _ in 0..<values.random.between(1, 3) {
        let column = open("col", isVoid: true)
        if values.random.chance(40) { attribute("span", values.integer(in: 1...4)) }
        commonAttributes()
        close(column)
      }
      close(group)
    }
    for _ in 0..<values.random.between(1, 2) {
      let section = open(values.random.word("tbody thead tfoot tbody"))
      commonAttributes()
      for _ in 0..<values.random.between(1, 3) { row(depth: depth) }
      close(section)
    }
    close(number)
  }

  private mutating func row(depth: Int) {
    let number = open("tr")
    commonAttributes()
    for _ in 0..<values.random.between(0, 4) {
      elements += 1
      let cell = open(values.random.word("td td th"))
      if values.random.chance(18) { attribute("colspan", values.integer(in: 1...4)) }
      if values.random.chance(18) { attribute("rowspan", values.integer(in: 0...4)) }
      commonAttributes()
      if values.random.chance(60) { text() } else { children(depth: depth + 2) }
      close(cell)
    }
    close(number)
  }

  private mutating func list(depth: Int) {
    let number = open(values.random.word("ul ol ol menu"))
    commonAttributes()
    if values.random.chance(20) { attribute("start", values.integer(in: nil)) }
    if values.random.chance(10) { attribute("reversed", "") }
    for _ in 0..<values.random.between(1, 4) {
      elements += 1
      let item = open("li")
      if values.random.chance(10) { attribute("value", values.integer(in: nil)) }
      commonAttributes()
      text()
      children(depth: depth + 1)
      close(item)
    }
    close(number)
  }

  private mutating func ruby(depth: Int) {
    let number = open("ruby")
    commonAttributes()
    for _ in 0..<values.random.between(1, 2) {
      text()
      container(values.random.word("rt rt rt rb rp rtc"), depth: depth + 2)
    }
    close(number)
  }

  private mutating func control(depth: Int) {
    switch values.random.below(6) {
    case 0...2:
      let number = open("input", isVoid: true)
      attribute(
        "type",
        values.random.word(
          "text text checkbox radio range color date number file submit reset button image password search hidden time week month email"))
      attribute("value", values.random.chance(50) ? "value" : values.number(in: nil))
      for name in ["checked", "disabled", "multiple", "placeholder", "required"] where values.random.chance(15) { attribute(name, name) }
      for name in ["min", "max", "step", "size", "maxlength", "width"] where values.random.chance(15) {
        attribute(name, values.number(in: nil))
      }
      if values.random.chance(8) { attribute("src", values.random.pick(SampleImages.rasters)) }
      commonAttributes()
      close(number)
    case 3: select(depth: depth)
    case 4:
      let number = open("textarea")
      for name in ["rows", "cols"] where values.random.chance(40) { attribute(name, values.integer(in: 0...9)) }
      commonAttributes()
      text()
      close(number)
    default:
      let number = open(values.random.word("button button progress meter"))
      for name in ["value", "max", "min", "low", "high", "optimum"] where values.random.chance(30) {
        attribute(name, values.number(in: nil))
      }
      commonAttributes()
      children(depth: depth + 1)
      close(number)
    }
  }

  private mutating func select(depth: Int) {
    let number = open("select")
    if values.random.chance(40) { attribute("size", values.integer(in: 0...5)) }
    if values.random.chance(30) { attribute("multiple", "") }
    commonAttributes()
    for _ in 0..<values.random.between(0, 3) {
      let name = values.random.word("option option optgroup hr")
      let option = open(name)
      if name == "optgroup" { attribute("label", "Group") }
      if values.random.chance(20) { attribute("selected", "") }
      commonAttributes()
      if name == "option" { text() }
      close(option)
    }
    close(number)
  }

  private mutating func image() {
    elements += 1
    var url = values.random.pick(values.random.chance(75) ? SampleImages.rasters : SampleImages.vectors)
    if values.random.chance(8), let comma = url.firstIndex(of: ",") {
      // Damage the data: truncate it, or change a few characters.
      var letters = Array(url[comma...])
      if values.random.chance(50) { letters.removeLast(values.random.below(letters.count)) }
      for _ in 0..<3 where letters.count > 4 {
        letters[values.random.between(2, letters.count - 1)] = values.random.pick(Array("AQgw9/+z"))
      }
      url = String(url[..<comma]) + String(letters)
    }
    let wraps = values.random.chance(15) ? open("picture") : nil
    if wraps != nil {
      let source = open("source", isVoid: true)
      attribute("srcset", "\(values.random.pick(SampleImages.rasters)) \(values.number(in: 0...4))x, x.png 2x")
      if values.random.chance(30) { attribute("media", "(min-width:\(values.length(in: nil)))") }
      close(source)
    }
    let number = open("img", isVoid: true)
    attribute("src", url)
    for name in ["width", "height", "border", "hspace"] where values.random.chance(15) { attribute(name, values.integer(in: nil)) }
    if values.random.chance(15) { attribute("alt", "Alternative") }
    if values.random.chance(10) { attribute("srcset", "\(url) \(values.integer(in: 0...400))w") }
    if values.random.chance(10) { attribute("sizes", "(width>9px) \(values.length(in: nil)), 10vw") }
    commonAttributes()
    close(number)
    if let wraps { close(wraps) }
  }

  private mutating func frame(depth: Int) {
    let name = values.random.word("iframe object embed video audio canvas frameset applet map")
    let number = open(name, isVoid: name == "embed")
    for name in ["width", "height"] where values.random.chance(30) { attribute(name, values.integer(in: nil)) }
    if name == "object" { attribute("data", values.random.pick(SampleImages.rasters)) }
    if name == "video" { attribute("poster", values.random.pick(SampleImages.rasters)) }
    commonAttributes()
    if name != "embed" { children(depth: depth + 1) }
    close(number)
  }
}
