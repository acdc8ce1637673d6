internal import COffprintPango

/// https://www.unicode.org/reports/tr15/
public enum CanonicalDecomposition {
  /// The full canonical decomposition of a character: a base and marks.
  public static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var current = scalar.value
    // No character decomposes to more than four.
    for _ in 0..<8 {
      var first: UInt32 = 0
      var second: UInt32 = 0
      guard hb_unicode_decompose(hb_unicode_funcs_get_default(), current, &first, &second) != 0 else { break }
      if second != 0, let mark = Unicode.Scalar(second) { result.insert(mark, at: 0) }
      current = first
    }
    if let base = Unicode.Scalar(current) { result.insert(base, at: 0) }
    return result
  }
}
