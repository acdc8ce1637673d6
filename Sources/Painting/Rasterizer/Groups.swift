import CoreTypes
import Images

// https://drafts.csswg.org/compositing-1/#isolatedgroups: what is drawn apart, filtered, and put onto what is below as one.
extension Rasterizer {
  struct OpenGroup {
    var group: Group
    /// What of the layer is seen, in the picture's pixels.
    var bounds: PixelRect
  }

  func pushGroup(_ group: Group, _ bounds: PixelRect, _ state: State) throws {
    if group.projection != nil { return try pushPlane(group, bounds, state) }
    let shift = max(state.shift, group.reduction)
    let visible = bounds.intersection(state.clip.enlarged(by: state.shift))
    var rect = visible
    if !group.filters.isEmpty {
      // Blurs and shadows need room to spread in, and enlarging a reduced layer a pixel around it.
      if shift > 0 { rect = rect.expanded(by: 1 << shift) }
      rect = rect.union(rect.expanded(by: min(group.reach, 8192)).intersection(group.content))
    }
    if rect.isEmpty { rect = PixelRect(left: visible.left, top: visible.top, right: visible.left + 1, bottom: visible.top + 1) }
    try meter.look()
    guard let layer = try PixelLayer(rect.reduced(by: shift), memory) else { throw LayerMemory.Exhausted() }
    let scale = 1 / Double(1 << (shift - state.shift))
    let transform = AffineTransform(a: scale, b: 0, c: 0, d: scale, e: 0, f: 0).concatenating(state.transform)
    groups.append(OpenGroup(group: group, bounds: visible))
    states.append(State(layer: layer, shift: shift, transform: transform, clip: layer.rect))
  }

  private func pushPlane(_ group: Group, _ bounds: PixelRect, _ state: State) throws {
    try meter.look()
    var rect = group.content
    if rect.isEmpty { rect = PixelRect(left: rect.left, top: rect.top, right: rect.left + 1, bottom: rect.top + 1) }
    guard let layer = try PixelLayer(rect, memory) else { throw LayerMemory.Exhausted() }
    groups.append(OpenGroup(group: group, bounds: bounds.intersection(state.clip.enlarged(by: state.shift))))
    states.append(State(layer: layer, transform: .identity, clip: layer.rect))
  }

  func popGroup() throws {
    guard states.count > 1, let open = groups.popLast(), let inner = states.popLast(), let state = states.last else { return }
    for filter in open.group.filters { try apply(filter, to: inner.layer, inner.shift) }
    let opacity = UInt32((min(max(open.group.opacity, 0), 1) * 255).rounded())
    let area = open.bounds.reduced(by: state.shift).intersection(state.clip)
    var layer = inner.layer
    if let projection = open.group.projection {
      guard !area.isEmpty, let seen = try projected(layer, projection, area, state) else { return }
      layer = seen
    } else if inner.shift > state.shift {
      guard let whole = try PixelLayer(area, memory) else { return }
      try whole.replace(by: layer, enlarged: inner.shift - state.shift, meter)
      layer = whole
    }
    switch open.group.operation {
    case .blend(.normal): try state.layer.composite(layer, area, opacity: opacity, mask(for: area, state), meter)
    case .blend(let mode): try state.layer.blend(layer, area, mode, opacity: opacity, mask(for: area, state), memory, meter)
    case .mask, .source, .inside, .outside, .xor: try state.layer.combine(layer, area, open.group.operation, opacity: opacity, meter)
    }
  }

  func paintBackdrop(_ shape: RoundedRect, _ filters: [DisplayFilter], _ bounds: PixelRect, _ state: State) throws {
    let reach = filters.reduce(0) { $0 + $1.reach } >> state.shift
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty, let copy = try state.layer.copy(area.expanded(by: reach), memory), let mask = try CoverageMask(area, memory) else {
      return
    }
    for filter in filters { try apply(filter, to: copy, state.shift) }
    var path = VectorPath()
    path.add(shape)
    mask.fill(path, state.transform)
    if let clip = try self.mask(for: area, state) { mask.multiply(by: clip) }
    for y in area.top..<area.bottom {
      try meter.spend(area.width)
      let out = state.layer.pointer(area.left, y), source = copy.pointer(area.left, y), coverage = mask.row(y)
      for x in 0..<area.width where coverage[x] > 0 {
        let c = UInt32(coverage[x])
        out[x] = scalePixel(source[x], c) &+ scalePixel(out[x], 255 - c)
      }
    }
  }
}

extension Group {
  /// How far the group's layer may be reduced, since all of it is blurred.
  fileprivate var reduction: Int {
    var result = 0
    for filter in filters {
      switch filter {
      case .blur(let sigma): result = max(result, Blur.reduction(sigma))
      case .graph: return 0
      default: break
      }
    }
    return result
  }
}
