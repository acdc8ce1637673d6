import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Glibc
import OffprintLayout

// `filter` on SVG elements; boxes share this implementation. https://drafts.fxtf.org/filter-effects/#FilterProperty
extension SVGPainter {
  /// The resolved filters; nil if the element is not rendered.
  func filters(_ style: ComputedStyle, _ bounds: DisplayRect?, _ viewport: SVGViewport) throws -> [DisplayFilter]? {
    var result: [DisplayFilter] = []
    let factor = recorder.transform.meanScale
    for function in style.effects.filter.prefix(32) {
      guard case .reference(let url) = function else {
        result += FilterResolver.resolve(function, style, factor: factor, recorder.transform).map { [$0] } ?? []
        continue
      }
      guard let (scene, id) = context.scene(for: url.text, scene) else { continue }
      let box = bounds ?? DisplayRect(x: 0, y: 0, width: 0, height: 0)
      guard let filter = scene.filter(id, box, viewport), !active.contains(filter.node) else { continue }
      if filter.usesBoundingBox, box.width <= 0 || box.height <= 0 { return nil }
      guard filter.region.width > 0, filter.region.height > 0, !filter.primitives.isEmpty else { return nil }
      result.append(.graph(try graph(filter, scene, box, viewport)))
    }
    return result
  }

  func graph(_ filter: SVGFilter, _ scene: SVGScene, _ box: DisplayRect, _ viewport: SVGViewport) throws -> FilterGraph {
    let total = recorder.transform
    var builder = SVGFilterBuilder(filter: filter, box: box, total: total)
    builder.visible = DisplayRect(recorder.clipBounds.expanded(by: 2048))
    for primitive in filter.primitives {
      var operation = builder.operation(primitive)
      if case .image(let node, let source) = primitive.kind {
        let region = builder.subregion(primitive, [])
        operation = try entering(filter.node)?.image(node, source, scene, builder.userRegion(primitive), region, viewport, filter) ?? .empty
      }
      builder.add(primitive, operation)
    }
    return FilterGraph(builder.primitives, region: builder.deviceRegion)
  }

  /// https://drafts.fxtf.org/filter-effects/#feImageElement
  private func image(
    _ node: NodeID, _ source: SVGFilter.SVGImageSource, _ scene: SVGScene, _ user: DisplayRect, _ device: DisplayRect,
    _ viewport: SVGViewport, _ filter: SVGFilter
  ) throws -> FilterGraph.Operation {
    let area = device.enclosing.intersection(recorder.clipBounds.expanded(by: 2048))
    guard !area.isEmpty else { return .empty }
    let own = DisplayListRecorder(bounds: area)
    var painter = SVGPainter(context.with(own), scene)
    painter.active = active
    own.pushTransform(recorder.transform)
    switch source {
    case .none: break
    case .image:
      guard let (image, fit) = scene.filterImage(node) else { return .empty }
      painter.paintImage(image, user, fit)
    case .element(let url):
      guard let target = try scene.filterElement(url, viewport) else { return .empty }
      // Chromium places the origin of the referenced element at the corner of the primitive subregion.
      own.pushTransform(.translation(user.x, user.y))
      try painter.paint(target)
      own.popTransform()
    }
    own.popTransform()
    return .list(own.list)
  }
}

/// Converts lengths from user space to pixels of the image.
struct SVGFilterBuilder {
  let filter: SVGFilter
  let box: DisplayRect
  let total: AffineTransform
  let scaleX: Double
  let scaleY: Double
  var visible = DisplayRect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
  private(set) var primitives: [FilterGraph.Primitive] = []
  private var names: [ByteString: Int] = [:]

  init(filter: SVGFilter, box: DisplayRect, total: AffineTransform) {
    self.filter = filter
    self.box = box
    self.total = total
    scaleX = (total.a * total.a + total.b * total.b).squareRoot()
    scaleY = (total.c * total.c + total.d * total.d).squareRoot()
  }

  var deviceRegion: DisplayRect { total.mapRect(filter.region).intersection(visible) }

  private func x(_ value: Double) -> Double { (filter.usesBoundingBox ? value * box.width : value) * scaleX }
  private func y(_ value: Double) -> Double { (filter.usesBoundingBox ? value * box.height : value) * scaleY }

  private func input(_ input: SVGFilter.Input) -> FilterGraph.Input {
    switch input {
    case .source: return .source
    case .sourceAlpha: return .sourceAlpha
    case .named(let name): if let index = names[name] { return .result(index) }
    case .previous: break
    }
    return primitives.isEmpty ? .source : .result(primitives.count - 1)
  }

  /// The subregion of a primitive in user space. https://drafts.fxtf.org/filter-effects/#FilterPrimitiveSubRegion
  func userRegion(_ primitive: SVGFilter.Primitive, _ inherited: DisplayRect? = nil) -> DisplayRect {
    var rect = inherited ?? filter.region
    func place(_ value: Double, _ start: Double, _ size: Double) -> Double { filter.usesBoundingBox ? start + value * size : value }
    func side(_ value: Double, _ size: Double) -> Double { filter.usesBoundingBox ? value * size : value }
    if let x = primitive.x { rect.x = place(x, box.x, box.width) }
    if let y = primitive.y { rect.y = place(y, box.y, box.height) }
    if let width = primitive.width { rect.width = side(width, box.width) }
    if let height = primitive.height { rect.height = side(height, box.height) }
    return rect
  }

