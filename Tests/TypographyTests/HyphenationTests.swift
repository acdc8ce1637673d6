import Foundation
import Testing

@testable import OffprintTypography

@Suite("Hyphenation")
struct HyphenationTests {
  private func patterns(_ text: [UInt8]) -> HyphenationPatterns? { text.withUnsafeBufferPointer { HyphenationPatterns($0) } }

  private func divided(_ word: String, _ dictionary: String) throws -> String {
    let found = try #require(self.patterns(Array(dictionary.utf8)))
    var result = word.map(String.init)
    for place in found.divisions(word.map { Array(String($0).utf8) }).reversed() { result.insert("-", at: place) }
    return result.joined()
  }

  /// The example from Liang's thesis.
  private let liang = "UTF-8\nLEFTHYPHENMIN 2\nRIGHTHYPHENMIN 2\nhy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n"

  @Test("Liang's patterns determine the opportunities, at the minimum distances from both ends")
  func example() throws {
    #expect(try divided("hyphenation", liang) == "hy-phen-ation")
    #expect(try divided("nation", liang) == "na-tion")
    #expect(try divided("abc", "UTF-8\na1b\nb1c\n") == "abc")
    #expect(try divided("abcd", "UTF-8\na1b1c1d\n") == "ab-cd")
    #expect(try divided("abcdef", "UTF-8\n% a1b\nLEFTHYPHENMIN 3\nRIGHTHYPHENMIN 1\n1a1b1c1d1e1f1\n") == "abc-d-e-f")
    #expect(try divided("aba", "UTF-8\nLEFTHYPHENMIN 1\nRIGHTHYPHENMIN 1\n.a1b\n") == "a-ba")
  }

  @Test("Dictionaries with two levels are supported")
  func levels() throws {
    let german = "UTF-8\nCOMPOUNDLEFTHYPHENMIN 2\nCOMPOUNDRIGHTHYPHENMIN 2\nau1bau\nNEXTLEVEL\nb1a\n.ba1u\na1u\n"
    #expect(try divided("saubau", german) == "sau-bau")
  }

  @Test("Dictionaries are decoded in their declared encoding, and invalid ones have no opportunities")
  func encodings() throws {
    #expect(
      patterns(Array("ISO8859-1\n1".utf8) + [0xe4] + Array("b\n".utf8))?.divisions(["a", "ä", "b", "c"].map { Array($0.utf8) }) == [])
    let long = patterns(Array("ISO8859-1\n1".utf8) + [0xe4] + Array("b\n".utf8))
    #expect(long?.divisions(["a", "a", "ä", "b", "c"].map { Array($0.utf8) }) == [2])
    #expect(patterns(Array("KOI8-R\n1".utf8) + [0xc1, 0x0a])?.divisions(["а", "б", "а", "б"].map { Array($0.utf8) }) == [2])
    for text in ["", "UTF-8", "UTF-8\n", "NO-SUCH-CODE\na1b\n", "../UTF-8\na1b\n", "UTF-8\n%\n"] {
      #expect(patterns(Array(text.utf8)) == nil, "\(text)")
    }
    #expect(patterns(Array("UTF-8\na1b".utf8) + [0xff, 0x0a]) == nil)
  }

  @Test("The dictionary of the language applies regardless of region, but not to English names and words with soft hyphens")
  func languages() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["hyph_en_US", "hyph_de_AT"] { try Data(liang.utf8).write(to: folder.appendingPathComponent("\(name).dic")) }
    try Data("de".utf8).write(to: folder.appendingPathComponent("words.dic"))
    // Reading a pipe would block forever, so the registry skips it.
    #expect(mkfifo(folder.appendingPathComponent("pipe.ttf").path, 0o600) == 0)
    let registry = FontRegistry(folders: [folder.path])
    #expect(registry.hyphenation(for: "en")?.language == "en-us" && registry.hyphenation(for: "de-CH-1996")?.language == "de-at")
    #expect(registry.hyphenation(for: "fr") == nil && registry.hyphenation(for: "") == nil && registry.hyphenation(for: "e") == nil)
    #expect(registry.digest != FontRegistry(folders: []).digest && registry.problems.isEmpty)
    let english = try #require(registry.hyphenation(for: "en-GB")), german = try #require(registry.hyphenation(for: "de"))
    func places(_ text: String, _ dictionary: HyphenationDictionary, _ limits: HyphenationLimits = .init()) -> [Int] {
      var result: [Int] = []
      Array(text.utf8).withUnsafeBufferPointer { text in dictionary.forEachDivision(text, 0..<text.count, limits) { result.append($0) } }
      return result
    }
    #expect(places("a hyphenation, nation", english) == [4, 8, 17])
    #expect(places("Nation", english).isEmpty && places("Nation", german) == [2] && places("NATION", german) == [2])
    #expect(places("nation na\u{ad}tion", german) == [2])
    #expect(places("nation", english, HyphenationLimits(word: 7)).isEmpty)
    #expect(places("nation", english, HyphenationLimits(before: 3)).isEmpty)
    #expect(places("nation", english, HyphenationLimits(after: 5)).isEmpty)
  }
}
