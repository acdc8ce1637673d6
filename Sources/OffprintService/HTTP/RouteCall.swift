import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Offprint

/// The context that Hummingbird passes with each request.
struct RequestScope: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// A request and what its route needs to handle it.
struct RouteCall: Sendable {
  var request: Request
  /// Path parameters, percent-decoded.
  var parameters: [String: String]
  /// The path as it was sent, for signatures.
  var path: Substring
  var query: QueryItems
  var id: String
  var client: Client
  var engine: Engine
  /// The generation of the response cache when the request arrived.
  var cacheGeneration: Int
  var monitor: ConnectionMonitor

  /// The owner of identifiers that the request writes: its token, the key that signed it, or the token that requested the signature.
  var owner: String {
    if !client.scopes.isEmpty { return client.name }
    if let writes = query["writes"], writes.hasPrefix(AddressSigner.namePermission + ":") {
      return "token:\(writes.dropFirst(AddressSigner.namePermission.count + 1))"
    }
    return "key:\(query["key"] ?? engine.access.signer.keys.first?.name ?? "")"
  }

  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// The media type of the body, in lowercase and without parameters.
  var mediaType: String {
    let value = request.headers[.contentType] ?? ""
    return String(value[..<(value.firstIndex(ofByte: ";") ?? value.endIndex)]).trimmingHTMLSpaces.lowercased()
  }

  var isHead: Bool { request.method == .head }

  /// Reads the whole body.
  ///
  /// - Throws: `limitExceeded` if it is larger than `limit` bytes.
  func body(upTo limit: Int) async throws -> [UInt8] {
    try Self.check(length: request.headers[.contentLength], limit: limit)
    do {
      let buffer = try await request.body.collect(upTo: limit)
      return Array(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw Self.tooLarge(limit)
    }
  }

  /// Content codings are not supported.
  ///
  /// - Throws: `unsupportedContentEncoding`. https://www.rfc-editor.org/rfc/rfc9110#section-15.5.16
  static func checkEncoding(_ headers: HTTPFields) throws(ServiceError) {
    let codings = headers[values: .contentEncoding].flatMap { $0.split(byte: ",").map { $0.trimmed.lowercased() } }
    guard let other = codings.first(where: { !$0.isEmpty && $0 != "identity" }) else { return }
    throw ServiceError(
      .unsupportedContentEncoding, "The content coding '\(other.prefix(40))' is not supported; send the body without Content-Encoding.",
      headers: [.acceptEncoding: "identity"])
  }

  static func check(length: String?, limit: Int) throws(OffprintError) {
    if let length = length.flatMap({ Int($0) }), length > limit { throw tooLarge(limit) }
  }

  static func tooLarge(_ limit: Int) -> OffprintError {
    OffprintError(.limitExceeded, "The body is larger than the limit 'max-body' (\(limit) bytes) of the service.")
  }
}

extension Response {
  init(json: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
    var headers = headers
    headers[.contentType] = "application/json"
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    self.init(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: json + "\n")))
  }

  init(json: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
    self.init(json: json.text, status: status, headers: headers)
  }
}
