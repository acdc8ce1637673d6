/// The bytes of a `data:` URL. https://fetch.spec.whatwg.org/#data-urls
struct EmbeddedData {
  var bytes: [UInt8]

  init?(_ url: String) {
    guard let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let isBase64 = url[..<comma].lowercased().contains("base64")
    var plain: [UInt8] = []
    var rest = url.utf8[url.utf8.index(after: comma)...]
    func hex(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
    while let byte = rest.popFirst() {
      let next = Array(rest.prefix(2))
      if byte == UInt8(ascii: "%"), next.count == 2, let high = hex(next[0]), let low = hex(next[1]) {
        plain.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        plain.append(byte)
      }
    }
    bytes = isBase64 ? Self.decoded(plain) : plain
  }

  private static func decoded(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [], bits: UInt32 = 0, count = 0
    for byte in text {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      default: continue
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }
}
