internal import COffprintGLib

/// Normalization forms of Unicode. https://www.unicode.org/reports/tr15/
package enum UnicodeNormalization {
  /// Normalization form KC: compatibility decomposition, then composition; nil if GLib cannot normalize the text.
  package static func nfkc(_ text: String) -> String? {
    guard let result = g_utf8_normalize(text, gssize(text.utf8.count), G_NORMALIZE_ALL_COMPOSE) else { return nil }
    defer { g_free(result) }
    return String(cString: result)
  }
}
