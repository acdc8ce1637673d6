import OffprintCoreTypes
import OffprintImages
import OffprintTypography

// Fills and strokes in a single color: rectangles directly, other shapes through coverage masks.
extension Rasterizer {
  func fillRect(_ rect: PixelRect, _ color: Color, _ state: State) throws {
    guard state.transform.isPixelTranslation else {
      return try fillRounded(RoundedRect(rect), color, state.transform.mapBounds(rect), state)
    }
    let area = state.transform.mapBounds(rect).intersection(state.clip)
    guard !area.isEmpty else { return }
    try meter.spend(area.width * area.height / 4)
    state.layer.fill(area, color.premultipliedPixel, try mask(for: area, state))
  }

  func fill(_ path: VectorPath, _ color: Color, _ bounds: PixelRect, _ state: State) throws {
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty, let coverage = try CoverageMask(area, memory) else { return }
    try meter.spend(2 * area.width * area.height + 16 * path.elements.count)
    try meter.permit(PathCost(path, state.transform, area))
    coverage.fill(path, state.transform)
    state.layer.fill(area, color.premultipliedPixel, masks: try masks(coverage, for: area, state))
  }

  func stroke(_ path: VectorPath, _ stroke: Stroke, _ color: Color, _ bounds: PixelRect, _ state: State) throws {
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty, let coverage = try CoverageMask(area, memory) else { return }
    try meter.spend(2 * area.width * area.height + 64 * path.elements.count)
    try meter.permit(PathCost(path, state.transform, area, stroke))
    let visible = state.transform.inverted?.mapBounds(area) ?? .empty
    coverage.stroke(path.dashedPart(of: stroke, visible: visible) ?? path, stroke, state.transform)
    state.layer.fill(area, color.premultipliedPixel, masks: try masks(coverage, for: area, state))
  }

  func fillRounded(_ shape: RoundedRect, _ color: Color, _ bounds: PixelRect, _ state: State) throws {
    var path = VectorPath()
    path.add(shape)
    guard state.transform.isPixelTranslation, let middle = shape.safeRects.first else { return try fill(path, color, bounds, state) }
    let safe = state.transform.mapBounds(middle)
    try fill(path, color, PixelRect(left: bounds.left, top: bounds.top, right: bounds.right, bottom: min(bounds.bottom, safe.top)), state)
    // The rows between the corners are filled directly, except for the partially covered pixels at their ends.
    let rows = PixelRect(left: bounds.left, top: max(bounds.top, safe.top), right: bounds.right, bottom: min(bounds.bottom, safe.bottom))
    try fill(path, color, PixelRect(left: rows.left, top: rows.top, right: min(rows.right, safe.left), bottom: rows.bottom), state)
    let area = safe.intersection(rows).intersection(state.clip)
    if !area.isEmpty {
      try meter.spend(area.width * area.height / 4)
      state.layer.fill(area, color.premultipliedPixel, try mask(for: area, state))
    }
    try fill(path, color, PixelRect(left: max(rows.left, safe.right), top: rows.top, right: rows.right, bottom: rows.bottom), state)
    try fill(
      path, color, PixelRect(left: bounds.left, top: max(bounds.top, safe.bottom), right: bounds.right, bottom: bounds.bottom), state)
  }

  func fillRing(_ outer: RoundedRect, _ inner: RoundedRect, _ color: Color, _ bounds: PixelRect, _ state: State) throws {
    var path = VectorPath()
    path.add(outer)
    if !inner.rect.isEmpty { path.add(inner) }
    path.evenOdd = true
    guard state.transform.isPixelTranslation, let middle = outer.safeRects.first, let hole = inner.safeRects.first else {
      return try fill(path, color, bounds, state)
    }
    let safe = state.transform.mapBounds(middle), gap = state.transform.mapBounds(hole)
    let top = max(bounds.top, max(safe.top, gap.top)), bottom = max(top, min(bounds.bottom, min(safe.bottom, gap.bottom)))
    try fill(path, color, PixelRect(left: bounds.left, top: bounds.top, right: bounds.right, bottom: min(bounds.bottom, top)), state)
    try fill(path, color, PixelRect(left: bounds.left, top: top, right: min(bounds.right, gap.left), bottom: bottom), state)
    try fill(path, color, PixelRect(left: max(bounds.left, gap.right), top: top, right: bounds.right, bottom: bottom), state)
    try fill(path, color, PixelRect(left: bounds.left, top: bottom, right: bounds.right, bottom: bounds.bottom), state)
  }

