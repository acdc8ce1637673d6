import Testing

@testable import OffprintCSS

@Suite struct TokenizerTests {
  /// The kind and value of each token.
  private func dump(_ css: String) -> [String] {
    let buffer = Tokenizer.tokenize(css)
    return buffer.tokens.dropLast().map { token in
      let value = String(decoding: buffer.bytes(token.value), as: UTF8.self)
      switch token.kind {
      case .number, .percentage: return "\(token.kind) \(token.number)"
      case .dimension: return "\(token.kind) \(token.number) \(value)"
      case .delim: return "delim \(token.delimiter)"
      default: return value.isEmpty ? "\(token.kind)" : "\(token.kind) \(value)"
      }
    }
  }

  @Test(
    "Tokens match CSS Syntax 3",
    arguments: [
      ("a{b:c}", ["ident a", "openCurly", "ident b", "colon", "ident c", "closeCurly"]),
      ("-1.5e3px", ["dimension -1500.0 px"]), ("1e3", ["number 1000.0"]), ("1.", ["number 1.0", "delim 46"]), (".5%", ["percentage 0.5"]),
      ("+.5", ["number 0.5"]), ("--x", ["ident --x"]), ("-->", ["cdc"]), ("<!--", ["cdo"]), ("#1a", ["hash 1a"]), ("#", ["delim 35"]),
      ("url(a b)", ["badURL"]), ("url( a.png )", ["url a.png"]),
      ("url( 'a' )", ["function url", "whitespace", "string a", "whitespace", "closeParen"]),
      ("\\26 B", ["ident &B"]), ("'a\\\nb'", ["string ab"]), ("'a\nb", ["badString a", "whitespace", "ident b"]),
      ("a/**/b", ["ident a", "ident b"]),
      ("/* x", []), ("@media", ["atKeyword media"]), ("\\0", ["ident \u{FFFD}"]), ("1e-7", ["number 1e-07"]), ("url(a\\)b)", ["url a)b"]),
      ("\"", ["string"]),
      ("a\\", ["ident a\u{FFFD}"]), ("é", ["ident é"]),
    ])
  func tokens(_ css: String, _ expected: [String]) {
    #expect(dump(css) == expected)
  }

  @Test("An opening token has the end of its block, and blocks of other kinds do not end it")
  func blocks() {
    let list = TokenList(Tokenizer.tokenize("{ ( } ) [ } a"))
    #expect(list.blockEnd(0) == list.count)
    #expect(list.blockEnd(2) == 6)
  }
}
