import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout

/// Masks, and clip paths that reference SVG elements. They are painted last into a group and remove what they do not cover.
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
    for (index, layer) in layers.enumerated().reversed() where !context.hasFailed {
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
      paintMaskLayer(layer, style, geometry, fragment, offset)
      if needsGroup { popGroup() }
    }
    if let border = style.effects.maskBorder { _ = BorderImagePainter(context: context).paint(border, style, geometry) }
    popGroup()
  }

  /// Applies the mask of a reflection to the current group.
  func paintMask(of reflection: BoxReflection, _ fragment: Fragment, _ offset: LayoutPoint) {
    guard let mask = reflection.mask else { return }
    var group = Group()
    group.operation = .mask(luminance: false)
    pushGroup(group)
    _ = BorderImagePainter(context: context).paint(mask, fragment.style, BoxGeometry(context, fragment, offset))
    popGroup()
  }

  private func paintMaskLayer(
    _ layer: BackgroundLayer, _ style: ComputedStyle, _ geometry: BoxGeometry, _ fragment: Fragment, _ offset: LayoutPoint
  ) {
    if case .url(let url) = layer.image, let (scene, id) = context.scene(for: url.text, nil), scene.hasEffectResource(id) {
      return paintMaskElement(id, scene, layer.maskMode, fragment, offset)
    }
    guard layer.maskMode == .luminance else { return backgrounds.paint(layer, style, geometry, fragment) }
    var group = Group()
    group.filters = [.luminanceToAlpha]
    pushGroup(group)
    backgrounds.paint(layer, style, geometry, fragment)
    popGroup()
  }

  /// Paints a `mask` element as a mask layer.
  private func paintMaskElement(
    _ id: String, _ scene: SVGScene, _ mode: BackgroundLayer.MaskMode, _ fragment: Fragment, _ offset: LayoutPoint
  ) {
    let frame = SVGBoxFrame(context, fragment, offset)
    guard let mask = attempt({ try scene.mask(id, frame.box, frame.viewport) }) ?? nil else { return }
    let isLuminance = mode == .matchSource ? mask.style.effects.svg.maskType == .luminance : mode == .luminance
    var group = Group()
    if isLuminance { group.filters = [.luminanceToAlpha] }
    pushGroup(group)
    pushTransform(frame.transform)
    let painter = SVGPainter(context, scene)
    attempt { try painter.paintMaskContent(mask) }
    popTransform()
    popGroup()
  }

  func paintClip(_ url: String, _ fragment: Fragment, _ offset: LayoutPoint) {
    guard let (scene, id) = context.scene(for: url, nil) else { return }
    let frame = SVGBoxFrame(context, fragment, offset)
    guard let coverage = attempt({ try scene.clipPath(id, frame.box, frame.viewport) }) ?? nil else { return }
    pushTransform(frame.transform)
    let painter = SVGPainter(context, scene)
    attempt { try painter.paintClip(coverage, frame.box, frame.viewport) }
    popTransform()
  }

  /// Runs `body`; an error ends the painting of the page.
  @discardableResult
  private func attempt<Value>(_ body: () throws -> Value) -> Value? { context.attempt(body) }
}
