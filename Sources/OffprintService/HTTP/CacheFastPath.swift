import OffprintCoreTypes
import NIOCore
import NIOPosix

/// Answers requests for cached responses before HTTP parsing, if a `FastPathRequest` arrives in one read on an idle connection. Everything else
/// falls through to the HTTP pipeline. If forwarded data may have ended within a request, all later data on the connection is forwarded too,
/// because the decoder may have buffered the beginning of a request.
final class CacheFastPath: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum PipelineState {
    /// All received requests are answered.
    case idle
    /// One complete request was forwarded.
    case busy
    /// The forwarded data may have ended within a request.
    case unknown
  }

  /// The buffer in which the responses of an event loop are assembled. It is reused after each write, and only used by the thread that created it.
  final class ResponseBuffer: @unchecked Sendable {
    var bytes = ByteBuffer()
  }

  /// The buffers of a server's event loops.
  final class ResponseBuffers: Sendable {
    private let byThread = ThreadSpecificVariable<ResponseBuffer>()

    /// The buffer of the calling thread.
    var current: ResponseBuffer {
      if let existing = byThread.currentValue { return existing }
      let buffer = ResponseBuffer()
      byThread.currentValue = buffer
      return buffer
    }
  }

  /// Writes the response to a buffer; nil if the request needs the HTTP pipeline.
  typealias Responder = (FastPathRequest, inout ByteBuffer) -> WrittenResponse?

  /// A response that was written to a buffer.
  struct WrittenResponse {
    /// The body, if it was not copied to the buffer. It is sent after the buffer.
    var body: ByteBuffer?
  }

  private var pipelineState = PipelineState.idle
  private var isFlushDue = false
  /// Whether data was forwarded since the last read completed.
  private var didForward = false
  private let responseBuffer: ResponseBuffer
  /// Whether the HTTP pipeline is idle.
  private let isIdle: () -> Bool
  private let noteActivity: () -> Void
  private let respond: Responder
  private let acceptedHosts: AcceptedHosts?

  init(
    isIdle: @escaping () -> Bool, noteActivity: @escaping () -> Void, acceptedHosts: AcceptedHosts?, buffers: ResponseBuffers,
    respond: @escaping Responder
  ) {
    self.isIdle = isIdle; self.noteActivity = noteActivity; self.acceptedHosts = acceptedHosts; self.respond = respond
    responseBuffer = buffers.current
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if pipelineState == .busy && isIdle() { pipelineState = .idle }
    guard pipelineState == .idle, context.channel.isWritable,
      let request = unwrapInboundIn(data).withUnsafeReadableBytes({ FastPathRequest($0, acceptedHosts) })
    else {
      pipelineState = .unknown
      return forward(data, context)
    }
    guard let response = respond(request, &responseBuffer.bytes) else {
      pipelineState = .busy
      return forward(data, context)
    }
    noteActivity()
    context.write(wrapOutboundOut(responseBuffer.bytes), promise: nil)
    if let body = response.body { context.write(wrapOutboundOut(body), promise: nil) }
    isFlushDue = true
  }

  private func forward(_ data: NIOAny, _ context: ChannelHandlerContext) {
    didForward = true
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isFlushDue {
      isFlushDue = false
      context.flush()
      // No later handler received data.
      guard didForward else { return }
    }
    didForward = false
    context.fireChannelReadComplete()
  }
}

/// A `GET` or `HEAD` request with a complete head, no body, and nothing after it, in the strictest form of RFC 9112. None of its fields has an
/// effect apart from those parsed here.
struct FastPathRequest {
  var target: String
  var isHead: Bool
  var requestID: String?
  /// Whether a field requires the HTTP pipeline.
  var needsPipeline = false

  private static let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
  private static let maximumBytes = 8192

