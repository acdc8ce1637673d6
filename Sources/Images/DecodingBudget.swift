public import OffprintCoreTypes

/// The memory limit of all decoded images of a page, and the deadline for decoding.
///
/// An image that would exceed the limit is stored at a half, a quarter, … of its resolution. Most large images are painted small, in which
/// case the result is the same.
public struct DecodingBudget: Sendable {
  public let limits: Limits
  public let deadline: Deadline
  /// The cache of decoded images.
  public let cache: DecodedImageCache?
  /// The time to which animated images are advanced.
  public let time: AnimationTime
  /// Bytes of pixels so far.
  public private(set) var used = 0

  public init(limits: Limits = Limits(), deadline: Deadline = .never, cache: DecodedImageCache? = nil, time: AnimationTime = .start) {
    self.limits = limits
    self.deadline = deadline
    self.cache = cache
    self.time = time
  }

  /// The image, at a reduced resolution if necessary.
  mutating func keep(_ bitmap: Bitmap) -> Bitmap {
    var result = bitmap
    let left = max(0, limits.decodedBytes - used)
    // A quarter of the limit is reserved for later images, each of which may use a quarter of the rest.
    if result.byteCount > left - limits.decodedBytes / 4 {
      while result.byteCount > left / 4, let half = result.halved() { result = half }
    }
    used += result.byteCount
    return result
  }
}

extension Bitmap {
  /// Bytes of pixels.
  var byteCount: Int { stride * height }

  /// The image at half its size, each pixel the mean of four; nil if it cannot be halved, or memory cannot be allocated.
  package func halved() -> Bitmap? {
    guard !isEmpty, width > 1 || height > 1 else { return nil }
    let width = max(1, width / 2), height = max(1, height / 2)
    guard var result = Bitmap(width: width, height: height) else { return nil }
    result.halvings = halvings + 1
    withUnsafePixels { pixels in
      result.withUnsafeMutablePixels { out in
        for y in 0..<height {
          let a = y * 2 * self.width, b = min(y * 2 + 1, self.height - 1) * self.width
          for x in 0..<width {
            let l = x * 2, r = min(x * 2 + 1, self.width - 1)
            let (p, q, s, t) = (pixels[a + l], pixels[a + r], pixels[b + l], pixels[b + r])
            let rb = ((p & 0xff00ff) + (q & 0xff00ff) + (s & 0xff00ff) + (t & 0xff00ff) + 0x20002) >> 2 & 0xff00ff
            let ag =
              ((p >> 8 & 0xff00ff) + (q >> 8 & 0xff00ff) + (s >> 8 & 0xff00ff) + (t >> 8 & 0xff00ff) + 0x20002) >> 2 & 0xff00ff
            out[y * width + x] = rb | ag << 8
          }
        }
      }
    }
    return result
  }
}
