import OffprintCSS
import OffprintCoreTypes
public import OffprintDOM
import OffprintImages

// Builds trees of shapes from elements. https://www.w3.org/TR/SVG2/struct.html
extension SVGScene {
  private static let deepest = 700

  /// Builds the contents of an outermost `svg` element with a viewport in CSS px.
  ///
  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  public func root(_ node: NodeID, _ viewport: SVGViewport, view: SVGView? = nil) throws -> SVGNode {
    let reference = SVGReference(node: node)
    let box = view?.viewBox ?? viewBox(node)
    var inner = box.map { viewport.resized(width: $0.width, height: $0.height) } ?? viewport
    var result = SVGNode(reference: reference, style: style(reference), kind: .viewport(clip: nil), viewport: inner)
    if let box {
      guard box.width > 0, box.height > 0 else { return result }
      let aspect = view?.aspect ?? aspect(node)
      result.transform = aspect.transform(box, to: DisplayRect(x: 0, y: 0, width: viewport.width, height: viewport.height))
    }
    if let view { result.transform = result.transform.concatenating(view.transform) }
    inner = inner.scaled(by: result.transform)
    result.children = try build(children(reference), inner, depth: 1)
    result.bounds = Self.bounds(result.children)
    return result
  }

  func build(_ references: [SVGReference], _ viewport: SVGViewport, depth: Int) throws -> [SVGNode] {
    guard depth < Self.deepest else { return [] }
    var result: [SVGNode] = []
    for reference in references {
      if let inner = unboxed(reference) {
        try count()
        result += try build(inner, viewport, depth: depth + 1)
      } else if let node = try build(reference, viewport, depth: depth) {
        result.append(node)
      }
    }
    return result
  }

  /// The elements that replace an element with `display: contents`; nil for others. https://drafts.csswg.org/css-display-3/#unbox-svg
  private func unboxed(_ reference: SVGReference) -> [SVGReference]? {
    guard style(reference).box.display == .contents, passesConditions(reference.node) else { return nil }
    switch kind(reference.node) {
    case .g, .svg: return children(reference)
    case .use: return target(reference).map { [$0] } ?? []
    default: return nil
    }
  }

  static func bounds(_ nodes: [SVGNode]) -> DisplayRect? {
    var result: DisplayRect?
    for node in nodes {
      guard let bounds = node.bounds else { continue }
      let mapped = node.transform.mapRect(bounds)
      result = result.map { $0.union(mapped) } ?? mapped
    }
    return result
  }

  /// - Parameter use: The `use` element that shows the element, which may then be a `symbol`.
  func build(_ reference: SVGReference, _ viewport: SVGViewport, depth: Int, by use: SVGReference? = nil) throws -> SVGNode? {
    guard let kind = kind(reference.node) else { return nil }
    try count()
    let style = style(reference)
    guard style.box.display != .none, style.box.display != .contents, passesConditions(reference.node) else { return nil }
    var node = SVGNode(reference: reference, style: style, kind: .group, viewport: viewport)
    let inner = style.effects.hasTransform ? viewport.scaled(by: transform(style, viewport, reference.node, nil)) : viewport
    switch kind {
    case .g, .a: node.children = try build(children(reference), inner, depth: depth + 1)
    case .switch: node.children = try buildSwitch(reference, viewport, depth)
    case .use: try buildUse(&node, depth)
    case .svg: try buildViewport(&node, use, depth)
    case .symbol:
      guard use != nil else { return nil }
      try buildViewport(&node, use, depth)
    case .path, .rect, .circle, .ellipse, .line, .polyline, .polygon:
      var path = shape(kind, reference.node, style, viewport)
      path.evenOdd = style.svg.fillRule == .evenodd
      path.isCrisp = style.svg.shapeRendering == .crispEdges || style.svg.shapeRendering == .optimizeSpeed
      node.kind = .shape(path)
      node.bounds = path.tightBounds
      node.pathLength = number("pathLength", reference.node)
    case .text:
      let text = try layoutText(reference, inner)
      node.kind = .text(text)
      node.bounds = text.bounds
    case .image: buildImage(&node)
    case .foreignObject:
      let rect = rectangle(style, viewport)
      node.kind = .foreign(rect: rect)
      node.bounds = rect
    case .clipPath, .defs, .filter, .linearGradient, .marker, .mask, .pattern, .radialGradient, .stop, .textPath, .tspan: return nil
    }
    if case .group = node.kind { node.bounds = Self.bounds(node.children) }
    let own = transform(style, viewport, reference.node, node.bounds)
    node.transform = own.concatenating(node.transform)
    return node
  }

