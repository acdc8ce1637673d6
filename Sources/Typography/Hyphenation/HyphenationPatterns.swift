import OffprintCoreTypes

/// Liang's patterns of one language, in the format of libhyphen dictionaries (`hyph_*.dic`).
///
/// https://tug.org/docs/liang/liang-thesis.pdf, chapter 4; https://github.com/hunspell/hyphen/blob/master/README.hyphen.
/// Patterns that change the spelling (`schif1fahrt/ff=f,5,2`) are ignored.
struct HyphenationPatterns: Sendable {
  /// Patterns that are applied together, in a hash table by their letters.
  private struct Level {
    private struct Pattern {
      var letters: Range<Int>
      var values: Range<Int>
    }
    private var letters: [UInt8] = []
    private var values: [UInt8] = []
    private var patterns: [Pattern] = []
    private var slots: [Int32] = []
    private var longest = 0
    /// The minimum number of letters before the first and after the last hyphenation point.
    var left = 0
    var right = 0

    var isEmpty: Bool { patterns.isEmpty }

    /// Adds a pattern such as `.hy3ph`: letters with numbers between them, in UTF-8.
    mutating func add(_ line: Substring.UTF8View) {
      let letterStart = letters.count, valueStart = values.count
      values.append(0)
      for byte in line {
        if byte >= 0x30, byte <= 0x39 {
          values[values.count - 1] = byte - 0x30
        } else {
          letters.append(byte)
          // One value before each character.
          if byte & 0xc0 != 0x80 { values.append(0) }
        }
      }
      patterns.append(Pattern(letters: letterStart..<letters.count, values: valueStart..<values.count))
      longest = max(longest, letters.count - letterStart)
    }

    private static let seed: UInt32 = 2_166_136_261
    private static func hash(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte)) &* 16_777_619 }

    /// Builds the table after all patterns were added.
    mutating func index() {
      var size = 16
      while size < patterns.count * 2 { size *= 2 }
      slots = [Int32](repeating: -1, count: size)
      for (number, pattern) in patterns.enumerated() {
        var slot = Int(letters[pattern.letters].reduce(Self.seed, Self.hash)) & (size - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
        slots[slot] = Int32(truncatingIfNeeded: number)
      }
    }

    private func find(_ hash: UInt32, _ bytes: ArraySlice<UInt8>) -> Range<Int>? {
      var slot = Int(hash) & (slots.count - 1)
      while slots[slot] >= 0 {
        let pattern = patterns[Int(slots[slot])]
        if letters[pattern.letters] == bytes { return pattern.values }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }

    /// The values between the characters of a word, one before each and one at the end.
    func apply(_ characters: ArraySlice<[UInt8]>) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: characters.count + 1)
      guard !isEmpty else { return result }
      let word = [[0x2e]] + characters + [[0x2e]]
      let bytes = word.flatMap(\.self)
      var start = 0
      for first in word.indices {
        var end = start, hash = Self.seed
        for last in first..<word.count {
          for byte in word[last] { hash = Self.hash(hash, byte) }
          end += word[last].count
          guard end - start <= longest else { break }
          guard let found = find(hash, bytes[start..<end]) else { continue }
          for (index, value) in values[found].enumerated() {
            // The full stop before the word is character 0.
            let place = first + index - 1
            if result.indices.contains(place), value > result[place] { result[place] = value }
          }
        }
        start += word[first].count
      }
      return result
    }
  }

  /// Patterns for parts of compounds; empty for most languages.
  private var compounds = Level()
  private var words = Level()

  private static let maximumFileSize = 8 << 20

  /// - Parameter bytes: The contents of the file: the name of its encoding, then one pattern or setting per line.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= Self.maximumFileSize, let end = bytes.firstIndex(of: 0x0a), end < 64 else { return nil }
    let encoding = String(decoding: bytes[..<end], as: UTF8.self).removingHTMLSpaces
    guard let text = TextEncoding.utf8(UnsafeBufferPointer(rebasing: bytes[(end + 1)...]), from: encoding) else { return nil }
    words.left = 2
    words.right = 2
    var level = Level()
    for line in text.utf8.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) { read(Substring(line), &level) }
    words.left = max(words.left, 1)
    words.right = max(words.right, 1)
    (level.left, level.right) = (words.left, words.right)
    words = level
    guard !words.isEmpty || !compounds.isEmpty else { return nil }
    compounds.index()
    words.index()
  }

  private mutating func read(_ line: Substring, _ level: inout Level) {
    let bytes = line.utf8
    guard let first = bytes.first, first != 0x25, first != 0x23 else { return }
    if (0x41...0x5a).contains(first) {
      let parts = line.split(byte: " ")
      let number = parts.count > 1 ? min(max(Int(parts[1]) ?? 0, 0), 100) : 0
      switch parts.first {
      case "LEFTHYPHENMIN": words.left = number
      case "RIGHTHYPHENMIN": words.right = number
      case "COMPOUNDLEFTHYPHENMIN": compounds.left = number
      case "COMPOUNDRIGHTHYPHENMIN": compounds.right = number
      case "NEXTLEVEL":
        (level.left, level.right) = (compounds.left, compounds.right)
        compounds = level
        level = Level()
      default: break
      }
      return
    }
    guard bytes.count <= 200, !bytes.contains(where: { $0 == 0x2f || $0 == 0x20 || $0 == 0x5e }) else { return }
    level.add(bytes)
  }

  /// The indexes of the characters before which a word can be hyphenated, in order.
  /// - Parameter characters: The word's characters in lowercase, as UTF-8.
  func divisions(_ characters: [[UInt8]]) -> [Int] {
    let count = characters.count
    let outer = compounds.apply(characters[...])
    var cuts = (0...count).filter {
      $0 > 0 && $0 < count && outer[$0] & 1 != 0 && $0 >= max(compounds.left, words.left) && count - $0 >= max(compounds.right, words.right)
    }
    var start = 0
    for end in cuts + [count] {
      let inner = words.apply(characters[start..<end])
      let minimum = max(compounds.left, 1), maximum = max(compounds.right, 1)
      for place in inner.indices where inner[place] & 1 != 0 {
        let whole = start + place
        guard whole >= words.left, count - whole >= words.right else { continue }
        if (start > 0 && place < minimum) || (end < count && end - whole < maximum) || whole == start || whole == end { continue }
        cuts.append(whole)
      }
      start = end
    }
    return cuts.sorted()
  }
}
