import Testing

@testable import OffprintTypography

@Suite struct ShapingTests {
  @Test("Advances are unrounded and in CSS px")
  func advances() {
    let context = Fixture.context()
    let run = context.shape("Hello", Fixture.sans)
    // H 1479, e 1139, l 455, o 1139 of 2048 units
    let expected = Float(1479 + 1139 + 455 + 455 + 1139) / 2048 * 16
    #expect(abs(run.width - expected) < 0.001)
    #expect(run.glyphs.map(\.cluster) == [0, 1, 2, 3, 4])
  }

  @Test("Spaces are kerned with adjacent letters")
  func kerningWithSpace() {
    let context = Fixture.context()
    var plain = Fixture.sans
    plain.kerning = .none
    let difference = context.shape(" A", Fixture.sans).width - context.shape(" A", plain).width
    #expect(abs(difference + 0.88) < 0.01)
  }

  @Test("A line that is broken at a kerned space has the unkerned width of the space")
  func cutting() {
    let context = Fixture.context()
    let text = Array("x Ax".utf8)
    let run = context.shape(text, font: context.font(Fixture.sans))
    #expect(!run.isSafeToBreak(before: 2))
    #expect(run.isSafeToBreak(before: 1))
    let line = text.withUnsafeBufferPointer { context.line(run, 0..<2, of: $0) }
    let alone = context.shape("x ", Fixture.sans)
    #expect(line.width == alone.width)
    #expect(line.width > run.width(from: 0, to: 2) + 0.5)
    let rest = text.withUnsafeBufferPointer { context.line(run, 2..<4, of: $0) }
    #expect(rest.width == context.shape("Ax", Fixture.sans).width)
    #expect(rest.glyphs.map(\.cluster) == [2, 3])
  }

  @Test("The widths of ranges add up to the total width, in both directions")
  func partialWidths() {
    let context = Fixture.context()
    for (text, isRightToLeft) in [("The quick brown fox", false), ("שלום לכולם", true)] {
      let run = context.shape(text, Fixture.description("DejaVu Sans"), isRightToLeft: isRightToLeft)
      let count = text.utf8.count
      #expect(run.width(from: 0, to: count) == run.width)
      for cut in 0...count {
        #expect(abs(run.width(from: 0, to: cut) + run.width(from: cut, to: count) - run.width) < 0.001)
      }
      #expect(run.width(from: 0, to: count / 2) > 0)
    }
  }

  @Test("The offset at a distance is the last boundary that is not after it")
  func offsets() {
    let context = Fixture.context()
    let run = context.shape("iiii", Fixture.description("Liberation Mono", size: 10))
    let advance = run.width / 4
    #expect(run.offset(atAdvance: advance * 2.5) == 2)
    #expect(run.offset(atAdvance: advance * 10) == 4)
    #expect(run.offset(atAdvance: -1) == 0)
    let hebrew = context.shape("אבגד", Fixture.description("DejaVu Sans"), isRightToLeft: true)
    #expect(hebrew.offset(atAdvance: hebrew.width(from: 0, to: 4) + 0.01) == 4)
    #expect(hebrew.offset(atAdvance: 0.01) == 0)
  }

  @Test("The width of a ligature is divided among its letters, and letter spacing disables ligatures")
  func ligatures() {
    let context = Fixture.context()
    let description = Fixture.description("DejaVu Sans")
    let run = context.shape("fi", description)
    #expect(run.glyphs.count == 1)
    #expect(abs(run.width(from: 0, to: 1) - run.width / 2) < 0.001)
    let spaced = context.shape("fi", description, letterSpacing: 2)
    #expect(spaced.glyphs.count == 2)
  }

  @Test("Letter spacing follows each cluster, word spacing each space and no-break space")
  func spacing() {
    let context = Fixture.context()
    let plain = context.shape("a b\u{a0}c", Fixture.sans).width
    #expect(abs(context.shape("a b\u{a0}c", Fixture.sans, letterSpacing: 1).width - plain - 5) < 0.01)
    #expect(abs(context.shape("a b\u{a0}c", Fixture.sans, wordSpacing: 3).width - plain - 6) < 0.01)
  }

  @Test("line-height: normal has the height and baseline of Chromium")
  func lineHeight() {
    let context = Fixture.context()
    let metrics = context.metrics(Fixture.sans)
    #expect(metrics.ascent == 13)
    #expect(metrics.descent == 4)
    #expect(metrics.lineSpacing == 18)
    #expect(context.metrics(Fixture.description("Liberation Sans", size: 13)).lineSpacing == 15)
    #expect(abs(metrics.xHeight - 1082.0 / 2048 * 16) < 0.01)
    #expect(abs(metrics.zeroAdvance - 1139.0 / 2048 * 16) < 0.001)
    #expect(abs(metrics.capHeight - 1409.0 / 2048 * 16) < 0.2)
  }

