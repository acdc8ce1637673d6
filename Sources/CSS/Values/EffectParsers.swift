import OffprintCoreTypes

extension ValueParser {
  /// https://drafts.csswg.org/css-backgrounds-3/#typedef-shadow
  mutating func shadow(isText: Bool) -> Specified<Shadow>? {
    var color: Specified<ColorValue>?
    var lengths: [Specified<Float>]?
    var inset = false
    while let token = peek(), token.kind != .comma {
      if lengths == nil, let x = specifiedLength() {
        guard let y = specifiedLength() else { return nil }
        var values = [x, y]
        if let blur = specifiedLength(nonNegative: true) {
          values.append(blur)
          if !isText, let spread = specifiedLength() { values.append(spread) }
        }
        lengths = values
      } else if color == nil, let given = specified({ $0.color() }) {
        color = given
      } else if !isText, !inset, keyword("inset") {
        inset = true
      } else {
        break
      }
    }
    guard let lengths else { return nil }
    let isInset = inset
    let both = Specified.both(color ?? .value(.currentColor), .list(lengths))
    return both.map { color, px in
      Shadow(
        color: color, x: px[0], y: px[1], blur: px.count > 2 ? px[2] : 0, spread: px.count > 3 ? px[3] : 0, inset: isInset)
    }
  }

  mutating func shadows(isText: Bool) -> Specified<[Shadow]>? {
    keyword("none") ? .value([]) : commaList { $0.shadow(isText: isText) }.map { .list($0) }
  }

  // MARK: Transforms. https://drafts.csswg.org/css-transforms-2/

  mutating func transformList() -> [TransformFunction]? { keyword("none") ? [] : list { $0.transformFunction() } }

  private mutating func numbers(_ count: Int, percentages: Bool = false) -> [Float]? {
    var result: [Float] = []
    for index in 0..<count {
      guard index == 0 || comma(), let value = percentages ? numberOrPercentage() : number() else { return nil }
      result.append(Float(value))
    }
    return result
  }

  private mutating func zeroAngle() -> Float? { angle(unitlessZero: true).map { Float($0) } }

  mutating func transformFunction() -> TransformFunction? {
    guard let name = peekFunction() else { return nil }
    for (candidate, kind) in Self.transformNames where name.equalsIgnoringCase(candidate) {
      return block { $0.transformBody(kind) }
    }
    return nil
  }

  private enum TransformKind {
    case matrix, matrix3d, translate, translateX, translateY, translateZ, translate3d, scale, scaleX, scaleY, scaleZ, scale3d, rotate,
      rotateX,
      rotateY, rotate3d, skew, skewX, skewY, perspective
  }

  private static let transformNames: [(StaticString, TransformKind)] = [
    ("matrix", .matrix), ("matrix3d", .matrix3d), ("translate", .translate), ("translatex", .translateX), ("translatey", .translateY),
    ("translatez", .translateZ), ("translate3d", .translate3d), ("scale", .scale), ("scalex", .scaleX), ("scaley", .scaleY),
    ("scalez", .scaleZ),
    ("scale3d", .scale3d), ("rotate", .rotate), ("rotatez", .rotate), ("rotatex", .rotateX), ("rotatey", .rotateY), ("rotate3d", .rotate3d),
    ("skew", .skew), ("skewx", .skewX), ("skewy", .skewY), ("perspective", .perspective),
  ]

  private mutating func transformBody(_ kind: TransformKind) -> TransformFunction? {
    switch kind {
    case .matrix: return numbers(6).map { .matrix($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) }
    case .matrix3d: return numbers(16).map { .matrix3d($0) }
    case .translate, .translateX, .translateY, .translateZ, .translate3d: return translateBody(kind)
    case .scale, .scaleX, .scaleY, .scaleZ, .scale3d: return scaleBody(kind)
    case .rotate: return zeroAngle().map { .rotate($0) }
    case .rotateX: return zeroAngle().map { .rotate3d(1, 0, 0, $0) }
    case .rotateY: return zeroAngle().map { .rotate3d(0, 1, 0, $0) }
    case .rotate3d:
      guard let axis = numbers(3), comma(), let angle = zeroAngle() else { return nil }
      return .rotate3d(axis[0], axis[1], axis[2], angle)
    case .skew:
      guard let x = zeroAngle() else { return nil }
      guard comma() else { return .skew(x, 0) }
      return zeroAngle().map { .skew(x, $0) }
    case .skewX: return zeroAngle().map { .skew($0, 0) }
    case .skewY: return zeroAngle().map { .skew(0, $0) }
    case .perspective:
      if keyword("none") { return .matrix(1, 0, 0, 1, 0, 0) }
      return nonNegativeLength().map { .perspective($0) }
    }
  }

