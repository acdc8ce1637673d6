import OffprintCoreTypes
import NIOCore
import NIOPosix

/// Answers plain requests from the response cache before HTTP parsing: a request head that arrives complete in one read, without a body, on
/// an idle connection. Everything else falls through to the HTTP pipeline. So does all later data on a connection where the passed-on data
/// may have ended within a request, because the decoder may hold the beginning of one.
final class CacheFastPath: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum PipelineState {
    /// All received requests are answered.
    case free
    /// One whole request was passed on.
    case waiting
    case unknown
  }

  /// Responses are assembled in one buffer per event loop, which is reused after each write.
  /// Each is only used by the thread that created it.
  final class Scratch: @unchecked Sendable {
    var bytes = ByteBuffer()
  }

  /// The buffers of a server's event loops.
  final class Scratches: Sendable {
    private let byThread = ThreadSpecificVariable<Scratch>()

    /// The buffer of the calling thread.
    var current: Scratch {
      if let known = byThread.currentValue { return known }
      let made = Scratch()
      byThread.currentValue = made
      return made
    }
  }

  typealias Answer = (PlainRequest, inout ByteBuffer) -> Taken?

  /// The response was written to the buffer.
  struct Taken {
    /// Sent after the buffer.
    var body: ByteBuffer?
  }

  private var pipelineState = PipelineState.free
  private var isFlushDue = false
  /// Data was passed on since the last read completed.
  private var wasHandedOn = false
  private let scratch: Scratch
  /// Whether the HTTP pipeline is idle.
  private let isIdle: () -> Bool
  private let noteActivity: () -> Void
  private let answer: Answer
  private let acceptedHosts: AcceptedHosts?

  init(
    isIdle: @escaping () -> Bool, noteActivity: @escaping () -> Void, acceptedHosts: AcceptedHosts?, scratches: Scratches,
    answer: @escaping Answer
  ) {
    self.isIdle = isIdle; self.noteActivity = noteActivity; self.acceptedHosts = acceptedHosts; self.answer = answer
    scratch = scratches.current
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if pipelineState == .waiting && isIdle() { pipelineState = .free }
    guard pipelineState == .free, context.channel.isWritable,
      let request = unwrapInboundIn(data).withUnsafeReadableBytes({ PlainRequest($0, acceptedHosts) })
    else {
      pipelineState = .unknown
      return handOn(data, context)
    }
    guard let taken = answer(request, &scratch.bytes) else {
      pipelineState = .waiting
      return handOn(data, context)
    }
    noteActivity()
    context.write(wrapOutboundOut(scratch.bytes), promise: nil)
    if let body = taken.body { context.write(wrapOutboundOut(body), promise: nil) }
    isFlushDue = true
  }

  private func handOn(_ data: NIOAny, _ context: ChannelHandlerContext) {
    wasHandedOn = true
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isFlushDue {
      isFlushDue = false
      context.flush()
      // No later handler received data.
      guard wasHandedOn else { return }
    }
    wasHandedOn = false
    context.fireChannelReadComplete()
  }
}

/// A `GET` or `HEAD` request with a complete head and nothing after it, in the strictest form of RFC 9112. None of its fields has an effect
/// apart from those parsed here.
struct PlainRequest {
  var target: String
  var isHead: Bool
  var requestID: String?
  /// A field requires the HTTP pipeline.
  var needsMore = false

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
      let known = hosts
      guard read(bytes[line.lowerBound..<colon], value, &hosts) else { return nil }
      if hosts > known {
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
      needsMore = true
    case 6 where Self.isNamed(name, "origin"): needsMore = true
    case 6 where Self.isNamed(name, "expect"), 7 where Self.isNamed(name, "upgrade"), 14 where Self.isNamed(name, "content-length"),
      17 where Self.isNamed(name, "transfer-encoding"):
      return false
    case 10 where Self.isNamed(name, "connection"): return Self.isNamed(Self.trimmed(value), "keep-alive")
    case 12 where Self.isNamed(name, "x-request-id"):
      let text = String(decoding: Self.trimmed(value), as: UTF8.self)
      if requestID != nil { needsMore = true }
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
  /// Images up to this size are copied behind their heads and sent in one write.
  private static let maximumCopiedBytes = 64 << 10

  /// Writes the response to a plain request into `bytes` if it is cached.
  func answerRemembered(_ request: PlainRequest, _ bytes: inout ByteBuffer) -> CacheFastPath.Taken? {
    let start = NIODeadline.now()
    guard !request.needsMore, !isDraining, let answer = memo.answer(request.target, now: start) else { return nil }
    let body = request.isHead ? nil : answer.representation.bytes
    let isCopied = body.map { $0.readableBytes <= Self.maximumCopiedBytes } ?? false
    bytes.clear(minimumCapacity: answer.head.readableBytes + 256 + (isCopied ? body?.readableBytes ?? 0 : 0))
    bytes.writeImmutableBuffer(answer.head)
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
    answer.figures?.count(isHead: request.isHead, isUnchanged: false, seconds: Double((.now() - start).nanoseconds) / 1e9)
    if logsRequests {
      logRemembered(answer, request.requestID ?? RequestID.text(number), method: request.isHead ? "HEAD" : "GET", status: 200)
    }
    return CacheFastPath.Taken(body: isCopied ? nil : body)
  }
}
