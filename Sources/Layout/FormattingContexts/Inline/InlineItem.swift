internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// A piece of the flattened content of an inline formatting context.
struct InlineItem {
  enum Kind: UInt8 { case text, openTag, closeTag, atomic, floating, outOfFlow, forcedBreak, tab }

  /// The style properties that determine line breaking.
  struct Traits: OptionSet {
    var rawValue: UInt8
    /// Lines may break inside.
    static let wraps = Traits(rawValue: 1)
    /// Spaces at line ends collapse.
    static let collapsesSpaces = Traits(rawValue: 2)
    /// Spaces at line ends take up space, and a line may break after each: `break-spaces`.
    static let breakSpaces = Traits(rawValue: 4)
    /// `overflow-wrap` allows breaks anywhere in lines that would overflow.
    static let breaksAnywhere = Traits(rawValue: 8)
    /// `overflow-wrap: anywhere`: such breaks also count for min-content sizes.
    static let anywhereIsMinContent = Traits(rawValue: 16)
    /// Soft hyphens are not break opportunities: `hyphens: none`.
    static let ignoresSoftHyphens = Traits(rawValue: 32)
    /// Words are hyphenated automatically: `hyphens: auto`.
    static let hyphenates = Traits(rawValue: 64)
    /// Soft hyphens are used as a last resort: Chromium's `word-break: auto-phrase`.
    static let sparesSoftHyphens = Traits(rawValue: 128)
  }

  var kind: Kind
  /// The bidi embedding level.
  var level: UInt8 = 0
  /// For close tags and atomic inlines: the value of the parent, which determines whether lines break there.
  var traits: Traits = []
  var box: BoxID
  var style: ComputedStyle
  /// The range in bytes of `InlineItems.text`. That of a tag contains its bidi controls.
  var start: Int
  var end: Int
  /// Whether the text is upright in vertical lines.
  var isUpright = false
  /// Whether this is a ruby column that only lays out its annotation. The base follows as text of the line, which may break.
  var isRubyOverlay = false
  /// Whether lines may break inside this ruby column.
  var isBreakableRuby = false
  /// The end of the ruby base's text.
  var rubyEnd = 0
  /// Text: the index of its `ShapedRun`.
  var run: Int = -1
}

extension InlineItem.Traits {
  init(_ style: ComputedStyle) {
    self = []
    if style.text.textWrapMode == .wrap { insert(.wraps) }
    switch style.text.whiteSpaceCollapse {
    case .collapse, .preserveBreaks: insert(.collapsesSpaces)
    case .breakSpaces: insert(.breakSpaces)
    case .preserve, .preserveSpaces: break
    }
    if style.text.overflowWrap != .normal || style.text.wordBreak == .breakWord { insert(.breaksAnywhere) }
    if style.text.overflowWrap == .anywhere || style.text.wordBreak == .breakWord { insert(.anywhereIsMinContent) }
    if style.text.hyphens == .none { insert(.ignoresSoftHyphens) }
    if style.text.hyphens == .auto { insert(.hyphenates) }
    if style.text.wordBreak == .autoPhrase { insert(.sparesSoftHyphens) }
  }
}

/// The contents of an inline formatting context: text in one buffer, after white space processing, and its items.
///
/// https://drafts.csswg.org/css-inline-3/#model
final class InlineItems {
  // Only the builder mutates these. Dynamic exclusivity checks would run several times for each glyph.
  /// UTF-8. Atomic inlines are represented by U+FFFC.
  @exclusivity(unchecked) var text: [UInt8] = []
  @exclusivity(unchecked) var items: [InlineItem] = []
  @exclusivity(unchecked) var runs: [ShapedRun] = []
  /// Indexed by byte of `text`, with an additional entry at the end.
  @exclusivity(unchecked) var boundaries: [TextBoundary] = []
  /// The paragraph's embedding level; with `unicode-bidi: plaintext` that of the first line.
  var baseLevel: UInt8 = 0
  /// Whether any text is not left-to-right.
  var isBidi = false
  /// The levels of the entire `text`, including controls; empty if it is all left-to-right.
  var bidiRuns: [BidiRun] = []
  var hasFloats = false
  /// The advance of the block container's space, with and without letter and word spacing.
  var tabUnit = (spaced: 0.0, plain: 0.0)
  /// Whether there is a ruby container, with or without annotations.
  var hasRuby = false
  /// Whether there are ruby columns or text with emphasis marks.
  var hasAnnotations = false
  /// Whether nothing generates a line box, so that margins collapse through.
  var isEmpty = true
  /// `unicode-bidi: plaintext` on the block container.
  var isPlaintext = false
  /// The ends and levels of the paragraphs of a `plaintext` container.
  private lazy var paragraphs = findParagraphs()

