import Testing

@testable import OffprintTypography

@Suite("Space between East Asian punctuation and letters")
struct HanSpacingTests {
  /// A face whose commas stand at the left of their square, and whose colons stand in its middle.
  private var face: HanSpacing.Face {
    var face = HanSpacing.Face()
    (face.hasHalves, face.dot, face.colon) = (true, .close, .middle)
    return face
  }

  /// The characters of a text that lose half of their square, each followed by a star.
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
    "Of two halves that meet, one goes",
    arguments: [
      ("語」、（括", "語」*、（*括"), ("弧）。『二", "弧）*。『*二"), ("』：約", "』*：約"), ("「『字", "「『*字"), ("字」字「字", "字」字「字"), ("」)", "」*)"),
      ("(「", "(「*"),
    ])
  func pairs(_ text: String, _ expected: String) {
    #expect(trimmed(text, face) == expected)
  }

  @Test("Commas in the middle of their square, as in Taiwan, keep theirs, and so do quotation marks that are narrow")
  func languages() {
    var taiwan = face
    taiwan.dot = .middle
    #expect(trimmed("語」，字", taiwan) == "語」*，字")
    #expect(trimmed("字，「", taiwan) == "字，「*")
    #expect(trimmed("，“字", face) == "，“字")
    taiwan.hasWideQuotes = true
    #expect(trimmed("，“字", taiwan) == "，“*字")
  }

  @Test("Ideographs and kana stand off letters and digits, not punctuation and full-width forms")
  func autospace() {
    func isSpaced(_ text: String) -> Bool {
      let codepoints = text.unicodeScalars.map(\.value)
      return AutoSpacing.isNeeded(between: codepoints[0], and: codepoints[1])
    }
    for text in ["字a", "a字", "1字", "か1", "字é", "字д"] { #expect(isSpaced(text), "\(text)") }
    for text in ["字か", "ab", "字.", "字。", "字Ａ", "字 ", "・a"] { #expect(!isSpaced(text), "\(text)") }
  }
}
