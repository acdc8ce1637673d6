import Glibc

/// One record per line.
struct LineSplitter: RecordSplitter {
  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> RecordPart {
    guard let start = bytes.baseAddress, let found = memchr(start, 0x0A, bytes.count) else {
      return RecordPart(consumed: bytes.count, kept: 0..<bytes.count, isEnd: false)
    }
    let length = UnsafeRawPointer(found) - start
    return RecordPart(consumed: length + 1, kept: 0..<length, isEnd: true)
  }
}

/// Records of a table. Line breaks in quotes do not end a record.
///
/// https://www.rfc-editor.org/rfc/rfc4180#section-2
struct TableSplitter: RecordSplitter {
  let separator: UInt8
  private var isQuoted = false
  private var isFieldStart = true
  /// Whether the previous byte was a closing quote; a second quote makes it an escaped one.
  private var hasClosed = false

  init(separator: UInt8) { self.separator = separator }

  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> RecordPart {
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") {
        let opens = !isQuoted && (isFieldStart || hasClosed)
        hasClosed = isQuoted
        isQuoted = opens
        isFieldStart = false
        continue
      }
      hasClosed = false
      if isQuoted { continue }
      isFieldStart = byte == separator || byte == 0x0A
      if byte == 0x0A { return RecordPart(consumed: index + 1, kept: 0..<index, isEnd: true) }
    }
    return RecordPart(consumed: bytes.count, kept: 0..<bytes.count, isEnd: false)
  }
}

/// The elements of a JSON array, or concatenated values, without buffering more than one.
struct JSONSplitter: RecordSplitter {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether a value has begun.
  private var isInValue = false
  private var isArray = false
  private var hasBegun = false
  private var hasEnded = false
  /// In an array: whether a comma must precede the next value, and whether a value must follow before the end.
  private var needsComma = false
  private var needsValue = false
  private var isOdd = false

  var problemAtEnd: String? {
    if isOdd { return "is not a valid JSON array: it has text outside of it, or a missing or extra comma" }
    return isArray && !hasEnded ? "ends early: its JSON array is not closed" : nil
  }

  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> RecordPart {
    var start = isInValue ? 0 : bytes.count
    for (index, byte) in bytes.enumerated() {
      if !isInValue {
        guard begins(byte) else { continue }
        start = index
      }
      if let isIncluded = ends(byte) {
        isInValue = false
        let end = index + (isIncluded ? 1 : 0)
        // The byte that ended the value may also end the array.
        if !isIncluded { _ = begins(byte) }
        return RecordPart(consumed: index + 1, kept: start..<end, isEnd: true)
      }
    }
    return RecordPart(consumed: bytes.count, kept: start..<bytes.count, isEnd: false)
  }

  /// Whether a value begins with this byte, which is between values.
  private mutating func begins(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return false
    case UInt8(ascii: ",") where isArray && !hasEnded:
      isOdd = isOdd || !needsComma
      (needsComma, needsValue) = (false, true)
      return false
    case UInt8(ascii: "]") where isArray && !hasEnded:
      isOdd = isOdd || needsValue
      hasEnded = true
      return false
    case UInt8(ascii: "[") where !hasBegun:
      (isArray, hasBegun) = (true, true)
      return false
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      isOdd = true
      return false
    default:
      if hasEnded {
        isOdd = true
        return false
      }
      isOdd = isOdd || needsComma
      (hasBegun, isInValue, depth) = (true, true, 0)
      (needsComma, needsValue) = (isArray, false)
      return true
    }
  }

  /// Whether the value ends with this byte; nil if it continues, false if it ended before the byte.
  private mutating func ends(_ byte: UInt8) -> Bool? {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
        return depth == 0 ? true : nil
      }
      return nil
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return false }
      depth -= 1
      return depth == 0 ? true : nil
    case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: return depth == 0 ? false : nil
    default: break
    }
    return nil
  }
}

/// The texts of `<loc>` elements, up to and including the `</loc` that ends them.
///
/// https://www.sitemaps.org/protocol.html
struct SitemapSplitter: RecordSplitter {
  private enum State { case text, tag, comment, location, locationTag }
  private var state = State.text
  private var tag: [UInt8] = []
  private(set) var isIndex = false

  var problemAtEnd: String? { isIndex ? "is an index of sitemaps; specify the sitemaps themselves" : nil }

  mutating func scan(_ bytes: UnsafeRawBufferPointer) -> RecordPart {
    var start = state == .location || state == .locationTag ? 0 : bytes.count
    for (index, byte) in bytes.enumerated() {
      switch state {
      case .text: if byte == UInt8(ascii: "<") { begin(.tag) }
      case .tag where byte == UInt8(ascii: ">"):
        state = .text
        if name == "loc" && !isIndex { (state, start) = (.location, min(start, index + 1)) }
        if name == "sitemapindex" { isIndex = true }
      case .tag:
        append(byte)
        if tag == Array("!--".utf8) { begin(.comment) }
      case .comment:
        tag = Array((tag + [byte]).suffix(3))
        if tag == Array("-->".utf8) { state = .text }
      case .location: if byte == UInt8(ascii: "<") { begin(.locationTag) }
      case .locationTag where byte == UInt8(ascii: ">"):
        if name == "/loc" {
          state = .text
          return RecordPart(consumed: index + 1, kept: start..<index, isEnd: true)
        }
        state = .location
      case .locationTag: append(byte)
      }
    }
    return RecordPart(consumed: bytes.count, kept: start..<bytes.count, isEnd: false)
  }

  private mutating func begin(_ new: State) { (state, tag) = (new, []) }
  private mutating func append(_ byte: UInt8) { if tag.count < 64 { tag.append(byte) } }
  /// The tag's name, without attributes.
  private var name: String { String(decoding: tag.prefix { $0 > 0x20 }, as: UTF8.self) }
}