  func subregion(_ primitive: SVGFilter.Primitive, _ inputs: [FilterGraph.Input]) -> DisplayRect {
    total.mapRect(userRegion(primitive, userUnion(inputs))).intersection(deviceRegion)
  }

  private var userRegions: [DisplayRect] = []

  private func userUnion(_ inputs: [FilterGraph.Input]) -> DisplayRect? {
    var result: DisplayRect?
    for input in inputs {
      guard case .result(let index) = input, userRegions.indices.contains(index) else { return nil }
      result = result.map { $0.union(userRegions[index]) } ?? userRegions[index]
    }
    return result
  }

  mutating func add(_ primitive: SVGFilter.Primitive, _ operation: FilterGraph.Operation) {
    let inputs = primitive.inputs.map { input($0) }
    var isTile = false
    if case .tile = primitive.kind { isTile = true }
    let user = userRegion(primitive, isTile ? nil : userUnion(inputs))
    var operation = operation
    if isTile {
      var source = deviceRegion
      if case .result(let index)? = inputs.first { source = primitives[index].region }
      operation = .tile(source)
    }
    if let name = primitive.result, !name.isEmpty { names[name] = primitives.count }
    primitives.append(
      FilterGraph.Primitive(
        operation: operation, inputs: inputs, region: total.mapRect(user).intersection(deviceRegion), isLinear: primitive.isLinear))
    userRegions.append(user)
  }

  func operation(_ primitive: SVGFilter.Primitive) -> FilterGraph.Operation {
    switch primitive.kind {
    case .flood(let color): return .flood(color)
    case .blur(let dx, let dy, _): return .blur(x(dx), y(dy))
    case .offset(let dx, let dy): return offset(dx, dy)
    case .blend(let mode): return .blend(mode)
    case .composite(let name, let k): return .composite(name, k)
    case .matrix(let values): return .matrix(values)
    case .luminanceToAlpha: return .luminanceToAlpha
    case .transfer(let functions): return .transfer(functions)
    case .merge: return .merge
    case .tile: return .tile(deviceRegion)
    case .morphology(let dilates, let dx, let dy):
      // Without a positive radius the primitive passes its input through.
      guard dx >= 0, dy >= 0, dx > 0 || dy > 0 else { return .offset(0, 0) }
      return .morphology(dilates: dilates, x(dx), y(dy))
    case .convolve(let convolution): return .convolve(convolution)
    case .turbulence(let frequency, let octaves, let seed, let stitches, let isFractal):
      guard let inverse = total.inverse else { return .empty }
      let tile = stitches ? userRegion(primitive) : nil
      return .turbulence(
        Turbulence(
          frequencyX: frequency.0, frequencyY: frequency.1, octaves: octaves, seed: seed, tile: tile, isFractal: isFractal,
          transform: inverse))
    case .lighting(let light, let color, let surfaceScale, let constant, let exponent):
      return .lighting(
        Lighting(
          light: self.light(light), color: color, surfaceScale: surfaceScale * (scaleX * scaleY).squareRoot(), constant: constant,
          exponent: exponent))
    case .displacement(let scale, let cx, let cy): return .displacement(x: x(scale), y: y(scale), channelX: cx, channelY: cy)
    case .dropShadow(let dx, let dy, let sx, let sy, let color):
      let moved = vector(dx, dy)
      return .dropShadow(moved.x, moved.y, x(sx), y(sy), color)
    case .image, .empty: return .empty
    }
  }

  private func vector(_ dx: Double, _ dy: Double) -> DisplayPoint {
    let dx = filter.usesBoundingBox ? dx * box.width : dx, dy = filter.usesBoundingBox ? dy * box.height : dy
    return DisplayPoint(total.a * dx + total.c * dy, total.b * dx + total.d * dy)
  }

  private func offset(_ dx: Double, _ dy: Double) -> FilterGraph.Operation {
    let moved = vector(dx, dy)
    return .offset(moved.x, moved.y)
  }

  private func light(_ light: SVGFilter.Light) -> SVGFilter.Light {
    func place(_ x: Double, _ y: Double) -> DisplayPoint {
      filter.usesBoundingBox ? total.map(DisplayPoint(box.x + x * box.width, box.y + y * box.height)) : total.map(DisplayPoint(x, y))
    }
    let depth =
      (scaleX * scaleY).squareRoot() * (filter.usesBoundingBox ? ((box.width * box.width + box.height * box.height) / 2).squareRoot() : 1)
    switch light {
    case .distant: return light
    case .point(let x, let y, let z):
      let p = place(x, y)
      return .point(p.x, p.y, z * depth)
    case .spot(let x, let y, let z, let at, let exponent, let cone):
      let p = place(x, y), q = place(at[0], at[1])
      return .spot(p.x, p.y, z * depth, at: [q.x, q.y, at[2] * depth], exponent: exponent, cone: cone)
    }
  }
}
