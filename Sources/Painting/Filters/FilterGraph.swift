import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// A `filter` element resolved for rasterization: a sequence of primitives that read earlier results. Lengths in pixels of the image.
/// https://drafts.fxtf.org/filter-effects/
public final class FilterGraph: Hashable, Sendable {
  enum Input: Sendable { case source, sourceAlpha, result(Int) }
  struct Primitive: Sendable {
    var operation: Operation
    var inputs: [Input]
    var region: DisplayRect
    /// Whether the primitive operates on linear-light colors (`color-interpolation-filters`).
    var isLinear: Bool
  }
  enum Operation: Sendable {
    case flood(Color)
    case blur(Double, Double)
    case offset(Double, Double)
    case blend(BlendMode)
    case composite(String, [Double])
    case matrix([Float])
    case luminanceToAlpha
    case transfer([SVGFilter.Function])
    case merge
    case tile(DisplayRect)
    case morphology(dilates: Bool, Double, Double)
    case convolve(SVGFilter.Convolution)
    case turbulence(Turbulence)
    case lighting(Lighting)
    case displacement(x: Double, y: Double, channelX: Int, channelY: Int)
    case dropShadow(Double, Double, Double, Double, Color)
    case list(DisplayList)
    case empty
  }

  let primitives: [Primitive]
  let region: DisplayRect

  init(_ primitives: [Primitive], region: DisplayRect) {
    self.primitives = primitives
    self.region = region
  }

  public static func == (a: FilterGraph, b: FilterGraph) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  var outset: Int { clampedPixel(min(8192, max(region.width, region.height)).rounded(.up)) }
}
