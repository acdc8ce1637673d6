import OffprintCoreTypes

/// A clip to a shape other than a rectangle of whole pixels, nested in outer clips. Its coverage, multiplied by that of the outer clips, is
/// computed on first use.
final class ClipMask {
  private let outer: ClipMask?
  private let path: VectorPath
  /// The pen for a stroked path, in the space of `transform`; nil if the path is filled.
  private let stroke: (pen: Stroke, transform: AffineTransform)?
  /// Rectangles that lie completely inside the clip.
  private let safe: [PixelRect]
  /// The bounds of the clipped content.
  private let area: PixelRect
  private var cached: CoverageMask?

  init(
    _ path: VectorPath, stroke: (pen: Stroke, transform: AffineTransform)? = nil, safe: [PixelRect], area: PixelRect,
    inside outer: ClipMask?
  ) {
    self.stroke = stroke
    self.path = path
    self.safe = safe
    self.area = area
    self.outer = outer
  }

  /// The coverage over `rect`; nil if all of it is inside the clips.
  func coverage(over rect: PixelRect, _ memory: LayerMemory, _ meter: WorkMeter) throws -> CoverageMask? {
    var mask: ClipMask? = self
    while let clip = mask, clip.safe.contains(where: { $0.contains(rect) }) { mask = clip.outer }
    return try mask?.combined(memory, meter)
  }

  /// The product of this coverage and that of all outer clips. The outermost is computed first, so that each is multiplied only once.
  private func combined(_ memory: LayerMemory, _ meter: WorkMeter) throws -> CoverageMask? {
    var chain: [ClipMask] = [], next: ClipMask? = self
    while let clip = next, clip.cached == nil {
      chain.append(clip)
      next = clip.outer
    }
    var result = next?.cached
    while let clip = chain.popLast() {
      try meter.checkDeadline()
      let mask = try CoverageMask(clip.area, memory)
      if let stroke = clip.stroke {
        try meter.permit(PathCost(clip.path, stroke.transform, clip.area, stroke.pen))
        mask?.stroke(clip.path, stroke.pen, stroke.transform)
      } else {
        try meter.permit(PathCost(clip.path, .identity, clip.area))
        mask?.fill(clip.path, .identity)
      }
      try meter.spend(2 * clip.area.width * clip.area.height)
      if let result { mask?.multiply(by: result) }
      clip.cached = mask
      result = mask
    }
    return result
  }
}

extension Rasterizer {
  /// - Parameter bounds: The bounds of the clipped content.
  func pushClip(_ shape: ClipShape, _ bounds: PixelRect, _ state: State) {
    var next = state
    let transform = state.transform
    switch shape {
    case .rect(let rect) where transform.isPixelTranslation: next.clip = state.clip.intersection(transform.mapBounds(rect))
    case .rect(let rect): next.clip(to: RoundedRect(rect), bounds)
    case .rounded(let shape):
      if transform.isPixelTranslation, let rect = shape.pixels {
        next.clip = state.clip.intersection(transform.mapBounds(rect))
      } else {
        next.clip(to: shape, bounds)
      }
    case .path(let path):
      next.clip = state.clip.intersection(transform.mapBounds(path.bounds))
      next.mask = ClipMask(path.mapped(transform), safe: [], area: next.clip.intersection(bounds), inside: state.mask)
    case .stroke(let path, let pen):
      next.clip = state.clip.intersection(bounds)
      next.mask = ClipMask(path, stroke: (pen, transform), safe: [], area: next.clip, inside: state.mask)
    }
    states.append(next)
  }

  /// The coverage of all clips over `area`; nil if all of it is inside the clips.
  func mask(for area: PixelRect, _ state: State) throws -> CoverageMask? { try state.mask?.coverage(over: area, memory, meter) }

  /// `coverage` and, if any applies to `area`, the coverage of the clips.
  func masks(_ coverage: CoverageMask, for area: PixelRect, _ state: State) throws -> [CoverageMask] {
    [coverage] + (try mask(for: area, state).map { [$0] } ?? [])
  }
}

extension Rasterizer.State {
  fileprivate mutating func clip(to shape: RoundedRect, _ bounds: PixelRect) {
    var path = VectorPath()
    path.add(shape)
    let safe = transform.isPixelTranslation ? shape.safeRects.map { transform.mapBounds($0) } : []
    clip = clip.intersection(transform.mapBounds(shape.rect))
    mask = ClipMask(path.mapped(transform), safe: safe, area: clip.intersection(bounds), inside: mask)
  }
}
