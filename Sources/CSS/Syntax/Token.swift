public import OffprintDOM

/// A token of CSS. https://drafts.csswg.org/css-syntax-3/#tokenization
@frozen public struct Token: Sendable {
  @frozen public enum Kind: UInt8, Sendable {
    case ident, function, atKeyword, hash, string, badString, url, badURL, delim, number, percentage, dimension, whitespace, cdo, cdc,
      colon, semicolon, comma, openSquare, closeSquare, openParen, closeParen, openCurly, closeCurly, endOfFile
  }
  public var kind: Kind
  /// Numbers: written without `.` and exponent. Hashes: type "id".
  public var isIntegerOrID = false
  /// Numbers: written with a sign.
  public var hasSign = false
  /// Delimiters: the code point.
  public var delimiter: UInt32 = 0
  /// Numbers, percentages (50 for 50 %) and dimensions.
  public var number: Double = 0
  /// Names, strings, URLs and a dimension's unit: unescaped UTF-8 in `TokenBuffer.text`.
  public var value: TextRange = .empty
  /// Where the token stands in the source, which is the beginning of `TokenBuffer.text`.
  public var source: TextRange = .empty
  @inlinable public init(kind: Kind) { self.kind = kind }
}

/// The tokens of a style sheet or attribute, and the bytes that they refer to. The last token is `endOfFile`.
public struct TokenBuffer: Sendable {
  public package(set) var tokens: [Token] = []
  /// The source after preprocessing, and behind it the values that had escapes.
  public package(set) var text: [UInt8] = []
  public init() {}
  public func bytes(_ range: TextRange) -> ArraySlice<UInt8> { range.range.upperBound <= text.count ? text[range.range] : [] }
}
