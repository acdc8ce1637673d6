import OffprintCoreTypes
import HTTPTypes
import Hummingbird
import Offprint

/// A route: its method and path, the access it requires, its API description, and its handler.
struct ServiceRoute: Sendable {
  enum Segment: Hashable, Sendable {
    case literal(String)
    case parameter(String)
    /// For example `{color}.png`.
    case file(String, suffixes: [String])
  }

  enum Access: Hashable, Sendable {
    case open
    case scope(Scope)
    /// A token with the scope `render`, or a signature in the URL.
    case signed
    /// A token with the scope `render`, or a signature in the path.
    case preset
    /// Open if the operator configured it so.
    case metrics
  }

  typealias Handler = @Sendable (Service, RouteCall) async throws -> Response

  var method: HTTPRequest.Method
  /// As in the API description: `/render/{template}.{format}`.
  var path: String
  var segments: [Segment]
  var access: Access
  var operation: Operation
  var handle: Handler

  init(
    _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ operation: Operation, suffixes: [String] = [],
    _ handle: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.access = access
    self.operation = operation
    self.handle = handle
    segments = path.split(byte: "/").map { segment in
      guard segment.hasPrefix("{"), let end = segment.firstIndex(ofByte: "}") else { return .literal(String(segment)) }
      let name = String(segment[segment.index(after: segment.startIndex)..<end])
      return suffixes.isEmpty ? .parameter(name) : .file(name, suffixes: suffixes)
    }
  }

  /// - Returns: The path parameters; nil if the path does not match.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal): if literal != text { return nil }
      case .parameter(let name):
        if text.isEmpty { return nil }
        parameters[name] = text
      case .file(let name, let suffixes):
        guard let suffix = suffixes.first(where: { text.hasSuffix(".\($0)") && text.utf8.count > $0.utf8.count + 1 }) else { return nil }
        parameters[name] = String(text.dropLast(suffix.count + 1))
        parameters["format"] = suffix
      }
    }
    return parameters
  }
}

/// The API description of a route, which `OpenAPIDocument` writes.
struct Operation: Sendable {
  var id: String
  var summary: String
  var parameters: [JSONValue] = []
  var body: JSONValue?
  /// By status.
  var responses: [String: JSONValue] = [:]
  /// Statuses of errors in addition to those of every route.
  var refusals: [Int] = []

  init(
    _ id: String, _ summary: String, parameters: [JSONValue] = [], body: JSONValue? = nil, responses: [String: JSONValue] = [:],
    refusals: [Int] = []
  ) {
    self.id = id; self.summary = summary; self.parameters = parameters; self.body = body; self.responses = responses
    self.refusals = refusals
  }
}

/// All routes of the service.
enum RouteTable {
  static let routes: [ServiceRoute] =
    RenderRoutes.routes + PresetRoutes.routes + ResultRoutes.routes + ImageRoutes.routes + ListRoutes.routes + ListingRoutes.routes
    + OperationRoutes.routes + PageRoutes.routes

  enum Match {
    case found(ServiceRoute, [String: String])
    /// The path exists with these methods.
    case otherMethod([HTTPRequest.Method])
    case none
  }

  static func match(_ method: HTTPRequest.Method, _ path: [String]) -> Match {
    var methods: [HTTPRequest.Method] = []
    for route in routes {
      guard let parameters = route.match(path) else { continue }
      if route.method == method || route.method == .get && method == .head { return .found(route, parameters) }
      methods += route.method == .get ? [.get, .head] : [route.method]
    }
    return methods.isEmpty ? .none : .otherMethod(methods)
  }
}
