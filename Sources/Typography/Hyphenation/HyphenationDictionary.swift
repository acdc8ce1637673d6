import OffprintCoreTypes
internal import COffprintPango
internal import Synchronization

/// The minimum lengths of a word and of its parts before and after the hyphen: `hyphenate-limit-chars`.
public struct HyphenationLimits: Hashable, Sendable {
  public var word: Int
  public var before: Int
  public var after: Int

  /// The defaults are the values of `auto`.
  public init(word: Int = 5, before: Int = 2, after: Int = 2) { self.word = word; self.before = before; self.after = after }
}

/// The hyphenation opportunities of a language. Loaded when a page first needs it; shared by all threads.
public final class HyphenationDictionary: Sendable {
  /// In lowercase, for example `de-at`.
  public let language: String
  public let path: String
  let digest: FontDigest
  private enum State { case unread, read(HyphenationPatterns?) }
  private let state = Mutex(State.unread)

  init(language: String, path: String, digest: FontDigest) {
    self.language = language; self.path = path; self.digest = digest
  }

  private var patterns: HyphenationPatterns? {
    state.withLock { state in
      if case .read(let known) = state { return known }
      let found = FontData(path: path)?.withBytes { HyphenationPatterns($0) }
      state = .read(found)
      return found
    }
  }

  /// Longer words are not hyphenated.
  private static let longestWord = 64

  /// Calls `body` with each byte offset before which a word of `text[range]` can be hyphenated, in order.
  ///
  /// Words are runs of letters; those with soft hyphens are only broken there. Chromium does not hyphenate capitalized English words, which
  /// may be names.
  /// https://drafts.csswg.org/css-text-4/#hyphenation
  public func forEachDivision(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ limits: HyphenationLimits, _ body: (Int) -> Void
  ) {
    guard let patterns else { return }
    let keepsNames = language == "en" || language.hasPrefix("en-")
    var word: [[UInt8]] = [], offsets: [Int] = [], isPlain = true, isName = false
    func end() {
      if isPlain, !(isName && keepsNames), word.count >= limits.word, word.count <= Self.longestWord {
        for place in patterns.divisions(word) where place >= limits.before && word.count - place >= limits.after { body(offsets[place]) }
      }
      word.removeAll(keepingCapacity: true)
      offsets.removeAll(keepingCapacity: true)
      (isPlain, isName) = (true, false)
    }
    var index = range.lowerBound
    while index < range.upperBound {
      let (codepoint, length) = UTF8Decoding.decode(text, at: index, end: text.count)
      if codepoint == 0xad {
        isPlain = false
      } else if let (letter, isUpper) = Self.letter(codepoint) {
        if word.isEmpty { isName = isUpper }
        // Of a word that is too long, only the length is needed.
        if word.count <= Self.longestWord {
          word.append(letter)
          offsets.append(index)
        }
      } else {
        end()
      }
      index += length
    }
    end()
  }

  /// A letter or mark in lowercase, and whether it was in uppercase.
  private static func letter(_ codepoint: UInt32) -> (bytes: [UInt8], isUpper: Bool)? {
    if codepoint < 0x80 {
      let lower = UInt8(codepoint) | 0x20
      return lower >= 0x61 && lower <= 0x7a ? ([lower], codepoint < 0x61) : nil
    }
    guard let scalar = Unicode.Scalar(codepoint) else { return nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter:
      let lower = scalar.properties.lowercaseMapping
      return (Array((lower.unicodeScalars.count == 1 ? lower : String(scalar)).utf8), true)
    case .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark: return (Array(String(scalar).utf8), false)
    default: return nil
    }
  }
}

extension FontRegistry {
  /// The dictionary of a language, if any.
  ///
  /// - Parameter tag: A BCP 47 tag. The parts after the first may be missing in either name: `de-at` can use the dictionary for `de`.
  public func hyphenation(for tag: String) -> HyphenationDictionary? {
    guard !hyphenations.isEmpty, !tag.isEmpty else { return nil }
    var name = tag.lowercased()[...]
    while true {
      if let found = hyphenations.first(where: { $0.language == name }) { return found }
      guard let dash = name.lastIndex(ofByte: "-") else { break }
      name = name[..<dash]
    }
    // The default region of a language.
    let preferred = ["en": "en-us", "pt": "pt-pt", "de": "de-de", "nb": "nb-no", "no": "nb-no", "nn": "nn-no"][String(name)]
    return hyphenations.first { $0.language == preferred } ?? hyphenations.first { $0.language.hasPrefix(name + "-") }
  }
}
