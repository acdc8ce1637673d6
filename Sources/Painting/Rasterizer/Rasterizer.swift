import OffprintCSS
public import OffprintCoreTypes
import Glibc
public import OffprintImages
public import OffprintTypography

/// Draws display lists, band by band, so that no picture of the whole is needed. The same list gives the same pixels whatever the bands.
public final class Rasterizer {
  let glyphs: GlyphRasterizer
  let mipmaps = MipmapCache()
  /// What takes long to make and every band needs, by the item's index.
  var kept = KeptMaterials()
  /// The same from page to page, by what it is made from.
  var shadows = RecentMaterials<ShadowMask.Key, ShadowMask>()
  var gradients = RecentMaterials<ResolvedGradient, GradientSampler>()
  var states: [State] = []
  var groups: [OpenGroup] = []
  var meter = WorkMeter(deadline: .never)
  var memory = LayerMemory(limit: Limits().layerBytes)
  var limits = Limits()
  var hasWholeGlyphPositions = false
  /// All that is drawn, band by band.
  private(set) var extent = PixelRect.empty
  /// Why something of the last list is not drawn.
  public private(set) var problems: [ImageError] = []

  public init(glyphs: GlyphRasterizer) { self.glyphs = glyphs }

  /// What items are drawn to, and how.
  struct State {
    var layer: PixelLayer
    /// The layer's pixels are squares of `1 << shift` of the picture's.
    var shift = 0
    /// From the item's coordinates to the layer's pixels.
    var transform: AffineTransform
    /// Nothing outside is drawn.
    var clip: PixelRect
    var mask: ClipMask?
  }

  private static let bandPixels = 4 << 20
  private static let widestStrip = 16_384
  private static let mostProblems = 16

  /// - Parameters:
  ///   - background: what the picture shows where nothing is drawn; nil is transparent.
  ///   - bandHeight: rows at a time; nil chooses.
  ///   - picture: room for all rows, where they are wanted one below the other; otherwise each band takes the place of the one before.
  ///   - sink: takes whole rows of premultiplied pixels from the top, and how many.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`, and what `sink` throws.
  public func paint(
    _ list: DisplayList, background: Color?, bandHeight: Int? = nil, limits: Limits = Limits(), deadline: Deadline,
    into picture: UnsafeMutablePointer<UInt32>? = nil, sink: (UnsafeBufferPointer<UInt32>, Int) throws -> Void
  ) throws {
    let width = list.bounds.width, height = list.bounds.height
    guard width > 0, height > 0 else { return }
    begin(limits, deadline)
    defer { end() }
    extent = list.bounds
    var rows = max(1, min(bandHeight ?? max(16, Self.bandPixels / width), height)), strip = Self.widestStrip
    let capacity = width * rows
    guard let memory = picture ?? malloc(capacity * 4)?.bindMemory(to: UInt32.self, capacity: capacity) else {
      throw LimitExceeded(limit: "picturePixels", allowed: capacity)
    }
    defer { if picture == nil { free(memory) } }
    var y = 0
    while y < height {
      try meter.look()
      let count = min(rows, height - y)
      let pixels = picture.map { $0 + y * width } ?? memory
      let band = PixelRect(x: list.bounds.left, y: list.bounds.top + y, width: width, height: count)
      do {
        try draw(list, band, strip: strip, background?.premultipliedPixel ?? 0, into: pixels)
      } catch is LayerMemory.Exhausted {
        // The layers of a smaller piece are smaller.
        (rows, strip) = try smaller(rows, strip)
        continue
      }
      try sink(UnsafeBufferPointer(start: pixels, count: width * count), count)
      y += count
    }
  }

  /// Half the rows, then half the columns.
  private func smaller(_ rows: Int, _ strip: Int) throws -> (Int, Int) {
    if rows > 64 { return (rows / 2, strip) }
    if strip > 256 { return (rows, strip / 2) }
    if rows > 16 { return (rows / 2, strip) }
    throw LimitExceeded(limit: "layerBytes", allowed: memory.limit)
  }

  /// Draws a band strip by strip.
  private func draw(_ list: DisplayList, _ band: PixelRect, strip: Int, _ ground: UInt32, into pixels: UnsafeMutablePointer<UInt32>) throws
  {
    pixels.update(repeating: ground, count: band.width * band.height)
    let reach = min(list.backdropReach, 4096)
    var left = band.left
    while left < band.right {
      var area = band
      (area.left, area.right) = (left, min(band.right, left + strip))
      if reach == 0 {
        try draw(list, into: PixelLayer(area, pixels: pixels + (left - band.left), stride: band.width))
      } else if let layer = try PixelLayer(area.expanded(by: reach).intersection(list.bounds), memory) {
        // What shows through backdrops comes from around the strip.
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
    kept = KeptMaterials()
    mipmaps.trim()
    states.removeAll()
    groups.removeAll()
    memory.trim()
  }

  /// The value, or nil and one more problem.
  @discardableResult
  func reporting<Value>(_ make: () throws(ImageError) -> Value) -> Value? {
    do { return try make() } catch {
      report(error)
      return nil
    }
  }

  func report(_ problem: ImageError) {
    if problems.count < Self.mostProblems, !problems.contains(problem) { problems.append(problem) }
  }

  /// Draws all items that touch the layer.
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
