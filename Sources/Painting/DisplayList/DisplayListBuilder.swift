public import OffprintCoreTypes
public import OffprintLayout
public import OffprintTypography

/// Builds the display list of laid out fragments, in painting order. https://drafts.csswg.org/css2/#elaborate-stacking-contexts
public enum DisplayListBuilder {
  /// - Parameters:
  ///   - size: Size of the image in device pixels.
  ///   - origin: The top left corner of the image on the page, in device pixels.
  ///   - recordsText: Whether glyph runs keep their source text, for vector documents.
  ///   - glyphs: Provides the outlines at which `text-decoration-skip-ink` interrupts lines; if nil, lines are not interrupted.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  public static func build(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, size: (width: Int, height: Int), scale: Double,
    origin: (x: Int, y: Int) = (0, 0), glyphs: GlyphRasterizer? = nil, recordsText: Bool = false, deadline: Deadline = .never
  ) throws -> DisplayList {
    let recorder = DisplayListRecorder(bounds: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    recorder.glyphs = glyphs
    recorder.recordsText = recordsText
    let context = PaintContext(
      fragments: fragments, tree: tree, images: images, scale: scale, origin: origin, glyphs: glyphs, deadline: deadline, recorder: recorder
    )
    try StackingContextPainter(context).paintPage()
    try context.checkFailure()
    var list = recorder.list
    list.missingCharacters = recorder.missing.codepoints
    return list
  }
}
