internal import OffprintCoreTypes
internal import Glibc
package import Offprint
internal import OffprintResources

/// The worker side: a process that renders pages for the `IsolatedRenderer` that started it.
public enum IsolatedWorker {
  /// The descriptor that `IsolatedRenderer` passes the channel as.
  private static let channelDescriptor: Int32 = 3

  /// Renders pages until the owner disconnects. Call it first in the program that `IsolationConfiguration` names, before any thread is
  /// started.
  ///
  /// - Returns: The exit code; `usage` if this process was not started as a worker.
  public static func run() -> Int32 { run { _ throws(OffprintError) in } }

  /// - Parameter beforeDrawing: For tests that misbehave deliberately.
  package static func run(beforeDrawing: @escaping @Sendable (RenderRequest) throws(OffprintError) -> Void) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // Output beyond the file size limit is lost, but must not end the process.
    signal(SIGXFSZ, SIG_IGN)
    var status = stat()
    guard fstat(channelDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      return OffprintError.Code.usage.exitCode
    }
    let channel = FrameChannel(descriptor: channelDescriptor, tickMilliseconds: -1)
    do throws(ChannelError) {
      let frame = try receive(channel) { $0 == .configure ? FrameBounds(values: 1 << 24, bulk: 0) : nil }
      return try serve(channel, frame, beforeDrawing)
    } catch {
      return error == .closed ? 0 : OffprintError.Code.renderFailed.exitCode
    }
  }

  private static func serve(
    _ channel: FrameChannel, _ frame: Frame, _ beforeDrawing: @escaping @Sendable (RenderRequest) throws(OffprintError) -> Void
  ) throws(ChannelError) -> Int32 {
    guard let configuration = try? Configuration(frame) else { throw .malformed("the configuration is missing") }
    let sandbox: Sandbox, fonts: DrawerFonts
    do throws(OffprintError) {
      (sandbox, fonts) = try confine(configuration)
    } catch {
      try send(error.frame, channel)
      return error.code.exitCode
    }
    let greeting = Handshake(library: PageDrawer.version, fontsDigest: fonts.digest, report: sandbox.report)
    let desk = WorkerMailbox(channel)
    guard SystemThread.start(stackBytes: 512 << 20, { RenderingThread(desk, fonts, beforeDrawing).run(greeting) }) != nil else {
      try send(OffprintError(.workerUnavailable, "no thread can be started").frame, channel)
      return OffprintError.Code.renderFailed.exitCode
    }
    while true { try desk.take(try receive(channel) { desk.bounds($0) }) }
  }

  /// - Throws: `workerUnavailable`.
  private static func confine(_ configuration: Configuration) throws(OffprintError) -> (Sandbox, DrawerFonts) {
    // Libraries are loaded now, because the sandbox prevents mapping executable memory.
    if let missing = LoadedLibraries.load() { throw OffprintError(.workerUnavailable, "\(missing).") }
    var sandbox = try Sandbox()
    sandbox.limit(configuration)
    let fonts = DrawerFonts(
      folders: configuration.fontFolders, usesSystemFonts: configuration.usesSystemFonts, cacheFolder: configuration.cacheFolder)
    try sandbox.enter(readable: fonts.files)
    return (sandbox, fonts)
  }

  static func receive(_ channel: FrameChannel, _ bounds: (FrameKind) -> FrameBounds?) throws(ChannelError) -> Frame {
    try channel.receive(bounds: bounds, watch: { () throws(ChannelError) in }, failed: { $0 })
  }

  static func send(_ frame: Frame, _ channel: FrameChannel) throws(ChannelError) {
    try channel.send(frame, watch: { () throws(ChannelError) in }, failed: { $0 })
  }
}
