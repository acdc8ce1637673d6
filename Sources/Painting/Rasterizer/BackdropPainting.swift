import OffprintCoreTypes
import OffprintImages

// https://drafts.fxtf.org/filter-effects-2/#backdrop-filter-operation
extension Rasterizer {
  func paint(_ backdrop: Backdrop, _ bounds: PixelRect, _ state: State) throws {
    let source = backdrop.isBelowGroup ? stateBelowGroup(state) : state
    guard let source, source.shift == state.shift else { return }
    let outset = backdrop.filters.reduce(0) { $0 + $1.outset } >> state.shift
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty, let mask = try CoverageMask(area, memory),
      let copy = try source.layer.mirrored(area.expanded(by: min(outset, 4096)), in: edges(backdrop, state), memory)
    else { return }
    for filter in backdrop.filters { try apply(filter, to: copy, state.shift) }
    var path = backdrop.outline ?? VectorPath()
    if backdrop.outline == nil { path.add(backdrop.shape) }
    mask.fill(path, state.transform)
    if let clip = try self.mask(for: area, state) { mask.multiply(by: clip) }
    for y in area.top..<area.bottom {
      try meter.spend(area.width)
      let out = state.layer.pointer(area.left, y), pixels = copy.pointer(area.left, y), coverage = mask.row(y)
      for x in 0..<area.width where coverage[x] > 0 { out[x] = blendOver(out[x], scalePixel(pixels[x], UInt32(coverage[x]))) }
    }
  }

  /// The state of the layer below the innermost group.
  private func stateBelowGroup(_ state: State) -> State? { states.last { $0.layer !== state.layer } }

  /// The area at whose edges the backdrop is mirrored: that of the shape within the image; nil if the shape is transformed.
  private func edges(_ backdrop: Backdrop, _ state: State) -> PixelRect? {
    guard backdrop.outline == nil, state.transform.b == 0, state.transform.c == 0 else { return nil }
    let rect = state.transform.mapBounds(backdrop.shape.rect.enclosing), whole = extent.reduced(by: state.shift)
    return rect.intersection(whole)
  }
}

extension PixelLayer {
  /// A copy of `part`, in which pixels beyond `edges` mirror those inside.
  fileprivate func mirrored(_ part: PixelRect, in edges: PixelRect?, _ memory: LayerMemory) throws -> PixelLayer? {
    guard let result = try PixelLayer(part, memory) else { return nil }
    let edges = edges.flatMap { $0.isEmpty ? nil : $0 } ?? part
    func mirror(_ place: Int, _ low: Int, _ high: Int) -> Int {
      let length = high - low, offset = (place - low) % (2 * length), inside = offset < 0 ? offset + 2 * length : offset
      return low + (inside < length ? inside : 2 * length - 1 - inside)
    }
    let columns = (part.left..<part.right).map { mirror($0, edges.left, edges.right) }
    for y in part.top..<part.bottom {
      let from = mirror(y, edges.top, edges.bottom)
      guard from >= rect.top, from < rect.bottom else { continue }
      let out = result.row(y), row = row(from) - rect.left
      for (x, column) in columns.enumerated() where column >= rect.left && column < rect.right { out[x] = row[column] }
    }
    return result
  }
}