  @Test("Only the characters that are missing from the families use a fallback face")
  func fallback() {
    let context = Fixture.context()
    #expect(context.families("a✓b", Fixture.sans) == ["Liberation Sans", "DejaVu Sans", "Liberation Sans"])
    #expect(context.families("e\u{301}✓\u{fe0e}", Fixture.sans) == ["Liberation Sans", "DejaVu Sans"])
    // No face has it: the missing glyph of the first family.
    let missing = context.shape("漢", Fixture.sans)
    #expect(missing.segments.map(\.face.face.info.family) == ["Liberation Sans"])
    #expect(missing.glyphs.map { MissingGlyph.codepoint(of: $0.glyph) } == [0x6f22])
  }

  @Test("Bold and italic are synthesized if a face lacks them, unless font-synthesis forbids it")
  func synthesis() {
    let context = Fixture.context()
    var description = Fixture.description("DejaVu Sans")
    description.weight = 700
    description.style = .italic
    let face = context.primaryFace(context.font(description))
    #expect(face?.isSyntheticBold == true)
    #expect(face?.isSyntheticOblique == true)
    description.synthesizesWeight = false
    description.synthesizesStyle = false
    let plain = context.primaryFace(context.font(description))
    #expect(plain?.isSyntheticBold == false)
    #expect(plain?.isSyntheticOblique == false)
  }

  @Test("Synthesized small capitals are capitals at 70 % of the size, rounded to whole pixels")
  func smallCaps() {
    let context = Fixture.context()
    var description = Fixture.sans
    description.caps = .smallCaps
    let run = context.shape("Aß", description)
    #expect(run.segments.map(\.size) == [16, 11])
    #expect(run.glyphs.count == 3)
    #expect(run.glyphs.map(\.cluster) == [0, 1, 1])
  }

  @Test("A cached run equals a newly shaped one, at any position of its text")
  func cache() {
    let context = Fixture.context()
    let first = context.shape("one two", Fixture.sans)
    let text = Array("xx one two".utf8)
    let second = context.shape(text, range: 3..<10, font: context.font(Fixture.sans))
    #expect(second.textRange == 3..<10)
    #expect(second.glyphs.map(\.cluster) == [3, 4, 5, 6, 7, 8, 9])
    #expect(second.glyphs.map(\.advance) == first.glyphs.map(\.advance))
    #expect(second.width(from: 3, to: 6) == first.width(from: 0, to: 3))
  }

  @Test("Invalid UTF-8 and invisible characters are shaped without errors")
  func hostileText() {
    let context = Fixture.context()
    let font = context.font(Fixture.sans)
    let run = context.shape([0xff, 0xc3, 0x28, 0xf0, 0x9f, 0x00, 0x0a, 0x41], font: font)
    #expect(run.textRange == 0..<8)
    #expect(context.shape("\n", Fixture.sans).width == 0)
    #expect(context.shape("a\u{200b}\u{ad}b", Fixture.sans).width == context.shape("ab", Fixture.sans).width)
    #expect(context.shape("abc", FontDescription(size: .nan)).width == 0)
    #expect(context.metrics(FontDescription(size: -3)).lineSpacing == 0)
  }
}

@Suite struct ItemisingTests {
  @Test("Typographic punctuation uses the primary face and is kerned with letters")
  func punctuation() {
    let context = Fixture.context()
    let run = context.shape("“To” – 5 €…", Fixture.sans)
    #expect(run.segments.count == 1)
    #expect(run.glyphs.allSatisfy { $0.glyph != 0 })
  }

  @Test("Hebrew is shaped from right to left, with glyphs in visual order")
  func rightToLeft() {
    let context = Fixture.context()
    let run = context.shape("אבג", Fixture.description("DejaVu Sans"), isRightToLeft: true)
    #expect(run.glyphs.map(\.cluster) == [4, 2, 0])
    #expect(run.advance(before: 2) == run.glyphs.last?.advance)
  }

  @Test("Arabic letters join across the ends of a run")
  func joining() {
    let context = Fixture.context()
    let text = Array("بب".utf8)
    let font = context.font(Fixture.description("DejaVu Sans"))
    let whole = context.shape(text, font: font, isRightToLeft: true)
    let first = context.shape(text, range: 0..<2, font: font, isRightToLeft: true)
    let second = context.shape(text, range: 2..<4, font: font, isRightToLeft: true)
    #expect(second.glyphs.map(\.glyph) + first.glyphs.map(\.glyph) == whole.glyphs.map(\.glyph))
    #expect(context.shape("ب", Fixture.description("DejaVu Sans"), isRightToLeft: true).glyphs.map(\.glyph) != first.glyphs.map(\.glyph))
  }
}
