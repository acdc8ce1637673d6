public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
public import OffprintImages

/// A `filter` element, with its lengths resolved to its units. https://drafts.fxtf.org/filter-effects/#FilterElement
public struct SVGFilter {
  public enum Input: Hashable, Sendable { case previous, source, sourceAlpha, named(String) }
  public enum Function: Hashable, Sendable {
    case identity
    case table([Double])
    case discrete([Double])
    case linear(slope: Double, intercept: Double)
    case gamma(amplitude: Double, exponent: Double, offset: Double)
  }
  public enum Light: Hashable, Sendable {
    case distant(azimuth: Double, elevation: Double)
    case point(Double, Double, Double)
    case spot(Double, Double, Double, at: [Double], exponent: Double, cone: Double?)
  }
  public struct Convolution: Hashable, Sendable {
    public var columns: Int
    public var rows: Int
    public var kernel: [Double]
    public var divisor: Double
    public var bias: Double
    public var targetX: Int
    public var targetY: Int
    public enum Edge: Hashable, Sendable { case duplicate, wrap, none }
    public var edge: Edge
    public var preservesAlpha: Bool
  }
  public enum Kind {
    case flood(Color)
    case blur(Double, Double, edge: Convolution.Edge)
    case offset(Double, Double)
    case blend(BlendMode)
    case composite(String, [Double])
    case matrix([Float])
    case luminanceToAlpha
    case transfer([Function])
    case merge
    case tile
    case morphology(dilates: Bool, Double, Double)
    case convolve(Convolution)
    case turbulence(frequency: (Double, Double), octaves: Int, seed: Double, stitches: Bool, isFractal: Bool)
    case lighting(Light, Color, surfaceScale: Double, constant: Double, exponent: Double?)
    case displacement(scale: Double, x: Int, y: Int)
    case dropShadow(Double, Double, Double, Double, Color)
    case image(NodeID, SVGImageSource)
    /// The result is transparent.
    case empty
  }
  public enum SVGImageSource { case none, image, element(String) }
  public struct Primitive {
    public var kind: Kind
    public var inputs: [Input]
    public var result: String?
    /// The specified sides of its subregion.
    public var x: Double?
    public var y: Double?
    public var width: Double?
    public var height: Double?
    public var isLinear: Bool
    /// Whether its result may reveal information about the page: from `currentColor` or elements.
    public var isTainted = false
  }
  public var node: NodeID
  /// In user space.
  public var region: DisplayRect
  /// Whether lengths of primitives are fractions of the bounding box.
  public var usesBoundingBox: Bool
  public var primitives: [Primitive]
}

extension SVGScene {
  private static let maximumPrimitives = 256

  public func filter(_ url: String, _ bounds: DisplayRect, _ viewport: SVGViewport) -> SVGFilter? {
    guard let node = element(url), kind(node) == .filter else { return nil }
    let style = styled.styles[node.index]
    let region = region(node, style, bounds, viewport, usesBoundingBox: text("filterUnits", node) != "userSpaceOnUse")
    let usesBoundingBox = text("primitiveUnits", node) == "objectBoundingBox"
    let basis = usesBoundingBox ? SVGViewport(width: 1, height: 1) : viewport
    let isHidden = style.box.display == .none
    var primitives: [SVGFilter.Primitive] = []
    for child in document.elementChildren(of: node) where document[child].namespace == .svg && primitives.count < Self.maximumPrimitives {
      if let primitive = primitive(child, basis, isHidden) { primitives.append(primitive) }
    }
    return SVGFilter(node: node, region: region, usesBoundingBox: usesBoundingBox, primitives: withTaint(primitives))
  }

