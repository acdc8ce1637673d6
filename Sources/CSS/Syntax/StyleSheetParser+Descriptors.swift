import OffprintCoreTypes
import OffprintDOM

/// At-rules with descriptors.
extension StyleSheetParser {
  /// The descriptors of the block at `open`: names in lowercase, and values.
  func descriptors(_ open: Int) -> [(name: String, value: Range<Int>)] {
    var result: [(name: String, value: Range<Int>)] = []
    for part in list.split(list.contents(open), at: .semicolon) {
      let range = list.trimmed(part)
      let colon = list.skipWhitespace(range.lowerBound + 1)
      guard !range.isEmpty, list.kind(range.lowerBound) == .ident, colon < range.upperBound, list.kind(colon) == .colon else { continue }
      result.append((list.lowercased(range.lowerBound), list.trimmed((colon + 1)..<range.upperBound)))
    }
    return result
  }

  // MARK: @font-face

  /// https://drafts.csswg.org/css-fonts-4/#font-face-rule
  mutating func consumeFontFace(_ open: Int) {
    var rule = FontFaceRule()
    rule.baseURL = parserContext.baseURL
    for (name, value) in descriptors(open) where !value.isEmpty {
      switch name {
      case "font-family": rule.family = familyName(value)
      case "src": rule.sources = list.split(value, at: .comma).compactMap { source(list.trimmed($0)) }
      case "font-weight": rule.weight = numbers(value, keywords: ["normal": 400, "bold": 700]) ?? rule.weight
      case "font-stretch", "font-width": rule.stretch = numbers(value, keywords: Self.stretches) ?? rule.stretch
      case "font-style": rule.slope = slope(value)
      case "unicode-range": rule.unicodeRange = UnicodeRanges.parse(list.source(value)) ?? rule.unicodeRange
      case "ascent-override": rule.ascentOverride = percentage(value)
      case "descent-override": rule.descentOverride = percentage(value)
      case "line-gap-override": rule.lineGapOverride = percentage(value)
      case "size-adjust": rule.sizeAdjust = percentage(value) ?? 1
      default: break
      }
    }
    if !rule.family.isEmpty, !rule.sources.isEmpty { builder.fontFaces.append(rule) }
  }

  // MARK: @font-feature-values

  /// https://drafts.csswg.org/css-fonts-4/#font-feature-values
  mutating func consumeFontFeatureValues(_ prelude: Range<Int>, _ open: Int) {
    let families = list.split(prelude, at: .comma).map { familyName(list.trimmed($0)) }.filter { !$0.isEmpty }
    guard !families.isEmpty else { return report(.invalidAtRule, "The rule is not valid", prelude) }
    let contents = list.contents(open)
    var index = contents.lowerBound
    while index < contents.upperBound {
      let block = list.skipWhitespace(index + 1)
      if list.kind(index) == .atKeyword, block < contents.upperBound, list.kind(block) == .openCurly,
        let kind = FontStyle.Alternate.Kind.names.first(where: { list.lowercased(index) == "\($0.name)" })?.kind
      {
        for (name, numbers) in featureValues(block) {
          for family in families { builder.fontFeatureValues.define(name, kind, of: family, as: numbers) }
        }
        index = list.skip(block)
      } else {
        index = list.skip(index)
      }
    }
  }

  private func featureValues(_ open: Int) -> [(name: String, numbers: [Int])] {
    list.split(list.contents(open), at: .semicolon).compactMap { part in
      let range = list.trimmed(part)
      let colon = list.skipWhitespace(range.lowerBound + 1)
      guard !range.isEmpty, list.kind(range.lowerBound) == .ident, colon < range.upperBound, list.kind(colon) == .colon else { return nil }
      let numbers = ((colon + 1)..<max(range.upperBound, colon + 1)).filter { list.kind($0) == .number }.prefix(100).map { integer($0) }
      return numbers.isEmpty ? nil : (list.string(range.lowerBound), numbers)
    }
  }

  // MARK: @font-palette-values

  /// https://drafts.csswg.org/css-fonts-4/#font-palette-values
  mutating func consumeFontPaletteValues(_ prelude: Range<Int>, _ open: Int) {
    guard prelude.count == 1, list.kind(prelude.lowerBound) == .ident, list.value(prelude.lowerBound).starts(with: [0x2D, 0x2D]) else {
      return report(.invalidAtRule, "The rule is not valid", prelude)
    }
    var families: [String] = [], rule = FontPaletteRule(family: "")
    for (name, value) in descriptors(open) where !value.isEmpty {
      switch name {
      case "font-family": families = list.split(value, at: .comma).map { familyName(list.trimmed($0)).lowercased() }.filter { !$0.isEmpty }
      case "base-palette":
        if list.isIdent(value.lowerBound, "light") { rule.base = .light }
        if list.isIdent(value.lowerBound, "dark") { rule.base = .dark }
        if list.kind(value.lowerBound) == .number, integer(value.lowerBound) >= 0 { rule.base = .index(integer(value.lowerBound)) }
      case "override-colors": rule.overrides = list.split(value, at: .comma).prefix(4096).compactMap { paletteColor(list.trimmed($0)) }
      default: break
      }
    }
    for family in families {
      rule.family = ByteString(family)
      builder.fontFeatureValues.define(rule, named: list.string(prelude.lowerBound))
    }
  }

