internal import COffprintPixels
import OffprintCoreTypes
import Glibc

/// The blurred coverage of a box, available at any pixel without a mask of the whole: by formula for rectangles, and for rounded boxes from
/// a small mask whose straight parts are shortened.
struct ShadowMask {
  private enum Kind {
    case rectangle
    case sliced(CoverageMask, cutX: Cut, cutY: Cut, reduction: Int)
  }
  /// The removed interval of one axis.
  private struct Cut {
    var at: Int
    var length: Int
    @inline(__always) func map(_ v: Int) -> Int { v < at ? v : v < at + length ? at : v - length }
  }

  /// All inputs of a mask.
  struct Key: Equatable {
    var shape: RoundedRect
    var sigma: Double
  }

  private let shape: RoundedRect
  private let sigma: Double
  private let kind: Kind

  /// Memory of the mask in bytes.
  var byteCount: Int { if case .sliced(let mask, _, _, _) = kind { mask.stride * mask.rect.height } else { 0 } }

  /// - Throws: `DeadlineExceeded`.
  init(_ shape: RoundedRect, sigma: Double, _ meter: WorkMeter) throws {
    let shape = shape.bounded()
    let sigma = sigma > 0 ? min(sigma, 2000) : 0
    self.shape = shape
    self.sigma = sigma
    kind = shape.isRounded ? try ShadowMask.sliced(shape, sigma, meter) ?? .rectangle : .rectangle
  }

  private static func sliced(_ shape: RoundedRect, _ sigma: Double, _ meter: WorkMeter) throws -> Kind? {
    let outset = blurOutset(sigma), r = shape.radii
    let outer = shape.rect.enclosing.expanded(by: outset)
    func cut(_ start: Int, _ low: Double, _ high: Double, _ count: Int) -> Cut {
      let before = 2 * outset + clampedPixel(low.rounded(.up)) + 2, after = 2 * outset + clampedPixel(high.rounded(.up)) + 2
      return Cut(at: start + before, length: max(0, count - before - after - 1))
    }
    let cutX = cut(outer.left, max(r.topLeft.x, r.bottomLeft.x), max(r.topRight.x, r.bottomRight.x), outer.width)
    let cutY = cut(outer.top, max(r.topLeft.y, r.topRight.y), max(r.bottomLeft.y, r.bottomRight.y), outer.height)
    let width = outer.width - cutX.length, height = outer.height - cutY.length
    // Wide blurs are computed at a lower resolution without visible loss.
    var reduction = 1
    while sigma / Double(reduction) > 48 || width / reduction * (height / reduction) > 4_000_000 { reduction *= 2 }
    let k = 1 / Double(reduction)
    var small = shape
    small.rect = DisplayRect(
      x: shape.rect.x, y: shape.rect.y, width: shape.rect.width - Double(cutX.length), height: shape.rect.height - Double(cutY.length))
    let size = PixelRect(x: 0, y: 0, width: width / reduction + 2, height: height / reduction + 2)
    guard let mask = try CoverageMask(size, LayerMemory(limit: (size.width + 3) * size.height)) else { return nil }
    var path = VectorPath()
    path.add(small)
    mask.fill(path, AffineTransform(a: k, b: 0, c: 0, d: k, e: -Double(outer.left) * k, f: -Double(outer.top) * k))
    try Blur(sigma: sigma * k).apply(mask, meter)
    return .sliced(
      mask, cutX: Cut(at: cutX.at - outer.left, length: cutX.length), cutY: Cut(at: cutY.at - outer.top, length: cutY.length),
      reduction: reduction)
  }

  /// The integral of a Gaussian around `v` between two edges.
  private static func profile(_ v: Double, _ low: Double, _ high: Double, _ sigma: Double) -> Double {
    if sigma < 0.01 { return max(0, min(v + 0.5, high) - max(v - 0.5, low)) }
    let k = 1 / (sigma * 2.0.squareRoot())
    return max(0, (erf((high - v) * k) - erf((low - v) * k)) / 2)
  }