  private mutating func translateBody(_ kind: TransformKind) -> TransformFunction? {
    switch kind {
    case .translateX: return lengthPercentage().map { .translate($0, .zero, 0) }
    case .translateY: return lengthPercentage().map { .translate(.zero, $0, 0) }
    case .translateZ: return length().map { .translate(.zero, .zero, $0) }
    case .translate:
      guard let x = lengthPercentage() else { return nil }
      guard comma() else { return .translate(x, .zero, 0) }
      return lengthPercentage().map { .translate(x, $0, 0) }
    default:
      guard let x = lengthPercentage(), comma(), let y = lengthPercentage(), comma(), let z = length() else { return nil }
      return .translate(x, y, z)
    }
  }

  private mutating func scaleBody(_ kind: TransformKind) -> TransformFunction? {
    if kind == .scale3d { return numbers(3, percentages: true).map { .scale($0[0], $0[1], $0[2]) } }
    guard let first = numberOrPercentage().map({ Float($0) }) else { return nil }
    switch kind {
    case .scaleX: return .scale(first, 1, 1)
    case .scaleY: return .scale(1, first, 1)
    case .scaleZ: return .scale(1, 1, first)
    default:
      guard comma() else { return .scale(first, first, 1) }
      return numberOrPercentage().map { .scale(first, Float($0), 1) }
    }
  }

  /// https://drafts.csswg.org/css-transforms-2/#individual-transforms
  mutating func individualTranslate() -> TransformFunction?? {
    if keyword("none") { return .some(nil) }
    guard let x = lengthPercentage() else { return nil }
    guard let y = lengthPercentage() else { return .translate(x, .zero, 0) }
    return .translate(x, y, length() ?? 0)
  }

  mutating func individualScale() -> TransformFunction?? {
    if keyword("none") { return .some(nil) }
    guard let x = numberOrPercentage().map({ Float($0) }) else { return nil }
    guard let y = numberOrPercentage() else { return .scale(x, x, 1) }
    return .scale(x, Float(y), Float(numberOrPercentage() ?? 1))
  }

  mutating func individualRotate() -> TransformFunction?? {
    if keyword("none") { return .some(nil) }
    var rotation = angle().map { Float($0) }
    var axis: [Float]?
    if keyword("x") {
      axis = [1, 0, 0]
    } else if keyword("y") {
      axis = [0, 1, 0]
    } else if keyword("z") {
      axis = [0, 0, 1]
    } else if let x = float() {
      guard let y = float(), let z = float() else { return nil }
      axis = [x, y, z]
    }
    if rotation == nil { rotation = angle().map { Float($0) } }
    guard let rotation else { return nil }
    guard let axis, !(axis[0] == 0 && axis[1] == 0 && axis[2] > 0) else { return .rotate(rotation) }
    return .rotate3d(axis[0], axis[1], axis[2], rotation)
  }

  // MARK: Filters. https://drafts.csswg.org/filter-effects/#filter-functions

  mutating func filterList() -> Specified<[FilterFunction]>? {
    keyword("none") ? .value([]) : list { $0.filterFunction() }.map { .list($0) }
  }

