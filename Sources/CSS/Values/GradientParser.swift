import OffprintCoreTypes

// https://drafts.csswg.org/css-images-4/#gradients

extension ValueParser {
  mutating func image() -> ImageValue? {
    guard let token = peek() else { return nil }
    if token.kind == .url { return url().map { .url($0) } }
    guard token.kind == .function, let name = peekFunction() else { return nil }
    if name.equalsIgnoringCase("url") || name.equalsIgnoringCase("src") { return url().map { .url($0) } }
    if name.equalsIgnoringCase("image-set") || name.equalsIgnoringCase("-webkit-image-set") { return block { $0.imageSet() } }
    if name.equalsIgnoringCase("light-dark") { return block { $0.schemeImage() } }
    if name.equalsIgnoringCase("image") { return block { parser in parser.color().map { .solid($0) } } }
    return gradient(name).map { .gradient($0) }
  }

  mutating func imageOrNone() -> ImageValue? { keyword("none") ? ImageValue.none : image() }

  /// Parses `light-dark()` with images. https://drafts.csswg.org/css-images-4/#light-dark
  private mutating func schemeImage() -> ImageValue? {
    guard let light = imageOrNone(), comma(), let dark = imageOrNone() else { return nil }
    return isDark() ? dark : light
  }

  /// Selects an image from `image-set()`: the lowest resolution that is sufficient for the device, otherwise the highest.
  ///
  /// https://drafts.csswg.org/css-images-4/#image-set-notation
  private mutating func imageSet() -> ImageValue? {
    guard let options = commaList({ $0.imageSetOption() }) else { return nil }
    // The selection depends on the device, so it is repeated when the style is computed.
    isRelative = true
    let device = element?.resolution ?? 1
    let supported = options.filter { $0.isSupported }
    let best =
      supported.filter { $0.resolution >= device }.min { $0.resolution < $1.resolution } ?? supported.max { $0.resolution < $1.resolution }
    guard let best else { return ImageValue.none }
    guard case .url(let url) = best.image, best.resolution != 1 else { return best.image }
    return best.resolution > 0 ? .dense(url, density: Float(best.resolution)) : ImageValue.none
  }

  private mutating func imageSetOption() -> (image: ImageValue, resolution: Double, isSupported: Bool)? {
    let image: ImageValue
    if let text = string() {
      image = .url(ByteString(URLReference.resolve(text, against: baseURL)))
    } else if let name = peekFunction(), name.equalsIgnoringCase("image-set") || name.equalsIgnoringCase("-webkit-image-set") {
      return nil
    } else if let given = self.image() {
      image = given
    } else {
      return nil
    }
    var resolution: Double?
    var type: String?
    while let token = peek(), token.kind != .comma {
      if resolution == nil, let given = dimension(.resolution, Self.nonNegative) {
        resolution = given
      } else if type == nil, let given = function("type", { parser in parser.string().flatMap { parser.isAtEnd() ? $0 : nil } }) {
        type = given
      } else {
        return nil
      }
    }
    return (image, resolution ?? 1, type.map { SupportedImageTypes.areDecoded(Array($0.utf8)[...]) } ?? true)
  }

  private mutating func gradient(_ name: ArraySlice<UInt8>) -> Gradient? {
    let kinds: [(StaticString, GradientKind, Bool)] = [
      ("linear-gradient", .linear, false), ("repeating-linear-gradient", .linear, true), ("radial-gradient", .radial, false),
      ("repeating-radial-gradient", .radial, true), ("conic-gradient", .conic, false), ("repeating-conic-gradient", .conic, true),
      ("-webkit-linear-gradient", .webkitLinear, false), ("-webkit-repeating-linear-gradient", .webkitLinear, true),
      ("-webkit-radial-gradient", .webkitRadial, false), ("-webkit-repeating-radial-gradient", .webkitRadial, true),
      ("-webkit-gradient", .webkitOld, false),
    ]
    guard let (_, kind, repeating) = kinds.first(where: { name.equalsIgnoringCase($0.0) }) else { return nil }
    return block { parser in
      let outer = parser.sawModernColor
      parser.sawModernColor = false
      defer { parser.sawModernColor = outer }
      switch kind {
      case .linear: return parser.linearGradient(repeating)
      case .radial: return parser.radialGradient(repeating)
      case .conic: return parser.conicGradient(repeating)
      case .webkitLinear: return parser.webkitLinearGradient(repeating)
      case .webkitRadial: return parser.webkitRadialGradient(repeating)
      case .webkitOld: return parser.webkitOldGradient()
      }
    }
  }

