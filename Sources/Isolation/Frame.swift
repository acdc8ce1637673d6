internal import OffprintCoreTypes
internal import Glibc

/// The kinds of messages between owner and worker. Each is sent in one direction only.
enum FrameKind: UInt8 {
  /// Owner to worker, once: fonts and limits.
  case configure = 1
  /// A page to render; answered by `image` or `failure`.
  case request = 2
  /// The resource requested by `load`.
  case resource = 3
  /// The page was canceled.
  case cancel = 4
  /// Worker to owner, once: it is ready, with a report of its isolation.
  case ready = 11
  /// The page was received, and rendering begins.
  case begun = 10
  /// The page reached another stage.
  case stage = 12
  /// The page requests a resource.
  case load = 13
  case image = 14
  case failure = 15
}

/// A message: encoded values (`Wire`), and bulk data that is not encoded.
struct Frame {
  var kind: FrameKind
  var values: [UInt8] = []
  var bulk: [UInt8] = []

  /// Incremented with every incompatible change of the protocol.
  static let version: UInt8 = 2
  /// `Op`, the version, the kind, the length of the values in four bytes, the length of the bulk in eight.
  static let headerBytes = 16
}

/// The maximum sizes of a frame.
struct FrameBounds {
  var values: Int
  var bulk: Int
}

enum ChannelError: Error, Hashable {
  /// The other side has closed the connection.
  case closed
  case malformed(String)
  case system(Int32)
}

/// One end of a socket pair. Every received frame is complete and within bounds, or an error; nothing is trusted.
struct FrameChannel: Sendable {
  let descriptor: Int32
  /// The interval of calls to `watch` while waiting; negative waits without calling it.
  var tickMilliseconds: Int32 = 20

  /// - Parameter watch: Called every few milliseconds while waiting; throws to give up.
  func send<Failure: Error>(_ frame: Frame, watch: () throws(Failure) -> Void, failed: (ChannelError) -> Failure) throws(Failure) {
    var head: [UInt8] = [0x4F, 0x70, Frame.version, frame.kind.rawValue]
    let counts = UInt64(UInt32(clamping: frame.values.count))
    for shift in stride(from: UInt64(0), to: 32, by: 8) { head.append(UInt8(truncatingIfNeeded: counts >> shift)) }
    for shift in stride(from: UInt64(0), to: 64, by: 8) { head.append(UInt8(truncatingIfNeeded: UInt64(frame.bulk.count) >> shift)) }
    try send(head + frame.values, watch, failed)
    if !frame.bulk.isEmpty { try send(frame.bulk, watch, failed) }
  }

  private func send<Failure: Error>(
    _ bytes: [UInt8], _ watch: () throws(Failure) -> Void, _ failed: (ChannelError) -> Failure
  ) throws(Failure) {
    var offset = 0
    var clock = TickClock()
    while offset < bytes.count {
      let sent = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if sent > 0 { offset += sent }
      if sent < 0 && errno != EAGAIN && errno != EINTR { throw failed(errno == EPIPE || errno == ECONNRESET ? .closed : .system(errno)) }
      if sent < 0 || clock.isDue { try wait(POLLOUT, sent < 0, watch) }
    }
  }

  /// - Parameter bounds: The maximum sizes of a frame of a kind; nil if the kind is not allowed at the moment.
  func receive<Failure: Error>(
    bounds: (FrameKind) -> FrameBounds?, watch: () throws(Failure) -> Void, failed: (ChannelError) -> Failure
  ) throws(Failure) -> Frame {
    let head = try receive(Frame.headerBytes, watch, failed)
    guard head.count == Frame.headerBytes, head[0] == 0x4F, head[1] == 0x70 else {
      throw failed(.malformed("the message header is invalid"))
    }
    guard head[2] == Frame.version else { throw failed(.malformed("the message has version \(head[2]), not \(Frame.version)")) }
    guard let kind = FrameKind(rawValue: head[3]), let bounds = bounds(kind) else {
      throw failed(.malformed("unexpected message of kind \(head[3])"))
    }
    func number(_ range: Range<Int>) -> UInt64 { head[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    let (values, bulk) = (number(4..<8), number(8..<16))
    guard values <= UInt64(bounds.values), bulk <= UInt64(bounds.bulk) else {
      throw failed(.malformed("a message of \(values) and \(bulk) bytes is too large"))
    }
    var frame = Frame(kind: kind)
    frame.values = try receive(Int(values), watch, failed)
    frame.bulk = try receive(Int(bulk), watch, failed)
    return frame
  }

  private func receive<Failure: Error>(
    _ count: Int, _ watch: () throws(Failure) -> Void, _ failed: (ChannelError) -> Failure
  ) throws(Failure) -> [UInt8] {
    guard count > 0 else { return [] }
    // Pages that were not written yet take no memory, so announcing a large frame without sending it costs nothing.
    var result: Result<Void, Failure> = .success(())
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(Failure) { try fill(buffer, &filled, watch, failed) } catch { result = .failure(error) }
    }
    try result.get()
    return bytes
  }

  private func fill<Failure: Error>(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, _ filled: inout Int, _ watch: () throws(Failure) -> Void,
    _ failed: (ChannelError) -> Failure
  ) throws(Failure) {
    var clock = TickClock()
    while filled < buffer.count {
      let got = recv(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, Int32(MSG_DONTWAIT))
      if got > 0 { filled += got }
      if got == 0 { throw failed(.closed) }
      if got < 0 && errno != EAGAIN && errno != EINTR { throw failed(errno == ECONNRESET ? .closed : .system(errno)) }
      if got < 0 || clock.isDue { try wait(POLLIN, got < 0, watch) }
    }
  }

  /// Waits for the descriptor while calling `watch`.
  private func wait<Failure: Error>(_ event: Int32, _ blocks: Bool, _ watch: () throws(Failure) -> Void) throws(Failure) {
    try watch()
    var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    if blocks { poll(&waiting, 1, tickMilliseconds) }
  }

  /// Whether data has arrived, or the other side has closed the connection.
  var hasNews: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) != 0
  }

  func close() { _ = Glibc.close(descriptor) }

  /// Ticks every few milliseconds, so that a worker that sends byte by byte is watched like one that sends nothing.
  private struct TickClock {
    private var next = ContinuousClock.now.advanced(by: .milliseconds(20))
    var isDue: Bool {
      mutating get {
        let now = ContinuousClock.now
        guard now >= next else { return false }
        next = now.advanced(by: .milliseconds(20))
        return true
      }
    }
  }
}
