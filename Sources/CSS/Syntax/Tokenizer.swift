import OffprintDOM
import Glibc

/// Tokenizes style sheets. Comments are dropped.
///
/// https://drafts.csswg.org/css-syntax-3/#tokenization
public struct Tokenizer {
  /// The tokens of UTF-8 text; the last is `endOfFile`.
  public static func tokenize(_ bytes: [UInt8]) -> TokenBuffer {
    var buffer = TokenBuffer()
    buffer.text = preprocess(bytes)
    var tokens: [Token] = []
    var extra: [UInt8] = []
    tokens.reserveCapacity(buffer.text.count / 4 + 4)
    buffer.text.withUnsafeBufferPointer { source in
      var scanner = TokenScanner(source: source)
      var token = scanner.next()
      while token.kind != .endOfFile {
        tokens.append(token)
        token = scanner.next()
      }
      tokens.append(token)
      extra = scanner.extra
    }
    buffer.tokens = tokens
    if !extra.isEmpty { buffer.text.append(contentsOf: extra) }
    return buffer
  }

  public static func tokenize(_ text: String) -> TokenBuffer { tokenize(Array(text.utf8)) }

  /// https://drafts.csswg.org/css-syntax-3/#input-preprocessing
  private static func preprocess(_ bytes: [UInt8]) -> [UInt8] {
    let isClean = bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return true }
      return [0x0D, 0x0C, 0].allSatisfy { memchr(start, $0, buffer.count) == nil }
    }
    if isClean { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    var previous: UInt8 = 0
    for byte in bytes {
      switch byte {
      case 0x0D, 0x0C: result.append(0x0A)
      case 0x0A where previous == 0x0D: break
      case 0: result.append(contentsOf: [0xEF, 0xBF, 0xBD])
      default: result.append(byte)
      }
      previous = byte
    }
    return result
  }
}

/// The state of the tokenizer.
struct TokenScanner {
  let source: UnsafeBufferPointer<UInt8>
  let count: Int
  var position = 0
  /// Unescaped values, to be appended to the source.
  var extra: [UInt8] = []

  init(source: UnsafeBufferPointer<UInt8>) {
    self.source = source
    count = source.count
  }

  /// The byte at `position + offset`; 0 after the end. Preprocessing has replaced zero bytes in the source.
  @inline(__always) func peek(_ offset: Int = 0) -> UInt8 {
    let index = position + offset
    return index < count ? source[index] : 0
  }

