import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout

// https://drafts.csswg.org/css-backgrounds-3/#border-images
struct BorderImagePainter: FragmentPainter {
  let context: PaintContext

  /// An interval on one axis: its part of the source image, in 0...1, and its part of the box, in device pixels.
  private struct Span {
    var source: ClosedRange<Double>
    var start: Double
    var end: Double
    var length: Double { end - start }
  }

  /// Returns false if there is no image, so that the border styles apply.
  func paint(_ border: BorderImage, _ style: ComputedStyle, _ geometry: BoxGeometry) -> Bool {
    guard let image = backgrounds.paintImage(border.source, style) else { return false }
    let area = imageArea(border, geometry)
    guard area.width > 0, area.height > 0 else { return true }
    let natural = naturalSize(image, area)
    guard natural.0 > 0, natural.1 > 0 else { return true }
    let slices = slices(border, natural)
    let widths = imageWidths(border, geometry, area, slices, natural)
    let columns = spans(
      area.x, area.maxX, widths.left, widths.right, slices.left / natural.0, slices.right / natural.0)
    let rows = spans(area.y, area.maxY, widths.top, widths.bottom, slices.top / natural.1, slices.bottom / natural.1)
    for (y, row) in rows.enumerated() {
      for (x, column) in columns.enumerated() {
        if x == 1, y == 1, !border.fill { continue }
        // Tiles of the middle parts are scaled like the adjacent sides.
        let tileWidth =
          x == 1 ? middle(column, natural.0, y == 2 ? (widths.bottom, slices.bottom) : (widths.top, slices.top), border.repeatX) : nil
        let tileHeight =
          y == 1 ? middle(row, natural.1, x == 2 ? (widths.right, slices.right) : (widths.left, slices.left), border.repeatY) : nil
        paintPiece(image, column, row, tileWidth, tileHeight, border, natural, style)
      }
    }
    return true
  }

  private func imageArea(_ border: BorderImage, _ geometry: BoxGeometry) -> DisplayRect {
    func outset(_ value: BorderImage.Outset, _ width: Int) -> Double {
      switch value {
      case .number(let n): Double(max(0, n)) * Double(width)
      case .length(let px): length(max(0, px))
      }
    }
    let o = border.outset, b = geometry.border, rect = DisplayRect(geometry.borderBox)
    let (top, right) = (outset(o.top, b.top), outset(o.right, b.right))
    let (bottom, left) = (outset(o.bottom, b.bottom), outset(o.left, b.left))
    return DisplayRect(x: rect.x - left, y: rect.y - top, width: rect.width + left + right, height: rect.height + top + bottom)
  }

  private func naturalSize(_ image: PaintImage, _ area: DisplayRect) -> (Double, Double) {
    guard case .image(let decoded) = image else { return (area.width / scale, area.height / scale) }
    if let w = decoded.intrinsicWidth, let h = decoded.intrinsicHeight { return (w, h) }
    let (aw, ah) = (area.width / scale, area.height / scale)
    if let w = decoded.intrinsicWidth { return (w, decoded.ratio.map { w / $0 } ?? ah) }
    if let h = decoded.intrinsicHeight { return (decoded.ratio.map { h * $0 } ?? aw, h) }
    guard let ratio = decoded.ratio, ratio > 0 else { return (aw, ah) }
    return aw / ratio > ah ? (ah * ratio, ah) : (aw, aw / ratio)
  }

  private func slices(_ border: BorderImage, _ natural: (Double, Double)) -> PhysicalSides<Double> {
    func slice(_ value: BorderImage.Slice, _ size: Double) -> Double {
      switch value {
      case .number(let n): min(Double(max(0, n)), size)
      case .percentage(let p): min(Double(max(0, p)) / 100, 1) * size
      }
    }
    return PhysicalSides(
      top: slice(border.slice.top, natural.1), right: slice(border.slice.right, natural.0), bottom: slice(border.slice.bottom, natural.1),
      left: slice(border.slice.left, natural.0))
  }

  private func imageWidths(
    _ border: BorderImage, _ geometry: BoxGeometry, _ area: DisplayRect, _ slices: PhysicalSides<Double>, _ natural: (Double, Double)
  ) -> PhysicalSides<Double> {
    func width(_ value: BorderImage.Width, _ border: Int, _ slice: Double, _ size: Double) -> Double {
      switch value {
      case .auto: slice * scale
      case .number(let n): Double(max(0, n)) * Double(border)
      case .value(let v): max(0, v.resolve(size / scale) * scale)
      }
    }
    let w = border.width, b = geometry.border
    var result = PhysicalSides(
      top: width(w.top, b.top, slices.top, area.height), right: width(w.right, b.right, slices.right, area.width),
      bottom: width(w.bottom, b.bottom, slices.bottom, area.height), left: width(w.left, b.left, slices.left, area.width))
    let factor = min(
      1, area.width / max(result.left + result.right, 1e-9), area.height / max(result.top + result.bottom, 1e-9))
    if factor < 1 {
      result = PhysicalSides(
        top: result.top * factor, right: result.right * factor, bottom: result.bottom * factor, left: result.left * factor)
    }
    return PhysicalSides(
      top: result.top.rounded(), right: result.right.rounded(), bottom: result.bottom.rounded(), left: result.left.rounded())
  }

