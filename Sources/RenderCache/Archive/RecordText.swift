import OffprintCoreTypes

/// A record as lines of text, `name value` each. Archives store it with each value, and the journal stores it to rebuild a lost index.
enum RecordText {
  static let header = "offprint-entry 1"
  private static let end = "end"

  static func encode(_ record: CacheRecord) -> [UInt8] {
    var lines = [
      header, "key \(record.key)", "size \(record.size)", "checksum \(Hex.encode(record.checksum))", "width \(record.width)",
      "height \(record.height)", "created \(record.created.milliseconds)", "lastUsed \(record.lastUsed.milliseconds)",
      "hits \(record.hits)",
      "cost \(record.costMilliseconds)", "source \(escaped(record.source))", "metadata \(escaped(record.metadata))",
    ]
    lines += record.identifiers.map { "identifier \(escaped($0))" }
    lines += record.tags.map { "tag \(escaped($0))" }
    lines += record.parts.map { "part \(escaped($0.name)) \(escaped($0.digest)) \(escaped($0.summary))" }
    lines += record.dependencies.map { dependency in
      let digest = dependency.digest.map(Hex.encode) ?? "-"
      return "\(dependency.isFile ? "file" : "url") \(digest) \(dependency.size) \(dependency.modified) \(escaped(dependency.location))"
    }
    lines.append(end + "\n")
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// Parses a record; nil if a field is missing, a unique field is repeated, or the text is of another kind.
  static func decode(_ text: ArraySlice<UInt8>) -> CacheRecord? {
    var lines = text.split(separator: UInt8(ascii: "\n"))[...]
    guard lines.popFirst().map(string) == header, lines.popLast().map(string) == end else { return nil }
    var fields: [String: String] = [:]
    var lists = Lists()
    for line in lines {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = words.first.map(string) else { return nil }
      let value = words.count > 1 ? string(words[1]) : ""
      if lists.add(name, value) { continue }
      guard fields.updateValue(value, forKey: name) == nil else { return nil }
    }
    return record(fields, lists)
  }

  /// The fields that can be repeated.
  private struct Lists {
    var identifiers: [String] = []
    var tags: [String] = []
    var parts: [CacheKeyPart] = []
    var dependencies: [CacheDependency] = []
    var isBroken = false

    /// Adds a value if `name` is a repeatable field; returns whether it is.
    mutating func add(_ name: String, _ value: String) -> Bool {
      switch name {
      case "identifier": identifiers.append(unescaped(value))
      case "tag": tags.append(unescaped(value))
      case "part":
        let words = value.split(byte: " ", omittingEmptySubsequences: false).map { unescaped(String($0)) }
        if words.count == 3 { parts.append(CacheKeyPart(name: words[0], digest: words[1], summary: words[2])) } else { isBroken = true }
      case "file", "url":
        if let dependency = dependency(name, value) { dependencies.append(dependency) } else { isBroken = true }
      default: return false
      }
      return true
    }

    private func dependency(_ name: String, _ value: String) -> CacheDependency? {
      let words = value.split(byte: " ", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 4, let size = Int64(words[1]), let modified = Int64(words[2]), size >= 0 else { return nil }
      let digest = words[0] == "-" ? nil : Hex.decode(words[0].utf8)
      guard words[0] == "-" || digest != nil else { return nil }
      return CacheDependency(
        location: unescaped(words[3]), isFile: name == "file", digest: digest, size: size, modified: modified)
    }
  }

  private static func record(_ fields: [String: String], _ lists: Lists) -> CacheRecord? {
    func number(_ name: String) -> Int64? { fields[name].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil } }
    guard !lists.isBroken, let key = fields["key"].flatMap({ CacheKey(hex: $0) }), let size = number("size"),
      let checksum = fields["checksum"].flatMap({ Hex.decode($0.utf8) }), checksum.count == 32, let width = number("width"),
      let height = number("height"), let created = number("created"), let lastUsed = number("lastUsed"), let hits = number("hits"),
      let cost = fields["cost"].flatMap({ Double($0) }), (0...CacheRecord.maximumCost).contains(cost), size <= CacheRecord.maximumSize,
      hits <= CacheRecord.maximumHits
    else { return nil }
    return CacheRecord(
      key: key, identifiers: lists.identifiers, tags: lists.tags, size: size, checksum: checksum, width: Int(clamping: width),
      height: Int(clamping: height), created: CacheTime(milliseconds: created), lastUsed: CacheTime(milliseconds: lastUsed), hits: hits,
      costMilliseconds: cost, parts: lists.parts, source: unescaped(fields["source"] ?? ""), metadata: unescaped(fields["metadata"] ?? ""),
      dependencies: lists.dependencies)
  }

  // MARK: Text

  /// Percent-encodes spaces, control characters and `%`, so that a value is one word.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: needsEscape) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if needsEscape(byte) { bytes += [UInt8(ascii: "%")] + Hex.encode([byte]).utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func needsEscape(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "%") || byte == 0x7f }

  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let decoded = Hex.decode(rest.prefix(2)), decoded.count == 1 {
        bytes += decoded
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
