/// Suggests a name for a misspelled one.
package enum NearestName {
  /// The name with the fewest insertions, deletions, replacements and transpositions; nil if none is similar.
  ///
  /// https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance (optimal string alignment)
  package static func of(_ name: String, in names: [String]) -> String? {
    let wanted = Array(name.lowercased().utf8.prefix(64))
    let maximum = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in names.sorted() {
      let distance = distance(wanted, Array(candidate.lowercased().utf8.prefix(64)))
      if distance <= maximum && distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.name
  }

  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 1..<(a.count + 1) {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1..<(b.count + 1) {
        row[j] = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] { row[j] = min(row[j], rows[i - 2][j - 2] + 1) }
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
