internal import COffprintPango

/// The image of a glyph.
public struct GlyphImage: Hashable, Sendable, BitwiseCopyable {
  public enum Format: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// One byte per pixel: its coverage by the glyph.
    case coverage
    /// Four bytes per pixel: blue, green, red, alpha, premultiplied.
    case premultipliedBGRA
  }

  /// The offset from the pen's whole pixel to the image's left edge, to the right.
  public var left: Int32
  /// The offset from the baseline to the image's top edge, upward.
  public var top: Int32
  public var width: Int32
  public var height: Int32
  public var format: Format
  /// The offset of its rows in the rasterizer's memory, without padding.
  var offset: Int

  public var bytesPerRow: Int { Int(width) * (format == .coverage ? 1 : 4) }
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  static var empty: GlyphImage { GlyphImage(left: 0, top: 0, width: 0, height: 0, format: .coverage, offset: 0) }
}

/// A face at a size in device pixels, as registered with a `GlyphRasterizer`.
public struct GlyphStrike: Hashable, Sendable, BitwiseCopyable {
  var index: UInt32
}

/// Rasterizes glyphs without hinting and caches their images. Owned by one thread at a time.
///
/// Glyphs are rasterized at four horizontal subpixel positions, like in Skia.
public final class GlyphRasterizer {
  /// Above this many device pixels per em, glyphs should be drawn as outlines.
  public static let maximumSize: Float = 256

  private struct Strike {
    var instance: FaceInstance
    var size: Float
    var face: FT_Face?
    /// The scale of a bitmap strike to the requested size; 0 for outlines.
    var bitmapScale: Double
  }

  private struct StrikeKey: Hashable {
    var instance: UInt64
    var size: Float
  }

  private var library: FT_Library?
  private var faces: [UInt64: (face: FT_Face, instance: FaceInstance)] = [:]
  private var strikes: [Strike] = []
  private var strikeIndexes: [StrikeKey: UInt32] = [:]
  private var current = UInt32.max
  private var cache = GlyphCache()
  /// Since `takeWork` was last called.
  private var work = 0

  public init() {
    var library: FT_Library?
    if FT_Init_FreeType(&library) == 0 { self.library = library }
  }

  deinit {
    for entry in faces.values { FT_Done_Face(entry.face) }
    if let library { FT_Done_FreeType(library) }
  }

  private static let workOfPoint = 64
  private static let maximumStrikes = 1024
  private static let maximumFaces = 256

  /// A face at a size in device pixels. A call can invalidate earlier strikes, so request it again for each segment.
  public func strike(_ instance: FaceInstance, size: Float) -> GlyphStrike {
    let size = size > 0 ? min(size, 2 * GlyphRasterizer.maximumSize) : 0
    let key = StrikeKey(instance: instance.identifier, size: size)
    if let index = strikeIndexes[key] { return GlyphStrike(index: index) }
    if strikes.count >= GlyphRasterizer.maximumStrikes { removeAll() }
    let index = UInt32(truncatingIfNeeded: strikes.count)
    strikes.append(Strike(instance: instance, size: size, face: face(for: instance), bitmapScale: 0))
    strikeIndexes[key] = index
    return GlyphStrike(index: index)
  }

  private func removeAll() {
    strikes.removeAll()
    strikeIndexes.removeAll()
    current = .max
    cache.removeAll()
    if faces.count > GlyphRasterizer.maximumFaces {
      for entry in faces.values { FT_Done_Face(entry.face) }
      faces.removeAll()
    }
  }

  /// The whole pixel and the subpixel position, 0 to 3, of a pen position in device pixels.
  @inlinable public static func quantize(_ x: Float) -> (pixel: Int, phase: Int) {
    guard x.magnitude < 1e9 else { return (0, 0) }  // also excludes NaN
    let quarters = Int((x * 4 + 0.5).rounded(.down))
    return (quarters >> 2, quarters & 3)
  }

