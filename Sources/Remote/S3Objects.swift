import OffprintCoreTypes
import Glibc
import Offprint
import OffprintRenderCache

/// A bucket of any store with Amazon's S3 API:
/// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html.
/// libcurl signs the requests (Signature Version 4).
final class S3Objects: RemoteObjects {
  let address: String
  /// Without its trailing slash.
  private let base: String
  /// The URL of the bucket, and the prefix of all objects with its trailing slash, not percent-encoded.
  private let bucketURL: String
  private let prefix: String
  private let region: String
  private let credentials: String?
  private let token: String?
  private let readMilliseconds: Int
  private let writeMilliseconds: Int
  private let connections = HTTPConnections()

  /// - Throws: `usage`.
  init(_ address: RemoteAddress, environment: (String) -> String?) throws(OffprintError) {
    let what = OptionName.tier.text
    try address.check(["endpoint", "region", "addressing", "timeout"], what)
    let bucket = address.host
    guard address.port == nil, address.password == nil, Self.isBucket(bucket) else {
      throw OffprintError(.usage, "\(OptionName.tier.text) must name a bucket: s3://bucket/prefix?endpoint=…&region=….")
    }
    region = address.parameters["region"] ?? environment("AWS_REGION") ?? environment("AWS_DEFAULT_REGION") ?? "us-east-1"
    let given = address.parameters["endpoint"] ?? environment("AWS_ENDPOINT_URL_S3") ?? environment("AWS_ENDPOINT_URL")
    guard Self.isName(region), given.map(Self.isEndpoint) ?? true else {
      throw OffprintError(
        .usage,
        "The endpoint of \(OptionName.tier.text) must begin with http:// or https:// and have no parameters, and its region must be a name."
      )
    }
    let style = address.parameters["addressing"] ?? (given != nil || bucket.contains(".") ? "path" : "host")
    var endpoint = given ?? "https://s3.\(region).amazonaws.com"
    while endpoint.hasSuffix("/") { endpoint.removeLast() }
    switch style {
    case "path": endpoint += "/" + bucket
    case "host":
      guard let place = endpoint.firstRange(of: "://")?.upperBound else {
        throw OffprintError(.usage, "\(OptionName.tier.text) has no endpoint.")
      }
      endpoint.insert(contentsOf: bucket + ".", at: place)
    default: throw OffprintError(.usage, "'addressing' of \(OptionName.tier.text) is 'path' or 'host'.")
    }
    let prefix = address.path.split(byte: "/").map { Self.encoded(String($0)) }.joined(separator: "/")
    base = prefix.isEmpty ? endpoint : "\(endpoint)/\(prefix)"
    bucketURL = endpoint
    self.prefix = address.path.split(byte: "/").map { $0 + "/" }.joined()
    self.address = "s3://\(bucket)" + (prefix.isEmpty ? "" : "/\(prefix)")
    let (key, secret) = (environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"))
    credentials = key.flatMap { key in secret.map { "\(key):\($0)" } }
    token = environment("AWS_SESSION_TOKEN")
    readMilliseconds = try address.milliseconds("timeout", 10...600_000, default: 2000, what)
    writeMilliseconds = max(readMilliseconds, 10_000)
  }

  // MARK: Requests

  func read(_ name: RemoteName, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]? {
    let milliseconds = min(readMilliseconds, deadline.remaining.map { max(1, Int($0.seconds * 1000)) } ?? readMilliseconds)
    let answer = try send("GET", path(name), limit: limit, milliseconds)
    if answer.status == 404 && !Self.lacksBucket(answer) { return nil }
    try Self.check(answer)
    return answer.body
  }

  func contains(_ name: RemoteName) throws(RemoteFailure) -> Bool {
    let answer = try send("HEAD", path(name), limit: 64 << 10, readMilliseconds)
    if answer.status == 404 { return false }
    try Self.check(answer)
    return true
  }

  func write(_ name: RemoteName, _ bytes: [UInt8]) throws(RemoteFailure) { try write(path(name), bytes) }

  private func write(_ path: String, _ bytes: [UInt8]) throws(RemoteFailure) {
    try Self.check(try send("PUT", path, body: bytes, limit: 64 << 10, writeMilliseconds))
  }

  /// https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html. A store that ignores the condition overwrites an object
  /// that another machine created in the same moment.
  func create(_ name: RemoteName, _ bytes: [UInt8]) throws(RemoteFailure) -> Bool {
    let answer = try send("PUT", path(name), body: bytes, headers: ["If-None-Match: *"], limit: 64 << 10, writeMilliseconds)
    if answer.status == 412 || answer.status == 409 { return false }
    try Self.check(answer)
    return true
  }

  func remove(_ names: [RemoteName]) throws(RemoteFailure) {
    for name in names { try remove(path(name)) }
  }

  private func remove(_ path: String) throws(RemoteFailure) {
    let answer = try send("DELETE", path, limit: 64 << 10, writeMilliseconds)
    if answer.status != 404 { try Self.check(answer) }
  }

  private func path(_ name: RemoteName) -> String {
    let folder = name.kind == .image ? "" : "\(name.kind.rawValue)s/"
    return "/\(folder)\(name.digits.prefix(2))/\(name.digits).offprint"
  }

  // MARK: Tags

  func add(_ key: CacheKey, toTag digest: String) throws(RemoteFailure) { try write("/tags/\(digest)/\(key)", []) }

  func keys(ofTag digest: String) throws(RemoteFailure) -> [CacheKey] {
    try list("tags/\(digest)/").compactMap { CacheKey(hex: $0) }
  }

  func removeTag(_ digest: String) throws(RemoteFailure) {
    for name in try list("tags/\(digest)/") { try remove("/tags/\(digest)/\(name)") }
  }

  // MARK: Messages

  /// Messages are objects whose names begin with their time in milliseconds.
  private static let messageFolder = "removals/"
  private static let keptMilliseconds: Int64 = 7 * 86_400_000
  /// How much the clocks of two machines may differ.
  private static let skewMilliseconds: Int64 = 60_000

  var pollingInterval: Duration? { .seconds(5) }

  func announce(_ bytes: [UInt8]) throws(RemoteFailure) {
    let number = (0..<8).map { _ in Self.hex(UInt8.random(in: 0...255)) }.joined()
    try write("/\(Self.messageFolder)\(Self.stamp(CacheTime.now().milliseconds))-\(number)", bytes)
  }

  /// 16 digits, so that names sort by time.
  private static func stamp(_ milliseconds: Int64) -> String {
    let digits = String(max(0, milliseconds))
    return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
  }

  private static func time(_ position: String) -> Int64 { Int64(position.prefix(16)) ?? 0 }

  func latestPosition() throws(RemoteFailure) -> String {
    let names = try list(Self.messageFolder), limit = CacheTime.now().milliseconds - Self.keptMilliseconds
    for name in names where Self.time(name) < limit { try remove("/\(Self.messageFolder)\(name)") }
    return names.last ?? Self.stamp(0)
  }

  func messages(after position: String, waiting: Duration) throws(RemoteFailure) -> [RemoteMessage] {
    let start = min(position, Self.stamp(Self.time(position) - Self.skewMilliseconds))
    var result: [RemoteMessage] = []
    for name in try list(Self.messageFolder, after: start) {
      let answer = try send("GET", "/\(Self.messageFolder)\(name)", limit: 1 << 20, readMilliseconds)
      if answer.status == 404 { continue }
      try Self.check(answer)
      result.append(RemoteMessage(position: name, bytes: answer.body))
    }
    return result
  }

  func hasDropped(after position: String) -> Bool { CacheTime.now().milliseconds - Self.time(position) > Self.keptMilliseconds }

  // MARK: Lists

  /// The names of the objects in a folder, sorted, without the folder.
  /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
  private func list(_ folder: String, after start: String = "") throws(RemoteFailure) -> [String] {
    var names: [String] = []
    var last = start
    while true {
      let after = last.isEmpty ? "" : "&start-after=" + Self.encoded("\(prefix)\(folder)\(last)")
      let query = "?list-type=2&prefix=" + Self.encoded("\(prefix)\(folder)") + after
      let answer = try send("GET", query, base: bucketURL, limit: 8 << 20, readMilliseconds)
      try Self.check(answer)
      let text = String(decoding: answer.body, as: UTF8.self)
      let found = Self.elements("Key", text).compactMap { $0.split(byte: "/").last.map(String.init) }
      names += found
      guard Self.elements("IsTruncated", text).first == "true", let next = found.last, next != last else { return names }
      last = next
    }
  }

  /// The contents of the elements with a name.
  private static func elements(_ name: String, _ text: String) -> [Substring] {
    var result: [Substring] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "<\(name)>")?.upperBound, let end = rest[start...].firstRange(of: "</\(name)>") {
      result.append(rest[start..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    return result
  }

  private func send(
    _ method: String, _ path: String, base: String? = nil, body: [UInt8]? = nil, headers: [String] = [], limit: Int, _ milliseconds: Int
  ) throws(RemoteFailure) -> HTTPConnections.Answer {
    var request = HTTPConnections.Request(
      method: method, url: (base ?? self.base) + path, credentials: credentials, signature: "aws:amz:\(region):s3",
      body: body, limit: limit, milliseconds: milliseconds)
    // Without this, libcurl would wait for "100 Continue".
    request.headers = ["Expect:"] + headers
    if credentials != nil {
      request.headers.append("x-amz-content-sha256: \(SHA256.hash(body ?? []).map { Self.hex($0) }.joined())")
      if let token { request.headers.append("x-amz-security-token: \(token)") }
    }
    if body != nil { request.headers.append("Content-Type: application/octet-stream") }
    return try connections.send(request)
  }

  private static func check(_ answer: HTTPConnections.Answer) throws(RemoteFailure) {
    guard !(200...299).contains(answer.status) else { return }
    let code = code(answer).map { " (\($0))" } ?? ""
    // A store that is busy or starting, or whose bucket has not been created yet, may accept the same request later.
    let isPassing = answer.status >= 500 || answer.status == 429 || lacksBucket(answer)
    let isPermanent = answer.status == 401 || answer.status == 403 || lacksBucket(answer)
    throw RemoteFailure("it responded with status \(answer.status)\(code)", isRefusal: !isPassing, isPermanent: isPermanent)
  }

  /// The code of `<Code>NoSuchBucket</Code>`, for messages.
  private static func code(_ answer: HTTPConnections.Answer) -> String? {
    let text = String(decoding: answer.body.prefix(4096), as: UTF8.self)
    guard let start = text.firstRange(of: "<Code>")?.upperBound, let end = text[start...].firstRange(of: "</Code>")?.lowerBound else {
      return nil
    }
    let code = text[start..<end]
    return code.utf8.allSatisfy({ $0 >= 0x30 && $0 < 0x7B }) && code.utf8.count < 60 ? String(code) : nil
  }

  private static func lacksBucket(_ answer: HTTPConnections.Answer) -> Bool { code(answer) == "NoSuchBucket" }

  // MARK: Names and escaping

  private static func isBucket(_ name: String) -> Bool {
    (3...63).contains(name.utf8.count) && name.utf8.allSatisfy { isPlain($0) && $0 != UInt8(ascii: "~") }
  }

  private static func isName(_ name: String) -> Bool { !name.isEmpty && name.utf8.count <= 60 && name.utf8.allSatisfy(isPlain) }

  private static func isEndpoint(_ text: String) -> Bool {
    (text.hasPrefix("http://") || text.hasPrefix("https://"))
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#@\"<>".utf8.contains($0) }
  }

  /// Whether RFC 3986 never requires the byte to be escaped.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { isPlain($0) ? String(UnicodeScalar($0)) : "%" + hex($0).uppercased() }.joined()
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