  private func spans(_ start: Double, _ end: Double, _ first: Double, _ last: Double, _ low: Double, _ high: Double) -> [Span] {
    let a = start + first, b = max(a, end - last)
    return [
      Span(source: 0...low, start: start, end: a), Span(source: low...max(low, 1 - high), start: a, end: b),
      Span(source: min(max(0, 1 - high), 1)...1, start: b, end: end),
    ]
  }

  /// The tile size along the middle part of a side. https://drafts.csswg.org/css-backgrounds-3/#border-image-process
  private func middle(_ span: Span, _ natural: Double, _ side: (width: Double, slice: Double), _ style: BorderImage.Repeat) -> Double {
    let source = (span.source.upperBound - span.source.lowerBound) * natural
    if style == .stretch { return span.length }
    return side.slice > 0 && side.width > 0 ? source * side.width / side.slice : source * scale
  }

  private func paintPiece(
    _ image: PaintImage, _ column: Span, _ row: Span, _ tileWidth: Double?, _ tileHeight: Double?, _ border: BorderImage,
    _ natural: (Double, Double), _ style: ComputedStyle
  ) {
    let sourceRect = DisplayRect(
      x: column.source.lowerBound, y: row.source.lowerBound, width: column.source.upperBound - column.source.lowerBound,
      height: row.source.upperBound - row.source.lowerBound)
    guard column.length > 0, row.length > 0, sourceRect.width > 1e-9, sourceRect.height > 1e-9 else { return }
    let area = DisplayRect(x: column.start, y: row.start, width: column.length, height: row.length)
    switch image {
    case .solid(let color): return fill(RoundedRect(area), color)
    case .gradient(let gradient):
      let resolved = context.resolve(gradient, width: natural.0 * scale, height: natural.1 * scale, style)
      return paintGradientPiece(resolved, sourceRect, area, natural)
    case .image(let decoded):
      let source: Pattern.Source
      switch decoded.content {
      case .bitmap(let bitmap):
        guard !bitmap.isEmpty else { return }
        source = .bitmap(bitmap, smooth: style.isSmooth)
      case .vector(var vector):
        // The image is laid out at its own size; its slices are stretched.
        vector.isStretched = true
        source = .vector(vector)
      }
      let (x, width, periodX) = fit(area.x, area.width, tileWidth, border.repeatX)
      let (y, height, periodY) = fit(area.y, area.height, tileHeight, border.repeatY)
      guard width > 0, height > 0 else { return }
      var pattern = Pattern(source: source, tile: DisplayRect(x: x, y: y, width: width, height: height), area: RoundedRect(area))
      pattern.sourceRect = sourceRect
      pattern.periodX = periodX
      pattern.periodY = periodY
      add(.pattern(pattern), area.enclosing)
    }
  }

  /// Start, size and period of the tiles on one axis.
  private func fit(_ start: Double, _ length: Double, _ tile: Double?, _ style: BorderImage.Repeat) -> (Double, Double, Double) {
    guard let tile, tile > 0, style != .stretch else { return (start, length, 0) }
    switch style {
    case .stretch: return (start, length, 0)
    case .round:
      let size = length / max(1, (length / tile).rounded())
      return (start, size, size)
    case .repeat: return (start + (length - tile) / 2, tile, tile)
    case .space:
      let count = (length / tile + 1e-6).rounded(.down)
      guard count >= 1 else { return (start, 0, 0) }
      let gap = (length - count * tile) / (count + 1)
      return (start + gap, tile, tile + gap)
    }
  }

  /// Paints a slice of a gradient, scaled to `area`.
  private func paintGradientPiece(_ gradient: ResolvedGradient, _ source: DisplayRect, _ area: DisplayRect, _ natural: (Double, Double)) {
    let whole = DisplayRect(x: 0, y: 0, width: natural.0 * scale, height: natural.1 * scale)
    let part = DisplayRect(
      x: source.x * whole.width, y: source.y * whole.height, width: source.width * whole.width, height: source.height * whole.height)
    let sx = area.width / part.width, sy = area.height / part.height
    pushTransform(AffineTransform(a: sx, b: 0, c: 0, d: sy, e: area.x - part.x * sx, f: area.y - part.y * sy))
    let pattern = Pattern(source: .gradient(gradient), tile: whole, area: RoundedRect(part))
    add(.pattern(pattern), part.enclosing)
    popTransform()
  }
}
