public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM

/// A `pattern` element resolved for the element that it paints. https://www.w3.org/TR/SVG2/pservers.html#Patterns
public struct SVGPattern {
  /// The rectangle of the first tile, in the pattern's coordinate system.
  public var tile: DisplayRect
  public var transform: AffineTransform
  /// Maps the contents to the tile's coordinate system, whose origin is the top left corner of the tile.
  public var contentTransform: AffineTransform
  public var children: [SVGNode]
}

/// The contents of a `clipPath` or `mask` element.
public struct SVGMaskingContent {
  public var node: NodeID
  public var style: ComputedStyle
  public var children: [SVGNode]
  /// The transform to the user space of the referencing element.
  public var transform: AffineTransform
  /// The masking region; content outside it is not painted. Nil for clip paths.
  public var region: DisplayRect?
}

/// A `marker` element. https://www.w3.org/TR/SVG2/painting.html#MarkerElement
public struct SVGMarker {
  public var node: NodeID
  public var style: ComputedStyle
  public var viewport: SVGViewport
  public var children: [SVGNode]
  /// The transform from the contents to the marker's coordinate system, before rotation and translation to the vertex.
  public var transform: AffineTransform
  /// The clip rectangle in the contents' coordinate system; nil if `overflow` is visible.
  public var clip: DisplayRect?
  /// Whether `markerUnits` is `strokeWidth`.
  public var usesStrokeWidth: Bool
  public var orientation: Orientation
  /// Angles are in degrees.
  public enum Orientation: Hashable, Sendable { case angle(Double), auto, autoStartReverse }
}

public enum SVGPaintServer {
  case gradient(SVGGradient)
  case pattern(NodeID)
}

extension SVGScene {
  /// The SVG element that a URL refers to. It may be an element that is not rendered itself (`display: none`, `defs`).
  private func resource(_ url: String) -> NodeID? {
    guard let node = element(url), document[node].namespace == .svg else { return nil }
    return node
  }

  /// Whether a URL refers to a `mask`, `clipPath` or `filter` element.
  public func hasEffectResource(_ url: String) -> Bool {
    guard let node = resource(url), let kind = kind(node) else { return false }
    return kind == .mask || kind == .clipPath || kind == .filter
  }

  public func paintServer(_ url: String) -> SVGPaintServer? {
    guard let node = resource(url), let kind = kind(node) else { return nil }
    switch kind {
    case .linearGradient, .radialGradient: return gradient(node).map { .gradient($0) }
    case .pattern: return .pattern(node)
    default: return nil
    }
  }

  /// Whether the pattern's `width` and `height` are positive. Otherwise the paint server is invalid.
  /// https://www.w3.org/TR/SVG2/pservers.html#PatternElementWidthAttribute
  public func hasTiles(_ node: NodeID) -> Bool {
    let chain = templates(node, [.pattern])
    return ["width", "height"].allSatisfy { name in
      chain.lazy.compactMap { self.length(name, $0, self.styled.styles[$0.index]) }.first.map { $0.value > 0 } ?? false
    }
  }

  /// Resolves a pattern and its templates; nil if it paints nothing.
  ///
  /// - Parameter bounds: The bounding box of the painted element, for `objectBoundingBox` units.
  public func pattern(_ node: NodeID, _ bounds: DisplayRect, _ viewport: SVGViewport) throws -> SVGPattern? {
    let chain = templates(node, [.pattern])
    func attributeText(_ name: String) -> String? { chain.lazy.compactMap { self.text(name, $0) }.first }
    let usesBoundingBox = attributeText("patternUnits") != "userSpaceOnUse"
    let contentUsesBoundingBox = attributeText("patternContentUnits") == "objectBoundingBox"
    func coordinate(_ name: String, _ basis: Double) -> Double {
      for element in chain {
        if let length = length(name, element, styled.styles[element.index]) { return length.resolve(usesBoundingBox ? 1 : basis) }
      }
      return 0
    }
    var tile = DisplayRect(
      x: coordinate("x", viewport.width), y: coordinate("y", viewport.height), width: coordinate("width", viewport.width),
      height: coordinate("height", viewport.height))
    if usesBoundingBox {
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
    } else if contentUsesBoundingBox {
      content = .scaling(bounds.width, bounds.height)
      inner = SVGViewport(width: 1, height: 1)
    }
    guard let source = chain.first(where: { hasContent($0) }) else { return nil }
    let children = try build(children(SVGReference(node: source)), inner, depth: 1)
    return SVGPattern(tile: tile, transform: templateTransform(chain, viewport), contentTransform: content, children: children)
  }

