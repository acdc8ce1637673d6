import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout

/// The source image of a background, border or mask, independent of its position and size.
enum PaintImage {
  case image(DecodedImage)
  case gradient(Gradient)
  case solid(Color)
}

// https://drafts.csswg.org/css-backgrounds-3/#background-painting
struct BackgroundPainter: FragmentPainter {
  let context: PaintContext

  func paintImage(_ value: ImageValue, _ style: ComputedStyle) -> PaintImage? {
    switch value {
    case .none: nil
    case .url, .dense: images.image(value, style).map { .image($0) }
    case .gradient(let gradient): .gradient(gradient)
    case .solid(let color): .solid(color.resolve(style.text.color))
    }
  }

  /// Paints one layer.
  ///
  /// - Parameter canvas: Replaces the background painting area.
  func paint(
    _ layer: BackgroundLayer, _ style: ComputedStyle, _ geometry: BoxGeometry, _ fragment: Fragment, canvas: RoundedRect? = nil
  ) {
    guard let image = paintImage(layer.image, style) else { return }
    let area = canvas ?? geometry.shape(layer.clip)
    guard !area.rect.isEmpty else { return }
    var positioning = DisplayRect(geometry.rect(layer.origin))
    if let unfragmented = context.unfragmentedLine(fragment) {
      positioning.x += unfragmented.before
      positioning.width = unfragmented.width - Double(geometry.borderBox.width) + positioning.width
    }
    if let slice = fragment.slice {
      positioning = geometry.rect(layer.origin, of: slice, fragment.style.text.writingMode, scale: scale)
    }
    // In transformed boxes `fixed` behaves like `scroll`. https://drafts.csswg.org/css-transforms-1/#transform-rendering
    if layer.attachment == .fixed, context.openTransforms == 0 {
      let viewport = fragments[fragments.root].size
      positioning = DisplayRect(
        x: x(.zero), y: y(.zero), width: viewport.width.double * scale, height: viewport.height.double * scale)
    }
    let isSpecial = layer.blendMode != .normal
    if isSpecial {
      var group = Group()
      group.operation = .blend(layer.blendMode)
      pushGroup(group)
    }
    if let tiles = tiles(layer, image, positioning, style) { paint(image, tiles, area, style) }
    if isSpecial { popGroup() }
  }

  /// Paints one layer over the bounding box of an SVG element, in its user space.
  func paint(_ layer: BackgroundLayer, _ style: ComputedStyle, over box: DisplayRect) {
    guard box.width > 0, box.height > 0, let image = paintImage(layer.image, style), let tiles = tiles(layer, image, box, style) else {
      return
    }
    paint(image, tiles, RoundedRect(box), style)
  }

  /// The first tile of a layer, and the distances at which it repeats (0: it does not repeat on that axis).
  struct Tiles {
    var tile: DisplayRect
    var periodX: Double
    var periodY: Double
  }

  /// Sizes and positions the tiles. https://drafts.csswg.org/css-backgrounds-3/#the-background-size and the following sections.
  private func tiles(_ layer: BackgroundLayer, _ image: PaintImage, _ area: DisplayRect, _ style: ComputedStyle) -> Tiles? {
    let zoom = Double(style.zoom)
    var (width, height) = tileSize(layer.size, image, area, zoom)
    if layer.repeatX == .round { width = rounded(width, into: area.width) }
    if layer.repeatY == .round { height = rounded(height, into: area.height) }
    // If the other axis is `auto`, its size keeps the aspect ratio. https://drafts.csswg.org/css-backgrounds-3/#background-repeat
    if case .explicit(let w, let h) = layer.size {
      let natural = tileSize(layer.size, image, area, zoom)
      if layer.repeatX == .round, layer.repeatY != .round, h == nil, natural.0 > 0 { height = natural.1 * width / natural.0 }
      if layer.repeatY == .round, layer.repeatX != .round, w == nil, natural.1 > 0 { width = natural.0 * height / natural.1 }
    }
    // Tiles of `round` divide the area evenly, so their sizes stay fractional.
    if layer.repeatX != .round { width = snapped(width) }
    if layer.repeatY != .round { height = snapped(height) }
    guard width > 0, height > 0 else { return nil }
    var tile = DisplayRect(x: area.x, y: area.y, width: width, height: height)
    var periodX = 0.0, periodY = 0.0
    func place(_ position: LengthPercentage, _ room: Double) -> Double { position.resolve(room / scale) * scale }
    let freeX = area.width - width, freeY = area.height - height
    tile.x += place(layer.position.x, freeX).rounded()
    tile.y += place(layer.position.y, freeY).rounded()
    switch layer.repeatX {
    case .repeat, .round: periodX = width
    case .noRepeat: break
    case .space:
      let count = (area.width / width + 1e-6).rounded(.down)
      if count > 1 {
        tile.x = area.x
        periodX = width + (area.width - count * width) / (count - 1)
      }
    }
    switch layer.repeatY {
    case .repeat, .round: periodY = height
    case .noRepeat: break
    case .space:
      let count = (area.height / height + 1e-6).rounded(.down)
      if count > 1 {
        tile.y = area.y
        periodY = height + (area.height - count * height) / (count - 1)
      }
    }
    return Tiles(tile: tile, periodX: periodX, periodY: periodY)
  }

