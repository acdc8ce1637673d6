import COffprintRemote
import Glibc
import OffprintRenderCache
import Synchronization

/// A pool of libcurl connections for reuse.
final class HTTPConnections: Sendable {
  struct Request {
    var method: String
    var url: String
    var headers: [String] = []
    /// `key:secret`.
    var credentials: String?
    var signature = ""
    var body: [UInt8]?
    /// The maximum size of the response in bytes.
    var limit: Int
    var milliseconds: Int
    /// The restrictions for servers of untrusted URLs; nil for servers the user configured.
    var watch: HTTPResources.Watch?
  }

  struct Answer {
    var status: Int
    var body: [UInt8]
    /// With a watch: the target of a redirect, and the content type.
    var redirect: String?
    var type: String?
    /// With a watch: the server's IP address, and the response's head.
    var address = ""
    var head: [UInt8] = []
    /// With a watch: why there is no response.
    var failure: Failure?
  }

  enum Failure { case tooLarge, headTooLarge, stopped, refusedAddress, unreachable(String), other(String) }

  private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }
  private let free = Mutex<[Handle]>([])
  private static let maximumKept = 16

  deinit { free.withLock { handles in handles.forEach { remote_http_close($0.pointer) } } }

  func send(_ request: Request) throws(RemoteFailure) -> Answer {
    let kept = free.withLock { $0.popLast() }
    let handle = if let kept { kept } else { try Self.open() }
    let answer = Self.send(request, handle)
    let isKept = free.withLock { handles -> Bool in
      guard handles.count < Self.maximumKept else { return false }
      handles.append(handle)
      return true
    }
    if !isKept { remote_http_close(handle.pointer) }
    defer {
      [
        UnsafeMutableRawPointer(answer.bytes), UnsafeMutableRawPointer(answer.redirect), .init(answer.content_type), .init(answer.address),
        .init(answer.head),
      ].forEach(Glibc.free)
    }
    if request.watch != nil { return Self.watched(answer) }
    if answer.too_large { throw RemoteFailure("the response has more than \(request.limit) bytes", isRefusal: true) }
    if answer.failed { throw RemoteFailure(Reason.text(answer.reason)) }
    return Answer(status: answer.status, body: Array(UnsafeBufferPointer(start: answer.bytes, count: answer.length)))
  }

  private static func watched(_ raw: remote_answer) -> Answer {
    var answer = Answer(status: raw.status, body: Array(UnsafeBufferPointer(start: raw.bytes, count: raw.length)))
    answer.redirect = raw.redirect.map { String(cString: $0) }
    answer.type = raw.content_type.map { String(cString: $0) }
    answer.address = raw.address.map { String(cString: $0) } ?? ""
    answer.head = Array(UnsafeBufferPointer(start: raw.head, count: raw.head_length))
    if raw.failed {
      answer.failure =
        raw.too_large
        ? .tooLarge
        : raw.head_too_large
          ? .headTooLarge
          : raw.stopped
            ? .stopped
            : raw.refused
              ? .refusedAddress : raw.transient ? .unreachable(Reason.text(raw.reason)) : .other(Reason.text(raw.reason))
    }
    return answer
  }

  private static func open() throws(RemoteFailure) -> Handle {
    var reason = Reason.empty
    guard let pointer = remote_http_open(&reason) else { throw Reason.failure(reason) }
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
        return withGuard(request.watch) { watch in
          raw.guard = watch
          return withBody(request.body) { body in
            raw.body = body?.baseAddress
            raw.length = body?.count ?? 0
            return remote_http_send(handle.pointer, &raw)
          }
        }
      } ?? remote_answer()
    }
  }

  private static func withBody(_ body: [UInt8]?, _ send: (UnsafeRawBufferPointer?) -> remote_answer) -> remote_answer {
    guard let body else { return send(nil) }
    // An empty body differs from no body, so the pointer must not be null.
    if body.isEmpty { return [UInt8](repeating: 0, count: 1).withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[..<0])) } }
    return body.withUnsafeBytes { send($0) }
  }

  /// Calls `send` with the watch as C callbacks, which are valid during the call.
  private static func withGuard(
    _ watch: HTTPResources.Watch?, _ send: (UnsafePointer<remote_guard>?) -> remote_answer
  ) -> remote_answer {
    guard let watch else { return send(nil) }
    var guarded = remote_guard()
    guarded.header_limit = HTTPResources.largestHead
    guarded.context = Unmanaged.passUnretained(watch).toOpaque()
    guarded.allows = { context, address, length, port in
      guard let context else { return false }
      let watch = Unmanaged<HTTPResources.Watch>.fromOpaque(context).takeUnretainedValue()
      return watch.allows(UnsafeBufferPointer(start: address, count: length), port: Int(port))
    }
    guarded.stops = { context in
      guard let context else { return true }
      return Unmanaged<HTTPResources.Watch>.fromOpaque(context).takeUnretainedValue().isOver
    }
    return withExtendedLifetime(watch) { withUnsafePointer(to: &guarded) { send($0) } }
  }
}

/// C strings that are valid during a call.
enum CStrings {
  static func with<R>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> R) -> R {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies.map { UnsafePointer($0) })
  }
}

/// Error messages of the C functions.
enum Reason {
  static var empty: [CChar] { Array(repeating: 0, count: Int(REMOTE_REASON)) }

  /// Why there is no connection. A library that is not installed is our own message in C.
  static func failure(_ characters: [CChar]) -> RemoteFailure {
    let text = text(characters)
    return RemoteFailure(text, isPermanent: text.hasSuffix("is not installed"))
  }

  static func text(_ characters: [CChar]) -> String {
    let text = String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let line = String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    return line.hasSuffix(".") ? String(line.dropLast()) : line
  }

  /// The text in a C array.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { text($0.map { CChar(bitPattern: $0) }) }
  }
}
