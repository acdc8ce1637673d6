public import OffprintCSS
public import OffprintTypography

/// Font information for painting, in addition to glyphs: positions of text decorations, shapes of emphasis marks, sizes of markers. With
/// these, painting does not resolve fonts.
public struct FragmentFonts: Sendable {
  private struct Mark: Hashable {
    var text: String
    var font: FontDescription
  }

  private var metrics: [FontDescription: FontMetrics] = [:]
  private var marks: [Mark: EmphasisMark] = [:]

  public init() {}

  init(_ fragments: FragmentTree, _ tree: BoxTree, _ fonts: FontContext) {
    // In vertical text, lines are positioned by the font of the decorated text.
    var hasVerticalLines = false
    for box in tree.boxes where !box.style.effects.textDecorationLine.isEmpty {
      note(box.style, fonts)
      if box.style.text.writingMode != .horizontalTb { hasVerticalLines = true }
    }
    let hasFirstLines = !fragments.firstLines.isEmpty
    for fragment in fragments.fragments {
      if hasVerticalLines, fragment.kind == .text { note(fragment.style, fonts) }
      if hasFirstLines, fragment.kind == .text, let style = fragments.firstLines[fragment.payload] { note(style, fonts) }
      switch fragment.kind {
      case .text
      where fragments.texts.indices.contains(Int(fragment.payload)) && !fragments.texts[Int(fragment.payload)].emphasisCenters.isEmpty:
        noteMark(fragment.style, fonts)
      case .box where tree[fragment.box].kind == .replaced:
        if case .symbol = tree.replacedContent(of: fragment.box)?.kind { note(fragment.style, fonts) }
      default: break
      }
    }
  }

  private mutating func note(_ style: ComputedStyle, _ fonts: FontContext) {
    let font = FontDescription(style.font)
    if metrics[font] == nil { metrics[font] = fonts.metrics(font) }
  }

  private mutating func noteMark(_ style: ComputedStyle, _ fonts: FontContext) {
    guard let text = style.text.emphasisMark else { return }
    note(style, fonts)
    let mark = Mark(text: text, font: FontDescription(style.font))
    if marks[mark] == nil { marks[mark] = EmphasisMark(text, fonts, fonts.font(mark.font)) }
  }

  /// The metrics of the first font of a style with text decorations or a marker; nil for others.
  public func metrics(of style: ComputedStyle) -> FontMetrics? { metrics.isEmpty ? nil : metrics[FontDescription(style.font)] }

  /// The emphasis mark of a text; nil if it is missing from all fonts.
  public func emphasisMark(of style: ComputedStyle) -> EmphasisMark? {
    style.text.emphasisMark.flatMap { marks[Mark(text: $0, font: FontDescription(style.font))] }
  }
}

extension BoxTree {
  fileprivate func replacedContent(of box: BoxID) -> ReplacedContent? {
    let number = Int(self[box].replaced)
    return replaced.indices.contains(number) ? replaced[number] : nil
  }
}
