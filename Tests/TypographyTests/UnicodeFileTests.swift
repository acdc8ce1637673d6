import Foundation
import Testing

@testable import OffprintTypography

private let unicodeFolder = ProcessInfo.processInfo.environment["UNICODE_DATA"] ?? "/usr/share/unicode"

/// Unicode's conformance tests, if Debian's package `unicode-data` (Unicode 15) is installed.
@Suite("Unicode's tests", .enabled(if: FileManager.default.fileExists(atPath: unicodeFolder)))
struct UnicodeFileTests {
  private struct Case {
    var text: [UInt8]
    /// Byte offsets of breaks.
    var breaks: Set<Int>
    var line: String
  }

  /// `÷ 0020 × 0308 ÷`
  private func cases(_ name: String) throws -> [Case] {
    let text = try String(contentsOfFile: "\(unicodeFolder)/auxiliary/\(name).txt", encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let body = line.prefix { $0 != "#" }
      guard !body.isEmpty else { return nil }
      var result = Case(text: [], breaks: [], line: String(line))
      for word in body.split(whereSeparator: \.isWhitespace) {
        if word == "÷" {
          result.breaks.insert(result.text.count)
        } else if let value = UInt32(word, radix: 16), let scalar = Unicode.Scalar(value) {
          result.text += Array(String(scalar).utf8)
        } else if word != "×" {
          return nil
        }
      }
      return result
    }
  }

  @Test("The tests of grapheme clusters pass")
  func graphemes() throws {
    let cases = try cases("GraphemeBreakTest")
    #expect(cases.count > 500)
    var failed: [String] = []
    for test in cases where !test.text.contains(0) {
      let boundaries = TextBreaks.boundaries(test.text)
      let found = Set(boundaries.indices.filter { boundaries[$0].contains(.grapheme) })
      if found.union([0, test.text.count]) != test.breaks { failed.append(test.line) }
    }
    #expect(failed.isEmpty, "\(failed.count) of \(cases.count): \(failed.prefix(10).joined(separator: "\n"))")
  }

  /// Cases in which CSS and Chromium differ from UAX #14: spaces, control characters, pairs of ASCII characters, and Thai (dictionaries).
  private func isOverridden(_ test: Case) -> Bool {
    test.text.contains { $0 < 0x80 }
      || String(decoding: test.text, as: UTF8.self).unicodeScalars.contains {
        (0x80...0xa0).contains($0.value) || (0xe00...0xe7f).contains($0.value)
      }
  }

  @Test("The tests of line breaks pass, except where CSS and Chromium have other rules")
  func lines() throws {
    let cases = try cases("LineBreakTest").filter { !isOverridden($0) }
    #expect(cases.count > 1000)
    var failed: [String] = []
    for test in cases {
      let boundaries = TextBreaks.boundaries(test.text, strictness: .strict)
      let found = Set(boundaries.indices.filter { boundaries[$0].contains(.lineBreak) || boundaries[$0].contains(.mandatoryBreak) })
      if found.union([test.text.count]) != test.breaks { failed.append(test.line) }
    }
    #expect(failed.isEmpty, "\(failed.count) of \(cases.count): \(failed.prefix(10).joined(separator: "\n"))")
  }
}
