internal import COffprintCairo
import OffprintCoreTypes
import OffprintImages

extension VectorCanvas {
  /// The images of a document. Cairo reads their pixels until the document is written.
  final class RasterImages {
    private var surfaces: [ObjectIdentifier: OpaquePointer] = [:]
    private var kept: [BitmapStorage] = []
    /// Pixels of images rasterized for the current page.
    fileprivate var made = 0
    /// Total pixels of all images.
    private(set) var pixels = 0

    deinit { for surface in surfaces.values { cairo_surface_destroy(surface) } }

    func beginPage() { made = 0 }

    fileprivate func surface(of bitmap: Bitmap) -> OpaquePointer? {
      let storage = bitmap.storage
      if let cached = surfaces[ObjectIdentifier(storage)] { return cached }
      guard let base = storage.base, bitmap.width <= 32_000, bitmap.height <= 32_000 else { return nil }
      let surface = cairo_image_surface_create_for_data(
        UnsafeMutableRawPointer(base).assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(clamping: bitmap.width),
        Int32(clamping: bitmap.height), Int32(clamping: bitmap.stride))
      guard let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { return nil }
      kept.append(storage)
      pixels &+= bitmap.width &* bitmap.height
      surfaces[ObjectIdentifier(storage)] = surface
      return surface
    }
  }

  /// Resolution of rasterized vector images, relative to the list.
  private static let density = 3.0
  private static let largestSide = 4096.0

  /// Rasterizes a range of items and draws the result as an image.
  ///
  /// - Parameter isWhole: Whether the background of the page is included.
  func drawRasterized(_ range: Range<Int>, _ bounds: PixelRect, isWhole: Bool) throws {
    let region = bounds.intersection(area)
    guard !region.isEmpty else { return }
    rasterImages.made += region.width * region.height
    guard rasterImages.made <= limits.imagePixels else { throw LimitExceeded(limit: "imagePixels", allowed: limits.imagePixels) }
    guard var bitmap = Bitmap(width: region.width, height: region.height) else {
      throw LimitExceeded(limit: "imagePixels", allowed: limits.imagePixels)
    }
    let part = sublist(range, region, isWhole: isWhole)
    try bitmap.withUnsafeMutablePixels { pixels in
      try rasterizer.paint(
        part, background: isWhole ? background : nil, limits: limits, deadline: meter.deadline, into: pixels.baseAddress
      ) { _, _ in }
    }
    note(rasterizer.problems)
    guard let surface = rasterImages.surface(of: bitmap) else { return }
    cairo_save(context)
    set(page.concatenating(.translation(Double(region.left), Double(region.top))))
    cairo_set_source_surface(context, surface, 0, 0)
    cairo_rectangle(context, 0, 0, Double(region.width), Double(region.height))
    cairo_fill(context)
    cairo_restore(context)
  }

  private func sublist(_ range: Range<Int>, _ region: PixelRect, isWhole: Bool) -> DisplayList {
    var part = DisplayList(bounds: region)
    part.backdropOutset = list.backdropOutset
    guard !isWhole else {
      part.items = Array(list.items[range])
      closeScopes(of: &part)
      return part
    }
    var open = DisplayItem(command: .pushTransform(listTransform), bounds: region)
    open.end = range.count + 1
    part.items = [open]
    for item in list.items[range] {
      var item = item
      item.end += 1 - range.lowerBound
      part.items.append(item)
    }
    part.items.append(DisplayItem(command: .popTransform, bounds: region))
    return part
  }

  /// Closes the scopes that are still open where a list was cut.
  private func closeScopes(of part: inout DisplayList) {
    var open: [Int] = []
    for index in part.items.indices {
      if part.items[index].command.opens { open.append(index) } else if part.items[index].command.closes { _ = open.popLast() }
    }
    for index in open.reversed() {
      let end: DisplayCommand =
        switch part.items[index].command {
        case .pushGroup: .popGroup
        case .pushTransform: .popTransform
        default: .popClip
        }
      part.items[index].end = part.items.count
      part.items.append(DisplayItem(command: end, bounds: part.items[index].bounds))
    }
  }

  func set(_ transform: AffineTransform) {
    var matrix = cairo_matrix_t(xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.e, y0: transform.f)
    cairo_set_matrix(context, &matrix)
  }

  // MARK: Patterns

