/// A grammar in CSS's value definition syntax.
///
/// https://drafts.csswg.org/css-values-4/#value-defs
indirect enum Grammar: Sendable {
  case literal(String)
  /// The name without angle brackets; `range` is nil if the grammar does not restrict the value.
  case terminal(String, range: ClosedRange<Double>?)
  case function(String, Grammar)
  case sequence([Grammar])
  /// `&&`
  case allOf([Grammar])
  /// `||`
  case anyOf([Grammar])
  case oneOf([Grammar])
  case repeated(Grammar, ClosedRange<Int>, commas: Bool)

  init(_ text: String) {
    var parser = GrammarParser(text)
    self = parser.alternatives()
  }
}

/// Parses grammars leniently, because those of the property table are written for people.
struct GrammarParser {
  private let text: [Character]
  private var index = 0

  init(_ text: String) { self.text = Array(text) }

  private mutating func skipSpace() { while index < text.count, text[index] == " " || text[index] == "\n" { index += 1 } }

  private mutating func accept(_ token: String) -> Bool {
    skipSpace()
    let characters = Array(token)
    guard index + characters.count <= text.count, Array(text[index..<index + characters.count]) == characters else { return false }
    index += characters.count
    return true
  }

  private mutating func peek() -> Character? {
    skipSpace()
    return index < text.count ? text[index] : nil
  }

  mutating func alternatives() -> Grammar { list(Grammar.oneOf, { $0.someOf() }) { !$0.accept("||") && $0.accept("|") } }
  private mutating func someOf() -> Grammar { list(Grammar.anyOf, { $0.allOf() }) { $0.accept("||") } }
  private mutating func allOf() -> Grammar { list(Grammar.allOf, { $0.sequence() }) { $0.accept("&&") } }

  private mutating func list(
    _ make: ([Grammar]) -> Grammar, _ item: (inout GrammarParser) -> Grammar, _ separator: (inout GrammarParser) -> Bool
  ) -> Grammar {
    var items = [item(&self)]
    while separator(&self) { items.append(item(&self)) }
    return items.count == 1 ? items[0] : make(items)
  }

  private mutating func sequence() -> Grammar {
    var items: [Grammar] = []
    while let next = peek(), next != "|", next != "&", next != "]", next != ")" {
      items.append(multiplied(component()))
    }
    return items.count == 1 ? items[0] : .sequence(items)
  }

  private mutating func component() -> Grammar {
    if accept("[") {
      let inner = alternatives()
      _ = accept("]")
      return inner
    }
    if accept("<") { return terminal() }
    if let next = peek(), next == "," || next == "/" {
      index += 1
      return .literal(String(next))
    }
    if let next = peek(), next == "'" || next == "\"" { return quoted(next) }
    return word()
  }

  /// `'['` is a literal bracket; strings keep their quotes.
  private mutating func quoted(_ quote: Character) -> Grammar {
    let body = text[(index + 1)...].prefix { $0 != quote }
    index = min(text.count, index + body.count + 2)
    return .literal(quote == "'" ? String(body) : "\"\(String(body))\"")
  }

  private mutating func terminal() -> Grammar {
    var name = ""
    while index < text.count, text[index] != ">" {
      name.append(text[index])
      index += 1
    }
    index += 1
    guard let bracket = name.firstIndex(of: "[") else { return .terminal(name, range: nil) }
    let bounds = name[bracket...].dropFirst().prefix { $0 != "]" }.split(separator: ",").map { Double($0) }
    let range = (bounds.first.flatMap { $0 } ?? -1e9)...(bounds.last.flatMap { $0 } ?? 1e9)
    return .terminal(name[..<bracket].split(separator: " ").joined(), range: range)
  }

  private mutating func word() -> Grammar {
    var word = ""
    while index < text.count, !" []|&?*+#{},/<>()\n".contains(text[index]) {
      word.append(text[index])
      index += 1
    }
    if index < text.count, text[index] == "(" {
      index += 1
      if accept(")") { return .terminal(word + "()", range: nil) }
      let inner = alternatives()
      _ = accept(")")
      return .function(word, inner)
    }
    // Skip characters that are not part of the syntax.
    if word.isEmpty { index += 1 }
    return .literal(word == "…" ? "" : word)
  }

  private mutating func multiplied(_ grammar: Grammar) -> Grammar {
    guard index < text.count else { return grammar }
    switch text[index] {
    case "?": return again(grammar, 0...1)
    case "*": return again(grammar, 0...3)
    case "+": return again(grammar, 1...4)
    case "#": return again(grammar, 1...3, commas: true)
    case "{":
      let body = text[(index + 1)...].prefix { $0 != "}" }
      index += body.count + 1
      let bounds = String(body).split(separator: ",").map { Int($0) ?? 1 }
      return again(grammar, (bounds.first ?? 1)...max(bounds.first ?? 1, bounds.last ?? 1))
    default: return grammar
    }
  }

  private mutating func again(_ grammar: Grammar, _ range: ClosedRange<Int>, commas: Bool = false) -> Grammar {
    index += 1
    // Multipliers can be combined: `#{2}`, `#?`.
    return multiplied(.repeated(grammar, range, commas: commas))
  }
}
