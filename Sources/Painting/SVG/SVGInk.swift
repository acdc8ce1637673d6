import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

/// A resolved `fill` or `stroke` paint. https://www.w3.org/TR/SVG2/painting.html#SpecifyingPaint
indirect enum SVGInk {
  case none
  case color(Color)
  /// The transform maps the space of the gradient to that of the shape.
  case gradient(ResolvedGradient, AffineTransform)
  /// The transform maps the space of the pattern to that of the shape.
  case pattern(NodeID, SVGScene, bounds: DisplayRect, SVGViewport, opacity: Float, AffineTransform)
}

extension SVGPainter {
  /// - Parameter bounds: The bounding box of the element, for `objectBoundingBox` units.
  func ink(
    _ paint: SVGPaint, _ opacity: Float, _ style: ComputedStyle, _ bounds: DisplayRect?, _ viewport: SVGViewport
  ) -> SVGInk {
    switch paint {
    case .none: return .none
    case .color(let color): return colored(color.resolve(style.text.color), opacity)
    case .contextFill: return rebased(contextFill)
    case .contextStroke: return rebased(contextStroke)
    case .server(let url, let fallback):
      if let (scene, id) = context.scene(for: url.text, scene), let server = scene.paintServer(id) {
        if let ink = ink(server, scene, opacity, bounds, viewport) { return ink }
      }
      switch fallback {
      case .color(let color)?: return colored(color.resolve(style.text.color), opacity)
      case .some(.none), nil: return .none
      }
    }
  }

  /// A paint of the context element, converted from its space to the current one.
  private func rebased(_ ink: SVGInk) -> SVGInk {
    guard let back = recorder.transform.inverse else { return .none }
    let change = back.concatenating(contextSpace)
    switch ink {
    case .none, .color: return ink
    case .gradient(let gradient, let transform): return .gradient(gradient, change.concatenating(transform))
    case .pattern(let node, let scene, let bounds, let viewport, let opacity, let transform):
      return .pattern(node, scene, bounds: bounds, viewport, opacity: opacity, change.concatenating(transform))
    }
  }

  private func colored(_ color: Color, _ opacity: Float) -> SVGInk {
    var color = color
    color.alpha *= opacity
    return color.isTransparent ? .none : .color(color)
  }

  private func ink(
    _ server: SVGPaintServer, _ scene: SVGScene, _ opacity: Float, _ bounds: DisplayRect?, _ viewport: SVGViewport
  ) -> SVGInk? {
    switch server {
    case .gradient(let gradient): return ink(gradient, scene, opacity, bounds, viewport)
    case .pattern(let node):
      guard !active.contains(node) else { return SVGInk.none }
      guard scene.hasTiles(node) else { return nil }
      return .pattern(
        node, scene, bounds: bounds ?? DisplayRect(x: 0, y: 0, width: 0, height: 0), viewport, opacity: opacity, .identity)
    }
  }

  /// https://www.w3.org/TR/SVG2/pservers.html#Gradients
  private func ink(
    _ gradient: SVGGradient, _ scene: SVGScene, _ opacity: Float, _ bounds: DisplayRect?, _ viewport: SVGViewport
  ) -> SVGInk? {
    guard let last = gradient.stops.last else { return SVGInk.none }
    if gradient.stops.count == 1 { return colored(last.color, opacity) }
    var transform = scene.gradientTransform(gradient, viewport)
    if gradient.usesBoundingBox {
      guard let bounds, bounds.width > 0, bounds.height > 0 else { return nil }
      transform = AffineTransform(a: bounds.width, b: 0, c: 0, d: bounds.height, e: bounds.x, f: bounds.y).concatenating(transform)
    }
    guard transform.isFinite, transform.inverted != nil || abs(transform.determinant) > 1e-18 else { return SVGInk.none }
    let geometry: ResolvedGradient.Geometry
    switch gradient.shape(viewport) {
    case .linear(let from, let to):
      guard from != to else { return colored(last.color, opacity) }
      geometry = .linear(from: from, to: to)
    case .radial(let center, let radius, let focus, let focalRadius):
      guard radius > 0 else { return colored(last.color, opacity) }
      geometry =
        focus == center && focalRadius <= 0
        ? .radial(center: center, rx: radius, ry: radius)
        : .conical(focus: focus, focalRadius: max(0, focalRadius), center: center, radius: radius)
    }
    return .gradient(
      ResolvedGradient(
        geometry: geometry, stops: Self.stops(gradient, opacity), isRepeating: gradient.spread != .pad,
        interpolation: gradient.isLinearRGB ? .srgbLinear : .srgb, isPremultiplied: false), transform)
  }

