import OffprintCSS
import OffprintCoreTypes

/// The counter styles of a page, predefined ones and `@counter-style` rules. https://drafts.csswg.org/css-counter-styles-3/
struct CounterStyles {
  enum System {
    case cyclic([String])
    case numeric([String])
    case alphabetic([String])
    case additive([(Int, String)], ClosedRange<Int>)
    case fixed([String])
    case chinese(digits: [String], units: [String], informal: Bool)
    case ethiopic
  }

  private let rules: [ByteString: CounterStyleRule]
  /// In bytes. A representation has up to 200 symbols; styles with longer symbols fail to generate one.
  private static let longestSymbol = 16 << 10

  /// Collects the page's `@counter-style` rules; the last rule with a name wins.
  init(_ styled: StyledDocument) {
    rules = Dictionary(styled.counterStyles.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// https://drafts.csswg.org/css-counter-styles-3/#generate-a-counter
  func representation(_ value: Int, style name: ByteString) -> String { representation(value, style: name, depth: 0) }

  private func representation(_ value: Int, style name: ByteString, depth: Int) -> String {
    if let rule = rules[name], depth < 32 { return represent(value, rule, depth: depth) }
    return predefined(value, style: name.text)
  }

  private func represent(_ value: Int, _ rule: CounterStyleRule, depth: Int) -> String {
    if case .extends(let base) = rule.system {
      // A `range` descriptor replaces the range of the predefined system.
      if rule.range != nil, rules[base] == nil, let system = Self.system(base.text) {
        return extended(value, rule, system, fallback: fallback(rule, base), depth: depth)
      }
      if let range = rule.range, !range.contains(where: { $0.contains(value) }) {
        return representation(value, style: fallback(rule, base), depth: depth + 1)
      }
      return padded(representation(value, style: base, depth: depth + 1), rule)
    }
    let isInRange = rule.range.map { $0.contains { $0.contains(value) } } ?? Self.automaticRange(rule.system).contains(value)
    let usesSign: Bool =
      switch rule.system {
      case .cyclic, .fixed, .extends: false
      default: value < 0
      }
    let magnitude = usesSign ? Int(clamping: value.magnitude) : value
    guard isInRange, let text = symbols(magnitude, rule) else {
      return representation(value, style: rule.fallback ?? "decimal", depth: depth + 1)
    }
    guard usesSign else { return padded(text, rule) }
    let sign = rule.negative ?? ("-", "")
    return sign.prefix + padded(text, rule, reserved: sign.prefix.count + sign.suffix.count) + sign.suffix
  }

  /// The fallback of a style that extends another: its own, or that of the extended style.
  private func fallback(_ rule: CounterStyleRule, _ base: ByteString) -> ByteString {
    if let own = rule.fallback { return own }
    if let outer = rules[base] { return outer.fallback ?? "decimal" }
    return Self.eastAsian.contains { base.text.hasPrefix($0) } && !base.text.hasPrefix("korean-") ? "cjk-decimal" : "decimal"
  }

  private func extended(_ value: Int, _ rule: CounterStyleRule, _ system: System, fallback: ByteString, depth: Int) -> String {
    let magnitude = Int(clamping: value.magnitude)
    let text: String? =
      switch system {
      case .additive(let tuples, _) where magnitude <= 200 * (tuples.first?.0 ?? 0): Self.write(magnitude, .additive(tuples, 0...Int.max))
      case .additive: nil
      default: Self.write(magnitude, system)
      }
    guard rule.range?.contains(where: { $0.contains(value) }) == true, let text else {
      return representation(value, style: fallback, depth: depth + 1)
    }
    let sign = rule.negative ?? ("-", "")
    return value < 0 ? sign.prefix + padded(text, rule, reserved: sign.prefix.count + sign.suffix.count) + sign.suffix : padded(text, rule)
  }

  /// https://drafts.csswg.org/css-counter-styles-3/#counter-style-range
  private static func automaticRange(_ system: CounterStyleRule.System) -> ClosedRange<Int> {
    switch system {
    case .alphabetic, .symbolic: 1...Int.max
    case .additive: 0...Int.max
    case .cyclic, .numeric, .fixed, .extends: Int.min...Int.max
    }
  }

  private func padded(_ text: String, _ rule: CounterStyleRule, reserved: Int = 0) -> String {
    let missing = min(rule.padLength, 200) - text.count - reserved
    return missing > 0 && rule.padSymbol.utf8.count <= Self.longestSymbol ? String(repeating: rule.padSymbol, count: missing) + text : text
  }

  private func symbols(_ value: Int, _ rule: CounterStyleRule) -> String? {
    guard !Self.hasOverlongSymbols(rule) else { return nil }
    let symbols = rule.symbols.map { if case .text(let text) = $0 { text } else { "" } }
    switch rule.system {
    case .cyclic: return Self.write(value, .cyclic(symbols))
    case .numeric: return Self.write(value, .numeric(symbols))
    case .alphabetic: return Self.write(value, .alphabetic(symbols))
    case .fixed(let first):
      let (index, overflow) = value.subtractingReportingOverflow(first)
      return !overflow && symbols.indices.contains(index) ? symbols[index] : nil
    case .symbolic:
      guard value > 0, !symbols.isEmpty, value <= symbols.count * 200 else { return nil }
      return String(repeating: symbols[(value - 1) % symbols.count], count: (value - 1) / symbols.count + 1)
    case .additive:
      let tuples = rule.additiveSymbols.map { tuple in (tuple.weight, { if case .text(let text) = tuple.symbol { text } else { "" } }()) }
      guard value >= 0, value <= 200 * (tuples.first?.0 ?? 0) else { return nil }
      return Self.write(value, .additive(tuples, 0...Int.max))
    case .extends: return nil
    }
  }

  private static func hasOverlongSymbols(_ rule: CounterStyleRule) -> Bool {
    func isOverlong(_ symbol: CounterStyleRule.Symbol) -> Bool {
      if case .text(let text) = symbol { text.utf8.count > longestSymbol } else { false }
    }
    return rule.symbols.contains(where: isOverlong) || rule.additiveSymbols.contains { isOverlong($0.symbol) }
  }

  private func predefined(_ value: Int, style name: String) -> String {
    switch name {
    case "disc": return "•"
    case "circle": return "◦"
    case "square": return "■"
    case "disclosure-open": return "▾"
    case "disclosure-closed": return "▸"
    case "none": return ""
    case "decimal-leading-zero":
      let digits = String(value.magnitude)
      return (value < 0 ? "-" : "") + (digits.count < 2 ? "0" + digits : digits)
    default:
      guard let system = Self.system(name) else { return String(value) }
      if abs(Double(value)) > 9999, let text = Self.longNumber(value, name, system) { return text }
      // Long numbers in East Asian styles are written digit by digit. https://drafts.csswg.org/css-counter-styles-3/#limited-chinese
      let isEastAsian = Self.eastAsian.contains { name.hasPrefix($0) }
      if isEastAsian, abs(Double(value)) > 9999 {
        if name.hasPrefix("korean-") { return String(value) }
        return Self.system("cjk-decimal").flatMap { Self.write(value, $0) } ?? String(value)
      }
      if isEastAsian, value < 0, let sign = Self.negativeWords.first(where: { name.hasPrefix($0.prefix) })?.sign {
        return sign + (Self.write(-value, system) ?? String(-value))
      }
      return Self.write(value, system) ?? String(value)
    }
  }

  /// Numbers of more than four digits in groups of four, for the Chinese and formal Korean styles.
  private static func longNumber(_ value: Int, _ name: String, _ system: System) -> String? {
    let units: [String]
    switch name {
    case "hebrew": return longHebrew(value, system)
    case "simp-chinese-informal": units = ["", "万", "亿", "万亿"]
    case "simp-chinese-formal": units = ["", "万", "亿", "万亿"]
    case "trad-chinese-informal", "trad-chinese-formal", "cjk-ideographic": units = ["", "萬", "億", "兆"]
    case "korean-hanja-formal": units = ["", "萬 ", "億 ", "兆 "]
    case "korean-hangul-formal": units = ["", "만 ", "억 ", "조 "]
    default: return nil
    }
    var groups: [Int] = [], rest = value.magnitude
    while rest > 0 {
      groups.append(Int(rest % 10_000))
      rest /= 10_000
    }
    guard groups.count <= units.count else { return nil }
    var text = ""
    for index in groups.indices.reversed() where groups[index] > 0 {
      let isFirst = text.isEmpty
      if case .chinese(let digits, let tens, let informal) = system, digits.count == 11 {
        if !isFirst, groups[index] < 1000 || index + 1 < groups.count && groups[index + 1] == 0 { text += digits[0] }
        text += chinese(groups[index], digits: digits, units: tens, informal: informal && isFirst) ?? ""
      } else {
        text += write(groups[index], system) ?? ""
      }
      text += units[index]
    }
    if text.hasSuffix(" ") { text.removeLast() }
    guard value < 0 else { return text }
    if case .chinese(let digits, _, _) = system, digits.count == 11 { return digits[10] + text }
    return "마이너스 " + text
  }

  /// Chromium writes numbers beyond the predefined range with the thousands before a geresh.
  private static func longHebrew(_ value: Int, _ system: System) -> String? {
    guard 10_000...999_999 ~= value, let thousands = write(value / 1000, system) else { return nil }
    return thousands + "׳" + (write(value % 1000, system) ?? "")
  }

  private static let eastAsian = ["japanese-", "korean-", "simp-chinese-", "trad-chinese-", "cjk-ideographic"]
  private static let negativeWords = [(prefix: "japanese-", sign: "マイナス"), (prefix: "korean-", sign: "마이너스 ")]

  /// A representation in an anonymous `symbols()` style.
  func representation(_ value: Int, _ rule: CounterStyleRule) -> String { represent(value, rule, depth: 0) }

  func markerText(_ value: Int, _ rule: CounterStyleRule) -> String { represent(value, rule, depth: 0) + " " }

  /// Whether the page defines this style itself.
  func isDefined(_ name: ByteString) -> Bool { rules[name] != nil }

  func markerText(_ value: Int, style name: ByteString) -> String {
    let (prefix, suffix) = affixes(name, depth: 0)
    return prefix + representation(value, style: name) + suffix
  }

  /// The prefix and suffix of a marker. A style that extends another inherits those that it does not specify.
  private func affixes(_ name: ByteString, depth: Int) -> (prefix: String, suffix: String) {
    guard let rule = rules[name], depth < 32 else { return ("", Self.suffix(name.text)) }
    guard case .extends(let base) = rule.system else { return (rule.prefix ?? "", rule.suffix ?? ". ") }
    let inherited = affixes(base, depth: depth + 1)
    return (rule.prefix ?? inherited.prefix, rule.suffix ?? inherited.suffix)
  }

  private static func suffix(_ name: String) -> String {
    switch name {
    case "disc", "circle", "square", "disclosure-open", "disclosure-closed": " "
    case "cjk-decimal", "hiragana", "hiragana-iroha", "katakana", "katakana-iroha", "cjk-earthly-branch", "cjk-heavenly-stem",
      "japanese-informal", "japanese-formal", "simp-chinese-informal", "simp-chinese-formal", "trad-chinese-informal",
      "trad-chinese-formal", "cjk-ideographic":
      "、"
    case "korean-hangul-formal", "korean-hanja-informal", "korean-hanja-formal": ", "
    case "ethiopic-numeric", "ethiopic-halehame", "ethiopic-halehame-am", "ethiopic-halehame-ti-er", "ethiopic-halehame-ti-et": "/ "
    default: ". "
    }
  }

  static func write(_ value: Int, _ system: System) -> String? {
    switch system {
    case .cyclic(let symbols):
      guard !symbols.isEmpty else { return nil }
      let index = (value - 1) % symbols.count
      return symbols[index < 0 ? index + symbols.count : index]
    case .fixed(let symbols): return symbols.indices.contains(value - 1) ? symbols[value - 1] : nil
    case .numeric(let symbols): return value < 0 ? numeric(value.magnitude, symbols).map { "-" + $0 } : numeric(value.magnitude, symbols)
    case .alphabetic(let symbols): return alphabetic(value, symbols)
    case .additive(let tuples, let range): return range.contains(value) ? additive(value, tuples) : nil
    case .chinese(let digits, let units, let informal):
      return chinese(value, digits: digits, units: units, informal: informal)
    case .ethiopic: return ethiopic(value)
    }
  }

  private static func numeric(_ value: UInt, _ symbols: [String]) -> String? {
    guard symbols.count >= 2 else { return nil }
    let base = UInt(symbols.count)
    var rest = value
    var text = ""
    repeat {
      text = symbols[Int(rest % base)] + text
      rest /= base
    } while rest > 0
    return text
  }

  private static func alphabetic(_ value: Int, _ symbols: [String]) -> String? {
    guard value > 0, symbols.count >= 2 else { return nil }
    var rest = value
    var text = ""
    while rest > 0 {
      rest -= 1
      text = symbols[rest % symbols.count] + text
      rest /= symbols.count
    }
    return text
  }

  private static func additive(_ value: Int, _ tuples: [(Int, String)]) -> String? {
    guard value >= 0 else { return additive(-value, tuples).map { "-" + $0 } }
    if value == 0 { return tuples.first { $0.0 == 0 }?.1 }
    var rest = value
    var text = ""
    for (weight, symbol) in tuples where weight > 0 && weight <= rest {
      text += String(repeating: symbol, count: rest / weight)
      rest %= weight
    }
    return rest == 0 ? text : nil
  }

  /// https://drafts.csswg.org/css-counter-styles-3/#limited-chinese
  private static func chinese(_ value: Int, digits: [String], units: [String], informal: Bool) -> String? {
    guard abs(value) <= 9999, digits.count == 11 else { return nil }
    if value == 0 { return digits[0] }
    let number = abs(value)
    let places = [number / 1000, number / 100 % 10, number / 10 % 10, number % 10]
    var text = ""
    var pendingZero = false
    for (index, digit) in places.enumerated() {
      if digit == 0 {
        pendingZero = !text.isEmpty
        continue
      }
      if pendingZero { text += digits[0] }
      pendingZero = false
      let isBareTen = informal && index == 2 && digit == 1 && number < 20
      text += (isBareTen ? "" : digits[digit]) + units[3 - index]
    }
    return (value < 0 ? digits[10] : "") + text
  }

  /// https://drafts.csswg.org/css-counter-styles-3/#ethiopic-numeric-counter-style
  private static func ethiopic(_ value: Int) -> String? {
    guard value > 0 else { return nil }
    if value == 1 { return "፩" }
    let ones = ["", "፩", "፪", "፫", "፬", "፭", "፮", "፯", "፰", "፱"], tens = ["", "፲", "፳", "፴", "፵", "፶", "፷", "፸", "፹", "፺"]
    var groups: [Int] = []
    var rest = value
    while rest > 0 {
      groups.append(rest % 100)
      rest /= 100
    }
    var text = ""
    for index in groups.indices.reversed() {
      let group = groups[index]
      let isMostSignificantOne = index == groups.count - 1 && group == 1
      if group != 0 && !isMostSignificantOne && !(index % 2 == 1 && group == 1) { text += tens[group / 10] + ones[group % 10] }
      if index % 2 == 1 && group != 0 { text += "፻" }
      if index % 2 == 0 && index > 0 { text += "፼" }
    }
    return text
  }
}
