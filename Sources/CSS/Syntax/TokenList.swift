import OffprintCoreTypes
import OffprintDOM

/// Tokens with precomputed block ends, so that component values are skipped in constant time.
///
/// https://drafts.csswg.org/css-syntax-3/#component-value
struct TokenList: Sendable {
  let buffer: TokenBuffer
  /// For an opening token or function, the index of the closing token; the last token if unclosed.
  private let ends: [Int32]

  init(_ buffer: TokenBuffer) {
    self.buffer = buffer
    ends = Self.blockEnds(buffer.tokens)
  }

  private static func blockEnds(_ tokens: [Token]) -> [Int32] {
    let last = Int32(truncatingIfNeeded: tokens.count - 1)
    return [Int32](unsafeUninitializedCapacity: tokens.count) { ends, count in
      var open: [(index: Int, closer: Token.Kind)] = []
      for index in tokens.indices {
        ends[index] = last
        let kind = tokens[index].kind
        switch kind {
        case .function, .openParen: open.append((index, .closeParen))
        case .openSquare: open.append((index, .closeSquare))
        case .openCurly: open.append((index, .closeCurly))
        case .closeParen, .closeSquare, .closeCurly:
          if let top = open.last, top.closer == kind {
            ends[top.index] = Int32(truncatingIfNeeded: index)
            open.removeLast()
          }
        default: break
        }
      }
      count = tokens.count
    }
  }

  /// The number of tokens, excluding the final `endOfFile`.
  var count: Int { max(buffer.tokens.count - 1, 0) }

  subscript(index: Int) -> Token { index >= 0 && index < buffer.tokens.count ? buffer.tokens[index] : Token(kind: .endOfFile) }

  func kind(_ index: Int) -> Token.Kind { index >= 0 && index < buffer.tokens.count ? buffer.tokens[index].kind : .endOfFile }

  /// The tokens between the opening token or function at `index` and its closing token.
  func contents(_ index: Int) -> Range<Int> { (index + 1)..<max(blockEnd(index), index + 1) }

  func blockEnd(_ index: Int) -> Int { index >= 0 && index < ends.count ? min(Int(ends[index]), count) : count }

  /// The index of the token after the component value at `index`.
  func skip(_ index: Int) -> Int {
    switch kind(index) {
    case .function, .openParen, .openSquare, .openCurly: max(min(blockEnd(index) + 1, count), index + 1)
    default: index + 1
    }
  }

  func skipWhitespace(_ index: Int) -> Int {
    var index = index
    while kind(index) == .whitespace { index += 1 }
    return index
  }

  /// `range` without leading and trailing whitespace.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, kind(start) == .whitespace { start += 1 }
    while end > start, kind(end - 1) == .whitespace { end -= 1 }
    return start..<end
  }

  /// The parts of `range` between `separator` tokens outside of blocks; one empty part for an empty range.
  func split(_ range: Range<Int>, at separator: Token.Kind) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    while true {
      let end = next(separator, start..<max(range.upperBound, start))
      parts.append(start..<end)
      if end >= range.upperBound { return parts }
      start = end + 1
    }
  }

  /// The index of the first token of `kind` in `range` outside of blocks; the end of `range` if absent.
  func next(_ kind: Token.Kind, _ range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound, self.kind(index) != kind { index = skip(index) }
    return max(min(index, range.upperBound), range.lowerBound)
  }

  func value(_ index: Int) -> ArraySlice<UInt8> { buffer.bytes(self[index].value) }

  func string(_ index: Int) -> String { String(decoding: value(index), as: UTF8.self) }

  func lowercased(_ index: Int) -> String { String(decoding: value(index).map(asciiLowercased), as: UTF8.self) }

  func isDelimiter(_ index: Int, _ character: Unicode.Scalar) -> Bool {
    kind(index) == .delim && self[index].delimiter == character.value
  }

  /// Whether the token is the identifier `name` (in lowercase), ignoring ASCII case.
  func isIdent(_ index: Int, _ name: StaticString) -> Bool { kind(index) == .ident && equalsIgnoringCase(value(index), name) }

  func isFunction(_ index: Int, _ name: StaticString) -> Bool { kind(index) == .function && equalsIgnoringCase(value(index), name) }

  /// The source text of the tokens in `range`.
  func source(_ range: Range<Int>) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    return buffer.bytes(TextRange(start: self[range.lowerBound].source.start, end: self[range.upperBound - 1].source.end))
  }
}

@inline(__always) func asciiLowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

func equalsIgnoringCase(_ bytes: ArraySlice<UInt8>, _ lowercaseName: StaticString) -> Bool {
  guard bytes.count == lowercaseName.utf8CodeUnitCount else { return false }
  let name = UnsafeBufferPointer(start: lowercaseName.utf8Start, count: lowercaseName.utf8CodeUnitCount)
  for (a, b) in zip(bytes, name) where asciiLowercased(a) != b { return false }
  return true
}

func equalsIgnoringCase(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { asciiLowercased($0) == asciiLowercased($1) }
}

extension NameInterner {
  /// The name of `bytes` in ASCII lowercase.
  func internLowercased(_ bytes: ArraySlice<UInt8>) -> Name {
    bytes.contains { $0 &- 0x41 < 26 } ? table.intern(bytes.map(asciiLowercased)) : table.intern(bytes)
  }
}
