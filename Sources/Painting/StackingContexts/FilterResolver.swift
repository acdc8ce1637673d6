import CSS
import CoreTypes
import Glibc
import Images
import Layout

/// Filters with lengths in the picture's pixels.
struct FilterResolver: FragmentPainter {
  let context: PaintContext

  /// https://drafts.fxtf.org/filter-effects/#ShorthandEquivalents, lengths as they are on the picture.
  func resolve(_ filters: [FilterFunction], _ style: ComputedStyle, _ fragment: Fragment, _ offset: LayoutPoint) -> [DisplayFilter] {
    let factor = scale * transform.meanScale
    return filters.prefix(32).compactMap { filter in
      switch filter {
      case .blur(let radius): radius > 0 ? .blur(Double(radius) * factor) : nil
      case .brightness(let amount): .transfer(slope: max(0, amount), intercept: 0)
      case .contrast(let amount): .transfer(slope: max(0, amount), intercept: 0.5 - 0.5 * max(0, amount))
      case .invert(let amount):
        { (a: Float) in .transfer(slope: 1 - 2 * a, intercept: a) }(min(max(amount, 0), 1))
      case .opacity(let amount): .opacity(min(max(amount, 0), 1))
      case .grayscale(let amount): .matrix(FilterMatrix.grayscale(1 - min(max(amount, 0), 1)))
      case .sepia(let amount): .matrix(FilterMatrix.sepia(1 - min(max(amount, 0), 1)))
      case .saturate(let amount): .matrix(FilterMatrix.saturate(max(0, amount)))
      case .hueRotate(let angle): .matrix(FilterMatrix.hueRotate(angle))
      case .dropShadow(let shadow):
        .dropShadow(
          x: Double(shadow.x) * factor, y: Double(shadow.y) * factor, sigma: Double(max(0, shadow.blur)) * factor,
          shadow.color.resolve(style.text.color))
      case .reference(let url): images.references[url].flatMap { filterReference($0, factor, fragment, offset) }
      }
    }
  }

  private func filterReference(_ reference: SVGReference, _ factor: Double, _ fragment: Fragment, _ offset: LayoutPoint) -> DisplayFilter? {
    guard reference.kind == .filter, factor > 0 else { return nil }
    let box = BoxGeometry(context, fragment, offset).borderBox
    let origin = transform.map(DisplayPoint(Double(box.left), Double(box.top)))
    return .reference(
      SVGFilter(
        reference: reference, origin: origin, scale: factor, width: Double(box.width) / scale, height: Double(box.height) / scale))
  }
}

/// https://drafts.fxtf.org/filter-effects/#feColorMatrixElement
enum FilterMatrix {
  static func saturate(_ s: Float) -> [Float] {
    [
      0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0, 0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s, 0,
      0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s, 0,
    ]
  }
  static func grayscale(_ a: Float) -> [Float] {
    [
      0.2126 + 0.7874 * a, 0.7152 - 0.7152 * a, 0.0722 - 0.0722 * a, 0, 0.2126 - 0.2126 * a, 0.7152 + 0.2848 * a, 0.0722 - 0.0722 * a, 0,
      0.2126 - 0.2126 * a, 0.7152 - 0.7152 * a, 0.0722 + 0.9278 * a, 0,
    ]
  }
  static func sepia(_ a: Float) -> [Float] {
    [
      0.393 + 0.607 * a, 0.769 - 0.769 * a, 0.189 - 0.189 * a, 0, 0.349 - 0.349 * a, 0.686 + 0.314 * a, 0.168 - 0.168 * a, 0,
      0.272 - 0.272 * a, 0.534 - 0.534 * a, 0.131 + 0.869 * a, 0,
    ]
  }
  static func hueRotate(_ degrees: Float) -> [Float] {
    let c = cosf(degrees * .pi / 180), s = sinf(degrees * .pi / 180)
    return [
      0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0,
      0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0,
      0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0,
    ]
  }
}
