internal import COffprintPixels
import OffprintCoreTypes
import Glibc

/// Gaussian blurs: exact kernels for small deviations, otherwise three box blurs with running sums, whose cost does not depend on the
/// radius. All sums are integers, so that a pixel does not depend on which part of the image is blurred.
/// https://drafts.fxtf.org/filter-effects/#feGaussianBlurElement
struct Blur {
  private enum Pass {
    /// The mean of pixels `-left...right`.
    case box(left: Int, right: Int)
    /// One half of a symmetric kernel: weights in units of 1/65536, the center first.
    case kernel([UInt32])

    var outset: Int {
      switch self {
      case .box(let left, let right): max(left, right)
      case .kernel(let weights): weights.count
      }
    }
  }
  private let passes: [Pass]
  private var outset: Int { passes.reduce(0) { $0 + $1.outset } }

  /// Larger deviations are clamped to this one, as in Chromium (Skia).
  static let largestSigma = 532.0

  init(sigma: Double) {
    let sigma = min(sigma, Blur.largestSigma)
    guard sigma > 0.03 else { passes = []; return }
    if sigma < 2 {
      passes = [.kernel(Blur.kernel(sigma))]
      return
    }
    let d = Int((sigma * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)), half = d / 2
    passes =
      d % 2 == 1
      ? Array(repeating: .box(left: half, right: half), count: 3)
      : [.box(left: half, right: half - 1), .box(left: half - 1, right: half), .box(left: half, right: half)]
  }

  private static func kernel(_ sigma: Double) -> [UInt32] {
    let radius = Int((sigma * 3).rounded(.up))
    var weights = (0...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(-weights[0]) { $0 + 2 * $1 }
    weights = weights.map { $0 / sum * 65536 }
    var fixed = weights.map { UInt32($0.rounded()) }
    let rest = fixed.dropFirst().reduce(0) { $0 + 2 * $1 }
    fixed[0] = rest < 65536 ? 65536 - rest : 0
    return fixed
  }

  func apply(_ mask: CoverageMask, _ meter: WorkMeter) throws {
    try run(mask.bytes, width: mask.rect.width, height: mask.rect.height, stride: mask.stride, meter)
  }

  func apply(_ layer: PixelLayer, _ meter: WorkMeter) throws {
    try run(layer.pixels, width: layer.rect.width, height: layer.rect.height, stride: layer.stride, meter)
  }

  /// Blurs with different deviations on the two axes.
  static func apply(sigmaX: Double, sigmaY: Double, to layer: PixelLayer, _ meter: WorkMeter) throws {
    let (x, y) = (Blur(sigma: sigmaX), Blur(sigma: sigmaY)), rect = layer.rect
    try meter.spend(rect.width * rect.height / 4)
    let strip = BlurStrip(longest: max(rect.width, rect.height))
    if !x.passes.isEmpty {
      try x.lines(0..<rect.height, layer.pixels, count: rect.width, step: 1, lineStep: layer.stride, strip, meter)
    }
    if !y.passes.isEmpty {
      try y.lines(0..<rect.width, layer.pixels, count: rect.height, step: layer.stride, lineStep: 1, strip, meter)
    }
  }

  /// Blurs rows, then columns, only near nonzero pixels.
  private func run<Pixel: FixedWidthInteger & UnsignedInteger>(
    _ pixels: UnsafeMutablePointer<Pixel>, width: Int, height: Int, stride: Int, _ meter: WorkMeter
  ) throws {
    guard !passes.isEmpty else { return }
    try meter.spend(width * height / 4)
    guard let ink = Blur.ink(pixels, width: width, height: height, stride: stride) else { return }
    let outset = outset
    let columns = max(0, ink.left - outset)..<min(width, ink.right + outset)
    let rows = max(0, ink.top - outset)..<min(height, ink.bottom + outset)
    let strip = BlurStrip(longest: max(columns.count, rows.count))
    try lines(
      ink.top..<ink.bottom, pixels + columns.lowerBound, count: columns.count, step: 1, lineStep: stride, strip, meter)
    try lines(columns, pixels + rows.lowerBound * stride, count: rows.count, step: stride, lineStep: 1, strip, meter)
  }

  /// The bounding box of the nonzero pixels.
  private static func ink<Pixel: FixedWidthInteger>(
    _ pixels: UnsafeMutablePointer<Pixel>, width: Int, height: Int, stride: Int
  ) -> PixelRect? {
    var ink = PixelRect(left: width, top: height, right: 0, bottom: 0)
    for y in 0..<height {
      let row = pixels + y * stride
      var left = 0
      while left < width, row[left] == 0 { left += 1 }
      guard left < width else { continue }
      var right = width
      while row[right - 1] == 0 { right -= 1 }
      ink = PixelRect(left: min(ink.left, left), top: min(ink.top, y), right: max(ink.right, right), bottom: y + 1)
    }
    return ink.isEmpty ? nil : ink
  }

  /// Blurs parallel lines, as many at a time as fit side by side in a strip.
  private func lines<Pixel: FixedWidthInteger & UnsignedInteger>(
    _ numbers: Range<Int>, _ pixels: UnsafeMutablePointer<Pixel>, count: Int, step: Int, lineStep: Int, _ strip: BlurStrip,
    _ meter: WorkMeter
  ) throws {
    let wide = BlurStrip.lanes / MemoryLayout<Pixel>.size
    var line = numbers.lowerBound
    while line < numbers.upperBound {
      let side = min(wide, numbers.upperBound - line), start = pixels + line * lineStep
      try meter.spend(count * side)
      strip.gather(start, count: count, step: step, lines: side, lineStep: lineStep)
      for pass in passes {
        switch pass {
        case .box(let left, let right): strip.box(count: count, left: left, right: right)
        case .kernel(let weights): strip.convolve(count: count, weights)
        }
      }
      strip.scatter(start, count: count, step: step, lines: side, lineStep: lineStep)
      line += wide
    }
  }
}

/// Lines interleaved side by side: one step along the lines is a contiguous run of bytes, which the compiler vectorizes.
private final class BlurStrip {
  static let lanes = Int(PIXELS_LANES)

