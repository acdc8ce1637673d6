public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM

/// https://www.w3.org/TR/SVG2/pservers.html#Patterns
public struct SVGPattern {
  /// One tile in the pattern's coordinate system.
  public var tile: DisplayRect
  public var transform: AffineTransform
  /// The transform from the contents to the tile's coordinate system, whose origin is the corner of the tile.
  public var contentTransform: AffineTransform
  public var children: [SVGNode]
  public var clips: Bool
}

/// The contents of a `clipPath` or `mask` element.
public struct SVGMaskingContent {
  public var node: NodeID
  public var style: ComputedStyle
  public var children: [SVGNode]
  /// The transform to the user space of the referencing element.
  public var transform: AffineTransform
  /// For masks: everything outside is masked.
  public var region: DisplayRect?
}

public struct SVGMarker {
  public var node: NodeID
  public var style: ComputedStyle
  public var viewport: SVGViewport
  public var children: [SVGNode]
  /// The transform from the contents to the marker's coordinate system, before rotation and translation to the vertex.
  public var transform: AffineTransform
  public var clip: DisplayRect?
  public var usesStrokeWidth: Bool
  public var orientation: Orientation
  public enum Orientation: Hashable, Sendable { case angle(Double), auto, autoStartReverse }
}

public enum SVGPaintServer {
  case gradient(SVGGradient)
  case pattern(NodeID)
}

extension SVGScene {
  /// The SVG element of a reference. Elements that are not rendered may be resources too.
  private func resource(_ url: String) -> NodeID? {
    guard let node = element(url), document[node].namespace == .svg else { return nil }
    return node
  }

  /// Whether a reference refers to a mask, clip path or filter.
  public func hasResource(_ url: String) -> Bool {
    guard let node = resource(url), let kind = kind(node) else { return false }
    return kind == .mask || kind == .clipPath || kind == .filter
  }

  public func server(_ url: String) -> SVGPaintServer? {
    guard let node = resource(url), let kind = kind(node) else { return nil }
    switch kind {
    case .linearGradient, .radialGradient: return gradient(node).map { .gradient($0) }
    case .pattern: return .pattern(node)
    default: return nil
    }
  }

  /// Whether a pattern has tiles. A pattern without tiles is an invalid paint server.
  /// https://www.w3.org/TR/SVG2/pservers.html#PatternElementWidthAttribute
  public func hasTiles(_ node: NodeID) -> Bool {
    let chain = templates(node, [.pattern])
    return ["width", "height"].allSatisfy { name in
      chain.lazy.compactMap { self.length(name, $0, self.styled.styles[$0.index]) }.first.map { $0.value > 0 } ?? false
    }
  }

  /// - Parameter bounds: The bounding box of the painted element.
  public func pattern(_ node: NodeID, _ bounds: DisplayRect, _ viewport: SVGViewport) throws -> SVGPattern? {
    let chain = templates(node, [.pattern])
    func value(_ name: String) -> String? { chain.lazy.compactMap { self.text(name, $0) }.first }
    let usesBox = value("patternUnits") != "userSpaceOnUse", contentUsesBox = value("patternContentUnits") == "objectBoundingBox"
    func side(_ name: String, _ basis: Double) -> Double {
      for element in chain {
        if let length = length(name, element, styled.styles[element.index]) { return length.resolve(usesBox ? 1 : basis) }
      }
      return 0
    }
    var tile = DisplayRect(
      x: side("x", viewport.width), y: side("y", viewport.height), width: side("width", viewport.width),
      height: side("height", viewport.height))
    if usesBox {
      tile = DisplayRect(
        x: bounds.x + tile.x * bounds.width, y: bounds.y + tile.y * bounds.height, width: tile.width * bounds.width,
        height: tile.height * bounds.height)
    }
    guard tile.width > 0, tile.height > 0 else { return nil }
    let boxNode = chain.first { self.attribute("viewBox", $0) != nil }
    var content = AffineTransform.identity
    var inner = viewport
    if let boxNode, let box = viewBox(boxNode) {
      guard box.width > 0, box.height > 0 else { return nil }
      let aspectNode = chain.first { self.attribute("preserveAspectRatio", $0) != nil } ?? node
      content = aspect(aspectNode).transform(box, to: DisplayRect(x: 0, y: 0, width: tile.width, height: tile.height))
      inner = SVGViewport(width: box.width, height: box.height)
    } else if contentUsesBox {
      content = .scaling(bounds.width, bounds.height)
      inner = SVGViewport(width: 1, height: 1)
    }
    guard let source = chain.first(where: { hasContent($0) }) else { return nil }
    let style = styled.styles[source.index]
    let children = try build(children(SVGReference(node: source)), inner, depth: 1)
    return SVGPattern(
      tile: tile, transform: templateTransform(chain, viewport), contentTransform: content, children: children,
      clips: Self.clips(style))
  }

  /// `overflow: auto` behaves as `visible` in SVG. https://www.w3.org/TR/SVG2/render.html#OverflowAndClipProperties
  package static func clips(_ style: ComputedStyle) -> Bool {
    func hides(_ value: Overflow) -> Bool { value == .hidden || value == .clip || value == .scroll }
    return hides(style.box.overflowX) || hides(style.box.overflowY)
  }

