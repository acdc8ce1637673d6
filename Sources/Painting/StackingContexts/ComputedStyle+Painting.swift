import OffprintCoreTypes
import OffprintCSS

extension ComputedStyle {
  var hasBackground: Bool { !background.color.resolve(text.color).isTransparent || background.layers.contains { $0.image != .none } }

  var hasMask: Bool { effects.mask.contains { $0.image != .none } || effects.maskBorder.map { $0.source != .none } ?? false }

  /// Whether images are resampled with interpolation.
  var isSmooth: Bool { text.imageRendering != .pixelated && text.imageRendering != .crispEdges }
}
