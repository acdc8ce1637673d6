import OffprintCSS
import OffprintCoreTypes

/// The text of date and time fields, in the en-US format of Chromium without a locale.
enum DateFieldText {
  /// The fields of a time after the minutes.
  enum Precision: Int {
    case minutes, seconds, milliseconds

    /// Seconds and milliseconds are shown if the value, `min` or `step` has them.
    ///
    /// https://html.spec.whatwg.org/multipage/input.html#concept-input-step
    init(_ type: String, value: ArraySlice<UInt8>?, step: ArraySlice<UInt8>?, minimum: ArraySlice<UInt8>?) {
      self = .minutes
      guard let field = FieldNumber(type: type), type == "time" || type == "datetime-local" else { return }
      let steps = step.flatMap { FieldNumber(type: "number")?.value($0) }
      let numbers = [value.flatMap { field.value($0) }, minimum.flatMap { field.value($0) }, steps.flatMap { $0 > 0 ? $0 : nil }]
      for seconds in numbers.compactMap({ $0 }) where seconds.isFinite {
        let number = (seconds * 1000).rounded()
        if number.truncatingRemainder(dividingBy: 1000) != 0 {
          self = .milliseconds
          return
        }
        if number.truncatingRemainder(dividingBy: 60_000) != 0 { self = .seconds }
      }
    }

    /// - Parameter digit: The placeholder for each digit.
    func suffix(_ digit: String) -> String {
      switch self {
      case .minutes: ""
      case .seconds: ":" + digit + digit
      case .milliseconds: ":" + digit + digit + "." + digit + digit + digit
      }
    }
  }

  static func text(_ type: String, _ value: ArraySlice<UInt8>?, _ precision: Precision) -> [UInt8] {
    // https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm
    let isValid = value.map { FieldNumber(type: type)?.value($0) != nil } ?? false
    let parts = String(decoding: isValid ? value ?? [] : [], as: UTF8.self).split(whereByte: { "-T:. W".utf8.contains($0) }).map(
      String.init)
    return Array((filled(type, parts, precision) ?? empty(type, precision)).utf8)
  }

  /// The widest text of a type.
  static func widest(_ type: String, _ precision: Precision) -> String {
    switch type {
    case "date": "mm/dd/275760"
    case "datetime-local": "mm/dd/275760, 00:00\(precision.suffix("0"))\u{202f}AM"
    case "month": "September 275760"
    case "week": "Week 00, 275760"
    default: "00:00\(precision.suffix("0"))\u{202f}AM"
    }
  }

  /// The fields of a text and the separators between them, in order.
  static func parts(_ text: [UInt8]) -> [(isField: Bool, text: ArraySlice<UInt8>)] {
    func isField(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "-")
    }
    var result: [(isField: Bool, text: ArraySlice<UInt8>)] = [], start = 0
    // "Week" is a separator.
    if text.starts(with: "Week ".utf8) {
      result.append((false, text[..<5]))
      start = 5
    }
    while start < text.count {
      let kind = isField(text[start]), end = text[start...].firstIndex { isField($0) != kind } ?? text.count
      result.append((kind, text[start..<end]))
      start = end
    }
    return result
  }

  private static func empty(_ type: String, _ precision: Precision) -> String {
    switch type {
    case "date": "mm/dd/yyyy"
    case "datetime-local": "mm/dd/yyyy, --:--\(precision.suffix("-"))\u{202f}--"
    case "month": "--------- ----"
    case "week": "Week --, ----"
    default: "--:--\(precision.suffix("-"))\u{202f}--"
    }
  }

  private static func filled(_ type: String, _ parts: [String], _ precision: Precision) -> String? {
    switch type {
    case "date": return date(parts)
    case "datetime-local":
      guard parts.count >= 5, let date = date(parts), let time = time(Array(parts[3...]), precision) else { return nil }
      return "\(date), \(time)"
    case "month":
      let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
      ]
      guard parts.count == 2, let month = Int(parts[1]), names.indices.contains(month - 1) else { return nil }
      return "\(names[month - 1]) \(parts[0])"
    case "week": return parts.count == 2 ? "Week \(parts[1]), \(parts[0])" : nil
    default: return time(parts, precision)
    }
  }

  private static func date(_ parts: [String]) -> String? {
    guard parts.count >= 3, parts[0].utf8.count == 4, parts.prefix(3).allSatisfy({ Int($0) != nil }) else { return nil }
    return "\(parts[1])/\(parts[2])/\(parts[0])"
  }

  private static func time(_ parts: [String], _ precision: Precision) -> String? {
    guard parts.count >= 2, let hour = Int(parts[0]), (0..<24).contains(hour), Int(parts[1]) != nil else { return nil }
    let twelve = hour % 12 == 0 ? 12 : hour % 12
    let seconds = precision == .minutes ? "" : ":" + (parts.count > 2 ? parts[2] : "00")
    let fraction = precision == .milliseconds ? "." + ((parts.count > 3 ? parts[3] : "") + "000").prefix(3) : ""
    return "\(twelve < 10 ? "0" : "")\(twelve):\(parts[1])\(seconds)\(fraction)\u{202f}\(hour < 12 ? "AM" : "PM")"
  }
}
