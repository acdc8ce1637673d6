import OffprintCSS
import OffprintCoreTypes
import Glibc
import OffprintImages
import OffprintLayout

// Filter graphs on premultiplied pixels. https://drafts.fxtf.org/filter-effects/#FilterPrimitivesOverview
extension Rasterizer {
  /// The result of a primitive.
  private struct Result {
    var layer: PixelLayer
    var isLinear: Bool
  }

  /// Replaces the contents of a layer by the result of the graph.
  func apply(_ graph: FilterGraph, to layer: PixelLayer) throws {
    var results: [Result] = []
    let region = pixels(graph.region).intersection(layer.rect)
    for primitive in graph.primitives {
      try meter.checkDeadline()
      let inputs = try primitive.inputs.map { try input($0, layer, results, linear: primitive.isLinear) }
      guard let made = try make(primitive, inputs, layer.rect) else { return layer.clear(layer.rect) }
      made.keep(only: pixels(primitive.region))
      results.append(Result(layer: made, isLinear: primitive.isLinear))
    }
    guard let last = results.last else { return }
    if last.isLinear { try convert(last.layer, toLinear: false) }
    last.layer.keep(only: region)
    for y in layer.rect.top..<layer.rect.bottom { memcpy(layer.row(y), last.layer.row(y), layer.rect.width * 4) }
  }

  private func pixels(_ rect: DisplayRect) -> PixelRect {
    PixelRect(
      left: clampedPixel((rect.x + 1e-4).rounded(.down)), top: clampedPixel((rect.y + 1e-4).rounded(.down)),
      right: clampedPixel((rect.maxX - 1e-4).rounded(.up)), bottom: clampedPixel((rect.maxY - 1e-4).rounded(.up)))
  }

  /// A copy of an input, in the primitive's color space. The source is not clipped to the filter region, as in Chromium, so that blurs near
  /// its edges include content outside.
  private func input(
    _ input: FilterGraph.Input, _ source: PixelLayer, _ results: [Result], linear: Bool
  ) throws -> PixelLayer {
    var isLinear = false
    let copy: PixelLayer?
    switch input {
    case .source: copy = try source.copy(source.rect, memory)
    case .sourceAlpha:
      copy = try source.copy(source.rect, memory)
      copy?.each { $0 & 0xff00_0000 }
    case .result(let index):
      guard results.indices.contains(index) else { throw LayerMemory.Exhausted() }
      copy = try results[index].layer.copy(source.rect, memory)
      isLinear = results[index].isLinear
    }
    guard let copy else { throw LayerMemory.Exhausted() }
    if isLinear != linear { try convert(copy, toLinear: linear) }
    return copy
  }

  /// Converts between sRGB and linear light. https://drafts.fxtf.org/filter-effects/#propdef-color-interpolation-filters
  func convert(_ layer: PixelLayer, toLinear: Bool) throws {
    try meter.spend(4 * layer.rect.width * layer.rect.height)
    let table = toLinear ? FilterTables.toLinear : FilterTables.toEncoded
    table.withUnsafeBufferPointer { table in
      layer.each { pixel in
        let alpha = pixel >> 24
        if alpha == 0 { return 0 }
        if alpha == 255 {
          return 0xff00_0000 | UInt32(table[Int(pixel >> 16 & 255)]) << 16 | UInt32(table[Int(pixel >> 8 & 255)]) << 8
            | UInt32(table[Int(pixel & 255)])
        }
        func part(_ value: UInt32) -> UInt32 {
          multiplyBytes(UInt32(table[Int(min(255, (value * 255 + alpha / 2) / alpha))]), alpha)
        }
        return alpha << 24 | part(pixel >> 16 & 255) << 16 | part(pixel >> 8 & 255) << 8 | part(pixel & 255)
      }
    }
  }

  private func color(_ color: Color, linear: Bool) -> UInt32 {
    guard linear else { return color.premultipliedPixel }
    let c = ColorMath.linear(SIMD3(color.red, color.green, color.blue))
    return Color(red: c.x, green: c.y, blue: c.z, alpha: color.alpha).premultipliedPixel
  }

