import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout
import OffprintPainting
import Testing

/// A display list of commands that may affect the entire image. A closing command closes the last one opened.
func list(_ width: Int, _ height: Int, _ commands: [DisplayCommand]) -> DisplayList {
  var list = DisplayList(bounds: PixelRect(x: 0, y: 0, width: width, height: height))
  var open: [Int] = []
  for command in commands {
    switch command {
    case .pushClip, .pushGroup, .pushTransform: open.append(list.items.count)
    case .popClip, .popGroup, .popTransform:
      if let start = open.popLast() { list.items[start].end = list.items.count }
    default: break
    }
    list.items.append(DisplayItem(command: command, bounds: list.bounds))
  }
  return list
}

@Suite("Display lists") struct DisplayListTests {
  /// One command of each kind.
  private func scene() throws -> DisplayList {
    let bitmap = try #require(
      Bitmap(
        width: 3, height: 3,
        pixels: [
          0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffff00, 0xff000000, 0xffffffff, 0x80800000, 0, 0xff123456,
        ]))
    let radii = PhysicalCorners(all: DisplayRadius(9, 7))
    let round = RoundedRect(DisplayRect(x: 5.5, y: 4, width: 50, height: 80), radii: radii)
    let gradient = ResolvedGradient(
      geometry: .radial(center: DisplayPoint(20, 20), rx: 25, ry: 14),
      stops: [.init(offset: 0, color: .black), .init(offset: 1, color: .white)],
      isRepeating: true)
    var blurred = Group()
    blurred.filters = [.blur(3)]
    blurred.outset = 12
    blurred.content = PixelRect(x: 0, y: 0, width: 64, height: 100)
    var multiply = Group()
    multiply.operation = .blend(.multiply)
    multiply.opacity = 0.6
    let turn = AffineTransform(a: 0.9, b: 0.3, c: -0.3, d: 0.9, e: 10, f: -4)
    return list(
      64, 100,
      [
        .pattern(
          Pattern(
            source: .gradient(gradient), tile: DisplayRect(x: 0, y: 0, width: 64, height: 100),
            area: RoundedRect(PixelRect(x: 0, y: 0, width: 64, height: 100)))),
        .shadow(BoxShadow(shape: round, box: round, isInset: false, sigma: 4, color: .black)),
        .fillRoundedRect(round, Color(r: 200, g: 100, b: 50, a: 200)),
        .pushClip(.rounded(round)),
        .fillRect(PixelRect(x: 0, y: 60, width: 64, height: 40), Color(r: 0, g: 90, b: 200, a: 128)),
        .pushTransform(turn),
        .pattern(
          Pattern(
            source: .bitmap(bitmap, smooth: true), tile: DisplayRect(x: 10, y: 20, width: 30, height: 31),
            area: RoundedRect(DisplayRect(x: 10, y: 20, width: 30, height: 31)))),
        .popTransform, .popClip,
        .pushGroup(blurred), .fillRing(outer: round, inner: round.inset(PixelEdges(top: 3, right: 4, bottom: 5, left: 6)), .black),
        .popGroup,
        .pushGroup(multiply),
        .strokePath(.ellipse(center: DisplayPoint(30, 50), rx: 20, ry: 33), Stroke(width: 5), Color(r: 9, g: 200, b: 9)), .popGroup,
        .pattern(
          Pattern(
            source: .bitmap(bitmap, smooth: true), tile: DisplayRect(x: 40, y: 3, width: 20, height: 90),
            area: RoundedRect(PixelRect(x: 40, y: 3, width: 20, height: 90)))),
      ])
  }

  @Test("The height of bands does not affect any pixel", arguments: [1, 7, 32, 99])
  func bands(height: Int) throws {
    let whole = try pixels(scene())
    #expect(try pixels(scene(), bandHeight: height) == whole)
    #expect(whole.count == 100)
  }

  @Test("Commands between a clip's push and pop are clipped")
  func clips() throws {
    let red = Color(r: 255, g: 0, b: 0), all = PixelRect(x: 0, y: 0, width: 4, height: 2)
    let result = try rasterized(
      list(
        4, 2,
        [
          .pushClip(.rect(PixelRect(x: 1, y: 0, width: 2, height: 1))), .fillRect(all, red), .popClip,
          .fillRect(PixelRect(x: 3, y: 1, width: 1, height: 1), red),
        ]))
    #expect(result == [".rr.", "...r"])
  }

  @Test("A mask keeps the layer below where it is opaque")
  func masks() throws {
    var mask = Group()
    mask.operation = .mask(luminance: false)
    let all = PixelRect(x: 0, y: 0, width: 3, height: 1)
    let result = try rasterized(
      list(
        3, 1,
        [
          .pushGroup(Group()), .fillRect(all, Color(r: 0, g: 0, b: 255)), .pushGroup(mask),
          .fillRect(PixelRect(x: 1, y: 0, width: 1, height: 1), .black), .popGroup, .popGroup,
        ]))
    #expect(result == [".b."])
  }

  @Test("Filters change colors: inverted red is cyan")
  func filters() throws {
    var group = Group()
    group.filters = [.transfer(slope: -1, intercept: 1)]
    group.content = PixelRect(x: 0, y: 0, width: 1, height: 1)
    let rows = try pixels(list(1, 1, [.pushGroup(group), .fillRect(group.content, Color(r: 255, g: 0, b: 0)), .popGroup]))
    #expect(rows == [[0xff00_ffff]])
  }

  @Test("A quarter turn moves pixels exactly")
  func turns() throws {
    let turn = AffineTransform(a: 0, b: 1, c: -1, d: 0, e: 3, f: 0)
    let result = try rasterized(
      list(
        3, 3,
        [
          .pushTransform(turn), .fillRect(PixelRect(x: 0, y: 0, width: 2, height: 1), Color(r: 255, g: 0, b: 0)), .popTransform,
        ]))
    #expect(result == ["..r", "..r", "..."])
  }

  @Test("Invisible commands are culled, and the dump names the others")
  func culling() throws {
    var page = Page(width: 4, height: 4)
    page.add(x: 10, width: 4, height: 4, color: "r")
    page.add(width: 2, height: 2, color: "b")
    let list = try page.list()
    #expect(list.items.count == 1)
    #expect(list.description == "bounds 0,0 4x4\nrect 0,0 2x2 #0000ffff  [0,0 2x2]\n")
  }

  @Test("A transparent image stays transparent where nothing is painted")
  func transparency() throws {
    let result = try pixels(
      list(2, 1, [.fillRect(PixelRect(x: 0, y: 0, width: 1, height: 1), Color(r: 255, g: 0, b: 0, a: 128))]), background: nil)
    #expect(result == [[0x8080_0000, 0]])
  }

  @Test("Painting ends after the deadline")
  func deadline() throws {
    let late = Deadline(after: .zero)
    #expect(throws: DeadlineExceeded.self) {
      try Painter().draw(list(4, 4, []), background: .white, deadline: late) { _, _ in }
    }
  }
}
