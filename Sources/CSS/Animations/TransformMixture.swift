import OffprintCoreTypes

/// An interpolated transform between two lists of functions with percentages, whose matrices depend on the size of the box.
public struct TransformMixture: Hashable, Sendable {
  var from: [TransformFunction]
  var to: [TransformFunction]
  var part: Double

  /// The function that applies to a reference box in CSS px.
  public func resolved(_ width: Double, _ height: Double) -> TransformFunction {
    func fixed(_ functions: [TransformFunction]) -> [TransformFunction] { functions.map { $0.resolved(width, height) } }
    return Self.matrix(fixed(from)[...], fixed(to)[...], part) ?? .matrix(1, 0, 0, 1, 0, 0)
  }

  /// Interpolates the remainders of two lists as one function; nil if that is impossible.
  static func mixed(
    _ from: ArraySlice<TransformFunction>, _ to: ArraySlice<TransformFunction>, _ part: Double
  ) -> TransformFunction? {
    if from.contains(where: \.dependsOnBox) || to.contains(where: \.dependsOnBox) {
      return .interpolation(TransformMixture(from: Array(from), to: Array(to), part: part))
    }
    return matrix(from, to, part)
  }

  /// Interpolates 2D matrices if both lists are 2D. https://drafts.csswg.org/css-transforms-2/#matrix-interpolation
  private static func matrix(
    _ from: ArraySlice<TransformFunction>, _ to: ArraySlice<TransformFunction>, _ part: Double
  ) -> TransformFunction? {
    PlaneMatrix.mixed(from, to, part) ?? SpaceMatrix.mixed(from, to, part)
  }
}

extension TransformFunction {
  fileprivate var dependsOnBox: Bool {
    switch self {
    case .translate(let x, let y, _): x.dependsOnBasis || y.dependsOnBasis
    case .interpolation: true
    default: false
    }
  }

  fileprivate func resolved(_ width: Double, _ height: Double) -> TransformFunction {
    switch self {
    case .translate(let x, let y, let z): .translate(.length(Float(x.resolve(width))), .length(Float(y.resolve(height))), z)
    case .interpolation(let mixture): mixture.resolved(width, height)
    default: self
    }
  }
}

extension LengthPercentage {
  fileprivate var dependsOnBasis: Bool {
    switch self {
    case .length, .percentage(0): false
    default: true
    }
  }
}
