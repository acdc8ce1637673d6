internal import OffprintCoreTypes
internal import Glibc
internal import Offprint
internal import OffprintResources

/// The state shared by a worker's two threads: the main thread reads messages of the owner, the other renders and responds.
final class WorkerMailbox: ResourceFetching {
  private struct State {
    var page: PageMessage?
    /// The cancellation of the current page.
    var cancellation = CancellationFlag()
    /// The response to the last resource request.
    var resource: Frame?
  }

  private let channel: FrameChannel
  private let state = Monitor(State())

  init(_ channel: FrameChannel) { self.channel = channel }

  // MARK: Main thread

  /// The owner is trusted, but it could be a program of another version.
  func bounds(_ kind: FrameKind) -> FrameBounds? {
    switch kind {
    case .request, .resource: FrameBounds(values: Int(UInt32.max), bulk: 1 << 40)
    case .cancel: FrameBounds(values: 0, bulk: 0)
    default: nil
    }
  }

  func take(_ frame: Frame) throws(ChannelError) {
    switch frame.kind {
    case .request:
      do throws(WireError) {
        let page = try PageMessage(frame)
        state.with { state in
          state.cancellation = CancellationFlag()
          state.page = page
        }
      } catch {
        throw .malformed(error.reason)
      }
    case .cancel: state.with { $0.cancellation.cancel() }
    case .resource: state.with { $0.resource = frame }
    default: throw .malformed("unexpected message")
    }
  }

  // MARK: Rendering thread

  /// Waits for the next page.
  func next() -> (PageMessage, CancellationFlag)? {
    state.wait { state in
      guard let page = state.page else { return nil }
      state.page = nil
      return (page, state.cancellation)
    }
  }

  /// Sends a frame to the owner. Ends the process if there is no owner.
  func answer(_ frame: Frame) { do { try IsolatedWorker.send(frame, channel) } catch { _exit(0) } }

  func fetch(_ url: ResourceURL) throws(ResourceError) -> LoadedResource {
    answer(ResourceMessage.question(url.description))
    let frame = state.wait { state -> Frame? in
      defer { state.resource = nil }
      return state.resource
    }
    guard let frame, let result = try? ResourceMessage.read(frame, url) else {
      throw ResourceError(.resourceUnreadable, url: url.description, "The resource from the main process cannot be read.")
    }
    return try result.get()
  }
}

/// The rendering thread.
struct RenderingThread {
  private let desk: WorkerMailbox
  private let fonts: DrawerFonts
  private let drawer: PageDrawer
  private let beforeDrawing: @Sendable (RenderRequest) throws(OffprintError) -> Void

  init(_ desk: WorkerMailbox, _ fonts: DrawerFonts, _ beforeDrawing: @escaping @Sendable (RenderRequest) throws(OffprintError) -> Void) {
    self.desk = desk; self.fonts = fonts; self.beforeDrawing = beforeDrawing
    drawer = PageDrawer(fonts, fetcher: desk)
  }

  /// Reports readiness after rendering a page with text, which verifies that rendering works in the sandbox and warms up caches.
  func run(_ greeting: Handshake) {
    do throws(OffprintError) {
      _ = try drawer.draw(RenderRequest(html: "<p>Aa <b>1</b>"), deadline: .never, progress: nil)
      desk.answer(greeting.frame)
    } catch {
      desk.answer(OffprintError(.workerUnavailable, "it cannot render: \(error.message)").frame)
    }
    while let (page, cancellation) = desk.next() { desk.answer(draw(page, cancellation)) }
  }

  private func draw(_ page: PageMessage, _ cancellation: CancellationFlag) -> Frame {
    let deadline = Deadline(after: .seconds(min(max(page.seconds, 0), 1e6)), cancellation: cancellation)
    let desk = desk
    let tell: RenderProgress = { stage in desk.answer(Frame(kind: .stage, values: Array(stage.rawValue.utf8))) }
    desk.answer(Frame(kind: .begun))
    do throws(OffprintError) {
      try beforeDrawing(page.request)
      return try drawer.draw(page.request, deadline: deadline, progress: page.tellsStages ? tell : nil).frame
    } catch {
      return error.frame
    }
  }
}
