extension PageGenerator {
  /// A style rule, or a conditional rule with rules in it.
  mutating func rule(depth: Int) {
    if depth < 3, values.random.chance(12) { return group(depth: depth) }
    let number = page.items.count
    page.items.append(.ruleOpen(selectorList()))
    for declaration in declarations(values.random.between(1, 5)) { page.items.append(.declaration(declaration)) }
    if depth < 3, values.random.chance(6) { rule(depth: depth + 1) }
    end(number)
  }

  private mutating func end(_ number: Int) {
    page.closes[number] = page.items.count
    page.items.append(.ruleClose)
  }

  private mutating func group(depth: Int) {
    let number = page.items.count
    let length = values.length(in: 0...1e9)
    page.items.append(
      .ruleOpen(
        values.random.pick([
          "@media (min-width:\(length))", "@media screen and (orientation:landscape), print", "@media not all and (width<=\(length))",
          "@media (min-resolution:\(values.number(in: nil))dppx)", "@container (width>\(length))", "@container a (inline-size<\(length))",
          "@container (aspect-ratio>\(values.number(in: 0...9)))", "@container style(--v0:1)", "@layer a", "@layer", "@layer b.c",
          "@supports (display:grid) and (not (x:y))", "@supports selector(:has(a))", "@scope (div) to (p)", "@scope",
        ])))
    for _ in 0..<values.random.between(1, 3) { rule(depth: depth + 1) }
    end(number)
  }

  // MARK: Selectors

  private mutating func selectorList() -> String {
    var selectors = [selector(depth: 0)]
    while values.random.chance(20), selectors.count < 4 { selectors.append(selector(depth: 0)) }
    return selectors.joined(separator: ",")
  }

  private mutating func selector(depth: Int) -> String {
    var text = compound(depth: depth)
    while values.random.chance(25) { text += values.random.pick([" ", ">", "+", "~"]) + compound(depth: depth) }
    if depth == 0, values.random.chance(22) {
      text += values.random.word("::before ::after ::marker ::first-line ::first-letter ::placeholder ::backdrop ::file-selector-button")
      if !text.hasSuffix("er"), values.random.chance(10) { text += "::marker" }
    }
    return text
  }

  private mutating func compound(depth: Int) -> String {
    var text =
      values.random.chance(65)
      ? values.random.word("* * div p span table td tr li ul body html :root img svg input button select details ruby rt a fieldset hr")
      : ""
    while text.isEmpty || values.random.chance(20) { text += simple(depth: depth) }
    return text
  }

  private mutating func simple(depth: Int) -> String {
    switch values.random.below(12) {
    case 0...3: return values.random.word(".a .b .c .d")
    case 4: return values.random.word("#a #b #g")
    case 5: return values.random.pick(["[id]", "[class~=a]", "[class^=\"a\"]", "[data-a*='1' i]", "[class$=b]", "[lang|=en]"])
    case 6:
      let formula = values.random.pick(["odd", "even", "2n+1", "-n+3", "3", "n", "99999999999n-1", "0n+0", "-3n-2147483648"])
      return values.random.word(":nth-child( :nth-last-child( :nth-of-type( :nth-last-of-type(") + formula + ")"
    case 7 where depth < 3:
      return values.random.word(":is( :where( :not( :has( :is(") + selector(depth: depth + 1) + ")"
    case 8: return ":has(> \(depth < 2 ? compound(depth: depth + 1) : "*"))"
    case 9: return values.random.word(":lang(en) :dir(rtl) :scope :empty :root :link :checked :disabled :required :open :in-range")
    default:
      return values.random.word(":first-child :last-child :only-child :first-of-type :last-of-type :only-of-type :enabled :read-only")
    }
  }

  // MARK: At-rules

  mutating func atRule() {
    let rule: String
    switch values.random.below(6) {
    case 0:
      rule = """
        @font-face{font-family:F;src:url(\(values.random.word("LiberationSerif-Italic.ttf DejaVuSans.ttf none.ttf"))),local("Liberation Mono");\
        size-adjust:\(values.percentage(in: 0...1000));ascent-override:\(values.percentage(in: 0...1000));\
        descent-override:\(values.percentage(in: 0...1000));line-gap-override:\(values.percentage(in: 0...1000));unicode-range:U+0-\
        \(values.random.word("7F 10FFFF 3?? FFFFFFF"));font-weight:\(values.integer(in: 1...900)) \(values.integer(in: 1...900))}
        """
    case 1: rule = "@keyframes a{from{\(declaration().text)}to{\(declaration().text)}}"
    case 2:
      rule = """
        @property --v\(values.random.below(4)){syntax:"\(values.random.word("<length> <color> <number>+ <integer># * <transform-list>"))";\
        inherits:\(values.random.word("true false"));initial-value:\(values.length(in: nil))}
        """
    case 3:
      rule = """
        @counter-style custom{system:\(values.random.pick(["cyclic", "numeric", "alphabetic", "symbolic", "additive", "fixed \(values.integer(in: nil))", "extends decimal", "extends custom"]));\
        symbols:"\(values.string())" "b" "c";additive-symbols:\(values.integer(in: 0...99)) "x", 1 "i";prefix:"(";suffix:")";\
        range:\(values.integer(in: nil)) infinite;pad:\(values.integer(in: 0...9)) "0";negative:"-" "~";fallback:custom}
        """
    case 4: rule = "@layer b, a;@import url(missing.css) layer(a);@namespace svg url(http://www.w3.org/2000/svg);"
    default: rule = "@font-feature-values F{@styleset{a:1}}@page{margin:\(values.length(in: nil))}"
    }
    page.items.append(.raw(rule))
  }
}
