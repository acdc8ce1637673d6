import OffprintCSS
package import OffprintCoreTypes
import OffprintDOM

// https://www.w3.org/TR/SVG2/shapes.html
extension SVGScene {
  func shape(_ kind: SVGElementKind, _ node: NodeID, _ style: ComputedStyle, _ viewport: SVGViewport) -> VectorPath {
    let svg = style.effects.svg
    switch kind {
    case .path: return pathData(node, style)
    case .rect: return rect(style, viewport)
    case .circle:
      let r = svg.radius.resolve(viewport.diagonal)
      return ellipse(svg, viewport, r, r)
    case .ellipse:
      let (rx, ry) = radii(svg, viewport)
      return ellipse(svg, viewport, rx, ry)
    case .line:
      var path = VectorPath()
      func end(_ name: String, _ basis: Double) -> Double { length(name, node, style)?.resolve(basis) ?? 0 }
      path.move(end("x1", viewport.width), end("y1", viewport.height))
      path.line(end("x2", viewport.width), end("y2", viewport.height))
      return path
    case .polyline, .polygon: return polygon(points(node), isClosed: kind == .polygon)
    default: return VectorPath()
    }
  }

  /// The outline of the shape that a URL refers to.
  package func outline(_ url: String) -> VectorPath? {
    guard let node = element(url), let kind = kind(node) else { return nil }
    let path = shape(kind, node, styled.styles[node.index], SVGViewport(width: 0, height: 0))
    return path.elements.isEmpty ? nil : path
  }

  func pathData(_ node: NodeID, _ style: ComputedStyle) -> VectorPath {
    if let data = style.effects.svg.pathData { return VectorPath(svgPath: data.utf8) }
    return attribute("d", node).map { VectorPath(svgPath: $0) } ?? VectorPath()
  }

  /// Empty if there is an error. An odd coordinate at the end is ignored. https://www.w3.org/TR/SVG2/shapes.html#DataTypePoints
  private func points(_ node: NodeID) -> [Double] {
    guard let value = attribute("points", node) else { return [] }
    var scanner = SVGNumberScanner(value), result: [Double] = []
    scanner.skipSpace()
    while result.count < 200_000, let number = scanner.number() {
      result.append(number)
      scanner.skipSpaceAndComma()
    }
    return scanner.isAtEnd || result.count == 200_000 ? result : []
  }

  private func polygon(_ numbers: [Double], isClosed: Bool) -> VectorPath {
    var path = VectorPath()
    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
      if index == 0 { path.move(numbers[0], numbers[1]) } else { path.line(numbers[index], numbers[index + 1]) }
    }
    if isClosed, !path.elements.isEmpty { path.close() }
    return path
  }

  private func radii(_ svg: SVGElementStyle, _ viewport: SVGViewport) -> (Double, Double) {
    let x = svg.radiusX?.resolve(viewport.width), y = svg.radiusY?.resolve(viewport.height)
    return (x ?? y ?? 0, y ?? x ?? 0)
  }

  private func ellipse(_ svg: SVGElementStyle, _ viewport: SVGViewport, _ rx: Double, _ ry: Double) -> VectorPath {
    guard rx > 0, ry > 0 else { return VectorPath() }
    let x = svg.centerX.resolve(viewport.width), y = svg.centerY.resolve(viewport.height)
    let kx = VectorPath.kappa * rx, ky = VectorPath.kappa * ry
    var path = VectorPath()
    path.move(x + rx, y)
    path.cubic(x + rx, y + ky, x + kx, y + ry, x, y + ry)
    path.cubic(x - kx, y + ry, x - rx, y + ky, x - rx, y)
    path.cubic(x - rx, y - ky, x - kx, y - ry, x, y - ry)
    path.cubic(x + kx, y - ry, x + rx, y - ky, x + rx, y)
    path.close()
    return path
  }

  /// https://www.w3.org/TR/SVG2/shapes.html#RectElement
  private func rect(_ style: ComputedStyle, _ viewport: SVGViewport) -> VectorPath {
    func side(_ value: SizeValue, _ basis: Double) -> Double {
      if case .value(let value) = value { return value.resolve(basis) }
      return 0
    }
    let svg = style.effects.svg
    let x = svg.x.resolve(viewport.width), y = svg.y.resolve(viewport.height)
    let width = side(style.box.width, viewport.width), height = side(style.box.height, viewport.height)
    guard width > 0, height > 0 else { return VectorPath() }
    var (rx, ry) = radii(svg, viewport)
    (rx, ry) = (min(rx, width / 2), min(ry, height / 2))
    var path = VectorPath()
    if rx <= 0 || ry <= 0 {
      path.move(x, y)
      path.line(x + width, y)
      path.line(x + width, y + height)
      path.line(x, y + height)
      path.close()
    } else {
      path.add(
        RoundedRect(DisplayRect(x: x, y: y, width: width, height: height), radii: PhysicalCorners(all: DisplayRadius(rx, ry))))
    }
    return path
  }
}
