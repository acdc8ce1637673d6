internal import COffprintPango

/// A character's class of UAX #14, as GLib knows it.
///
/// https://www.unicode.org/reports/tr14/#DescriptionOfProperties
struct LineBreakClass: Hashable {
  private let type: GUnicodeBreakType

  init(_ codepoint: UInt32) { type = g_unichar_break_type(codepoint) }

  /// Letters and the like: AL, and what is taken for it.
  private var isAlphabetic: Bool {
    [
      G_UNICODE_BREAK_ALPHABETIC, G_UNICODE_BREAK_HEBREW_LETTER, G_UNICODE_BREAK_AMBIGUOUS, G_UNICODE_BREAK_COMPLEX_CONTEXT,
    ].contains(type)
  }

  /// No line ends between it and a letter behind it.
  var holdsLetterBehind: Bool {
    isAlphabetic
      || [
        G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_PREFIX, G_UNICODE_BREAK_POSTFIX, G_UNICODE_BREAK_OPEN_PUNCTUATION,
        G_UNICODE_BREAK_QUOTATION, G_UNICODE_BREAK_NON_BREAKING_GLUE, G_UNICODE_BREAK_INFIX_SEPARATOR, G_UNICODE_BREAK_BEFORE,
        G_UNICODE_BREAK_CLOSE_PARANTHESIS, G_UNICODE_BREAK_WORD_JOINER,
      ].contains(type)
  }

  /// No line ends between a letter before it and it. Of opening brackets wide ones are none.
  var holdsLetterBefore: Bool {
    isAlphabetic
      || [G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_PREFIX, G_UNICODE_BREAK_POSTFIX, G_UNICODE_BREAK_QUOTATION].contains(type)
  }

  var isOpening: Bool { type == G_UNICODE_BREAK_OPEN_PUNCTUATION }
  var isLetter: Bool { isAlphabetic }

  // MARK: `word-break: break-all`

  /// Whether lines may end behind it that otherwise might not.
  var endsPieceOfAll: Bool {
    isAlphabetic
      || [
        G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_CLOSE_PUNCTUATION, G_UNICODE_BREAK_CLOSE_PARANTHESIS, G_UNICODE_BREAK_EXCLAMATION,
        G_UNICODE_BREAK_INFIX_SEPARATOR, G_UNICODE_BREAK_SYMBOL, G_UNICODE_BREAK_POSTFIX,
      ].contains(type)
  }

  /// Whether lines may end before it that otherwise might not.
  var beginsPieceOfAll: Bool {
    isAlphabetic
      || [
        G_UNICODE_BREAK_NUMERIC, G_UNICODE_BREAK_IDEOGRAPHIC, G_UNICODE_BREAK_OPEN_PUNCTUATION, G_UNICODE_BREAK_PREFIX,
        G_UNICODE_BREAK_HYPHEN, G_UNICODE_BREAK_BEFORE, G_UNICODE_BREAK_BEFORE_AND_AFTER,
      ].contains(type)
  }

  /// Of the pairs above, those that stay together: ",$", "%ก", "+漢".
  func staysTogether(with next: LineBreakClass) -> Bool {
    switch type {
    case G_UNICODE_BREAK_INFIX_SEPARATOR: next.type == G_UNICODE_BREAK_PREFIX || next.type == G_UNICODE_BREAK_COMPLEX_CONTEXT
    case G_UNICODE_BREAK_PREFIX: next.type == G_UNICODE_BREAK_IDEOGRAPHIC
    case G_UNICODE_BREAK_SYMBOL, G_UNICODE_BREAK_POSTFIX: next.type == G_UNICODE_BREAK_COMPLEX_CONTEXT
    default: false
    }
  }
}
