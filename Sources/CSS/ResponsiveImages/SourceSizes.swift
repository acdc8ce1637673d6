import OffprintDOM

/// https://html.spec.whatwg.org/multipage/images.html#parsing-a-sizes-attribute
struct SourceSizes {
  let list: TokenList
  let environment: MediaEnvironment

  /// The source size in CSS px.
  ///
  /// - Parameter auto: The width of the image's box, for `auto`.
  static func parse(_ text: ArraySlice<UInt8>, _ environment: MediaEnvironment, auto: () -> Double?) -> Double {
    let list = TokenList(Tokenizer.tokenize(Array(text)))
    return SourceSizes(list: list, environment: environment).size(auto) ?? environment.width
  }

  static func isAuto(_ text: ArraySlice<UInt8>) -> Bool {
    let text = text.drop(while: isHTMLSpace)
    let rest = text.dropFirst(4).drop(while: isHTMLSpace)
    return equalsIgnoringCase(text.prefix(4), "auto") && (rest.isEmpty || rest.first == 0x2C)
  }

  private func size(_ auto: () -> Double?) -> Double? {
    for part in list.split(0..<list.count, at: .comma) {
      let part = list.trimmed(part)
      guard let last = lastComponent(part) else { continue }
      let isAuto = list.isIdent(last, "auto") && last + 1 == part.upperBound
      guard let size = isAuto ? .some(auto()) : length(last..<part.upperBound).map({ .some($0) }) else { continue }
      let condition = list.trimmed(part.lowerBound..<last)
      guard condition.isEmpty || MediaQueryEvaluator(list: list, environment: environment).matchesCondition(condition) else { continue }
      if let size { return size }
    }
    return nil
  }

  /// The index of the token at which the last component value starts.
  private func lastComponent(_ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    var last: Int?
    while index < range.upperBound {
      if list.kind(index) != .whitespace { last = index }
      index = list.skip(index)
    }
    return last
  }

  /// Parses a `<source-size-value>`, a non-negative length. https://html.spec.whatwg.org/multipage/images.html#source-size-value
  private func length(_ range: Range<Int>) -> Double? {
    var parser = ValueParser(buffer: list.buffer, tokens: range, quirks: false, baseURL: "", element: nil)
    parser.media = environment
    guard let length = parser.length(0...ValueParser.lengthLimit), parser.isAtEnd() else { return nil }
    return Double(length)
  }
}

extension MediaEnvironment {
  /// The size of a unit in CSS px without an element: relative to initial values. https://drafts.csswg.org/mediaqueries-4/#units
  func px(_ unit: Unit) -> Double {
    switch unit {
    case .ex, .rex, .ch, .rch: 8
    case .cap, .rcap: 11
    case .lh, .rlh: 18.4
    case .vw, .vi, .cqw, .cqi: width / 100
    case .vh, .vb, .cqh, .cqb: height / 100
    case .vmin, .cqmin: min(width, height) / 100
    case .vmax, .cqmax: max(width, height) / 100
    default: unit.factor ?? 16
    }
  }
}
