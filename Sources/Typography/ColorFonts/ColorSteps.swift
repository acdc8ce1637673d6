/// Limits the work of reading a font's paints, for one glyph and for all glyphs of a page.
///
/// Paints are graphs with shared parts: a font of a few kilobytes can describe any number of paints, stops and deltas.
public final class ColorSteps {
  /// The cost of a paint, and of a gradient's stop, approximately proportional to time and memory.
  static let paint = 10
  static let stop = 4
  private static let ofGlyph = 200_000
  private static let ofPage = 16_000_000

  private var leftOfGlyph = ofGlyph
  private var leftOfPage = ofPage

  public init() {}

  /// Called before reading the paints of another glyph.
  func beginGlyph() { leftOfGlyph = min(Self.ofGlyph, leftOfPage) }

  /// False if the limit is exceeded.
  func spend(_ count: Int) -> Bool {
    leftOfGlyph -= count
    leftOfPage -= count
    return leftOfGlyph >= 0
  }
}