  /// https://drafts.csswg.org/filter-effects/#typedef-filter-function
  private mutating func filterFunction() -> Specified<FilterFunction>? {
    if let reference = url() { return .value(.reference(reference)) }
    guard let name = peekFunction() else { return nil }
    let word = Array(name)[...]
    return block { parser in
      if word.equalsIgnoringCase("blur") {
        return parser.isAtEnd() ? .value(.blur(0)) : parser.specifiedLength(nonNegative: true)?.map { .blur($0) }
      }
      if word.equalsIgnoringCase("drop-shadow") { return parser.shadow(isText: true)?.map { .dropShadow($0) } }
      if word.equalsIgnoringCase("hue-rotate") {
        return parser.isAtEnd() ? .value(.hueRotate(0)) : parser.zeroAngle().map { .value(.hueRotate($0)) }
      }
      return parser.filterAmount(word).map { .value($0) }
    }
  }

  /// Parses a filter function with a single number or percentage; `word` is its name.
  private mutating func filterAmount(_ word: ArraySlice<UInt8>) -> FilterFunction? {
    var amount: Float = 1
    if !isAtEnd() {
      guard let given = numberOrPercentage(Self.nonNegative) else { return nil }
      amount = Float(given)
    }
    if word.equalsIgnoringCase("brightness") { return .brightness(amount) }
    if word.equalsIgnoringCase("contrast") { return .contrast(amount) }
    if word.equalsIgnoringCase("saturate") { return .saturate(amount) }
    if word.equalsIgnoringCase("grayscale") { return .grayscale(min(amount, 1)) }
    if word.equalsIgnoringCase("invert") { return .invert(min(amount, 1)) }
    if word.equalsIgnoringCase("opacity") { return .opacity(min(amount, 1)) }
    if word.equalsIgnoringCase("sepia") { return .sepia(min(amount, 1)) }
    return nil
  }

  // MARK: Shapes. https://drafts.csswg.org/css-shapes-1/

  static let shapeBoxes: [(StaticString, BoxEdge)] = [
    ("border-box", .borderBox), ("padding-box", .paddingBox), ("content-box", .contentBox), ("margin-box", .marginBox),
    ("fill-box", .fillBox),
    ("stroke-box", .strokeBox), ("view-box", .viewBox),
  ]

  mutating func shapeValue(allowsReference: Bool) -> ShapeValue? {
    if keyword("none") { return ShapeValue.none }
    if allowsReference, let reference = url() { return .reference(reference) }
    if !allowsReference, let image = attempt({ $0.image() }) { return .image(image) }
    var box = keyword(of: Self.shapeBoxes)
    if let shape = basicShape() {
      if box == nil { box = keyword(of: Self.shapeBoxes) }
      return .shape(shape, box)
    }
    return box.map { .box($0) }
  }

  mutating func basicShape() -> BasicShape? {
    guard let name = peekFunction() else { return nil }
    let word = Array(name)[...]
    return block { parser in
      if word.equalsIgnoringCase("inset") { return parser.insetShape() }
      if word.equalsIgnoringCase("xywh") { return parser.xywhShape() }
      if word.equalsIgnoringCase("rect") { return parser.rectShape() }
      if word.equalsIgnoringCase("circle") { return parser.ellipseShape(isCircle: true) }
      if word.equalsIgnoringCase("ellipse") { return parser.ellipseShape(isCircle: false) }
      if word.equalsIgnoringCase("polygon") { return parser.polygonShape() }
      if word.equalsIgnoringCase("shape") { return parser.shapePath() }
      guard word.equalsIgnoringCase("path") else { return nil }
      let evenOdd = parser.fillRule()
      return parser.string().map { .path(evenOdd: evenOdd, $0) }
    }
  }

  private mutating func fillRule() -> Bool {
    let rule: Bool? = keyword(of: [("evenodd", true), ("nonzero", false)])
    if rule != nil { _ = comma() }
    return rule ?? false
  }

  private mutating func roundCorners() -> PhysicalCorners<CornerRadius>? {
    keyword("round") ? cornerRadii() : PhysicalCorners(all: .zero)
  }

  private mutating func insetShape() -> BasicShape? {
    guard let sides = sides({ $0.lengthPercentage() }), let corners = roundCorners() else { return nil }
    return .inset(sides, corners)
  }

