import OffprintCoreTypes
import OffprintLayout

/// The controls of a video before playback, as Chromium paints them before any data is loaded.
///
/// https://html.spec.whatwg.org/multipage/media.html#user-interface
struct VideoControlsPainter: FragmentPainter {
  let context: PaintContext

  /// Opacity of the gradient over the bottom 100 px, from its upper edge in steps of 5 px.
  private static let shade: [Float] = [
    0, 0.02, 0.05, 0.08, 0.12, 0.16, 0.23, 0.29, 0.36, 0.43, 0.52, 0.59, 0.66, 0.73, 0.8, 0.85, 0.9, 0.93, 0.96, 0.98, 1,
  ]

  func paint(_ fragment: Fragment, _ offset: LayoutPoint, hasPoster: Bool) {
    let geometry = BoxGeometry(context, fragment, offset), box = geometry.contentBox, unit = scale * Double(fragment.style.zoom)
    guard !box.isEmpty else { return }
    let area = DisplayRect(box)
    pushClip(.rounded(geometry.contentShape))
    if !hasPoster { fill(box, Color(r: 51, g: 51, b: 51)) }
    paintShade(area, unit)
    paintPanel(area, unit)
    popClip()
  }

  private func paintShade(_ area: DisplayRect, _ unit: Double) {
    let height = 100 * unit, tile = DisplayRect(x: area.x, y: area.maxY - height, width: area.width, height: height)
    let last = Float(Self.shade.count - 1)
    let stops = Self.shade.enumerated().map { index, alpha in
      ResolvedGradient.Stop(offset: Float(index) / last, color: Color(red: 0, green: 0, blue: 0, alpha: alpha))
    }
    let gradient = ResolvedGradient(geometry: .linear(from: DisplayPoint(0, 0), to: DisplayPoint(0, height)), stops: stops)
    let visible = tile.enclosing.intersection(area.enclosing)
    guard !visible.isEmpty else { return }
    add(.pattern(Pattern(source: .gradient(gradient), tile: tile, area: RoundedRect(visible))), visible)
  }

  /// Paints buttons of 48 px above a timeline. Narrow players leave out the less important buttons.
  private func paintPanel(_ area: DisplayRect, _ unit: Double) {
    let width = area.width / unit, height = area.height / unit
    let hasTimeline = width >= 35 && height >= 31 && !(48..<72).contains(height)
    if hasTimeline {
      let bar = DisplayRect(x: area.x + 16 * unit, y: area.maxY - 24 * unit, width: area.width - 32 * unit, height: 4 * unit)
      fill(RoundedRect(bar, radii: PhysicalCorners(all: DisplayRadius(2 * unit, 2 * unit))).constrained(), Self.white)
    }
    guard height >= 72 || (48..<72).contains(height) else { return }
    let middle = area.maxY - (hasTimeline ? 48 : 24) * unit
    func button(_ icon: ControlSymbol.MediaIcon, _ center: Double) {
      let rect = DisplayRect(x: center - 16 * unit, y: middle - 16 * unit, width: 32 * unit, height: 32 * unit)
      MediaIconPainter(context: context).paint(icon, rect, Self.white)
    }
    // Most buttons are aligned to the right edge; the overflow menu stays visible even in narrow players.
    button(.more, max(area.maxX - 24 * unit, area.x + 24 * unit))
    if width >= 122 { button(.play, area.x + 24 * unit) }
    if width >= 197 { button(.fullScreen, area.maxX - 72 * unit) }
    if width >= 170 { button(.sound, area.maxX - (width >= 197 ? 120 : 72) * unit) }
  }

  private static let white = Color(red: 1, green: 1, blue: 1, alpha: 0.3)
}