  /// Stops at offsets 0 to 1; with `spreadMethod="reflect"` 0 to 2.
  private static func stops(_ gradient: SVGGradient, _ opacity: Float) -> [ResolvedGradient.Stop] {
    var stops = gradient.stops.map { stop in
      var color = stop.color
      color.alpha *= opacity
      return ResolvedGradient.Stop(offset: stop.offset, color: color)
    }
    guard gradient.spread != .pad, let first = stops.first, let last = stops.last else { return stops }
    if first.offset > 0 { stops.insert(ResolvedGradient.Stop(offset: 0, color: first.color), at: 0) }
    if last.offset < 1 { stops.append(ResolvedGradient.Stop(offset: 1, color: last.color)) }
    guard gradient.spread == .reflect else { return stops }
    return stops + stops.reversed().map { ResolvedGradient.Stop(offset: 2 - $0.offset, color: $0.color) }
  }

  // MARK: Filling

  /// Fills the interior of `clip`, which changes only `bounds`.
  func paint(_ ink: SVGInk, _ clip: ClipShape, _ bounds: DisplayRect) throws {
    switch ink {
    case .none: return
    case .color(let color):
      switch clip {
      case .path(let path): recorder.add(.fillPath(path, color), bounds)
      case .stroke(let path, let stroke): recorder.add(.strokePath(path, stroke, color), bounds)
      case .rect, .rounded: break
      }
    case .gradient(let gradient, let transform):
      guard let inverse = transform.inverse else { return }
      recorder.pushClip(clip, bounds)
      pushTransform(transform)
      let area = inverse.mapRect(bounds.insetBy(-1))
      recorder.add(
        .pattern(Pattern(source: .gradient(gradient), tile: DisplayRect(x: 0, y: 0, width: 1, height: 1), area: RoundedRect(area))), area)
      popTransform()
      popClip()
    case .pattern(let node, let scene, let box, let viewport, let opacity, let space):
      recorder.pushClip(clip, bounds)
      if let inverse = space.inverse {
        pushTransform(space)
        try paintPattern(node, scene, box, viewport, opacity, over: inverse.mapRect(bounds))
        popTransform()
      }
      popClip()
    }
  }

  private static let largestTile = 4096.0

  /// Paints one tile at the resolution of the image and repeats it. https://www.w3.org/TR/SVG2/pservers.html#Patterns
  private func paintPattern(
    _ node: NodeID, _ scene: SVGScene, _ box: DisplayRect, _ viewport: SVGViewport, _ opacity: Float, over bounds: DisplayRect
  ) throws {
    guard var inner = entering(node), let pattern = try scene.pattern(node, box, viewport), let inverse = pattern.transform.inverse else {
      return
    }
    inner.isSilhouette = false
    let total = recorder.transform.concatenating(pattern.transform)
    let scaleX = (total.a * total.a + total.b * total.b).squareRoot(), scaleY = (total.c * total.c + total.d * total.d).squareRoot()
    let wide = pattern.tile.width * scaleX, high = pattern.tile.height * scaleY
    guard wide.isFinite, high.isFinite, wide > 0, high > 0 else { return }
    let width = max(1, min(wide.rounded(.up), Self.largestTile)), height = max(1, min(high.rounded(.up), Self.largestTile))
    let list = try inner.record(width: Int(width), height: Int(height)) { painter in
      painter.pushTransform(
        AffineTransform.scaling(width / pattern.tile.width, height / pattern.tile.height).concatenating(pattern.contentTransform))
      for child in pattern.children { try painter.paint(child) }
      painter.popTransform()
    }
    guard !list.items.isEmpty else { return }
    var group = Group()
    group.opacity = opacity
    if opacity < 1 { pushGroup(group) }
    pushTransform(pattern.transform)
    let area = inverse.mapRect(bounds)
    var tiles = Pattern(source: .list(list), tile: pattern.tile, area: RoundedRect(area))
    tiles.periodX = pattern.tile.width
    tiles.periodY = pattern.tile.height
    recorder.add(.pattern(tiles), area)
    popTransform()
    if opacity < 1 { popGroup() }
  }

  /// Records what `body` paints into a separate list.
  func record(width: Int, height: Int, _ body: (SVGPainter) throws -> Void) throws -> DisplayList {
    let own = DisplayListRecorder(bounds: PixelRect(x: 0, y: 0, width: width, height: height))
    var painter = self
    let inner = context.with(own)
    painter = SVGPainter(inner, scene)
    painter.active = active
    painter.contextFill = contextFill
    painter.contextStroke = contextStroke
    try body(painter)
    return own.list
  }
}

extension AffineTransform {
  /// The inverse, also for transforms with determinants too small for `inverted`.
  var inverse: AffineTransform? {
    let det = determinant
    guard det.isFinite, abs(det) > 1e-24 else { return nil }
    return AffineTransform(
      a: d / det, b: -b / det, c: -c / det, d: a / det, e: (c * f - d * e) / det, f: (b * e - a * f) / det)
  }
}
