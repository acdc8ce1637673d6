import OffprintCSS
import OffprintCoreTypes
import Glibc
import OffprintImages
import OffprintLayout

/// Resolves filters to lengths in pixels of the image.
struct FilterResolver: FragmentPainter {
  let context: PaintContext

  /// Resolves filter functions and references. https://drafts.fxtf.org/filter-effects/#ShorthandEquivalents
  ///
  /// - Parameter area: The area of the box and its contents, the reference box of `filter` elements.
  func resolve(_ filters: [FilterFunction], _ style: ComputedStyle, area: () -> DisplayRect) -> [DisplayFilter] {
    let factor = scale * transform.meanScale
    return filters.prefix(32).compactMap { filter in
      if case .reference(let url) = filter { return filterReference(url.text, area()) }
      return Self.resolve(filter, style, factor: factor, transform.concatenating(.scaling(scale, scale)))
    }
  }

  /// - Parameters:
  ///   - factor: Pixels of the image per CSS px.
  ///   - transform: From CSS px to pixels of the image; determines the direction of shadows.
  static func resolve(_ filter: FilterFunction, _ style: ComputedStyle, factor: Double, _ transform: AffineTransform) -> DisplayFilter? {
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
        x: transform.a * Double(shadow.x) + transform.c * Double(shadow.y),
        y: transform.b * Double(shadow.x) + transform.d * Double(shadow.y), sigma: Double(max(0, shadow.blur)) * factor,
        shadow.color.resolve(style.text.color))
    case .reference: nil
    }
  }

  /// Resolves a `filter` element for a box. User space has units of CSS px and its origin at the corner of the box.
  private func filterReference(_ url: String, _ area: DisplayRect) -> DisplayFilter? {
    guard let (scene, id) = context.scene(for: url, nil) else { return nil }
    let frame = SVGBoxFrame(area, scale: scale)
    guard let filter = scene.filter(id, frame.box, frame.viewport) else { return nil }
    pushTransform(frame.transform)
    defer { popTransform() }
    return (try? SVGPainter(context, scene).graph(filter, scene, frame.box, frame.viewport)).map { .graph($0) }
  }
}

/// The user space of SVG resources applied to a box: CSS px from the corner of its border box.
struct SVGBoxFrame {
  let box: DisplayRect
  let transform: AffineTransform
  let viewport: SVGViewport

  init(_ context: PaintContext, _ fragment: Fragment, _ offset: LayoutPoint) {
    self.init(DisplayRect(BoxGeometry(context, fragment, offset).borderBox), scale: context.scale)
  }

  init(_ area: DisplayRect, scale: Double) {
    box = DisplayRect(x: 0, y: 0, width: area.width / scale, height: area.height / scale)
    transform = AffineTransform(a: scale, b: 0, c: 0, d: scale, e: area.x, f: area.y)
    viewport = SVGViewport(width: box.width, height: box.height)
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