  /// Calls `body` with the image of a glyph and its bytes, which are valid until it returns.
  public func withImage<Result>(
    _ strike: GlyphStrike, glyph: UInt32, phase: Int, _ body: (GlyphImage, UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let glyph = MissingGlyph.drawn(glyph)
    let key = UInt64(strike.index) << 34 | UInt64(glyph) << 2 | UInt64(phase & 3)
    let image: GlyphImage
    if let known = cache.find(key) {
      image = known
    } else {
      let drawn = draw(strike, glyph: glyph, phase: phase & 3)
      work &+= drawn.bytes.count
      image = cache.insert(drawn.image, drawn.bytes, key)
    }
    return try cache.withBytes(of: image) { try body(image, $0) }
  }

  /// The approximate number of bytes processed for glyphs since the last call, because a font can use any number of points or pixels for
  /// one glyph.
  public func takeWork() -> Int {
    defer { work = 0 }
    return work
  }

  // MARK: Drawing

  private func face(for instance: FaceInstance) -> FT_Face? {
    if let cached = faces[instance.identifier] { return cached.face }
    guard let library else { return nil }
    var face: FT_Face?
    instance.face.data.withBytes { bytes in
      // The bytes remain valid, because the retained instance owns them.
      _ = FT_New_Memory_Face(library, bytes.baseAddress, FT_Long(bytes.count), FT_Long(instance.face.index), &face)
    }
    guard let face else { return nil }
    setVariations(face, instance)
    faces[instance.identifier] = (face, instance)
    return face
  }

  private func setVariations(_ face: FT_Face, _ instance: FaceInstance) {
    let axes = instance.face.info.axes
    guard !axes.isEmpty, !instance.variations.isEmpty else { return }
    var coordinates = axes.map { axis in
      let value = instance.variations.first { $0.tag == axis.tag }?.value ?? axis.defaultValue
      return FT_Fixed((Double(value) * 65536).rounded())
    }
    _ = FT_Set_Var_Design_Coordinates(face, UInt32(coordinates.count), &coordinates)
  }

  private func select(_ strike: GlyphStrike) -> Strike? {
    let index = Int(strike.index)
    guard index < strikes.count, let face = strikes[index].face, strikes[index].size > 0 else { return nil }
    if current != strike.index {
      strikes[index].bitmapScale = FreeType.setSize(face, strikes[index].size)
      current = strike.index
    }
    return strikes[index]
  }

  private func draw(_ strike: GlyphStrike, glyph: UInt32, phase: Int) -> (image: GlyphImage, bytes: [UInt8]) {
    guard let strike = select(strike), let face = strike.face else { return (.empty, []) }
    if strike.bitmapScale > 0 {
      let drawn = FreeType.bitmap(face, glyph, scale: strike.bitmapScale, phase: phase)
      work &+= drawn.work
      return (drawn.image, drawn.bytes)
    }
    let color = strike.instance.face.info.hasColor
    let flags = FT_Int32(FT_LOAD_NO_HINTING) | FT_Int32(FT_LOAD_NO_BITMAP) | (color ? FT_Int32(FT_LOAD_COLOR) : 0)
    guard FT_Load_Glyph(face, glyph, flags) == 0, let slot = face.pointee.glyph else { return (.empty, []) }
    guard slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE else { return FreeType.copy(slot) }
    work &+= Int(slot.pointee.outline.n_points) * Self.workOfPoint
    FreeType.synthesize(&slot.pointee.outline, strike.instance, emSize: FT_Pos((Double(strike.size) * 64).rounded()), size: strike.size)
    FT_Outline_Translate(&slot.pointee.outline, FT_Pos(phase * 16), 0)
    guard FreeType.isDrawable(&slot.pointee.outline) else { return (.empty, []) }
    guard FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0 else { return (.empty, []) }
    return FreeType.copy(slot)
  }

  // MARK: Font embedding

  /// FreeType's face, for libraries that embed fonts. Valid as long as this rasterizer, which must not rasterize glyphs meanwhile. Nil if
  /// the face cannot be read.
  package func fontFace(_ instance: FaceInstance) -> OpaquePointer? { face(for: instance).map { OpaquePointer($0) } }

  // MARK: Outlines

  /// The additional weight of synthetic bold glyphs, in px.
  public static func emboldening(_ size: Float) -> Double { Double(size) * FreeType.boldness(size) }

  /// The outline of a glyph in CSS px at `size`, y downward, with its origin at the pen; empty for bitmaps and blank glyphs.
  ///
  /// - Parameter isEmboldened: Whether synthetic bold is applied.
  public func outline(_ instance: FaceInstance, size: Float, glyph: UInt32, isEmboldened: Bool = true) -> GlyphOutline {
    guard let face = face(for: instance), size > 0, size.isFinite else { return GlyphOutline() }
    current = .max
    let flags = FT_Int32(FT_LOAD_NO_SCALE) | FT_Int32(FT_LOAD_NO_HINTING) | FT_Int32(FT_LOAD_NO_BITMAP)
    guard FT_Load_Glyph(face, MissingGlyph.drawn(glyph), flags) == 0, let slot = face.pointee.glyph,
      slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return GlyphOutline() }
    let units = instance.face.info.unitsPerEm
    work &+= Int(slot.pointee.outline.n_points) * Self.workOfPoint
    FreeType.synthesize(&slot.pointee.outline, instance, emSize: FT_Pos(units), size: size, isEmboldened: isEmboldened)
    return GlyphOutline(&slot.pointee.outline, scale: size / Float(units))
  }
}

/// Images of glyphs by strike, glyph and position, in a hash table over one block of bytes. It is cleared when full.
private struct GlyphCache {
  private var slots: [Int32] = Array(repeating: -1, count: 4096)
  private var keys: [UInt64] = []
  private var images: [GlyphImage] = []
  private var pool: [UInt8] = []

  private static let maximumImages = 65_536
  private static let maximumPool = 32 << 20

  mutating func removeAll() { self = GlyphCache() }

  private static func slot(_ key: UInt64, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 32) & mask
  }

  func find(_ key: UInt64) -> GlyphImage? {
    let mask = slots.count - 1
    var slot = GlyphCache.slot(key, mask)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if keys[index] == key { return images[index] }
      slot = (slot + 1) & mask
    }
    return nil
  }

  mutating func insert(_ image: GlyphImage, _ bytes: [UInt8], _ key: UInt64) -> GlyphImage {
    if images.count >= GlyphCache.maximumImages || pool.count + bytes.count > GlyphCache.maximumPool { removeAll() }
    var image = image
    image.offset = pool.count
    pool.append(contentsOf: bytes)
    keys.append(key)
    images.append(image)
    if images.count * 2 > slots.count {
      slots = Array(repeating: -1, count: slots.count * 2)
      for index in keys.indices { place(index) }
    } else {
      place(images.count - 1)
    }
    return image
  }

  private mutating func place(_ index: Int) {
    let mask = slots.count - 1
    var slot = GlyphCache.slot(keys[index], mask)
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = Int32(truncatingIfNeeded: index)
  }

  func withBytes<Result>(of image: GlyphImage, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    let length = image.bytesPerRow * Int(image.height)
    return try pool.withUnsafeBufferPointer { pool in
      guard length > 0, image.offset + length <= pool.count else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
      return try body(UnsafeBufferPointer(rebasing: pool[image.offset..<image.offset + length]))
    }
  }
}
