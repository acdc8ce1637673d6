import NIOCore
import NIOHTTP1

/// Rejects requests of HTTP/1.1 without exactly one `Host` field, and those of HTTP/1.0 with several, before the fields lose their number.
/// https://www.rfc-editor.org/rfc/rfc9112#section-3.2
final class HostFieldCheck: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  struct Violation: Error {}

  private var isViolated = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      let count = head.headers["host"].count
      isViolated = isViolated || count > 1 || count == 0 && head.version != .http1_0 && head.version != .http0_9
      if isViolated { context.fireErrorCaught(Violation()) }
    }
    // What follows on the connection is not read: it is closed.
    if !isViolated { context.fireChannelRead(data) }
  }
}
