import OffprintCoreTypes

/// A computed value between two others. https://drafts.csswg.org/css-values-4/#combining-values
protocol Interpolable: Sendable {
  /// Nil if the values cannot be interpolated.
  func mixed(with other: Self, _ part: Double) -> Self?
  static func mixed(_ a: [Self], _ b: [Self], _ part: Double) -> [Self]?
  /// The interpolation of values that can be absent: `none` and similar keywords.
  static func mixed(optional a: Self?, _ b: Self?, _ part: Double) -> Self??
  /// Adds `other` to this value; nil if the values cannot be added. https://drafts.csswg.org/css-values-4/#combine-math
  func sum(with other: Self, _ composition: AnimationStyle.Composition) -> Self?
  static func sum(_ a: [Self], _ b: [Self], _ composition: AnimationStyle.Composition) -> [Self]?
}

extension Interpolable {
  static func mixed(_ a: [Self], _ b: [Self], _ part: Double) -> [Self]? {
    guard a.count == b.count else { return nil }
    var result: [Self] = []
    for (x, y) in zip(a, b) {
      guard let value = x.mixed(with: y, part) else { return nil }
      result.append(value)
    }
    return result
  }

  static func mixed(optional a: Self?, _ b: Self?, _ part: Double) -> Self?? {
    guard let a, let b else { return nil }
    return a.mixed(with: b, part).map { .some($0) }
  }

  func sum(with other: Self, _ composition: AnimationStyle.Composition) -> Self? { nil }

  static func sum(_ a: [Self], _ b: [Self], _ composition: AnimationStyle.Composition) -> [Self]? {
    guard a.count == b.count else { return nil }
    let sums = zip(a, b).compactMap { $0.sum(with: $1, composition) }
    return sums.count == a.count ? sums : nil
  }

  /// - Parameter values: Two of this type.
  fileprivate static func mixed(any values: Any, _ part: Double) -> Any? {
    guard let values = values as? [Self], values.count == 2 else { return nil }
    return values[0].mixed(with: values[1], part).map { [$0] }
  }

  /// - Parameter values: Two of this type.
  fileprivate static func sum(any values: Any, _ composition: AnimationStyle.Composition) -> Any? {
    guard let values = values as? [Self], values.count == 2 else { return nil }
    return values[0].sum(with: values[1], composition).map { [$0] }
  }
}

/// Interpolates two values of the same type; nil if they cannot be interpolated.
func interpolated<Value: Sendable>(_ a: Value, _ b: Value, _ part: Double) -> Value? {
  // In arrays, because casts unwrap optional values.
  ((Value.self as? any Interpolable.Type)?.mixed(any: [a, b], part) as? [Value])?.first
}

/// Adds `b` to `a`; nil if values of the type cannot be added.
func sum<Value: Sendable>(_ a: Value, _ b: Value, _ composition: AnimationStyle.Composition) -> Value? {
  ((Value.self as? any Interpolable.Type)?.sum(any: [a, b], composition) as? [Value])?.first
}

extension Float: Interpolable {
  func mixed(with other: Float, _ part: Double) -> Float? { Float(Double(self) + (Double(other) - Double(self)) * part) }
  func sum(with other: Float, _ composition: AnimationStyle.Composition) -> Float? { self + other }
}

extension Int: Interpolable {
  func mixed(with other: Int, _ part: Double) -> Int? {
    let value = (Double(self) + (Double(other) - Double(self)) * part + 0.5).rounded(.down)
    return abs(value) < 1e9 ? Int(value) : nil
  }

  func sum(with other: Int, _ composition: AnimationStyle.Composition) -> Int? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}

extension Array: Interpolable where Element: Interpolable {
  func mixed(with other: [Element], _ part: Double) -> [Element]? { Element.mixed(self, other, part) }
  func sum(with other: [Element], _ composition: AnimationStyle.Composition) -> [Element]? { Element.sum(self, other, composition) }
}

extension Optional: Interpolable where Wrapped: Interpolable {
  func mixed(with other: Wrapped?, _ part: Double) -> Wrapped?? { Wrapped.mixed(optional: self, other, part) }
  func sum(with other: Wrapped?, _ composition: AnimationStyle.Composition) -> Wrapped?? {
    guard let self, let other else { return nil }
    return self.sum(with: other, composition).map { .some($0) }
  }
}

extension Color: Interpolable {
  /// https://drafts.csswg.org/css-color-4/#interpolation-space
  func mixed(with other: Color, _ part: Double) -> Color? {
    guard isLegacy, other.isLegacy else {
      var result = SpacedColor(self).interpolated(with: SpacedColor(other), 1 - part, part, in: .oklab, .shorter).color
      result.isLegacy = false
      return result
    }
    let alpha = Double(self.alpha) + Double(other.alpha - self.alpha) * part
    func channel(_ a: Float, _ b: Float) -> Float {
      let premultiplied = Double(a * self.alpha) + (Double(b * other.alpha) - Double(a * self.alpha)) * part
      return alpha > 0 ? Float(premultiplied / alpha) : 0
    }
    var result = self
    result.red = channel(red, other.red)
    result.green = channel(green, other.green)
    result.blue = channel(blue, other.blue)
    result.alpha = Float(min(max(alpha, 0), 1))
    return result
  }

  /// Interpolates premultiplied components.
  func sum(with other: Color, _ composition: AnimationStyle.Composition) -> Color? {
    let sum = min(alpha + other.alpha, 1)
    func channel(_ a: Float, _ b: Float) -> Float { sum > 0 ? min(max((a * alpha + b * other.alpha) / sum, 0), 1) : 0 }
    return Color(red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue), alpha: sum)
  }
}

