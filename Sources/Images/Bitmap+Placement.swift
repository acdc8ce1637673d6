extension Bitmap {
  /// Replaces the pixels covered by another image, clipped to this one.
  mutating func copy(_ other: Bitmap, toX left: Int, y top: Int) {
    let size = (width: width, height: height)
    guard left >= 0, top >= 0, left < size.width, top < size.height else { return }
    withUnsafeMutablePixels { out in
      other.withUnsafePixels { source in
        for y in 0..<min(other.height, size.height - top) {
          for x in 0..<min(other.width, size.width - left) {
            out[(y + top) * size.width + x + left] = source[y * other.width + x]
          }
        }
      }
    }
  }

  /// The image transformed according to an EXIF orientation.
  func oriented(_ orientation: Int) -> Bitmap {
    guard 2...8 ~= orientation else { return self }
    let swapped = orientation >= 5
    let (outWidth, outHeight) = swapped ? (height, width) : (width, height)
    guard var result = Bitmap(width: outWidth, height: outHeight) else { return self }
    result.halvings = halvings
    let (width, height) = (width, height)
    // The source of out(x, y): source = origin + x · perColumn + y · perRow.
    let (origin, perColumn, perRow) =
      switch orientation {
      case 2: (width - 1, -1, width)
      case 3: (width * height - 1, -1, -width)
      case 4: (width * (height - 1), 1, -width)
      case 5: (0, width, 1)
      case 6: (width * (height - 1), -width, 1)
      case 7: (width * height - 1, -width, -1)
      default: (width - 1, width, -1)
      }
    withUnsafePixels { source in
      result.withUnsafeMutablePixels { out in
        for y in 0..<outHeight {
          for x in 0..<outWidth { out[y * outWidth + x] = source[origin + x * perColumn + y * perRow] }
        }
      }
    }
    return result
  }
}
