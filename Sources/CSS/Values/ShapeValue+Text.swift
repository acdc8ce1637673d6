extension ShapeValue {
  /// Parses the value of an SVG `clip-path` attribute; nil if invalid.
  public init?(text: String) {
    let list = TokenList(Tokenizer.tokenize(text))
    var parser = ValueParser(
      buffer: list.buffer, tokens: list.trimmed(0..<list.count), quirks: false, baseURL: "", element: nil)
    guard let value = parser.shapeValue(allowsReference: true), parser.isAtEnd() else { return nil }
    self = value
  }
}
