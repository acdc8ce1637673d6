import CSS
public import CoreTypes
public import Typography
import Glibc
public import Images

/// Draws display lists, band by band, so that no picture of the whole is needed. The same list gives the same pixels whatever the bands.
public final class DisplayListPainter {
  let rasterizer: GlyphRasterizer
  let mipmaps = MipmapCache()
  /// What takes long to make and every band needs, by the item's index.
  var shadows: [Int: ShadowMask] = [:]
  var gradients: [Int: GradientSampler] = [:]
  var bitmaps: [Int: Bitmap] = [:]
  /// Items whose picture cannot be made: no band tries again.
  var failed: Set<Int> = []
  var states: [PaintState] = []
  var groups: [OpenGroup] = []
  /// Why something of the last list is not drawn.
  public private(set) var problems: [ImageError] = []

  public init(rasterizer: GlyphRasterizer) { self.rasterizer = rasterizer }

  struct PaintState {
    var layer: PixelLayer
    var transform: AffineTransform
    /// Nothing outside is drawn.
    var clip: PixelRect
    var shapes: [ClipMask]
  }

  struct OpenGroup {
    var group: Group
    var layer: PixelLayer
    var bounds: PixelRect
  }

  private static let bandPixels = 4 << 20
  private static let stripWidth = 16_384
  private static let mostProblems = 16

  /// - Parameters:
  ///   - background: what the picture shows where nothing is drawn; nil is transparent.
  ///   - bandHeight: rows at a time; nil chooses.
  ///   - sink: takes whole rows of premultiplied pixels from the top, and how many.
  public func paint(
    _ list: DisplayList, background: Color?, bandHeight: Int? = nil, deadline: Deadline,
    sink: (UnsafeBufferPointer<UInt32>, Int) throws -> Void
  ) throws {
    let width = list.bounds.width, height = list.bounds.height
    guard width > 0, height > 0 else { return }
    defer { removeCaches() }
    problems.removeAll()
    let reach = min(list.backdropReach, 4096)
    let rows = max(1, min(bandHeight ?? max(16, Self.bandPixels / width - 2 * reach), height))
    let count = width * (rows + 2 * reach)
    guard let memory = malloc(count * 4) else { throw LimitExceeded(limit: "picturePixels", allowed: count) }
    defer { free(memory) }
    let pixels = memory.bindMemory(to: UInt32.self, capacity: count)
    let ground = background?.premultipliedPixel ?? 0
    var y = 0
    while y < height {
      try deadline.check()
      let end = min(height, y + rows), top = max(0, y - reach), bottom = min(height, end + reach)
      pixels.update(repeating: ground, count: width * (bottom - top))
      var x = 0
      while x < width {
        let right = min(width, x + Self.stripWidth)
        let from = max(0, x - reach), to = min(width, right + reach)
        if x > 0, reach > 0 { clear(pixels, width, from..<to, rows: bottom - top, ground) }
        let strip = PixelRect(
          left: list.bounds.left + from, top: list.bounds.top + top, right: list.bounds.left + to, bottom: list.bounds.top + bottom)
        try draw(list, into: PixelLayer(strip, pixels: pixels + from, stride: width), deadline)
        x = right
      }
      try sink(UnsafeBufferPointer(start: pixels + (y - top) * width, count: width * (end - y)), end - y)
      y = end
    }
  }

  private func clear(_ pixels: UnsafeMutablePointer<UInt32>, _ width: Int, _ columns: Range<Int>, rows: Int, _ ground: UInt32) {
    for row in 0..<rows { (pixels + row * width + columns.lowerBound).update(repeating: ground, count: columns.count) }
  }

  /// The value, or nil and one more problem.
  @discardableResult
  func reporting<Value>(_ make: () throws(ImageError) -> Value) -> Value? {
    do { return try make() } catch {
      if problems.count < Self.mostProblems, !problems.contains(error) { problems.append(error) }
      return nil
    }
  }

  private func removeCaches() {
    shadows.removeAll()
    gradients.removeAll()
    bitmaps.removeAll()
    failed.removeAll()
    mipmaps.removeAll()
    states.removeAll()
    groups.removeAll()
  }

  /// Draws all items that touch the layer.
  func draw(_ list: DisplayList, into layer: PixelLayer, _ deadline: Deadline) throws {
    states = [PaintState(layer: layer, transform: .identity, clip: layer.rect, shapes: [])]
    groups = []
    var index = 0, sinceCheck = 0
    while index < list.items.count {
      guard let state = states.last else { return }
      let item = list.items[index]
      if !item.bounds.intersects(state.clip), !item.command.closes {
        index = item.command.opens ? max(item.end, index) + 1 : index + 1
        continue
      }
      sinceCheck += 1
      if sinceCheck & 63 == 0 || item.command.mayTakeLong { try deadline.check() }
      try perform(item, index, state)
      index += 1
    }
  }

  private func perform(_ item: DisplayItem, _ index: Int, _ state: PaintState) throws {
    switch item.command {
    case .fillRect(let rect, let color): fillRect(rect, color, state)
    case .fillRoundedRect(let shape, let color): fillRounded(shape, color, item.bounds, state)
    case .fillRing(let outer, let inner, let color): fillRing(outer, inner, color, item.bounds, state)
    case .fillPath(let path, let color): fill(path, color, item.bounds, state)
    case .strokePath(let path, let stroke, let color): self.stroke(path, stroke, color, item.bounds, state)
    case .pattern(let pattern): paint(pattern, index, item.bounds, state)
    case .glyphs(let run): draw(run, item.bounds, state)
    case .shadow(let shadow): paint(shadow, index, item.bounds, state)
    case .backdrop(let shape, let filters): paintBackdrop(shape, filters, item.bounds, state)
    case .pushClip(let shape): pushClip(shape, state)
    case .pushTransform(let transform):
      var next = state
      next.transform = state.transform.concatenating(transform)
      states.append(next)
    case .pushGroup(let group): try pushGroup(group, item.bounds, state)
    case .popClip, .popTransform: if states.count > 1 { states.removeLast() }
    case .popGroup: popGroup()
    }
  }

