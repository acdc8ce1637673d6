internal import COffprintCodecs

/// A rectangle of whole pixels, at least one.
struct PixelRectangle: Equatable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  var width: Int { right - left }
  var height: Int { bottom - top }
  var count: Int { width * height }

  init(left: Int, top: Int, right: Int, bottom: Int) { (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom) }

  init(_ bitmap: Bitmap) { self.init(left: 0, top: 0, right: bitmap.width, bottom: bitmap.height) }

  func union(_ other: PixelRectangle) -> PixelRectangle {
    PixelRectangle(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right), bottom: max(bottom, other.bottom))
  }

  /// Enlarged on all sides, up to the sides of another rectangle.
  func expanded(by distance: Int, within outer: PixelRectangle) -> PixelRectangle {
    PixelRectangle(
      left: max(left - distance, outer.left), top: max(top - distance, outer.top), right: min(right + distance, outer.right),
      bottom: min(bottom + distance, outer.bottom))
  }

  /// Enlarged to the left and the top, to even positions.
  var even: PixelRectangle { PixelRectangle(left: left & ~1, top: top & ~1, right: right, bottom: bottom) }
}

extension Bitmap {
  /// The smallest rectangle of pixels that differ from those of another image of the same size; nil if the images are equal.
  ///
  /// - Parameter isCleared: Only counts pixels that are transparent, but not in the other image.
  func difference(from other: Bitmap, isCleared: Bool = false) -> PixelRectangle? {
    let width = width, height = height
    guard other.width == width, other.height == height else { return PixelRectangle(self) }
    return other.withUnsafePixels { old in
      withUnsafePixels { new in
        guard let a = old.baseAddress, let b = new.baseAddress else { return nil }
        var found: PixelRectangle?
        for y in 0..<height {
          let old = a + y * width, new = b + y * width
          var left: UInt32 = 0, right: UInt32 = 0
          guard codecs_row_difference(old, new, UInt32(width), isCleared ? 1 : 0, &left, &right) != 0 else { continue }
          let row = PixelRectangle(left: Int(left), top: y, right: Int(right), bottom: y + 1)
          found = found?.union(row) ?? row
        }
        return found
      }
    }
  }

  /// The pixels of a rectangle, row by row.
  func pixels(in rectangle: PixelRectangle) -> [UInt32] {
    withUnsafePixels { pixels in
      var result: [UInt32] = []
      result.reserveCapacity(rectangle.count)
      for y in rectangle.top..<rectangle.bottom {
        result += pixels[y * width + rectangle.left..<y * width + rectangle.right]
      }
      return result
    }
  }

  /// Makes a rectangle transparent.
  mutating func clear(_ rectangle: PixelRectangle) {
    let width = width
    withUnsafeMutablePixels { pixels in
      for y in rectangle.top..<rectangle.bottom {
        pixels[y * width + rectangle.left..<y * width + rectangle.right].update(repeating: 0)
      }
    }
  }
}

extension [UInt8] {
  /// Appends a number with its lowest byte first.
  mutating func append(little value: Int, bytes: Int) {
    for index in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
