internal import COffprintCodecs

/// https://www.w3.org/TR/png-3/#9Filters
///
/// Uses one filter for the whole image, chosen by compressing some of its rows with each filter. Pages of text and flat boxes compress best
/// unfiltered, gradients and photographs do not, and the usual heuristic of the sum of differences distinguishes them less reliably than
/// the compressor itself.
enum PNGFilter: UInt8, CaseIterable {
  case none = 0, sub = 1, up = 2, paeth = 4

  private static let samples = 6
  private static let sampleBytes = 32 << 10

  /// Filters rows of `stride` bytes in place; the first byte of each row is the filter type.
  static func apply(to bytes: UnsafeMutablePointer<UInt8>, height: Int, stride: Int, bytesPerPixel: Int) {
    let filter = choose(bytes, height: height, stride: stride, bytesPerPixel: bytesPerPixel)
    guard filter != .none else { return }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stride) { scratch in
      guard let copy = scratch.baseAddress else { return }
      for y in (0..<height).reversed() {  // from bottom to top, because each row needs the unfiltered row above it
        let row = bytes + y * stride
        copy.update(from: row, count: stride)
        filter.write(copy, above: y > 0 ? row - stride : nil, to: row, count: stride, bytesPerPixel: bytesPerPixel)
      }
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

  /// Filters a row to `out`, which must be distinct from the row, so that the compiler can vectorize the loops.
  private func write(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>?, to out: UnsafeMutablePointer<UInt8>, count: Int, bytesPerPixel: Int
  ) {
    switch (self, above) {
    case (.none, _), (.up, nil):
      out.update(from: row, count: count)
    case (.sub, _), (.paeth, nil):
      for i in 1...bytesPerPixel { out[i] = row[i] }
      for i in bytesPerPixel + 1..<count { out[i] = row[i] &- row[i - bytesPerPixel] }
    case (.up, let above?):
      for i in 1..<count { out[i] = row[i] &- above[i] }
    case (.paeth, let above?):
      for i in 1...bytesPerPixel { out[i] = row[i] &- above[i] }
      let first = bytesPerPixel + 1
      codecs_filter_paeth(row + first, above + first, out + first, count - first, bytesPerPixel)
    }
    out[0] = rawValue
  }
}
