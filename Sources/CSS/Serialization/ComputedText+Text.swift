extension FontStyle.Family: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .generic(let keyword): return keyword == "-webkit-standard" ? "serif" : keyword
    case .named(let name):
      let isPlain = name.text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "-" }
      return isPlain ? name.text : ComputedTextWriter.quoted(name.text)
    }
  }
}
extension FontStyle.Slope: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    if case .oblique(let angle) = self {
      return "oblique \(ComputedTextWriter.number(Double(angle)))deg"
    }
    return "\(self)"
  }
}
extension FontStyle.Feature: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    "\"\(FontFeature.name(tag))\"" + (value == 1 ? "" : " \(value)")
  }
}
extension FontStyle.Variation: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    "\"\(FontFeature.name(tag))\" \(ComputedTextWriter.number(Double(value)))"
  }
}
extension FontStyle.SizeAdjust: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let number = value.map { ComputedTextWriter.number(Double($0)) } ?? "from-font"
    return metric == .exHeight ? number : "\(ComputedTextWriter.keyword("\(metric)")) \(number)"
  }
}
extension FontFeature {
  /// The keywords of `table` that result in `features`.
  static func keywords(_ features: [FontStyle.Feature], _ table: [Row]) -> String {
    // Ligatures that are all disabled are `none`.
    if let none = table.first(where: { $0.keyword.utf8CodeUnitCount == 4 && "\($0.keyword)" == "none" }),
      none.features.allSatisfy(features.contains)
    {
      return "none"
    }
    let words = table.filter { row in row.features.allSatisfy { features.contains($0) } }
    // The features of `all-small-caps` include those of `small-caps`.
    let used = words.filter { row in
      !words.contains { $0.features.count > row.features.count && $0.exclusion == row.exclusion }
    }
    return features.isEmpty
      ? "normal" : used.isEmpty ? "none" : used.map { "\($0.keyword)" }.joined(separator: " ")
  }

  static func name(_ tag: UInt32) -> String {
    String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }, as: UTF8.self)
  }
}
extension FontSizeValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String { ComputedTextWriter.px(px) }
}

extension TextIndentValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    length.css(writer) + (hanging ? " hanging" : "") + (eachLine ? " each-line" : "")
  }
}
extension SpacingValue: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    "\(ComputedTextWriter.px(horizontal)) \(ComputedTextWriter.px(vertical))"
  }
}
extension EmphasisPosition: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    (under ? "under" : "over") + (left ? " left" : "")
  }
}
extension TextStyle.ColorScheme: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let words = [contains(.light) ? "light" : nil, contains(.dark) ? "dark" : nil].compactMap { $0 }
    return words.isEmpty ? "normal" : words.joined(separator: " ")
  }
}
extension TextStyle.TabSize: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .spaces(let count): ComputedTextWriter.number(Double(count))
    case .length(let px): ComputedTextWriter.px(px)
    }
  }
}
extension TextStyle.UnderlinePosition: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let names: [(TextStyle.UnderlinePosition, String)] = [
      (.fromFont, "from-font"), (.under, "under"), (.left, "left"), (.right, "right"),
    ]
    let words = names.filter { contains($0.0) }.map(\.1)
    return words.isEmpty ? "auto" : words.joined(separator: " ")
  }
}
extension TextDecorationLine: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let names: [(TextDecorationLine, String)] = [
      (.underline, "underline"), (.overline, "overline"), (.lineThrough, "line-through"),
    ]
    let words = names.filter { contains($0.0) }.map(\.1)
    return words.isEmpty ? "none" : words.joined(separator: " ")
  }
}
extension EffectStyle.DecorationThickness: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .auto: "auto"
    case .fromFont: "from-font"
    case .value(let length): length.css(writer)
    }
  }
}
extension Containment: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let names: [(Containment, String)] = [
      (.size, "size"), (.inlineSize, "inline-size"), (.layout, "layout"), (.style, "style"),
      (.paint, "paint"),
    ]
    let words = names.filter { contains($0.0) }.map(\.1)
    return words.isEmpty ? "none" : words.joined(separator: " ")
  }
}

// MARK: Generated content

extension ListStyleType: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .none: "none"
    case .counterStyle(let name): name.text
    case .symbols(let rule):
      "symbols(" + ([rule.system.name].compactMap { $0 } + rule.symbols.map { $0.quoted }).joined(separator: " ") + ")"
    case .string(let text): ComputedTextWriter.quoted(text)
    }
  }
}
extension CounterStyleRule.System {
  /// The keyword in `symbols()`; nil for the default.
  fileprivate var name: String? {
    switch self {
    case .cyclic: "cyclic"
    case .numeric: "numeric"
    case .alphabetic: "alphabetic"
    case .fixed: "fixed"
    default: nil
    }
  }
}
extension CounterStyleRule.Symbol {
  fileprivate var quoted: String { if case .text(let text) = self { ComputedTextWriter.quoted(text) } else { "" } }
}
extension Quotes: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    guard case .pairs(let pairs) = self else { return "\(self)" }
    return pairs.map {
      "\(ComputedTextWriter.quoted($0.open)) \(ComputedTextWriter.quoted($0.close))"
    }.joined(separator: " ")
  }
}
extension CounterChange: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let called = reversed ? "reversed(\(name))" : name.text
    return value.map { "\(called) \($0)" } ?? called
  }
}
extension Content: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    guard case .items(let items) = self else { return "\(self)" }
    return items.map { $0.css(writer) }.joined(separator: " ")
  }
}
extension ContentItem: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func styled(_ style: ListStyleType) -> String {
      style == .counterStyle("decimal") ? "" : ", \(style.css(writer))"
    }
    switch self {
    case .text(let text): return ComputedTextWriter.quoted(text)
    case .image(let image): return image.css(writer)
    case .attribute(let name, let fallback):
      return fallback.isEmpty
        ? "attr(\(name))" : "attr(\(name), \(ComputedTextWriter.quoted(fallback)))"
    case .counter(let name, let style): return "counter(\(name)\(styled(style)))"
    case .counters(let name, let separator, let style):
      return "counters(\(name), \(ComputedTextWriter.quoted(separator))\(styled(style)))"
    case .openQuote, .closeQuote, .noOpenQuote, .noCloseQuote:
      return ComputedTextWriter.keyword("\(self)")
    }
  }
}