  /// https://drafts.csswg.org/css-backgrounds-3/#shadow-layers
  func paint(_ shadow: BoxShadow, _ index: Int, _ bounds: PixelRect, _ state: State) throws {
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty else { return }
    let made = try shadowMask(shadow, index)
    var rest = [area]
    // An outer shadow is not painted below its box.
    if state.transform.isPixelTranslation, !shadow.isInset, let inside = shadow.box.safeRects.first {
      rest = area.subtracting(state.transform.mapBounds(inside))
    }
    for part in rest { try paint(shadow, made, part, state) }
  }

  private func shadowMask(_ shadow: BoxShadow, _ index: Int) throws -> ShadowMask {
    if let cached = kept.shadow(index) { return cached }
    let key = ShadowMask.Key(shape: shadow.shape, sigma: shadow.sigma)
    if let cached = shadows.value(key) { return cached }
    let made = try ShadowMask(shadow.shape, sigma: shadow.sigma, meter)
    shadows.keep(made, key, byteCount: made.byteCount)
    kept.keep(made, index)
    return made
  }

  private func paint(_ shadow: BoxShadow, _ made: ShadowMask, _ area: PixelRect, _ state: State) throws {
    guard let coverage = try CoverageMask(area, memory), let inverse = state.transform.inverted else { return }
    let isMoved = state.transform.isPixelTranslation
    let dx = isMoved ? clampedPixel(state.transform.e) : 0, dy = isMoved ? clampedPixel(state.transform.f) : 0
    let profile = isMoved ? made.profile(x: area.left - dx, count: area.width) : []
    for y in area.top..<area.bottom {
      try meter.spend(isMoved ? area.width : 16 * area.width)
      let row = coverage.row(y)
      if isMoved {
        made.fill(row, x: area.left - dx, y: y - dy, count: area.width, profile: profile)
      } else {
        for x in 0..<area.width { row[x] = made.value(inverse.map(DisplayPoint(Double(area.left + x) + 0.5, Double(y) + 0.5))) }
      }
    }
    if shadow.isInset { coverage.invert() }
    // Outside of its box the coverage of an outer shadow is unchanged.
    let boxed = shadow.isInset ? area : area.intersection(state.transform.mapBounds(shadow.box.rect).expanded(by: 1))
    if let box = try CoverageMask(boxed, memory) {
      var path = VectorPath()
      path.add(shadow.box)
      box.fill(path, state.transform)
      if shadow.isInset { coverage.multiply(by: box) } else { coverage.exclude(box) }
    }
    state.layer.fill(area, shadow.color.premultipliedPixel, masks: try masks(coverage, for: area, state))
  }
}

extension VectorPath {
  /// The part of a straight dashed line near `visible`, starting at a whole dash period; nil if the line has few dashes and can be drawn as a whole.
  fileprivate func dashedPart(of stroke: Stroke, visible: PixelRect) -> VectorPath? {
    let sum = stroke.dashes.reduce(0, +), period = stroke.dashes.count % 2 == 0 ? sum : 2 * sum
    guard elements.count == 2, case .move(let a) = elements[0], case .line(let b) = elements[1], period > 0 else { return nil }
    let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    guard length > 4096 * period, length.isFinite else { return nil }
    let dx = (b.x - a.x) / length, dy = (b.y - a.y) / length
    let places = [
      (visible.left, visible.top), (visible.right, visible.top), (visible.left, visible.bottom), (visible.right, visible.bottom),
    ]
    .map { (Double($0.0) - a.x) * dx + (Double($0.1) - a.y) * dy }
    let margin = stroke.width + period
    let first = max(0, (((places.min() ?? 0) - margin) / period).rounded(.down)) * period
    let last = max(first, min(length, (places.max() ?? 0) + margin))
    var path = VectorPath()
    path.move(a.x + first * dx, a.y + first * dy)
    path.line(a.x + last * dx, a.y + last * dy)
    return path
  }
}

extension PixelRect {
  /// The remainder of this rectangle without `other`, as at most four rectangles.
  func subtracting(_ other: PixelRect) -> [PixelRect] {
    guard intersects(other) else { return [self] }
    let top = max(top, other.top), bottom = min(bottom, other.bottom)
    return [
      PixelRect(left: left, top: self.top, right: right, bottom: top),
      PixelRect(left: left, top: top, right: other.left, bottom: bottom),
      PixelRect(left: other.right, top: top, right: right, bottom: bottom),
      PixelRect(left: left, top: bottom, right: right, bottom: self.bottom),
    ].filter { !$0.isEmpty }
  }
}
