import OffprintCoreTypes

// https://drafts.fxtf.org/motion-1/
extension TableBuilder {
  mutating func registerMotion() {
    fields(
      "offset-path", "none | <url> | [ <ray()> | <basic-shape> ] || <coord-box>", parse: { $0.offsetPath() },
      set: { (style: inout EffectStyle, value: MotionStyle.Path) in style.motion.path = value }, get: { $0.motion.path })
    fields(
      "offset-distance", "<length-percentage>", parse: { $0.lengthPercentage() },
      set: { (style: inout EffectStyle, value: LengthPercentage) in style.motion.distance = value }, get: { $0.motion.distance })
    fields(
      "offset-rotate", "[ auto | reverse ] || <angle>", parse: { $0.offsetRotation() },
      set: { (style: inout EffectStyle, value: MotionStyle.Rotation) in style.motion.rotation = value }, get: { $0.motion.rotation })
    fields(
      "offset-anchor", "auto | <position>", parse: { parser -> Position?? in parser.keyword("auto") ? .some(nil) : parser.position() },
      set: { (style: inout EffectStyle, value: Position?) in style.motion.anchor = value }, get: { $0.motion.anchor })
    fields(
      "offset-position", "normal | auto | <position>",
      parse: { parser -> MotionStyle.Start? in
        if parser.keyword("normal") { return .normal }
        return parser.keyword("auto") ? .auto : parser.position().map { .at($0) }
      },
      set: { (style: inout EffectStyle, value: MotionStyle.Start) in style.motion.position = value }, get: { $0.motion.position })
  }
}

extension ValueParser {
  mutating func offsetPath() -> MotionStyle.Path? {
    if keyword("none") { return MotionStyle.Path.none }
    if let reference = url() { return .reference(reference) }
    let box = keyword(of: Self.shapeBoxes)
    if let ray = function("ray", { $0.ray() }) { return .ray(ray, box ?? keyword(of: Self.shapeBoxes)) }
    let isCentered = !hasWord("at")
    if let shape = basicShape() { return .shape(shape, box ?? keyword(of: Self.shapeBoxes), isCentered: isCentered) }
    return box.map { .box($0) }
  }

  /// Whether a keyword occurs anywhere in the remaining tokens.
  private func hasWord(_ word: StaticString) -> Bool {
    var parser = self
    while let token = parser.peek() {
      if token.kind == .ident, parser.keyword(word) { return true }
      if token.kind == .function {
        let found = parser.block { inner -> Bool? in
          let found = inner.hasWord(word)
          while !inner.isAtEnd() { inner.advance() }
          return found
        }
        if found == true { return true }
        if found != nil { continue }
      }
      parser.advance()
    }
    return false
  }

  /// https://drafts.fxtf.org/motion-1/#ray-function
  private mutating func ray() -> MotionStyle.Ray? {
    let sizes: [(StaticString, MotionStyle.Ray.Size)] = [
      ("closest-side", .closestSide), ("closest-corner", .closestCorner), ("farthest-side", .farthestSide),
      ("farthest-corner", .farthestCorner), ("sides", .sides),
    ]
    var angle: Double?, size: MotionStyle.Ray.Size?, center: Position?, isContained = false
    while !isAtEnd() {
      if angle == nil, let given = self.angle() {
        angle = given
      } else if size == nil, let given = keyword(of: sizes) {
        size = given
      } else if !isContained, keyword("contain") {
        isContained = true
      } else if center == nil, keyword("at"), let given = position() {
        center = given
      } else {
        return nil
      }
    }
    return angle.map { MotionStyle.Ray(angle: Float($0), size: size ?? .closestSide, isContained: isContained, center: center) }
  }

  mutating func offsetRotation() -> MotionStyle.Rotation? {
    var angle = self.angle(unitlessZero: true)
    let turn: Float? = keyword(of: [("auto", 0), ("reverse", 180)])
    if angle == nil { angle = self.angle(unitlessZero: true) }
    guard angle != nil || turn != nil else { return nil }
    return MotionStyle.Rotation(isAuto: turn != nil, angle: Float(angle ?? 0) + (turn ?? 0))
  }

  /// https://drafts.fxtf.org/motion-1/#offset-shorthand
  mutating func offsetShorthand(_ values: inout ShorthandValues) -> Bool {
    let start = remaining.lowerBound
    // The position and the path. A value that can start a position cannot start a path.
    let hasPosition = values.take(0, &self)
    let hasPath = values.take(1, &self)
    guard hasPosition || hasPath else { return false }
    if !hasPath, remaining.lowerBound == start { return false }
    if hasPath { _ = values.takeAnyOrder([2, 3], &self) }
    return !delimiter("/") || values.take(4, &self)
  }
}

extension MotionStyle.Path: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func box(_ edge: BoxEdge?) -> String { edge.map { " " + ComputedTextWriter.keyword("\($0)") } ?? "" }
    switch self {
    case .none: return "none"
    case .box(let edge): return ComputedTextWriter.keyword("\(edge)")
    case .shape(let shape, let edge, _): return shape.css(writer) + box(edge)
    case .ray(let ray, let edge):
      let center = ray.center.map { " at " + $0.css(writer) } ?? ""
      let size = ray.size == .closestSide ? "" : " " + ComputedTextWriter.keyword("\(ray.size)")
      return "ray(\(ComputedTextWriter.number(Double(ray.angle)))deg\(size)\(ray.isContained ? " contain" : "")\(center))" + box(edge)
    case .reference(let url): return "url(\(ComputedTextWriter.quoted(url.text)))"
    }
  }
}

extension MotionStyle.Rotation: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let degrees = ComputedTextWriter.number(Double(angle)) + "deg"
    return isAuto ? angle == 0 ? "auto" : "auto " + degrees : degrees
  }
}

extension MotionStyle.Start: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    if case .at(let position) = self { return position.css(writer) }
    return self == .auto ? "auto" : "normal"
  }
}