  private var from: UnsafeMutablePointer<UInt8>
  private var to: UnsafeMutablePointer<UInt8>
  private let sums: UnsafeMutablePointer<UInt32>

  init(longest: Int) {
    from = .allocate(capacity: longest * Self.lanes)
    to = .allocate(capacity: longest * Self.lanes)
    sums = .allocate(capacity: Self.lanes)
  }

  deinit {
    from.deallocate()
    to.deallocate()
    sums.deallocate()
  }

  @inline(__always)
  private func cells<Pixel>(_ type: Pixel.Type) -> UnsafeMutablePointer<Pixel> {
    UnsafeMutableRawPointer(from).assumingMemoryBound(to: type)
  }

  @inline(__always)
  func gather<Pixel: FixedWidthInteger>(_ pixels: UnsafeMutablePointer<Pixel>, count: Int, step: Int, lines: Int, lineStep: Int) {
    let wide = Self.lanes / MemoryLayout<Pixel>.size, cells = cells(Pixel.self)
    if lines < wide { memset(from, 0, count * Self.lanes) }
    for i in 0..<count {
      let source = pixels + i &* step, out = cells + i &* wide
      for line in 0..<lines { out[line] = source[line &* lineStep] }
    }
  }

  @inline(__always)
  func scatter<Pixel: FixedWidthInteger>(_ pixels: UnsafeMutablePointer<Pixel>, count: Int, step: Int, lines: Int, lineStep: Int) {
    let wide = Self.lanes / MemoryLayout<Pixel>.size, cells = cells(Pixel.self)
    for i in 0..<count {
      let out = pixels + i &* step, source = cells + i &* wide
      for line in 0..<lines { out[line &* lineStep] = source[line] }
    }
  }

  /// The mean of `left + right + 1` neighbors, by a running sum.
  func box(count: Int, left: Int, right: Int) {
    pixels_box_blur(from, to, count, left, right)
    swap(&self.from, &self.to)
  }

  func convolve(count: Int, _ weights: [UInt32]) {
    let lanes = Self.lanes, sums = sums, from = from, to = to
    for i in 0..<count {
      let middle = from + i &* lanes, first = weights.first ?? 0
      for lane in 0..<lanes { sums[lane] = UInt32(middle[lane]) &* first &+ 32768 }
      for k in weights.indices.dropFirst() {
        if i >= k { add(from + (i &- k) &* lanes, weights[k]) }
        if i + k < count { add(from + (i &+ k) &* lanes, weights[k]) }
      }
      let out = to + i &* lanes
      for lane in 0..<lanes { out[lane] = UInt8(truncatingIfNeeded: min(255, sums[lane] >> 16)) }
    }
    swap(&self.from, &self.to)
  }

  @inline(__always)
  private func add(_ cells: UnsafeMutablePointer<UInt8>, _ weight: UInt32) {
    let sums = sums
    for lane in 0..<Self.lanes { sums[lane] &+= UInt32(cells[lane]) &* weight }
  }
}
