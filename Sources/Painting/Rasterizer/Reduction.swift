import OffprintCoreTypes

// Wide blurs are computed at a lower resolution without visible loss. Each pixel of a reduced layer or mask is the mean of a square of `1
// << shift` pixels of the image. The grid of squares is the same for all bands.
extension PixelRect {
  /// The reduced pixels that contain these pixels.
  func reduced(by shift: Int) -> PixelRect {
    PixelRect(left: left >> shift, top: top >> shift, right: -(-right >> shift), bottom: -(-bottom >> shift))
  }

  /// The pixels of the image that these reduced pixels cover.
  func enlarged(by shift: Int) -> PixelRect {
    PixelRect(left: left << shift, top: top << shift, right: right << shift, bottom: bottom << shift)
  }
}

extension Blur {
  /// The largest deviation blurred at full resolution; few pages use more.
  private static let widestAtFullSize = 32.0

  /// The downsampling shift for a blur of `sigma`.
  static func reduction(_ sigma: Double) -> Int {
    var shift = 0
    while min(sigma, largestSigma) / Double(1 << shift) > widestAtFullSize { shift += 1 }
    return shift
  }

  /// Blurs a mask, at a lower resolution if `sigma` is large.
  static func apply(sigma: Double, to mask: CoverageMask, _ memory: LayerMemory, _ meter: WorkMeter) throws {
    let shift = reduction(sigma)
    guard shift > 0, let small = try mask.reduced(by: shift, memory, meter) else { return try Blur(sigma: sigma).apply(mask, meter) }
    try Blur(sigma: min(sigma, largestSigma) / Double(1 << shift)).apply(small, meter)
    try mask.replace(by: small, enlarged: shift, meter)
  }

  static func apply(sigma: Double, to layer: PixelLayer, _ memory: LayerMemory, _ meter: WorkMeter) throws {
    let shift = reduction(sigma)
    guard shift > 0, let small = try layer.reduced(by: shift, memory, meter) else { return try Blur(sigma: sigma).apply(layer, meter) }
    try Blur(sigma: min(sigma, largestSigma) / Double(1 << shift)).apply(small, meter)
    try layer.replace(by: small, enlarged: shift, meter)
  }
}

/// The position of a pixel between the centers of two reduced pixels.
struct ReducedTap {
  var first: Int
  /// Weight of the second pixel, in units of 1/256.
  var weight: UInt32

  init(_ position: Int, shift: Int) {
    // In half pixels of the image, since centers lie at half pixels.
    let unit = 2 << shift, halves = 2 * position + 1 - (1 << shift)
    first = halves >> (shift + 1)
    weight = UInt32(truncatingIfNeeded: (halves - first << (shift + 1)) * 256 / unit)
  }
}

extension CoverageMask {
  func reduced(by shift: Int, _ memory: LayerMemory, _ meter: WorkMeter) throws -> CoverageMask? {
    guard let small = try CoverageMask(rect.reduced(by: shift).expanded(by: 1), memory) else { return nil }
    var sums = [UInt32](repeating: 0, count: small.rect.width)
    let area = UInt32(1 << (2 * shift))
    for y in small.rect.top..<small.rect.bottom {
      let rows = max(rect.top, y << shift)..<max(rect.top, y << shift, min(rect.bottom, (y + 1) << shift))
      guard !rows.isEmpty else { continue }
      for row in rows {
        try meter.spend(rect.width)
        let source = self.row(row)
        for x in 0..<rect.width { sums[(rect.left + x) >> shift - small.rect.left] &+= UInt32(source[x]) }
      }
      let out = small.row(y)
      for x in sums.indices {
        out[x] = UInt8(truncatingIfNeeded: (sums[x] + area / 2) / area)
        sums[x] = 0
      }
    }
    return small
  }

  func replace(by small: CoverageMask, enlarged shift: Int, _ meter: WorkMeter) throws {
    let taps = (rect.left..<rect.right).map { ReducedTap($0, shift: shift) }
    for y in rect.top..<rect.bottom {
      try meter.spend(rect.width)
      let vertical = ReducedTap(y, shift: shift), out = row(y)
      for (x, tap) in taps.enumerated() {
        func mixed(_ row: Int) -> UInt32 { small.value(tap.first, row) * (256 - tap.weight) + small.value(tap.first + 1, row) * tap.weight }
        let sum = mixed(vertical.first) * (256 - vertical.weight) + mixed(vertical.first + 1) * vertical.weight
        out[x] = UInt8(truncatingIfNeeded: (sum + 32768) >> 16)
      }
    }
  }
}

extension PixelLayer {
  func reduced(by shift: Int, _ memory: LayerMemory, _ meter: WorkMeter) throws -> PixelLayer? {
    guard let small = try PixelLayer(rect.reduced(by: shift).expanded(by: 1), memory) else { return nil }
    var sums = [SIMD4<UInt32>](repeating: .zero, count: small.rect.width)
    let half = UInt32(1 << (2 * shift) / 2), bits = UInt32(2 * shift)
    for y in small.rect.top..<small.rect.bottom {
      let rows = max(rect.top, y << shift)..<max(rect.top, y << shift, min(rect.bottom, (y + 1) << shift))
      guard !rows.isEmpty else { continue }
      for row in rows {
        try meter.spend(rect.width)
        let source = self.row(row)
        for x in 0..<rect.width where source[x] != 0 {
          let p = source[x]
          sums[(rect.left + x) >> shift - small.rect.left] &+= SIMD4(p >> 24, p >> 16 & 255, p >> 8 & 255, p & 255)
        }
      }
      let out = small.row(y)
      for x in sums.indices {
        let mean = (sums[x] &+ half) &>> bits
        out[x] = mean.x << 24 | mean.y << 16 | mean.z << 8 | mean.w
        sums[x] = .zero
      }
    }
    return small
  }

  /// Upsamples every pixel of this layer from a reduced layer that contains it.
  func replace(by small: PixelLayer, enlarged shift: Int, _ meter: WorkMeter) throws {
    let taps = (rect.left..<rect.right).map { ReducedTap($0, shift: shift) }
    var mixed = [UInt32](repeating: 0, count: small.rect.width + 1)
    for y in rect.top..<rect.bottom {
      try meter.spend(rect.width)
      let vertical = ReducedTap(y, shift: shift), out = row(y)
      small.mixRows(vertical, into: &mixed)
      for (x, tap) in taps.enumerated() {
        let first = tap.first - small.rect.left
        let a = mixed.indices.contains(first) ? mixed[first] : 0, b = mixed.indices.contains(first + 1) ? mixed[first + 1] : 0
        out[x] = mixPixels(a, b, tap.weight)
      }
    }
  }

  private func mixRows(_ tap: ReducedTap, into mixed: inout [UInt32]) {
    let a = tap.first >= rect.top && tap.first < rect.bottom ? row(tap.first) : nil
    let b = tap.first + 1 >= rect.top && tap.first + 1 < rect.bottom ? row(tap.first + 1) : nil
    for x in 0..<rect.width { mixed[x] = mixPixels(a?[x] ?? 0, b?[x] ?? 0, tap.weight) }
  }
}
