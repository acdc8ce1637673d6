import OffprintCoreTypes

// Arithmetic on premultiplied 32-bit pixels, two channels at a time, rounded to nearest.

/// Scales all channels by `a` / 255.
@inline(__always) func scalePixel(_ p: UInt32, _ a: UInt32) -> UInt32 {
  var rb = (p & 0xff00ff) &* a &+ 0x800080
  rb = ((rb &+ ((rb >> 8) & 0xff00ff)) >> 8) & 0xff00ff
  var ag = ((p >> 8) & 0xff00ff) &* a &+ 0x800080
  ag = (ag &+ ((ag >> 8) & 0xff00ff)) & 0xff00_ff00
  return rb | ag
}

/// Composites `source` over `destination`.
@inline(__always) func blendOver(_ destination: UInt32, _ source: UInt32) -> UInt32 {
  let alpha = source >> 24
  if alpha == 255 { return source }
  return source &+ scalePixel(destination, 255 &- alpha)
}

@inline(__always) func multiplyBytes(_ a: UInt32, _ b: UInt32) -> UInt32 {
  let t = a &* b &+ 128
  return (t &+ (t >> 8)) >> 8
}

/// Interpolates between two pixels, with a weight of `f` / 256 for `b`.
@inline(__always) func mixPixels(_ a: UInt32, _ b: UInt32, _ f: UInt32) -> UInt32 {
  let g = 256 &- f
  // Two channels at a time, 16 bits each. One operation per line, since longer expressions take the type checker a second.
  let half: UInt32 = 0x800080
  let redBlue: UInt32 = (a & 0xff00ff) &* g &+ (b & 0xff00ff) &* f
  let alphaGreen: UInt32 = ((a >> 8) & 0xff00ff) &* g &+ ((b >> 8) & 0xff00ff) &* f
  return ((redBlue &+ half) >> 8) & 0xff00ff | (alphaGreen &+ half) & 0xff00_ff00
}

/// Packs premultiplied components in 0...1 into a pixel.
@inline(__always) func packPixel(_ c: SIMD4<Float>) -> UInt32 {
  let scaled = c * 255 + 0.5
  // By component, since vector conversions are not inlined.
  @inline(__always) func byte(_ value: Float) -> UInt32 { value > 0 ? UInt32(min(value, 255)) : 0 }
  return byte(scaled.w) << 24 | byte(scaled.x) << 16 | byte(scaled.y) << 8 | byte(scaled.z)
}
