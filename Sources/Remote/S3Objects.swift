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
    self.address = "s3://\(bucket)" + (prefix.isEmpty ? "" : "/\(prefix)")
    let (key, secret) = (environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"))
    credentials = key.flatMap { key in secret.map { "\(key):\($0)" } }
    token = environment("AWS_SESSION_TOKEN")
    readMilliseconds = try address.milliseconds("timeout", 10...600_000, default: 2000, what)
    writeMilliseconds = max(readMilliseconds, 10_000)
  }

  // MARK: Requests

  func read(_ key: CacheKey, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]? {
    let milliseconds = min(readMilliseconds, deadline.remaining.map { max(1, Int($0.seconds * 1000)) } ?? readMilliseconds)
    let answer = try send("GET", key, limit: limit, milliseconds)
    if answer.status == 404 && !Self.lacksBucket(answer) { return nil }
    try Self.check(answer)
    return answer.body
  }

  func contains(_ key: CacheKey) throws(RemoteFailure) -> Bool {
    let answer = try send("HEAD", key, limit: 64 << 10, readMilliseconds)
    if answer.status == 404 { return false }
    try Self.check(answer)
    return true
  }

  func write(_ key: CacheKey, _ bytes: [UInt8]) throws(RemoteFailure) {
    try Self.check(try send("PUT", key, body: bytes, limit: 64 << 10, writeMilliseconds))
  }

  func remove(_ key: CacheKey) throws(RemoteFailure) {
    let answer = try send("DELETE", key, limit: 64 << 10, writeMilliseconds)
    if answer.status != 404 { try Self.check(answer) }
  }

  private func send(
    _ method: String, _ key: CacheKey, body: [UInt8]? = nil, limit: Int, _ milliseconds: Int
  ) throws(RemoteFailure) -> HTTPConnections.Answer {
    let name = key.description
    var request = HTTPConnections.Request(
      method: method, url: "\(base)/\(name.prefix(2))/\(name).offprint", credentials: credentials, signature: "aws:amz:\(region):s3",
      body: body, limit: limit, milliseconds: milliseconds)
    // Without this, libcurl would wait for "100 Continue".
    request.headers = ["Expect:"]
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
    throw RemoteFailure("it responded with status \(answer.status)\(code)", isRefusal: !isPassing)
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
