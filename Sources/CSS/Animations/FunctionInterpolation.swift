import OffprintCoreTypes

// Lists of functions. https://drafts.csswg.org/css-transforms-2/#interpolation-of-transforms and
// https://drafts.csswg.org/filter-effects/#interpolation-of-filters

extension TransformFunction: Interpolable {
  func mixed(with other: TransformFunction, _ part: Double) -> TransformFunction? {
    func mix(_ a: Float, _ b: Float) -> Float { Float(Double(a) + (Double(b) - Double(a)) * part) }
    switch (self, other) {
    case (.translate(let x1, let y1, let z1), .translate(let x2, let y2, let z2)):
      guard let x = x1.mixed(with: x2, part), let y = y1.mixed(with: y2, part) else { return nil }
      return .translate(x, y, mix(z1, z2))
    case (.scale(let x1, let y1, let z1), .scale(let x2, let y2, let z2)): return .scale(mix(x1, x2), mix(y1, y2), mix(z1, z2))
    case (.rotate(let a), .rotate(let b)): return .rotate(mix(a, b))
    case (.rotate3d(let x1, let y1, let z1, let a), .rotate3d(let x2, let y2, let z2, let b)):
      if x1 == x2, y1 == y2, z1 == z2 || b == 0 { return .rotate3d(x1, y1, z1, mix(a, b)) }
      return a == 0 ? .rotate3d(x2, y2, z2, mix(a, b)) : SpaceMatrix.mixed([self], [other], part)
    case (.rotate(let a), .rotate3d): return TransformFunction.rotate3d(0, 0, 1, a).mixed(with: other, part)
    case (.rotate3d, .rotate(let b)): return mixed(with: .rotate3d(0, 0, 1, b), part)
    case (.matrix, .matrix), (.matrix, .matrix3d), (.matrix3d, .matrix), (.matrix3d, .matrix3d):
      return TransformMixture.mixed([self], [other], part)
    case (.skew(let x1, let y1), .skew(let x2, let y2)): return .skew(mix(x1, x2), mix(y1, y2))
    case (.perspective(let a), .perspective(let b)):
      let depth = mix(1 / max(a, 1), 1 / max(b, 1))
      return depth > 0 ? .perspective(1 / depth) : .matrix(1, 0, 0, 1, 0, 0)
    default: return nil
    }
  }

  /// The identity function of the same kind.
  private var identity: TransformFunction? {
    switch self {
    case .translate: .translate(.zero, .zero, 0)
    case .scale: .scale(1, 1, 1)
    case .rotate: .rotate(0)
    case .rotate3d(let x, let y, let z, _): .rotate3d(x, y, z, 0)
    case .skew: .skew(0, 0)
    case .matrix, .matrix3d, .perspective, .interpolation: nil
    }
  }

  /// Functions from the first pair that cannot be interpolated individually are interpolated as one matrix.
  static func mixed(_ a: [TransformFunction], _ b: [TransformFunction], _ part: Double) -> [TransformFunction]? {
    var result: [TransformFunction] = []
    for index in 0..<max(a.count, b.count) {
      let x = index < a.count ? a[index] : b[index].identity, y = index < b.count ? b[index] : a[index].identity
      guard let x, let y, let value = x.mixed(with: y, part) else {
        guard let matrix = TransformMixture.mixed(a.dropFirst(index), b.dropFirst(index), part) else { return nil }
        return result + [matrix]
      }
      result.append(value)
    }
    return result
  }

  /// An absent function is the identity.
  static func mixed(optional a: TransformFunction?, _ b: TransformFunction?, _ part: Double) -> TransformFunction?? {
    guard let a = a ?? b?.identity, let b = b ?? a.identity else { return nil }
    return a.mixed(with: b, part).map { .some($0) }
  }

