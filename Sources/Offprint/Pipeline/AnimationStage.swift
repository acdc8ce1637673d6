import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintPainting

extension RenderWorker {
  /// frames of the page → an animated file. The frames have the size and the area of the first one.
  ///
  /// - Throws: `limitExceeded` for too many frames or pixels.
  func animate(_ first: LaidOutPage, _ document: Document, _ state: inout Page) throws -> EncodedImage {
    let request = state.request, encoding = request.encoding, animation = encoding.animation ?? AnimationEncoding()
    let options = try paintOptions(first, request, state.deadline)
    let times = try frameTimes(animation, lengths(first, document, state.resources), request, options)
    var encoder = try AnimationEncoder(
      width: options.width, height: options.height, hasAlpha: options.background.map { $0.alpha < 1 } ?? true, encoding: encoding,
      scale: options.scale, workspace: workspace)
    var frames = AnimationFrames(self, first, document, options)
    if let poster = animation.poster, encoding.format == .png || encoding.format == .apng {
      try encoder.addPoster(frames.bitmap(at: poster, &state), deadline: state.deadline)
    }
    for time in times {
      try state.deadline.check()
      let bitmap = try frames.bitmap(at: time, &state)
      state.clock.begin(.encode)
      try encoder.add(bitmap, deadline: state.deadline)
    }
    state.clock.begin(.encode)
    let bytes = try encoder.finish(deadline: state.deadline)
    state.clock.end()
    return EncodedImage(bytes: bytes, width: options.width, height: options.height)
  }

  private func lengths(_ page: LaidOutPage, _ document: Document, _ resources: PageResources) -> AnimationLengths {
    var lengths = page.styled.animationLengths
    lengths.add(document.animationLengths)
    lengths.add(resources.animationLengths)
    return lengths
  }

  /// The times of the frames, from the time of the request. Without a specified duration, an animation that ends has one more frame, which
  /// shows the page after its end.
  private func frameTimes(
    _ animation: AnimationEncoding, _ lengths: AnimationLengths, _ request: RenderRequest, _ options: PaintOptions
  ) throws(OffprintError) -> [AnimationTime] {
    guard case .seconds(let start) = request.time else { return [request.time] }
    let rate = Double(animation.framesPerSecond)
    let isWhole = animation.duration == nil && lengths.endsLast
    let duration = animation.duration ?? max(0, lengths.longest - (isWhole ? start : 0))
    let count = max(1, Int((min(duration, AnimationTime.latest) * rate - 1e-6).rounded(.up)) + (isWhole ? 1 : 0))
    try Self.check(count, request.limits, options)
    // Sums of decimal fractions would differ from the times that `--at` names.
    return (0..<count).map { AnimationTime(seconds: start == 0 ? Double($0) / rate : start + Double($0) / rate) ?? .end }
  }

  private static func check(_ frames: Int, _ limits: Limits, _ options: PaintOptions) throws(OffprintError) {
    guard frames <= limits.frames else {
      throw OffprintError(
        .limitExceeded,
        "The animation would have \(frames) frames, more than the limit 'frames' (\(limits.frames)) allows. Specify a shorter duration or fewer frames per second."
      )
    }
    let (pixels, isTooMany) = frames.multipliedReportingOverflow(by: options.width * options.height)
    guard !isTooMany, pixels <= limits.animationPixels else {
      throw OffprintError(
        .limitExceeded,
        "The animation would have \(frames) frames of \(options.width) × \(options.height) px, more than the limit 'animationPixels' (\(limits.animationPixels)) allows."
      )
    }
  }
}