  /// Propagates taint to primitives with tainted inputs. Tainted displacement maps are ignored.
  /// https://drafts.fxtf.org/filter-effects/#tainted-filter-primitives
  private func withTaint(_ primitives: [SVGFilter.Primitive]) -> [SVGFilter.Primitive] {
    guard primitives.contains(where: \.isTainted) else { return primitives }
    var result: [SVGFilter.Primitive] = [], named: [ByteString: Bool] = [:]
    for var primitive in primitives {
      let previous = result.last?.isTainted ?? false
      let inputs = primitive.inputs.map { input in
        switch input {
        case .source, .sourceAlpha: false
        case .previous: previous
        case .named(let name): named[name] ?? previous
        }
      }
      if case .displacement = primitive.kind, inputs.count == 2, inputs[1] {
        primitive.kind = .offset(0, 0)
        primitive.inputs.removeLast()
      }
      primitive.isTainted = primitive.isTainted || inputs.contains(true)
      if let name = primitive.result { named[name] = primitive.isTainted }
      result.append(primitive)
    }
    return result
  }

  /// - Parameter isHidden: Whether primitives in `display: none` have no style. In Chromium floods are transparent then, and colors are
  ///   interpolated in sRGB.
  private func primitive(_ node: NodeID, _ basis: SVGViewport, _ isHidden: Bool) -> SVGFilter.Primitive? {
    let name = String(decoding: document.names[document[node].name], as: UTF8.self)
    guard name.hasPrefix("fe"), var kind = kind(name, node) else { return nil }
    if isHidden {
      switch kind {
      case .flood: kind = .flood(.transparent)
      case .dropShadow(let x, let y, let sx, let sy, _): kind = .dropShadow(x, y, sx, sy, .transparent)
      default: break
      }
    }
    let style = styled.styles[node.index]
    var inputs: [SVGFilter.Input] = []
    switch name {
    case "feFlood", "feTurbulence", "feImage": break
    case "feMerge":
      for child in document.elementChildren(of: node)
      where document.names[document[child].name].elementsEqual("feMergeNode".utf8) && inputs.count < 256 {
        inputs.append(input("in", child))
      }
    case "feBlend", "feComposite", "feDisplacementMap": inputs = [input("in", node), input("in2", node)]
    default: inputs = [input("in", node)]
    }
    func side(_ name: String, _ basis: Double) -> Double? { length(name, node, style)?.resolve(basis) }
    var primitive = SVGFilter.Primitive(
      kind: kind, inputs: inputs, result: text("result", node), x: side("x", basis.width), y: side("y", basis.height),
      width: side("width", basis.width).map { max(0, $0) }, height: side("height", basis.height).map { max(0, $0) },
      isLinear: !isHidden && style.svg.filterColorInterpolation != .sRGB)
    let svg = style.effects.svg
    switch kind {
    case .flood, .dropShadow: primitive.isTainted = svg.floodColor == .currentColor
    case .lighting: primitive.isTainted = svg.lightingColor == .currentColor
    case .image(_, .element): primitive.isTainted = true
    default: break
    }
    return primitive
  }

  private func input(_ name: String, _ node: NodeID) -> SVGFilter.Input {
    switch text(name, node) {
    case nil, "": .previous
    case "SourceGraphic": .source
    case "SourceAlpha": .sourceAlpha
    case let name?: .named(name)
    }
  }

  private func pair(_ name: String, _ node: NodeID) -> (Double, Double)? {
    guard let values = numbers(name, node, maximum: 3), let first = values.first, values.count <= 2 else { return nil }
    return (first, values.count > 1 ? values[1] : first)
  }

