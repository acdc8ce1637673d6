import OffprintCSS
import OffprintCoreTypes
import Glibc
import OffprintLayout

// https://www.w3.org/TR/SVG2/painting.html
extension SVGPainter {
  func paintShape(_ node: SVGNode, _ path: VectorPath) throws {
    let style = node.style
    if isSilhouette {
      var path = path
      path.evenOdd = style.svg.clipRule == .evenodd
      recorder.add(.fillPath(path, .black), path.bounds)
      return
    }
    for part in style.svg.paintOrder.parts {
      switch part {
      case .fill:
        try paint(ink(style.svg.fill, style.svg.fillOpacity, style, node.bounds, node.viewport), .path(path), path.bounds)
      case .stroke: try paintStroke(node, path)
      case .markers: try paintMarkers(node, path)
      }
    }
  }

  private func paintStroke(_ node: SVGNode, _ path: VectorPath) throws {
    let style = node.style
    guard style.svg.stroke != .none else { return }
    let ink = ink(style.svg.stroke, style.svg.strokeOpacity, style, node.bounds, node.viewport)
    if case .none = ink { return }
    let stroke = stroke(style, path, node.viewport, node.pathLength)
    guard stroke.width > 0 else { return }
    try strokePath(stroke.cap == .square ? path.withPoints(0.02 / max(recorder.transform.meanScale, 1e-6)) : path, stroke, ink, style)
  }

  /// https://www.w3.org/TR/SVG2/coords.html#VectorEffects
  func strokePath(_ path: VectorPath, _ stroke: Stroke, _ ink: SVGInk, _ style: ComputedStyle) throws {
    if style.effects.svg.vectorEffect == .nonScalingStroke, let back = recorder.transform.inverse, let toHost = host.inverse {
      let change = toHost.concatenating(recorder.transform)
      pushTransform(back.concatenating(host))
      let mapped = path.mapped(change)
      var moved = ink
      if case .gradient(let gradient, let transform) = ink { moved = .gradient(gradient, change.concatenating(transform)) }
      try paint(moved, .stroke(mapped, stroke), Self.bounds(mapped, stroke))
      popTransform()
    } else {
      try paint(ink, .stroke(path, stroke), Self.bounds(path, stroke))
    }
  }

  static func bounds(_ path: VectorPath, _ stroke: Stroke) -> DisplayRect {
    let outset = stroke.width / 2 * (stroke.join == .miter ? max(1.5, min(stroke.miterLimit, 100)) : 1.5)
    return path.bounds.insetBy(-outset)
  }

  func stroke(_ style: ComputedStyle, _ path: VectorPath, _ viewport: SVGViewport, _ pathLength: Double?) -> Stroke {
    let svg = style.svg
    let basis = ((viewport.width * viewport.width + viewport.height * viewport.height) / 2).squareRoot()
    var stroke = Stroke(width: svg.strokeWidth.resolve(basis))
    stroke.cap = svg.lineCap
    stroke.join = svg.lineJoin
    stroke.miterLimit = Double(svg.miterLimit)
    stroke.isCrisp = path.isCrisp
    guard !svg.dashArray.isEmpty else { return stroke }
    var dashes = svg.dashArray.map { $0.resolve(basis) }
    var phase = svg.dashOffset.resolve(basis)
    if let authored = pathLength, authored > 0 {
      let factor = SVGPathMeasure(path).length / authored
      dashes = dashes.map { $0 * factor }
      phase *= factor
    } else if pathLength == 0 {
      return stroke
    }
    guard dashes.allSatisfy({ $0 >= 0 && $0.isFinite }), dashes.reduce(0, +) > 0 else { return stroke }
    if dashes.count % 2 == 1 { dashes += dashes }
    stroke.dashes = dashes
    stroke.phase = phase
    return stroke
  }

  // MARK: Markers

  /// https://www.w3.org/TR/SVG2/painting.html#RenderingMarkers
  private func paintMarkers(_ node: SVGNode, _ path: VectorPath) throws {
    let svg = node.style.svg
    guard svg.markerStart != nil || svg.markerMid != nil || svg.markerEnd != nil, takesMarkers(node) else { return }
    let vertices = SVGVertex.vertices(path)
    guard let last = vertices.indices.last else { return }
    let urls = [svg.markerStart, svg.markerMid, svg.markerEnd]
    let markers = try urls.map { url in
      try url.flatMap { context.scene(for: $0.text, scene) }.flatMap { try $0.0.marker($0.1) }
    }
    var inner = self
    inner.contextSpace = recorder.transform
    inner.contextFill = ink(svg.fill, svg.fillOpacity, node.style, node.bounds, node.viewport)
    inner.contextStroke = ink(svg.stroke, svg.strokeOpacity, node.style, node.bounds, node.viewport)
    let basis = ((node.viewport.width * node.viewport.width + node.viewport.height * node.viewport.height) / 2).squareRoot()
    let width = svg.strokeWidth.resolve(basis)
    for (index, vertex) in vertices.enumerated() {
      try context.step()
      if index == 0, let marker = markers[0] { try inner.paint(marker, vertex, width, isStart: true) }
      if index > 0, index < last, let marker = markers[1] { try inner.paint(marker, vertex, width, isStart: false) }
      if index == last, let marker = markers[2] { try inner.paint(marker, vertex, width, isStart: false) }
    }
  }

