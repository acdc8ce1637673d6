import OffprintCoreTypes

/// The tokens of the standard, except that a run of characters is a single token.
enum HTMLTokenKind: UInt8 {
  case doctype, startTag, endTag, comment, text
  /// U+0000 in the data state; how it is handled depends on the insertion mode.
  case null
  case endOfFile
}

/// The current token. Attributes and text are ranges in the tokenizer's arenas, so that elements use them without copying.
struct HTMLToken {
  var kind: HTMLTokenKind = .endOfFile
  var name: Name = .empty
  var attributes: TextRange = .empty
  /// The data of text and comments; the public identifier of doctypes.
  var data: TextRange = .empty
  var systemIdentifier: TextRange = .empty
  var hasPublicIdentifier = false
  var hasSystemIdentifier = false
  var forceQuirks = false
  var selfClosing = false
  var start = 0
}

/// How the tokenizer interprets `<` and `&`; the tree construction stage switches it after certain start tags.
enum HTMLContentModel: UInt8 { case data, rcdata, rawtext, scriptData, plaintext, cdataSection }

/// The tokenization stage, on UTF-8 whose line ends are line feeds. Since the whole input is available, states that only wait for more
/// characters are replaced by lookahead; the tokens are those of the standard.
///
/// https://html.spec.whatwg.org/multipage/parsing.html#tokenization
struct HTMLTokenizer {
  let source: UnsafeBufferPointer<UInt8>
  var position = 0
  var contentModel = HTMLContentModel.data
  /// The name an end tag must have to be an appropriate end tag.
  var lastStartTag: Name = .empty
  /// Whether the adjusted current node is foreign, so that `<![CDATA[` begins a section.
  var allowsCDATA = false
  var token = HTMLToken()

  /// The source, followed by text that differs from it (decoded references, replaced NULs, joined pieces).
  var text: [UInt8]
  var attributes: [Attribute] = []
  var names: NameTable
  var scratch: [UInt8] = []
  /// By attribute name: the number of the last tag that had it. Finds duplicates without comparing all pairs.
  var lastTagWithAttribute: [UInt32] = []
  var tagNumber: UInt32 = 0
  private var replacement: TextRange = .empty

  init(source: UnsafeBufferPointer<UInt8>, names: NameTable) {
    self.source = source
    self.names = names
    text = []
    text.reserveCapacity(source.count + source.count / 8 + 64)
    text.append(contentsOf: source)
    attributes.reserveCapacity(source.count / 64)
  }

  /// Reads the next token into `token`.
  mutating func next() {
    while position < source.count {
      token.start = position
      let isToken =
        switch contentModel {
        case .data: nextInData()
        case .rcdata: nextInRCDATA()
        case .rawtext: nextRawText(until: findAppropriateEndTag(from: position))
        case .scriptData: nextRawText(until: findScriptEnd())
        case .plaintext: nextRawText(until: source.count)
        case .cdataSection: nextInCDATASection()
        }
      if isToken { return }
    }
    token.start = position
    token.kind = .endOfFile
  }

  @inline(__always)
  func byte(at index: Int) -> UInt8 { index < source.count ? source[index] : 0 }

  // MARK: Text

  /// https://html.spec.whatwg.org/multipage/parsing.html#data-state
  private mutating func nextInData() -> Bool {
    let start = position
    switch source[start] {
    case UInt8(ascii: "<"):
      if let isToken = markup() { return isToken }
    case UInt8(ascii: "&"):
      if let range = textReference() { return emitText(range) }
    case 0:
      position += 1
      token.kind = .null
      return true
    default: break
    }
    var end = start + 1
    while end < source.count, !isDataSpecial(source[end]) { end += 1 }
    return emitText(from: start, to: end)
  }

  @inline(__always)
  private func isDataSpecial(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0 }

