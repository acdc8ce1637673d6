import HTTPTypes
import Hummingbird
import OffprintCoreTypes

/// Lets pages of other origins read responses, if the operator allows their origins.
///
/// https://fetch.spec.whatwg.org/#http-cors-protocol
struct CrossOriginAccess: Sendable {
  /// For example `https://app.example.org`, in lowercase; `*` allows all.
  private let origins: [String]

  init(origins: [String]) { self.origins = origins.map { $0.lowercased() } }

  var isOn: Bool { !origins.isEmpty }
  var allowsAll: Bool { origins.contains("*") }

  func allows(_ origin: String?) -> Bool {
    guard let origin else { return false }
    return allowsAll || origins.contains { $0.hasSameBytes(as: origin.lowercased()) }
  }

  private static let exposed =
    "Cache-Status, ETag, Location, Offprint-Diagnostics, Offprint-Key, Offprint-Size, Retry-After, Server-Timing, "
    + "X-Request-Id"

  /// The fields that do not depend on the request, for cached responses.
  func addConstant(to headers: inout HTTPFields) {
    guard isOn else { return }
    if allowsAll {
      headers[.accessControlAllowOrigin] = "*"
      headers[.accessControlExposeHeaders] = Self.exposed
    } else {
      headers.vary("Origin")
    }
  }

  func add(to headers: inout HTTPFields, _ request: HTTPFields) {
    addConstant(to: &headers)
    guard isOn, !allowsAll, let origin = request[.origin], allows(origin) else { return }
    headers[.accessControlAllowOrigin] = origin
    headers[.accessControlExposeHeaders] = Self.exposed
  }

  /// The response to a preflight request; nil for other requests.
  func preflight(_ request: HTTPRequest) -> Response? {
    let fields = request.headerFields
    guard isOn, request.method == .options, fields[.origin] != nil, fields[.accessControlRequestMethod] != nil else { return nil }
    var headers = HTTPFields()
    if allows(fields[.origin]) {
      headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, DELETE"
      headers[.accessControlAllowHeaders] = "Authorization, Content-Type, If-Match, If-None-Match, Prefer, Range, X-Request-Id"
      headers[.accessControlMaxAge] = "7200"
    }
    return Response(status: .noContent, headers: headers)
  }
}

extension HTTPFields {
  /// Adds a name to `Vary`.
  mutating func vary(_ name: String) {
    let known = self[.vary]
    if known?.split(byte: ",").contains(where: { $0.trimmed == name }) == true { return }
    self[.vary] = known.map { "\($0), \(name)" } ?? name
  }
}
