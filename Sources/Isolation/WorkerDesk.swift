internal import OffprintCoreTypes
internal import Glibc
internal import Offprint
internal import OffprintResources

/// What a worker's two threads share: the main thread reads what the owner says, the other draws and answers.
final class WorkerDesk: ResourceFetching {
  private struct State {
    var page: PageMessage?
    /// Of the page that is drawn.
    var cancellation = CancellationFlag()
    /// The answer to what was asked last.
    var resource: Frame?
  }

  private let channel: FrameChannel
  private let state = Monitor(State())

  init(_ channel: FrameChannel) { self.channel = channel }

  // MARK: The main thread

  /// The owner is trusted; but a program of another version may be none.
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
    default: throw .malformed("it is not expected")
    }
  }

  // MARK: The drawing thread

  /// The next page, when there is one.
  func next() -> (PageMessage, CancellationFlag)? {
    state.wait { state in
      guard let page = state.page else { return nil }
      state.page = nil
      return (page, state.cancellation)
    }
  }

  /// Without an owner, there is nothing to go on for.
  func answer(_ frame: Frame) { do { try IsolatedWorker.send(frame, channel) } catch { _exit(0) } }

  func fetch(_ url: ResourceURL) throws(ResourceError) -> LoadedResource {
    answer(ResourceMessage.question(url.description))
    let frame = state.wait { state -> Frame? in
      defer { state.resource = nil }
      return state.resource
    }
    guard let frame, let result = try? ResourceMessage.read(frame, url) else {
      throw ResourceError(.resourceUnreadable, url: url.description, "What the owner gave cannot be read.")
    }
    return try result.get()
  }
}

/// The thread that draws.
struct DrawingThread {
  private let desk: WorkerDesk
  private let fonts: DrawerFonts
  private let drawer: PageDrawer
  private let beforeDrawing: @Sendable (RenderRequest) throws(OffprintError) -> Void

  init(_ desk: WorkerDesk, _ fonts: DrawerFonts, _ beforeDrawing: @escaping @Sendable (RenderRequest) throws(OffprintError) -> Void) {
    self.desk = desk; self.fonts = fonts; self.beforeDrawing = beforeDrawing
    drawer = PageDrawer(fonts, fetcher: desk)
  }

  /// Says that it is ready once a page of text was drawn: all that rendering needs is then known to work in here, and is warm.
  func run(_ greeting: Greeting) {
    do throws(OffprintError) {
      _ = try drawer.draw(RenderRequest(html: "<p>Aa <b>1</b>"), deadline: .never, progress: nil)
      desk.answer(greeting.frame)
    } catch {
      desk.answer(OffprintError(.workerUnavailable, "it cannot draw: \(error.message)").frame)
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