  private func kind(_ name: String, _ node: NodeID) -> SVGFilter.Kind? {
    let style = styled.styles[node.index], svg = style.effects.svg
    func flood() -> Color {
      var color = svg.floodColor.resolve(style.text.color)
      color.alpha *= svg.floodOpacity
      return color
    }
    switch name {
    case "feFlood": return .flood(flood())
    case "feGaussianBlur":
      let deviation = pair("stdDeviation", node) ?? (0, 0)
      return .blur(max(0, deviation.0), max(0, deviation.1), edge: .none)
    case "feOffset": return .offset(number("dx", node) ?? 0, number("dy", node) ?? 0)
    case "feDropShadow":
      let deviation = pair("stdDeviation", node) ?? (2, 2)
      return .dropShadow(
        number("dx", node) ?? 2, number("dy", node) ?? 2, max(0, deviation.0), max(0, deviation.1), flood())
    case "feBlend": return .blend(Self.blendModes[text("mode", node) ?? "normal"] ?? .normal)
    case "feComposite":
      return .composite(text("operator", node) ?? "over", ["k1", "k2", "k3", "k4"].map { number($0, node) ?? 0 })
    case "feColorMatrix": return colorMatrix(node)
    case "feComponentTransfer": return .transfer(functions(node))
    case "feMerge": return .merge
    case "feTile": return .tile
    case "feMorphology":
      let radius = pair("radius", node) ?? (0, 0)
      return .morphology(dilates: text("operator", node) == "dilate", radius.0, radius.1)
    case "feConvolveMatrix": return convolution(node)
    case "feTurbulence":
      let frequency = pair("baseFrequency", node) ?? (0, 0)
      let octaves = number("numOctaves", node).map { Int(max(-1, min(10, $0))) } ?? 1
      guard frequency.0 >= 0, frequency.1 >= 0, octaves >= 0 else { return .empty }
      return .turbulence(
        frequency: frequency, octaves: octaves, seed: number("seed", node) ?? 0, stitches: text("stitchTiles", node) == "stitch",
        isFractal: text("type", node) == "fractalNoise")
    case "feDiffuseLighting", "feSpecularLighting": return lighting(name, node, svg.lightingColor.resolve(style.text.color))
    case "feDisplacementMap":
      func channel(_ name: String) -> Int { ["R": 0, "G": 1, "B": 2, "A": 3][text(name, node) ?? "A"] ?? 3 }
      return .displacement(scale: number("scale", node) ?? 0, x: channel("xChannelSelector"), y: channel("yChannelSelector"))
    case "feImage":
      guard let url = href(node) else { return .empty }
      return .image(node, url.hasPrefix("#") ? .element(url) : elementImage(node) == nil ? .none : .image)
    default: return nil
    }
  }

  static let blendModes: [ByteString: BlendMode] = [
    "normal": .normal, "multiply": .multiply, "screen": .screen, "overlay": .overlay, "darken": .darken, "lighten": .lighten,
    "color-dodge": .colorDodge, "color-burn": .colorBurn, "hard-light": .hardLight, "soft-light": .softLight,
    "difference": .difference, "exclusion": .exclusion, "hue": .hue, "saturation": .saturation, "color": .color,
    "luminosity": .luminosity,
  ]

  /// https://drafts.fxtf.org/filter-effects/#feColorMatrixElement
  private func colorMatrix(_ node: NodeID) -> SVGFilter.Kind {
    let values = numbers("values", node, maximum: 21)
    switch text("type", node) ?? "matrix" {
    case "saturate":
      guard values == nil || values?.count == 1 else { return .matrix(SVGFilterMatrix.identity) }
      return .matrix(SVGFilterMatrix.saturate(Float(max(0, values?.first ?? 1))))
    case "hueRotate":
      guard values == nil || values?.count == 1 else { return .matrix(SVGFilterMatrix.identity) }
      return .matrix(SVGFilterMatrix.hueRotate(Float(values?.first ?? 0)))
    case "luminanceToAlpha": return .luminanceToAlpha
    default:
      guard let values, values.count == 20 else { return .matrix(SVGFilterMatrix.identity) }
      return .matrix(values.map { Float($0) })
    }
  }

  /// https://drafts.fxtf.org/filter-effects/#feComponentTransferElement
  private func functions(_ node: NodeID) -> [SVGFilter.Function] {
    var result = [SVGFilter.Function](repeating: .identity, count: 4)
    for child in document.elementChildren(of: node) {
      let name = String(decoding: document.names[document[child].name], as: UTF8.self)
      guard let index = ["feFuncR": 0, "feFuncG": 1, "feFuncB": 2, "feFuncA": 3][name] else { continue }
      let table = numbers("tableValues", child, maximum: 4096) ?? []
      switch text("type", child) {
      case "table": result[index] = table.isEmpty ? .identity : .table(table)
      case "discrete": result[index] = table.isEmpty ? .identity : .discrete(table)
      case "linear": result[index] = .linear(slope: number("slope", child) ?? 1, intercept: number("intercept", child) ?? 0)
      case "gamma":
        result[index] = .gamma(
          amplitude: number("amplitude", child) ?? 1, exponent: number("exponent", child) ?? 1, offset: number("offset", child) ?? 0)
      default: result[index] = .identity
      }
    }
    return result
  }

