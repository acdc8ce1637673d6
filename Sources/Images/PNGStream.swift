internal import COffprintCodecs
import OffprintCoreTypes

/// The pixel format in a PNG's header.
struct PNGForm {
  var colorType: UInt8
  var bitDepth: UInt8
  /// Not premultiplied `0xAARRGGBB`, transparent colors first; empty unless the color type is 3.
  var palette: [UInt32] = []
}

/// Compresses a whole image: chooses the pixel format and encodes its rows.
struct PNGStream {
  /// The stream, valid while this value exists and until the workspace is used again.
  struct Data {
    var base: UnsafePointer<UInt8>
    var length: Int
    var owner: HeapBytes?
  }

  let pixels: UnsafePointer<UInt32>
  let width: Int
  let height: Int
  let workspace: PNGWorkspace
  let deadline: Deadline

  init(pixels: UnsafePointer<UInt32>, width: Int, height: Int, workspace: PNGWorkspace, deadline: Deadline) {
    (self.pixels, self.width, self.height, self.workspace, self.deadline) = (pixels, width, height, workspace, deadline)
  }

  /// - Throws: `imageTooLarge` if memory cannot be allocated, `timedOut`.
  func compress(_ compression: PNGEncoder.Compression) throws(ImageError) -> (PNGForm, Data) {
    try check()
    var palette = codecs_palette()
    if codecs_palette_scan(&palette, pixels, width, height) != 0 { return try indexed(&palette, compression) }
    if let data = try colors(3, compression) { return (PNGForm(colorType: 2, bitDepth: 8), data) }
    let isGrey = codecs_pixels_are_grey(pixels, width * height) != 0
    guard let data = try colors(isGrey ? 2 : 4, compression) else { throw Self.outOfMemory }
    return (PNGForm(colorType: isGrey ? 4 : 6, bitDepth: 8), data)
  }

  private static var outOfMemory: ImageError { ImageError(.imageTooLarge, "There is not enough memory to encode the PNG.") }

  private func check() throws(ImageError) { try DecodingTask(limits: Limits(), deadline: deadline).check() }

  // MARK: Indexed colors

  private func indexed(_ palette: inout codecs_palette, _ compression: PNGEncoder.Compression) throws(ImageError) -> (PNGForm, Data) {
    let count = Int(palette.count)
    let colors = withUnsafeBytes(of: &palette.colors) { Array($0.bindMemory(to: UInt32.self).prefix(count)) }
    let (form, samples) = PNGPalette.form(of: colors)
    let stride = 1 + (width * Int(form.bitDepth) + 7) / 8
    let size = stride * height
    guard let rows = size > ZlibStream.bytesAtOnce ? HeapBytes(count: size) : workspace.bytes(size) else { throw Self.outOfMemory }
    codecs_palette_pack(&palette, samples, UInt32(form.bitDepth), pixels, width, height, rows.base)
    if form.colorType == 0, colors.count > 128, codecs_pixels_want_filters(pixels, width, height) != 0 {
      PNGFilter.apply(to: rows.base, height: height, stride: stride, bytesPerPixel: 1)
    }
    guard let data = try ZlibStream.compress(rows, count: size, level: compression.level, workspace, deadline) else {
      throw Self.outOfMemory
    }
    return (form, Data(base: data.bytes.base, length: data.length, owner: data.bytes))
  }

  // MARK: Direct colors

  /// Nil if pixels of three bytes are not opaque, or memory cannot be allocated.
  func colors(_ bytes: UInt32, _ compression: PNGEncoder.Compression) throws(ImageError) -> Data? {
    if compression == .small { return try smallest(bytes, compression.level) }
    if let parts = PNGParts(self, bytes: bytes, depth: compression.depth) {
      let data = parts.compress()
      try check()
      return data
    }
    return try workspace.withDeflater { (deflater) throws(ImageError) -> Data? in
      guard codecs_pixel_deflater_begin(deflater, width, bytes, compression.depth, nil) != 0,
        codecs_pixel_deflater_add(deflater, pixels, width, height) != 0
      else { return nil }
      try check()
      let made = codecs_pixel_deflater_finish(deflater, 1)
      guard let base = made.bytes, var joining = ZlibJoining(capacity: made.length) else { return nil }
      joining.add(base, made.length, adler: made.adler, of: (width * Int(bytes) + 1) * height)
      return joining.finish()
    } ?? nil
  }

  /// The smaller of two results: with the best filter, and unfiltered.
  private func smallest(_ bytes: UInt32, _ level: Int32) throws(ImageError) -> Data? {
    let count = (width * Int(bytes) + 1) * height
    var best: Data?
    for isFiltered: Int32 in [0, 1] {
      guard let rows = HeapBytes(count: count + 3) else { return nil }
      guard codecs_pixel_rows_pack(pixels, width, height, bytes, isFiltered, rows.base) != 0 else { return nil }
      guard let data = try ZlibStream.compress(rows, count: count, level: level, workspace, deadline) else { return nil }
      if best.map({ data.length < $0.length }) ?? true { best = Data(base: data.bytes.base, length: data.length, owner: data.bytes) }
    }
    return best
  }
}

enum PNGPalette {
  /// The smallest pixel format for these premultiplied colors, and the sample of each.
  static func form(of colors: [UInt32]) -> (PNGForm, samples: [UInt8]) {
    let plain = colors.map { PixelMath.unpremultiply($0) }
    let depthByCount: UInt8 = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
    let isGrey = plain.allSatisfy { $0 >> 24 == 255 && $0 & 255 == $0 >> 8 & 255 && $0 & 255 == $0 >> 16 & 255 }
    if isGrey {
      let greys = plain.map { UInt8($0 & 255) }
      // Gray levels representable with one, two and four bits.
      let exact: [(step: UInt8, depth: UInt8)] = [(255, 1), (85, 2), (17, 4)]
      let (step, depth) = exact.first { form in greys.allSatisfy { $0 % form.step == 0 } } ?? (1, 8)
      if depth <= depthByCount { return (PNGForm(colorType: 0, bitDepth: depth), greys.map { $0 / step }) }
    }
    let order = plain.indices.filter { plain[$0] >> 24 < 255 } + plain.indices.filter { plain[$0] >> 24 == 255 }
    var samples = [UInt8](repeating: 0, count: plain.count)
    for (new, old) in order.enumerated() { samples[old] = UInt8(new) }
    return (PNGForm(colorType: 3, bitDepth: depthByCount, palette: order.map { plain[$0] }), samples)
  }
}
