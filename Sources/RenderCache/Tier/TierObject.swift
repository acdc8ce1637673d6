internal import OffprintCoreTypes

/// A value with its record as one object: a line of text, the record in the format of journals and archives, the value. The line contains
/// the record's length and checksum and the record the value's, so that any wrong byte is detected.
enum TierObject {
  private static let magic = "offprint-object 1"
  private static let longestLine = 128

  static func encode(_ record: CacheRecord, _ data: [UInt8]) -> [UInt8] {
    let text = RecordText.encode(record)
    return Array("\(magic) \(text.count) \(Hex.encode(SHA256.hash(text)))\n".utf8) + text + data
  }

  /// Nil if it is incomplete, damaged or was not stored under this key.
  static func decode(_ bytes: [UInt8], _ key: CacheKey) -> (record: CacheRecord, data: [UInt8])? {
    guard let end = bytes.prefix(longestLine).firstIndex(of: 0x0A) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(byte: " ", omittingEmptySubsequences: false)
    guard words.count == 4, words[..<2].joined(separator: " ") == magic, let length = Int(words[2]), length >= 0,
      length <= bytes.count - end - 1
    else { return nil }
    let text = bytes[(end + 1)..<(end + 1 + length)]
    guard Hex.encode(SHA256.hash(Array(text))) == words[3], let record = RecordText.decode(text), record.key == key else { return nil }
    let data = Array(bytes[text.endIndex...])
    guard record.size == Int64(data.count), SHA256.hash(data) == record.checksum else { return nil }
    return (record, data)
  }
}
