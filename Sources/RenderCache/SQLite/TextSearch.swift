internal import CSQLite
internal import Glibc

/// The SQL function `has_part(part, text, …)`: whether one of the texts has the part, ASCII letters in either case. What
/// `text LIKE '%part%'` says, in a third of the time: a list looks at a million rows. https://www.sqlite.org/appfunc.html
enum TextSearch {
  static let name = "has_part"

  static func register(on connection: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    sqlite3_create_function_v2(connection, name, -1, flags, nil, call, nil, nil, nil)
  }

  private typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private static let call: Function = { context, count, values in
    guard count > 0, let values else { return }
    let part = TextSearch.bytes(values[0])
    var isFound = false
    for index in 1..<max(1, Int(count)) where !isFound { isFound = contains(TextSearch.bytes(values[index]), part) }
    sqlite3_result_int(context, isFound ? 1 : 0)
  }

  private static func bytes(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(value)  // before the count, which is that of the text it makes
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// Looks for the byte of `part` that is the rarest in texts, and where that is for the others.
  static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let anchor = part.indices.min(by: { rank(part[$0]) < rank(part[$1]) }) else { return true }
    guard let start = text.baseAddress, text.count >= part.count else { return false }
    let lower = folded(part[anchor])
    let isLetter = (0x61...0x7A).contains(lower)
    return occurs(lower, anchor, start, text.count, part) || isLetter && occurs(lower ^ 0x20, anchor, start, text.count, part)
  }

  private static func occurs(
    _ byte: UInt8, _ anchor: Int, _ start: UnsafePointer<UInt8>, _ count: Int, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let end = count - part.count + anchor + 1
    var place = anchor
    while place < end, let found = memchr(start + place, Int32(byte), end - place) {
      let at = UnsafeRawPointer(start).distance(to: found)
      let first = start + (at - anchor)
      if part.indices.allSatisfy({ folded(first[$0]) == folded(part[$0]) }) { return true }
      place = at + 1
    }
    return false
  }

  private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// How often a byte is met in addresses and JSON, roughly.
  private static func rank(_ byte: UInt8) -> Int {
    switch folded(byte) {
    case 0x22, 0x2F, 0x65, 0x61, 0x69, 0x73, 0x74, 0x6E, 0x6F, 0x72: 3  // "/eaistnor
    case 0x61...0x7A, 0x2C, 0x2D, 0x2E, 0x3A: 2
    case 0x30...0x39: 1
    default: 0
    }
  }
}
