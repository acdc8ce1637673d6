/// The parameters of a URL's query, in order.
///
/// https://url.spec.whatwg.org/#urlencoded-parsing
package struct QueryItems: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) { self.name = name; self.value = value }
  }

  package var items: [Item] = []

  package init() {}

  /// - Returns: Nil if percent-encoding is invalid, the decoded text is not UTF-8, or there are more than `maximum` parameters.
  package init?(_ query: some StringProtocol, maximum: Int = 256) {
    for part in query.utf8.split(separator: UInt8(ascii: "&")) {
      guard items.count < maximum else { return nil }
      let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let rest = end < part.endIndex ? part[part.index(after: end)...] : part[end...]
      guard let name = PercentEncoding.decode(part[..<end], plusIsSpace: true), let value = PercentEncoding.decode(rest, plusIsSpace: true)
      else { return nil }
      items.append(Item(name, value))
    }
  }

  /// The value of the first parameter with that name.
  package subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  package func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  package var text: String {
    items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }
}

/// https://www.rfc-editor.org/rfc/rfc3986#section-2.1
package enum PercentEncoding {
  /// - Returns: Nil if percent-encoding is invalid, or the decoded text is not UTF-8.
  package static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Encodes everything except unreserved characters.
  package static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%"
        result.unicodeScalars.append(hex[Int(byte >> 4)])
        result.unicodeScalars.append(hex[Int(byte & 15)])
      }
    }
    return result
  }

  private static let hex = Array("0123456789ABCDEF".unicodeScalars)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
