/// Hides passwords in text that people read: messages, logs, the output of `--print-config`.
package enum Credentials {
  /// Replaces the password of each URL in the text by `***`. https://url.spec.whatwg.org/#url-serializing
  package static func hidden(in text: String) -> String {
    var result: [UInt8] = [], bytes = Array(text.utf8)
    var end = 0
    for range in ranges(bytes) {
      result += bytes[end..<range.lowerBound] + Array("***".utf8)
      end = range.upperBound
    }
    bytes.removeFirst(end)
    return String(decoding: result + bytes, as: UTF8.self)
  }

  /// The ranges of passwords: between `:` and the last `@` of an authority, which begins after `://`.
  package static func ranges(_ bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var index = 0
    while index + 2 < bytes.count {
      guard bytes[index...].starts(with: "://".utf8) else { index += 1; continue }
      let start = index + 3
      let end = bytes[start...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\"") } ?? bytes.count
      index = end
      // A `/` in a password makes the URL invalid, but the password must be hidden as well.
      let mark = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) ?? lateMark(bytes, from: end)
      guard let mark, let colon = bytes[start..<mark].firstIndex(of: UInt8(ascii: ":")) else { continue }
      ranges.append(colon + 1..<mark)
      index = max(index, mark)
    }
    return ranges
  }

  /// The same for text that is a single URL, whatever characters its password contains.
  package static func ranges(inAddress bytes: [UInt8]) -> [Range<Int>] {
    guard let scheme = (0..<max(0, bytes.count - 2)).first(where: { bytes[$0...].starts(with: "://".utf8) }),
      let mark = bytes.lastIndex(of: UInt8(ascii: "@")), mark > scheme + 3,
      let colon = bytes[(scheme + 3)..<mark].firstIndex(of: UInt8(ascii: ":"))
    else { return [] }
    return [colon + 1..<mark]
  }

  /// The URL of a store or queue, without its password. An invalid URL is hidden completely, because its password can be anywhere in it.
  package static func hidden(inAddress text: String) -> String {
    let bytes = Array(text.utf8)
    if !text.utf8.contains(UInt8(ascii: "@")) && !text.contains("%40") { return isPlain(bytes) ? text : "***" }
    guard let range = ranges(inAddress: bytes).first, !text.contains("%40") else { return "***" }
    return String(decoding: bytes[..<range.lowerBound] + Array("***".utf8) + bytes[range.upperBound...], as: UTF8.self)
  }

  /// Whether the part after the last colon is a port. For URLs without user information.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !bytes[colon...].starts(with: "://".utf8) else { return true }
    let port = bytes[(colon + 1)...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "]") }
    return port.allSatisfy { (0x30...0x39).contains($0) } || bytes[colon...].contains(UInt8(ascii: "]"))
  }

  private static func lateMark(_ bytes: [UInt8], from start: Int) -> Int? {
    let end = bytes[start...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "\"") } ?? bytes.count
    return bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
  }
}
