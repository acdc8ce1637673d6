import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Enforces the limits of each connection: the size of a body, the time to send it, the time a reader may stall, and the bytes accepted
/// after a response. Malformed requests get problem details instead of an empty response.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  struct Limits: Sendable {
    /// The limit of any body in bytes; routes can have lower ones.
    var bodyBytes: Int
    /// How long a connection may be silent between requests, and within a request's head.
    var idleTimeout: TimeAmount
    /// The time from the head to the last byte of a body.
    var bodyTimeout: TimeAmount
    /// How long a client may read nothing of a response.
    var writeTimeout: TimeAmount
    /// Bytes of a body that are still read after its request was answered, so that the client sees the response.
    var lingeringBytes = 32 << 20
    var lingeringTime = TimeAmount.seconds(2)
  }

  private let limits: Limits
  private let registry: ConnectionRegistry
  private let tally: RefusalTally
  /// Answers requests that need no work immediately.
  private let shortcut: (HTTPRequest) -> (HTTPResponse, ByteBuffer?)?
  private let fastPath: CacheFastPath.Responder?
  private let acceptedHosts: AcceptedHosts?
  private let isDraining: () -> Bool
  /// Set if the service is draining, the client asked to close, or a request has `Upgrade`, which is never answered by upgrading and after
  /// which the decoder reads nothing.
  private var closesAfterAnswer = false
  /// Data arrived after the last request that will be answered.
  private var isRestIgnored = false
  private var isFlushDue = false
  private var ready: (HTTPResponse, ByteBuffer?)?
  private var lastActivity = NIODeadline.now()
  private var idleTimer: Scheduled<Void>?
  private var monitor: ConnectionMonitor?
  /// Bytes received of the current request's body; nil between requests.
  private var bodyBytes: Int?
  /// Streamed bodies (NDJSON) are limited per line, not in total.
  private var isStream = false
  private var answersDue = 0
  private var isAnswerBegun = false
  private var lingering = 0
  private var isClosing = false
  /// An error in the request after those that are being answered; sent after their responses.
  private var pendingRefusal: (any Error)?
  private var bodyTimer: Scheduled<Void>?
  private var writeTimer: Scheduled<Void>?
  /// The client waits for `100 Continue`, but earlier requests are not answered yet.
  private var isContinueDue = false

  init(
    limits: Limits, registry: ConnectionRegistry, tally: RefusalTally,
    isDraining: @escaping () -> Bool, acceptedHosts: AcceptedHosts? = nil, fastPath: CacheFastPath.Responder? = nil,
    shortcut: @escaping (HTTPRequest) -> (HTTPResponse, ByteBuffer?)?
  ) {
    self.fastPath = fastPath
    self.acceptedHosts = acceptedHosts
    self.isDraining = isDraining
    self.shortcut = shortcut
    self.limits = limits
    self.registry = registry
    self.tally = tally
  }

  func handlerAdded(context: ChannelHandlerContext) {
    monitor = registry.add(context.channel)
    lastActivity = .now()
    watchIdleness(context, after: limits.idleTimeout)
    let pipeline = context.pipeline.syncOperations
    if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
      try? pipeline.addHandler(RequestHeadCheck(), position: .before(codec))
    }
    guard let fastPath else { return }
    let first = CacheFastPath(
      isIdle: { [weak self] in self?.isIdle ?? false }, noteActivity: { [weak self] in self?.lastActivity = .now() },
      acceptedHosts: acceptedHosts, buffers: registry.responseBuffers, respond: fastPath)
    try? pipeline.addHandler(first, position: .first)
  }

  /// Whether all received requests are answered.
  private var isIdle: Bool { answersDue == 0 && bodyBytes == nil && ready == nil && !isAnswerBegun && !isClosing }

  private func watchIdleness(_ context: ChannelHandlerContext, after time: TimeAmount) {
    schedule(&idleTimer, after: time, context) { handler, context in
      let end = handler.lastActivity + handler.limits.idleTimeout
      // The client may be silent while it waits for a response. A body has its own time limit unless it is a stream.
      let isBusy = handler.answersDue > 0 && (handler.bodyBytes == nil || !handler.isStream)
      if !isBusy && end <= .now() { return handler.close(context) }
      handler.watchIdleness(context, after: isBusy ? handler.limits.idleTimeout : end - .now())
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { end(context) }

  func channelInactive(context: ChannelHandlerContext) {
    end(context)
    context.fireChannelInactive()
  }

  private func end(_ context: ChannelHandlerContext) {
    bodyTimer?.cancel()
    writeTimer?.cancel()
    idleTimer?.cancel()
    (bodyTimer, writeTimer, idleTimer) = (nil, nil, nil)
    registry.remove(context.channel)
    monitor?.close()
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing, !isRestIgnored, pendingRefusal == nil else { return drop(unwrapInboundIn(data), context) }
    lastActivity = .now()
    switch unwrapInboundIn(data) {
    case .head(let head):
      // https://www.rfc-editor.org/rfc/rfc9112#section-9.6 "must not process any further requests received on that connection"
      if closesAfterAnswer {
        isRestIgnored = true
        return
      }
      closesAfterAnswer = head.headerFields[.upgrade] != nil || head.headerFields[.connection] == "close" || isDraining()
      // If the client does not read, the request waits in the HTTP pipeline, which pauses reading until it does.
      if answersDue == 0, bodyBytes == nil, !closesAfterAnswer, context.channel.isWritable, let answer = shortcut(head) {
        ready = answer
        return
      }
      answersDue += 1
      beginBody(head, context)
    case .body(let bytes): if !takes(bytes.readableBytes, context) { return }
    case .end:
      if let answer = ready { return write(answer, context) }
      bodyBytes = nil
      bodyTimer?.cancel()
      bodyTimer = nil
    }
    context.fireChannelRead(data)
  }

  private func write(_ answer: (HTTPResponse, ByteBuffer?), _ context: ChannelHandlerContext) {
    ready = nil
    context.write(wrapOutboundOut(.head(answer.0)), promise: nil)
    if let body = answer.1 { context.write(wrapOutboundOut(.body(body)), promise: nil) }
    context.write(wrapOutboundOut(.end(nil)), promise: nil)
    isFlushDue = true
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isFlushDue {
      isFlushDue = false
      context.flush()
    }
    context.fireChannelReadComplete()
  }

  /// Discards data after a refusal for a short time, so that the client can read the response. Also limited by bytes.
  private func drop(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    guard case .body(let bytes) = part else { return }
    lingering += bytes.readableBytes
    if lingering > limits.lingeringBytes { context.close(promise: nil) }
  }

  private func beginBody(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
    bodyBytes = 0
    isStream = ListRoutes.takesStream(head)
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    guard length != 0, length != nil || head.headerFields[.transferEncoding] != nil else { return }
    lingering = 0
    if head.headerFields[.expect]?.lowercased() == "100-continue", (length ?? 0) <= limits.bodyBytes || isStream {
      isContinueDue = true
    }
    beginTurn(context)
  }

  /// Called when all requests before the current one are answered. Sends `100 Continue` only now, because the client would take it for a
  /// part of an earlier response, and starts the body's time limit, because reading may have paused until now.
  private func beginTurn(_ context: ChannelHandlerContext) {
    guard bodyBytes != nil, earlierAnswersDue == 0 else { return }
    if isContinueDue {
      isContinueDue = false
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
    guard !isStream, bodyTimer == nil else { return }
    schedule(&bodyTimer, after: limits.bodyTimeout, context) { handler, context in
      handler.refuse(ServiceError(.requestTimedOut, "The body did not arrive in time."), context)
    }
  }

  /// Whether to pass on a part of a body.
  private func takes(_ count: Int, _ context: ChannelHandlerContext) -> Bool {
    isContinueDue = false
    if answersDue == 0 {
      lingering += count
      if lingering > limits.lingeringBytes { close(context) }
      return true
    }
    guard let before = bodyBytes, !isStream else { return true }
    // The route gets up to one part more than allowed and reports the error itself; endless bodies are refused here.
    bodyBytes = before + count
    guard before <= limits.bodyBytes else {
      refuse(RouteCall.tooLarge(limits.bodyBytes), context)
      return false
    }
    return true
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isClosing else { return close(context) }
    // The error is in data after the last request that will be answered.
    if isRestIgnored || closesAfterAnswer && bodyBytes == nil { return }
    refuse(error as? ServiceError ?? ServiceError(.malformedRequest, "This is not a valid HTTP/1.1 request."), context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { monitor?.close() }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: Writing

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isClosing else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      if head.status.kind != .informational { isAnswerBegun = true }
      if closesAfterAnswer && answersDue == 1 && head.status.kind != .informational {
        head.headerFields[.connection] = "close"
        return context.write(wrapOutboundOut(.head(head)), promise: promise)
      }
    case .body: lastActivity = .now()
    case .end:
      lastActivity = .now()
      isAnswerBegun = false
      answersDue = max(0, answersDue - 1)
      if let error = pendingRefusal, earlierAnswersDue == 0 {
        context.write(data, promise: promise)
        pendingRefusal = nil
        return refuse(error, context)
      }
      // If other responses are pending, the body belongs to a later request.
      if bodyBytes != nil && answersDue == 0 { linger(context) }
      if closesAfterAnswer && answersDue == 0 {
        isClosing = true
        let channel = context.channel
        context.writeAndFlush(data).whenComplete { _ in channel.close(promise: nil) }
        promise?.succeed()
        return
      }
      context.write(data, promise: promise)
      if answersDue > 0 { beginTurn(context) }
      return
    }
    context.write(data, promise: promise)
  }

  /// Reads the rest of an unwanted body for a short time.
  private func linger(_ context: ChannelHandlerContext) {
    schedule(&bodyTimer, after: limits.lingeringTime, context) { handler, context in handler.close(context) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      writeTimer?.cancel()
      writeTimer = nil
    } else {
      watchReader(context, waiting: waitingBytes(context))
    }
    context.fireChannelWritabilityChanged()
  }

  /// Closes the connection if the client has read none of `waiting` bytes within the time limit. A client that reads slowly is not closed.
  private func watchReader(_ context: ChannelHandlerContext, waiting: Int) {
    schedule(&writeTimer, after: limits.writeTimeout, context) { handler, context in
      let left = handler.waitingBytes(context)
      if left < waiting { return handler.watchReader(context, waiting: left) }
      handler.tally.add("slowReader")
      handler.close(context)
    }
  }

  /// Bytes of responses that the socket has not accepted yet.
  private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  // MARK: Errors and closing

  /// Pending responses to requests before the one that is being read.
  private var earlierAnswersDue: Int { bodyBytes == nil ? answersDue : answersDue - 1 }

  /// Sends an error response if the service has not begun to respond, after the responses to earlier requests, and closes the connection.
  private func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
    guard earlierAnswersDue <= 0 else {
      pendingRefusal = pendingRefusal ?? error
      return
    }
    let problem = Problem(error)
    tally.add(problem.code)
    guard !isAnswerBegun else { return close(context) }
    isClosing = true
    monitor?.close()
    let body = ByteBuffer(bytes: problem.body(requestID: nil))
    var head = HTTPResponse(status: .init(code: problem.status), headerFields: problem.headers)
    head.headerFields[.contentType] = "application/problem+json"
    head.headerFields[.contentTypeOptions] = "nosniff"
    head.headerFields[.contentLength] = "\(body.readableBytes)"
    head.headerFields[.connection] = "close"
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    // The client may still be sending, and closing at once could make it lose the response (TCP reset).
    let channel = context.channel
    context.eventLoop.scheduleTask(in: .milliseconds(200)) { channel.close(promise: nil) }
  }

  private func close(_ context: ChannelHandlerContext) {
    isClosing = true
    context.close(promise: nil)
  }

  private func schedule(
    _ timer: inout Scheduled<Void>?, after time: TimeAmount, _ context: ChannelHandlerContext,
    _ body: @escaping (ConnectionGuard, ChannelHandlerContext) -> Void
  ) {
    timer?.cancel()
    let loopBound = NIOLoopBound((self, context, body), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: time) {
      let (handler, context, body) = loopBound.value
      body(handler, context)
    }
  }
}
