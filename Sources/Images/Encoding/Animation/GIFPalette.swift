internal import COffprintCodecs
import OffprintCoreTypes

/// Colors of a GIF, and the indexes of pixels in them. Index 0 is transparent, the first color has index 1.
struct GIFColors {
  fileprivate(set) var colors = codecs_gif_colors()
  fileprivate(set) var indexes: [UInt8] = []
  /// The sum of the squared distances of pixels from their colors.
  fileprivate var errors: UInt64 = 0
  fileprivate(set) var isLocal = false

  /// Whether a palette has space for the colors of pixels.
  static func fit(_ pixels: [UInt32]) -> Bool {
    var colors = codecs_gif_colors()
    return codecs_gif_colors_add(&colors, pixels, pixels.count) != 0
  }

  /// The bits of an index, 1 to 8.
  var bits: Int {
    var bits = 1
    while 1 << bits < Int(colors.count) + 1 { bits += 1 }
    return bits
  }

  /// The index of a color; 0 if it is missing.
  func index(of color: UInt32) -> UInt8 {
    withUnsafePointer(to: colors) { UInt8(truncatingIfNeeded: codecs_gif_colors_find($0, color) + 1) }
  }

  /// The color table of a file, with 2 to the power of `bits` colors.
  func table(_ bits: Int) -> [UInt8] {
    var table: [UInt8] = [0, 0, 0]
    withUnsafeBytes(of: colors.colors) {
      for color in $0.bindMemory(to: UInt32.self).prefix(Int(colors.count)) {
        table += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
      }
    }
    return table + Array(repeating: 0, count: max(0, 3 << bits) - table.count)
  }

  fileprivate mutating func map(_ pixels: [UInt32], _ rectangle: PixelRectangle, dither: Int32) {
    let colors = colors
    var errors: UInt64 = 0
    indexes = [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
      errors = withUnsafePointer(to: colors) {
        codecs_gif_map(
          $0, pixels, UInt32(rectangle.width), UInt32(rectangle.height), UInt32(rectangle.left), UInt32(rectangle.top), dither,
          buffer.baseAddress)
      }
      count = pixels.count
    }
    self.errors = errors
  }
}

/// Chooses the palette of each frame.
struct GIFPalette {
  /// The palette that frames share, without indexes.
  private(set) var global = GIFColors()
  /// How much the shared palette may be worse than one for the frame alone, per pixel.
  private static let tolerance: UInt64 = 4
  /// The maximum amount that dithering adds to a component.
  private static let ditherAmount: Int32 = 12

  /// The palettes to choose from for pixels, of which those that are 0 are transparent, with their indexes.
  mutating func colors(
    for pixels: [UInt32], _ rectangle: PixelRectangle, isFirst: Bool, isDithered: Bool
  ) throws(ImageError) -> [GIFColors] {
    var shared = global
    if codecs_gif_colors_add(&shared.colors, pixels, pixels.count) != 0 {
      global = shared
      shared.map(pixels, rectangle, dither: 0)
      var own = GIFColors()
      // Shorter indexes can be worth a table.
      guard !isFirst, codecs_gif_colors_add(&own.colors, pixels, pixels.count) != 0, own.bits < shared.bits else { return [shared] }
      own.isLocal = true
      own.map(pixels, rectangle, dither: 0)
      return [shared, own]
    }
    // The rest of the shared palette brings it closer to the colors of later frames.
    if !isFirst { global.colors = shared.colors }
    var own = GIFColors()
    let isExact = codecs_gif_colors_add(&own.colors, pixels, pixels.count) != 0
    guard isExact || codecs_gif_quantize(&own.colors, pixels, pixels.count) != 0 else { throw AnimatedGIFWriter.outOfMemory }
    let dither = isDithered && !isExact ? Self.ditherAmount : 0
    if isFirst {
      global = own
    } else {
      own.isLocal = true
      var shared = global
      shared.map(pixels, rectangle, dither: isDithered ? Self.ditherAmount : 0)
      var plain = own
      plain.map(pixels, rectangle, dither: dither)
      let changed = UInt64(pixels.count { $0 != 0 })
      return shared.errors <= plain.errors + plain.errors / 2 + changed * Self.tolerance ? [plain, shared] : [plain]
    }
    own.map(pixels, rectangle, dither: dither)
    return [own]
  }
}
