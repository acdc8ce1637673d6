/// Style rules of an SVG. Selectors are read generously: a rule may be taken to apply where it does not, never the other way.
struct SVGStyleRules {
  private struct Rule {
    /// Empty: any.
    var tag: String
    var id: String
    var classes: [String]
    var declarations: [(name: String, value: String)]
  }

  private var rules: [Rule] = []

  /// - Throws: `limitExceeded` where there are too many, or others are imported.
  mutating func add(_ text: String) throws(ImageError) {
    // What is open at the end is closed there.
    let css = Self.plain(text) + "}"
    guard !css.lowercased().contains("@import") else {
      throw ImageError(.limitExceeded, "The SVG's style sheet imports others.")
    }
    var selector = "", rest = css[...]
    while let next = rest.firstIndex(where: { "{};".contains($0) }) {
      let part = String(rest[..<next])
      switch rest[next] {
      case "{": selector = part
      case "}":
        for one in selector.split(separator: ",") { add(one, Self.declarations(selector.isEmpty ? "" : body + part)) }
        (selector, body) = ("", "")
      default: body = selector.isEmpty ? "" : body + part + ";"
      }
      if rules.count > 10_000 { throw ImageError(.limitExceeded, "The SVG's style sheet is too long.") }
      rest = rest[rest.index(after: next)...]
    }
  }

  private var body = ""

  private mutating func add(_ selector: Substring, _ declarations: [(name: String, value: String)]) {
    let compound = selector.split { " \n\t\r>+~".contains($0) }.last ?? "*"
    var rule = Rule(tag: "", id: "", classes: [], declarations: declarations), kind: Character = " ", word = ""
    func isName(_ c: Character) -> Bool { c.isLetter || c.isNumber || c == "-" || c == "_" }
    func finish() {
      switch kind {
      case " ": rule.tag = word
      case "#": rule.id = word
      case ".": rule.classes.append(word)
      default: break
      }
    }
    for c in compound {
      if kind == "[" { continue }
      if isName(c) { word.append(c) } else { finish(); (kind, word) = (c, "") }
    }
    finish()
    rules.append(rule)
  }

  func apply(to element: inout SVGOutline.Element) {
    guard !rules.isEmpty else { return }
    let classes = (element.attributes["class"] ?? "").split { $0.isWhitespace }.map(String.init)
    for rule in rules
    where (rule.tag.isEmpty || rule.tag == element.name) && (rule.id.isEmpty || rule.id == element.attributes["id"])
      && rule.classes.allSatisfy({ classes.contains($0) })
    {
      element.declarations += rule.declarations
    }
  }

  static func declarations(_ text: String) -> [(name: String, value: String)] {
    plain(text).split(separator: ";").prefix(1000).compactMap { part in
      guard let colon = part.firstIndex(of: ":") else { return nil }
      let name = part[..<colon].lowercased().filter { !$0.isWhitespace }
      return (name, String(part[part.index(after: colon)...]))
    }
  }

  /// Without comments and escapes, and without braces inside strings and parentheses, so that what remains are those of blocks.
  /// https://drafts.csswg.org/css-syntax-3/#consume-token
  private static func plain(_ text: String) -> String {
    guard text.utf8.contains(where: { "\\/\"'(".utf8.contains($0) }) else { return text }
    var result = String.UnicodeScalarView(), rest = Array(text.unicodeScalars)[...]
    var quote: Unicode.Scalar?, parentheses = 0
    while let c = rest.popFirst() {
      switch c {
      case "\\": result.append(escaped(&rest))
      case "/" where rest.first == "*" && quote == nil:
        rest = rest.dropFirst()
        while let d = rest.popFirst(), !(d == "*" && rest.first == "/") {}
        rest = rest.dropFirst()
        result.append(" ")
      case "\"", "'":
        if quote == nil { quote = c } else if quote == c { quote = nil }
        result.append(c)
      // A string ends with its line.
      case "\n", "\r", "\u{c}":
        quote = nil
        result.append(" ")
      case "{" where quote != nil || parentheses > 0, "}" where quote != nil || parentheses > 0: result.append("?")
      default:
        if quote == nil, c == "(" { parentheses += 1 }
        if quote == nil, c == ")" { parentheses = max(0, parentheses - 1) }
        result.append(c)
      }
    }
    return String(result)
  }

  /// What stands behind a backslash: never what structures the sheet.
  private static func escaped(_ rest: inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar {
    let digits = rest.prefix(6).prefix { $0.properties.isASCIIHexDigit }
    var scalar = rest.first ?? "?"
    rest = rest.dropFirst(max(1, digits.count))
    if !digits.isEmpty {
      scalar = UInt32(digits.map(String.init).joined(), radix: 16).flatMap(Unicode.Scalar.init) ?? "?"
      if let next = rest.first, next.properties.isWhitespace { rest = rest.dropFirst() }
    }
    return scalar.properties.isAlphabetic || 0x30...0x39 ~= scalar.value || "-_.%+".unicodeScalars.contains(scalar) ? scalar : "?"
  }
}
