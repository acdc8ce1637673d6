import OffprintImages

/// Encodes rows of six pixels, one color after another, with run lengths.
///
/// https://vt100.net/docs/vt3xx-gp/chapter14.html
enum SixelEncoder {
  static let maximumColors = 256

  static func encode(_ bitmap: Bitmap) -> [UInt8] {
    let (indexes, palette) = Self.indexed(bitmap)
    var out = Array("\u{1B}P0;1q\"1;1;\(bitmap.width);\(bitmap.height)".utf8)
    for (index, color) in palette.enumerated() {
      let parts = [16, 8, 0].map { (Int(color >> UInt32($0) & 255) * 100 + 127) / 255 }
      out += "#\(index);2;\(parts[0]);\(parts[1]);\(parts[2])".utf8
    }
    for top in stride(from: 0, to: bitmap.height, by: 6) {
      band(indexes, bitmap.width, top..<min(top + 6, bitmap.height), &out)
    }
    return out + [0x1B, 0x5C, 0x0A]
  }

  private static func band(_ indexes: [Int16], _ width: Int, _ rows: Range<Int>, _ out: inout [UInt8]) {
    var used = [Bool](repeating: false, count: maximumColors)
    for y in rows { for x in 0..<width where indexes[y * width + x] >= 0 { used[Int(indexes[y * width + x])] = true } }
    for color in used.indices where used[color] {
      out += "#\(color)".utf8
      var last: UInt8 = 0
      var count = 0
      for x in 0..<width {
        var bits: UInt8 = 0
        for y in rows where Int(indexes[y * width + x]) == color { bits |= 1 << UInt8(y - rows.lowerBound) }
        if bits != last || count == 0 {
          run(last, count, &out)
          (last, count) = (bits, 0)
        }
        count += 1
      }
      if last != 0 { run(last, count, &out) }
      out.append(UInt8(ascii: "$"))
    }
    out.append(UInt8(ascii: "-"))
  }

  private static func run(_ bits: UInt8, _ count: Int, _ out: inout [UInt8]) {
    let character = bits + 63
    if count > 3 { out += "!\(count)".utf8 } else { return out += [UInt8](repeating: character, count: count) }
    out.append(character)
  }

  /// The color index of each pixel, -1 if transparent. Few colors are kept as they are; otherwise each is replaced by the nearest color of
  /// a cube.
  private static func indexed(_ bitmap: Bitmap) -> ([Int16], [UInt32]) {
    let colors = bitmap.pixels.map { $0 >> 24 < 128 ? nil : overWhite($0) }
    var numbers: [UInt32: Int16] = [:]
    var palette: [UInt32] = []
    func number(_ color: UInt32) -> Int16? {
      if let number = numbers[color] { return number }
      guard palette.count < maximumColors else { return nil }
      let number = Int16(palette.count)
      numbers[color] = number
      palette.append(color)
      return number
    }
    let exact = colors.map { $0.map { number($0) ?? Int16.max } ?? -1 }
    guard exact.contains(Int16.max) else { return (exact, palette) }
    (numbers, palette) = ([:], [])
    return (colors.map { $0.map { number(ofCube($0)) ?? 0 } ?? -1 }, palette)
  }

  private static func overWhite(_ pixel: UInt32) -> UInt32 {
    let rest = 255 - (pixel >> 24)
    return [16, 8, 0].reduce(UInt32(0)) { $0 << 8 | min(255, (pixel >> $1 & 255) + rest) }
  }

  /// A color cube of 6 × 7 × 6 levels.
  private static func ofCube(_ color: UInt32) -> UInt32 {
    func level(_ shift: UInt32, _ steps: UInt32) -> UInt32 { ((color >> shift & 255) * steps + 127) / 255 * 255 / steps }
    return level(16, 5) << 16 | level(8, 6) << 8 | level(0, 5)
  }
}
