import Glibc
import OffprintTypography

/// Uses any bytes as the font file of an `@font-face` rule (TrueType, OpenType, WOFF, WOFF 2): shapes text, rasterizes its glyphs,
/// and reads `COLR`.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzFonts(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let fonts = FontSet(registry: registry, webFonts: [WebFont(family: "F", data: bytes)])
  guard fonts.rejectedWebFonts.isEmpty else { return 0 }
  let context = FontContext(fonts: fonts)
  let rasterizer = GlyphRasterizer()
  for size in [Float(16), 300] {
    let font = context.font(FontDescription(families: [.named("F")], size: size))
    let run = context.shape(Array("Affi gå אب日 e\u{301} 12".utf8), font: font)
    precondition(run.width.isFinite, "widths are numbers")
    for segment in run.segments {
      let strike = rasterizer.strike(segment.face, size: size)
      for glyph in run.glyphs {
        rasterizer.withImage(strike, glyph: glyph.glyph, phase: 1) { _, _ in }
        _ = segment.face.colorPaint(glyph.glyph)
      }
    }
  }
  return 0
}

private let registry = FontRegistry(folders: ["Fonts"])