  /// The coverage of a row of pixels, in coordinates of the shadow. Pixel centers lie at half pixels.
  func fill(_ out: UnsafeMutablePointer<UInt8>, x: Int, y: Int, count: Int, profile: [Double]) {
    switch kind {
    case .rectangle:
      let vertical = ShadowMask.profile(Double(y) + 0.5, shape.rect.y, shape.rect.maxY, sigma) * 255
      pixels_scale_profile(out, count, profile, vertical)
    case .sliced(let mask, let cutX, let cutY, let reduction):
      let origin = shape.rect.enclosing.expanded(by: blurOutset(sigma))
      let row = cutY.map(y - origin.top)
      if reduction == 1 { return ShadowMask.copy(mask, row, cutX, from: x - origin.left, count: count, to: out) }
      for i in 0..<count { out[i] = ShadowMask.sample(mask, cutX.map(x + i - origin.left), row, reduction) }
    }
  }

  /// Copies `count` pixels of a row from `start` on and restores the removed interval.
  private static func copy(_ mask: CoverageMask, _ y: Int, _ cut: Cut, from start: Int, count: Int, to out: UnsafeMutablePointer<UInt8>) {
    memset(out, 0, count)
    guard y >= 0, y < mask.rect.height else { return }
    let row = mask.row(y), end = start + count, width = mask.rect.width
    func put(_ range: Range<Int>, shift: Int) {
      let low = max(range.lowerBound, start, shift), high = min(range.upperBound, end, width + shift)
      if low < high { memcpy(out + (low - start), row + (low - shift), high - low) }
    }
    put(min(0, cut.at)..<max(0, cut.at), shift: 0)
    let low = max(cut.at, start), high = min(cut.at + cut.length, end)
    if low < high, cut.at >= 0, cut.at < width { memset(out + (low - start), Int32(row[cut.at]), high - low) }
    put(cut.at + cut.length..<max(cut.at + cut.length, end), shift: cut.length)
  }

  /// The horizontal factor of the coverage, computed once for all rows.
  func profile(x: Int, count: Int) -> [Double] {
    guard case .rectangle = kind else { return [] }
    return (0..<count).map { ShadowMask.profile(Double(x + $0) + 0.5, shape.rect.x, shape.rect.maxX, sigma) }
  }

  /// The coverage at a point, for transformed shadows.
  func value(_ p: DisplayPoint) -> UInt8 {
    switch kind {
    case .rectangle:
      let c = ShadowMask.profile(p.x, shape.rect.x, shape.rect.maxX, sigma) * ShadowMask.profile(p.y, shape.rect.y, shape.rect.maxY, sigma)
      return UInt8(max(0, min(255, (c * 255).rounded())))
    case .sliced(let mask, let cutX, let cutY, let reduction):
      let origin = shape.rect.enclosing.expanded(by: blurOutset(sigma))
      return ShadowMask.sample(
        mask, cutX.map(clampedPixel(p.x.rounded(.down)) - origin.left), cutY.map(clampedPixel(p.y.rounded(.down)) - origin.top), reduction)
    }
  }

  private static func sample(_ mask: CoverageMask, _ x: Int, _ y: Int, _ reduction: Int) -> UInt8 {
    if reduction == 1 { return UInt8(truncatingIfNeeded: mask.value(x, y)) }
    // Bilinear interpolation in units of 1 / (2 · reduction) of a pixel of the mask.
    let unit = 2 * reduction
    let px = 2 * x + 1 - reduction, py = 2 * y + 1 - reduction
    let x0 = px >= 0 ? px / unit : -((-px + unit - 1) / unit), y0 = py >= 0 ? py / unit : -((-py + unit - 1) / unit)
    let fx = UInt32(px - x0 * unit), fy = UInt32(py - y0 * unit), whole = UInt32(unit)
    let top = mask.value(x0, y0) * (whole - fx) + mask.value(x0 + 1, y0) * fx
    let bottom = mask.value(x0, y0 + 1) * (whole - fx) + mask.value(x0 + 1, y0 + 1) * fx
    return UInt8(truncatingIfNeeded: min(255, (top * (whole - fy) + bottom * fy + whole * whole / 2) / (whole * whole)))
  }
}
