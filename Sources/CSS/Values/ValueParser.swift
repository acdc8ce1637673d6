import OffprintCoreTypes
import OffprintDOM

/// A cursor over the component values of one declaration.
///
/// Properties with a single length, color or keyword have specified values. Composite values that refer to the element are validated with a
/// placeholder element and marked as relative: their tokens are parsed again when the style of an element is computed.
struct ValueParser {
  let buffer: TokenBuffer
  private(set) var position: Int
  private(set) var end: Int
  let quirks: Bool
  let baseURL: String
  /// Nil while a declaration is parsed.
  let element: ElementContext?
  /// The reference for relative lengths outside of any element.
  var media: MediaEnvironment?
  /// Whether a value depends on the element, so that its tokens are parsed again for each element.
  var isRelative = false
  /// Whether relative lengths keep their units, which sets `sawUnit`.
  var keepsUnits = false
  var sawUnit = false
  /// Whether the keyword `size` is in scope, in the second argument of `calc-size()`.
  var allowsBasisSize = false
  /// The value of `currentcolor` in functions; nil for the element's.
  var currentColor: Color?
  /// Whether a function depends on `currentcolor`.
  var usesCurrentColor = false
  /// The color scheme; nil for the element's.
  var isDarkScheme: Bool?
  /// Whether a value depends on the color scheme.
  var dependsOnScheme = false
  /// Whether the declaration is in the user agent style sheet, which has its own unit; and whether that unit was used.
  var isUserAgent = false
  var isQuirky = false
  /// https://quirks.spec.whatwg.org/#the-unitless-length-quirk
  var allowsUnitlessLength = false
  /// https://quirks.spec.whatwg.org/#the-hashless-hex-color-quirk
  var allowsHashlessColor = false
  /// The channel keywords of a relative color, in scope in its math functions.
  var channels: [(name: StaticString, value: Double)] = []
  /// Whether a color in a syntax other than legacy sRGB was parsed, which changes the interpolation of gradients.
  var sawModernColor = false
  private(set) var depth = 0
  static let depthLimit = 64

  init(_ value: RawValue, element: ElementContext?) {
    self.init(buffer: value.buffer, tokens: value.tokens, quirks: value.quirks, baseURL: value.baseURL, element: element)
  }

  init(buffer: TokenBuffer, tokens: Range<Int>, quirks: Bool, baseURL: String, element: ElementContext?) {
    self.buffer = buffer
    end = min(max(tokens.upperBound, 0), buffer.tokens.count)
    position = min(max(tokens.lowerBound, 0), end)
    self.quirks = quirks
    self.baseURL = baseURL
    self.element = element
  }

  // MARK: Tokens

  /// The next token that is not white space; nil at the end.
  mutating func peek() -> Token? {
    while position < end, buffer.tokens[position].kind == .whitespace { position += 1 }
    return position < end ? buffer.tokens[position] : nil
  }

  mutating func advance() { if position < end { position += 1 } }

  /// Whether the next token is white space.
  var isAtWhitespace: Bool { position < end && buffer.tokens[position].kind == .whitespace }
  var isAfterWhitespace: Bool { position > 0 && position <= buffer.tokens.count && buffer.tokens[position - 1].kind == .whitespace }

  mutating func isAtEnd() -> Bool { peek() == nil }

  mutating func skip(_ kind: Token.Kind) -> Bool {
    guard peek()?.kind == kind else { return false }
    position += 1
    return true
  }

  mutating func comma() -> Bool { skip(.comma) }

  mutating func delimiter(_ character: Unicode.Scalar) -> Bool {
    guard let token = peek(), token.kind == .delim, token.delimiter == character.value else { return false }
    position += 1
    return true
  }

  /// Runs `body`. If it fails, no tokens are consumed.
  mutating func attempt<T>(_ body: (inout ValueParser) -> T?) -> T? {
    let start = position
    if let result = body(&self) { return result }
    position = start
    return nil
  }

  mutating func rewind(to place: Int) { position = min(max(place, 0), end) }

  /// The remaining tokens.
  var remaining: Range<Int> { position..<end }

  // MARK: Words

  /// The next token if it is an identifier. Does not consume it.
  mutating func peekIdentifier() -> ArraySlice<UInt8>? {
    guard let token = peek(), token.kind == .ident else { return nil }
    return buffer.bytes(token.value)
  }

  mutating func keyword(_ name: StaticString) -> Bool {
    guard let word = peekIdentifier(), word.equalsIgnoringCase(name) else { return false }
    position += 1
    return true
  }

  mutating func keyword<V>(of table: [(StaticString, V)]) -> V? {
    guard let word = peekIdentifier() else { return nil }
    for (name, value) in table where word.equalsIgnoringCase(name) {
      position += 1
      return value
    }
    return nil
  }