  /// The result of a primitive; nil if the whole filter result is transparent.
  private func make(_ primitive: FilterGraph.Primitive, _ inputs: [PixelLayer], _ rect: PixelRect) throws -> PixelLayer? {
    func empty() throws -> PixelLayer {
      guard let layer = try PixelLayer(rect, memory) else { throw LayerMemory.Exhausted() }
      return layer
    }
    let region = pixels(primitive.region).intersection(rect)
    try meter.spend(4 * rect.width * rect.height)
    let first = inputs.first
    switch primitive.operation {
    case .empty: return try empty()
    case .flood(let value):
      let layer = try empty()
      layer.fill(region, color(value, linear: primitive.isLinear))
      return layer
    case .blur(let x, let y):
      guard let first else { return try empty() }
      if x > 0 || y > 0 { try Blur.apply(sigmaX: x, sigmaY: y, to: first, meter) }
      return first
    case .offset(let dx, let dy):
      guard let first else { return try empty() }
      return try moved(first, dx, dy)
    case .blend(let mode):
      guard inputs.count == 2 else { return try empty() }
      try inputs[1].blend(inputs[0], rect, mode, opacity: 255, nil, memory, meter)
      return inputs[1]
    case .composite(let name, let k):
      guard inputs.count == 2 else { return try empty() }
      FilterOperations.composite(inputs[0], inputs[1], name, k)
      return inputs[0]
    case .matrix(let values):
      first?.eachColor { FilterOperations.matrix(values, $0) }
      return try first ?? empty()
    case .luminanceToAlpha:
      first?.each { PixelLayer.luminance($0) << 24 }
      return try first ?? empty()
    case .transfer(let functions):
      let tables = functions.map { FilterOperations.table($0) }
      first?.eachBytes { ($0.0 < 0 ? 0 : tables[0][$0.0], tables[1][$0.1], tables[2][$0.2], tables[3][$0.3]) }
      return try first ?? empty()
    case .merge:
      let layer = try empty()
      for input in inputs { try layer.composite(input, rect, opacity: 255, nil, meter) }
      return layer
    case .tile(let source):
      guard let first else { return try empty() }
      let layer = try empty()
      FilterOperations.tile(first, pixels(source).intersection(rect), layer, region)
      return layer
    case .morphology(let dilates, let x, let y):
      guard let first else { return try empty() }
      let reachX = clampedPixel(min(x, 4096).rounded()), reachY = clampedPixel(min(y, 4096).rounded())
      try FilterOperations.morphology(first, dilates, reachX, reachY, meter)
      return first
    case .convolve(let convolution):
      guard let first else { return try empty() }
      let layer = try empty()
      for y in region.top..<region.bottom {
        try meter.spend(region.width * convolution.kernel.count)
        FilterOperations.convolve(first, convolution, layer, region, y)
      }
      return layer
    case .turbulence(let turbulence):
      let layer = try empty(), noise = TurbulenceNoise(turbulence)
      for y in region.top..<region.bottom {
        try meter.spend(64 * region.width * max(1, turbulence.octaves))
        FilterOperations.turbulence(noise, turbulence, layer, region, y)
      }
      return layer
    case .lighting(let lighting):
      guard let first else { return try empty() }
      let layer = try empty()
      var opaque = lighting.color
      opaque.alpha = 1
      let pixel = color(opaque, linear: primitive.isLinear)
      for y in region.top..<region.bottom {
        try meter.spend(64 * region.width)
        FilterOperations.light(first, lighting, pixel, layer, region, y)
      }
      return layer
    case .displacement(let x, let y, let channelX, let channelY):
      guard inputs.count == 2 else { return try empty() }
      let layer = try empty()
      FilterOperations.displace(inputs[0], by: inputs[1], x, y, channelX, channelY, layer, region)
      return layer
    case .dropShadow(let dx, let dy, let x, let y, let value):
      guard let first, let copy = try first.copy(rect, memory) else { return try empty() }
      let pixel = color(value, linear: primitive.isLinear)
      copy.each { scalePixel(pixel, $0 >> 24) }
      if x > 0 || y > 0 { try Blur.apply(sigmaX: x, sigmaY: y, to: copy, meter) }
      let shadow = try moved(copy, dx, dy)
      try shadow.composite(first, rect, opacity: 255, nil, meter)
      return shadow
    case .list(let list):
      let layer = try empty()
      try draw(list, onto: layer)
      if primitive.isLinear { try convert(layer, toLinear: true) }
      return layer
    }
  }

