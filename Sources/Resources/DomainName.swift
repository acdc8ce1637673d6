import OffprintCoreTypes

/// Converts internationalized host names to their ASCII form in the DNS.
enum DomainName {
  /// `bücher.example` becomes `xn--bcher-kva.example`; an ASCII name is lowercased; nil for an invalid name.
  ///
  /// https://url.spec.whatwg.org/#concept-domain-to-ascii (UTS 46, nontransitional). Unassigned characters and mixed scripts are not
  /// checked, because registries reject them.
  static func ascii(_ name: String) -> String? {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    // Control characters, spaces and characters that end a host are forbidden. https://url.spec.whatwg.org/#forbidden-domain-code-point
    guard !name.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f || Array("#%/:<>?@[\\]^|".utf8).contains($0) }) else { return nil }
    guard name.utf8.count <= 1000, let mapped = UnicodeNormalization.nfkc(lower(name)),
      let normal = UnicodeNormalization.nfkc(lower(mapped))
    else { return nil }
    let labels = normal.split(byte: ".", omittingEmptySubsequences: false).map { label -> String? in
      if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
      guard !label.hasPrefix("xn--"), let code = Punycode.encode(label.unicodeScalars.map(\.value)) else { return nil }
      return "xn--" + code
    }
    guard !labels.contains(nil) else { return nil }
    return labels.compactMap(\.self).joined(separator: ".")
  }

  /// Lowercases the name except ß and ς, which are distinct letters; removes ignored characters; and replaces other full stops by ASCII's.
  private static func lower(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0xad, 0x200b, 0x2060, 0xfeff, 0xfe00...0xfe0f: continue
      case 0x3002, 0xff0e, 0xff61: result.append(".")
      case 0x1e9e: result.append("ß")
      default: result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }
}

/// https://www.rfc-editor.org/rfc/rfc3492
enum Punycode {
  private static let base = 36, tMin = 1, tMax = 26, skew = 38, damp = 700, initialBias = 72, initialN: UInt32 = 128

  /// Nil if the label is longer than the DNS allows.
  static func encode(_ label: [UInt32]) -> String? {
    guard label.count <= 63 else { return nil }
    var output = label.filter { $0 < 128 }.map { UInt8($0) }
    let basic = output.count
    if basic > 0 { output.append(0x2d) }
    var n = initialN, delta = 0, bias = initialBias, handled = basic
    while handled < label.count {
      guard let next = label.filter({ $0 >= n }).min() else { return nil }
      delta += Int(next - n) * (handled + 1)
      n = next
      for c in label {
        if c < n { delta += 1 }
        guard c == n else { continue }
        append(delta, bias, &output)
        bias = adapt(delta, handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ delta: Int, _ bias: Int, _ output: inout [UInt8]) {
    var q = delta, k = base
    while true {
      let t = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
      if q < t { break }
      output.append(digit(t + (q - t) % (base - t)))
      q = (q - t) / (base - t)
      k += base
    }
    output.append(digit(q))
  }

  private static func digit(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30) }

  private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2, k = 0
    delta += delta / count
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }
}