  /// https://drafts.csswg.org/css-values-4/#custom-idents
  mutating func customIdentifier(excluding excluded: [StaticString] = []) -> ByteString? {
    guard let word = peekIdentifier(), !Self.isWideKeyword(word), !word.equalsIgnoringCase("default"),
      !excluded.contains(where: { word.equalsIgnoringCase($0) })
    else { return nil }
    position += 1
    return ByteString(String(decoding: word, as: UTF8.self))
  }

  static func isWideKeyword(_ word: ArraySlice<UInt8>) -> Bool { wideKeyword(word) != nil }

  static func wideKeyword(_ word: ArraySlice<UInt8>) -> WideKeyword? {
    switch word.count {
    case 7: word.equalsIgnoringCase("inherit") ? .inherit : word.equalsIgnoringCase("initial") ? .initial : nil
    case 5: word.equalsIgnoringCase("unset") ? .unset : nil
    case 6: word.equalsIgnoringCase("revert") ? .revert : nil
    case 12: word.equalsIgnoringCase("revert-layer") ? .revertLayer : nil
    case 11: word.equalsIgnoringCase("revert-rule") ? .revertRule : nil
    default: nil
    }
  }

  mutating func string() -> String? {
    guard let token = peek(), token.kind == .string else { return nil }
    position += 1
    return String(decoding: buffer.bytes(token.value), as: UTF8.self)
  }

  /// `url(…)`, `url("…")` or `src("…")`, resolved against the style sheet.
  mutating func url() -> ByteString? {
    guard let token = peek() else { return nil }
    if token.kind == .url {
      position += 1
      return resolve(String(decoding: buffer.bytes(token.value), as: UTF8.self))
    }
    return function("url") { $0.string() }.map(resolve) ?? function("src") { $0.string() }.map(resolve)
  }

  private func resolve(_ reference: String) -> ByteString { ByteString(URLReference.resolve(reference, against: baseURL)) }

  // MARK: Functions and blocks

  mutating func peekFunction() -> ArraySlice<UInt8>? {
    guard let token = peek(), token.kind == .function else { return nil }
    return buffer.bytes(token.value)
  }

  /// Parses the function `name` whose contents `body` must consume entirely.
  mutating func function<T>(_ name: StaticString, _ body: (inout ValueParser) -> T?) -> T? {
    guard let word = peekFunction(), word.equalsIgnoringCase(name) else { return nil }
    return block(body)
  }

  /// Parses the contents of the function or block that the next token opens.
  mutating func block<T>(_ body: (inout ValueParser) -> T?) -> T? {
    guard depth < Self.depthLimit, peek() != nil else { return nil }
    let start = position
    let outerEnd = end
    let close = matchingClose(of: start)
    position += 1
    end = close
    depth += 1
    let result = body(&self)
    let complete = result != nil && isAtEnd()
    depth -= 1
    end = outerEnd
    position = complete ? min(close + 1, outerEnd) : start
    return complete ? result : nil
  }

  /// The index of the token that closes the block at `start`, or the end.
  func matchingClose(of start: Int) -> Int {
    var open = 0
    var index = start
    while index < end {
      switch buffer.tokens[index].kind {
      case .function, .openParen, .openSquare, .openCurly: open += 1
      case .closeParen, .closeSquare, .closeCurly:
        open -= 1
        if open <= 0 { return index }
      default: break
      }
      index += 1
    }
    return end
  }

  // MARK: Combinators

  /// `#`: one or more, separated by commas.
  mutating func commaList<T>(_ item: (inout ValueParser) -> T?) -> [T]? {
    var result: [T] = []
    repeat {
      guard let value = item(&self) else { return nil }
      result.append(value)
    } while comma()
    return result
  }

  /// `{1,max}`: one or more adjacent values.
  mutating func list<T>(max: Int = .max, _ item: (inout ValueParser) -> T?) -> [T]? {
    var result: [T] = []
    while result.count < max, let value = item(&self) { result.append(value) }
    return result.isEmpty ? nil : result
  }

  /// One to four values for top, right, bottom and left.
  mutating func sides<T>(_ item: (inout ValueParser) -> T?) -> PhysicalSides<T>? {
    guard let list = list(max: 4, item), let first = list.first else { return nil }
    return PhysicalSides(
      top: first, right: list.count > 1 ? list[1] : first, bottom: list.count > 2 ? list[2] : first,
      left: list.count > 3 ? list[3] : list.count > 1 ? list[1] : first)
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes equal `name` (in lowercase), ignoring ASCII case.
  @inline(__always)
  func equalsIgnoringCase(_ name: StaticString) -> Bool {
    guard count == name.utf8CodeUnitCount else { return false }
    let expected = name.utf8Start
    return withUnsafeBufferPointer { bytes in
      for index in 0..<bytes.count {
        let byte = bytes[index]
        guard (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) == expected[index] else { return false }
      }
      return true
    }
  }

  var foldedHash: UInt64 { withUnsafeBufferPointer { $0.foldedHash } }
}

extension UnsafeBufferPointer<UInt8> {
  /// FNV-1a of the bytes in lower case: a key for tables of known words.
  var foldedHash: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
