import CSS
import CoreTypes
import Images
import Layout

/// Masks, and clip paths that are elements of SVG: drawn last into a group, they take from it what they do not cover.
struct MaskPainter: FragmentPainter {
  let context: PaintContext

  /// https://drafts.csswg.org/css-masking-1/#mask-layers
  func paintMask(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = tree[fragment.box].style
    let geometry = BoxGeometry(context, fragment, offset)
    var outer = Group()
    let layers = style.effects.mask
    outer.operation = .mask(luminance: false)
    pushGroup(outer)
    for (index, layer) in layers.enumerated().reversed() {
      var group = Group()
      let isBottom = index == layers.count - 1
      if !isBottom {
        group.operation =
          switch layer.composite {
          case .add: .blend(.normal)
          case .subtract: .outside
          case .intersect: .inside
          case .exclude: .xor
          }
      }
      let needsGroup = group.operation != .blend(.normal)
      if needsGroup { pushGroup(group) }
      paintMaskLayer(layer, style, geometry, fragment)
      if needsGroup { popGroup() }
    }
    popGroup()
  }

  private func paintMaskLayer(_ layer: BackgroundLayer, _ style: ComputedStyle, _ geometry: BoxGeometry, _ fragment: Fragment) {
    if case .url(let url) = layer.image, let reference = images.references[url] {
      let mode: SVGReference.MaskMode =
        switch layer.maskMode {
        case .matchSource: .matchSource
        case .alpha: .alpha
        case .luminance: .luminance
        }
      if reference.kind == .mask { paintCoverage(reference, mode, geometry) }
      return
    }
    guard layer.maskMode == .luminance else { return backgrounds.paint(layer, style, geometry, fragment) }
    var group = Group()
    group.filters = [.luminanceToAlpha]
    pushGroup(group)
    backgrounds.paint(layer, style, geometry, fragment)
    popGroup()
  }

  func paintClip(_ reference: SVGReference, _ fragment: Fragment, _ offset: LayoutPoint) {
    var group = Group()
    group.operation = .mask(luminance: false)
    pushGroup(group)
    paintCoverage(reference, .matchSource, BoxGeometry(context, fragment, offset))
    popGroup()
  }

  /// What a mask or clip path lets through, over all that can be seen around the box.
  private func paintCoverage(_ reference: SVGReference, _ mode: SVGReference.MaskMode, _ geometry: BoxGeometry) {
    let box = geometry.borderBox
    guard let inverse = transform.inverted else { return }
    let area = inverse.mapBounds(recorder.clipBounds).intersection(box.expanded(by: clampedPixel(2000 * min(scale, 4))))
    guard !area.isEmpty, area.width <= 16_384, area.height <= 16_384 else { return }
    let view = SVGReference.Area(
      x: Double(area.left - box.left) / scale, y: Double(area.top - box.top) / scale, width: Double(area.width) / scale,
      height: Double(area.height) / scale)
    let image = reference.coverage(box: (Double(box.width) / scale, Double(box.height) / scale), view: view, mode: mode)
    add(.pattern(Pattern(source: .vector(image), tile: DisplayRect(area), area: RoundedRect(area))), area)
  }
}
