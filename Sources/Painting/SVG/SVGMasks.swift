import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// https://drafts.fxtf.org/css-masking-1/#positioned-masks
extension SVGPainter {
  /// A mask layer: a `mask` element or an image.
  struct MaskLayer {
    var layer: BackgroundLayer
    var coverage: SVGMaskingContent?
    var isLuminance: Bool
  }

  /// The mask layers, topmost first. Unresolved references are ignored.
  func masks(_ style: ComputedStyle, _ bounds: DisplayRect?, _ viewport: SVGViewport) throws -> [MaskLayer] {
    var result: [MaskLayer] = []
    for layer in style.effects.mask where layer.image != .none {
      guard case .url(let url) = layer.image, url.text.utf8.contains(UInt8(ascii: "#")) else {
        result.append(MaskLayer(layer: layer, coverage: nil, isLuminance: layer.maskMode == .luminance))
        continue
      }
      guard let (scene, id) = context.scene(for: url.text, scene),
        let mask = try scene.mask(id, bounds ?? DisplayRect(x: 0, y: 0, width: 0, height: 0), viewport), !active.contains(mask.node)
      else { continue }
      let isLuminance = layer.maskMode == .matchSource ? mask.style.effects.svg.maskType == .luminance : layer.maskMode == .luminance
      result.append(MaskLayer(layer: layer, coverage: mask, isLuminance: isLuminance))
    }
    return result
  }

  /// https://drafts.fxtf.org/css-masking-1/#mask-layers
  func paintMasks(_ masks: [MaskLayer], _ style: ComputedStyle, _ bounds: DisplayRect?, _ viewport: SVGViewport) throws {
    if masks.count == 1, let mask = masks[0].coverage { return try paintMask((mask, masks[0].isLuminance)) }
    var outer = Group()
    outer.operation = .mask(luminance: false)
    pushGroup(outer)
    for (index, mask) in masks.enumerated().reversed() {
      var group = Group()
      if index < masks.count - 1 {
        switch mask.layer.composite {
        case .add: break
        case .subtract: group.operation = .outside
        case .intersect: group.operation = .inside
        case .exclude: group.operation = .xor
        }
      }
      if mask.isLuminance { group.filters = [.luminanceToAlpha] }
      pushGroup(group)
      if let coverage = mask.coverage {
        try entering(coverage.node)?.paintMaskContent(coverage)
      } else if let bounds {
        let area = reference(mask.layer.origin, style, bounds, viewport)
        BackgroundPainter(context: context.inUserSpace()).paint(mask.layer, style, over: area)
      }
      popGroup()
    }
    popGroup()
  }

  /// https://drafts.fxtf.org/css-masking-1/#MaskElement
  private func paintMask(_ mask: (coverage: SVGMaskingContent, isLuminance: Bool)) throws {
    guard let inner = entering(mask.coverage.node) else { return }
    var group = Group()
    group.operation = .mask(luminance: mask.isLuminance)
    if mask.isLuminance, mask.coverage.style.svg.colorInterpolation == .linearRGB { group.filters = [.linearize] }
    pushGroup(group)
    try inner.paintMaskContent(mask.coverage)
    popGroup()
  }
}