  /// The width of a tab at `position`. Chromium skips a tab stop closer than half a space.
  /// https://drafts.csswg.org/css-text-3/#tab-size-property
  func tabDistance(_ style: ComputedStyle, from position: Double) -> Double {
    let stop: Double =
      switch style.text.tabSize {
      case .spaces(let count): Double(count) * tabUnit.spaced
      case .length(let px): Double(px)
      }
    guard stop > 0 else { return 0 }
    let distance = ((position / stop).rounded(.down) + 1) * stop - position
    return distance < tabUnit.plain / 2 ? distance + stop : distance
  }

  /// The embedding level of the paragraph at `offset`.
  func baseLevel(at offset: Int) -> UInt8 {
    guard isPlaintext else { return baseLevel }
    var low = 0, high = paragraphs.count - 1
    while low < high {
      let middle = (low + high) / 2
      if paragraphs[middle].end >= offset { high = middle } else { low = middle + 1 }
    }
    return paragraphs[low].level
  }

  /// The lowest embedding level in a range of the text; nil if empty.
  func lowestLevel(_ range: Range<Int>) -> UInt8? {
    var low = 0, high = bidiRuns.count
    while low < high {
      let middle = (low + high) / 2
      if bidiRuns[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return bidiRuns[low...].prefix { $0.range.lowerBound < range.upperBound }.map(\.level).min()
  }

  private func findParagraphs() -> [(end: Int, level: UInt8)] {
    var result: [(end: Int, level: UInt8)] = []
    var start = 0
    for end in text.indices where text[end] == 0x0a {
      result.append((end, UTF8Scan.firstStrongIsRTL(text, start..<end) ? 1 : 0))
      start = end + 1
    }
    result.append((text.count, UTF8Scan.firstStrongIsRTL(text, start..<text.count) ? 1 : 0))
    return result
  }
}

/// Character access in UTF-8 buffers.
enum UTF8Scan {
  /// The character at `index` and its length; U+FFFD and 1 for invalid UTF-8.
  static func decode(_ text: [UInt8], _ index: Int) -> (codepoint: UInt32, length: Int) {
    guard index < text.count else { return (0, 1) }
    let first = text[index]
    if first < 0x80 { return (UInt32(first), 1) }
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
    guard length > 0, index + length <= text.count else { return (0xfffd, 1) }
    var codepoint = UInt32(first) & (length == 2 ? 0x1f : length == 3 ? 0x0f : 0x07)
    for offset in 1..<length { codepoint = codepoint << 6 | UInt32(text[index + offset] & 0x3f) }
    return (codepoint, length)
  }

  /// The character that ends at `index`; 0 at the start.
  static func before(_ text: [UInt8], _ index: Int) -> UInt32 {
    var start = index - 1
    guard start >= 0 else { return 0 }
    while start > 0, text[start] & 0xc0 == 0x80, index - start < 4 { start -= 1 }
    return decode(text, start).codepoint
  }

  /// Ideographs, kana and other characters of scripts without spaces between words.
  static func isIdeographic(_ c: UInt32) -> Bool {
    guard c >= 0x2e80 else { return false }
    return (0x2e80...0x312f).contains(c) || (0x3190...0xa4cf).contains(c) || (0xf900...0xfaff).contains(c) || (0xfe30...0xfe4f).contains(c)
      || (0xff01...0xff9f).contains(c) || (0x20000...0x3fffd).contains(c)
  }

  /// https://www.unicode.org/reports/tr9/#P2, simplified: the blocks of Hebrew, Arabic and related scripts against letters of others.
  static func firstStrongIsRTL(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      let (c, length) = decode(text, index)
      if (0x590...0x8ff).contains(c) || (0xfb1d...0xfdff).contains(c) || (0xfe70...0xfefc).contains(c) || c == 0x200f
        || (0x10800...0x10fff).contains(c) || (0x1e800...0x1efff).contains(c)
      {
        if !(0x660...0x669).contains(c), !(0x6f0...0x6f9).contains(c), c != 0x60c { return true }
      } else if c < 0x80 ? (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a : c >= 0xc0 && !(0x2000...0x2bff).contains(c) && c != 0xfffc {
        return false
      }
      index += length
    }
    return false
  }
}
