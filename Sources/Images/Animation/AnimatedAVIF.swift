internal import COffprintCodecs
internal import OffprintCoreTypes

/// The frames of an AVIF image sequence. libavif 0.11 does not read how often it repeats: it repeats forever, which is also the default of
/// later versions.
struct AnimatedAVIF: AnimatedImageFile {
  private let bytes: [UInt8]
  let animation: ImageAnimation

  init?(_ bytes: [UInt8]) {
    guard AVIFContainer.isSequence(ByteReader(bytes: bytes)), let container = AVIFContainer(bytes),
      let width = UInt32(exactly: container.width), let height = UInt32(exactly: container.height)
    else { return nil }
    self.bytes = bytes
    let durations = [Double](unsafeUninitializedCapacity: ImageAnimation.maximumFrames) { buffer, count in
      count = codecs_avif_durations(bytes, bytes.count, width, height, buffer.baseAddress, ImageAnimation.maximumFrames)
    }
    animation = ImageAnimation(
      frames: durations.map {
        ImageAnimation.Frame(x: 0, y: 0, width: container.width, height: container.height, duration: $0.isFinite ? max($0, 0) : 0)
      }, plays: nil)
  }

  func decode(_ index: Int, into bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    let frame = UInt32(clamping: index)
    return try task.decode(bytes, into: &bitmap) { data, size, pixels, width, height, stop, _ in
      codecs_avif_decode_frame(data, size, frame, pixels, width, height, stop)
    }
  }
}