  private func buildSwitch(_ reference: SVGReference, _ viewport: SVGViewport, _ depth: Int) throws -> [SVGNode] {
    for child in children(reference) where kind(child.node) != nil && passesConditions(child.node) {
      return try build(child, viewport, depth: depth + 1).map { [$0] } ?? []
    }
    return []
  }

  private func buildUse(_ node: inout SVGNode, _ depth: Int) throws {
    node.isUse = true
    let x = node.style.effects.svg.x.resolve(node.viewport.width), y = node.style.effects.svg.y.resolve(node.viewport.height)
    node.transform = .translation(x, y)
    guard depth < Self.deepest, let target = target(node.reference),
      let child = try build(target, node.viewport, depth: depth + 1, by: node.reference)
    else { return }
    node.children = [child]
  }

  /// A nested `svg` element, or a symbol. https://www.w3.org/TR/SVG2/coords.html#EstablishingANewSVGViewport
  private func buildViewport(_ node: inout SVGNode, _ use: SVGReference?, _ depth: Int) throws {
    let outer = node.viewport, element = node.reference.node, style = node.style
    // In Chromium the attributes of `width` and `height` apply here, not the properties.
    func side(_ name: String, _ basis: Double) -> Double {
      if let use, let length = length(name, use.node, style), length.value >= 0 { return length.resolve(basis) }
      return length(name, element, style).map { max(0, $0.resolve(basis)) } ?? basis
    }
    let rect = DisplayRect(
      x: length("x", element, style)?.resolve(outer.width) ?? 0, y: length("y", element, style)?.resolve(outer.height) ?? 0,
      width: side("width", outer.width), height: side("height", outer.height))
    node.kind = .viewport(clip: nil)
    guard rect.width > 0, rect.height > 0 else { return }
    let box = viewBox(element)
    if let box {
      guard box.width > 0, box.height > 0 else { return }
      node.transform = aspect(element).transform(box, to: rect)
    } else {
      node.transform = .translation(rect.x, rect.y)
    }
    let clips = Self.clipsOverflow(style)
    if clips, let inverse = node.transform.inverted { node.kind = .viewport(clip: inverse.mapRect(rect)) }
    let inner = outer.resized(width: box?.width ?? rect.width, height: box?.height ?? rect.height).scaled(by: node.transform)
    node.children = try build(children(node.reference), inner, depth: depth + 1)
    node.bounds = Self.bounds(node.children)
    if case .viewport(let clip?) = node.kind, let bounds = node.bounds { node.bounds = bounds.intersection(clip) }
  }

  private func rectangle(_ style: ComputedStyle, _ viewport: SVGViewport) -> DisplayRect {
    func side(_ value: SizeValue, _ basis: Double) -> Double {
      if case .value(let value) = value { return max(0, value.resolve(basis)) }
      return 0
    }
    let svg = style.effects.svg
    return DisplayRect(
      x: svg.x.resolve(viewport.width), y: svg.y.resolve(viewport.height), width: side(style.box.width, viewport.width),
      height: side(style.box.height, viewport.height))
  }

  /// https://www.w3.org/TR/SVG2/embedded.html#ImageElement
  private func buildImage(_ node: inout SVGNode) {
    guard let image = elementImage(node.reference.node) else { return }
    var rect = rectangle(node.style, node.viewport)
    let hasWidth = !node.style.box.width.isAuto, hasHeight = !node.style.box.height.isAuto
    let ratio = image.ratio ?? 0
    let natural = Self.naturalSize(image)
    if !hasWidth { rect.width = hasHeight && ratio > 0 ? rect.height * ratio : natural.width }
    if !hasHeight { rect.height = hasWidth && ratio > 0 ? rect.width / ratio : natural.height }
    guard rect.width > 0, rect.height > 0 else { return }
    let rendering = node.style.text.imageRendering
    node.kind = .image(
      image, rect: rect,
      SVGImageFit(aspect: aspect(node.reference.node), isSmooth: rendering != .pixelated && rendering != .crispEdges))
    node.bounds = rect
  }

