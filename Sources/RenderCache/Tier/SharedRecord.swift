internal import OffprintCoreTypes

/// A small object of a shared store: lines of text, `name value` each, after a line with their length and checksum, so that any wrong byte
/// is detected.
struct SharedRecord {
  var fields: [(name: String, value: String)] = []
  private static let magic = "offprint-record 1"

  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  func encode() -> [UInt8] {
    let text = Array(fields.map { "\($0.name) \(RecordText.escaped($0.value))\n" }.joined().utf8)
    return Array("\(Self.magic) \(text.count) \(Hex.encode(SHA256.hash(text)))\n".utf8) + text
  }

  init(_ fields: [(name: String, value: String)]) { self.fields = fields }

  /// Nil if it is incomplete or damaged.
  init?(_ bytes: [UInt8]) {
    guard let end = bytes.prefix(128).firstIndex(of: 0x0A) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(byte: " ", omittingEmptySubsequences: false)
    let text = Array(bytes[(end + 1)...])
    guard words.count == 4, words[..<2].joined(separator: " ") == Self.magic, Int(words[2]) == text.count,
      Hex.encode(SHA256.hash(text)) == words[3]
    else { return nil }
    for line in text.split(separator: 0x0A) {
      let words = line.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 2 else { return nil }
      fields.append((words[0], RecordText.unescaped(words[1])))
    }
  }
}

/// The value that an identifier names on all machines.
struct SharedName: Equatable {
  var identifier: String
  /// Nil if the name was removed.
  var key: CacheKey?
  var time: CacheTime

  func encode() -> [UInt8] {
    SharedRecord([("identifier", identifier), ("key", key?.description ?? "-"), ("time", "\(time.milliseconds)")]).encode()
  }

  init(identifier: String, key: CacheKey?, time: CacheTime) {
    self.identifier = identifier
    self.key = key
    self.time = time
  }

  /// Nil if it is damaged or of another identifier.
  init?(_ bytes: [UInt8], of identifier: String) {
    guard let record = SharedRecord(bytes), let name = record.values("identifier").first, name.hasSameBytes(as: identifier),
      let key = record.values("key").first, let time = record.values("time").first.flatMap({ Int64($0) })
    else { return nil }
    self.init(identifier: name, key: CacheKey(hex: key), time: CacheTime(milliseconds: time))
    if self.key == nil, key != "-" { return nil }
  }
}

/// The owner of an identifier on all machines.
struct SharedOwner: Equatable {
  var identifier: String
  var owner: String
  var claimed: CacheTime

  func encode() -> [UInt8] {
    SharedRecord([("identifier", identifier), ("owner", owner), ("claimed", "\(claimed.milliseconds)")]).encode()
  }

  init(identifier: String, owner: String, claimed: CacheTime) {
    self.identifier = identifier
    self.owner = owner
    self.claimed = claimed
  }

  init?(_ bytes: [UInt8], of identifier: String) {
    guard let record = SharedRecord(bytes), let name = record.values("identifier").first, name.hasSameBytes(as: identifier),
      let owner = record.values("owner").first, let claimed = record.values("claimed").first.flatMap({ Int64($0) })
    else { return nil }
    self.init(identifier: name, owner: owner, claimed: CacheTime(milliseconds: claimed))
  }
}

/// A removal that all machines carry out.
struct SharedRemoval: Equatable, Sendable {
  /// The process that removed them, which ignores its own messages.
  var origin = ""
  var tag: String?
  var identifiers: [String] = []
  var keys: [CacheKey] = []
  /// Everything.
  var isAll = false

  var isEmpty: Bool { tag == nil && identifiers.isEmpty && keys.isEmpty && !isAll }

  func encode() -> [UInt8] {
    var fields: [(name: String, value: String)] = [("origin", origin)]
    if let tag { fields.append(("tag", tag)) }
    if isAll { fields.append(("all", "-")) }
    fields += identifiers.map { ("identifier", $0) } + keys.map { ("key", $0.description) }
    return SharedRecord(fields).encode()
  }

  init(origin: String) { self.origin = origin }

  init?(_ bytes: [UInt8]) {
    guard let record = SharedRecord(bytes), let origin = record.values("origin").first else { return nil }
    self.origin = origin
    tag = record.values("tag").first
    identifiers = record.values("identifier")
    keys = record.values("key").compactMap { CacheKey(hex: $0) }
    isAll = !record.values("all").isEmpty
  }

  /// Messages of at most `count` keys each.
  func parts(_ count: Int) -> [SharedRemoval] {
    guard keys.count > count else { return [self] }
    return stride(from: 0, to: keys.count, by: count).map { start in
      var part = start == 0 ? self : SharedRemoval(origin: origin)
      part.keys = Array(keys[start..<min(start + count, keys.count)])
      return part
    }
  }
}