  private func rounded(_ size: Double, into area: Double) -> Double {
    guard size > 0 else { return size }
    return area / max(1, (area / size).rounded())
  }

  /// Tile sizes are snapped to whole pixels, at least 1.
  private func snapped(_ size: Double) -> Double {
    guard size > 0, size.isFinite else { return 0 }
    return min(max(1, size.rounded()), 1e7)
  }

  private func tileSize(_ size: BackgroundLayer.Size, _ image: PaintImage, _ area: DisplayRect, _ zoom: Double) -> (Double, Double) {
    var naturalWidth: Double?, naturalHeight: Double?, ratio: Double?
    if case .image(let decoded) = image {
      naturalWidth = decoded.intrinsicWidth.map { $0 * scale * zoom }
      naturalHeight = decoded.intrinsicHeight.map { $0 * scale * zoom }
      ratio = decoded.ratio
    }
    if let w = naturalWidth, let h = naturalHeight, w > 0, h > 0 { ratio = w / h }
    switch size {
    case .cover, .contain:
      guard let ratio, ratio > 0 else { return (area.width, area.height) }
      let isWide = area.width / ratio > area.height
      let fitsWidth = size == .cover ? isWide : !isWide
      return fitsWidth ? (area.width, area.width / ratio) : (area.height * ratio, area.height)
    case .explicit(let w, let h):
      let width = w.map { max(0, $0.resolve(area.width / scale) * scale) }
      let height = h.map { max(0, $0.resolve(area.height / scale) * scale) }
      switch (width, height) {
      case (let width?, let height?): return (width, height)
      case (let width?, nil): return (width, ratio.map { width / $0 } ?? naturalHeight ?? area.height)
      case (nil, let height?): return (ratio.map { height * $0 } ?? naturalWidth ?? area.width, height)
      case (nil, nil):
        if let w = naturalWidth, let h = naturalHeight { return (w, h) }
        if let w = naturalWidth { return (w, ratio.map { w / $0 } ?? area.height) }
        if let h = naturalHeight { return (ratio.map { h * $0 } ?? area.width, h) }
        guard let ratio, ratio > 0 else { return (area.width, area.height) }
        return area.width / ratio > area.height ? (area.height * ratio, area.height) : (area.width, area.width / ratio)
      }
    }
  }

  /// Fills `area` with tiles.
  func paint(_ image: PaintImage, _ tiles: Tiles, _ area: RoundedRect, _ style: ComputedStyle) {
    var tiles = tiles
    let whole = tiles.tile
    // A single tile that covers the area needs no repetition.
    if whole.x <= area.rect.x, whole.maxX >= area.rect.maxX { tiles.periodX = 0 }
    if whole.y <= area.rect.y, whole.maxY >= area.rect.maxY { tiles.periodY = 0 }
    var visible = area.rect
    if tiles.periodX == 0 {
      let left = max(visible.x, whole.x)
      visible.width = min(visible.maxX, whole.maxX) - left
      visible.x = left
    }
    if tiles.periodY == 0 {
      let top = max(visible.y, whole.y)
      visible.height = min(visible.maxY, whole.maxY) - top
      visible.y = top
    }
    guard !visible.isEmpty else { return }
    let isCut = visible != area.rect
    if isCut && area.isRounded { pushClip(.rounded(area)) }
    emit(image, tiles, isCut ? RoundedRect(visible) : area, style)
    if isCut && area.isRounded { popClip() }
  }

  private func emit(_ image: PaintImage, _ tiles: Tiles, _ area: RoundedRect, _ style: ComputedStyle) {
    let source: Pattern.Source
    switch image {
    case .solid(let color): return fill(area, color)
    case .gradient(let gradient):
      let resolved = context.resolve(gradient, width: tiles.tile.width, height: tiles.tile.height, style)
      if resolved.stops.count == 1, let only = resolved.stops.first { return fill(area, only.color) }
      source = .gradient(resolved)
    case .image(let decoded):
      switch decoded.content {
      case .bitmap(let bitmap):
        guard !bitmap.isEmpty else { return }
        source = .bitmap(bitmap, smooth: style.isSmooth)
      case .vector(let vector): source = .vector(vector)
      }
    }
    var pattern = Pattern(source: source, tile: tiles.tile, area: area)
    pattern.periodX = tiles.periodX
    pattern.periodY = tiles.periodY
    if pattern.periodX == 0, pattern.periodY > 0 { pattern.periodX = max(tiles.tile.width, area.rect.width) + 1e7 }
    if pattern.periodY == 0, pattern.periodX > 0 { pattern.periodY = max(tiles.tile.height, area.rect.height) + 1e7 }
    add(.pattern(pattern), area.rect.enclosing)
  }
}
