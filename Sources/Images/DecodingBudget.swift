public import OffprintCoreTypes

/// What the decoded pictures of a page may hold together, and until when they may be decoded.
///
/// A picture that would take too much is kept at a half, a quarter, … of its resolution: drawn small, as most large ones are, its pixels
/// are the same.
public struct DecodingBudget: Sendable {
  public let limits: Limits
  public let deadline: Deadline
  /// Pictures decoded before.
  public let cache: PictureCache?
  /// Bytes of pixels so far.
  public private(set) var used = 0

  public init(limits: Limits = Limits(), deadline: Deadline = .never, cache: PictureCache? = nil) {
    self.limits = limits
    self.deadline = deadline
    self.cache = cache
  }

  /// The picture, or as much of its resolution as there is room for.
  mutating func keep(_ bitmap: Bitmap) -> Bitmap {
    var result = bitmap
    let left = max(0, limits.decodedBytes - used)
    // A quarter of all is for those that come later, of which each takes a quarter of what is left.
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

  /// The picture at half its size, each pixel the mean of four; nil where there is nothing to halve, or no memory.
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