  func paint(_ pattern: Pattern) throws {
    guard !pattern.tile.isEmpty, !pattern.area.rect.isEmpty, transform.isFinite, transform.inverted != nil else { return }
    cairo_save(context)
    defer { cairo_restore(context) }
    append(Self.path(pattern.area))
    cairo_clip(context)
    switch pattern.source {
    case .gradient(let gradient): paint(gradient, pattern)
    case .bitmap(let bitmap, let smooth): try paint(try whole(bitmap), smooth: smooth, pattern)
    case .vector(let image):
      let scale = transform.inverted == nil ? 1 : listTransform.scales.largest * Self.density
      let width = min(pattern.tile.width * scale / max(pattern.sourceRect.width, 1e-3), Self.largestSide)
      let height = min(pattern.tile.height * scale / max(pattern.sourceRect.height, 1e-3), Self.largestSide)
      let size = (max(1, clampedPixel(width.rounded())), max(1, clampedPixel(height.rounded())))
      rasterImages.made += size.0 * size.1
      guard rasterImages.made <= limits.imagePixels else { throw LimitExceeded(limit: "imagePixels", allowed: limits.imagePixels) }
      let bitmap = reporting { () throws(ImageError) in
        try image.bitmap(width: size.0, height: size.1, limits: limits, deadline: meter.deadline)
      }
      try meter.checkDeadline()
      if let bitmap { try paint(bitmap, smooth: true, pattern) }
    case .list: break
    }
  }

  /// The full-size image, if the image was decoded at a reduced size for the screen.
  private func whole(_ bitmap: Bitmap) throws -> Bitmap {
    guard let whole = bitmap.whole else { return bitmap }
    let key = ObjectIdentifier(bitmap.storage)
    if let cached = wholes[key] { return cached.whole }
    let found = reporting { () throws(ImageError) in try whole.bitmap(limits: limits, deadline: meter.deadline) } ?? bitmap
    try meter.checkDeadline()
    wholes[key] = (bitmap, found)
    return found
  }

  private func paint(_ bitmap: Bitmap, smooth: Bool, _ pattern: Pattern) throws {
    guard let surface = rasterImages.surface(of: bitmap) else { return }
    let source = pattern.sourceRect, tile = pattern.tile
    let (width, height) = (Double(bitmap.width) * source.width, Double(bitmap.height) * source.height)
    guard width > 0, height > 0 else { return }
    for (x, y) in Self.places(pattern) {
      try meter.spend(1 << 8)
      let place = transform.concatenating(.translation(x, y))
        .concatenating(AffineTransform(a: tile.width / width, b: 0, c: 0, d: tile.height / height, e: 0, f: 0))
      guard place.isFinite, place.inverted != nil else { return }
      cairo_save(context)
      set(place)
      cairo_set_source_surface(context, surface, -source.x * Double(bitmap.width), -source.y * Double(bitmap.height))
      cairo_pattern_set_filter(cairo_get_source(context), smooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST)
      cairo_rectangle(context, 0, 0, width, height)
      cairo_fill(context)
      cairo_restore(context)
    }
  }

  /// The origins of the tiles that intersect the area.
  private static func places(_ pattern: Pattern) -> [(Double, Double)] {
    func starts(_ start: Double, _ size: Double, _ period: Double, _ low: Double, _ high: Double) -> [Double] {
      guard period > 0 else { return [start] }
      let first = ((low - start - size) / period).rounded(.down), last = ((high - start) / period).rounded(.up)
      guard first.isFinite, last.isFinite, last - first < 2000 else { return [] }
      return Swift.stride(from: first, through: last, by: 1).map { start + $0 * period }.filter { $0 < high && $0 + size > low }
    }
    let tile = pattern.tile, area = pattern.area.rect
    let columns = starts(tile.x, tile.width, pattern.periodX, area.x, area.maxX)
    return starts(tile.y, tile.height, pattern.periodY, area.y, area.maxY).flatMap { y in columns.map { ($0, y) } }
  }

  // MARK: Gradients

  private func paint(_ gradient: ResolvedGradient, _ pattern: Pattern) {
    guard let made = VectorGradient(gradient) else {
      if let color = gradient.stops.last?.color { fill(color) { $0.add(pattern.area) } }
      return
    }
    let place = transform.concatenating(.translation(pattern.tile.x, pattern.tile.y)).concatenating(made.transform)
    guard place.isFinite, place.inverted != nil, let cairo = made.pattern else { return }
    cairo_save(context)
    set(place)
    cairo_set_source(context, cairo)
    cairo_identity_matrix(context)
    cairo_paint(context)
    cairo_restore(context)
    withExtendedLifetime(made) {}
  }
}