  /// Nil for anything other than exactly one such request, and for requests to other hosts.
  init?(_ bytes: UnsafeRawBufferPointer, _ acceptedHosts: AcceptedHosts? = nil) {
    guard (20...Self.maximumBytes).contains(bytes.count), bytes.suffix(4).elementsEqual(Self.end) else { return nil }
    isHead = bytes.starts(with: "HEAD /".utf8)
    guard isHead || bytes.starts(with: "GET /".utf8) else { return nil }
    let start = isHead ? 5 : 4
    guard let space = bytes[start...].firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F }), bytes[space...].starts(with: " HTTP/1.1\r\n".utf8)
    else { return nil }
    target = String(decoding: bytes[start..<space], as: UTF8.self)
    var position = space + 11
    var hosts = 0
    while position < bytes.count - 2 {
      guard let line = Self.line(bytes, from: position), let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
        bytes[line.lowerBound..<colon].allSatisfy(Self.isToken)
      else { return nil }
      let value = bytes[(colon + 1)..<line.upperBound]
      let previousHosts = hosts
      guard read(bytes[line.lowerBound..<colon], value, &hosts) else { return nil }
      if hosts > previousHosts {
        guard Self.trimmed(value).allSatisfy(RequestHeadCheck.isHostByte), acceptedHosts?.accepts(value) ?? true else { return nil }
      }
      position = line.upperBound + 2
    }
    guard position == bytes.count - 2, hosts == 1 else { return nil }
  }

  /// A line without its line end; nil if it contains control characters other than tabs, or has no end.
  private static func line(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    guard let end = bytes[start...].firstIndex(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }), end > start, end + 1 < bytes.count,
      bytes[end] == 0x0D, bytes[end + 1] == 0x0A
    else { return nil }
    return start..<end
  }

  /// - Returns: False for a field that may announce a body or change the connection's state.
  private mutating func read(_ name: Slice<UnsafeRawBufferPointer>, _ value: Slice<UnsafeRawBufferPointer>, _ hosts: inout Int) -> Bool {
    switch name.count {
    case 4 where Self.isNamed(name, "host"): hosts += 1
    case 5 where Self.isNamed(name, "range"), 8 where Self.isNamed(name, "if-match"),
      13 where Self.isNamed(name, "authorization") || Self.isNamed(name, "if-none-match"):
      needsPipeline = true
    case 6 where Self.isNamed(name, "origin"): needsPipeline = true
    case 6 where Self.isNamed(name, "expect"), 7 where Self.isNamed(name, "upgrade"), 14 where Self.isNamed(name, "content-length"),
      17 where Self.isNamed(name, "transfer-encoding"):
      return false
    case 10 where Self.isNamed(name, "connection"): return Self.isNamed(Self.trimmed(value), "keep-alive")
    case 12 where Self.isNamed(name, "x-request-id"):
      let text = String(decoding: Self.trimmed(value), as: UTF8.self)
      if requestID != nil { needsPipeline = true }
      requestID = RequestID.isHarmless(text) ? text : nil
    default: break
    }
    return true
  }

  private static func isNamed(_ bytes: Slice<UnsafeRawBufferPointer>, _ name: StaticString) -> Bool {
    bytes.count == name.utf8CodeUnitCount
      && name.withUTF8Buffer {
        zip(bytes, $0).allSatisfy { byte, letter in (0x41...0x5A).contains(byte) ? byte | 0x20 == letter : byte == letter }
      }
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    bytes.trimming { $0 == 0x20 || $0 == 0x09 }
  }

  /// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: false
    }
  }
}

extension Service {
  /// Images up to this size are copied after the head, so that the response is sent in one write.
  private static let maximumCopiedBytes = 64 << 10

  /// Writes the response to a request into `bytes`; nil if it is not cached.
  func writeCachedResponse(_ request: FastPathRequest, _ bytes: inout ByteBuffer) -> CacheFastPath.WrittenResponse? {
    let start = NIODeadline.now()
    guard !request.needsPipeline, !isDraining, let entry = responseCache.entry(request.target, now: start) else { return nil }
    let body = request.isHead ? nil : entry.representation.bytes
    let isCopied = body.map { $0.readableBytes <= Self.maximumCopiedBytes } ?? false
    bytes.clear(minimumCapacity: entry.head.readableBytes + 256 + (isCopied ? body?.readableBytes ?? 0 : 0))
    bytes.writeImmutableBuffer(entry.head)
    bytes.writeStaticString("X-Request-Id: ")
    let number = requestIDs.number()
    if let id = request.requestID {
      bytes.writeString(id)
    } else {
      bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 16) {
        RequestID.write(number, to: $0)
        return 16
      }
    }
    bytes.writeStaticString("\r\nDate: ")
    bytes.writeString(clock.now)
    bytes.writeStaticString("\r\n\r\n")
    if isCopied, let body { bytes.writeImmutableBuffer(body) }
    entry.metrics?.count(isHead: request.isHead, isUnchanged: false, seconds: Double((.now() - start).nanoseconds) / 1e9)
    if logsRequests {
      logCachedResponse(entry, request.requestID ?? RequestID.text(number), method: request.isHead ? "HEAD" : "GET", status: 200)
    }
    return CacheFastPath.WrittenResponse(body: isCopied ? nil : body)
  }
}
