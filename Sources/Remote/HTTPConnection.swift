import CRemote
import Glibc
import RenderCache
import Synchronization

/// Connections of libcurl that are kept for the next request.
final class HTTPConnections: Sendable {
  struct Request {
    var method: String
    var url: String
    var headers: [String] = []
    /// `key:secret`
    var credentials: String?
    var signature = ""
    var body: [UInt8]?
    /// Bytes of the answer.
    var limit: Int
    var milliseconds: Int
  }

  struct Answer {
    var status: Int
    var body: [UInt8]
  }

  private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }
  private let free = Mutex<[Handle]>([])
  private static let mostKept = 16

  deinit { free.withLock { handles in handles.forEach { remote_http_close($0.pointer) } } }

  func send(_ request: Request) throws(RemoteFailure) -> Answer {
    let kept = free.withLock { $0.popLast() }
    let handle = if let kept { kept } else { try Self.open() }
    let answer = Self.send(request, handle)
    let isKept = free.withLock { handles -> Bool in
      guard handles.count < Self.mostKept else { return false }
      handles.append(handle)
      return true
    }
    if !isKept { remote_http_close(handle.pointer) }
    defer { Glibc.free(answer.bytes) }
    if answer.too_large { throw RemoteFailure("it answered with more than \(request.limit) bytes", isRefusal: true) }
    if answer.failed { throw RemoteFailure(Reason.text(answer.reason)) }
    return Answer(status: answer.status, body: Array(UnsafeBufferPointer(start: answer.bytes, count: answer.length)))
  }

  private static func open() throws(RemoteFailure) -> Handle {
    var reason = Reason.empty
    guard let pointer = remote_http_open(&reason) else { throw RemoteFailure(Reason.text(reason)) }
    return Handle(pointer: pointer)
  }

  private static func send(_ request: Request, _ handle: Handle) -> remote_answer {
    CStrings.with([request.method, request.url, request.signature, request.credentials ?? ""] + request.headers) { strings in
      var raw = remote_request()
      raw.method = strings[0]
      raw.url = strings[1]
      raw.signature = strings[2]
      raw.user_password = request.credentials == nil ? nil : strings[3]
      raw.limit = request.limit
      raw.timeout = request.milliseconds
      raw.header_count = request.headers.count
      return strings[4...].withContiguousStorageIfAvailable { headers in
        raw.headers = headers.baseAddress
        guard let body = request.body else { return remote_http_send(handle.pointer, &raw) }
        return body.withUnsafeBytes { bytes in
          var empty: UInt8 = 0
          return withUnsafePointer(to: &empty) { none in
            raw.body = bytes.baseAddress ?? UnsafeRawPointer(none)
            raw.length = bytes.count
            return remote_http_send(handle.pointer, &raw)
          }
        }
      } ?? remote_answer()
    }
  }
}

/// Texts for C, for as long as a call takes.
enum CStrings {
  static func with<R>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies.map { UnsafePointer($0) })
  }
}

/// What C says has gone wrong.
enum Reason {
  static var empty: [CChar] { Array(repeating: 0, count: Int(REMOTE_REASON)) }

  static func text(_ characters: [CChar]) -> String {
    let text = String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let line = String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    return line.hasSuffix(".") ? String(line.dropLast()) : line
  }

  /// Of an array as C has it.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { text($0.map { CChar(bitPattern: $0) }) }
  }
}
