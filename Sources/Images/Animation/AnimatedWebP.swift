internal import COffprintCodecs

/// The frames of an animated WebP file.
struct AnimatedWebP: AnimatedImageFile {
  private let container: WebPContainer
  private let chunks: [Range<Int>]
  let animation: ImageAnimation

  init?(_ bytes: [UInt8]) {
    guard let container = WebPContainer(bytes), container.isAnimated else { return nil }
    let chunks = container.frameChunks(maximum: ImageAnimation.maximumFrames).filter { container.animationFrame(in: $0) != nil }
    self.container = container
    self.chunks = chunks
    animation = ImageAnimation(frames: chunks.compactMap { container.animationFrame(in: $0) }, plays: container.plays)
  }

  func decode(_ index: Int, into bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    guard let frame = container.frame(in: chunks[index]) else { return nil }
    return try task.decode(frame.file, into: &bitmap, codecs_webp_decode)
  }
}