  private mutating func xywhShape() -> BasicShape? {
    guard let x = lengthPercentage(), let y = lengthPercentage(), let width = lengthPercentage(nonNegative: true),
      let height = lengthPercentage(nonNegative: true), let corners = roundCorners()
    else { return nil }
    return .inset(PhysicalSides(top: y, right: x.adding(width).fromEnd, bottom: y.adding(height).fromEnd, left: x), corners)
  }

  private mutating func rectShape() -> BasicShape? {
    func edge(_ parser: inout ValueParser, _ automatic: Float) -> LengthPercentage? {
      parser.keyword("auto") ? .percentage(automatic) : parser.lengthPercentage()
    }
    guard let top = edge(&self, 0), let right = edge(&self, 100), let bottom = edge(&self, 100), let left = edge(&self, 0),
      let corners = roundCorners()
    else { return nil }
    return .inset(PhysicalSides(top: top, right: right.fromEnd, bottom: bottom.fromEnd, left: left), corners)
  }

  private mutating func shapeRadius() -> BasicShape.Radius? {
    if keyword("closest-side") { return .closestSide }
    if keyword("farthest-side") { return .farthestSide }
    return lengthPercentage(nonNegative: true).map { .value($0) }
  }

  private mutating func ellipseShape(isCircle: Bool) -> BasicShape? {
    let first = shapeRadius()
    var second: BasicShape.Radius?
    if !isCircle, first != nil {
      guard let given = shapeRadius() else { return nil }
      second = given
    }
    var center = Position.center
    if keyword("at") {
      guard let position = position() else { return nil }
      center = position
    }
    return isCircle ? .circle(first ?? .closestSide, at: center) : .ellipse(first ?? .closestSide, second ?? .closestSide, at: center)
  }

  private mutating func polygonShape() -> BasicShape? {
    let rule: Bool? = keyword(of: [("evenodd", true), ("nonzero", false)])
    var radius: LengthPercentage?
    if keyword("round") {
      guard let given = lengthPercentage(nonNegative: true) else { return nil }
      radius = given
    }
    guard rule == nil && radius == nil || comma() else { return nil }
    return commaList { parser -> Position? in
      guard let x = parser.lengthPercentage(), let y = parser.lengthPercentage() else { return nil }
      return Position(x: x, y: y)
    }.map { .polygon(evenOdd: rule ?? false, $0, round: radius ?? .zero) }
  }

  /// https://drafts.csswg.org/css-backgrounds-3/#border-radius
  mutating func cornerRadii(pairIsOneCorner: Bool = false) -> PhysicalCorners<CornerRadius>? {
    guard let given = list(max: 4, { $0.lengthPercentage(nonNegative: true) }), let first = given.first else { return nil }
    if pairIsOneCorner, given.count == 2, peek().map({ $0.kind != .delim || $0.delimiter != 0x2F }) ?? true {
      return PhysicalCorners(all: CornerRadius(horizontal: first, vertical: given[1]))
    }
    let horizontal = PhysicalSides(
      top: first, right: given.count > 1 ? given[1] : first, bottom: given.count > 2 ? given[2] : first,
      left: given.count > 3 ? given[3] : given.count > 1 ? given[1] : first)
    var vertical = horizontal
    if delimiter("/") {
      guard let given = sides({ $0.lengthPercentage(nonNegative: true) }) else { return nil }
      vertical = given
    }
    return PhysicalCorners(
      topLeft: CornerRadius(horizontal: horizontal.top, vertical: vertical.top),
      topRight: CornerRadius(horizontal: horizontal.right, vertical: vertical.right),
      bottomRight: CornerRadius(horizontal: horizontal.bottom, vertical: vertical.bottom),
      bottomLeft: CornerRadius(horizontal: horizontal.left, vertical: vertical.left))
  }
}

extension LengthPercentage {
  func adding(_ other: LengthPercentage) -> LengthPercentage {
    LengthPercentage(.sum([expression, other.expression]), nonNegative: false)
  }

  var expression: MathExpression {
    switch self {
    case .length(let px): .number(Double(px))
    case .percentage(let percent): .percentage(Double(percent))
    case .sum(let px, let percent): .sum([.number(Double(px)), .percentage(Double(percent))])
    case .math(let expression): expression
    }
  }
}
