import Dispatch
import Glibc
import Offprint
import OffprintCoreTypes
import Synchronization

/// The Model Context Protocol, one message per line. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
final class MCPServer: Sendable {
  /// Newest first. https://modelcontextprotocol.io/specification/versioning
  static let protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The maximum size of a message in bytes.
  private static let lineLimit = 32 << 20
  /// The maximum number of concurrent calls, and of the bytes of their messages.
  private static let maximumCalls = 256, maximumCallBytes = 64 << 20

  private struct Call {
    var cancellation = RenderCancellation()
    /// The size of its message.
    var size: Int
  }

  private let tools: MCPTools
  private let output = Mutex<Void>(())
  /// Calls in progress, by the id of their request.
  private let calls = Mutex<[String: Call]>([:])
  private let queue = DispatchQueue(label: "offprint.mcp", attributes: .concurrent)
  private let group = DispatchGroup()

  init(tools: MCPTools) { self.tools = tools }

  /// Serves until standard input ends, and answers all requests received before that.
  func serve() throws(OffprintError) {
    var records = RecordReader(
      OpenedList(STDIN_FILENO, isOwned: false), name: "standard input", limit: Self.lineLimit, splitter: LineSplitter())
    while let record = try records.next() {
      if record.isTooLong {
        write(RPCError(.invalidRequest, "A message may have at most \(Self.lineLimit) bytes.").json)
      } else if !record.text.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
        take(record.text)
      }
    }
    group.wait()
    tools.close()
  }

  private func take(_ line: [UInt8]) {
    do throws(RPCError) {
      switch try RPCMessage(line) {
      case .response: break
      case .notification(let method, let parameters):
        if method == "notifications/cancelled", let id = parameters["requestId"]?.text { calls.withLock { $0[id] }?.cancellation.cancel() }
      case .request(let id, let method, let parameters):
        do throws(RPCError) {
          try answer(id, method, parameters, size: line.count)
        } catch {
          throw RPCError(error.code, error.message, id: id)
        }
      }
    } catch {
      write(error.json)
    }
  }

  private func answer(_ id: String, _ method: String, _ parameters: [String: JSONValue], size: Int) throws(RPCError) {
    switch method {
    case "initialize": reply(id, Self.greeting(parameters))
    case "ping": reply(id, "{}")
    case "tools/list": reply(id, tools.list)
    case "tools/call": try call(id, parameters, size: size)
    default: throw RPCError(.methodNotFound, "There is no method \"\(method.prefix(100))\".")
    }
  }

  /// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation
  private static func greeting(_ parameters: [String: JSONValue]) -> String {
    let wanted = parameters["protocolVersion"]?.string
    let version = protocolVersions.first { $0 == wanted } ?? protocolVersions[0]
    return """
      {"protocolVersion":"\(version)","capabilities":{"tools":{}},"serverInfo":{"name":"offprint","title":"Offprint","version":"\(Renderer.version)"},\
      "instructions":"Renders HTML and CSS (no JavaScript) to images. Pages load no files and nothing from the network, unless the server allows it."}
      """
  }

  private func call(_ id: String, _ parameters: [String: JSONValue], size: Int) throws(RPCError) {
    guard let name = parameters["name"]?.string else { throw RPCError(.invalidParams, "A call must have the \"name\" of a tool.") }
    guard tools.names.contains(name) else { throw RPCError(.invalidParams, "There is no tool \"\(name.prefix(100))\".") }
    var arguments: [String: JSONValue] = [:]
    switch parameters["arguments"] {
    case nil, .null?: break
    case .object(let members)?: arguments = members
    default: throw RPCError(.invalidParams, "\"arguments\" must be an object.")
    }
    let cancellation = try begin(id, Call(size: size)).cancellation
    queue.async(group: group) { [self, arguments] in
      let result = tools.call(name, arguments, cancellation)
      calls.withLock { _ = $0.removeValue(forKey: id) }
      // A canceled request gets no response.
      if !cancellation.isCancelled { reply(id, result) }
    }
  }

  private func begin(_ id: String, _ call: Call) throws(RPCError) -> Call {
    try calls.withLock { calls throws(RPCError) in
      guard calls[id] == nil else { throw RPCError(.invalidRequest, "A request with this id is in progress.") }
      let bytes = calls.values.reduce(call.size) { $0 + $1.size }
      guard calls.count < Self.maximumCalls, calls.isEmpty || bytes <= Self.maximumCallBytes else {
        throw RPCError(
          .internalError,
          "The server accepts at most \(Self.maximumCalls) concurrent calls with \(Self.maximumCallBytes) bytes; send this one again later."
        )
      }
      calls[id] = call
      return call
    }
  }

  private func reply(_ id: String, _ result: String) { write("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\(result)}") }

  private func write(_ message: String) {
    output.withLock { _ in _ = FileDescriptorIO.write(Array((message + "\n").utf8), to: STDOUT_FILENO) }
  }
}
