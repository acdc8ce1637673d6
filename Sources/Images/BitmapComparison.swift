/// The difference of two images, pixel by pixel, in premultiplied components.
public struct BitmapComparison: Hashable, Sendable {
  /// Whether the sizes are equal; if not, every pixel counts as different.
  public var sameSize: Bool
  public var differingPixels: Int
  /// The largest difference of a component, 0 to 255.
  public var maximumDifference: Int
  /// The mean difference of all components, 0 to 255.
  public var meanDifference: Double

  public var isIdentical: Bool { sameSize && differingPixels == 0 }

  public init(_ a: Bitmap, _ b: Bitmap) {
    guard a.width == b.width, a.height == b.height else {
      (sameSize, differingPixels, maximumDifference, meanDifference) = (false, max(a.width * a.height, b.width * b.height), 255, 255)
      return
    }
    var differing = 0, maximum = 0, total = 0
    a.withUnsafePixels { x in
      b.withUnsafePixels { y in
        for i in x.indices where x[i] != y[i] {
          differing += 1
          for shift: UInt32 in [0, 8, 16, 24] {
            let difference = abs(Int(x[i] >> shift & 255) - Int(y[i] >> shift & 255))
            maximum = max(maximum, difference)
            total += difference
          }
        }
      }
    }
    (sameSize, differingPixels, maximumDifference) = (true, differing, maximum)
    meanDifference = a.isEmpty ? 0 : Double(total) / Double(a.width * a.height * 4)
  }
}
