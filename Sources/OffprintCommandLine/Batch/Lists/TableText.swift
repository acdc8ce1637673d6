/// The fields of a record of a table.
///
/// https://www.rfc-editor.org/rfc/rfc4180#section-2
enum TableText {
  /// - Returns: Nil if a quote is not closed.
  static func fields(_ record: [UInt8], separator: UInt8) -> [String]? {
    var record = record[...]
    if record.last == 0x0D { record = record.dropLast() }
    var fields: [String] = []
    var position = record.startIndex
    while true {
      guard let (field, next) = field(record, position, separator) else { return nil }
      fields.append(field)
      guard let next else { return fields }
      position = next
    }
  }

  /// - Returns: The field at `start`, and where the next begins.
  private static func field(_ record: ArraySlice<UInt8>, _ start: Int, _ separator: UInt8) -> (String, Int?)? {
    guard start < record.endIndex, record[start] == UInt8(ascii: "\"") else {
      let end = record[start...].firstIndex(of: separator)
      return (String(decoding: record[start..<(end ?? record.endIndex)], as: UTF8.self), end.map { $0 + 1 })
    }
    var text: [UInt8] = []
    var position = start + 1
    while let quote = record[position...].firstIndex(of: UInt8(ascii: "\"")) {
      text += record[position..<quote]
      position = quote + 1
      guard position < record.endIndex, record[position] == UInt8(ascii: "\"") else {
        let end = record[position...].firstIndex(of: separator)
        // Text after the closing quote belongs to the field, as in spreadsheets.
        text += record[position..<(end ?? record.endIndex)]
        return (String(decoding: text, as: UTF8.self), end.map { $0 + 1 })
      }
      text.append(UInt8(ascii: "\""))
      position += 1
    }
    return nil
  }

  /// The bytes up to the first line end outside of quotes, whatever the separator is.
  static func firstRow(_ bytes: [UInt8]) -> [UInt8] {
    var isQuoted = false
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() } else if byte == 0x0A && !isQuoted { return Array(bytes[..<index]) }
    }
    return bytes
  }

  /// Detects the separator: the one that occurs most often outside of quotes in the header. Spreadsheets write semicolons where the comma
  /// is the decimal separator.
  static func separator(_ header: [UInt8]) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in header {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() } else if !isQuoted { counts[byte, default: 0] += 1 }
    }
    var best = UInt8(ascii: ",")
    for candidate in [UInt8(ascii: ";"), 0x09] where counts[candidate] ?? 0 > counts[best] ?? 0 { best = candidate }
    return best
  }
}