extension ColorValue: Interpolable {
  func mixed(with other: ColorValue, _ part: Double) -> ColorValue? {
    guard case .color(let a) = self, case .color(let b) = other else { return self == other ? self : nil }
    return a.mixed(with: b, part).map { .color($0) }
  }

  func sum(with other: ColorValue, _ composition: AnimationStyle.Composition) -> ColorValue? {
    guard case .color(let a) = self, case .color(let b) = other else { return nil }
    return a.sum(with: b, composition).map { .color($0) }
  }
}

extension LengthPercentage: Interpolable {
  func mixed(with other: LengthPercentage, _ part: Double) -> LengthPercentage? {
    if case .length(let a) = self, case .length(let b) = other { return a.mixed(with: b, part).map { .length($0) } }
    if case .percentage(let a) = self, case .percentage(let b) = other { return a.mixed(with: b, part).map { .percentage($0) } }
    return LengthPercentage(.sum([.product(expression, 1 - part), .product(other.expression, part)]), nonNegative: false)
  }

  func sum(with other: LengthPercentage, _ composition: AnimationStyle.Composition) -> LengthPercentage? {
    if case .length(let a) = self, case .length(let b) = other { return .length(a + b) }
    if case .percentage(let a) = self, case .percentage(let b) = other { return .percentage(a + b) }
    return LengthPercentage(.sum([expression, other.expression]), nonNegative: false)
  }
}

extension LengthPercentageAuto: Interpolable {
  func mixed(with other: LengthPercentageAuto, _ part: Double) -> LengthPercentageAuto? {
    guard case .value(let a) = self, case .value(let b) = other else { return self == other ? self : nil }
    return a.mixed(with: b, part).map { .value($0) }
  }

  func sum(with other: LengthPercentageAuto, _ composition: AnimationStyle.Composition) -> LengthPercentageAuto? {
    guard case .value(let a) = self, case .value(let b) = other else { return nil }
    return a.sum(with: b, composition).map { .value($0) }
  }
}

extension SizeValue: Interpolable {
  func mixed(with other: SizeValue, _ part: Double) -> SizeValue? {
    guard case .value(let a) = self, case .value(let b) = other else { return self == other ? self : nil }
    return a.mixed(with: b, part).map { .value($0) }
  }

  func sum(with other: SizeValue, _ composition: AnimationStyle.Composition) -> SizeValue? {
    guard case .value(let a) = self, case .value(let b) = other else { return nil }
    return a.sum(with: b, composition).map { .value($0) }
  }
}

extension Position: Interpolable {
  func mixed(with other: Position, _ part: Double) -> Position? {
    guard let x = x.mixed(with: other.x, part), let y = y.mixed(with: other.y, part) else { return nil }
    return Position(x: x, y: y)
  }

  func sum(with other: Position, _ composition: AnimationStyle.Composition) -> Position? {
    guard let x = x.sum(with: other.x, composition), let y = y.sum(with: other.y, composition) else { return nil }
    return Position(x: x, y: y)
  }
}

extension OriginValue: Interpolable {
  func mixed(with other: OriginValue, _ part: Double) -> OriginValue? {
    guard let position = position.mixed(with: other.position, part), let z = z.mixed(with: other.z, part) else { return nil }
    return OriginValue(position: position, z: z)
  }
}

extension CornerRadius: Interpolable {
  func mixed(with other: CornerRadius, _ part: Double) -> CornerRadius? {
    guard let x = horizontal.mixed(with: other.horizontal, part), let y = vertical.mixed(with: other.vertical, part) else { return nil }
    return CornerRadius(horizontal: x, vertical: y)
  }

  func sum(with other: CornerRadius, _ composition: AnimationStyle.Composition) -> CornerRadius? {
    guard let x = horizontal.sum(with: other.horizontal, composition), let y = vertical.sum(with: other.vertical, composition) else {
      return nil
    }
    return CornerRadius(horizontal: x, vertical: y)
  }
}

extension FontSizeValue: Interpolable {
  func mixed(with other: FontSizeValue, _ part: Double) -> FontSizeValue? {
    px.mixed(with: other.px, part).map { FontSizeValue(px: $0, keyword: 0, isAbsolute: true) }
  }
}

extension Shadow: Interpolable {
  func mixed(with other: Shadow, _ part: Double) -> Shadow? {
    guard inset == other.inset, let color = color.mixed(with: other.color, part), let x = x.mixed(with: other.x, part),
      let y = y.mixed(with: other.y, part), let blur = blur.mixed(with: other.blur, part),
      let spread = spread.mixed(with: other.spread, part)
    else { return nil }
    return Shadow(color: color, x: x, y: y, blur: max(blur, 0), spread: spread, inset: inset)
  }

  /// A shorter list is padded with transparent shadows.
  static func mixed(_ a: [Shadow], _ b: [Shadow], _ part: Double) -> [Shadow]? {
    func clear(_ other: Shadow) -> Shadow { Shadow(color: .color(.transparent), x: 0, y: 0, blur: 0, inset: other.inset) }
    var result: [Shadow] = []
    for index in 0..<max(a.count, b.count) {
      let x = index < a.count ? a[index] : clear(b[index]), y = index < b.count ? b[index] : clear(a[index])
      guard let value = x.mixed(with: y, part) else { return nil }
      result.append(value)
    }
    return result
  }

  /// Addition concatenates the lists. https://drafts.csswg.org/css-backgrounds-3/#shadow-layers
  static func sum(_ a: [Shadow], _ b: [Shadow], _ composition: AnimationStyle.Composition) -> [Shadow]? { a + b }
}
