internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// A piece of the flattened content of an inline formatting context.
struct InlineItem {
  enum Kind: UInt8 { case text, openTag, closeTag, atomic, floating, outOfFlow, forcedBreak, tab }

  /// What of its style decides how a text is broken.
  struct Traits: OptionSet {
    var rawValue: UInt8
    /// Lines may end in it.
    static let wraps = Traits(rawValue: 1)
    /// Spaces at line ends are removed.
    static let collapsesSpaces = Traits(rawValue: 2)
    /// Spaces at line ends take room, and a line may end after each: `break-spaces`.
    static let breakSpaces = Traits(rawValue: 4)
    /// `overflow-wrap` allows breaks anywhere where a line would overflow,
    static let breaksAnywhere = Traits(rawValue: 8)
    /// and min-content sizes count them.
    static let anywhereIsMinContent = Traits(rawValue: 16)
    /// Soft hyphens are no opportunities: `hyphens: none`.
    static let ignoresSoftHyphens = Traits(rawValue: 32)
    /// Words are divided: `hyphens: auto`.
    static let hyphenates = Traits(rawValue: 64)
    /// Soft hyphens are taken where nothing else helps: `word-break: auto-phrase` in Chromium.
    static let sparesSoftHyphens = Traits(rawValue: 128)
  }

  var kind: Kind
  /// The bidi embedding level.
  var level: UInt8 = 0
  /// For close tags and atomic inlines, whether lines wrap in what is around them.
  var traits: Traits = []
  var box: BoxID
  var style: ComputedStyle
  /// Bytes of `InlineItems.text`; tags have the bidi controls they stand for.
  var start: Int
  var end: Int
  /// Text set upright in vertical lines.
  var isUpright = false
  /// A ruby column of whose parts only the annotation is laid out in it: its base follows as text that lines may break.
  var isRubyOverlay = false
  /// A ruby column that lines may break.
  var isBreakableRuby = false
  /// Where the text of its base ends.
  var rubyEnd = 0
  /// Text: number of its `ShapedRun`.
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

/// The content of one inline formatting context: its text as one buffer, after white space processing, and the items it consists of.
///
/// https://drafts.csswg.org/css-inline-3/#model
final class InlineItems {
  // Written by their builder alone: accesses are not checked, of which there are several for each glyph.
  /// UTF-8; an atomic inline is U+FFFC.
  @exclusivity(unchecked) var text: [UInt8] = []
  @exclusivity(unchecked) var items: [InlineItem] = []
  @exclusivity(unchecked) var runs: [ShapedRun] = []
  /// By byte of `text`, and one at the end.
  @exclusivity(unchecked) var boundaries: [TextBoundary] = []
  /// The paragraph's; with `unicode-bidi: plaintext` the first line's.
  var baseLevel: UInt8 = 0
  /// Something is not left to right.
  var isBidi = false
  /// The levels of all of `text`, controls included; empty where it is all left to right.
  var bidiRuns: [BidiRun] = []
  var hasFloats = false
  /// The advance of the block container's space, with its spacing, and without.
  var tabUnit = (spaced: 0.0, plain: 0.0)
  /// Ruby, or text with emphasis marks.
  var hasAnnotations = false
  /// Nothing makes a line box: margins collapse through.
  var isEmpty = true
  /// `unicode-bidi: plaintext` on the block container.
  var isPlaintext = false
  /// Of a plaintext container: where its paragraphs end, and their levels.
  private lazy var paragraphs = findParagraphs()

  /// How far a tab at `position` reaches. Chromium skips a stop that is closer than half a space.
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

  /// The level of the paragraph that `offset` is in.
  func baseLevel(at offset: Int) -> UInt8 {
    guard isPlaintext else { return baseLevel }
    var low = 0, high = paragraphs.count - 1
    while low < high {
      let middle = (low + high) / 2
      if paragraphs[middle].end >= offset { high = middle } else { low = middle + 1 }
    }
    return paragraphs[low].level
  }

  /// The lowest level in a part of the text; nil for none.
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

/// A look at characters in UTF-8 buffers.
enum UTF8Scan {
  /// The character at `index` and its length; U+FFFD and 1 for what is no UTF-8.
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

  /// The character that ends before `index`; 0 at the start.
  static func before(_ text: [UInt8], _ index: Int) -> UInt32 {
    var start = index - 1
    guard start >= 0 else { return 0 }
    while start > 0, text[start] & 0xc0 == 0x80, index - start < 4 { start -= 1 }
    return decode(text, start).codepoint
  }

  /// Ideographs, kana and the like, between which Chinese and Japanese have no spaces.
  static func isIdeographic(_ c: UInt32) -> Bool {
    guard c >= 0x2e80 else { return false }
    return (0x2e80...0x312f).contains(c) || (0x3190...0xa4cf).contains(c) || (0xf900...0xfaff).contains(c) || (0xfe30...0xfe4f).contains(c)
      || (0xff01...0xff9f).contains(c) || (0x20000...0x3fffd).contains(c)
  }

  /// https://www.unicode.org/reports/tr9/#P2 for the scripts in use: Hebrew, Arabic and their neighbours against letters of others.
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