  /// A palette index and an absolute color.
  private func paletteColor(_ range: Range<Int>) -> (index: Int, color: Color)? {
    guard !range.isEmpty, list.kind(range.lowerBound) == .number, integer(range.lowerBound) >= 0 else { return nil }
    var parser = ValueParser(
      buffer: list.buffer, tokens: list.trimmed(range.lowerBound + 1..<range.upperBound), quirks: false, baseURL: "", element: nil)
    guard case .color(let color)? = parser.color() else { return nil }
    return (integer(range.lowerBound), color)
  }

  /// A string, or identifiers joined by spaces.
  private func familyName(_ range: Range<Int>) -> String {
    let words = range.filter { list.kind($0) == .ident || list.kind($0) == .string }.map { list.string($0) }
    return words.joined(separator: " ")
  }

  private func source(_ range: Range<Int>) -> FontFaceRule.Source? {
    guard !range.isEmpty else { return nil }
    let first = range.lowerBound
    if list.isFunction(first, "local") { return .local(familyName(list.contents(first))) }
    let url: String
    if list.kind(first) == .url {
      url = list.string(first)
    } else if list.isFunction(first, "url"), let argument = list.contents(first).first(where: { list.kind($0) == .string }) {
      url = list.string(argument)
    } else {
      return nil
    }
    var format = ""
    var index = list.skip(first)
    while index < range.upperBound {
      if list.isFunction(index, "format") { format = familyName(list.contents(index)).lowercased() }
      index = list.skip(index)
    }
    return .url(url, format: format)
  }

  private static let stretches: [ByteString: Float] = [
    "normal": 100, "ultra-condensed": 50, "extra-condensed": 62.5, "condensed": 75, "semi-condensed": 87.5, "semi-expanded": 112.5,
    "expanded": 125, "extra-expanded": 150, "ultra-expanded": 200, "auto": 100,
  ]

  /// One or two numbers as a range.
  private func numbers(_ range: Range<Int>, keywords: [ByteString: Float]) -> ClosedRange<Float>? {
    let values = range.compactMap { index -> Float? in
      switch list.kind(index) {
      case .number, .percentage: Float(list[index].number)
      case .ident: keywords[list.lowercased(index)]
      default: nil
      }
    }
    guard let first = values.first, first.isFinite, let last = values.last, last.isFinite else { return nil }
    return min(first, last)...max(first, last)
  }

  private func slope(_ range: Range<Int>) -> FontStyle.Slope {
    if list.isIdent(range.lowerBound, "italic") { return .italic }
    guard list.isIdent(range.lowerBound, "oblique") else { return .normal }
    let angle = range.first { list.kind($0) == .dimension }.map { Float(list[$0].number) }
    return .oblique(angle ?? 14)
  }

  private func percentage(_ range: Range<Int>) -> Float? {
    list.kind(range.lowerBound) == .percentage && list[range.lowerBound].number >= 0 ? Float(list[range.lowerBound].number / 100) : nil
  }

  // MARK: @property

  /// https://drafts.css-houdini.org/css-properties-values-api/#at-property-rule
  mutating func consumeProperty(_ prelude: Range<Int>, _ open: Int) {
    guard prelude.count == 1, list.kind(prelude.lowerBound) == .ident, list.value(prelude.lowerBound).starts(with: [0x2D, 0x2D]) else {
      return report(.invalidAtRule, "The rule is not valid", prelude)
    }
    var syntax: String?
    var inherits: Bool?
    var initial: [UInt8]?
    for (name, value) in descriptors(open) {
      switch name {
      case "syntax": syntax = list.kind(value.lowerBound) == .string ? list.string(value.lowerBound) : nil
      case "inherits": inherits = list.isIdent(value.lowerBound, "true") ? true : list.isIdent(value.lowerBound, "false") ? false : nil
      case "initial-value": initial = Array(list.source(value))
      default: break
      }
    }
    guard let syntax, let inherits, initial != nil || syntax == "*" else { return report(.invalidAtRule, "The rule is not valid", prelude) }
    let name = context.names.table.intern(list.value(prelude.lowerBound))
    builder.registeredProperties[name] = RegisteredProperty(syntax: syntax, inherits: inherits, initialValue: initial)
  }

  // MARK: @counter-style