  private func moved(_ layer: PixelLayer, _ dx: Double, _ dy: Double) throws -> PixelLayer {
    guard let result = try PixelLayer(layer.rect, memory) else { throw LayerMemory.Exhausted() }
    let ox = clampedPixel(dx.rounded()), oy = clampedPixel(dy.rounded())
    let area = layer.rect.offset(x: ox, y: oy).intersection(layer.rect)
    for y in area.top..<max(area.top, area.bottom) {
      memcpy(result.pointer(area.left, y), layer.pointer(area.left - ox, y - oy), area.width * 4)
    }
    return result
  }

  /// Rasterizes another list, in the same pixel coordinates, into a layer.
  func draw(_ list: DisplayList, onto layer: PixelLayer) throws {
    let area = list.bounds.intersection(layer.rect)
    guard !area.isEmpty else { return }
    let inner = Rasterizer(glyphs: glyphs)
    inner.hasWholeGlyphPositions = hasWholeGlyphPositions
    var y = list.bounds.top
    try inner.paint(list, background: nil, limits: limits, deadline: meter.deadline) { rows, count in
      guard let base = rows.baseAddress else { return }
      for row in 0..<count {
        let line = y + row
        guard line >= area.top, line < area.bottom else { continue }
        memcpy(
          layer.pointer(area.left, line), base + row * list.bounds.width + (area.left - list.bounds.left), area.width * 4)
      }
      y += count
    }
    for problem in inner.problems { report(problem) }
  }
}

enum FilterTables {
  static let toLinear: [UInt8] = (0...255).map { value in
    UInt8((ColorMath.linear(SIMD3(repeating: Float(value) / 255)).x * 255).rounded())
  }
  static let toEncoded: [UInt8] = (0...255).map { value in
    UInt8((ColorMath.encoded(SIMD3(repeating: Float(value) / 255)).x * 255).rounded())
  }
}

extension PixelLayer {
  func each(_ body: (UInt32) -> UInt32) {
    for y in rect.top..<rect.bottom {
      let row = row(y)
      for x in 0..<rect.width { row[x] = body(row[x]) }
    }
  }

  /// Clears everything outside of `area`.
  func keep(only area: PixelRect) {
    let area = area.intersection(rect)
    for y in rect.top..<rect.bottom {
      let row = row(y)
      guard y >= area.top, y < area.bottom, !area.isEmpty else {
        row.update(repeating: 0, count: rect.width)
        continue
      }
      row.update(repeating: 0, count: area.left - rect.left)
      (row + (area.right - rect.left)).update(repeating: 0, count: rect.right - area.right)
    }
  }

  func clear(_ area: PixelRect) {
    for y in area.top..<area.bottom { pointer(area.left, y).update(repeating: 0, count: area.width) }
  }

  /// Transforms unpremultiplied colors with components in 0...1.
  func eachColor(_ body: (SIMD4<Float>) -> SIMD4<Float>) {
    var lastIn: UInt32 = 0, lastOut: UInt32 = 0, isKnown = false
    each { pixel in
      if isKnown, pixel == lastIn { return lastOut }
      let alpha = Float(pixel >> 24)
      let color =
        alpha > 0
        ? SIMD4(Float(pixel >> 16 & 255) / alpha, Float(pixel >> 8 & 255) / alpha, Float(pixel & 255) / alpha, alpha / 255) : .zero
      let result = body(color).clamped(lowerBound: .zero, upperBound: .one)
      (lastIn, lastOut, isKnown) = (pixel, packPixel(SIMD4(result.x * result.w, result.y * result.w, result.z * result.w, result.w)), true)
      return lastOut
    }
  }

  /// Transforms unpremultiplied colors as bytes, for table lookups.
  func eachBytes(_ body: ((Int, Int, Int, Int)) -> (UInt8, UInt8, UInt8, UInt8)) {
    each { pixel in
      let alpha = pixel >> 24
      func part(_ value: UInt32) -> Int { alpha == 0 ? 0 : Int(min(255, (value * 255 + alpha / 2) / alpha)) }
      let (r, g, b, a) = body((part(pixel >> 16 & 255), part(pixel >> 8 & 255), part(pixel & 255), Int(alpha)))
      let w = UInt32(a)
      return w << 24 | multiplyBytes(UInt32(r), w) << 16 | multiplyBytes(UInt32(g), w) << 8 | multiplyBytes(UInt32(b), w)
    }
  }
}
