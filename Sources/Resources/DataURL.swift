import OffprintCoreTypes

/// The contents and the media type of a `data:` URL.
public struct DataURL: Sendable {
  public var mimeType: String
  public var bytes: [UInt8]

  /// https://fetch.spec.whatwg.org/#data-url-processor; nil if `text` is not a `data:` URL, or its base64 is invalid.
  public init?(_ text: String) {
    let source = ResourceURL.cleaned(text)
    guard let (scheme, rest) = ResourceURL.splitScheme(source[...]), scheme == "data",
      let comma = rest.firstIndex(of: UInt8(ascii: ","))
    else { return nil }
    let end = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    guard comma < end else { return nil }
    var type = rest[..<comma].trimmingHTMLSpaces
    var bytes = ResourceURL.percentDecoded(rest[(comma + 1)..<end])
    if let stripped = Self.strippingBase64(type) {
      guard let decoded = Self.forgivingBase64(bytes) else { return nil }
      bytes = decoded
      type = stripped
    }
    let name = String(decoding: type, as: UTF8.self)
    self.bytes = bytes
    mimeType = name.isEmpty ? "text/plain;charset=US-ASCII" : name.utf8.first == UInt8(ascii: ";") ? "text/plain" + name : name
  }

  /// The type before `;base64`, or nil if it does not end so.
  private static func strippingBase64(_ type: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let marker = Array("base64".utf8)
    guard type.count > marker.count, type.suffix(marker.count).map({ $0 | 0x20 }) == marker.map({ $0 | 0x20 }) else { return nil }
    let head = type.dropLast(marker.count).trimming { $0 == 0x20 }
    return head.last == UInt8(ascii: ";") ? head.dropLast() : nil
  }

  /// https://infra.spec.whatwg.org/#forgiving-base64-decode
  static func forgivingBase64(_ source: [UInt8]) -> [UInt8]? {
    var digits = source.filter { !($0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0c || $0 == 0x0d) }
    if digits.count.isMultiple(of: 4) {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count / 4 * 3 + 3)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for digit in digits {
      let value = sextets[Int(digit)]
      guard value < 64 else { return nil }
      buffer = (buffer << 6 | UInt32(value)) & 0xffff
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    return result
  }

  /// The value of each base64 digit; 255 for other bytes.
  private static let sextets: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, digit) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
      table[Int(digit)] = UInt8(value)
    }
    return table
  }()
}