  private enum GradientKind { case linear, radial, conic, webkitLinear, webkitRadial, webkitOld }

  // MARK: Standard syntax

  private mutating func linearGradient(_ repeating: Bool) -> Gradient? {
    var shape = Gradient.Shape.linear(angle: 180)
    var method = interpolationMethod()
    var hasPrelude = method != nil
    if let angle = angle(unitlessZero: true) {
      shape = .linear(angle: Float(angle))
      hasPrelude = true
    } else if keyword("to") {
      guard let direction = cornerDirection() else { return nil }
      shape = direction
      hasPrelude = true
    }
    if method == nil {
      method = interpolationMethod()
      hasPrelude = hasPrelude || method != nil
    }
    guard !hasPrelude || comma() else { return nil }
    return finish(shape, repeating, method) { $0.lengthPercentage() }
  }

  private mutating func cornerDirection() -> Gradient.Shape? {
    var x: Int8 = 0
    var y: Int8 = 0
    for _ in 0..<2 {
      if x == 0, keyword("left") {
        x = -1
      } else if x == 0, keyword("right") {
        x = 1
      } else if y == 0, keyword("top") {
        y = -1
      } else if y == 0, keyword("bottom") {
        y = 1
      }
    }
    switch (x, y) {
    case (0, 0): return nil
    case (0, -1): return .linear(angle: 0)
    case (1, 0): return .linear(angle: 90)
    case (0, 1): return .linear(angle: 180)
    case (-1, 0): return .linear(angle: 270)
    default: return .linearTo(x: x, y: y)
    }
  }

  private mutating func radialGradient(_ repeating: Bool) -> Gradient? {
    var isCircle: Bool?
    var extent: StaticExtent?
    var sizes: [LengthPercentage] = []
    var method = interpolationMethod()
    var hasPrelude = method != nil
    while let token = peek(), token.kind != .comma {
      if isCircle == nil, keyword("circle") {
        isCircle = true
      } else if isCircle == nil, keyword("ellipse") {
        isCircle = false
      } else if extent == nil, sizes.isEmpty, let given = keyword(of: Self.extents) {
        extent = given
      } else if extent == nil, sizes.isEmpty, let first = lengthPercentage(nonNegative: true) {
        sizes = [first]
        if let second = lengthPercentage(nonNegative: true) { sizes.append(second) }
      } else {
        break
      }
      hasPrelude = true
    }
    var center = Position.center
    if keyword("at") {
      guard let position = position() else { return nil }
      center = position
      hasPrelude = true
    }
    if method == nil {
      method = interpolationMethod()
      hasPrelude = hasPrelude || method != nil
    }
    guard !hasPrelude || comma(), let ending = ending(isCircle, extent, sizes) else { return nil }
    return finish(.radial(ending: ending, at: center), repeating, method) { $0.lengthPercentage() }
  }

  private enum StaticExtent { case closestSide, farthestSide, closestCorner, farthestCorner }
  private static let extents: [(StaticString, StaticExtent)] = [
    ("closest-side", .closestSide), ("farthest-side", .farthestSide), ("closest-corner", .closestCorner),
    ("farthest-corner", .farthestCorner),
    ("contain", .closestSide), ("cover", .farthestCorner),
  ]

