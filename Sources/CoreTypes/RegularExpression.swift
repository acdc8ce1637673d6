internal import COffprintGLib

/// Regular expressions from untrusted input, in PCRE's syntax: https://www.pcre.org/current/doc/html/pcre2pattern.html
package enum RegularExpression {
  /// Bounds matching to a few milliseconds.
  private static let limits = "(*LIMIT_MATCH=100000)(*LIMIT_DEPTH=2000)"

  /// Whether the whole of `text` matches `pattern`; nil if the pattern is invalid, or matching would take too long.
  package static func matchesWhole(_ pattern: String, _ text: String) -> Bool? {
    guard pattern.utf8.count <= 10_000, text.utf8.count <= 100_000, !pattern.utf8.contains(0), !text.utf8.contains(0) else { return nil }
    // Compiled alone first, because a pattern such as `a)(b` is invalid but becomes valid inside the group below.
    guard let alone = g_regex_new(pattern, GRegexCompileFlags(0), GRegexMatchFlags(0), nil) else { return nil }
    g_regex_unref(alone)
    guard let whole = g_regex_new("\(limits)^(?:\(pattern))$", G_REGEX_DOLLAR_ENDONLY, GRegexMatchFlags(0), nil) else { return nil }
    defer { g_regex_unref(whole) }
    var error: UnsafeMutablePointer<GError>?
    let isMatch = g_regex_match_full(whole, text, gssize(text.utf8.count), 0, GRegexMatchFlags(0), nil, &error) != 0
    guard error == nil else {
      g_clear_error(&error)
      return nil
    }
    return isMatch
  }
}