  /// https://drafts.csswg.org/css-transforms-2/#combining-transform-lists
  static func sum(
    _ a: [TransformFunction], _ b: [TransformFunction], _ composition: AnimationStyle.Composition
  ) -> [TransformFunction]? {
    guard composition == .accumulate else { return a + b }
    var result: [TransformFunction] = []
    for index in 0..<max(a.count, b.count) {
      let x = index < a.count ? a[index] : b[index].identity, y = index < b.count ? b[index] : a[index].identity
      guard let x, let y, let value = x.sum(with: y, composition) else { return nil }
      result.append(value)
    }
    return result
  }

  /// Adds functions of the same kind. For scales, the differences from 1 are added.
  func sum(with other: TransformFunction, _ composition: AnimationStyle.Composition) -> TransformFunction? {
    switch (self, other) {
    case (.translate(let x1, let y1, let z1), .translate(let x2, let y2, let z2)):
      guard let x = x1.sum(with: x2, composition), let y = y1.sum(with: y2, composition) else { return nil }
      return .translate(x, y, z1 + z2)
    case (.scale(let x1, let y1, let z1), .scale(let x2, let y2, let z2)):
      return composition == .add ? .scale(x1 * x2, y1 * y2, z1 * z2) : .scale(x1 + x2 - 1, y1 + y2 - 1, z1 + z2 - 1)
    case (.rotate(let a), .rotate(let b)): return .rotate(a + b)
    case (.rotate3d(let x1, let y1, let z1, let a), .rotate3d(let x2, let y2, let z2, let b)):
      return x1 == x2 && y1 == y2 && z1 == z2 ? .rotate3d(x1, y1, z1, a + b) : nil
    case (.skew(let x1, let y1), .skew(let x2, let y2)): return .skew(x1 + x2, y1 + y2)
    default: return nil
    }
  }
}

extension FilterFunction: Interpolable {
  func mixed(with other: FilterFunction, _ part: Double) -> FilterFunction? {
    func mix(_ a: Float, _ b: Float) -> Float { Float(Double(a) + (Double(b) - Double(a)) * part) }
    switch (self, other) {
    case (.blur(let a), .blur(let b)): return .blur(max(0, mix(a, b)))
    case (.brightness(let a), .brightness(let b)): return .brightness(max(0, mix(a, b)))
    case (.contrast(let a), .contrast(let b)): return .contrast(max(0, mix(a, b)))
    case (.grayscale(let a), .grayscale(let b)): return .grayscale(min(max(0, mix(a, b)), 1))
    case (.hueRotate(let a), .hueRotate(let b)): return .hueRotate(mix(a, b))
    case (.invert(let a), .invert(let b)): return .invert(min(max(0, mix(a, b)), 1))
    case (.opacity(let a), .opacity(let b)): return .opacity(min(max(0, mix(a, b)), 1))
    case (.saturate(let a), .saturate(let b)): return .saturate(max(0, mix(a, b)))
    case (.sepia(let a), .sepia(let b)): return .sepia(min(max(0, mix(a, b)), 1))
    case (.dropShadow(let a), .dropShadow(let b)): return a.mixed(with: b, part).map { .dropShadow($0) }
    default: return nil
    }
  }

  private var identity: FilterFunction? {
    switch self {
    case .blur: .blur(0)
    case .brightness: .brightness(1)
    case .contrast: .contrast(1)
    case .grayscale: .grayscale(0)
    case .hueRotate: .hueRotate(0)
    case .invert: .invert(0)
    case .opacity: .opacity(1)
    case .saturate: .saturate(1)
    case .sepia: .sepia(0)
    case .dropShadow: .dropShadow(Shadow(color: .color(.transparent), x: 0, y: 0, blur: 0))
    case .reference: nil
    }
  }

  static func mixed(_ a: [FilterFunction], _ b: [FilterFunction], _ part: Double) -> [FilterFunction]? {
    var result: [FilterFunction] = []
    for index in 0..<max(a.count, b.count) {
      let x = index < a.count ? a[index] : b[index].identity, y = index < b.count ? b[index] : a[index].identity
      guard let x, let y, let value = x.mixed(with: y, part) else { return nil }
      result.append(value)
    }
    return result
  }

  static func sum(_ a: [FilterFunction], _ b: [FilterFunction], _ composition: AnimationStyle.Composition) -> [FilterFunction]? { a + b }
}