  /// https://drafts.fxtf.org/filter-effects/#feConvolveMatrixElement
  private func convolution(_ node: NodeID) -> SVGFilter.Kind {
    var columns = 3, rows = 3
    if attribute("order", node) != nil {
      guard let order = pair("order", node), order.0 >= 1, order.1 >= 1, order.0 == order.0.rounded(), order.1 == order.1.rounded(),
        order.0 * order.1 <= 4096
      else { return .empty }
      (columns, rows) = (Int(order.0), Int(order.1))
    }
    let kernel = numbers("kernelMatrix", node, maximum: 4097) ?? []
    guard kernel.count == columns * rows else { return .empty }
    var divisor = number("divisor", node) ?? 0
    if divisor == 0 { divisor = kernel.reduce(0, +) }
    if divisor == 0 { divisor = 1 }
    func target(_ name: String, _ size: Int) -> Int? {
      guard attribute(name, node) != nil else { return size / 2 }
      guard let value = number(name, node), value >= 0, value < Double(size) else { return nil }
      return Int(value)
    }
    guard let x = target("targetX", columns), let y = target("targetY", rows) else { return .empty }
    let edges: [ByteString: SVGFilter.Convolution.Edge] = ["wrap": .wrap, "none": .none]
    return .convolve(
      SVGFilter.Convolution(
        columns: columns, rows: rows, kernel: kernel, divisor: divisor, bias: number("bias", node) ?? 0, targetX: x, targetY: y,
        edge: edges[text("edgeMode", node) ?? "duplicate"] ?? .duplicate, preservesAlpha: text("preserveAlpha", node) == "true"))
  }

  /// https://drafts.fxtf.org/filter-effects/#LightSources
  private func lighting(_ name: String, _ node: NodeID, _ color: Color) -> SVGFilter.Kind {
    var light: SVGFilter.Light?
    for child in document.elementChildren(of: node) where light == nil {
      func n(_ name: String) -> Double { number(name, child) ?? 0 }
      switch String(decoding: document.names[document[child].name], as: UTF8.self) {
      case "feDistantLight": light = .distant(azimuth: n("azimuth"), elevation: n("elevation"))
      case "fePointLight": light = .point(n("x"), n("y"), n("z"))
      case "feSpotLight":
        light = .spot(
          n("x"), n("y"), n("z"), at: [n("pointsAtX"), n("pointsAtY"), n("pointsAtZ")], exponent: number("specularExponent", child) ?? 1,
          cone: number("limitingConeAngle", child))
      default: break
      }
    }
    guard let light else { return .empty }
    let isSpecular = name == "feSpecularLighting"
    let constant = number(isSpecular ? "specularConstant" : "diffuseConstant", node) ?? 1
    return .lighting(
      light, color, surfaceScale: number("surfaceScale", node) ?? 1, constant: max(0, constant),
      exponent: isSpecular ? min(128, max(1, number("specularExponent", node) ?? 1)) : nil)
  }

  /// The contents of an `feImage` element, if it refers to an image.
  public func filterImage(_ node: NodeID) -> (image: DecodedImage, SVGImageFit)? {
    elementImage(node).map { ($0, SVGImageFit(aspect: aspect(node))) }
  }

  public func filterElement(_ url: String, _ viewport: SVGViewport) throws -> SVGNode? {
    guard let node = element(url) else { return nil }
    return try build(SVGReference(node: node), viewport, depth: 1)
  }
}

enum SVGFilterMatrix {
  static let identity: [Float] = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]

  static func saturate(_ s: Float) -> [Float] {
    [
      0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0, 0, 0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s, 0, 0,
      0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s, 0, 0, 0, 0, 0, 1, 0,
    ]
  }

  static func hueRotate(_ degrees: Float) -> [Float] {
    let turn = SVGMath.rotation(Double(degrees)), c = Float(turn.a), s = Float(turn.b)
    return [
      0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0, 0,
      0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0, 0,
      0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0, 0, 0, 0, 0, 1, 0,
    ]
  }
}
