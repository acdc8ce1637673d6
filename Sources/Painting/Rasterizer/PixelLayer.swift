internal import COffprintCairo
internal import COffprintPixels
import OffprintCSS
import OffprintCoreTypes
import Glibc

/// A rectangle of the image to draw into: premultiplied 32-bit pixels.
final class PixelLayer {
  let rect: PixelRect
  /// Pixels from one row to the next.
  let stride: Int
  let pixels: UnsafeMutablePointer<UInt32>
  private let block: LayerMemory.Block?

  /// Allocates transparent pixels; nil if `rect` is empty or exceeds cairo's maximum surface size.
  init?(_ rect: PixelRect, _ memory: LayerMemory) throws {
    guard !rect.isEmpty, rect.width <= 32_000, rect.height <= 32_000 else { return nil }
    let block = try memory.take(rect.width * rect.height * 4)
    self.block = block
    self.rect = rect
    stride = rect.width
    pixels = block.base.bindMemory(to: UInt32.self, capacity: rect.width * rect.height)
  }

  /// A view of memory owned by the caller.
  init(_ rect: PixelRect, pixels: UnsafeMutablePointer<UInt32>, stride: Int) {
    self.rect = rect
    self.pixels = pixels
    self.stride = stride
    block = nil
  }

  /// The pixel at `rect.left` in row `y`.
  @inline(__always) func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + (y - rect.top) * stride }
  @inline(__always) func pointer(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt32> { row(y) + (x - rect.left) }

  /// A copy of a part of the layer; nil if the part is empty.
  func copy(_ part: PixelRect, _ memory: LayerMemory) throws -> PixelLayer? {
    let part = part.intersection(rect)
    guard let result = try PixelLayer(part, memory) else { return nil }
    for y in part.top..<part.bottom { memcpy(result.row(y), pointer(part.left, y), part.width * 4) }
    return result
  }

  // MARK: Painting rectangles within the layer

  func fill(_ area: PixelRect, _ pixel: UInt32, _ mask: CoverageMask? = nil) {
    let area = area.intersection(rect)
    guard !area.isEmpty, pixel != 0 else { return }
    if let mask { return fill(area, pixel, masks: [mask]) }
    let isOpaque = pixel >> 24 == 255
    for y in area.top..<area.bottom {
      let out = pointer(area.left, y)
      if isOpaque { out.update(repeating: pixel, count: area.width) } else { pixels_fill(out, area.width, pixel) }
    }
  }

  /// Fills with one color through the product of the masks, which are 0 outside of their rectangles.
  func fill(_ area: PixelRect, _ pixel: UInt32, masks: [CoverageMask]) {
    var area = area.intersection(rect)
    for mask in masks { area = area.intersection(mask.rect) }
    guard !area.isEmpty, let first = masks.first else { return }
    let second = masks.count > 1 ? masks[1] : nil
    for y in area.top..<area.bottom {
      let coverage = first.row(y) + (area.left - first.rect.left), other = second.map { $0.row(y) + (area.left - $0.rect.left) }
      pixels_fill_covered(pointer(area.left, y), area.width, pixel, coverage, other)
    }
  }

  /// Blends a row of source pixels, starting at (`x`, `y`), through masks.
  @inline(__always)
  func blend(_ source: UnsafePointer<UInt32>, x: Int, y: Int, count: Int, _ first: CoverageMask?, _ second: CoverageMask?) {
    let out = pointer(x, y)
    guard let one = first ?? second else { return pixels_blend(out, count, source, nil) }
    if first == nil || second == nil, let coverage = one.row(x, y, count) { return pixels_blend(out, count, source, coverage) }
    for i in 0..<count {
      var c: UInt32 = 255
      if let first { c = first.value(x + i, y) }
      if let second { c = multiplyBytes(c, second.value(x + i, y)) }
      if c > 0 { out[i] = blendOver(out[i], scalePixel(source[i], c)) }
    }
  }

  /// Composites the `area` of another layer onto this one with source-over.
  func composite(_ other: PixelLayer, _ area: PixelRect, opacity: UInt32, _ mask: CoverageMask?, _ meter: WorkMeter) throws {
    var area = area.intersection(rect).intersection(other.rect)
    if let mask { area = area.intersection(mask.rect) }
    guard !area.isEmpty else { return }
    for y in area.top..<area.bottom {
      try meter.spend(area.width)
      let coverage = mask.map { $0.row(y) + (area.left - $0.rect.left) }
      pixels_composite(pointer(area.left, y), area.width, other.pointer(area.left, y), opacity, coverage)
    }
  }

  /// Applies Porter-Duff operators that affect all of `area`. Outside of its rectangle the other layer is transparent.
  func combine(_ other: PixelLayer, _ area: PixelRect, _ operation: Group.Operator, opacity: UInt32, _ meter: WorkMeter) throws {
    let area = area.intersection(rect)
    for y in area.top..<max(area.top, area.bottom) {
      try meter.spend(area.width)
      let out = row(y) - rect.left
      for x in area.left..<area.right {
        var source =
          x >= other.rect.left && x < other.rect.right && y >= other.rect.top && y < other.rect.bottom ? other.pointer(x, y).pointee : 0
        if opacity < 255 { source = scalePixel(source, opacity) }
        let below = out[x]
        switch operation {
        case .mask(let luminance): out[x] = scalePixel(below, luminance ? PixelLayer.luminance(source) : source >> 24)
        case .source: out[x] = source
        case .inside: out[x] = scalePixel(source, below >> 24)
        case .outside: out[x] = scalePixel(source, 255 - below >> 24)
        case .xor: out[x] = scalePixel(source, 255 - below >> 24) &+ scalePixel(below, 255 - source >> 24)
        case .blend: out[x] = blendOver(below, source)
        }
      }
    }
  }

  /// The luminance of a premultiplied pixel, in 0...255. https://www.w3.org/TR/filter-effects-1/#attr-valuedef-type-luminancetoalpha
  static func luminance(_ pixel: UInt32) -> UInt32 {
    ((pixel >> 16 & 255) &* 13_933 &+ (pixel >> 8 & 255) &* 46_871 &+ (pixel & 255) &* 4_732 &+ 32_768) >> 16
  }

  /// Pixels that cairo blends per call, since a call cannot be interrupted.
  private static let blendPixels = 1 << 19

  /// Blends another layer with cairo. https://drafts.csswg.org/compositing-1/#blending
  func blend(
    _ other: PixelLayer, _ area: PixelRect, _ mode: BlendMode, opacity: UInt32, _ mask: CoverageMask?, _ memory: LayerMemory,
    _ meter: WorkMeter
  ) throws {
    let area = area.intersection(rect).intersection(other.rect)
    guard !area.isEmpty else { return }
    let rows = max(1, Self.blendPixels / area.width)
    var top = area.top
    while top < area.bottom {
      let part = PixelRect(left: area.left, top: top, right: area.right, bottom: min(area.bottom, top + rows))
      try meter.spend(4 * part.width * part.height)
      if opacity == 255, mask == nil {
        blend(other, part, mode)
      } else if let copy = try other.copy(part, memory) {
        copy.scale(by: opacity, mask)
        blend(copy, part, mode)
      }
      top = part.bottom
    }
  }

  private func scale(by opacity: UInt32, _ mask: CoverageMask?) {
    for y in rect.top..<rect.bottom {
      let row = row(y)
      for x in 0..<rect.width { row[x] = scalePixel(row[x], multiplyBytes(opacity, mask?.value(rect.left + x, y) ?? 255)) }
    }
  }

  private func blend(_ other: PixelLayer, _ area: PixelRect, _ mode: BlendMode) {
    guard let context = makeContext(), let source = other.makeSurface() else { return }
    cairo_rectangle(context, Double(area.left - rect.left), Double(area.top - rect.top), Double(area.width), Double(area.height))
    cairo_clip(context)
    cairo_set_operator(context, mode.cairoOperator)
    cairo_set_source_surface(context, source, Double(other.rect.left - rect.left), Double(other.rect.top - rect.top))
    cairo_paint(context)
    cairo_destroy(context)
    cairo_surface_destroy(source)
    withExtendedLifetime((self, other)) {}
  }

  private func makeSurface() -> OpaquePointer? {
    pixels.withMemoryRebound(to: UInt8.self, capacity: rect.height * stride * 4) {
      cairo_image_surface_create_for_data(
        $0, CAIRO_FORMAT_ARGB32, Int32(clamping: rect.width), Int32(clamping: rect.height), Int32(clamping: stride * 4))
    }
  }

  private func makeContext() -> OpaquePointer? {
    let surface = makeSurface()
    defer { cairo_surface_destroy(surface) }
    return cairo_create(surface)
  }
}

extension CoverageMask {
  /// The coverage from (`x`, `y`) on; nil if the mask does not contain all `count` pixels.
  @inline(__always) func row(_ x: Int, _ y: Int, _ count: Int) -> UnsafeMutablePointer<UInt8>? {
    guard y >= rect.top, y < rect.bottom, x >= rect.left, x + count <= rect.right else { return nil }
    return bytes + (y - rect.top) * stride + (x - rect.left)
  }

  /// Coverage in 0...255; 0 outside of the mask.
  @inline(__always) func value(_ x: Int, _ y: Int) -> UInt32 {
    guard x >= rect.left, x < rect.right, y >= rect.top, y < rect.bottom else { return 0 }
    return UInt32(bytes[(y - rect.top) * stride + x - rect.left])
  }
}
