/// Marks glyphs of shaped runs whose character is missing from all fonts: the face's glyph 0 is drawn, and the character is preserved for
/// diagnostics.
public enum MissingGlyph {
  /// Greater than any glyph ID of a font.
  private static let mark: UInt32 = 0x8000_0000

  static func id(of codepoint: UInt32) -> UInt32 { mark | codepoint }

  /// The missing character of a run's glyph; nil for a normal glyph.
  @inlinable public static func codepoint(of glyph: UInt32) -> UInt32? { glyph >> 21 == 0x400 ? glyph & 0x1f_ffff : nil }

  /// The glyph of the face to draw.
  package static func drawn(_ glyph: UInt32) -> UInt32 { codepoint(of: glyph) == nil ? glyph : 0 }
}

extension FontContext {
  /// Assigns missing characters to the occurrences of glyph 0 in a cluster.
  struct MissingCharacters {
    private var cluster = -1
    private var found: [UInt32] = []
    private var next = 0

    /// - Parameters:
    ///   - index: The start of the cluster in `codepoints`.
    ///   - end: The end of the shaped text.
    mutating func glyph(_ codepoints: [UInt32], _ index: Int, end: Int, _ face: FontFace) -> UInt32 {
      if cluster != index {
        cluster = index
        next = 0
        found = MissingCharacters.missing(codepoints, index, min(end, index + MissingCharacters.longestCluster), face)
      }
      guard !found.isEmpty else { return 0 }
      defer { next += 1 }
      return MissingGlyph.id(of: found[min(next, found.count - 1)])
    }

    private static let longestCluster = 64

    private static func missing(_ codepoints: [UInt32], _ start: Int, _ end: Int, _ face: FontFace) -> [UInt32] {
      var result: [UInt32] = []
      for index in start..<max(start, min(end, codepoints.count)) {
        if index > start, !TextCharacter.extendsCluster(codepoints, at: index, clusterStart: start) { break }
        let codepoint = codepoints[index]
        if isVisible(codepoint), !face.covers(codepoint) { result.append(codepoint) }
      }
      return result
    }

    /// Spaces and control characters are invisible, so they do not count as missing.
    private static func isVisible(_ codepoint: UInt32) -> Bool {
      guard !TextCharacter.isIgnorable(codepoint), !TextCharacter.isControl(codepoint) else { return false }
      return !(Unicode.Scalar(codepoint)?.properties.isWhitespace ?? false)
    }
  }
}