  /// https://html.spec.whatwg.org/multipage/parsing.html#rcdata-state
  private mutating func nextInRCDATA() -> Bool {
    let start = position
    switch source[start] {
    case UInt8(ascii: "<"):
      if isAppropriateEndTag(at: start) {
        contentModel = .data
        return tag(from: start + 2, kind: .endTag)
      }
    case UInt8(ascii: "&"):
      if let range = textReference() { return emitText(range) }
    case 0:
      position += 1
      return emitText(replacementCharacter())
    default: break
    }
    var end = start + 1
    while end < source.count, !isDataSpecial(source[end]) { end += 1 }
    return emitText(from: start, to: end)
  }

  /// Reads text without references up to `end`, where an end tag or the end of the file follows.
  private mutating func nextRawText(until end: Int) -> Bool {
    if contentModel != .plaintext { contentModel = .data }
    guard end > position else { return false }
    token.kind = .text
    token.data = dataRange(from: position, to: end)
    position = end
    return true
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#cdata-section-state
  private mutating func nextInCDATASection() -> Bool {
    let start = position
    if source[start] == 0 {
      position += 1
      token.kind = .null
      return true
    }
    var end = start
    while end < source.count, source[end] != 0 {
      if source[end] == UInt8(ascii: "]"), byte(at: end + 1) == UInt8(ascii: "]"), byte(at: end + 2) == UInt8(ascii: ">") {
        contentModel = .data
        position = end + 3
        guard end > start else { return false }
        token.kind = .text
        token.data = TextRange(from: start, to: end)
        return true
      }
      end += 1
    }
    return emitText(from: start, to: end)
  }

  private mutating func emitText(from start: Int, to end: Int) -> Bool {
    position = end
    return emitText(TextRange(from: start, to: end))
  }

  private mutating func emitText(_ range: TextRange) -> Bool {
    token.kind = .text
    token.data = range
    return true
  }

  private mutating func textReference() -> TextRange? {
    let start = text.count
    guard let end = appendCharacterReference(at: position, inAttribute: false) else { return nil }
    position = end
    return TextRange(from: start, to: text.count)
  }

  // MARK: Replacement characters

  mutating func replacementCharacter() -> TextRange {
    if replacement.isEmpty {
      replacement = TextRange(from: text.count, to: text.count + 3)
      text.append(contentsOf: [0xEF, 0xBF, 0xBD])
    }
    return replacement
  }

  /// A range of source bytes as data. If it contains NULs, a copy in which they are U+FFFD.
  mutating func dataRange(from start: Int, to end: Int) -> TextRange {
    guard source[start..<end].contains(0) else { return TextRange(from: start, to: end) }
    let copy = text.count
    for index in start..<end { appendReplacingNull(source[index]) }
    return TextRange(from: copy, to: text.count)
  }

  @inline(__always)
  mutating func appendReplacingNull(_ byte: UInt8) {
    if byte == 0 { text.append(contentsOf: [0xEF, 0xBF, 0xBD]) } else { text.append(byte) }
  }

  /// Interns `start..<end`; with `fold`, uppercase letters are lowercased and NULs replaced.
  mutating func name(from start: Int, to end: Int, fold: Bool) -> Name {
    guard fold else { return names.intern(UnsafeBufferPointer(rebasing: source[start..<end])) }
    scratch.removeAll(keepingCapacity: true)
    for index in start..<end {
      if source[index] == 0 { scratch.append(contentsOf: [0xEF, 0xBF, 0xBD]) } else { scratch.append(source[index].asciiLowercased) }
    }
    return names.intern(scratch)
  }
}

extension TextRange {
  @inline(__always)
  init(from start: Int, to end: Int) { self.init(start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end)) }
}

extension UInt8 {
  @inline(__always) var isASCIIUpper: Bool { self &- 0x41 < 26 }
  @inline(__always) var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inline(__always) var isASCIIDigit: Bool { self &- 0x30 < 10 }
  @inline(__always) var asciiLowercased: UInt8 { isASCIIUpper ? self | 0x20 : self }
  var hexDigitValue: UInt32? {
    if isASCIIDigit { return UInt32(self &- 0x30) }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}
