extension ShapeValue {
  /// The value of a `clip-path` attribute of SVG; nil where it is none.
  public init?(text: String) {
    let list = TokenList(Tokenizer.tokenize(text))
    var parser = ValueParser(
      buffer: list.buffer, tokens: list.trimmed(0..<list.count), quirks: false, baseURL: "", element: nil)
    guard let value = parser.shapeValue(allowsReference: true), parser.isAtEnd() else { return nil }
    self = value
  }
}
