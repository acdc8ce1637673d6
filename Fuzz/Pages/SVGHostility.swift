/// Generates hostile SVG: short documents that require excessive time or memory unless the renderer limits them.
extension PageGenerator {
  mutating func hostileSVG() {
    switch values.random.below(10) {
    case 0: nested("g", depth: values.random.pick([50, 400, 3000]))
    case 1: nested("svg", depth: values.random.pick([50, 400]))
    case 2: manyUses()
    case 3: tinyTiles()
    case 4: filterArea()
    case 5: dashes()
    case 6: longPath()
    case 7: longText()
    case 8: nestedResource(values.random.word("mask clip-path filter fill"), values.random.pick([8, 60]))
    default: hugeNumbers()
    }
  }

  private mutating func leafElement(_ name: String, _ attributes: [(String, String)]) {
    let number = open(name)
    for (name, value) in attributes { attribute(name, value) }
    close(number)
  }

  private mutating func nested(_ name: String, depth: Int) {
    let numbers = (0..<depth).map { _ in
      let number = open(name)
      if values.random.chance(20) { attribute("opacity", ".9") }
      if values.random.chance(20) { attribute("transform", "rotate(1)") }
      return number
    }
    leafElement("rect", [("width", "9"), ("height", "9")])
    for number in numbers.reversed() { close(number) }
  }

  /// Each group instantiates the previous one many times, so that the number of elements grows exponentially.
  private mutating func manyUses() {
    let maximum = values.random.pick([2, 5, 10])
    for level in 0..<values.random.between(3, 30) {
      let number = open("g")
      attribute("id", "u\(level)")
      if level == 0 { leafElement("rect", [("width", "5"), ("height", "5")]) }
      for _ in 0..<(level == 0 ? 0 : maximum) { leafElement("use", [("href", "#u\(level - 1)"), ("x", "1")]) }
      close(number)
    }
  }

  private mutating func tinyTiles() {
    let number = open("pattern")
    attribute("id", "tiny")
    for (name, value) in [("width", "1e-4"), ("height", values.random.word("1e-4 1e-9 1e9 .5")), ("patternUnits", "userSpaceOnUse")] {
      attribute(name, value)
    }
    leafElement("rect", [("width", "1"), ("height", "1"), ("fill", "url(#tiny)")])
    close(number)
    leafElement("rect", [("width", "1e5"), ("height", "1e5"), ("fill", "url(#tiny)"), ("stroke", "url(#tiny)")])
  }

  private mutating func filterArea() {
    let number = open("filter")
    attribute("id", "large")
    for (name, value) in [("x", "-1e6"), ("y", "-1e6"), ("width", "2e6"), ("height", "2e6"), ("filterUnits", "userSpaceOnUse")] {
      attribute(name, value)
    }
    leafElement("feTurbulence", [("baseFrequency", "1e-5"), ("numOctaves", "1e9")])
    leafElement("feGaussianBlur", [("stdDeviation", values.random.word("1e5 1e9 300"))])
    leafElement("feMorphology", [("radius", values.random.word("1e5 1e9 300")), ("operator", "dilate")])
    close(number)
    leafElement(
      "rect", [("width", "99"), ("height", "99"), ("filter", "url(#large)"), ("transform", values.random.word("rotate(9) scale(99)"))])
  }

  private mutating func dashes() {
    leafElement(
      "path",
      [
        ("d", "M0 0L1e6 1e6C1e7 0 0 1e7 9 9Z"), ("stroke", "red"), ("stroke-width", values.random.word("1 1e-3 1e6")),
        ("stroke-dasharray", values.random.word("1e-6 .01 1e-30 1,1e-9")), ("stroke-dashoffset", values.random.word("0 1e9 -1e9")),
        ("pathLength", values.random.word("1 1e-9 1e9")),
      ])
  }

  private mutating func longPath() {
    let count = values.random.pick([2000, 20_000])
    let data = (0..<count).map { "\("LQCAlhtz".randomElement(using: &values.random) ?? "L")\($0 % 97) \($0 % 89) 5 1 0 9 \($0 % 7)" }
    leafElement("path", [("d", "M0 0" + data.joined()), ("stroke", "red"), ("stroke-linejoin", "round"), ("marker-mid", "url(#m)")])
  }

  private mutating func longText() {
    let number = open("text"), count = values.random.pick([500, 5000, 50_000])
    attribute("x", (0..<min(count, 20_000)).map { "\($0 % 300)" }.joined(separator: " "))
    attribute("rotate", "5 9")
    if values.random.chance(50) { attribute("textLength", "1e9") }
    page.items.append(.text(String(repeating: values.random.word("ab שa 😀e"), count: count)))
    close(number)
  }

  /// A chain of resources, each of which references the next.
  private mutating func nestedResource(_ property: String, _ depth: Int) {
    let element = ["mask": "mask", "clip-path": "clipPath", "filter": "filter", "fill": "pattern"][property] ?? "mask"
    for level in 0..<depth {
      let number = open(element)
      attribute("id", "n\(level)")
      if element == "pattern" { attribute("width", ".5"); attribute("height", ".5") }
      if element == "filter" {
        leafElement("feImage", [("href", "#r\(level + 1)")])
      } else {
        leafElement("rect", [("width", "50"), ("height", "50"), (property, "url(#n\(level + 1))")])
        leafElement("circle", [("r", "20"), (property, "url(#n\(level + 1))")])
      }
      close(number)
      if element == "filter" { leafElement("rect", [("id", "r\(level)"), ("width", "9"), ("height", "9"), ("filter", "url(#n\(level))")]) }
    }
    leafElement("rect", [("width", "80"), ("height", "80"), (property, "url(#n0)")])
  }

  private mutating func hugeNumbers() {
    let huge = values.random.word("1e9 1e30 -1e9 1e-30 2147483648 NaN")
    leafElement("circle", [("cx", huge), ("r", "1e20"), ("stroke-width", huge), ("stroke", "red")])
    leafElement("image", [("width", huge), ("height", "1e9"), ("href", values.random.pick(SampleImages.vectors))])
    leafElement("path", [("d", "M\(huge) 0A\(huge) 1e-9 0 1 1 \(huge) 9"), ("stroke", "red"), ("transform", "scale(\(huge))")])
  }
}
