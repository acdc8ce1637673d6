import OffprintCoreTypes
import OffprintLayout

/// The icons of media controls, 20 px large and centered in their boxes. Disabled ones are faint.
struct MediaIconPainter: FragmentPainter {
  let context: PaintContext

  func paint(_ icon: ControlSymbol.MediaIcon, _ box: DisplayRect) {
    paint(icon, box, Color(red: 0, green: 0, blue: 0, alpha: icon == .more ? 1 : 0.3))
  }

  func paint(_ icon: ControlSymbol.MediaIcon, _ box: DisplayRect, _ color: Color) {
    let data =
      switch icon {
      case .play: "M8 5v14l11-7z"
      case .sound:
        "M3 9v6h4l5 5V4L7 9H3zm13.5 3c0-1.77-1.02-3.29-2.5-4.03v8.05c1.48-.73 2.5-2.25 2.5-4.02zM14 3.23v2.06c2.89.86 5 3.54 5 6.71s-2.11 5.85"
          + "-5 6.71v2.06c4.01-.91 7-4.49 7-8.77s-2.99-7.86-7-8.77z"
      case .fullScreen: "M7 14H5v5h5v-2H7v-3zm-2-4h2V7h3V5H5v5zm12 7h-3v2h5v-5h-2v3zM14 5v2h3v3h2V5h-5z"
      case .more:
        "M12 8a2 2 0 0 0 2-2 2 2 0 0 0-4 0 2 2 0 0 0 2 2zm0 2a2 2 0 0 0-2 2 2 2 0 0 0 4 0 2 2 0 0 0-2-2zm0 6a2 2 0 0 0-2 2 2 2 0 0 0 4 0"
          + " 2 2 0 0 0-2-2z"
      }
    let unit = min(box.width, box.height) / 32 * 20 / 24
    let path = VectorPath(svgPath: data.utf8).mapped(
      .translation(box.center.x - 12 * unit, box.center.y - 12 * unit).concatenating(.scaling(unit, unit)))
    fill(path, color)
  }
}
