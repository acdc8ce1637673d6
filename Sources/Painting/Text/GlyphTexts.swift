import OffprintLayout
import OffprintTypography

/// Maps glyphs back to the characters of a text. Glyphs that the face has for single characters match one to one; everything between two
/// matches forms one cluster (ligatures, joined or reordered letters).
enum GlyphTexts {
  /// - Returns: One text for each run of the fragment.
  static func texts(of fragment: TextFragment) -> [GlyphText] {
    let runs = fragment.glyphs
    let scalars = Array(String(decoding: fragment.text, as: UTF8.self).unicodeScalars)
    var glyphs: [(id: UInt32, run: Int)] = []
    for (number, run) in runs.enumerated() { for glyph in run.glyphs { glyphs.append((glyph.id, number)) } }
    if fragment.isRTL { glyphs.reverse() }
    var made = runs.map { _ in (bytes: [UInt8](), clusters: [GlyphText.Cluster]()) }
    var character = 0, glyph = 0
    while glyph < glyphs.count {
      let (characters, count) = nextCluster(scalars[character...], glyphs[glyph...], runs)
      let bytes = scalars[character..<character + characters].reduce(into: [UInt8]()) { $0 += Array($1.utf8) }
      add(bytes, glyphs[glyph..<glyph + count], to: &made)
      character += characters
      glyph += count
    }
    return made.map { GlyphText(bytes: $0.bytes, clusters: $0.clusters, isBackward: fragment.isRTL) }
  }

  /// The numbers of characters and glyphs in the next cluster.
  private static func nextCluster(
    _ scalars: ArraySlice<Unicode.Scalar>, _ glyphs: ArraySlice<(id: UInt32, run: Int)>, _ runs: [PositionedGlyphRun]
  ) -> (characters: Int, glyphs: Int) {
    func matches(_ scalar: Unicode.Scalar, _ glyph: (id: UInt32, run: Int)) -> Bool {
      runs[glyph.run].face.face.glyph(for: scalar.value) == glyph.id && glyph.id != 0
    }
    if let scalar = scalars.first, let glyph = glyphs.first, matches(scalar, glyph) { return (1, 1) }
    // The nearest position at which both match again.
    for distance in 1...longest {
      for characters in 0...distance {
        let count = distance - characters
        guard characters <= scalars.count, count >= 1, count <= glyphs.count else { continue }
        let next = scalars.dropFirst(characters).first, following = glyphs.dropFirst(count).first
        if let next, let following, matches(next, following) { return (characters, count) }
        if next == nil, following == nil { return (characters, count) }
      }
    }
    return (scalars.count, glyphs.count)
  }

  private static let longest = 12

  /// If the glyphs of a cluster are in several runs, the first run receives the text.
  private static func add(
    _ bytes: [UInt8], _ glyphs: ArraySlice<(id: UInt32, run: Int)>, to made: inout [(bytes: [UInt8], clusters: [GlyphText.Cluster])]
  ) {
    var start = glyphs.startIndex, isFirst = true
    while start < glyphs.endIndex {
      let run = glyphs[start].run
      let end = glyphs[start...].firstIndex { $0.run != run } ?? glyphs.endIndex
      let said = isFirst ? bytes : []
      made[run].bytes += said
      made[run].clusters.append(.init(bytes: said.count, glyphs: end - start))
      (start, isFirst) = (end, false)
    }
  }
}
