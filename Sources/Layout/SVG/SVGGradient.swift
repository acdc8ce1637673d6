import OffprintCSS
public import OffprintCoreTypes
import OffprintDOM

/// A gradient with the attributes inherited from its templates. https://www.w3.org/TR/SVG2/pservers.html#Gradients
public struct SVGGradient {
  public enum Shape: Hashable, Sendable {
    case linear(DisplayPoint, DisplayPoint)
    case radial(center: DisplayPoint, radius: Double, focus: DisplayPoint, focalRadius: Double)
  }
  public enum Spread: Hashable, Sendable { case pad, reflect, `repeat` }
  public struct Stop: Hashable, Sendable {
    public var offset: Float
    public var color: Color
  }
  public var usesBoundingBox = true
  public var spread = Spread.pad
  public var stops: [Stop] = []
  public var isLinearRGB = false
  var isRadial = false
  /// The lengths of attributes by name.
  var lengths: [ByteString: SVGLength] = [:]
  var node: NodeID

  private func length(_ name: String, _ fallback: SVGLength, _ basis: Double) -> Double {
    (lengths[name] ?? fallback).resolve(basis)
  }

  /// The geometry, in fractions of the bounding box or in user space.
  public func shape(_ viewport: SVGViewport) -> Shape {
    let view = usesBoundingBox ? SVGViewport(width: 1, height: 1) : viewport
    func percent(_ value: Double) -> SVGLength { SVGLength(value: value, isPercentage: true) }
    if !isRadial {
      return .linear(
        DisplayPoint(length("x1", percent(0), view.width), length("y1", percent(0), view.height)),
        DisplayPoint(length("x2", percent(100), view.width), length("y2", percent(0), view.height)))
    }
    let center = DisplayPoint(length("cx", percent(50), view.width), length("cy", percent(50), view.height))
    return .radial(
      center: center, radius: length("r", percent(50), view.diagonal),
      focus: DisplayPoint(
        lengths["fx"]?.resolve(view.width) ?? center.x, lengths["fy"]?.resolve(view.height) ?? center.y),
      focalRadius: length("fr", percent(0), view.diagonal))
  }
}

extension SVGScene {
  /// The chain of elements referenced by `href`, starting with the element itself.
  /// https://www.w3.org/TR/SVG2/pservers.html#PaintServerTemplates
  func templates(_ node: NodeID, _ kinds: Set<SVGElementKind>) -> [NodeID] {
    var chain: [NodeID] = []
    var next: NodeID? = node
    while let current = next, chain.count < 64, !chain.contains(current), let kind = kind(current), kinds.contains(kind) {
      chain.append(current)
      next = href(current).flatMap { element($0) }
    }
    return chain
  }

  func makeGradient(_ node: NodeID) -> SVGGradient? {
    guard let kind = kind(node), kind == .linearGradient || kind == .radialGradient else { return nil }
    let chain = templates(node, [.linearGradient, .radialGradient])
    var gradient = SVGGradient(node: node)
    gradient.isRadial = kind == .radialGradient
    let style = styled.styles[node.index]
    gradient.isLinearRGB = style.svg.colorInterpolation == .linearRGB
    for name in gradient.isRadial ? ["cx", "cy", "r", "fx", "fy", "fr"] : ["x1", "y1", "x2", "y2"] {
      for element in chain where self.kind(element) == kind {
        if let length = length(name, element, styled.styles[element.index]) { gradient.lengths[name] = length; break }
      }
    }
    if let units = chain.lazy.compactMap({ self.text("gradientUnits", $0) }).first { gradient.usesBoundingBox = units != "userSpaceOnUse" }
    switch chain.lazy.compactMap({ self.text("spreadMethod", $0) }).first {
    case "reflect": gradient.spread = .reflect
    case "repeat": gradient.spread = .repeat
    default: gradient.spread = .pad
    }
    // A gradient that is not rendered paints nothing.
    guard style.box.display != .none else { return gradient }
    gradient.stops = chain.lazy.map { self.stops($0) }.first { !$0.isEmpty } ?? []
    return gradient
  }

  /// The transform of a gradient or pattern, or that of its first template with one.
  func templateTransform(_ chain: [NodeID], _ viewport: SVGViewport) -> AffineTransform {
    for node in chain where styled.styles[node.index].effects.hasTransform {
      return transform(styled.styles[node.index], viewport, node, nil)
    }
    return .identity
  }

  public func gradientTransform(_ gradient: SVGGradient, _ viewport: SVGViewport) -> AffineTransform {
    templateTransform(templates(gradient.node, [.linearGradient, .radialGradient]), viewport)
  }

  /// A stop's offset, a number or percentage.
  private func offset(_ node: NodeID) -> Double? {
    guard let value = attribute("offset", node) else { return nil }
    var scanner = SVGNumberScanner(value)
    scanner.skipSpace()
    guard let number = scanner.number() else { return nil }
    let isPercentage = scanner.skip(UInt8(ascii: "%"))
    scanner.skipSpace()
    return scanner.isAtEnd ? isPercentage ? number / 100 : number : nil
  }

  /// https://www.w3.org/TR/SVG2/pservers.html#StopNotes
  private func stops(_ node: NodeID) -> [SVGGradient.Stop] {
    var result: [SVGGradient.Stop] = []
    for child in document.elementChildren(of: node) where kind(child) == .stop && result.count < 10_000 {
      let style = styled.styles[child.index], svg = style.effects.svg
      let offset = Float(min(max(offset(child) ?? 0, 0), 1))
      var color = svg.stopColor.resolve(style.text.color)
      color.alpha *= svg.stopOpacity
      result.append(SVGGradient.Stop(offset: max(offset, result.last?.offset ?? 0), color: color))
    }
    return result
  }
}
