internal import OffprintCSS
internal import OffprintCoreTypes

/// Applies transforms to the scrollable overflow area. https://drafts.csswg.org/css-overflow-3/#scrollable
///
/// Only 2D transforms are applied. 3D transforms are ignored.
enum TransformedOverflow {
  /// The overflow of a fragment after its transforms, relative to its border box.
  static func rect(of fragment: Fragment, _ tree: BoxTree) -> LayoutRect {
    guard fragment.kind == .box, fragment.style.effects.hasTransform, tree[fragment.box].kind != .inline else { return fragment.overflow }
    let effects = fragment.style.effects
    let width = fragment.size.width.double, height = fragment.size.height.double
    let functions = [effects.translate, effects.rotate, effects.scale].compactMap { $0 } + effects.transform
    guard !functions.isEmpty, let matrix = matrix(functions, width, height) else { return fragment.overflow }
    let x = effects.transformOrigin.x.resolve(width), y = effects.transformOrigin.y.resolve(height)
    let total = AffineTransform.translation(x, y).concatenating(matrix).concatenating(.translation(-x, -y))
    guard total.isFinite else { return fragment.overflow }
    let rect = fragment.overflow
    let corners = [(rect.minX, rect.minY), (rect.maxX, rect.minY), (rect.minX, rect.maxY), (rect.maxX, rect.maxY)].map { corner in
      (
        x: total.a * corner.0.double + total.c * corner.1.double + total.e,
        y: total.b * corner.0.double + total.d * corner.1.double + total.f
      )
    }
    let left = corners.map(\.x).min() ?? 0, right = corners.map(\.x).max() ?? 0
    let top = corners.map(\.y).min() ?? 0, bottom = corners.map(\.y).max() ?? 0
    return LayoutRect(
      x: LayoutUnit(left), y: LayoutUnit(top), width: LayoutUnit(right) - LayoutUnit(left), height: LayoutUnit(bottom) - LayoutUnit(top))
  }

  /// nil for 3D transforms.
  private static func matrix(_ functions: [TransformFunction], _ width: Double, _ height: Double) -> AffineTransform? {
    var result = AffineTransform.identity
    for function in functions {
      switch function {
      case .translate(let x, let y, let z):
        guard z == 0 else { return nil }
        result = result.concatenating(.translation(x.resolve(width), y.resolve(height)))
      case .scale(let x, let y, _): result = result.concatenating(.scaling(Double(x), Double(y)))
      case .rotate(let angle): result = result.concatenating(SVGMath.rotation(Double(angle)))
      case .skew(let x, let y): result = result.concatenating(SVGMath.skew(Double(x), Double(y)))
      case .matrix(let a, let b, let c, let d, let e, let f):
        result = result.concatenating(
          AffineTransform(a: Double(a), b: Double(b), c: Double(c), d: Double(d), e: Double(e), f: Double(f)))
      case .interpolation(let mixture):
        guard let matrix = matrix([mixture.resolved(width, height)], width, height) else { return nil }
        result = result.concatenating(matrix)
      case .rotate3d, .matrix3d, .perspective: return nil
      }
    }
    return result
  }
}