  /// The default object size of 300 × 150 is used for missing dimensions. https://drafts.csswg.org/css-images-3/#default-sizing
  private static func naturalSize(_ image: DecodedImage) -> (width: Double, height: Double) {
    let ratio = image.ratio ?? 0
    switch (image.intrinsicWidth, image.intrinsicHeight) {
    case (let width?, let height?): return (width, height)
    case (let width?, nil): return (width, ratio > 0 ? width / ratio : 150)
    case (nil, let height?): return (ratio > 0 ? height * ratio : 300, height)
    case (nil, nil) where ratio > 0: return ratio > 2 ? (300, 300 / ratio) : (150 * ratio, 150)
    case (nil, nil): return (300, 150)
    }
  }

  // MARK: Transforms

  /// https://drafts.csswg.org/css-transforms-1/#transform-rendering
  func transform(_ style: ComputedStyle, _ viewport: SVGViewport, _ node: NodeID, _ bounds: DisplayRect?) -> AffineTransform {
    let effects = style.effects
    guard effects.hasTransform else { return .identity }
    var box = DisplayRect(x: 0, y: 0, width: viewport.width, height: viewport.height)
    switch effects.transformBox {
    case .fillBox, .contentBox: box = bounds ?? DisplayRect(x: 0, y: 0, width: 0, height: 0)
    case .strokeBox, .borderBox: box = strokeBounds(bounds, style, viewport) ?? DisplayRect(x: 0, y: 0, width: 0, height: 0)
    default: break
    }
    let x = box.x + effects.transformOrigin.x.resolve(box.width), y = box.y + effects.transformOrigin.y.resolve(box.height)
    var result = AffineTransform.translation(x, y)
    for case let function? in [effects.translate, effects.rotate, effects.scale] {
      result = result.concatenating(Self.matrix(function, box.width, box.height))
    }
    if let motion = motion(effects.motion, box, origin: DisplayPoint(x, y)) { result = result.concatenating(motion) }
    for function in effects.transform { result = result.concatenating(Self.matrix(function, box.width, box.height)) }
    result = result.concatenating(.translation(-x, -y))
    return result.isFinite ? result : .identity
  }

  /// https://drafts.fxtf.org/motion-1/: motion paths in the coordinates of the element.
  private func motion(_ motion: MotionStyle, _ box: DisplayRect, origin: DisplayPoint) -> AffineTransform? {
    let path: VectorPath
    switch motion.path {
    case .shape(.path(_, let data), _, _): path = VectorPath(svgPath: data.utf8)
    case .reference(let url):
      guard let outline = outline(url.text) else { return nil }
      path = outline
    default: return nil
    }
    let place = MotionPosition(on: path, at: motion.distance)
    let angle = (motion.rotation.isAuto ? place.angle : 0) + Double(motion.rotation.angle)
    let matrix = AffineTransform.translation(place.point.x - origin.x, place.point.y - origin.y).concatenating(SVGMath.rotation(angle))
    guard let anchor = motion.anchor else { return matrix }
    let at = DisplayPoint(box.x + anchor.x.resolve(box.width), box.y + anchor.y.resolve(box.height))
    return matrix.concatenating(.translation(origin.x - at.x, origin.y - at.y))
  }

  func strokeBounds(_ bounds: DisplayRect?, _ style: ComputedStyle, _ viewport: SVGViewport) -> DisplayRect? {
    guard let bounds, style.svg.stroke != .none else { return bounds }
    return bounds.insetBy(-style.svg.strokeWidth.resolve(viewport.diagonal) / 2)
  }

  private static func matrix(_ function: TransformFunction, _ width: Double, _ height: Double) -> AffineTransform {
    switch function {
    case .translate(let x, let y, _): .translation(x.resolve(width), y.resolve(height))
    case .scale(let x, let y, _): .scaling(Double(x), Double(y))
    case .rotate(let angle): SVGMath.rotation(Double(angle))
    case .rotate3d(let x, let y, let z, let angle): SVGMath.flattened(x, y, z, angle)
    case .skew(let x, let y): SVGMath.skew(Double(x), Double(y))
    case .matrix(let a, let b, let c, let d, let e, let f):
      AffineTransform(a: Double(a), b: Double(b), c: Double(c), d: Double(d), e: Double(e), f: Double(f))
    case .matrix3d(let m) where m.count == 16:
      AffineTransform(a: Double(m[0]), b: Double(m[1]), c: Double(m[4]), d: Double(m[5]), e: Double(m[12]), f: Double(m[13]))
    case .interpolation(let mixture): matrix(mixture.resolved(width, height), width, height)
    case .matrix3d, .perspective: .identity
    }
  }
}
