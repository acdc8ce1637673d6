/// All images of a GIF.
///
/// https://www.w3.org/Graphics/GIF/spec-gif89a.txt
struct AnimatedGIF: AnimatedImageFile {
  private let images: [GIFDecoder]
  let animation: ImageAnimation

  init?(_ bytes: [UInt8]) {
    guard let first = GIFDecoder(bytes) else { return nil }
    var images = [first]
    while images.count < ImageAnimation.maximumFrames, let next = images[images.count - 1].next() { images.append(next) }
    self.images = images
    animation = ImageAnimation(frames: images.map(\.animationFrame), plays: first.plays)
  }

  func decode(_ index: Int, into bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    try images[index].atOrigin.decode(into: &bitmap, task)
  }
}
