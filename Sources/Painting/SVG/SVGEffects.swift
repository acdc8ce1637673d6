import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

// Opacity, blending, filters, clip paths and masks. https://www.w3.org/TR/SVG2/render.html#ObjectAndGroupOpacityProperties
extension SVGPainter {
  enum Clip {
    case none
    /// Everything is clipped.
    case all
    case path(VectorPath)
    case mask(SVGMaskingContent)
  }

  /// Paints `body` as a group with the effects of the style.
  func withEffects(
    _ style: ComputedStyle, bounds: DisplayRect?, viewport: SVGViewport, _ body: (SVGPainter) throws -> Void
  ) throws {
    let effects = style.effects
    let clip = try clip(style, bounds, viewport)
    if case .all = clip { return }
    if isSilhouette { return try withSilhouette(clip, body) }
    let masks = try self.masks(style, bounds, viewport)
    var body = body
    var filters: [DisplayFilter] = []
    if !effects.filter.isEmpty {
      if isTurned {
        guard let pattern = try filteredApart(style, bounds, viewport, body) else { return }
        body = { $0.recorder.add(.pattern(pattern), pattern.area.rect) }
      } else {
        guard let made = try self.filters(style, bounds, viewport) else { return }
        filters = made
      }
    }
    var group = Group()
    group.opacity = min(max(effects.opacity, 0), 1)
    group.operation = .blend(effects.mixBlendMode)
    var needsMask = !masks.isEmpty
    if case .mask = clip { needsMask = true }
    if case .path(let path) = clip { pushClip(.path(path)) }
    let isGroup = group.opacity < 1 || effects.mixBlendMode != .normal || effects.isolation == .isolate || needsMask || !filters.isEmpty
    if isGroup {
      if !needsMask { group.filters = filters }
      pushGroup(group)
    }
    let hasInner = needsMask && !filters.isEmpty
    if hasInner {
      var inner = Group()
      inner.filters = filters
      pushGroup(inner)
    }
    try body(self)
    if hasInner { popGroup() }
    if case .mask(let coverage) = clip { try paintClip(coverage, bounds, viewport) }
    if !masks.isEmpty { try paintMasks(masks, style, bounds, viewport) }
    if isGroup { popGroup() }
    if case .path = clip { popClip() }
  }

  private func withSilhouette(_ clip: Clip, _ body: (SVGPainter) throws -> Void) throws {
    switch clip {
    case .none: try body(self)
    case .all: return
    case .path(let path):
      pushClip(.path(path))
      try body(self)
      popClip()
    case .mask(let coverage):
      pushGroup(Group())
      try body(self)
      try paintClip(coverage, nil, SVGViewport(width: 0, height: 0))
      popGroup()
    }
  }

  // MARK: Clip paths

  /// https://drafts.fxtf.org/css-masking-1/#the-clip-path
  func clip(_ style: ComputedStyle, _ bounds: DisplayRect?, _ viewport: SVGViewport) throws -> Clip {
    let empty = DisplayRect(x: 0, y: 0, width: 0, height: 0)
    switch style.effects.clipPath {
    case .none, .image: return .none
    case .reference(let url):
      guard let (scene, id) = context.scene(for: url.text, scene), let coverage = try scene.clipPath(id, bounds ?? empty, viewport),
        !active.contains(coverage.node)
      else { return .none }
      if coverage.children.isEmpty { return .all }
      return simplePath(coverage).map { .path($0) } ?? .mask(coverage)
    case .box(let edge):
      var path = VectorPath()
      path.add(RoundedRect(reference(edge, style, bounds ?? empty, viewport)))
      return .path(path)
    case .shape(let shape, let edge):
      return .path(
        BasicShapeOutline(rect: reference(edge ?? .borderBox, style, bounds ?? empty, viewport), scale: 1).path(shape))
    }
  }

  func reference(_ edge: BoxEdge, _ style: ComputedStyle, _ bounds: DisplayRect, _ viewport: SVGViewport) -> DisplayRect {
    switch edge {
    case .viewBox: return DisplayRect(x: 0, y: 0, width: viewport.width, height: viewport.height)
    case .fillBox, .contentBox, .paddingBox: return bounds
    default:
      guard style.svg.stroke != .none else { return bounds }
      let half = style.svg.strokeWidth.resolve(viewport.width) / 2
      return DisplayRect(x: bounds.x - half, y: bounds.y - half, width: bounds.width + 2 * half, height: bounds.height + 2 * half)
    }
  }

  /// The outline of a clip path that consists of a single shape; nil for any other.
  private func simplePath(_ coverage: SVGMaskingContent) -> VectorPath? {
    guard coverage.children.count == 1, coverage.style.effects.clipPath == .none else { return nil }
    var node = coverage.children[0], transform = coverage.transform
    while true {
      guard node.style.effects.clipPath == .none, node.style.text.visibility == .visible else { return nil }
      transform = transform.concatenating(node.transform)
      switch node.kind {
      case .shape(let path):
        guard !path.elements.isEmpty else { return nil }
        var result = path.mapped(transform)
        result.evenOdd = node.style.svg.clipRule == .evenodd
        return result
      case .group where node.isUse && node.children.count == 1: node = node.children[0]
      default: return nil
      }
    }
  }

  func paintClip(_ coverage: SVGMaskingContent, _ bounds: DisplayRect?, _ viewport: SVGViewport) throws {
    guard var inner = entering(coverage.node) else { return }
    inner.isSilhouette = true
    var group = Group()
    group.operation = .mask(luminance: false)
    pushGroup(group)
    let own = try inner.clip(coverage.style, bounds, viewport)
    try inner.withSilhouette(own) { painter in
      painter.pushTransform(coverage.transform)
      for child in coverage.children { try painter.paintSilhouette(child) }
      painter.popTransform()
    }
    popGroup()
  }

  /// A clip path includes shapes, text, and shapes and text referenced directly by `use`.
  private func paintSilhouette(_ node: SVGNode) throws {
    switch node.kind {
    case .shape, .text: try paint(node)
    case .group where node.isUse: if let child = node.children.first, isOutlined(child) { try paint(node) }
    default: break
    }
  }

  private func isOutlined(_ node: SVGNode) -> Bool {
    switch node.kind {
    case .shape, .text: true
    default: false
    }
  }

  func paintMaskContent(_ mask: SVGMaskingContent) throws {
    if let region = mask.region { pushClip(region) }
    pushTransform(mask.transform)
    for child in mask.children { try paint(child) }
    popTransform()
    if mask.region != nil { popClip() }
  }
}

extension PaintContext {
  /// The SVG document that contains the element referenced by a URL, and the fragment identifier.
  func scene(for url: String, _ own: SVGScene?) -> (SVGScene, String)? {
    guard let hash = url.firstIndex(ofByte: "#") else { return nil }
    let id = String(url[hash...])
    if hash == url.startIndex { return (own ?? fragments.scene).map { ($0, id) } }
    return images.documents[String(url[..<hash])].map { ($0, id) }
  }
}
