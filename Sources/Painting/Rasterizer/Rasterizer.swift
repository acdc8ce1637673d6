import OffprintCSS
public import OffprintCoreTypes
import Glibc
public import OffprintImages
public import OffprintTypography

/// Rasterizes display lists in horizontal bands, so that no buffer of the whole image is needed. The pixels do not depend on the division into bands.
public final class Rasterizer {
  let glyphs: GlyphRasterizer
  let mipmaps = MipmapCache()
  /// Expensive results needed by every band, by item index.
  var kept = BandCache()
  /// Expensive results reused across pages, by their inputs.
  var shadows = RecentEntries<ShadowMask.Key, ShadowMask>()
  var gradients = RecentEntries<ResolvedGradient, GradientSampler>()
  var states: [State] = []
  var groups: [OpenGroup] = []
  var meter = WorkMeter(deadline: .never)
  var memory = LayerMemory(limit: Limits().layerBytes)
  var limits = Limits()
  var hasWholeGlyphPositions = false
  /// The area of the whole image.
  private(set) var extent = PixelRect.empty
  /// Errors of content that is missing from the last list.
  public private(set) var problems: [ImageError] = []

  public init(glyphs: GlyphRasterizer) { self.glyphs = glyphs }

  /// The target and the graphics state of an item.
  struct State {
    var layer: PixelLayer
    /// Each pixel of the layer covers a square of `1 << shift` pixels of the image.
    var shift = 0
    /// From coordinates of the item to pixels of the layer.
    var transform: AffineTransform
    /// Clip rectangle in pixels of the layer.
    var clip: PixelRect
    var mask: ClipMask?
  }

  private static let bandPixels = 4 << 20
  private static let widestStrip = 16_384
  private static let maximumProblems = 16

  /// - Parameters:
  ///   - background: The color below the content; nil for transparent.
  ///   - bandHeight: Rows per band; nil for an automatic choice.
  ///   - imageBuffer: A buffer for all rows of the image; nil to reuse one buffer for every band.
  ///   - sink: Receives rows of premultiplied pixels, top to bottom, and their number.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`, and the errors of `sink`.
  public func paint(
    _ list: DisplayList, background: Color?, bandHeight: Int? = nil, limits: Limits = Limits(), deadline: Deadline,
    into imageBuffer: UnsafeMutablePointer<UInt32>? = nil, sink: (UnsafeBufferPointer<UInt32>, Int) throws -> Void
  ) throws {
    let width = list.bounds.width, height = list.bounds.height
    guard width > 0, height > 0 else { return }
    begin(limits, deadline)
    defer { end() }
    extent = list.bounds
    var rows = max(1, min(bandHeight ?? max(16, Self.bandPixels / width), height)), strip = Self.widestStrip
    let capacity = width * rows
    guard let memory = imageBuffer ?? malloc(capacity * 4)?.bindMemory(to: UInt32.self, capacity: capacity) else {
      throw LimitExceeded(limit: "imagePixels", allowed: capacity)
    }
    defer { if imageBuffer == nil { free(memory) } }
    var y = 0
    while y < height {
      try meter.checkDeadline()
      let count = min(rows, height - y)
      let pixels = imageBuffer.map { $0 + y * width } ?? memory
      let band = PixelRect(x: list.bounds.left, y: list.bounds.top + y, width: width, height: count)
      do {
        try draw(list, band, strip: strip, background?.premultipliedPixel ?? 0, into: pixels)
      } catch is LayerMemory.Exhausted {
        // Smaller pieces need smaller layers.
        (rows, strip) = try smaller(rows, strip)
        continue
      }
      try sink(UnsafeBufferPointer(start: pixels, count: width * count), count)
      y += count
    }
  }

  /// Halves the rows or the columns of a piece.
  private func smaller(_ rows: Int, _ strip: Int) throws -> (Int, Int) {
    if rows > 64 { return (rows / 2, strip) }
    if strip > 256 { return (rows, strip / 2) }
    if rows > 16 { return (rows / 2, strip) }
    throw LimitExceeded(limit: "layerBytes", allowed: memory.limit)
  }

