import OffprintCoreTypes
import OffprintImages

// Groups are rasterized separately, filtered, and composited as a whole. https://drafts.csswg.org/compositing-1/#isolatedgroups
extension Rasterizer {
  struct OpenGroup {
    var group: Group
    /// The visible part of the group, in pixels of the image.
    var bounds: PixelRect
  }

  func pushGroup(_ group: Group, _ bounds: PixelRect, _ state: State) throws {
    if group.projection != nil { return try pushPlane(group, bounds, state) }
    let shift = max(state.shift, group.reduction)
    let visible = bounds.intersection(state.clip.enlarged(by: state.shift))
    var rect = visible
    if !group.filters.isEmpty {
      // Blurs and shadows need content from around the visible area, and upsampling a reduced layer needs one extra pixel on each side.
      if shift > 0 { rect = rect.expanded(by: 1 << shift) }
      rect = rect.union(rect.expanded(by: min(group.outset, 8192)).intersection(group.content))
    }
    if rect.isEmpty { rect = PixelRect(left: visible.left, top: visible.top, right: visible.left + 1, bottom: visible.top + 1) }
    try meter.checkDeadline()
    guard let layer = try PixelLayer(rect.reduced(by: shift), memory) else { throw LayerMemory.Exhausted() }
    let scale = 1 / Double(1 << (shift - state.shift))
    let transform = AffineTransform(a: scale, b: 0, c: 0, d: scale, e: 0, f: 0).concatenating(state.transform)
    groups.append(OpenGroup(group: group, bounds: visible))
    states.append(State(layer: layer, shift: shift, transform: transform, clip: layer.rect))
  }

  private func pushPlane(_ group: Group, _ bounds: PixelRect, _ state: State) throws {
    try meter.checkDeadline()
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
}

extension Group {
  /// The downsampling shift of the group's layer. A layer that is blurred as a whole can be rasterized at a lower resolution.
  fileprivate var reduction: Int {
    if hasBackdrop { return 0 }
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
