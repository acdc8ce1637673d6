import OffprintCoreTypes

/// https://drafts.fxtf.org/filter-effects/#feTurbulenceElement: a port of the reference code, which defines the exact values.
struct Turbulence: Sendable {
  let frequencyX: Double
  let frequencyY: Double
  let octaves: Int
  let seed: Double
  /// The period of the noise for `stitchTiles="stitch"`; nil otherwise.
  let tile: DisplayRect?
  let isFractal: Bool
  /// From pixels of the image to user space.
  let transform: AffineTransform
}

/// The noise lattice of a seed.
struct TurbulenceNoise {
  private static let size = 0x100, mask = 0xff, perlin = 4096
  private var lattice = [Int](repeating: 0, count: TurbulenceNoise.size * 2 + 2)
  private var gradients = [[SIMD2<Double>]](repeating: [SIMD2<Double>](repeating: .zero, count: TurbulenceNoise.size * 2 + 2), count: 4)
  private let turbulence: Turbulence

  private struct Stitch {
    var width: Int
    var height: Int
    var wrapX: Int
    var wrapY: Int
  }

  init(_ turbulence: Turbulence) {
    self.turbulence = turbulence
    var seed = Self.setup(turbulence.seed)
    for channel in 0..<4 {
      for i in 0..<Self.size {
        lattice[i] = i
        func next() -> Double {
          seed = Self.random(seed)
          return Double((seed % (2 * Self.size)) - Self.size) / Double(Self.size)
        }
        let v = SIMD2(next(), next())
        let length = (v * v).sum().squareRoot()
        gradients[channel][i] = length > 0 ? v / length : .zero
      }
    }
    for i in stride(from: Self.size - 1, to: 0, by: -1) {
      seed = Self.random(seed)
      lattice.swapAt(i, seed % Self.size)
    }
    for i in 0..<Self.size + 2 {
      lattice[Self.size + i] = lattice[i]
      for channel in 0..<4 { gradients[channel][Self.size + i] = gradients[channel][i] }
    }
  }

  private static func setup(_ seed: Double) -> Int {
    let whole = Int(max(-2_147_483_647, min(2_147_483_647, seed.rounded(.towardZero))))
    let positive = whole <= 0 ? -(whole % 2_147_483_646) + 1 : whole
    return min(positive, 2_147_483_646)
  }

  private static func random(_ seed: Int) -> Int {
    let result = 16_807 * (seed % 127_773) - 2_836 * (seed / 127_773)
    return result <= 0 ? result + 2_147_483_647 : result
  }

  private func noise(_ channel: Int, _ x: Double, _ y: Double, _ stitch: Stitch?) -> Double {
    func cell(_ value: Double) -> (Int, Int, Double) {
      let t = max(-1e9, min(1e9, value)) + Double(Self.perlin)
      let whole = Int(t.rounded(.down))
      return (whole, whole + 1, t - t.rounded(.down))
    }
    var (bx0, bx1, rx0) = cell(x), (by0, by1, ry0) = cell(y)
    if let stitch {
      if bx0 >= stitch.wrapX { bx0 -= stitch.width }
      if bx1 >= stitch.wrapX { bx1 -= stitch.width }
      if by0 >= stitch.wrapY { by0 -= stitch.height }
      if by1 >= stitch.wrapY { by1 -= stitch.height }
    }
    let mask = Self.mask
    let i = lattice[bx0 & mask], j = lattice[bx1 & mask]
    let b00 = lattice[(i + (by0 & mask)) & 511], b10 = lattice[(j + (by0 & mask)) & 511]
    let b01 = lattice[(i + (by1 & mask)) & 511], b11 = lattice[(j + (by1 & mask)) & 511]
    func curve(_ t: Double) -> Double { t * t * (3 - 2 * t) }
    func mix(_ t: Double, _ a: Double, _ b: Double) -> Double { a + t * (b - a) }
    let sx = curve(rx0), sy = curve(ry0), g = gradients[channel]
    let a = mix(sx, (SIMD2(rx0, ry0) * g[b00]).sum(), (SIMD2(rx0 - 1, ry0) * g[b10]).sum())
    let b = mix(sx, (SIMD2(rx0, ry0 - 1) * g[b01]).sum(), (SIMD2(rx0 - 1, ry0 - 1) * g[b11]).sum())
    return mix(sy, a, b)
  }

  /// Noise in 0...1 for an unpremultiplied color component.
  func value(_ channel: Int, _ point: DisplayPoint) -> Double {
    var fx = turbulence.frequencyX, fy = turbulence.frequencyY
    var stitch: Stitch?
    if let tile = turbulence.tile {
      func fit(_ frequency: Double, _ size: Double) -> Double {
        guard frequency != 0, size > 0 else { return frequency }
        let low = (size * frequency).rounded(.down) / size, high = (size * frequency).rounded(.up) / size
        return low > 0 && frequency / low < high / frequency ? low : high
      }
      (fx, fy) = (fit(fx, tile.width), fit(fy, tile.height))
      let width = Int(min(1e6, (tile.width * fx).rounded())), height = Int(min(1e6, (tile.height * fy).rounded()))
      stitch = Stitch(width: width, height: height, wrapX: Self.perlin + width, wrapY: Self.perlin + height)
    }
    var x = point.x * fx, y = point.y * fy, ratio = 1.0, sum = 0.0
    for _ in 0..<turbulence.octaves {
      let noise = noise(channel, x, y, stitch)
      sum += (turbulence.isFractal ? noise : abs(noise)) / ratio
      x *= 2
      y *= 2
      ratio *= 2
      if var next = stitch {
        next.width = min(next.width * 2, 1 << 30)
        next.height = min(next.height * 2, 1 << 30)
        next.wrapX = min(2 * next.wrapX - Self.perlin, 1 << 30)
        next.wrapY = min(2 * next.wrapY - Self.perlin, 1 << 30)
        stitch = next
      }
    }
    return min(1, max(0, turbulence.isFractal ? (sum + 1) / 2 : sum))
  }
}
