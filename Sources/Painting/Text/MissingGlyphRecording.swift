import OffprintCoreTypes
import OffprintTypography

/// Characters of a page that are missing from all fonts, each once, in painting order.
final class MissingCharacterLog {
  private(set) var codepoints: [UInt32] = []
  private var seen: Set<UInt32> = []
  /// The number of boxes labeled with their code points so far. Beyond `maximumLabels`, boxes are left empty.
  fileprivate var labelled = 0
  fileprivate static let maximumLabels = 2_000
  private static let capacity = 4_096

  /// Records the character that a glyph replaces, if it is a box for a missing glyph.
  func note(glyph: UInt32) { if let codepoint = MissingGlyph.codepoint(of: glyph) { note(codepoint) } }

  fileprivate func note(_ codepoint: UInt32) {
    guard codepoints.count < Self.capacity, seen.insert(codepoint).inserted else { return }
    codepoints.append(codepoint)
  }
}

extension DisplayListRecorder {
  /// Records the missing characters of a run and labels their boxes with the code points.
  func noteMissing(_ run: GlyphRun) {
    for glyph in run.glyphs {
      guard let codepoint = MissingGlyph.codepoint(of: glyph.id) else { continue }
      missing.note(codepoint)
      guard !run.isSideways, run.strokeWidth <= 0, missing.labelled < MissingCharacterLog.maximumLabels else { continue }
      missing.labelled += 1
      guard let glyphs, let box = CodePointLabel.box(of: run, glyphs) else { continue }
      let pen = DisplayPoint(run.origin.x + Double(glyph.x), run.origin.y + Double(glyph.y))
      fill(CodePointLabel(codepoint, in: box).path(at: pen), run.color)
    }
  }
}

/// A code point in two rows of hexadecimal digits. A digit is 3 × 5 squares.
struct CodePointLabel {
  private let digits: [Int]
  private let columns: Int
  /// Side of a square in pixels; 0 if the box is too small.
  private let unit: Double
  private let left: Double
  private let top: Double

  /// - Parameter box: The bounds of the replacement glyph, relative to its origin.
  init(_ codepoint: UInt32, in box: DisplayRect) {
    let columns = codepoint > 0xffff ? 3 : 2
    self.columns = columns
    digits = (0..<columns * 2).map { Int(codepoint >> UInt32(4 * (columns * 2 - 1 - $0)) & 15) }
    let width = Double(columns * 4 - 1), height = 11.0
    let room = min(box.width * 0.85 / width, box.height * 0.85 / height)
    unit = room >= 1 ? room.rounded(.down) : room >= Self.leastUnit ? room : 0
    left = box.x + (box.width - width * unit) / 2
    top = box.y + (box.height - height * unit) / 2
  }

  private static let leastUnit = 0.6

  /// The bounds of the replacement glyph; nil if it is empty.
  static func box(of run: GlyphRun, _ glyphs: GlyphRasterizer) -> DisplayRect? {
    var path = VectorPath()
    path.append(glyphs.outline(run.face, size: run.size, glyph: 0), at: DisplayPoint(0, 0), .identity)
    let bounds = path.bounds
    return bounds.width > 0 && bounds.height > 0 && bounds.width < 1e5 ? bounds : nil
  }

  /// The squares of the digits, snapped to whole pixels if they are at least one pixel large.
  func path(at pen: DisplayPoint) -> VectorPath {
    var path = VectorPath()
    guard unit > 0 else { return path }
    var x = pen.x + left, y = pen.y + top
    if unit >= 1 { (x, y) = (x.rounded(), y.rounded()) }
    for (index, digit) in digits.enumerated() {
      let column = Double(index % columns), row = Double(index / columns)
      append(digit, x + column * 4 * unit, y + row * 6 * unit, to: &path)
    }
    return path
  }

  private func append(_ digit: Int, _ x: Double, _ y: Double, to path: inout VectorPath) {
    for row in 0..<5 {
      let bits = Self.squares[digit] >> (3 * (4 - row)) & 7
      for column in 0..<3 where bits & (4 >> column) != 0 {
        let left = x + Double(column) * unit, top = y + Double(row) * unit
        path.move(left, top)
        path.line(left + unit, top)
        path.line(left + unit, top + unit)
        path.line(left, top + unit)
        path.close()
      }
    }
  }

  /// The pixel rows of each digit from the top, three bits each.
  private static let squares: [Int] = [
    0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111, 0b101_101_111_001_001,
    0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_010_010, 0b111_101_111_101_111, 0b111_101_111_001_111,
    0b010_101_111_101_101, 0b110_101_110_101_110, 0b011_100_100_100_011, 0b110_101_101_101_110, 0b111_100_110_100_111,
    0b111_100_110_100_100,
  ]
}
