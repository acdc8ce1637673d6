/// Members of a tar archive: the POSIX ustar header, for names of at most 100 bytes and files below 8 GiB.
/// https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_06
enum TarFormat {
  static let block = 512

  /// The header of a regular file.
  static func header(name: String, size: Int, modified: Int64) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: String, _ offset: Int, _ length: Int) {
      for (index, byte) in text.utf8.prefix(length).enumerated() { header[offset + index] = byte }
    }
    put(name, 0, 100)
    put("0000644", 100, 7)
    put("0000000", 108, 7)
    put("0000000", 116, 7)
    put(octal(Int64(size), digits: 11), 124, 11)
    put(octal(max(0, min(modified, 0o77_777_777_777)), digits: 11), 136, 11)
    put("        ", 148, 8)
    put("0", 156, 1)
    put("ustar", 257, 5)
    put("00", 263, 2)
    let sum = header.reduce(0) { $0 + Int64($1) }
    put(octal(sum, digits: 6) + "\0 ", 148, 8)
    return header
  }

  /// The zeros that fill the last block of a file.
  static func padding(_ size: Int) -> [UInt8] { [UInt8](repeating: 0, count: (block - size % block) % block) }

  static let end = [UInt8](repeating: 0, count: block * 2)

  struct Member: Equatable {
    var name: String
    var size: Int
    var isFile: Bool
  }

  enum Header: Equatable {
    case member(Member)
    case end
    /// The header's checksum or a field is invalid.
    case broken
  }

  static func parse(_ header: [UInt8]) -> Header {
    guard header.count == block else { return .broken }
    if header.allSatisfy({ $0 == 0 }) { return .end }
    let sum = header.enumerated().reduce(Int64(0)) { $0 + Int64((148..<156).contains($1.offset) ? 0x20 : $1.element) }
    guard number(header[148..<156]) == sum, let size = number(header[124..<136]), let count = Int(exactly: size) else { return .broken }
    let name = String(decoding: header[0..<100].prefix { $0 != 0 }, as: UTF8.self)
    let kind = header[156]
    return .member(Member(name: name, size: count, isFile: kind == 0 || kind == UInt8(ascii: "0")))
  }

  private static func octal(_ value: Int64, digits: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    let digits = field.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
    guard !digits.isEmpty, digits.count <= 12 else { return nil }
    return digits.reduce(0) { $0 << 3 | Int64($1 - 0x30) }
  }
}
