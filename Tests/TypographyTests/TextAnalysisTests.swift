import Testing

@testable import OffprintTypography

@Suite struct TextAnalysisTests {
  /// The text with "|" at each soft wrap opportunity.
  private func broken(_ text: String, wordBreak: WordBreak = .normal, strictness: LineBreakStrictness = .auto) -> String {
    let bytes = Array(text.utf8)
    let boundaries = TextBreaks.boundaries(bytes, wordBreak: wordBreak, strictness: strictness)
    #expect(boundaries.count == bytes.count + 1)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if boundaries[index].contains(.lineBreak) { result.append(0x7c) }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  @Test(
    "Soft wrap opportunities are those of Chromium",
    arguments: [
      "The |quick  |fox", "well-|known", "-5", "A-|1", "a/b/c", "what?|x", "f(x)", ")|(x", "see |(this)", "$100.00", "a-|-|b",
      "http://a.b/c-|d?|e=f",
      "don't", "end. |\"Next\"", "a\u{a0}b", "déjà-|vu", "漢|字|漢", "漢|字。", "“quoted” |text", "x…",
      "a\u{200b}|b", "100 |%", "!x",
    ])
  func opportunities(expected: String) {
    #expect(broken(expected.split(separator: "|", omittingEmptySubsequences: false).joined()) == expected)
  }

  @Test(
    "break-all allows breaks between letters, keep-all forbids them between ideographs, and anywhere allows them between all characters")
  func modes() {
    #expect(broken("ab, cd", wordBreak: .breakAll) == "a|b, |c|d")
    #expect(broken("漢字 漢字", wordBreak: .keepAll) == "漢字 |漢字")
    #expect(broken("a b!", strictness: .anywhere) == "a| |b|!")
  }

  @Test(
    "break-all allows breaks between letters, numbers and symbols, before hyphens and opening brackets, but not before closing punctuation",
    arguments: [
      #"X|X|X|\X"#, "a|=|b|&|c", "x|(y)|-|z", "1|0|0%", "a|+|1", "a.|b", "a|$b", "a,$b", "é|é", "a|#", "漢|a|字", "a!|b",
    ])
  func breakAll(expected: String) {
    #expect(broken(expected.replacing("|", with: ""), wordBreak: .breakAll) == expected)
  }

  @Test(
    "Scripts with dictionary-based breaks do not break from other text like letters, and hyphens do not break from the word after them",
    arguments: ["“ไทย”", "100บาท", "(ไทย)", "$ก", "ก=", "ก|字", "」|ก", "–a", "x–|a", "x –a", "‐é", "é-|é", "-é"])
  func edges(expected: String) {
    let text = expected.replacing("|", with: ""), found = broken(text)
    #expect(found == expected || found == expected.replacing(" ", with: " |"), "\(found)")
  }

  @Test("A line may begin with small kana unless line-break is strict")
  func smallKana() {
    #expect(broken("Aー%") == "A|ー%" && broken("한ー") == "한|ー" && broken("（ー") == "（ー" && broken("Aー", strictness: .strict) == "Aー")
    #expect(broken("カッ") == "カ|ッ")
    #expect(broken("カッ", strictness: .strict) == "カッ")
  }

  @Test("Grapheme clusters are not broken, and a line feed forces a break")
  func clusters() {
    let text = Array("e\u{301}👩‍👩‍👧x".utf8)
    let boundaries = TextBreaks.boundaries(text)
    let starts = boundaries.indices.filter { boundaries[$0].contains(.grapheme) }
    #expect(starts == [0, 3, text.count - 1, text.count])
    #expect(TextBreaks.boundaries(Array("a\nb".utf8))[2].contains(.mandatoryBreak))
    #expect(TextBreaks.boundaries(Array("é\nb".utf8))[3].contains(.mandatoryBreak))
  }

  @Test("Bidirectional text has embedding levels, and isolates have their own")
  func bidi() {
    func levels(_ text: String, _ base: BaseDirection) -> [[Int]] {
      Bidi.runs(Array(text.utf8), base: base).map { [$0.range.lowerBound, $0.range.upperBound, Int($0.level)] }
    }
    #expect(levels("abc", .leftToRight) == [[0, 3, 0]])
    #expect(levels("abc", .rightToLeft) == [[0, 3, 2]])
    #expect(levels("ab אב", .leftToRight) == [[0, 3, 0], [3, 7, 1]])
    #expect(levels("אב 12", .auto) == [[0, 5, 1], [5, 7, 2]])
    // In an isolate, Hebrew does not affect the number after it.
    #expect(levels("a \u{2067}אב\u{2069} 1", .leftToRight) == [[0, 5, 0], [5, 9, 1], [9, 14, 0]])
    #expect(levels("a\nאב", .auto) == [[0, 2, 0], [2, 6, 1]])
  }

  @Test("Isolates at the same depth do not affect each other's neutral characters, at any depth")
  func isolates() {
    let text = "\u{2066}א+\u{2069}א\u{2068}א\u{2069}"
    let runs = Bidi.runs(Array(text.utf8), base: .rightToLeft)
    #expect(runs.map(\.range.lowerBound) == [0, 3, 5, 6, 14, 16])
    #expect(runs.map(\.level) == [1, 3, 2, 1, 3, 1])
    let nested = String(repeating: "\u{2067}a\u{2066}", count: 2000) + "א" + String(repeating: "\u{2069}", count: 5000)
    #expect(Bidi.runs(Array(nested.utf8), base: .leftToRight).last?.range.upperBound == nested.utf8.count)
  }

  @Test("Visual order reverses runs at higher levels")
  func visualOrder() {
    #expect(Bidi.visualOrder([0, 1, 1, 0]) == [0, 2, 1, 3])
    #expect(Bidi.visualOrder([1, 2, 1]) == [2, 1, 0])
    #expect(Bidi.visualOrder([]) == [])
  }
}
