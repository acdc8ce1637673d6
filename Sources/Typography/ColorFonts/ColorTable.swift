internal import OffprintCoreTypes
internal import Glibc

/// The `COLR` and `CPAL` tables of a face. All values read are checked, since the tables are untrusted.
struct ColorTable {
  private let reader: SFNTReader
  private let table: Range<Int>
  private let palette: [Color]
  /// Nil if nothing varies.
  private let variations: VariationStore?

  private let steps: ColorSteps
  private static let deepest = 48

  /// Nil if the face has no readable table.
  /// - Parameters:
  ///   - coordinates: The instance's normalized axis coordinates, -1 to 1.
  ///   - steps: The limit for reading glyphs.
  init?(
    _ reader: SFNTReader, faceAt offset: Int, _ chosen: FontPalette, _ coordinates: [Double] = [], steps: ColorSteps = ColorSteps()
  ) {
    self.steps = steps
    let tables = reader.tables(faceAt: offset)
    guard let table = tables.first(where: { $0.tag == FontTag("COLR") })?.range, table.count >= 14 else { return nil }
    self.reader = reader
    self.table = table
    let base = table.lowerBound
    variations =
      table.count >= 34 && reader.u16(base) >= 1
      ? VariationStore(reader, table, store: reader.u32(base + 30), map: reader.u32(base + 26), coordinates) : nil
    palette = tables.first { $0.tag == FontTag("CPAL") }.map { Self.palette(reader, $0.range, chosen) } ?? []
  }

  // MARK: Palettes

