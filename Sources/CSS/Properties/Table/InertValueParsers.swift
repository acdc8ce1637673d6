// Parsers for properties without effect. Their values are the text of the computed values.

extension ValueParser {
  mutating func word(of words: [StaticString]) -> String? { keyword(of: words.map { ($0, "\($0)") }) }

  /// Items separated by commas.
  mutating func joined(_ item: (inout ValueParser) -> String?) -> String? { commaList(item)?.joined(separator: ", ") }

  mutating func colorText() -> String? {
    switch color() {
    case .currentColor?: InertLonghand.currentColor
    case let value?: ComputedTextWriter().text(value.resolve(element?.color ?? .black))
    case nil: nil
    }
  }

  /// https://drafts.csswg.org/css-anchor-position-1/#propdef-anchor-scope
  mutating func scopeOfNames() -> String? { word(of: ["none", "all"]) ?? joined { $0.dashedIdentifier()?.text } }

  /// An OpenType language system tag: up to four characters, of which trailing spaces are dropped.
  ///
  /// https://drafts.csswg.org/css-fonts-4/#propdef-font-language-override
  mutating func fontLanguage() -> String? {
    if keyword("normal") { return "normal" }
    guard let text = string(), (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    let tag = text.utf8.reversed().drop { $0 == 0x20 }.reversed()
    return tag.isEmpty ? nil : ComputedTextWriter.quoted(String(decoding: Array(tag), as: UTF8.self))
  }

  // MARK: Cursors and touch

  private static let cursors: [StaticString] = [
    "auto", "default", "none", "context-menu", "help", "pointer", "progress", "wait", "cell", "crosshair", "text", "vertical-text", "alias",
    "copy", "move", "no-drop", "not-allowed", "grab", "grabbing", "e-resize", "n-resize", "ne-resize", "nw-resize", "s-resize", "se-resize",
    "sw-resize", "w-resize", "ew-resize", "ns-resize", "nesw-resize", "nwse-resize", "col-resize", "row-resize", "all-scroll", "zoom-in",
    "zoom-out",
  ]

  private static let prefixedCursors: [(StaticString, String)] = [
    ("-webkit-grab", "grab"), ("-webkit-grabbing", "grabbing"), ("-webkit-zoom-in", "zoom-in"), ("-webkit-zoom-out", "zoom-out"),
  ]

  /// https://drafts.csswg.org/css-ui-4/#cursor
  mutating func cursor() -> String? {
    var items: [String] = []
    while let image = cursorImage() {
      guard comma() else { return nil }
      items.append(image)
    }
    // In quirks mode, `hand` from Internet Explorer is supported.
    guard let word = word(of: Self.cursors) ?? keyword(of: Self.prefixedCursors) ?? (quirks && keyword("hand") ? "pointer" : nil) else {
      return nil
    }
    return (items + [word]).joined(separator: ", ")
  }

  /// Chromium truncates the hotspot to whole numbers in the computed value.
  private mutating func cursorImage() -> String? {
    guard let image = image() else { return nil }
    guard image.resource != nil else { return nil }
    let text = ComputedTextWriter().text(image)
    guard let x = number() else { return text }
    guard let y = number() else { return nil }
    return "\(text) \(ComputedTextWriter.number(x.rounded(.towardZero))) \(ComputedTextWriter.number(y.rounded(.towardZero)))"
  }

  /// https://w3c.github.io/pointerevents/#the-touch-action-css-property
  mutating func touchAction() -> String? {
    if let word = word(of: ["auto", "none", "manipulation"]) { return word }
    var found: [String?] = [nil, nil, nil]
    let groups: [[StaticString]] = [["pan-x", "pan-left", "pan-right"], ["pan-y", "pan-up", "pan-down"], ["pinch-zoom"]]
    while peek() != nil {
      guard let index = groups.indices.first(where: { found[$0] == nil && peekWord(of: groups[$0]) }) else { return nil }
      found[index] = word(of: groups[index])
    }
    let words = found.compactMap { $0 }
    // The keywords that `manipulation` abbreviates.
    if words == ["pan-x", "pan-y", "pinch-zoom"] { return "manipulation" }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private mutating func peekWord(of words: [StaticString]) -> Bool {
    guard let word = peekIdentifier() else { return false }
    return words.contains { word.equalsIgnoringCase($0) }
  }

  /// https://drafts.csswg.org/css-page-3/#page-size-prop
  mutating func pageSize() -> Bool {
    if keyword("auto") || list(max: 2, { $0.nonNegativeLength() }) != nil { return true }
    let names: [StaticString] = ["a5", "a4", "a3", "b5", "b4", "jis-b5", "jis-b4", "letter", "legal", "ledger"]
    let isTurned = keyword("portrait") || keyword("landscape")
    let isNamed = names.contains { keyword($0) }
    return isNamed && !isTurned ? keyword("portrait") || keyword("landscape") || true : isNamed || isTurned
  }

  // MARK: Triggers

  private static let triggerActions: [StaticString] = [
    "none", "play", "play-once", "play-forwards", "play-backwards", "play-alternate", "pause", "reset", "replay",
  ]

  /// https://drafts.csswg.org/animation-triggers-1/#animation-trigger
  mutating func animationTriggers() -> String? {
    joined { parser in
      if parser.keyword("none") { return "none" }
      guard let name = parser.dashedIdentifier()?.text, let actions = parser.list(max: 2, { $0.word(of: Self.triggerActions) }) else {
        return nil
      }
      return ([name] + actions).joined(separator: " ")
    }
  }
}

extension ValueParser {
  /// `none` is stored as text, because `AnimationTimeline` has one case for it and `auto`.
  mutating func timelineSourceText() -> String? {
    word(of: ["auto", "none"]) ?? animationTimeline().map { ComputedTextWriter().text($0) }
  }

  mutating func timelineEdgeText(isEnd: Bool) -> String? { timelineRangeEdge(isEnd: isEnd).map { ComputedTextWriter().text($0) } }
}

/// The percentages that `dynamic-range-limit` mixes.
///
/// https://drafts.csswg.org/css-color-hdr-1/#dynamic-range-limit-mix
struct DynamicRangeLimit {
  static let grammar = "standard | no-limit | constrained | <dynamic-range-limit-mix()>"
  var standard = 0.0
  var constrained = 0.0
  var unlimited = 0.0

  private var total: Double { standard + constrained + unlimited }

  mutating func add(_ other: DynamicRangeLimit, share: Double) {
    standard += other.standard * share / 100
    constrained += other.constrained * share / 100
    unlimited += other.unlimited * share / 100
  }

  /// The percentages normalized to a sum of 100; nil if all are zero.
  var normalized: DynamicRangeLimit? {
    guard total > 0 else { return nil }
    let factor = 100 / total
    return DynamicRangeLimit(standard: standard * factor, constrained: constrained * factor, unlimited: unlimited * factor)
  }

  var text: String {
    let parts = [("standard", standard), ("constrained", constrained), ("no-limit", unlimited)].filter { $0.1 > 0 }
    if let first = parts.first, parts.count == 1 { return first.0 }
    return "dynamic-range-limit-mix(" + parts.map { "\($0.0) \(ComputedTextWriter.number($0.1))%" }.joined(separator: ", ") + ")"
  }
}

extension ValueParser {
  mutating func dynamicRangeLimit() -> DynamicRangeLimit? {
    if keyword("standard") { return DynamicRangeLimit(standard: 100) }
    if keyword("constrained") { return DynamicRangeLimit(constrained: 100) }
    if keyword("no-limit") { return DynamicRangeLimit(unlimited: 100) }
    return function("dynamic-range-limit-mix") { parser in
      var mix = DynamicRangeLimit()
      let items = parser.commaList { parser -> Bool? in
        guard let limit = parser.dynamicRangeLimit(), let share = parser.percentage(0...100) else { return nil }
        mix.add(limit, share: share)
        return true
      }
      return items == nil ? nil : mix.normalized
    }
  }
}
