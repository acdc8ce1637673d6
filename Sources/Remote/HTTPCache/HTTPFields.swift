import OffprintCoreTypes
import Glibc

/// The header fields of a response, with lowercase names.
struct HTTPFields: Equatable {
  private(set) var lines: [(name: String, value: String)] = []

  static func == (a: HTTPFields, b: HTTPFields) -> Bool {
    a.lines.map(\.name) == b.lines.map(\.name) && a.lines.map(\.value) == b.lines.map(\.value)
  }

  init() {}

  /// - Parameter head: Lines that end in CR LF or LF; the status line and malformed lines are ignored.
  init(head: some Collection<UInt8>) {
    for line in head.split(separator: 0x0a) {
      guard let colon = line.firstIndex(of: 0x3a), colon > line.startIndex, !line.starts(with: Array("HTTP/".utf8)) else { continue }
      append(
        String(decoding: line[..<colon], as: UTF8.self).lowercased(),
        HTTPFields.trimmed(String(decoding: line[line.index(after: colon)...], as: UTF8.self)))
    }
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    var text = Substring(text)
    while let last = text.unicodeScalars.last, last.value <= 0x20 { text.unicodeScalars.removeLast() }
    return String(text.drop { $0 == " " || $0 == "\t" })
  }

  mutating func append(_ name: String, _ value: String) {
    guard lines.count < 1000, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x3a }) else { return }
    lines.append((name, value))
  }

  /// All values of a field as one list; nil if it is absent.
  subscript(_ name: String) -> String? {
    let values = lines.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// The first value, for fields with a single value.
  func first(_ name: String) -> String? { lines.first { $0.name == name }?.value }

  /// Replaces the fields that `other` contains. https://www.rfc-editor.org/rfc/rfc9111#section-3.2
  mutating func update(_ other: HTTPFields) {
    let kept: Set<String> = ["content-length", "content-encoding", "content-type", "content-range", "transfer-encoding"]
    let names = Set(other.lines.map(\.name)).subtracting(kept)
    lines.removeAll { names.contains($0.name) }
    for line in other.lines where names.contains(line.name) { append(line.name, line.value) }
  }
}

/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Seconds since 1970 of a date in any of the three formats; nil if it is invalid.
  static func parse(_ text: String) -> Int64? {
    guard text.utf8.count <= 64 else { return nil }
    var day: Int?, month: Int?, year: Int?, time: [Int] = []
    for word in text.lowercased().split(whereByte: { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D }) {
      if word.contains(":") {
        time = word.split(byte: ":").map { Int($0) ?? 99 }
      } else if let found = months.firstIndex(of: String(word.prefix(3))), month == nil, !word.hasSuffix("day") {
        month = found + 1
      } else if let number = Int(word) {
        if day == nil { day = number } else if year == nil { year = word.count == 2 ? number + (number < 70 ? 2000 : 1900) : number }
      }
    }
    guard let day, let month, let year, time.count == 3, (1...31).contains(day), (1600...9999).contains(year), (0...23).contains(time[0]),
      (0...59).contains(time[1]), (0...60).contains(time[2])
    else { return nil }
    return Int64(CivilDate(year: year, month: month, day: day).daysSince1970) * 86_400 + Int64(time[0] * 3600 + time[1] * 60 + time[2])
  }
}

/// The `Cache-Control` directives of a response. https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2
struct CacheControl {
  private(set) var directives: [String: String] = [:]

  init(_ fields: HTTPFields) {
    var name = "", value = "", isValue = false, isQuoted = false
    func isSeparator(_ character: Character) -> Bool { character == "," && !isQuoted }
    for character in (fields["cache-control"] ?? "") + "," {
      if isSeparator(character) {
        let key = HTTPFields.trimmed(name).lowercased()
        // The first of repeated directives applies.
        if !key.isEmpty, directives[key] == nil { directives[key] = HTTPFields.trimmed(value) }
        (name, value, isValue, isQuoted) = ("", "", false, false)
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == "=", !isValue {
        isValue = true
      } else if isValue {
        value.append(character)
      } else {
        name.append(character)
      }
    }
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  /// Seconds; 0 if the value is not a number. https://www.rfc-editor.org/rfc/rfc9111#section-1.2.2
  func seconds(_ name: String) -> Int64? {
    guard let text = directives[name] else { return nil }
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return 0 }
    return min(Int64(text) ?? Int64.max, 1 << 31)
  }
}
