import OffprintCoreTypes
import OffprintLayout

/// The bars of fractions and radicals. https://w3c.github.io/mathml-core/#fraction-with-nonzero-line-thickness
struct MathBarPainter: FragmentPainter {
  let context: PaintContext

  /// Chromium strokes a line: the bar covers whole pixels around its center line, half of them (rounded down) above it.
  func paint(_ fragment: Fragment, _ offset: LayoutPoint) {
    guard fragments.bars.indices.contains(Int(fragment.payload)), fragment.style.text.visibility == .visible else { return }
    let bar = fragments.bars[Int(fragment.payload)]
    var rect = snap(LayoutRect(origin: offset + bar.origin, size: bar.size))
    if rect.bottom == rect.top { rect.bottom += 1 }
    let half = (rect.bottom - rect.top) / 2
    rect.top -= half
    rect.bottom -= half
    fill(rect, fragment.style.text.color)
  }
}
