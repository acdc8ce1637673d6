internal import COffprintPango

/// The line breaking class of a character (UAX #14), from GLib.
///
/// https://www.unicode.org/reports/tr14/#DescriptionOfProperties
struct LineBreakClass: Hashable {
  private let type: GUnicodeBreakType

  init(_ codepoint: UInt32) { type = g_unichar_break_type(codepoint) }

  /// AL, and classes that are treated like it.
  private var isAlphabetic: Bool {
    [
      G_UNICODE_BREAK_ALPHABETIC, G_UNICODE_BREAK_HEBREW_LETTER, G_UNICODE_BREAK_AMBIGUOUS, G_UNICODE_BREAK_COMPLEX_CONTEXT,
    ].contains(type)
  }

  /// Whether a break between it and a following letter is prohibited.
  var holdsLetterBehind: Bool {
    isAlphabetic
      || [
        G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_PREFIX, G_UNICODE_BREAK_POSTFIX, G_UNICODE_BREAK_OPEN_PUNCTUATION,
        G_UNICODE_BREAK_QUOTATION, G_UNICODE_BREAK_NON_BREAKING_GLUE, G_UNICODE_BREAK_INFIX_SEPARATOR, G_UNICODE_BREAK_BEFORE,
        G_UNICODE_BREAK_CLOSE_PARANTHESIS, G_UNICODE_BREAK_WORD_JOINER,
      ].contains(type)
  }

  /// Whether a break between a preceding letter and it is prohibited. Wide opening brackets are excluded.
  var holdsLetterBefore: Bool {
    isAlphabetic
      || [G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_PREFIX, G_UNICODE_BREAK_POSTFIX, G_UNICODE_BREAK_QUOTATION].contains(type)
  }

  var isOpening: Bool { type == G_UNICODE_BREAK_OPEN_PUNCTUATION }
  var isLetter: Bool { isAlphabetic }

  // MARK: `word-break: break-all`

  /// Whether `break-all` adds break opportunities after it.
  var endsPieceOfAll: Bool {
    isAlphabetic
      || [
        G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_CLOSE_PUNCTUATION, G_UNICODE_BREAK_CLOSE_PARANTHESIS, G_UNICODE_BREAK_EXCLAMATION,
        G_UNICODE_BREAK_INFIX_SEPARATOR, G_UNICODE_BREAK_SYMBOL, G_UNICODE_BREAK_POSTFIX,
      ].contains(type)
  }

  /// Whether `break-all` adds break opportunities before it.
  var beginsPieceOfAll: Bool {
    isAlphabetic
      || [
        G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_IDEOGRAPHIC, G_UNICODE_BREAK_OPEN_PUNCTUATION, G_UNICODE_BREAK_PREFIX,
        G_UNICODE_BREAK_HYPHEN, G_UNICODE_BREAK_BEFORE, G_UNICODE_BREAK_BEFORE_AND_AFTER,
      ].contains(type)
  }

  /// Pairs of these classes that are still not broken: ",$", "%ก", "+漢".
  func staysTogether(with next: LineBreakClass) -> Bool {
    switch type {
    case G_UNICODE_BREAK_INFIX_SEPARATOR: next.type == G_UNICODE_BREAK_PREFIX || next.type == G_UNICODE_BREAK_COMPLEX_CONTEXT
    case G_UNICODE_BREAK_PREFIX: next.type == G_UNICODE_BREAK_IDEOGRAPHIC
    case G_UNICODE_BREAK_SYMBOL, G_UNICODE_BREAK_POSTFIX: next.type == G_UNICODE_BREAK_COMPLEX_CONTEXT
    default: false
    }
  }
}