  private func ending(_ isCircle: Bool?, _ extent: StaticExtent?, _ sizes: [LengthPercentage]) -> Gradient.RadialEnding? {
    switch sizes.count {
    case 1:
      guard isCircle != false, case .length = sizes[0] else { return nil }
      return .circle(sizes[0])
    case 2: return isCircle == true ? nil : .ellipse(sizes[0], sizes[1])
    default:
      let circle = isCircle ?? false
      switch extent ?? .farthestCorner {
      case .closestSide: return .closestSide(circle: circle)
      case .farthestSide: return .farthestSide(circle: circle)
      case .closestCorner: return .closestCorner(circle: circle)
      case .farthestCorner: return .farthestCorner(circle: circle)
      }
    }
  }

  private mutating func conicGradient(_ repeating: Bool) -> Gradient? {
    var start = 0.0
    var center = Position.center
    var method = interpolationMethod()
    var hasPrelude = method != nil
    if keyword("from") {
      guard let angle = angle(unitlessZero: true) else { return nil }
      start = angle
      hasPrelude = true
    }
    if keyword("at") {
      guard let position = position() else { return nil }
      center = position
      hasPrelude = true
    }
    if method == nil {
      method = interpolationMethod()
      hasPrelude = hasPrelude || method != nil
    }
    guard !hasPrelude || comma() else { return nil }
    return finish(.conic(from: Float(start), at: center), repeating, method) { parser in
      if let angle = parser.angle(unitlessZero: true) { return .percentage(Float(angle / 3.6)) }
      return parser.percentage().map { .percentage(Float($0)) }
    }
  }

  private mutating func interpolationMethod() -> (ColorSpace, Gradient.HueInterpolation)? { attempt { $0.colorInterpolation() } }

  private mutating func finish(
    _ shape: Gradient.Shape, _ repeating: Bool, _ method: (ColorSpace, Gradient.HueInterpolation)?,
    position: (inout ValueParser) -> LengthPercentage?
  ) -> Gradient? {
    guard let stops = stops(position) else { return nil }
    var gradient = Gradient(shape: shape, stops: stops, repeating: repeating)
    gradient.interpolation = sawModernColor ? .oklab : .srgb
    if let method {
      gradient.hue = method.1
      gradient.interpolation =
        switch method.0 {
        case .srgbLinear: .srgbLinear
        case .lab: .lab
        case .oklab: .oklab
        case .lch: .lch
        case .oklch: .oklch
        case .hsl: .hsl
        case .hwb: .hwb
        case .xyzD50, .xyzD65: .xyz
        default: .srgb
        }
    }
    return gradient
  }

  /// https://drafts.csswg.org/css-images-4/#typedef-color-stop-list
  private mutating func stops(_ position: (inout ValueParser) -> LengthPercentage?) -> [Gradient.Stop]? {
    var result: [Gradient.Stop] = []
    var wasHint = true
    repeat {
      if let hint = position(&self) {
        if let color = color() {
          result.append(Gradient.Stop(color: color, position: hint))
          wasHint = false
          if let second = position(&self) { result.append(Gradient.Stop(color: color, position: second)) }
          continue
        }
        guard !wasHint else { return nil }
        result.append(Gradient.Stop(color: nil, position: hint))
        wasHint = true
        continue
      }
      guard let color = color() else { return nil }
      wasHint = false
      let first = position(&self)
      result.append(Gradient.Stop(color: color, position: first))
      if first != nil, let second = position(&self) { result.append(Gradient.Stop(color: color, position: second)) }
    } while comma()
    guard !wasHint, !result.isEmpty else { return nil }
    return result
  }

  // MARK: Prefixed syntax. https://compat.spec.whatwg.org/#css-image-type

