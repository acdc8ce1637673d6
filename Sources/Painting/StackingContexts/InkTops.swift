import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// The topmost possible ink of each fragment, in page coordinates. Fragments below the bottom of the image need not be painted.
///
/// The bound of a fragment includes all content that is painted with it. If it does not follow from the box and its style alone, it is unknown.
final class InkTops {
  private var tops: [LayoutUnit]
  private var cached: (style: ComputedStyle, outset: LayoutUnit)?
  private var outsets: [ComputedStyle: LayoutUnit] = [:]
  /// The maximum distance of text decorations above the text; `max` if unknown.
  private let decorations: LayoutUnit

  init(count: Int, tree: BoxTree) {
    tops = Array(repeating: .max, count: count)
    decorations = tree.boxes.reduce(.zero) { max($0, Self.decorations(of: $1.style)) }
  }

  /// Nil if unknown or not recorded.
  func top(_ id: FragmentID) -> LayoutUnit? {
    guard tops.indices.contains(id.index), tops[id.index] != .min, tops[id.index] != .max else { return nil }
    return tops[id.index]
  }

  func note(_ id: FragmentID, _ top: LayoutUnit) {
    // A fragment can occur at several positions.
    if tops.indices.contains(id.index) { tops[id.index] = min(tops[id.index], top) }
  }

  // MARK: Ink overflow of styles

  /// The distance by which ink extends beyond the box; `max` if unknown.
  private func outset(_ style: ComputedStyle) -> LayoutUnit {
    if let cached, cached.style == style { return cached.outset }
    let outset = outsets[style] ?? Self.outset(of: style)
    outsets[style] = outset
    cached = (style, outset)
    return outset
  }

  private static func outset(of style: ComputedStyle) -> LayoutUnit {
    let border = style.border
    guard border.image.source == .none, border.shapes.isEmpty, !style.align.columnRule.isVisible, !style.align.rowRule.isVisible,
      style.text.writingMode == .horizontalTb
    else { return .max }
    return LayoutUnit(ceiling: style.inkOutset)
  }

  private static func decorations(of style: ComputedStyle) -> LayoutUnit {
    guard !style.effects.textDecorationLine.isEmpty else { return .zero }
    guard style.text.underlineOffset == nil, style.effects.textDecorationThickness == .auto else { return .max }
    return LayoutUnit(ceiling: 4 * Double(style.font.size) + 8)
  }

  // MARK: Fragments

  /// The top of a box without its descendants.
  func box(_ fragment: Fragment, _ box: Box, at y: LayoutUnit, _ tree: BoxTree) -> LayoutUnit {
    guard fragment.payload < 0, fragment.collapsedBorders < 0, fragment.columns < 0, fragment.slice == nil, fragment.legend == nil,
      box.control == .none, box.kind != .replaced || isBounded(box, tree),
      box.kind != .inline || !fragment.style.background.layers.contains(where: { $0.image != .none })
    else { return .min }
    let outset = outset(fragment.style)
    return outset == .max ? .min : y - outset
  }

  /// Whether the ink of a replaced element stays within its box, or, for a marker, within about the height of its font.
  private func isBounded(_ box: Box, _ tree: BoxTree) -> Bool {
    guard tree.replaced.indices.contains(Int(box.replaced)) else { return true }
    let content = tree.replaced[Int(box.replaced)], style = box.style.box
    switch content.kind {
    case .empty, .symbol(.disc), .symbol(.circle), .symbol(.square): return !content.hasControls
    case .image: return !content.hasControls && style.overflowX != .visible && style.overflowY != .visible
    default: return false
    }
  }

  func text(_ fragment: Fragment, _ text: TextFragment, at y: LayoutUnit) -> LayoutUnit {
    let outset = outset(fragment.style)
    guard outset != .max, decorations != .max, text.emphasisCenters.isEmpty, text.baselineShifts.isEmpty else { return .min }
    var above: Float = 0
    for run in text.glyphs {
      for glyph in run.glyphs { above = max(above, 1.75 * run.size - glyph.y) }
    }
    let ink = text.ascent.double - Double(above + text.outset)
    guard ink.isFinite else { return .min }
    return y + LayoutUnit(min(ink, 0)) - outset - decorations
  }
}
