import OffprintCoreTypes

/// A stored response, by the rules for a private cache. https://www.rfc-editor.org/rfc/rfc9111
struct StoredResponse: Equatable {
  var url: String
  var status: Int
  var fields: HTTPFields
  /// The absolute URL of a redirect.
  var redirect: String?
  var body: [UInt8]
  /// Seconds since 1970 of the request and of its response.
  var requested: Int64
  var received: Int64
  /// The IP address of the server, which later requests may not be allowed to use.
  var address: String
  /// The request's values of the fields named by `Vary`.
  var selecting: [String]

  /// How many seconds a response can be used while its server cannot be reached.
  static let longestWithoutServer: Int64 = 7 * 86_400
  private static let longestGuess: Int64 = 86_400
  private static let understood: Set<Int> = [200, 301, 302, 303, 307, 308, 404, 410]
  private static let guessable: Set<Int> = [200, 301, 308, 404, 410]

  private var control: CacheControl { CacheControl(fields) }

  /// Whether it may be stored, and is worth storing. https://www.rfc-editor.org/rfc/rfc9111#section-3
  var isStorable: Bool {
    let control = control
    guard Self.understood.contains(status), !control.has("no-store") || control.has("must-understand"), !varies("*") else { return false }
    return lifetime > 0 || (hasValidator && Self.guessable.contains(status))
  }

  private func varies(_ name: String) -> Bool { variedNames(fields).contains(name) }
  private func variedNames(_ fields: HTTPFields) -> [String] {
    (fields["vary"] ?? "").split(byte: ",").map { HTTPFields.trimmed($0).lowercased() }.filter { !$0.isEmpty }
  }

  private var hasValidator: Bool { fields.first("etag") != nil || fields.first("last-modified") != nil }

  /// The time of the response according to its server.
  private var date: Int64 { fields.first("date").flatMap(HTTPDate.parse) ?? received }

  /// The freshness lifetime in seconds. https://www.rfc-editor.org/rfc/rfc9111#section-4.2.1
  var lifetime: Int64 {
    let control = control
    if let seconds = control.seconds("max-age") { return seconds }
    if let expires = fields.first("expires") { return HTTPDate.parse(expires).map { max(0, $0 - date) } ?? 0 }
    guard Self.guessable.contains(status), let modified = fields.first("last-modified").flatMap(HTTPDate.parse) else { return 0 }
    return min(max(0, date - modified) / 10, Self.longestGuess)
  }

  /// https://www.rfc-editor.org/rfc/rfc9111#section-4.2.3
  func age(_ now: Int64) -> Int64 {
    let said = fields.first("age").flatMap { Int64($0) }.map { min(max($0, 0), 1 << 31) } ?? 0
    let apparent = max(0, received - date), corrected = said + max(0, received - requested)
    return max(apparent, corrected) + max(0, now - received)
  }

  /// Whether it can be used without revalidation. If the clock was set back, its age is unknown and it is not fresh.
  func isFresh(_ now: Int64) -> Bool { now >= received - 1 && !control.has("no-cache") && age(now) < lifetime }

  /// Whether it may be used stale after an error of the server, or because the server cannot be reached.
  /// https://www.rfc-editor.org/rfc/rfc9111#section-4.2.4, https://www.rfc-editor.org/rfc/rfc5861#section-4
  func mayBeStale(_ now: Int64, isDisconnected: Bool) -> Bool {
    let control = control, staleness = age(now) - lifetime
    guard now >= received - 1, !control.has("no-cache"), !control.has("must-revalidate"), !control.has("no-store") else { return false }
    if let allowed = control.seconds("stale-if-error"), staleness <= allowed { return true }
    return isDisconnected && staleness <= Self.longestWithoutServer
  }

  /// The conditional header fields for revalidation. https://www.rfc-editor.org/rfc/rfc9111#section-4.3.1
  var conditions: [String] {
    var result: [String] = []
    if let tag = fields.first("etag") { result.append("If-None-Match: \(tag)") }
    if let modified = fields.first("last-modified") { result.append("If-Modified-Since: \(modified)") }
    return result.filter { line in line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
  }

  /// Updated with the fields of a 304 response. https://www.rfc-editor.org/rfc/rfc9111#section-4.3.4
  func validated(by fields: HTTPFields, requested: Int64, received: Int64) -> StoredResponse {
    var result = self
    result.fields.update(fields)
    (result.requested, result.received) = (requested, received)
    return result
  }

  /// Whether a request with these fields selects it. https://www.rfc-editor.org/rfc/rfc9111#section-4.1
  func matches(_ sent: HTTPFields) -> Bool { Self.selecting(variedNames(fields), sent) == selecting }

  mutating func select(_ sent: HTTPFields) { selecting = Self.selecting(variedNames(fields), sent) }

  private static func selecting(_ names: [String], _ sent: HTTPFields) -> [String] { names.map { "\($0):\(sent[$0] ?? "")" } }
}

/// The file format: one line per property, an empty line, then the body.
extension StoredResponse {
  private static let magic = "offprint-http 1"
  private static let largestHead = 256 << 10

  var bytes: [UInt8] {
    var lines = [
      Self.magic, "sha256 \(Self.hex(body))", "url \(url)", "status \(status)", "requested \(requested)", "received \(received)",
      "address \(address)",
    ]
    if let redirect { lines.append("redirect \(redirect)") }
    lines += selecting.map { "selecting \($0)" }
    lines += fields.lines.filter { $0.name != "set-cookie" }.map { "field \($0.name): \($0.value)" }
    let head = lines.map { $0.replacing("\n", with: " ") }.joined(separator: "\n") + "\n\n"
    return Array(head.utf8) + body
  }

  /// Nil if the file is damaged.
  init?(bytes: [UInt8]) {
    let limit = min(bytes.count, Self.largestHead)
    guard let end = bytes[..<limit].indices.dropLast().first(where: { bytes[$0] == 0x0a && bytes[$0 + 1] == 0x0a }) else { return nil }
    var lines = String(decoding: bytes[..<end], as: UTF8.self).split(byte: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == Self.magic[...] else { return nil }
    self.init(
      url: "", status: 0, fields: HTTPFields(), body: Array(bytes[(end + 2)...]), requested: 0, received: 0, address: "", selecting: [])
    var digest = ""
    for line in lines {
      guard let space = line.firstIndex(ofByte: " ") else { return nil }
      let value = String(line[line.index(after: space)...])
      switch line[..<space] {
      case "sha256": digest = value
      case "url": url = value
      case "status": status = Int(value) ?? 0
      case "requested": requested = Int64(value) ?? 0
      case "received": received = Int64(value) ?? 0
      case "address": address = value
      case "redirect": redirect = value
      case "selecting": selecting.append(value)
      case "field":
        guard let colon = value.firstIndex(ofByte: ":") else { return nil }
        fields.append(String(value[..<colon]), HTTPFields.trimmed(value[value.index(after: colon)...]))
      default: return nil
      }
    }
    guard digest == Self.hex(body), status > 0, (0...(1 << 40)).contains(received), (0...(1 << 40)).contains(requested) else { return nil }
  }

  static func hex(_ bytes: [UInt8]) -> String { SHA256.hash(bytes).hexadecimalDigits }
}
