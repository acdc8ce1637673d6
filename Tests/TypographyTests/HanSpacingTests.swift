import Testing

@testable import OffprintTypography

@Suite("Space between East Asian punctuation and letters")
struct HanSpacingTests {
  /// A face with commas at the left of the em box, and colons in its center.
  private var face: HanSpacing.Face {
    var face = HanSpacing.Face()
    (face.hasHalves, face.dot, face.colon) = (true, .close, .middle)
    return face
  }

  /// The text with a star after each character that is trimmed to half of the em box.
  private func trimmed(_ text: String, _ face: HanSpacing.Face) -> String {
    let codepoints = text.unicodeScalars.map(\.value)
    var halves: Set<Int> = []
    for index in codepoints.indices.dropFirst() {
      let (first, second) = (face.kind(of: codepoints[index - 1]), face.kind(of: codepoints[index]))
      if HanSpacing.trimsFirst(first, second) { halves.insert(index - 1) }
      if HanSpacing.trimsSecond(first, second) { halves.insert(index) }
    }
    return zip(text.unicodeScalars, codepoints.indices).map { "\($0)\(halves.contains($1) ? "*" : "")" }.joined()
  }

  @Test(
    "Of two adjacent blank halves, one is removed",
    arguments: [
      ("語」、（括", "語」*、（*括"), ("弧）。『二", "弧）*。『*二"), ("』：約", "』*：約"), ("「『字", "「『*字"), ("字」字「字", "字」字「字"), ("」)", "」*)"),
      ("(「", "(「*"),
    ])
  func pairs(_ text: String, _ expected: String) {
    #expect(trimmed(text, face) == expected)
  }

  @Test("Centered commas, as in Taiwan, and narrow quotation marks are not trimmed")
  func languages() {
    var taiwan = face
    taiwan.dot = .middle
    #expect(trimmed("語」，字", taiwan) == "語」*，字")
    #expect(trimmed("字，「", taiwan) == "字，「*")
    #expect(trimmed("，“字", face) == "，“字")
    taiwan.hasWideQuotes = true
    #expect(trimmed("，“字", taiwan) == "，“*字")
  }

  @Test("Spacing is inserted between ideographs or kana and letters or digits, not next to punctuation and full-width forms")
  func autospace() {
    func isSpaced(_ text: String) -> Bool {
      let codepoints = text.unicodeScalars.map(\.value)
      return AutoSpacing.isNeeded(between: codepoints[0], and: codepoints[1])
    }
    for text in ["字a", "a字", "1字", "か1", "字é", "字д"] { #expect(isSpaced(text), "\(text)") }
    for text in ["字か", "ab", "字.", "字。", "字Ａ", "字 ", "・a"] { #expect(!isSpaced(text), "\(text)") }
  }
}