  /// `overflow: auto` behaves as `visible` in SVG. https://www.w3.org/TR/SVG2/render.html#OverflowAndClipProperties
  package static func clipsOverflow(_ style: ComputedStyle) -> Bool {
    func clips(_ value: Overflow) -> Bool { value == .hidden || value == .clip || value == .scroll }
    return clips(style.box.overflowX) || clips(style.box.overflowY)
  }

  private func hasContent(_ node: NodeID) -> Bool { document.elementChildren(of: node).contains { kind($0) != nil } }

  /// https://drafts.fxtf.org/css-masking-1/#ClipPathElement
  public func clipPath(_ url: String, _ bounds: DisplayRect, _ viewport: SVGViewport) throws -> SVGMaskingContent? {
    guard let node = resource(url), kind(node) == .clipPath else { return nil }
    let style = styled.styles[node.index]
    guard style.box.display != .none else { return nil }
    let usesBoundingBox = text("clipPathUnits", node) == "objectBoundingBox"
    let inner = usesBoundingBox ? SVGViewport(width: 1, height: 1) : viewport
    let units = usesBoundingBox ? Self.boundingBoxTransform(bounds) : .identity
    return SVGMaskingContent(
      node: node, style: style, children: try build(children(SVGReference(node: node)), inner, depth: 1),
      transform: transform(style, viewport, node, bounds).concatenating(units), region: nil)
  }

  static func boundingBoxTransform(_ bounds: DisplayRect) -> AffineTransform {
    AffineTransform(a: bounds.width, b: 0, c: 0, d: bounds.height, e: bounds.x, f: bounds.y)
  }

  /// https://drafts.fxtf.org/css-masking-1/#MaskElement
  public func mask(_ url: String, _ bounds: DisplayRect, _ viewport: SVGViewport) throws -> SVGMaskingContent? {
    guard let node = resource(url), kind(node) == .mask else { return nil }
    let style = styled.styles[node.index]
    guard style.box.display != .none else { return nil }
    let usesBoundingBox = text("maskUnits", node) != "userSpaceOnUse",
      contentUsesBoundingBox = text("maskContentUnits", node) == "objectBoundingBox"
    let region = self.region(node, style, bounds, viewport, usesBoundingBox: usesBoundingBox)
    let inner = contentUsesBoundingBox ? SVGViewport(width: 1, height: 1) : viewport
    return SVGMaskingContent(
      node: node, style: style, children: try build(children(SVGReference(node: node)), inner, depth: 1),
      transform: contentUsesBoundingBox ? Self.boundingBoxTransform(bounds) : .identity, region: region)
  }

  /// The region of a mask or filter from `x`, `y`, `width` and `height`. The default is the bounding box extended by 10 % on each side.
  func region(
    _ node: NodeID, _ style: ComputedStyle, _ bounds: DisplayRect, _ viewport: SVGViewport, usesBoundingBox: Bool
  ) -> DisplayRect {
    func coordinate(_ name: String, _ fallback: Double, _ basis: Double) -> Double {
      let value = length(name, node, style) ?? SVGLength(value: fallback, isPercentage: true)
      return value.resolve(usesBoundingBox ? 1 : basis)
    }
    let rect = DisplayRect(
      x: coordinate("x", -10, viewport.width), y: coordinate("y", -10, viewport.height), width: coordinate("width", 120, viewport.width),
      height: coordinate("height", 120, viewport.height))
    guard usesBoundingBox else { return DisplayRect(x: rect.x, y: rect.y, width: max(0, rect.width), height: max(0, rect.height)) }
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
    func referenceCoordinate(_ name: String, _ basis: Double) -> Double { length(name, node, style)?.resolve(basis) ?? 0 }
    let point = view.map(DisplayPoint(referenceCoordinate("refX", inner.width), referenceCoordinate("refY", inner.height)))
    let clips = Self.clipsOverflow(style)
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

  /// An angle attribute in degrees; 0 if it is missing or invalid.
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
