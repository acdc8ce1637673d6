public import OffprintDOM

/// A CSS token. https://drafts.csswg.org/css-syntax-3/#tokenization
@frozen public struct Token: Sendable {
  @frozen public enum Kind: UInt8, Sendable {
    case ident, function, atKeyword, hash, string, badString, url, badURL, delim, number, percentage, dimension, whitespace, cdo, cdc,
      colon, semicolon, comma, openSquare, closeSquare, openParen, closeParen, openCurly, closeCurly, endOfFile
  }
  public var kind: Kind
  /// For numbers: written without `.` and exponent. For hashes: of type "id".
  public var isIntegerOrID = false
  /// For numbers: written with a sign.
  public var hasSign = false
  /// For delimiters: the code point.
  public var delimiter: UInt32 = 0
  /// The value of a number, percentage (50 for 50%) or dimension.
  public var number: Double = 0
  /// The name, string, URL or unit: unescaped UTF-8 in `TokenBuffer.text`.
  public var value: TextRange = .empty
  /// The range in the source, which is the beginning of `TokenBuffer.text`.
  public var source: TextRange = .empty
  @inlinable public init(kind: Kind) { self.kind = kind }
}

/// The tokens of a style sheet or attribute, and the text they refer to. The last token is `endOfFile`.
public struct TokenBuffer: Sendable {
  public package(set) var tokens: [Token] = []
  /// The preprocessed source, followed by the unescaped values of tokens with escapes.
  public package(set) var text: [UInt8] = []
  public init() {}
  public func bytes(_ range: TextRange) -> ArraySlice<UInt8> { range.range.upperBound <= text.count ? text[range.range] : [] }
}
