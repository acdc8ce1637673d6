/// Generates MathML: elements with and without their required children, and valid and invalid attributes.
extension PageGenerator {
  private static let tokens: StaticWords = "mi mn mo mo mtext ms"
  private static let containers: StaticWords = """
    mrow mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mtable mtr mtd mpadded mphantom mstyle merror
    semantics maction mspace foo
    """
  private static let operators = [
    "+", "-", "=", "(", ")", "{", "|", "∑", "∫", "→", "⏞", "^", "¯", "√", "&amp;&amp;", "≠", "⇌", "{", "]", "‖", "⁡", ",", "\u{1EEF0}", "≠",
  ]
  private static let lengths: StaticWords =
    "lspace rspace minsize maxsize linethickness width height depth voffset mathsize columnspan rowspan scriptlevel"
  private static let switches: StaticWords =
    "stretchy symmetric largeop movablelimits accent accentunder displaystyle fence separator"

  mutating func math(depth: Int) {
    let number = open("math")
    if page.isXHTML { attribute("xmlns", "http://www.w3.org/1998/Math/MathML") }
    if values.random.chance(40) { attribute("display", values.random.word("block inline none")) }
    if values.random.chance(15) { attribute("dir", values.random.word("rtl ltr auto")) }
    commonAttributes()
    for _ in 0..<values.random.between(1, 4) { mathElement(depth: depth + 1) }
    close(number)
  }

  private mutating func mathElement(depth: Int) {
    elements += 1
    let isToken = depth > 12 || values.random.chance(45)
    let name = values.random.word(isToken ? Self.tokens : Self.containers)
    let number = open(name)
    commonAttributes()
    mathAttributes()
    if isToken {
      mathText(name)
    } else {
      for index in 0..<values.random.between(0, name == "mmultiscripts" ? 6 : 3) {
        if name == "mmultiscripts", index > 0, values.random.chance(25) { close(open(values.random.word("mprescripts none"))) }
        mathElement(depth: depth + 1)
      }
    }
    close(number)
  }

  private mutating func mathText(_ name: String) {
    switch name {
    case "mo": page.items.append(.text(values.random.pick(Self.operators)))
    case "mi" where values.random.chance(70): page.items.append(.text(values.random.word("x y f Γ sin ∂ ı ا 字")))
    default: text()
    }
  }

  private mutating func mathAttributes() {
    if values.random.chance(25) {
      attribute(
        values.random.word(Self.lengths),
        values.random.chance(70) ? values.length(in: nil) : values.random.word("1e9em -1e9px 50% +1 -2 3 x NaNpx"))
    }
    if values.random.chance(20) { attribute(values.random.word(Self.switches), values.random.word("true false TRUE x")) }
    if values.random.chance(8) { attribute("form", values.random.word("prefix infix postfix x")) }
    if values.random.chance(8) { attribute("mathvariant", values.random.word("normal italic bold")) }
    if values.random.chance(8) { attribute(values.random.word("mathcolor mathbackground"), values.random.word("red #0f08 url(x) red;x:y")) }
  }
}