  private func hasContent(_ node: NodeID) -> Bool { document.elementChildren(of: node).contains { kind($0) != nil } }

  /// https://drafts.fxtf.org/css-masking-1/#ClipPathElement
  public func clipPath(_ url: String, _ bounds: DisplayRect, _ viewport: SVGViewport) throws -> SVGMaskingContent? {
    guard let node = resource(url), kind(node) == .clipPath else { return nil }
    let style = styled.styles[node.index]
    guard style.box.display != .none else { return nil }
    let usesBox = text("clipPathUnits", node) == "objectBoundingBox"
    let inner = usesBox ? SVGViewport(width: 1, height: 1) : viewport
    let units = usesBox ? Self.unitTransform(bounds) : .identity
    return SVGMaskingContent(
      node: node, style: style, children: try build(children(SVGReference(node: node)), inner, depth: 1),
      transform: transform(style, viewport, node, bounds).concatenating(units), region: nil)
  }

  static func unitTransform(_ b: DisplayRect) -> AffineTransform {
    AffineTransform(a: b.width, b: 0, c: 0, d: b.height, e: b.x, f: b.y)
  }

  /// https://drafts.fxtf.org/css-masking-1/#MaskElement
  public func mask(_ url: String, _ bounds: DisplayRect, _ viewport: SVGViewport) throws -> SVGMaskingContent? {
    guard let node = resource(url), kind(node) == .mask else { return nil }
    let style = styled.styles[node.index]
    guard style.box.display != .none else { return nil }
    let usesBox = text("maskUnits", node) != "userSpaceOnUse", contentUsesBox = text("maskContentUnits", node) == "objectBoundingBox"
    let region = self.region(node, style, bounds, viewport, usesBox: usesBox)
    let inner = contentUsesBox ? SVGViewport(width: 1, height: 1) : viewport
    return SVGMaskingContent(
      node: node, style: style, children: try build(children(SVGReference(node: node)), inner, depth: 1),
      transform: contentUsesBox ? Self.unitTransform(bounds) : .identity, region: region)
  }

  /// The region of a mask or filter from `x`, `y`, `width` and `height`. By default it extends the bounding box by a tenth on each side.
  func region(
    _ node: NodeID, _ style: ComputedStyle, _ bounds: DisplayRect, _ viewport: SVGViewport, usesBox: Bool
  ) -> DisplayRect {
    func part(_ name: String, _ fallback: Double, _ basis: Double) -> Double {
      let value = length(name, node, style) ?? SVGLength(value: fallback, isPercentage: true)
      return value.resolve(usesBox ? 1 : basis)
    }
    let rect = DisplayRect(
      x: part("x", -10, viewport.width), y: part("y", -10, viewport.height), width: part("width", 120, viewport.width),
      height: part("height", 120, viewport.height))
    guard usesBox else { return DisplayRect(x: rect.x, y: rect.y, width: max(0, rect.width), height: max(0, rect.height)) }
    return DisplayRect(
      x: bounds.x + rect.x * bounds.width, y: bounds.y + rect.y * bounds.height, width: max(0, rect.width * bounds.width),
      height: max(0, rect.height * bounds.height))
  }

  /// https://www.w3.org/TR/SVG2/painting.html#MarkerElement
  public func marker(_ url: String) throws -> SVGMarker? {
    guard let node = resource(url), kind(node) == .marker else { return nil }
    let style = styled.styles[node.index]
    guard style.box.display != .none else { return nil }
    let width = length("markerWidth", node, style)?.value ?? 3, height = length("markerHeight", node, style)?.value ?? 3
    guard width > 0, height > 0 else { return nil }
    var view = AffineTransform.identity
    var inner = SVGViewport(width: width, height: height)
    if let box = viewBox(node) {
      guard box.width > 0, box.height > 0 else { return nil }
      view = aspect(node).transform(box, to: DisplayRect(x: 0, y: 0, width: width, height: height))
      inner = SVGViewport(width: box.width, height: box.height)
    }
    func reference(_ name: String, _ basis: Double) -> Double { length(name, node, style)?.resolve(basis) ?? 0 }
    let point = view.map(DisplayPoint(reference("refX", inner.width), reference("refY", inner.height)))
    let clips = Self.clips(style)
    let transform = AffineTransform.translation(-point.x, -point.y).concatenating(view)
    let orientation: SVGMarker.Orientation =
      switch text("orient", node) {
      case "auto": .auto
      case "auto-start-reverse": .autoStartReverse
      default: .angle(angle("orient", node))
      }
    return SVGMarker(
      node: node, style: style, viewport: inner,
      children: try build(children(SVGReference(node: node)), inner, depth: 1), transform: transform,
      clip: clips ? view.inverted?.mapRect(DisplayRect(x: 0, y: 0, width: width, height: height)) : nil,
      usesStrokeWidth: text("markerUnits", node) != "userSpaceOnUse", orientation: orientation)
  }

  private func angle(_ name: String, _ node: NodeID) -> Double {
    guard let value = attribute(name, node) else { return 0 }
    var scanner = SVGNumberScanner(value)
    scanner.skipSpace()
    guard let number = scanner.number() else { return 0 }
    switch scanner.word() {
    case "rad": return number * 180 / .pi
    case "grad": return number * 0.9
    case "turn": return number * 360
    default: return number
    }
  }
}