  private mutating func webkitLinearGradient(_ repeating: Bool) -> Gradient? {
    var shape = Gradient.Shape.linear(angle: 180)
    if let angle = angle(unitlessZero: true) {
      shape = .linear(angle: Float(90 - angle))
      guard comma() else { return nil }
    } else if let corner = attempt({ $0.cornerDirection() }) {
      // The keywords name the starting point of the gradient.
      shape =
        switch corner {
        case .linear(let angle): .linear(angle: Float(Int(angle + 180) % 360))
        case .linearTo(let x, let y): .linearTo(x: -x, y: -y)
        default: corner
        }
      guard comma() else { return nil }
    }
    return finish(shape, repeating, nil) { $0.lengthPercentage() }
  }

  private mutating func webkitRadialGradient(_ repeating: Bool) -> Gradient? {
    var center = Position.center
    if let position = attempt({ parser in
      guard let position = parser.position(), parser.comma() else { return nil as Position? }
      return position
    }) {
      center = position
    }
    var isCircle: Bool?
    var extent: StaticExtent?
    var sizes: [LengthPercentage] = []
    var hasPrelude = false
    while let token = peek(), token.kind != .comma {
      if isCircle == nil, keyword("circle") {
        isCircle = true
      } else if isCircle == nil, keyword("ellipse") {
        isCircle = false
      } else if extent == nil, let given = keyword(of: Self.extents) {
        extent = given
      } else if sizes.isEmpty, let first = lengthPercentage(nonNegative: true), let second = lengthPercentage(nonNegative: true) {
        sizes = [first, second]
      } else {
        break
      }
      hasPrelude = true
    }
    guard !hasPrelude || comma(), let ending = ending(sizes.isEmpty ? isCircle : nil, extent, sizes) else { return nil }
    return finish(.radial(ending: ending, at: center), repeating, nil) { $0.lengthPercentage() }
  }

  /// Parses the arguments of `-webkit-gradient(linear, <point>, <point>, <stop>#)` or `(radial, <point>, <radius>, <point>, <radius>,
  /// <stop>#)`. A point consists of two numbers in px, percentages or sides.
  private mutating func webkitOldGradient() -> Gradient? {
    let shape: Gradient.Shape
    if keyword("linear") {
      guard comma(), let from = legacyPoint(), comma(), let to = legacyPoint(), comma() else { return nil }
      shape = .line(from: from, to: to)
    } else {
      guard keyword("radial"), comma(), let from = legacyPoint(), comma(), let first = number(Self.nonNegative), comma(),
        let to = legacyPoint(), comma(), let second = number(Self.nonNegative), comma()
      else { return nil }
      shape = .circles(from: from, .length(Float(first)), to: to, .length(Float(second)))
    }
    return legacyStops().map { Gradient(shape: shape, stops: $0, repeating: false) }
  }

  private mutating func legacyPoint() -> Position? {
    func coordinate(_ parser: inout ValueParser, _ start: StaticString, _ end: StaticString) -> LengthPercentage? {
      let sides: [(StaticString, LengthPercentage)] = [(start, .percentage(0)), ("center", .percentage(50)), (end, .percentage(100))]
      if let side = parser.keyword(of: sides) { return side }
      if let percent = parser.percentage() { return .percentage(Float(percent)) }
      return parser.number().map { .length(Float($0)) }
    }
    guard let x = coordinate(&self, "left", "right"), let y = coordinate(&self, "top", "bottom") else { return nil }
    return Position(x: x, y: y)
  }

  private mutating func legacyStops() -> [Gradient.Stop]? {
    var stops: [(Double, ColorValue)] = []
    repeat {
      if let color = function("from", { $0.color() }) {
        stops.append((0, color))
      } else if let color = function("to", { $0.color() }) {
        stops.append((1, color))
      } else if let stop = function(
        "color-stop",
        { parser -> (Double, ColorValue)? in
          guard let place = parser.numberOrPercentage(), parser.comma(), let color = parser.color() else { return nil }
          return (place, color)
        })
      {
        stops.append(stop)
      } else {
        return nil
      }
    } while comma()
    let ordered = stops.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    return ordered.map { Gradient.Stop(color: $0.1, position: .percentage(Float($0.0 * 100))) }
  }
}
