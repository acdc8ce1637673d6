internal import COffprintCairo
import OffprintCoreTypes
import OffprintTypography

/// The fonts of a document: cairo font faces to embed, and glyph outlines.
final class VectorFonts {
  /// Outlines of text that is not embedded. These use separate FreeType faces, since cairo changes the size and transform of its faces.
  let glyphs = GlyphRasterizer()
  private let embeddedGlyphs = GlyphRasterizer()
  private var faces: [UInt64: OpaquePointer] = [:]
  private var instances: [FaceInstance] = []
  private var measured: Set<GlyphKey> = []

  private struct GlyphKey: Hashable {
    var face: UInt64
    var glyph: UInt32
  }

  /// The number of outline points that cairo embeds on the first use of a glyph from a web font, which is unlimited; nil for later uses and
  /// system fonts.
  func pointsToEmbed(_ face: FaceInstance, _ glyph: UInt32) -> Int? {
    guard face.face.path.isEmpty, measured.insert(GlyphKey(face: face.identifier, glyph: glyph)).inserted else { return nil }
    return 2 * glyphs.outline(face, size: 16, glyph: glyph).commands.count
  }

  private static let noHinting: Int32 = 1 << 1 | 1 << 3  // FT_LOAD_NO_HINTING, FT_LOAD_NO_BITMAP

  /// Whether there are so many faces that a new instance should be used.
  var isFull: Bool { faces.count > 64 }

  deinit { for face in faces.values { cairo_font_face_destroy(face) } }

  /// The cairo face; nil if the font cannot be read.
  func face(_ instance: FaceInstance) -> OpaquePointer? {
    if let cached = faces[instance.identifier] { return cached }
    guard let pointer = embeddedGlyphs.fontFace(instance),
      let face = font_face_create_for_freetype(UnsafeMutableRawPointer(pointer), Self.noHinting),
      cairo_font_face_status(face) == CAIRO_STATUS_SUCCESS
    else { return nil }
    // Cairo caches unused faces; the FreeType faces have to live as long.
    let owner = Unmanaged.passRetained(embeddedGlyphs)
    let status = cairo_font_face_set_user_data(face, Self.key, owner.toOpaque()) { pointer in
      if let pointer { Unmanaged<GlyphRasterizer>.fromOpaque(pointer).release() }
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      owner.release()
      cairo_font_face_destroy(face)
      return nil
    }
    faces[instance.identifier] = face
    instances.append(instance)
    return face
  }

  // A unique address; never read or written.
  nonisolated(unsafe) private static let key = UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1)
}

extension VectorCanvas {
  /// Draws text. In a PDF it is selectable if its source text is known. In an SVG each glyph's outline is stored once. Otherwise the
  /// outlines are drawn as paths.
  func draw(_ run: GlyphRun) throws {
    guard run.size > 0, run.size.isFinite, transform.isFinite, transform.inverted != nil else { return }
    guard run.text != nil || format == .svg, run.strokeWidth <= 0, let face = fonts.face(run.face), try show(run, face) else {
      return try drawOutlines(run)
    }
    // The font has no bold weight to embed, so emboldened outlines are drawn over the text.
    if run.face.isSyntheticBold { try drawOutlines(run) }
  }

  private func place(_ run: GlyphRun) -> AffineTransform {
    run.isSideways ? AffineTransform(a: 0, b: 1, c: -1, d: 0, e: run.origin.x, f: run.origin.y) : .translation(run.origin.x, run.origin.y)
  }

  private func drawOutlines(_ run: GlyphRun) throws {
    var path = VectorPath()
    for glyph in run.glyphs {
      let outline = fonts.glyphs.outline(run.face, size: run.size, glyph: glyph.id, isEmboldened: run.strokeWidth <= 0)
      path.append(outline, at: DisplayPoint(Double(glyph.x), Double(glyph.y)), place(run))
      try meter.spend(fonts.glyphs.takeWork())
      try meter.permit(documentPoints: path.elements.count)
    }
    guard !path.elements.isEmpty else { return }
    if run.strokeWidth > 0 { stroke(path, run.pen, run.color) } else { fill(run.color) { $0 = path } }
  }

  private static let largestSize = 65_000.0

  private func show(_ run: GlyphRun, _ face: OpaquePointer) throws -> Bool {
    let matrix = transform.concatenating(place(run))
    guard matrix.isFinite, abs(matrix.determinant) * Double(run.size) * Double(run.size) > 1e-6 else { return false }
    // At sizes beyond FreeType's range cairo reports an error for the whole document.
    guard matrix.scales.largest * Double(run.size) < Self.largestSize else { return false }
    let positions = run.glyphs.map { glyph in
      cairo_glyph_t(index: UInt(MissingGlyph.drawn(glyph.id)), x: Double(glyph.x), y: Double(glyph.y))
    }
    if let text = run.text, text.clusters.reduce(0, { $0 + $1.glyphs }) != positions.count { return false }
    try measureFont(run)
    cairo_save(context)
    defer { cairo_restore(context) }
    set(matrix)
    cairo_set_font_face(context, face)
    let size = Double(run.size)
    var font = cairo_matrix_t(xx: size, yx: 0, xy: run.face.isSyntheticOblique ? -0.25 * size : 0, yy: size, x0: 0, y0: 0)
    cairo_set_font_matrix(context, &font)
    setOptions(run.face)
    setSource(run.color)
    noteText(glyphs: positions.count)
    if let text = run.text { show(positions, text) } else { cairo_show_glyphs(context, positions, Int32(clamping: positions.count)) }
    return true
  }

  /// Accounts for glyphs that cairo loads on first use and writes at the end.
  private func measureFont(_ run: GlyphRun) throws {
    for glyph in run.glyphs {
      guard let points = fonts.pointsToEmbed(run.face, MissingGlyph.drawn(glyph.id)) else { continue }
      noteText(glyphs: points)
      try meter.spend(fonts.glyphs.takeWork())
      try permitWriting()
    }
  }

  private func show(_ positions: [cairo_glyph_t], _ text: GlyphText) {
    let clusters = text.clusters.map { cairo_text_cluster_t(num_bytes: Int32(clamping: $0.bytes), num_glyphs: Int32(clamping: $0.glyphs)) }
    text.bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        cairo_show_text_glyphs(
          context, bytes.baseAddress, Int32(clamping: bytes.count), positions, Int32(clamping: positions.count), clusters,
          Int32(clamping: clusters.count), text.isBackward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : cairo_text_cluster_flags_t(0))
      }
    }
  }

  private func setOptions(_ instance: FaceInstance) {
    guard let options = cairo_font_options_create() else { return }
    defer { cairo_font_options_destroy(options) }
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    if !instance.variations.isEmpty {
      // Cairo sets the variation axes itself; unnamed axes get their defaults.
      let list = instance.variations.map { "\($0.tag)=\($0.value)" }.joined(separator: ",")
      cairo_font_options_set_variations(options, list)
    }
    cairo_set_font_options(context, options)
  }
}
