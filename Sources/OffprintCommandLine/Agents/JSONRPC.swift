import Offprint

/// A JSON-RPC message. https://www.jsonrpc.org/specification
enum RPCMessage {
  /// The id is kept as JSON text.
  case request(id: String, method: String, parameters: [String: JSONValue])
  case notification(method: String, parameters: [String: JSONValue])
  /// A response to a request of this server, which never sends any.
  case response

  /// - Throws: The error response to send.
  init(_ bytes: [UInt8]) throws(RPCError) {
    let value: JSONValue
    do { value = try JSONValue(checking: bytes) } catch { throw RPCError(.parseError, "The message \(error.predicate).") }
    guard case .object(let members) = value else { throw RPCError(.invalidRequest, "A message must be a JSON object.") }
    var id: String?
    switch members["id"] {
    case .string?, .number?, .integer?: id = members["id"]?.text
    case nil: break
    default: throw RPCError(.invalidRequest, "\"id\" must be a string or a number.")
    }
    guard members["jsonrpc"]?.string == "2.0" else { throw RPCError(.invalidRequest, "\"jsonrpc\" must be \"2.0\".", id: id) }
    guard let method = members["method"]?.string else {
      guard id != nil, members["result"] != nil || members["error"] != nil else {
        throw RPCError(.invalidRequest, "\"method\" is missing.", id: id)
      }
      self = .response
      return
    }
    var parameters: [String: JSONValue] = [:]
    if let given = members["params"] {
      guard case .object(let object) = given else { throw RPCError(.invalidParams, "\"params\" must be an object.", id: id) }
      parameters = object
    }
    self = id.map { .request(id: $0, method: method, parameters: parameters) } ?? .notification(method: method, parameters: parameters)
  }
}

/// An error with one of the protocol's codes.
struct RPCError: Error {
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
  }

  var code: Code
  var message: String
  /// As JSON text; nil if the request's id could not be parsed.
  var id: String?

  init(_ code: Code, _ message: String, id: String? = nil) { self.code = code; self.message = message; self.id = id }

  var json: String {
    "{\"jsonrpc\":\"2.0\",\"id\":\(id ?? "null"),\"error\":{\"code\":\(code.rawValue),\"message\":\(JSONText.string(message))}}"
  }
}
