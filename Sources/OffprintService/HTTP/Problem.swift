import HTTPTypes
import Hummingbird
import NIOCore
import Offprint

/// An error response: what was wrong with the request, or why the service cannot answer it.
struct ServiceError: Error, Hashable, Sendable {
  /// Stable names, in addition to those of `OffprintError.Code`.
  enum Code: String, Hashable, Sendable, CaseIterable {
    case malformedRequest, parameterRepeated, hostNotAccepted, unauthorized, forbidden, signatureMissing, signatureInvalid,
      signatureExpired, notFound,
      methodNotAllowed,
      notAcceptable, preconditionFailed, rangeNotSatisfiable, unsupportedMediaType, unsupportedContentEncoding, requestTimedOut,
      tooManyRequests, overloaded,
      shuttingDown, internalError

    var status: Int {
      switch self {
      case .malformedRequest, .parameterRepeated: 400
      case .unauthorized, .signatureMissing: 401
      case .forbidden, .signatureInvalid: 403
      case .notFound: 404
      case .hostNotAccepted: 421
      case .methodNotAllowed: 405
      case .notAcceptable: 406
      case .requestTimedOut: 408
      case .signatureExpired: 410
      case .preconditionFailed: 412
      case .unsupportedMediaType, .unsupportedContentEncoding: 415
      case .rangeNotSatisfiable: 416
      case .tooManyRequests: 429
      case .internalError: 500
      case .overloaded, .shuttingDown: 503
      }
    }
  }

  var code: Code
  /// One sentence that tells users what happened and what to do.
  var message: String
  var headers: HTTPFields = [:]

  static func repeated(_ name: String) -> ServiceError {
    ServiceError(
      .parameterRepeated, "\"\(name.prefix(100))\" is specified more than once, possibly under its other name; specify it once.")
  }

  init(_ code: Code, _ message: String, headers: HTTPFields = [:]) { self.code = code; self.message = message; self.headers = headers }
}

/// Problem details for HTTP APIs: https://www.rfc-editor.org/rfc/rfc9457
struct Problem: Error, Sendable {
  var code: String
  var status: Int
  var message: String
  var headers: HTTPFields = [:]

  init(_ error: any Error) {
    switch error {
    case let error as Problem: self = error
    case let error as ServiceError:
      self.init(code: error.code.rawValue, status: error.code.status, message: error.message, headers: error.headers)
    case let error as OffprintError:
      self.init(code: error.code.rawValue, status: error.code.httpStatus, message: Uploads.naming(filesIn: error.message))
      if status == 503 { headers[.retryAfter] = "1" }
    case is NIOTooManyBytesError:
      self.init(code: "limitExceeded", status: 413, message: "The body is larger than the service accepts.")
    default:
      self.init(
        code: "internalError", status: 500, message: "The service failed to respond. Its log has the reason, with the ID of this request.")
    }
  }

  init(code: String, status: Int, message: String, headers: HTTPFields = [:]) {
    self.code = code; self.status = status; self.message = message; self.headers = headers
  }

  /// The problem with a `Cache-Control` field that lets caches store it for a short time, so that a URL that fails does not cause a render with
  /// each request. Errors that depend on the client (401, 403, 429) or are temporary (408, 503) are not stored.
  func cached(seconds: Int) -> Problem {
    guard seconds > 0, ![401, 403, 408, 429, 503].contains(status) else { return self }
    var problem = self
    problem.headers[.cacheControl] = "public, max-age=\(seconds)"
    return problem
  }

  func body(requestID: String?) -> [UInt8] {
    var members: [String: JSONValue] = [
      "type": .string("urn:offprint:error:\(code)"), "title": .string(Self.title(code)), "status": .number(Double(status)),
      "detail": .string(message), "code": .string(code),
    ]
    if let requestID { members["requestId"] = .string(requestID) }
    return Array(JSONValue.object(members).text.utf8)
  }

  func response(requestID: String?) -> Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    return Response(status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body(requestID: requestID))))
  }

  /// For example `Limit exceeded` for `limitExceeded`.
  private static func title(_ code: String) -> String {
    var words = ""
    for character in code {
      if character.isUppercase { words += " " }
      words += words.isEmpty ? character.uppercased() : character.lowercased()
    }
    return words
  }
}

extension HTTPField.Name {
  static let cacheStatus = named("Cache-Status")
  static let serverTiming = named("Server-Timing")
  static let requestID = named("X-Request-Id")
  static let forwardedFor = named("X-Forwarded-For")
  static let traceParent = named("traceparent")
  static let contentTypeOptions = named("X-Content-Type-Options")
  static let contentSecurityPolicy = named("Content-Security-Policy")
  static let offprintError = named("Offprint-Error")
  static let offprintKey = named("Offprint-Key")
  static let fetchSite = named("Sec-Fetch-Site")
  static let prefer = named("Prefer")
  static let preferenceApplied = named("Preference-Applied")
  static let offprintDiagnostics = named("Offprint-Diagnostics")
  static let offprintSize = named("Offprint-Size")

  /// All names above are valid tokens, so the fallback is never used.
  private static func named(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .via }
}