  /// https://drafts.csswg.org/css-counter-styles-3/#the-counter-style-rule
  mutating func consumeCounterStyle(_ prelude: Range<Int>, _ open: Int) {
    guard prelude.count == 1, list.kind(prelude.lowerBound) == .ident else {
      return report(.invalidAtRule, "The rule is not valid", prelude)
    }
    var rule = CounterStyleRule()
    rule.name = ByteString(list.string(prelude.lowerBound))
    for (name, value) in descriptors(open) where !value.isEmpty {
      switch name {
      case "system": rule.system = counterSystem(value)
      case "symbols": rule.symbols = value.compactMap { symbol($0) }
      case "additive-symbols": rule.additiveSymbols = additiveSymbols(value)
      case "prefix": if value.count == 1, let text = text(value.lowerBound) { rule.prefix = text }
      case "suffix": if value.count == 1, let text = text(value.lowerBound) { rule.suffix = text }
      case "negative":
        let parts = value.compactMap { text($0) }
        if let first = parts.first { rule.negative = (first, parts.count > 1 ? parts[1] : "") }
      case "range": if let range = counterRange(value) { rule.range = range }
      case "pad":
        rule.padLength = value.first { list.kind($0) == .number }.map { min(max(integer($0), 0), 1000) } ?? 0
        rule.padSymbol = value.compactMap { text($0) }.first ?? ""
      case "fallback": rule.fallback = ByteString(list.string(value.lowerBound))
      default: break
      }
    }
    guard rule.hasSymbols else { return report(.invalidAtRule, "The rule has too few symbols", prelude) }
    builder.counterStyles.append(rule)
  }

  private func counterSystem(_ value: Range<Int>) -> CounterStyleRule.System {
    let argument = list.skipWhitespace(value.lowerBound + 1)
    switch list.lowercased(value.lowerBound) {
    case "cyclic": return .cyclic
    case "numeric": return .numeric
    case "alphabetic": return .alphabetic
    case "additive": return .additive
    case "fixed": return .fixed(first: argument < value.upperBound ? integer(argument) : 1)
    case "extends": return .extends(argument < value.upperBound ? ByteString(list.string(argument)) : "decimal")
    default: return .symbolic
    }
  }

  private func text(_ index: Int) -> String? {
    list.kind(index) == .string || list.kind(index) == .ident ? list.string(index) : nil
  }

  private func symbol(_ index: Int) -> CounterStyleRule.Symbol? {
    if list.kind(index) == .url { return .image(list.string(index)) }
    return text(index).map { .text($0) }
  }

  private func integer(_ index: Int) -> Int {
    let value = list[index].number
    return value.isNaN ? 0 : Int(min(max(value, -2_147_483_648), 2_147_483_647))
  }

  private func additiveSymbols(_ value: Range<Int>) -> [CounterStyleRule.AdditiveSymbol] {
    list.split(value, at: .comma).compactMap { part in
      guard let weight = part.first(where: { list.kind($0) == .number }), let symbol = part.compactMap({ symbol($0) }).first else {
        return nil
      }
      return CounterStyleRule.AdditiveSymbol(weight: max(integer(weight), 0), symbol: symbol)
    }
  }

  /// `.some(nil)` for `auto`; nil if invalid.
  private func counterRange(_ value: Range<Int>) -> [ClosedRange<Int>]?? {
    if value.count == 1, list.isIdent(value.lowerBound, "auto") { return .some(nil) }
    let parts = list.split(value, at: .comma)
    let ranges = parts.compactMap { part -> ClosedRange<Int>? in
      let bounds = part.filter { list.kind($0) != .whitespace }
      guard bounds.count == 2,
        bounds.allSatisfy({ list.isIdent($0, "infinite") || list.kind($0) == .number && list[$0].isIntegerOrID })
      else { return nil }
      let low = list.isIdent(bounds[0], "infinite") ? Int(Int32.min) : integer(bounds[0])
      let high = list.isIdent(bounds[1], "infinite") ? Int(Int32.max) : integer(bounds[1])
      return low <= high ? low...high : nil
    }
    return ranges.count == parts.count ? .some(ranges) : nil
  }
}

/// https://drafts.csswg.org/css-syntax-3/#urange
enum UnicodeRanges {
  static func parse(_ source: ArraySlice<UInt8>) -> [ClosedRange<UInt32>]? {
    var ranges: [ClosedRange<UInt32>] = []
    for part in source.split(separator: 0x2C) {
      let text = part.filter { !isWhitespace($0) }.map(asciiLowercased)
      guard text.count > 2, text[0] == 0x75, text[1] == 0x2B, let range = range(text.dropFirst(2)) else { return nil }
      ranges.append(range)
    }
    return ranges
  }

  private static func range(_ text: ArraySlice<UInt8>) -> ClosedRange<UInt32>? {
    let parts = text.split(separator: 0x2D, omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, first.count <= 6 else { return nil }
    let low = value(first, wildcard: 0x30)
    let high = parts.count == 2 ? value(parts[1], wildcard: 0) : value(first, wildcard: 0x66)
    guard let low, let high, low <= high, low <= 0x10FFFF else { return nil }
    return low...min(high, 0x10FFFF)
  }

  private static func value(_ digits: ArraySlice<UInt8>, wildcard: UInt8) -> UInt32? {
    let text = digits.map { $0 == 0x3F && wildcard != 0 ? wildcard : $0 }
    return text.count <= 6 ? UInt32(String(decoding: text, as: UTF8.self), radix: 16) : nil
  }
}
