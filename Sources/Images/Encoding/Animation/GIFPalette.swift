internal import COffprintCodecs
import OffprintCoreTypes

/// Colors of a GIF, and the indexes of pixels in them. Index 0 is transparent, the first color has index 1.
struct GIFColors {
  fileprivate(set) var colors = codecs_gif_colors()
  fileprivate(set) var indexes: [UInt8] = []
  /// The sum of the squared distances of pixels from their colors.
  fileprivate var errors: UInt64 = 0
  fileprivate(set) var isLocal = false

  init() {}

  init(_ list: [UInt32]) { codecs_gif_colors_fill(&colors, list, list.count, UInt32(CODECS_GIF_COLORS)) }

  /// Whether a palette has space for the colors of pixels.
  static func fit(_ pixels: [UInt32]) -> Bool {
    var colors = codecs_gif_colors()
    return codecs_gif_colors_add(&colors, pixels, pixels.count) != 0
  }

  /// The bits of an index, 1 to 8.
  var bits: Int { Self.bits(of: Int(colors.count)) }

  /// The bits of an index that is at most `last`.
  static func bits(of last: Int) -> Int {
    var bits = 1
    while 1 << bits < last + 1 { bits += 1 }
    return bits
  }

  /// The index of a color; 0 if it is missing.
  func index(of color: UInt32) -> UInt8 {
    withUnsafePointer(to: colors) { UInt8(truncatingIfNeeded: codecs_gif_colors_find($0, color) + 1) }
  }

  /// The colors in order.
  var list: [UInt32] {
    withUnsafeBytes(of: colors.colors) { Array($0.bindMemory(to: UInt32.self).prefix(Int(colors.count))) }
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
  /// - Parameter unchanged: Pixels that may be transparent. Their colors use what space the palette has.
  mutating func colors(
    for pixels: [UInt32], unchanged: [UInt32], _ rectangle: PixelRectangle, isFirst: Bool, isDithered: Bool
  ) throws(ImageError) -> [GIFColors] {
    var shared = global
    _ = codecs_gif_colors_add(&shared.colors, pixels, pixels.count)
    // The rest of the shared palette brings it closer to the colors of later frames.
    global.colors = shared.colors
    var own = GIFColors()
    if codecs_gif_colors_add(&own.colors, pixels, pixels.count) != 0 {
      codecs_gif_colors_fill(&own.colors, unchanged, unchanged.count, UInt32(1 << own.bits - 1))
      own.isLocal = true
      own.map(pixels, rectangle, dither: 0)
      return [own]
    }
    return try quantized(pixels, rectangle, isFirst: isFirst, dither: isDithered ? Self.ditherAmount : 0)
  }

  private mutating func quantized(
    _ pixels: [UInt32], _ rectangle: PixelRectangle, isFirst: Bool, dither: Int32
  ) throws(ImageError) -> [GIFColors] {
    var own = GIFColors()
    guard codecs_gif_quantize(&own.colors, pixels, pixels.count) != 0 else { throw AnimatedGIFWriter.outOfMemory }
    if isFirst { global = own }
    own.isLocal = true
    own.map(pixels, rectangle, dither: dither)
    if isFirst { return [own] }
    var shared = global
    shared.map(pixels, rectangle, dither: dither)
    let changed = UInt64(pixels.count { $0 != 0 })
    return shared.errors <= own.errors + own.errors / 2 + changed * Self.tolerance ? [own, shared] : [own]
  }
}