  private func takesMarkers(_ node: SVGNode) -> Bool {
    let name = scene.styled.document.names[scene.styled.document[node.reference.node].name]
    return ["path", "line", "polyline", "polygon"].contains { name.elementsEqual($0.utf8) }
  }

  private func paint(_ marker: SVGMarker, _ vertex: SVGVertex, _ strokeWidth: Double, isStart: Bool) throws {
    guard let inner = entering(marker.node) else { return }
    var angle: Double
    switch marker.orientation {
    case .angle(let degrees): angle = degrees
    case .auto: angle = vertex.angle
    case .autoStartReverse: angle = vertex.angle + (isStart ? 180 : 0)
    }
    angle *= .pi / 180
    let turn = AffineTransform(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), e: vertex.point.x, f: vertex.point.y)
    let scale = marker.usesStrokeWidth ? strokeWidth : 1
    let transform = turn.concatenating(.scaling(scale, scale)).concatenating(marker.transform)
    guard transform.isFinite, scale > 0 else { return }
    pushTransform(transform)
    try inner.withEffects(marker.style, bounds: nil, viewport: marker.viewport) { painter in
      if let clip = marker.clip { painter.pushClip(clip) }
      for child in marker.children { try painter.paint(child) }
      if marker.clip != nil { painter.popClip() }
    }
    popTransform()
  }
}

/// A vertex at which a marker can be placed. https://www.w3.org/TR/SVG2/painting.html#VertexMarkerProperties
struct SVGVertex {
  var point: DisplayPoint
  /// Direction of the marker in degrees.
  var angle: Double

  private struct Joint {
    var point: DisplayPoint
    var incoming: DisplayPoint?
    var outgoing: DisplayPoint?
  }

  private static let maximum = 100_000

  static func vertices(_ path: VectorPath) -> [SVGVertex] {
    var joints: [Joint] = []
    var current = DisplayPoint(0, 0), start = 0
    func direction(_ points: DisplayPoint...) -> DisplayPoint? {
      for point in points.dropFirst() where point != points[0] { return point - points[0] }
      return nil
    }
    func add(_ to: DisplayPoint, out: DisplayPoint?, into: DisplayPoint?) {
      if joints.isEmpty { joints.append(Joint(point: current)) }
      joints[joints.count - 1].outgoing = out
      joints.append(Joint(point: to, incoming: into))
      current = to
    }
    var isClosed = false
    for element in path.elements where joints.count < maximum {
      if isClosed {
        isClosed = false
        if case .move = element {
        } else if joints.indices.contains(start) {
          // The next segment starts at the start of the closed figure.
        }
      }
      switch element {
      case .move(let p):
        current = p
        start = joints.count
        joints.append(Joint(point: p))
      case .line(let p): add(p, out: direction(current, p), into: direction(current, p))
      case .cubic(let a, let b, let c):
        let out = direction(current, a, b, c), into = direction(c, b, a, current).map { DisplayPoint(-$0.x, -$0.y) }
        add(c, out: out, into: into)
      case .close:
        guard joints.indices.contains(start) else { continue }
        let first = joints[start].point
        add(first, out: direction(current, first), into: direction(current, first))
        // The incoming direction of the first vertex is that of the closing line; the outgoing direction of the last vertex is that of the first.
        let incoming = joints[joints.count - 1].incoming ?? joints[joints.count - 2].incoming
        joints[start].incoming = incoming
        joints[joints.count - 1].outgoing = joints[start].outgoing
        isClosed = true
      }
    }
    return joints.map { SVGVertex(point: $0.point, angle: angle($0)) }
  }

  private static func angle(_ joint: Joint) -> Double {
    func degrees(_ d: DisplayPoint) -> Double { atan2(d.y, d.x) * 180 / .pi }
    switch (joint.incoming, joint.outgoing) {
    case (nil, nil): return 0
    case (let a?, nil): return degrees(a)
    case (nil, let b?): return degrees(b)
    case (let a?, let b?):
      let (from, to) = (degrees(a), degrees(b))
      return abs(from - to) > 180 ? (from + to) / 2 + 180 : (from + to) / 2
    }
  }
}

extension VectorPath {
  /// Extends zero-length figures by `length` along the x axis, so that they get square caps.
  /// https://www.w3.org/TR/SVG2/paths.html#PathElementImplementationNotes
  func withPoints(_ length: Double) -> VectorPath {
    var result = self
    for index in elements.indices.dropFirst() {
      guard case .move(let start) = elements[index - 1] else { continue }
      let isLast = index + 1 == elements.count
      var endsFigure = isLast
      if !isLast, case .move = elements[index + 1] { endsFigure = true }
      if !isLast, case .close = elements[index + 1] { endsFigure = true }
      switch elements[index] {
      case .close: result.elements[index] = .line(DisplayPoint(start.x + length, start.y))
      case .line(let p) where p == start && endsFigure: result.elements[index] = .line(DisplayPoint(p.x + length, p.y))
      case .cubic(let a, let b, let c) where a == start && b == start && c == start && endsFigure:
        result.elements[index] = .line(DisplayPoint(c.x + length, c.y))
      default: break
      }
    }
    return result
  }
}
