internal import Glibc

/// Converts text from legacy encodings with the C library's iconv.
enum TextEncoding {
  /// Nil if the encoding is unknown, or the text is invalid in it.
  static func utf8(_ bytes: UnsafeBufferPointer<UInt8>, from name: String) -> String? {
    if name.uppercased() == "UTF-8" { return String(validating: bytes, as: UTF8.self) }
    let encoding = name.lowercased().hasPrefix("microsoft-") ? String(name.dropFirst(10)) : name.replacingPrefix("ISO8859", "ISO-8859")
    guard encoding.utf8.allSatisfy({ $0 > 0x2c && $0 < 0x7f && $0 != 0x2f }) else { return nil }
    guard let converter = iconv_open("UTF-8", encoding), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    // In a single-byte encoding, no character takes more than three bytes in UTF-8.
    var left = bytes.count, room = bytes.count * 3
    let result = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      var source = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      var target = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let capacity = room
      let failed = iconv(converter, &source, &left, &target, &room) == Int(bitPattern: UInt.max)
      count = failed ? 0 : capacity - room
    }
    return left == 0 ? String(validating: result, as: UTF8.self) : nil
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, _ other: String) -> String {
    uppercased().hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}
