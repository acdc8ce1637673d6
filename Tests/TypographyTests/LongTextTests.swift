import OffprintCoreTypes
import Testing

@testable import OffprintTypography

@Suite struct LongTextTests {
  @Test("A letter with very many marks is one cluster with the width of the letter, and is never split")
  func manyMarks() {
    let context = Fixture.context()
    let text = "xe" + String(repeating: "\u{301}\u{323}", count: 1000) + "x"
    let run = context.shape(text, Fixture.description("DejaVu Sans"))
    let end = text.utf8.count - 1
    #expect(Set(run.glyphs.map(\.cluster)) == [0, 1, UInt32(end)])
    #expect(run.glyphs.count > 1900)
    #expect(run.advance(before: end) - run.advance(before: 1) == context.shape("e", Fixture.description("DejaVu Sans")).width)
    #expect((2..<end).allSatisfy { !run.isSafeToBreak(before: $0) })
  }

  @Test("Letter spacing is added once after a letter, regardless of its number of marks")
  func spacing() {
    let context = Fixture.context()
    let text = "e" + String(repeating: "\u{301}", count: 1000)
    let plain = context.shape(text, Fixture.description("DejaVu Sans"))
    #expect(context.shape(text, Fixture.description("DejaVu Sans"), letterSpacing: 5).width == plain.width + 5)
  }

  @Test("In right-to-left text, very many marks stay with their letter", arguments: ["א", "ب"])
  func rightToLeftMarks(letter: String) {
    let context = Fixture.context()
    let text = letter + String(repeating: "\u{5b0}", count: 1000) + letter
    let run = context.shape(text, Fixture.description("DejaVu Sans"), isRightToLeft: true)
    #expect(run.glyphs.first?.cluster == UInt32(text.utf8.count - 2))
    #expect(run.glyphs.map(\.cluster) == run.glyphs.map(\.cluster).sorted(by: >))
  }

  @Test("A long text that is shaped in parts has the same glyphs as when shaped at once", arguments: [false, true])
  func parts(isRightToLeft: Bool) {
    let context = Fixture.context()
    let unit = isRightToLeft ? "שלום " : "AV To "
    let font = isRightToLeft ? Fixture.description("DejaVu Sans") : Fixture.sans
    let long = context.shape(String(repeating: unit, count: 12_000), font, isRightToLeft: isRightToLeft)
    // The short text is shaped at once, and so is each part of the long one.
    let short = context.shape(String(repeating: unit, count: 4000), font, isRightToLeft: isRightToLeft)
    #expect(long.glyphs.count == short.glyphs.count * 3)
    let (a, b) = isRightToLeft ? (Array(long.glyphs.reversed()), Array(short.glyphs.reversed())) : (long.glyphs, short.glyphs)
    let period = b.count / 4000
    let isSame = a.indices.dropLast(period).allSatisfy { index in
      let other = b[period + index % period]
      return index < period || (a[index].glyph == other.glyph && a[index].advance == other.advance)
    }
    #expect(isSame)
    #expect(a.indices.dropFirst().allSatisfy { a[$0 - 1].cluster <= a[$0].cluster })
  }

  @Test("Shaping a long text stops at the deadline")
  func deadline() {
    let context = Fixture.context()
    let text = [UInt8](repeating: 0x61, count: 2_000_000)
    let run = text.withUnsafeBufferPointer {
      context.shape($0, range: 0..<$0.count, font: context.font(Fixture.sans), deadline: Deadline(after: .zero))
    }
    #expect(run.glyphs.isEmpty)
  }

  @Test("The width of a long range equals that of the extracted text")
  func widths() {
    let context = Fixture.context()
    let text = Array(String(repeating: "AVA To ", count: 2000).utf8)
    let run = context.shape(text, font: context.font(Fixture.sans))
    text.withUnsafeBufferPointer { text in
      for range in [1..<9001, 7..<9000, 3..<13_999] {
        #expect(abs(context.width(run, range, of: text) - context.line(run, range, of: text).width) < 0.02)
      }
    }
  }
}