  /// https://drafts.csswg.org/css-syntax-3/#consume-token
  mutating func next() -> Token {
    skipComments()
    let start = position
    var token = consume()
    token.source = TextRange(start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position))
    return token
  }

  private mutating func skipComments() {
    while peek() == 0x2F, peek(1) == 0x2A {
      position += 2
      while position < count, !(source[position] == 0x2A && peek(1) == 0x2F) { position += 1 }
      position = min(position + 2, count)
    }
  }

  private mutating func consume() -> Token {
    guard position < count else { return Token(kind: .endOfFile) }
    let byte = source[position]
    switch byte {
    case 0x20, 0x0A, 0x09:
      while position < count, isWhitespace(source[position]) { position += 1 }
      return Token(kind: .whitespace)
    case 0x22, 0x27: return consumeString(ending: byte)
    case 0x23: return consumeHash()
    case 0x28: return single(.openParen)
    case 0x29: return single(.closeParen)
    case 0x2B, 0x2E: return startsNumber(at: position) ? consumeNumeric() : delimiter()
    case 0x2C: return single(.comma)
    case 0x2D: return consumeAfterHyphen()
    case 0x3A: return single(.colon)
    case 0x3B: return single(.semicolon)
    case 0x3C:
      if peek(1) == 0x21, peek(2) == 0x2D, peek(3) == 0x2D {
        position += 4
        return Token(kind: .cdo)
      }
      return delimiter()
    case 0x40:
      guard startsIdentifier(at: position + 1) else { return delimiter() }
      position += 1
      return named(.atKeyword)
    case 0x5B: return single(.openSquare)
    case 0x5C: return isValidEscape(at: position) ? consumeIdentLike() : delimiter()
    case 0x5D: return single(.closeSquare)
    case 0x7B: return single(.openCurly)
    case 0x7D: return single(.closeCurly)
    case 0x30...0x39: return consumeNumeric()
    default: return isIdentifierStart(byte) ? consumeIdentLike() : delimiter()
    }
  }

  private mutating func single(_ kind: Token.Kind) -> Token {
    position += 1
    return Token(kind: kind)
  }

  private mutating func named(_ kind: Token.Kind) -> Token {
    var token = Token(kind: kind)
    token.value = consumeIdentifier()
    return token
  }

  private mutating func delimiter() -> Token {
    var token = Token(kind: .delim)
    token.delimiter = UInt32(source[position])
    position += 1
    return token
  }

  private mutating func consumeHash() -> Token {
    guard isIdentifierByte(peek(1)) || isValidEscape(at: position + 1) else { return delimiter() }
    position += 1
    var token = Token(kind: .hash)
    token.isIntegerOrID = startsIdentifier(at: position)
    token.value = consumeIdentifier()
    return token
  }

  private mutating func consumeAfterHyphen() -> Token {
    if startsNumber(at: position) { return consumeNumeric() }
    if peek(1) == 0x2D, peek(2) == 0x3E {
      position += 3
      return Token(kind: .cdc)
    }
    return startsIdentifier(at: position) ? consumeIdentLike() : delimiter()
  }

  // MARK: Names

  /// https://drafts.csswg.org/css-syntax-3/#consume-ident-like-token
  private mutating func consumeIdentLike() -> Token {
    var token = named(.ident)
    guard peek() == 0x28 else { return token }
    position += 1
    guard isURL(token.value) else {
      token.kind = .function
      return token
    }
    while isWhitespace(peek()), isWhitespace(peek(1)) { position += 1 }
    let first = isWhitespace(peek()) ? peek(1) : peek()
    if first == 0x22 || first == 0x27 {
      token.kind = .function
      return token
    }
    return consumeURL()
  }

  private func isURL(_ value: TextRange) -> Bool {
    guard value.end - value.start == 3 else { return false }
    let start = Int(value.start)
    if start < count { return source[start] | 0x20 == 0x75 && source[start + 1] | 0x20 == 0x72 && source[start + 2] | 0x20 == 0x6C }
    let bytes = extra[(start - count)..<(start - count + 3)].map { $0 | 0x20 }
    return bytes == [0x75, 0x72, 0x6C]
  }

  /// https://drafts.csswg.org/css-syntax-3/#consume-name
  private mutating func consumeIdentifier() -> TextRange {
    let start = position
    while position < count, isIdentifierByte(source[position]) { position += 1 }
    guard position < count, source[position] == 0x5C, isValidEscape(at: position) else { return range(start, position) }
    let extraStart = extra.count
    extra.append(contentsOf: source[start..<position])
    while position < count {
      if isIdentifierByte(source[position]) {
        extra.append(source[position])
        position += 1
      } else if isValidEscape(at: position) {
        position += 1
        consumeEscape()
      } else {
        break
      }
    }
    return range(count + extraStart, count + extra.count)
  }

  private func range(_ start: Int, _ end: Int) -> TextRange {
    TextRange(start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
  }

  /// Appends an escaped code point; the backslash has been consumed. https://drafts.csswg.org/css-syntax-3/#consume-escaped-code-point
  private mutating func consumeEscape() {
    guard position < count else { return extra.append(contentsOf: [0xEF, 0xBF, 0xBD]) }
    guard hexValue(source[position]) != nil else {
      // Continuation bytes are appended by the caller, since all non-ASCII bytes are part of names and strings.
      extra.append(source[position])
      position += 1
      return
    }
    var value: UInt32 = 0
    var digits = 0
    while digits < 6, position < count, let digit = hexValue(source[position]) {
      value = value << 4 | digit
      position += 1
      digits += 1
    }
    if position < count, isWhitespace(source[position]) { position += 1 }
    let scalar = value == 0 ? nil : Unicode.Scalar(value)
    extra.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
  }

  // MARK: Strings and URLs

  /// https://drafts.csswg.org/css-syntax-3/#consume-string-token
  private mutating func consumeString(ending quote: UInt8) -> Token {
    position += 1
    let start = position
    while position < count, source[position] != quote, source[position] != 0x0A, source[position] != 0x5C { position += 1 }
    var token = Token(kind: .string)
    guard position < count, source[position] != quote else {
      token.value = range(start, position)
      if position < count { position += 1 }
      return token
    }
    let extraStart = extra.count
    extra.append(contentsOf: source[start..<position])
    while position < count {
      let byte = source[position]
      if byte == quote {
        position += 1
        break
      }
      if byte == 0x0A {
        token.kind = .badString
        break
      }
      position += 1
      if byte != 0x5C {
        extra.append(byte)
      } else if peek() == 0x0A {
        position += 1
      } else if position < count {
        consumeEscape()
      }
    }
    token.value = range(count + extraStart, count + extra.count)
    return token
  }

  /// https://drafts.csswg.org/css-syntax-3/#consume-url-token
  private mutating func consumeURL() -> Token {
    var token = Token(kind: .url)
    while isWhitespace(peek()) { position += 1 }
    let start = position
    while position < count, isPlainInURL(source[position]) { position += 1 }
    var extraStart: Int?
    let end = position
    while position < count, source[position] == 0x5C, isValidEscape(at: position) {
      if extraStart == nil {
        extraStart = extra.count
        extra.append(contentsOf: source[start..<position])
      }
      position += 1
      consumeEscape()
      while position < count, isPlainInURL(source[position]) {
        extra.append(source[position])
        position += 1
      }
    }
    token.value = extraStart.map { range(count + $0, count + extra.count) } ?? range(start, end)
    while isWhitespace(peek()) { position += 1 }
    if position >= count { return token }
    if source[position] == 0x29 {
      position += 1
      return token
    }
    skipBadURL()
    token.kind = .badURL
    token.value = .empty
    return token
  }

  private func isPlainInURL(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x29, 0x20, 0x0A, 0x09, 0x22, 0x27, 0x28, 0x5C, 0x0B, 0x7F: false
    case 0x00...0x08, 0x0E...0x1F: false
    default: true
    }
  }

  /// https://drafts.csswg.org/css-syntax-3/#consume-remnants-of-bad-url
  private mutating func skipBadURL() {
    while position < count {
      let byte = source[position]
      position += 1
      if byte == 0x29 { return }
      if byte == 0x5C, position < count, source[position] != 0x0A { position += 1 }
    }
  }

  // MARK: Numbers

  /// https://drafts.csswg.org/css-syntax-3/#consume-numeric-token
  private mutating func consumeNumeric() -> Token {
    var token = consumeNumber()
    if startsIdentifier(at: position) {
      token.kind = .dimension
      token.value = consumeIdentifier()
    } else if peek() == 0x25 {
      token.kind = .percentage
      position += 1
    }
    return token
  }

  /// https://drafts.csswg.org/css-syntax-3/#consume-number
  private mutating func consumeNumber() -> Token {
    var token = Token(kind: .number)
    token.isIntegerOrID = true
    let start = position
    var isNegative = false
    if peek() == 0x2B || peek() == 0x2D {
      token.hasSign = true
      isNegative = peek() == 0x2D
      position += 1
    }
    var mantissa: UInt64 = 0
    var exponent = 0
    var digits = 0
    func take(_ byte: UInt8) {
      guard digits < 18 else {
        digits += 1
        return
      }
      mantissa = mantissa * 10 + UInt64(byte - 0x30)
      if mantissa > 0 { digits += 1 }
    }
    while isDigit(peek()) {
      take(source[position])
      position += 1
    }
    if peek() == 0x2E, isDigit(peek(1)) {
      token.isIntegerOrID = false
      position += 1
      while isDigit(peek()) {
        take(source[position])
        exponent -= 1
        position += 1
      }
    }
    let hasExponent = peek() | 0x20 == 0x65 && (isDigit(peek(1)) || ((peek(1) == 0x2B || peek(1) == 0x2D) && isDigit(peek(2))))
    if hasExponent {
      token.isIntegerOrID = false
      position += 2
      while isDigit(peek()) { position += 1 }
    }
    if !hasExponent, digits <= 15, exponent >= -22 {
      let value = Double(mantissa) / Self.powersOfTen[-exponent]
      token.number = isNegative ? -value : value
    } else {
      token.number = Self.slowNumber(source[start..<position])
    }
    return token
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private static func slowNumber(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
    let value = Double(String(decoding: bytes, as: UTF8.self)) ?? 0
    return min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
  }

  /// https://drafts.csswg.org/css-syntax-3/#starts-with-a-number
  private func startsNumber(at index: Int) -> Bool {
    var index = index
    guard index < count else { return false }
    if source[index] == 0x2B || source[index] == 0x2D { index += 1 }
    guard index < count else { return false }
    if isDigit(source[index]) { return true }
    return source[index] == 0x2E && index + 1 < count && isDigit(source[index + 1])
  }

  // MARK: Look-ahead

  /// https://drafts.csswg.org/css-syntax-3/#would-start-an-identifier
  private func startsIdentifier(at index: Int) -> Bool {
    guard index < count else { return false }
    let byte = source[index]
    if byte == 0x2D {
      guard index + 1 < count else { return false }
      return source[index + 1] == 0x2D || isIdentifierStart(source[index + 1]) || isValidEscape(at: index + 1)
    }
    return isIdentifierStart(byte) || isValidEscape(at: index)
  }

  /// https://drafts.csswg.org/css-syntax-3/#starts-with-a-valid-escape
  private func isValidEscape(at index: Int) -> Bool {
    guard index < count, source[index] == 0x5C else { return false }
    return index + 1 >= count || source[index + 1] != 0x0A
  }
}

@inline(__always) func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 }
@inline(__always) func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
@inline(__always) private func isIdentifierStart(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte >= 0x80 }
@inline(__always) private func isIdentifierByte(_ byte: UInt8) -> Bool { isIdentifierStart(byte) || isDigit(byte) || byte == 0x2D }

private func hexValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case 0x30...0x39: UInt32(byte - 0x30)
  case 0x41...0x46: UInt32(byte - 0x41 + 10)
  case 0x61...0x66: UInt32(byte - 0x61 + 10)
  default: nil
  }
}