  // MARK: Clips

  private func pushClip(_ shape: ClipShape, _ state: PaintState) {
    var next = state
    let transform = state.transform
    switch shape {
    case .rect(let rect) where transform.isPixelTranslation: next.clip = state.clip.intersection(transform.mapBounds(rect))
    case .rect(let rect): next.addShape(RoundedRect(rect), transform)
    case .rounded(let shape):
      if transform.isPixelTranslation, let rect = shape.pixels {
        next.clip = state.clip.intersection(transform.mapBounds(rect))
      } else {
        next.addShape(shape, transform)
      }
    case .path(let path):
      next.clip = state.clip.intersection(transform.mapBounds(path.bounds))
      next.shapes.append(ClipMask(path: path.mapped(transform), safe: []))
    }
    states.append(next)
  }

  // MARK: Groups

  private func pushGroup(_ group: Group, _ bounds: PixelRect, _ state: PaintState) throws {
    let visible = bounds.intersection(state.clip)
    var rect = visible
    if !group.filters.isEmpty { rect = visible.expanded(by: min(group.reach, 8192)).intersection(group.content) }
    if rect.isEmpty { rect = PixelRect(left: visible.left, top: visible.top, right: visible.left + 1, bottom: visible.top + 1) }
    if !group.filters.isEmpty {
      // Blurs and shadows need room to spread in.
      rect = rect.union(visible)
    }
    guard let layer = PixelLayer(rect) else { throw LimitExceeded(limit: "picturePixels", allowed: rect.width * rect.height) }
    groups.append(OpenGroup(group: group, layer: layer, bounds: visible))
    states.append(PaintState(layer: layer, transform: state.transform, clip: rect, shapes: []))
  }

  private func popGroup() {
    guard states.count > 1, let open = groups.popLast() else { return }
    states.removeLast()
    guard let state = states.last else { return }
    for filter in open.group.filters { reporting { () throws(ImageError) in try filter.apply(to: open.layer) } }
    let opacity = UInt32((min(max(open.group.opacity, 0), 1) * 255).rounded())
    let area = open.bounds.intersection(state.clip)
    switch open.group.operation {
    case .blend(.normal): state.layer.composite(open.layer, area, opacity: opacity, mask(for: area, state))
    case .blend(let mode): state.layer.blend(open.layer, area, mode, opacity: Double(opacity) / 255, mask(for: area, state))
    case .mask, .source, .inside, .outside, .xor: state.layer.combine(open.layer, area, open.group.operation, opacity: opacity)
    }
  }

  private func paintBackdrop(_ shape: RoundedRect, _ filters: [DisplayFilter], _ bounds: PixelRect, _ state: PaintState) {
    let reach = filters.reduce(0) { $0 + $1.reach }
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty, let copy = state.layer.copy(area.expanded(by: reach)), let mask = CoverageMask(area) else { return }
    for filter in filters { reporting { () throws(ImageError) in try filter.apply(to: copy) } }
    var path = VectorPath()
    path.add(shape)
    mask.fill(path, state.transform)
    if let clip = self.mask(for: area, state) { mask.multiply(by: clip) }
    for y in area.top..<area.bottom {
      let out = state.layer.pointer(area.left, y), source = copy.pointer(area.left, y), coverage = mask.row(y)
      for x in 0..<area.width where coverage[x] > 0 {
        let c = UInt32(coverage[x])
        out[x] = scalePixel(source[x], c) &+ scalePixel(out[x], 255 - c)
      }
    }
  }
}

/// A clip that is no rectangle of whole pixels, in the picture's coordinates; its coverage is computed when it is needed.
final class ClipMask {
  let path: VectorPath
  /// Rectangles that are wholly inside.
  let safe: [PixelRect]
  private var mask: CoverageMask?

  init(path: VectorPath, safe: [PixelRect]) { self.path = path; self.safe = safe }

  func contains(_ rect: PixelRect) -> Bool { safe.contains { $0.contains(rect) } }

  func coverage(in rect: PixelRect) -> CoverageMask? {
    if let mask, mask.rect.contains(rect) { return mask }
    let made = CoverageMask(rect)
    made?.fill(path, .identity)
    mask = made
    return made
  }
}

extension DisplayListPainter.PaintState {
  mutating func addShape(_ shape: RoundedRect, _ transform: AffineTransform) {
    var path = VectorPath()
    path.add(shape)
    let safe =
      transform.isPixelTranslation
      ? shape.safeRects.map { transform.mapBounds($0) } : []
    clip = clip.intersection(transform.mapBounds(shape.rect))
    shapes.append(ClipMask(path: path.mapped(transform), safe: safe))
  }
}

extension DisplayListPainter {
  /// The coverage of all clip shapes over `area`; nil where they do not touch it.
  func mask(for area: PixelRect, _ state: PaintState) -> CoverageMask? {
    var result: CoverageMask?
    var isShared = false
    for shape in state.shapes where !shape.contains(area) {
      // For the whole clip at once: other items will ask again.
      guard let coverage = shape.coverage(in: state.clip) else { continue }
      if let known = result {
        if isShared, let copy = CoverageMask(area) {
          copy.fill(255)
          copy.multiply(by: known)
          result = copy
          isShared = false
        }
        result?.multiply(by: coverage)
      } else {
        result = coverage
        isShared = true
      }
    }
    return result
  }
}
