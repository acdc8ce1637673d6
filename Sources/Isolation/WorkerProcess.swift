internal import COffprintIsolation
internal import OffprintCoreTypes
internal import Glibc
internal import Offprint

/// A worker from its owner's point of view: a process and the channel to it. Must be used by one thread at a time.
final class WorkerProcess: @unchecked Sendable {
  let process: ChildProcess
  let channel: FrameChannel
  private(set) var greeting: Handshake?
  /// The number of pages it has rendered.
  var renders = 0

  private init(_ process: ChildProcess, _ channel: FrameChannel) { self.process = process; self.channel = channel }

  deinit { channel.close() }

  // MARK: Start

  /// Starts the process and sends its configuration; it is not ready yet.
  static func start(_ isolation: IsolationConfiguration, _ configuration: Configuration) throws(StartFailure) -> WorkerProcess {
    var ends: (Int32, Int32) = (-1, -1)
    let status = withUnsafeMutableBytes(of: &ends) { cisolation_socket_pair($0.assumingMemoryBound(to: Int32.self).baseAddress) }
    guard status == 0 else { throw StartFailure("its socket cannot be created: \(errorText(-status))") }
    let (own, other) = (ends.0, ChildProcess.raised(ends.1))
    defer { if other >= 0 { close(other) } }
    var isHeld = false
    do throws(StartFailure) {
      guard other >= 0 else { throw StartFailure("its descriptor cannot be created: \(errorText(-other))") }
      let process = try ChildProcess.start(isolation.program, isolation.arguments, channel: other)
      if isolation.niceness > 0 { process.step(back: isolation.niceness) }
      let worker = WorkerProcess(process, FrameChannel(descriptor: own))
      isHeld = true
      try worker.channel.send(configuration.frame, watch: Self.never, failed: worker.startFailure)
      return worker
    } catch {
      if !isHeld { close(own) }
      throw error
    }
  }

  private static func never() throws(StartFailure) {}

  /// Waits until it is ready.
  func awaitReadiness(_ isolation: IsolationConfiguration, while isWanted: () -> Bool) throws(StartFailure) {
    let deadline = Deadline(after: .seconds(isolation.startSeconds))
    let frame = try channel.receive(
      bounds: { $0 == .ready || $0 == .failure ? FrameBounds(values: 1 << 16, bulk: 0) : nil },
      watch: { () throws(StartFailure) in
        if !isWanted() { throw StartFailure("it is no longer needed") }
        if deadline.hasPassed { throw StartFailure("it was not ready after \(isolation.startSeconds) s") }
      }, failed: startFailure)
    do throws(WireError) {
      if frame.kind == .failure { throw WireError(try OffprintError(frame).message) }
      let greeting = try Handshake(frame)
      guard greeting.library == PageDrawer.version else {
        throw WireError("it has version \(greeting.library.prefix(20)), not \(PageDrawer.version)")
      }
      let missing = greeting.report.missing.filter { !isolation.dispensableLayers.contains($0.layer) }
      guard missing.isEmpty else {
        let names = missing.map { "\($0.layer.rawValue) (\($0.detail))" }.joined(separator: ", ")
        throw WireError("its sandbox lacks \(names); \(OptionName.allowMissingLayer.text) allows that")
      }
      if let fault = ThreadAudit.fault(process: process.id, greeting.report) { throw WireError(fault) }
      self.greeting = greeting
    } catch {
      throw StartFailure(error.reason)
    }
  }

  private func startFailure(_ error: ChannelError) -> StartFailure {
    switch error {
    case .closed:
      let ending = process.end()
      let words = process.lastWords
      let how = ending.signal == 0 ? "it ended with exit code \(ending.status)" : "it was ended by signal \(ending.signal)"
      return StartFailure(words.isEmpty ? how : "\(how) with the message: \(words)")
    case .malformed(let reason): return StartFailure("it sent an invalid message: \(reason)")
    case .system(let code): return StartFailure("it cannot be reached: \(errorText(code))")
    }
  }

  // MARK: State

  /// Whether it can be given a page: an idle worker sends nothing, so data means that it failed.
  var isFit: Bool { !channel.hasNews }
}
