import OffprintCoreTypes
import OffprintImages
import Testing

@Suite struct StretchableImageTests {
  @Test("The default image has one color and a top right pixel of alpha 0.99, also when stretched")
  func plain() throws {
    let image = try StretchableImage(color: Color(r: 255, g: 0, b: 0))
    let expected = try makeBitmap(5, 5) { $0 == 4 && $1 == 0 ? 0xfcfc_0000 : 0xffff_0000 }
    #expect(image.bitmap == expected && !image.bitmap.isOpaque)
    let stretched = try image.stretched(toWidth: 320, height: 44)
    #expect(stretched == (try makeBitmap(320, 44) { $0 == 319 && $1 == 0 ? 0xfcfc_0000 : 0xffff_0000 }))
    let double = try StretchableImage(color: Color(r: 255, g: 0, b: 0), pixel: .at(x: 1, y: 3), scale: 2)
    #expect(double.bitmap == (try makeBitmap(10, 10) { $0 / 2 == 1 && $1 / 2 == 3 ? 0xfcfc_0000 : 0xffff_0000 }))
  }

  @Test("Corners keep their pixels at every size; edges and center are stretched")
  func corners() throws {
    let source = try makeBitmap(7, 6) { opaque($0 * 10, $1 * 10, 1) }
    let image = try StretchableImage(bitmap: source, capInsets: .init(top: 1, right: 2, bottom: 3, left: 4))
    #expect(try image.stretched(toWidth: 7, height: 6) == source)
    for (width, height) in [(8, 6), (31, 40), (7, 100)] {
      let big = try image.stretched(toWidth: width, height: height)
      #expect(big[0, 0] == source[0, 0] && big[width - 1, 0] == source[6, 0] && big[width - 2, height - 3] == source[5, 3])
      #expect(big[3, height - 1] == source[3, 5] && big[width / 2 + 1, height / 2] == source[4, height == 6 ? 3 : 1 + 1])
    }
    for size in 1...6 { #expect(try image.stretched(toWidth: size, height: size).width == size) }
  }

  @Test("The smallest stretchable version of an image stretches back to that image", arguments: [1, 2, 3])
  func smallest(scale: Int) throws {
    var noise = Noise()
    for round in 0..<60 {
      let (width, height) = (1 + noise.below(24), 1 + noise.below(24))
      let (left, right, top, bottom) = (noise.below(width), noise.below(width), noise.below(height), noise.below(height))
      let source = try makeBitmap(width, height) { x, y in
        let column = x >= left && x < right ? left : x, row = y >= top && y < bottom ? top : y
        return opaque(column * 9, row * 9, round)
      }
      let image = try StretchableImage(smallestOf: source, scale: scale)
      #expect(try image.stretched(toWidth: width, height: height) == source, "\(width) × \(height)")
      #expect(image.bitmap.width <= width && image.bitmap.height <= height)
    }
    let bar = try StretchableImage(smallestOf: makeBitmap(60, 30) { x, y in opaque(x < 6 || x > 53 ? x : 9, y / 28, 9) })
    #expect(bar.bitmap.width == 13 && bar.bitmap.height == 3)
    #expect(bar.capInsets == .init(top: 0, right: 6, bottom: 2, left: 6))
  }

  @Test("A nine-patch marks the stretched area in its border, and a compiled one has it in a chunk")
  func ninePatch() throws {
    let image = try StretchableImage(color: Color(r: 0, g: 0, b: 255))
    let framed = try bitmap(ImageDecoder.decode(image.ninePatch()))
    #expect(framed.width == 7 && framed.height == 7 && framed[1, 1] == 0xff00_00ff && framed[5, 1] == 0xfc00_00fc)
    #expect((0..<7).map { framed[$0, 0] != 0 } == [false, false, false, true, false, false, false])
    #expect((0..<7).map { framed[0, $0] != 0 } == [false, false, false, true, false, false, false])
    let compiled = try image.npTc()
    let at = try #require((0..<compiled.count - 4).first { compiled[$0..<$0 + 4].elementsEqual("npTc".utf8) }) + 4
    #expect(compiled[at..<at + 4].elementsEqual([0, 2, 2, 9]))
    #expect(compiled[(at + 32)..<(at + 48)].elementsEqual([0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 3]))
    // Nine regions: the third (top right) has two colors, the others are blue.
    #expect(compiled[(at + 48)..<(at + 60)].elementsEqual([255, 0, 0, 255, 255, 0, 0, 255, 0, 0, 0, 1]))
    #expect(try bitmap(ImageDecoder.decode(compiled)) == image.bitmap)
  }

  @Test("CSS, image set and JSON have the same insets")
  func texts() throws {
    let images = try [2, 1].map { try StretchableImage(color: .black, scale: $0) }
    let css = try images[0].css(selector: ".bar")
    #expect(css.contains("border-width: 2px 2px 2px 2px;") && css.contains(") 4 4 4 4 fill stretch;") && css.contains("base64,iVBORw0KGgo"))
    let files = try StretchableImage.imageSet(name: "bar", images: images)
    #expect(files.map(\.name) == ["Contents.json", "bar.png", "bar@2x.png"])
    let contents = String(decoding: files[0].bytes, as: UTF8.self)
    #expect(contents.contains("\"filename\" : \"bar@2x.png\"") && contents.contains("\"left\" : 4"))
    #expect(try images[1].json().hasPrefix("{\"width\":5,\"height\":5,\"scale\":1,\"capInsets\":{\"top\":2,"))
  }

  @Test("Invalid arguments are rejected, and the message names them")
  func invalid() {
    #expect(throws: StretchableImage.Invalid.capInsets) { try StretchableImage(color: .black, width: 4, height: 4) }
    #expect(throws: StretchableImage.Invalid.size) { try StretchableImage(color: .black, width: 0) }
    #expect(throws: StretchableImage.Invalid.pixel) { try StretchableImage(color: .black, pixel: .at(x: 5, y: 0)) }
    #expect(throws: StretchableImage.Invalid.alpha) { try StretchableImage(color: .black, alpha: .nan) }
    #expect(StretchableImage.Pixel("top-right") == .topRight && StretchableImage.Pixel("1,2") == .at(x: 1, y: 2))
    #expect(StretchableImage.Pixel("middle") == nil)
  }
}
