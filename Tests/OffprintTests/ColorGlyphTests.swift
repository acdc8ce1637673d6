import OffprintCoreTypes
import Foundation
import OffprintImages
import OffprintTestSupport
import Testing

@testable import Offprint

/// A font with outlines of a bundled font and generated `COLR` and `CPAL` tables.
private struct ColorFont {
  /// Offsets are from the table's start; the objects that a paint refers to follow it.
  var colr: [UInt8]
  var palettes: [[UInt32]]
  /// For each palette: 1 for light backgrounds, 2 for dark ones.
  var types: [Int] = []

  private func word(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
  private func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }

  private var cpal: [UInt8] {
    let entries = palettes.first?.count ?? 0, count = palettes.count
    let head = 12 + 2 * count + 12, first = head + 4 * count
    var result = word(1) + word(entries) + word(count) + word(entries * count) + long(first)
    for index in 0..<count { result += word(index * entries) }
    result += long(head) + long(0) + long(0)
    for index in 0..<count { result += long(index < types.count ? types[index] : 0) }
    // 0xRRGGBBAA is written as blue, green, red, alpha.
    for color in palettes.flatMap(\.self) { result += [8, 16, 24, 0].map { UInt8(truncatingIfNeeded: color >> UInt32($0)) } }
    return result
  }

