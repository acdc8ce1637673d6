import HTTPTypes
import OffprintCoreTypes
import NIOCore
import NIOHTTP1

/// Inspects the heads of requests while they still have their version and all their fields. Rejects what RFC 9112 requires a server to
/// reject, and adds `Connection: close` to every request after which the connection ends, whatever its version and spelling
/// (https://www.rfc-editor.org/rfc/rfc9112#section-9.3).
final class RequestHeadCheck: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private var isViolated = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Nothing is read after a violation: the connection is being closed.
    guard !isViolated else { return }
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    if let violation = Self.violation(head) {
      isViolated = true
      return context.fireErrorCaught(violation)
    }
    // https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1 "MUST ignore that expectation"
    if Self.isOld(head) { head.headers.remove(name: "expect") }
    if !head.isKeepAlive { head.headers.replaceOrAdd(name: "connection", value: "close") }
    // https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 "MUST ignore the received Host header field"
    if let authority = Self.authority(head.uri) { head.headers.replaceOrAdd(name: "host", value: authority) }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  private static func violation(_ head: HTTPRequestHead) -> ServiceError? {
    let hosts = head.headers["host"], isOld = isOld(head)
    // https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    if hosts.count > 1 || hosts.isEmpty && !isOld {
      return ServiceError(.malformedRequest, "An HTTP/1.1 request must have one Host field.")
    }
    if let host = hosts.first, !host.utf8.allSatisfy(isHostByte) {
      return ServiceError(.malformedRequest, "The Host field is not a valid host.")
    }
    // https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6: the decoder reads nothing after it, and the service is not a proxy.
    if head.method == .CONNECT {
      return ServiceError(.methodNotAllowed, "The service does not support CONNECT.", headers: [.allow: "GET, HEAD, POST, PUT, DELETE"])
    }
    // https://www.rfc-editor.org/rfc/rfc9112#section-6.1
    let codings = head.headers["transfer-encoding"].map { $0.trimmingHTMLSpaces.lowercased() }
    if !codings.isEmpty && isOld { return ServiceError(.malformedRequest, "HTTP/1.0 does not support transfer codings.") }
    if !codings.isEmpty && codings != ["chunked"] {
      return ServiceError(.malformedRequest, "Only the transfer coding 'chunked' is supported.")
    }
    return nil
  }

  private static func isOld(_ head: HTTPRequestHead) -> Bool { head.version == .http1_0 || head.version == .http0_9 }

  /// Whether the byte is allowed in a host with port. https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
  static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~!$&'()*+,;=%:[]".utf8.contains(byte)
    }
  }

  /// The authority of a target in absolute form; nil for other targets.
  private static func authority(_ target: String) -> String? {
    guard !target.hasPrefix("/"), let colon = target.firstIndex(ofByte: ":"), target[colon...].hasPrefix("://") else { return nil }
    let rest = target[colon...].dropFirst(3)
    return String(rest[..<(rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex)])
  }
}
