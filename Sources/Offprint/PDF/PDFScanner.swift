/// The tokens of a PDF file. https://www.iso.org/standard/75839.html, 7.2
struct PDFScanner {
  struct Token {
    var range: Range<Int>
    /// The value of a number without sign and decimal point.
    var integer: Int?

    func isWord(_ word: StaticString, in file: [UInt8]) -> Bool {
      range.count == word.utf8CodeUnitCount && PDFScanner.matches(word, file, at: range.lowerBound)
    }
  }

  private let file: [UInt8]
  private var position: Int

  init(_ file: [UInt8], at position: Int) { (self.file, self.position) = (file, position) }

  static func matches(_ word: StaticString, _ file: [UInt8], at start: Int) -> Bool {
    word.withUTF8Buffer { word in start >= 0 && word.count <= file.count - start && file[start..<start + word.count].elementsEqual(word) }
  }

  mutating func integer() -> Int? { next()?.integer }

  /// The start of a stream's bytes, after the keyword and its line end. 7.3.8.1
  var startOfStream: Int? {
    var start = position
    if start < file.count, file[start] == 0x0D { start += 1 }
    guard start < file.count, file[start] == 0x0A else { return nil }
    return start + 1
  }

  /// Nil at the end of the file.
  mutating func next() -> Token? {
    skipSpaces()
    guard position < file.count else { return nil }
    let start = position
    switch file[position] {
    case UInt8(ascii: "("): skipString()
    case UInt8(ascii: "<"), UInt8(ascii: ">"): skipAngle()
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ")"): position += 1
    default:
      position += 1
      while position < file.count, Self.isRegular(file[position]) { position += 1 }
    }
    return Token(range: start..<position, integer: integer(in: start..<position))
  }

  private func integer(in range: Range<Int>) -> Int? {
    guard range.count <= 12 else { return nil }
    var value = 0
    for byte in file[range] {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(byte &- 0x30)
    }
    return value
  }

  private mutating func skipSpaces() {
    while position < file.count {
      if file[position] == UInt8(ascii: "%") {
        while position < file.count, file[position] != 0x0A, file[position] != 0x0D { position += 1 }
      } else if Self.isSpace(file[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  /// 7.3.4.2
  private mutating func skipString() {
    var depth = 0
    while position < file.count {
      switch file[position] {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      position = min(position + 1, file.count)
      if depth == 0 { return }
    }
  }

  /// Skips `<<`, `>>`, or a hexadecimal string.
  private mutating func skipAngle() {
    let first = file[position]
    position += 1
    if position < file.count, file[position] == first {
      position += 1
    } else if first == UInt8(ascii: "<") {
      while position < file.count, file[position] != UInt8(ascii: ">") { position += 1 }
      position = min(position + 1, file.count)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C || byte == 0
  }
  private static func isRegular(_ byte: UInt8) -> Bool { !isSpace(byte) && !"()<>[]{}/%".utf8.contains(byte) }
}
