import Glibc

/// Gaussian blurs: exact kernels where small, three box blurs else. All sums are of integers, so that the part of a picture that
/// is blurred makes no difference. https://drafts.fxtf.org/filter-effects/#feGaussianBlurElement
struct Blur {
  private enum Pass {
    /// The mean of pixels `-left...right`.
    case box(left: Int, right: Int)
    /// Weights in 1/65536, the middle one first.
    case kernel([UInt32])
  }
  private let passes: [Pass]

  init(sigma: Double) {
    let sigma = min(sigma, 2000)
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

  func apply(_ mask: CoverageMask) {
    guard !passes.isEmpty else { return }
    run(mask.bytes, channels: 1, width: mask.rect.width, height: mask.rect.height, stride: mask.stride)
  }

  func apply(_ layer: PixelLayer) {
    guard !passes.isEmpty else { return }
    layer.pixels.withMemoryRebound(to: UInt8.self, capacity: layer.stride * layer.rect.height * 4) {
      run($0, channels: 4, width: layer.rect.width, height: layer.rect.height, stride: layer.stride * 4)
    }
  }

  private func run(_ bytes: UnsafeMutablePointer<UInt8>, channels: Int, width: Int, height: Int, stride: Int) {
    let line = max(width, height)
    let a = UnsafeMutablePointer<UInt8>.allocate(capacity: line), b = UnsafeMutablePointer<UInt8>.allocate(capacity: line)
    defer {
      a.deallocate()
      b.deallocate()
    }
    func blur(_ start: UnsafeMutablePointer<UInt8>, count: Int, step: Int) {
      var any: UInt8 = 0
      for i in 0..<count {
        a[i] = start[i * step]
        any |= a[i]
      }
      if any == 0 { return }
      var (from, to) = (a, b)
      for pass in passes {
        switch pass {
        case .box(let left, let right): Blur.box(from, to, count: count, left: left, right: right)
        case .kernel(let weights): Blur.convolve(from, to, count: count, weights)
        }
        swap(&from, &to)
      }
      for i in 0..<count { start[i * step] = from[i] }
    }
    for y in 0..<height { for c in 0..<channels { blur(bytes + y * stride + c, count: width, step: channels) } }
    for x in 0..<width * channels { blur(bytes + x, count: height, step: stride) }
  }

  private static func box(_ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, count: Int, left: Int, right: Int) {
    let size = UInt64(left + right + 1)
    let reciprocal = (UInt64(1) << 32 + size - 1) / size
    var sum: UInt64 = 0
    for i in 0..<min(right, count) { sum += UInt64(from[i]) }
    for i in 0..<count {
      if i + right < count { sum += UInt64(from[i + right]) }
      to[i] = UInt8(truncatingIfNeeded: min(255, ((sum + size / 2) * reciprocal) >> 32))
      if i >= left { sum -= UInt64(from[i - left]) }
    }
  }

  private static func convolve(_ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, count: Int, _ weights: [UInt32]) {
    weights.withUnsafeBufferPointer { weights in
      for i in 0..<count {
        var sum = UInt32(from[i]) * weights[0] + 32768
        for k in 1..<weights.count {
          if i >= k { sum += UInt32(from[i - k]) * weights[k] }
          if i + k < count { sum += UInt32(from[i + k]) * weights[k] }
        }
        to[i] = UInt8(truncatingIfNeeded: min(255, sum >> 16))
      }
    }
  }
}
