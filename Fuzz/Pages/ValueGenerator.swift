import OffprintCSS

/// Generates random property values from the grammars of the property table.
struct ValueGenerator {
  /// The percentage of numbers that are extreme.
  var hostility = 0.0
  var random: Random
  static let grammars: [String: Grammar] = {
    var result: [String: Grammar] = [:]
    let rows = PropertyTable.grammars
    let values = Dictionary(rows.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    for row in rows {
      var text = row.values
      if text.hasPrefix("as "), let other = values[String(text.dropFirst(3))] { text = other }
      if let given = Terminals.properties[row.name] { text = given }
      if text.isEmpty { text = row.longhands.map { "<'\($0)'>?" }.joined(separator: " ") }
      result[row.name] = Grammar(text)
    }
    return result
  }()
  static let all = PropertyTable.grammars.map(\.name)
  static let supported = PropertyTable.grammars.filter(\.isSupported).map(\.name)
  private static let terminals = Terminals.grammars.mapValues { Grammar($0) }
  /// Properties that determine the kind of layout. They are chosen more often than others.
  static let structural: StaticWords = """
    display display display display display position position float width height min-width max-width min-height max-height writing-mode
    direction overflow flex flex-direction flex-wrap grid-template-columns grid-template-rows grid-area grid-column margin padding border
    inset column-count columns column-span column-width aspect-ratio box-sizing font-size line-height white-space content contain
    container-type transform filter opacity clip-path mask background background-image border-image border-radius box-shadow mix-blend-mode
    table-layout border-collapse vertical-align text-align shape-outside align-items justify-content align-self gap break-inside
    break-after list-style-position -webkit-line-clamp text-overflow unicode-bidi perspective
    """

  init(seed: UInt64) { random = Random(seed: seed) }

  mutating func property() -> String {
    let roll = random.below(100)
    if roll < 45 { return random.word(Self.structural) }
    return roll < 93 ? random.pick(Self.supported) : random.pick(Self.all)
  }

  mutating func value(of property: String) -> String {
    switch random.below(200) {
    case 0: return "var(--v\(random.below(4)))"
    case 1: return random.word("inherit initial unset revert revert-layer")
    case 2: return "attr(data-a type(\(random.word("<length> <number> <percentage> <color> *"))), \(number(in: nil)))"
    default: break
    }
    guard let grammar = Self.grammars[property] else { return "0" }
    return text(grammar, depth: 0)
  }

  /// A random value that matches a grammar.
  mutating func text(_ grammar: Grammar, depth: Int) -> String {
    guard depth < 24 else { return "0" }
    switch grammar {
    case .literal(let word): return word
    case .terminal(let name, let range): return terminal(name, range, depth)
    case .function(let name, let inner): return "\(name)(\(text(inner, depth: depth + 1)))"
    case .sequence(let items): return join(items, depth)
    case .allOf(let items): return join(items.shuffled(using: &random), depth)
    case .anyOf(let items):
      let some = items.shuffled(using: &random)
      return join(Array(some.prefix(random.between(1, some.count))), depth)
    case .oneOf(let items): return text(random.pick(items), depth: depth + 1)
    case .repeated(let item, let range, let commas):
      // Prefer short lists.
      let count = range.lowerBound + (random.chance(55) ? min(1, range.count - 1) : random.below(range.count))
      return (0..<count).map { _ in text(item, depth: depth + 1) }.joined(separator: commas ? ", " : " ")
    }
  }

  private mutating func join(_ items: [Grammar], _ depth: Int) -> String {
    var parts: [String] = []
    for item in items {
      let part = text(item, depth: depth + 1)
      if !part.isEmpty { parts.append(part) }
    }
    return parts.joined(separator: " ")
  }

  private mutating func terminal(_ name: String, _ range: ClosedRange<Double>?, _ depth: Int) -> String {
    if name.hasPrefix("'") {
      return Self.grammars[String(name.dropFirst().dropLast())].map { text($0, depth: depth + 1) } ?? "0"
    }
    switch name {
    case "number": return number(in: range)
    case "integer": return integer(in: range)
    case "length": return length(in: range)
    case "percentage": return percentage(in: range)
    case "length-percentage": return lengthPercentage(in: range)
    case "flex": return number(in: 0...1000) + "fr"
    case "angle": return number(in: nil) + random.word("deg grad rad turn deg")
    case "time": return number(in: nil) + random.word("s ms")
    case "color": return color(depth)
    case "string": return "\"\(string())\""
    case "url": return "url(\(random.pick(SampleImages.urls)))"
    case "custom-ident": return random.word("a b c main side")
    case "dashed-ident": return random.word("--a --b --v0")
    default: return Self.terminals[name].map { text($0, depth: depth + 1) } ?? "auto"
    }
  }

  mutating func string() -> String {
    random.pick(["", "x", "a b", "—", "\\201C", "א", "日本", "\\A ", "fi", "🏳️‍🌈", "e\u{301}", "kern", "liga", "wght", "a b a b", "c c . d"])
  }

  private mutating func color(_ depth: Int) -> String {
    switch random.below(10) {
    case 0...4: return random.word("red #0f08 #123456 currentcolor transparent teal rgb(0,128,255) hsl(200deg,50%,50%) Canvas LinkText")
    case 5...7 where depth < 18: return text(Self.terminals["color-function"] ?? .literal("red"), depth: depth + 1)
    default: return "#" + String(random.next() & 0xFF_FFFF | 0x100_0000, radix: 16).dropFirst()
    }
  }
}
