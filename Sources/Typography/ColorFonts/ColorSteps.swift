/// What reading the paints of a font may take, for one glyph and for all glyphs of a page.
///
/// Paints are graphs that share parts: a few kilobytes of a font can stand for any number of paints, stops and deltas.
public final class ColorSteps {
  /// Steps of a paint, and of a stop of a gradient: nearly the time and the memory that they take.
  static let paint = 10
  static let stop = 4
  private static let ofGlyph = 200_000
  private static let ofPage = 16_000_000

  private var leftOfGlyph = ofGlyph
  private var leftOfPage = ofPage

  public init() {}

  /// Called before the paints of another glyph are read.
  func beginGlyph() { leftOfGlyph = min(Self.ofGlyph, leftOfPage) }

  /// False where it is too much.
  func spend(_ count: Int) -> Bool {
    leftOfGlyph -= count
    leftOfPage -= count
    return leftOfGlyph >= 0
  }
}