  /// The bundled sans-serif font with the two tables.
  func file() throws -> [UInt8] {
    let folder = try #require(BundledFonts.find())
    let base = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/LiberationSans-Regular.ttf")))
    func number(_ place: Int) -> Int { base[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let count = Int(base[4]) << 8 | Int(base[5])
    var tables = (0..<count).map { index -> (tag: [UInt8], bytes: [UInt8]) in
      let record = 12 + 16 * index, start = number(record + 8)
      return (Array(base[record..<record + 4]), Array(base[start..<start + number(record + 12)]))
    }
    tables += [(Array("COLR".utf8), colr), (Array("CPAL".utf8), cpal)]
    tables.sort { $0.tag.lexicographicallyPrecedes($1.tag) }
    var head = Array(base[..<4]) + word(tables.count) + [0, 0, 0, 0, 0, 0], body: [UInt8] = []
    for table in tables {
      head += table.tag + long(0) + long(12 + 16 * tables.count + body.count) + long(table.bytes.count)
      body += table.bytes
      while body.count % 4 != 0 { body.append(0) }
    }
    return head + body
  }

  /// Version 1, with one paint per glyph.
  init(paints: [(glyph: Int, paint: [UInt8])], palettes: [[UInt32]], types: [Int] = []) {
    (colr, self.palettes, self.types) = ([], palettes, types)
    var list = long(paints.count), offset = 4 + 6 * paints.count
    for paint in paints.sorted(by: { $0.glyph < $1.glyph }) {
      list += word(paint.glyph) + long(offset)
      offset += paint.paint.count
    }
    list += paints.sorted { $0.glyph < $1.glyph }.flatMap(\.paint)
    colr = word(1) + word(0) + long(0) + long(0) + word(0) + long(34) + long(0) + long(0) + long(0) + long(0) + list
  }

  /// Version 0, with one glyph of layers.
  init(layers: [(glyph: Int, color: Int)], of glyph: Int, palettes: [[UInt32]]) {
    (colr, self.palettes) = ([], palettes)
    colr = word(0) + word(1) + long(14) + long(20) + word(layers.count) + word(glyph) + word(0) + word(layers.count)
    for layer in layers { colr += word(layer.glyph) + word(layer.color) }
  }
}

@Suite("Color glyphs")
struct ColorGlyphTests {
  private let folder: TemporaryFolder
  private let renderer: Renderer
  /// The glyph IDs of "a" and "H" in the bundled font.
  private static let a = 68, h = 43
  private static let colors: [UInt32] = [0xff00_00ff, 0x0000_ffff], others: [UInt32] = [0x0080_00ff, 0xff00_ffff]

  init() throws {
    folder = try TemporaryFolder()
    renderer = try Renderer.alone()
  }

  private func draw(_ font: ColorFont, _ style: String = "", rules: String = "", text: String = "aa") throws -> Bitmap {
    try Data(font.file()).write(to: URL(fileURLWithPath: folder("f.ttf")))
    var request = RenderRequest(
      html: "<style>@font-face{font-family:F;src:url(f.ttf)}\(rules)</style><body style='margin:0;font:40px F;color:#080;\(style)'>\(text)")
    (request.basePath, request.allowedFolders) = (folder("p.html"), [folder("")])
    (request.width, request.height) = (.px(80), .px(60))
    let result = try renderer.renderAndWait(request)
    #expect(result.diagnostics.isEmpty, "\(result.diagnostics)")
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(result.image).content else { throw CocoaError(.fileReadCorruptFile) }
    return bitmap
  }

  private func count(_ bitmap: Bitmap, _ color: UInt32) -> Int { bitmap.withUnsafePixels { $0.count { $0 == color } } }

  private func solid(_ index: Int, alpha: Int = 0x4000) -> [UInt8] {
    [2] + [index >> 8, index & 255, alpha >> 8, alpha & 255].map { UInt8($0) }
  }
  /// A glyph's outline filled with the following paint.
  private func shape(_ glyph: Int, _ paint: [UInt8]) -> [UInt8] { [10, 0, 0, 6, UInt8(glyph >> 8), UInt8(glyph & 255)] + paint }

  @Test("Color glyphs are painted as layers of palette colors and the text color")
  func layers() throws {
    let font = ColorFont(layers: [(Self.h, 0), (Self.a, 0xffff)], of: Self.a, palettes: [Self.colors])
    let drawn = try draw(font)
    #expect(count(drawn, 0xffff_0000) > 50 && count(drawn, 0xff00_8800) > 20)
    // The same in version 1, where letters must equal those of a plain font.
    let plain = ColorFont(paints: [(Self.a, shape(Self.a, solid(0xffff)))], palettes: [Self.colors])
    #expect(try count(draw(plain), 0xff00_8800) > 50 && count(draw(plain), 0xffff_0000) == 0)
    #expect(count(try draw(font, text: "HH"), 0xff00_8800) > 50)
  }

  @Test("Color glyphs use the palette of font-palette, with the overrides of a rule")
  func palettes() throws {
    let font = ColorFont(paints: [(Self.a, shape(Self.h, solid(0)))], palettes: [Self.colors, Self.others], types: [1, 2])
    let rules = """
      @font-palette-values --second{font-family:F;base-palette:1}@font-palette-values --own{font-family:G,f;override-colors:0 #00f, 9 red}
      @font-palette-values --other{font-family:G;base-palette:1}
      """
    for (style, color) in [
      ("", 0xffff_0000), ("font-palette:dark", 0xff00_8000), ("font-palette:light", 0xffff_0000), ("font-palette:--second", 0xff00_8000),
      ("font-palette:--own", 0xff00_00ff), ("font-palette:--other", 0xffff_0000), ("font-palette:--none", 0xffff_0000),
      ("font-palette:palette-mix(in srgb,light,dark)", 0xff80_4000), ("font-palette:palette-mix(in srgb,light,dark 25%)", 0xffbf_2000),
      ("font-palette:palette-mix(in srgb,--own,palette-mix(in srgb,light 100%,dark))", 0xff80_0080),
    ] as [(String, UInt32)] {
      #expect(count(try draw(font, style + ";color:#888", rules: rules), color) > 50, "\(style)")
    }
  }

  @Test("Color glyphs are painted with gradients, transforms, clips and compositing modes")
  func paints() throws {
    // A color line from 0 to 1139 units with two colors and a hard stop in the middle.
    let line: [UInt8] = [0, 0, 3, 0, 0, 0, 0, 0x40, 0, 0x20, 0, 0, 0, 0x40, 0, 0x20, 0, 0, 1, 0x40, 0]
    let gradient: [UInt8] = [4, 0, 0, 16, 0, 0, 0, 0, 0x04, 0x73, 0, 0, 0, 0, 0x04, 0x73] + line
    let filled = try draw(ColorFont(paints: [(Self.a, shape(Self.h, gradient))], palettes: [Self.colors]))
    #expect(count(filled, 0xffff_0000) > 30 && count(filled, 0xff00_00ff) > 30)
    // Moved up by 100 units, the shape is elsewhere.
    let moved: [UInt8] = [14, 0, 0, 8, 0, 0, 0, 100] + shape(Self.h, solid(0))
    let up = try draw(ColorFont(paints: [(Self.a, moved)], palettes: [Self.colors]))
    let still = try draw(ColorFont(paints: [(Self.a, shape(Self.h, solid(0)))], palettes: [Self.colors]))
    #expect(count(up, 0xffff_0000) > 50 && up != still)
    // Source-out with the same shape is empty; source-in is the whole shape.
    func composite(_ mode: UInt8) -> [UInt8] {
      let source = shape(Self.h, solid(0)), backdrop = shape(Self.h, solid(1))
      return [32, 0, 0, 8, mode, 0, 0, UInt8(8 + source.count)] + source + backdrop
    }
    #expect(count(try draw(ColorFont(paints: [(Self.a, composite(7))], palettes: [Self.colors])), 0xffff_0000) == 0)
    #expect(count(try draw(ColorFont(paints: [(Self.a, composite(5))], palettes: [Self.colors])), 0xffff_0000) > 50)
    #expect(count(try draw(ColorFont(paints: [(Self.a, composite(4))], palettes: [Self.colors])), 0xff00_00ff) > 50)
  }

  @Test("Color glyphs with cyclic or invalid references end")
  func hostile() throws {
    // A glyph that refers to itself; a transform that refers to itself; missing layers; an offset outside of the table.
    let own: [UInt8] = [11, 0, UInt8(Self.a)], layers: [UInt8] = [1, 255, 0xff, 0xff, 0xff, 0xf0]
    let endless: [UInt8] = [14, 0, 0, 0, 0, 0, 0, 1], far: [UInt8] = [10, 0xff, 0xff, 0xff, 0, 1]
    let both: [UInt8] = [32, 0, 0, 0, 3, 0, 0, 0]
    for paint in [own, layers, endless, far, both, [], [99], [4, 0, 0, 1]] {
      _ = try draw(ColorFont(paints: [(Self.a, paint)], palettes: [Self.colors]))
    }
    _ = try draw(ColorFont(paints: [(Self.a, shape(Self.h, solid(77)))], palettes: []))
  }
}
