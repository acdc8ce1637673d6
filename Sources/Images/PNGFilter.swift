internal import CCodecs

/// https://www.w3.org/TR/png-3/#9Filters
///
/// One filter for the whole picture, chosen by compressing a few of its rows with each. Pages of text and flat boxes compress best
/// unfiltered; gradients and photographs do not, and no sum of differences tells them apart as well as the compressor itself.
enum PNGFilter: UInt8, CaseIterable {
  case none = 0, sub = 1, up = 2, paeth = 4

  private static let samples = 6
  private static let sampleBytes = 32 << 10

  /// Filters rows of `stride` bytes, the first of which is the filter byte, in place.
  static func apply(to bytes: UnsafeMutablePointer<UInt8>, height: Int, stride: Int, bytesPerPixel: Int) {
    let filter = choose(bytes, height: height, stride: stride, bytesPerPixel: bytesPerPixel)
    guard filter != .none else { return }
    for y in (0..<height).reversed() {  // from below: each row needs the unfiltered one above it
      let row = bytes + y * stride
      filter.write(row, above: y > 0 ? row - stride : nil, to: row, count: stride, bytesPerPixel: bytesPerPixel)
    }
  }

  private static func choose(_ bytes: UnsafeMutablePointer<UInt8>, height: Int, stride: Int, bytesPerPixel: Int) -> PNGFilter {
    let rowsEach = max(1, min(8, sampleBytes / samples / stride, (height + samples - 1) / samples))
    let capacity = codecs_zlib_bound(samples * rowsEach * stride)
    var best = (filter: PNGFilter.none, size: Int.max)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: samples * rowsEach * stride + capacity) { scratch in
      guard let rows = scratch.baseAddress else { return }
      for filter in allCases {
        var length = 0
        for sample in 0..<samples {
          let start = (height * (2 * sample + 1)) / (2 * samples)
          for y in start..<min(height, start + rowsEach) {
            let row = bytes + y * stride
            filter.write(row, above: y > 0 ? row - stride : nil, to: rows + length, count: stride, bytesPerPixel: bytesPerPixel)
            length += stride
          }
        }
        let size = codecs_zlib_compress(1, rows, length, rows + length, capacity)
        if size > 0, size < best.size { best = (filter, size) }
      }
    }
    return best.filter
  }

  /// Filters a row to `out`, which may be the row itself; so it goes from right to left.
  private func write(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>?, to out: UnsafeMutablePointer<UInt8>, count: Int, bytesPerPixel: Int
  ) {
    switch self {
    case .none:
      if out != row { out.update(from: row, count: count) }
    case .sub:
      for i in stride(from: count - 1, to: bytesPerPixel, by: -1) { out[i] = row[i] &- row[i - bytesPerPixel] }
      for i in 1...bytesPerPixel { out[i] = row[i] }
    case .up:
      guard let above else { return PNGFilter.none.write(row, above: nil, to: out, count: count, bytesPerPixel: bytesPerPixel) }
      for i in 1..<count { out[i] = row[i] &- above[i] }
    case .paeth:
      guard let above else { return PNGFilter.sub.write(row, above: nil, to: out, count: count, bytesPerPixel: bytesPerPixel) }
      for i in stride(from: count - 1, to: bytesPerPixel, by: -1) {
        out[i] = row[i] &- Self.paeth(row[i - bytesPerPixel], above[i], above[i - bytesPerPixel])
      }
      for i in 1...bytesPerPixel { out[i] = row[i] &- above[i] }
    }
    out[0] = rawValue
  }

  @inline(__always) private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let a = Int16(left), b = Int16(above), c = Int16(corner)
    let (toLeft, toAbove, toCorner) = (abs(b - c), abs(a - c), abs(a + b - c - c))
    return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
  }
}
