import OffprintCoreTypes

/// Expands the entities that a document type declares, so that checks see the same markup as the renderer.
/// https://www.w3.org/TR/xml/#sec-entity-decl, https://www.w3.org/TR/xml/#entproc
struct SVGEntities {
  private static let maximumDepth = 8
  /// How many bytes entities may add.
  private static let maximumGrowth = 1 << 20

  private var values: [[UInt8]: ArraySlice<UInt8>] = [:]
  private var result: [UInt8] = []
  private let longest: Int

  /// The document without its document type and with all references replaced; nil if it declares no entity, declares one that is not an
  /// internal general entity, or would grow too much.
  static func expanded(_ bytes: [UInt8]) -> [UInt8]? {
    guard let start = find("<!DOCTYPE", in: bytes[...]), let end = documentTypeEnd(bytes[start...]),
      find("<!ENTITY", in: bytes[start..<end]) != nil
    else { return nil }
    var entities = SVGEntities(longest: bytes.count + maximumGrowth)
    guard entities.declare(bytes[start..<end]) else { return nil }
    entities.result = Array(bytes[..<start])
    return entities.append(bytes[end...], 0) ? entities.result : nil
  }

  private init(longest: Int) { self.longest = longest }

  private static func has(_ text: StaticString, _ bytes: ArraySlice<UInt8>) -> Bool {
    text.withUTF8Buffer { bytes.starts(with: $0) }
  }

  private static func find(_ text: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first { has(text, bytes[$0...]) }
  }

  /// The offset after the `>` that ends it; quotes, comments and the internal subset are skipped.
  private static func documentTypeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var brackets = 0, offset = bytes.startIndex
    while offset < bytes.endIndex {
      switch bytes[offset] {
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = bytes[(offset + 1)...].firstIndex(of: bytes[offset]) else { return nil }
        offset = end
      case UInt8(ascii: "<") where has("<!--", bytes[offset...]):
        guard let end = find("-->", in: bytes[offset...]) else { return nil }
        offset = end + 2
      case UInt8(ascii: ">") where brackets <= 0: return offset + 1
      default: break
      }
      offset += 1
    }
    return nil
  }

  /// Reads `<!ENTITY name "value">`; the first declaration of a name applies. False for another kind of declaration.
  private mutating func declare(_ subset: ArraySlice<UInt8>) -> Bool {
    var rest = subset
    while let start = Self.find("<!ENTITY", in: rest) {
      let words = rest[(start + 8)...].drop { $0 <= 0x20 }
      let name = words.prefix { $0 > 0x20 && $0 != UInt8(ascii: "%") }
      let quoted = words[name.endIndex...].drop { $0 <= 0x20 }
      guard !name.isEmpty, let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = quoted.dropFirst().firstIndex(of: quote), values.count < 1000
      else { return false }
      if values[Array(name)] == nil { values[Array(name)] = quoted[(quoted.startIndex + 1)..<end] }
      rest = rest[(end + 1)...]
    }
    return true
  }

  /// Comments, CDATA sections and processing instructions are copied unchanged.
  private mutating func append(_ bytes: ArraySlice<UInt8>, _ depth: Int) -> Bool {
    guard depth <= Self.maximumDepth else { return false }
    var offset = bytes.startIndex
    while offset < bytes.endIndex {
      guard result.count <= longest else { return false }
      if let end = Self.verbatimEnd(bytes[offset...]) {
        result += bytes[offset..<end]
        offset = end
      } else if bytes[offset] == UInt8(ascii: "&"), let end = bytes[offset...].prefix(1000).firstIndex(of: UInt8(ascii: ";")),
        let value = values[Array(bytes[(offset + 1)..<end])]
      {
        guard append(value, depth + 1) else { return false }
        offset = end + 1
      } else {
        result.append(bytes[offset])
        offset += 1
      }
    }
    return true
  }

  private static func verbatimEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == UInt8(ascii: "<") else { return nil }
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] as [(StaticString, StaticString)]
    where has(start, bytes) {
      return find(end, in: bytes).map { $0 + end.utf8CodeUnitCount } ?? bytes.endIndex
    }
    return nil
  }
}
