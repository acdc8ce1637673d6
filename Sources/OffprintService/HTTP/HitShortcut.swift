import OffprintCoreTypes
import NIOCore
import NIOPosix

/// Answers plain requests for what is remembered before they are taken apart as HTTP: a head that is whole in one piece, without a body, on a
/// connection where nothing else is under way. Everything else goes the long way, and so does all that follows on a connection where it is
/// not certain that what was handed on ended with a request: the decoder may hold the beginning of one.
final class HitShortcut: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Place {
    /// All that came was answered.
    case free
    /// One whole request was handed on.
    case waiting
    case unknown
  }

  /// Answers are put together in one buffer for each event loop: it is free again once its answer was sent.
  /// Each is used by the thread that it was made on alone.
  final class Scratch: @unchecked Sendable {
    var bytes = ByteBuffer()
  }

  /// Those of a server's event loops.
  final class Scratches: Sendable {
    private let byThread = ThreadSpecificVariable<Scratch>()

    /// That of the thread that calls this.
    var current: Scratch {
      if let known = byThread.currentValue { return known }
      let made = Scratch()
      byThread.currentValue = made
      return made
    }
  }

  typealias Answer = (PlainRequest, inout ByteBuffer) -> Taken?

  /// An answer was put into the buffer.
  struct Taken {
    /// Follows it.
    var body: ByteBuffer?
  }

  private var place = Place.free
  private var isFlushDue = false
  /// Something was handed on since all that came was read.
  private var wasHandedOn = false
  private let scratch: Scratch
  /// Whether the long way has nothing under way.
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
    if place == .waiting && isIdle() { place = .free }
    guard place == .free, context.channel.isWritable,
      let request = unwrapInboundIn(data).withUnsafeReadableBytes({ PlainRequest($0, acceptedHosts) })
    else {
      place = .unknown
      return handOn(data, context)
    }
    guard let taken = answer(request, &scratch.bytes) else {
      place = .waiting
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
      // Nobody else got anything.
      guard wasHandedOn else { return }
    }
    wasHandedOn = false
    context.fireChannelReadComplete()
  }
}

/// A `GET` or `HEAD` with its whole head and nothing behind it, in the strictest form that RFC 9112 has, whose fields change nothing but what is
/// kept of them here.
struct PlainRequest {
  var target: String
  var isHead: Bool
  var requestID: String?
  /// It has a field that the long way must see.
  var needsMore = false

  private static let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
  private static let mostBytes = 8192

  /// Nil for all that may be more, or less, than one such request, or is for another host.
  init?(_ bytes: UnsafeRawBufferPointer, _ acceptedHosts: AcceptedHosts? = nil) {
    guard (20...Self.mostBytes).contains(bytes.count), bytes.suffix(4).elementsEqual(Self.end) else { return nil }
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

  /// A line without its end; nil where it has other controls than tabs, or no end.
  private static func line(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    guard let end = bytes[start...].firstIndex(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }), end > start, end + 1 < bytes.count,
      bytes[end] == 0x0D, bytes[end + 1] == 0x0A
    else { return nil }
    return start..<end
  }

  /// - Returns: false for a field that may announce a body or change what a connection is.
  private mutating func read(_ name: Slice<UnsafeRawBufferPointer>, _ value: Slice<UnsafeRawBufferPointer>, _ hosts: inout Int) -> Bool {
    switch name.count {
    case 4 where Self.isNamed(name, "host"): hosts += 1
    case 5 where Self.isNamed(name, "range"), 8 where Self.isNamed(name, "if-match"),
      13 where Self.isNamed(name, "authorization") || Self.isNamed(name, "if-none-match"):
      needsMore = true
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
  /// Small pictures go out in one piece with their heads.
  private static let mostCopied = 64 << 10

  /// Puts the whole answer to a plain request into `bytes`, where it is remembered.
  func answerRemembered(_ request: PlainRequest, _ bytes: inout ByteBuffer) -> HitShortcut.Taken? {
    let start = NIODeadline.now()
    guard !request.needsMore, !isDraining, let answer = memo.answer(request.target, now: start) else { return nil }
    let body = request.isHead ? nil : answer.representation.bytes
    let isCopied = body.map { $0.readableBytes <= Self.mostCopied } ?? false
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
    return HitShortcut.Taken(body: isCopied ? nil : body)
  }
}