  /// https://learn.microsoft.com/typography/opentype/spec/cpal
  private static func palette(_ reader: SFNTReader, _ table: Range<Int>, _ chosen: FontPalette) -> [Color] {
    if let mixture = chosen.mixture {
      let parts = mixture.parts.map { palette(reader, table, $0) }
      guard let first = parts.first, let last = parts.last else { return [] }
      return zip(first, last).map { mixture.method.mix($0, $1) }
    }
    let base = table.lowerBound
    let entries = reader.u16(base + 2), count = reader.u16(base + 4), records = reader.u16(base + 6)
    guard count > 0, entries > 0 else { return [] }
    let first = reader.u16(base + 12 + 2 * number(reader, base, count, chosen.base)), colors = base + reader.u32(base + 8)
    var result = (0..<entries).map { index -> Color in
      let record = colors + 4 * (first + index)
      guard first + index < records, record + 4 <= table.upperBound else { return .black }
      func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: reader.u8(record + place)) }
      return Color(r: byte(2), g: byte(1), b: byte(0), a: byte(3))
    }
    for override in chosen.overrides where result.indices.contains(override.index) { result[override.index] = override.color }
    return result
  }

  /// https://drafts.csswg.org/css-fonts-4/#font-palette-prop
  private static func number(_ reader: SFNTReader, _ base: Int, _ count: Int, _ wanted: FontPalette.Base) -> Int {
    func first(_ bit: Int) -> Int {
      let types = reader.u32(base + 12 + 2 * count)
      guard reader.u16(base) >= 1, types > 0 else { return 0 }
      return (0..<count).first { reader.u32(base + types + 4 * $0) & bit != 0 } ?? 0
    }
    switch wanted {
    case .normal: return 0
    case .light: return first(1)
    case .dark: return first(2)
    case .index(let index): return index >= 0 && index < count ? index : 0
    }
  }

  private func ink(_ index: Int, alpha: Double) -> ColorInk {
    let alpha = Float(min(max(alpha, 0), 1))
    if index == 0xffff { return ColorInk(color: nil, alpha: alpha) }
    return ColorInk(color: index < palette.count ? palette[index] : .transparent, alpha: alpha)
  }

  // MARK: Glyphs

  /// The paint of a glyph; nil for a glyph without colors.
  func paint(_ glyph: UInt32) -> ColorPaint? {
    if let start = root(glyph), let paint = paint(at: start, 0) { return clipped(paint, glyph) }
    return plain(glyph)
  }

  private func u8(_ offset: Int) -> Int { table.contains(offset) ? reader.u8(offset) : 0 }
  private func u16(_ offset: Int) -> Int { table.contains(offset + 1) ? reader.u16(offset) : 0 }
  private func u24(_ offset: Int) -> Int { u8(offset) << 16 | u16(offset + 1) }
  private func u32(_ offset: Int) -> Int { table.contains(offset + 3) ? reader.u32(offset) : 0 }
  private func i16(_ offset: Int) -> Double { Double(Int16(truncatingIfNeeded: u16(offset))) }
  private func f2dot14(_ offset: Int) -> Double { i16(offset) / 16384 }
  private func fixed(_ offset: Int) -> Double { Double(Int32(truncatingIfNeeded: u32(offset))) / 65536 }

  /// The delta for a number of a variable format; `base` is the index of the variation of its first number.
  private func delta(_ base: Int, _ number: Int) -> Double {
    guard let variations, steps.spend(variations.cost(u32(base), number)) else { return 0 }
    return variations.delta(u32(base), number)
  }

  /// Version 0: layers of plain colors.
  private func plain(_ glyph: UInt32) -> ColorPaint? {
    let base = table.lowerBound, records = base + u32(base + 4), layers = base + u32(base + 8)
    guard let found = search(u16(base + 2), Int(glyph), { u16(records + 6 * $0) }) else { return nil }
    let first = u16(records + 6 * found + 2), count = u16(records + 6 * found + 4)
    guard first + count <= u16(base + 12), count <= 4096, steps.spend(count * ColorSteps.paint) else { return nil }
    return .layers(
      (first..<first + count).map { layer in
        .glyph(UInt32(u16(layers + 4 * layer)), .solid(ink(u16(layers + 4 * layer + 2), alpha: 1)))
      })
  }

  /// Version 1: the offset of a glyph's paint.
  private func root(_ glyph: UInt32) -> Int? {
    let base = table.lowerBound
    guard u16(base) >= 1, table.count >= 34, u32(base + 14) > 0 else { return nil }
    let list = base + u32(base + 14)
    guard let found = search(min(u32(list), 65_536), Int(glyph), { u16(list + 4 + 6 * $0) }) else { return nil }
    return list + u32(list + 4 + 6 * found + 2)
  }

  private func search(_ count: Int, _ wanted: Int, _ key: (Int) -> Int) -> Int? {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if key(middle) < wanted { low = middle + 1 } else { high = middle }
    }
    return low < count && key(low) == wanted ? low : nil
  }

  private func clipped(_ paint: ColorPaint, _ glyph: UInt32) -> ColorPaint {
    let base = table.lowerBound
    guard u32(base + 22) > 0 else { return paint }
    let list = base + u32(base + 22), count = min(u32(list + 1), 65_536)
    for index in 0..<count {
      let record = list + 5 + 7 * index
      guard table.contains(record + 6), steps.spend(1) else { break }
      guard (u16(record)...max(u16(record), u16(record + 2))).contains(Int(glyph)) else { continue }
      let box = list + u24(record + 4)
      func side(_ number: Int) -> Double { i16(box + 1 + 2 * number) + (u8(box) == 2 ? delta(box + 9, number) : 0) }
      return .clip(left: side(0), bottom: side(1), right: side(2), top: side(3), paint)
    }
    return paint
  }

  /// https://learn.microsoft.com/typography/opentype/spec/colr#paint-tables
  private func paint(at start: Int, _ depth: Int) -> ColorPaint? {
    guard table.contains(start), depth < Self.deepest, steps.spend(ColorSteps.paint) else { return nil }
    let inner = start + u24(start + 1)
    func child() -> ColorPaint? { paint(at: inner, depth + 1) }
    switch u8(start) {
    case 1: return layers(start, depth)
    case 2: return .solid(ink(u16(start + 1), alpha: f2dot14(start + 3)))
    case 3: return .solid(ink(u16(start + 1), alpha: f2dot14(start + 3) + delta(start + 5, 0) / 16384))
    case 4...9: return gradient(start).map { .gradient($0) }
    case 10: return child().map { .glyph(UInt32(u16(start + 4)), $0) }
    case 11:
      let glyph = UInt32(u16(start + 1))
      return root(glyph).flatMap { paint(at: $0, depth + 1) }.map { clipped($0, glyph) } ?? plain(glyph)
    case 12...31: return child().map { transformed(start, $0) }
    case 32:
      let other = start + u24(start + 5)
      let source = child(), backdrop = paint(at: other, depth + 1)
      return .composite(source: source ?? .layers([]), mode: UInt8(truncatingIfNeeded: u8(start + 4)), backdrop: backdrop ?? .layers([]))
    default: return nil
    }
  }

  private func layers(_ start: Int, _ depth: Int) -> ColorPaint? {
    let base = table.lowerBound
    guard u32(base + 18) > 0 else { return nil }
    let list = base + u32(base + 18), first = u32(start + 2), count = u8(start + 1)
    var result: [ColorPaint] = []
    for index in 0..<count where first + index < u32(list) {
      if let layer = paint(at: list + u32(list + 4 + 4 * (first + index)), depth + 1) { result.append(layer) }
    }
    return .layers(result)
  }

  private func gradient(_ start: Int) -> ColorGradient? {
    let format = u8(start), isVariable = format & 1 != 0, line = start + u24(start + 1)
    let count = u16(line + 1), size = isVariable ? 10 : 6
    guard count > 0, table.contains(line + 2 + count * size), steps.spend(count * ColorSteps.stop) else { return nil }
    let stops = (0..<count).map { index -> (offset: Float, ink: ColorInk) in
      let stop = line + 3 + size * index
      func vary(_ number: Int) -> Double { isVariable ? delta(stop + 6, number) / 16384 : 0 }
      return (Float(f2dot14(stop) + vary(0)), ink(u16(stop + 2), alpha: f2dot14(stop + 4) + vary(1)))
    }
    let extend = ColorGradient.Extend(rawValue: UInt8(truncatingIfNeeded: u8(line))) ?? .pad
    // Stable sort by offset.
    let sorted = stops.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    func vary(_ number: Int) -> Double { isVariable ? delta(start + (format == 9 ? 12 : 16), number) : 0 }
    func value(_ number: Int) -> Double { i16(start + 4 + 2 * number) + vary(number) }
    func unsigned(_ number: Int) -> Double { max(0, Double(u16(start + 4 + 2 * number)) + vary(number)) }
    func angle(_ number: Int) -> Double { (value(number) / 16384 + 1) * 180 }
    let shape: ColorGradient.Shape
    switch format {
    case 4, 5:
      guard let linear = Self.linear(value(0), value(1), value(2), value(3), value(4), value(5)) else { return nil }
      shape = linear
    case 6, 7: shape = .radial(x0: value(0), y0: value(1), r0: unsigned(2), x1: value(3), y1: value(4), r1: unsigned(5))
    default:
      shape = .sweep(x: value(0), y: value(1), start: angle(2), end: angle(3))
    }
    return ColorGradient(shape: shape, extend: extend, stops: sorted)
  }

  /// The third point rotates the gradient: the end point is moved so that lines of equal color are perpendicular to the gradient line.
  private static func linear(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> ColorGradient.Shape? {
    let turn = (x: x2 - x0, y: y2 - y0), line = (x: x1 - x0, y: y1 - y0)
    let square = turn.x * turn.x + turn.y * turn.y
    guard square > 0, line.x != 0 || line.y != 0, turn.x * line.y != turn.y * line.x else { return nil }
    let along = (line.x * turn.x + line.y * turn.y) / square
    return .linear(x0: x0, y0: y0, x1: x1 - along * turn.x, y1: y1 - along * turn.y)
  }

  /// How many numbers a paint of the formats 14 to 31 has.
  private static func numbers(ofTransform format: Int) -> Int {
    switch format {
    case 18, 19, 30, 31: 4
    case 22, 23, 26, 27: 3
    case 20, 21, 24, 25: 1
    default: 2
    }
  }

  /// Formats 12 to 31.
  private func transformed(_ start: Int, _ paint: ColorPaint) -> ColorPaint {
    let format = u8(start)
    func value(_ number: Int) -> Double {
      i16(start + 4 + 2 * number) + (format & 1 != 0 ? delta(start + 4 + 2 * Self.numbers(ofTransform: format), number) : 0)
    }
    func ratio(_ number: Int) -> Double { value(number) / 16384 }
    func around(_ x: Double, _ y: Double, _ a: Double, _ b: Double, _ c: Double, _ d: Double) -> ColorPaint {
      .transform(a: a, b: b, c: c, d: d, e: x - a * x - c * y, f: y - b * x - d * y, paint)
    }
    func turned(_ x: Double, _ y: Double) -> ColorPaint {
      let angle = ratio(0) * .pi
      return around(x, y, cos(angle), sin(angle), -sin(angle), cos(angle))
    }
    func skewed(_ x: Double, _ y: Double) -> ColorPaint {
      around(x, y, 1, tan(ratio(1) * .pi), -tan(ratio(0) * .pi), 1)
    }
    switch format {
    case 12, 13:
      let place = start + u24(start + 4)
      let m = (0..<6).map { fixed(place + 4 * $0) + (format == 13 ? delta(place + 24, $0) / 65536 : 0) }
      return .transform(a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5], paint)
    case 14, 15: return .transform(a: 1, b: 0, c: 0, d: 1, e: value(0), f: value(1), paint)
    case 16, 17: return around(0, 0, ratio(0), 0, 0, ratio(1))
    case 18, 19: return around(value(2), value(3), ratio(0), 0, 0, ratio(1))
    case 20, 21: return around(0, 0, ratio(0), 0, 0, ratio(0))
    case 22, 23: return around(value(1), value(2), ratio(0), 0, 0, ratio(0))
    case 24, 25: return turned(0, 0)
    case 26, 27: return turned(value(1), value(2))
    case 28, 29: return skewed(0, 0)
    default: return skewed(value(2), value(3))
    }
  }
}