  /// Rasterizes a band in vertical strips.
  private func draw(_ list: DisplayList, _ band: PixelRect, strip: Int, _ ground: UInt32, into pixels: UnsafeMutablePointer<UInt32>) throws
  {
    pixels.update(repeating: ground, count: band.width * band.height)
    let outset = min(list.backdropOutset, 4096)
    var left = band.left
    while left < band.right {
      var area = band
      (area.left, area.right) = (left, min(band.right, left + strip))
      if outset == 0 {
        try draw(list, into: PixelLayer(area, pixels: pixels + (left - band.left), stride: band.width))
      } else if let layer = try PixelLayer(area.expanded(by: outset).intersection(list.bounds), memory) {
        // Filtered backdrops read pixels from around the strip.
        layer.fill(layer.rect, ground)
        try draw(list, into: layer)
        for y in area.top..<area.bottom {
          memcpy(pixels + (y - band.top) * band.width + (left - band.left), layer.pointer(left, y), area.width * 4)
        }
      }
      left = area.right
    }
  }

  private func begin(_ limits: Limits, _ deadline: Deadline) {
    self.limits = limits
    problems.removeAll()
    meter = WorkMeter(deadline: deadline, pathSteps: limits.pathSteps)
    if memory.limit != limits.layerBytes || memory.used > 0 { memory = LayerMemory(limit: limits.layerBytes) }
  }

  private func end() {
    kept = BandCache()
    mipmaps.trim()
    states.removeAll()
    groups.removeAll()
    memory.trim()
  }

  /// Returns the value, or reports the error and returns nil.
  @discardableResult
  func reporting<Value>(_ make: () throws(ImageError) -> Value) -> Value? {
    do { return try make() } catch {
      report(error)
      return nil
    }
  }

  func report(_ problem: ImageError) {
    if problems.count < Self.maximumProblems, !problems.contains(problem) { problems.append(problem) }
  }

  /// Rasterizes all items that intersect the layer.
  private func draw(_ list: DisplayList, into layer: PixelLayer) throws {
    states = [State(layer: layer, transform: .identity, clip: layer.rect)]
    groups = []
    var index = 0
    while index < list.items.count {
      guard let state = states.last else { return }
      let item = list.items[index], bounds = state.shift == 0 ? item.bounds : item.bounds.reduced(by: state.shift)
      try meter.spend(64)
      if !bounds.intersects(state.clip), !item.command.closes {
        index = item.command.opens ? max(item.end, index) + 1 : index + 1
        continue
      }
      try perform(item, index, bounds, state)
      index += 1
    }
  }

  private func perform(_ item: DisplayItem, _ index: Int, _ bounds: PixelRect, _ state: State) throws {
    switch item.command {
    case .fillRect(let rect, let color): try fillRect(rect, color, state)
    case .fillRoundedRect(let shape, let color): try fillRounded(shape, color, bounds, state)
    case .fillRing(let outer, let inner, let color): try fillRing(outer, inner, color, bounds, state)
    case .fillPath(let path, let color): try fill(path, color, bounds, state)
    case .strokePath(let path, let stroke, let color): try self.stroke(path, stroke, color, bounds, state)
    case .pattern(let pattern): try paint(pattern, index, bounds, state)
    case .glyphs(let run): try draw(run, bounds, state)
    case .shadow(let shadow): try paint(shadow, index, bounds, state)
    case .backdrop(let backdrop): try paint(backdrop, bounds, state)
    case .pushClip(let shape): pushClip(shape, bounds, state)
    case .pushTransform(let transform):
      var next = state
      next.transform = state.transform.concatenating(transform)
      states.append(next)
    case .pushGroup(let group): try pushGroup(group, item.bounds, state)
    case .popClip, .popTransform: if states.count > 1 { states.removeLast() }
    case .popGroup: try popGroup()
    }
  }
}
