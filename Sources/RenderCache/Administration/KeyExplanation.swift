/// Why a key is a hit or a miss.
package struct KeyExplanation: Sendable {
  package enum Status: Hashable, Sendable {
    case hit
    case absent
    /// Stored, but these dependencies have changed.
    case stale([String])
    /// Stored, but its file is missing or damaged.
    case damaged
  }
  /// A part of the key that differs in the nearest entry; nil on the side that lacks it.
  package struct Difference: Hashable, Sendable {
    package var name: String
    package var wanted: CacheKeyPart?
    package var stored: CacheKeyPart?
  }
  package var status: Status
  /// The entry of the key itself, or the entry whose key shares the most parts; the newest of several.
  package var nearest: CacheRecord?
  package var differences: [Difference]
}

extension RenderCache {
  /// The value of `key` if it is intact. Does not count as a use.
  package func contents(of key: CacheKey) -> [UInt8]? {
    guard case .row(let row)? = try? index.query({ (db) throws(SQLiteError) in try IndexRows.find(db, key) }),
      case .bytes(let data) = readObject(row)
    else { return nil }
    return data
  }

  /// Tells whether `key` would be a hit and, if not, which of its `parts` differ from the nearest entry. Does not count as a use.
  package func explain(_ key: CacheKey, parts: [CacheKeyPart]) throws(CacheError) -> KeyExplanation {
    if let record = try record(key) {
      let changed = record.dependencies.filter { firstChange([$0]) != nil }.map(\.location)
      if !changed.isEmpty { return KeyExplanation(status: .stale(changed), nearest: record, differences: []) }
      let found = try index.query { (db) throws(SQLiteError) in try IndexRows.find(db, key) }
      guard case .row(let row) = found, case .bytes = readObject(row) else {
        return KeyExplanation(status: .damaged, nearest: record, differences: [])
      }
      return KeyExplanation(status: .hit, nearest: record, differences: [])
    }
    guard let nearest = try nearest(to: parts) else { return KeyExplanation(status: .absent, nearest: nil, differences: []) }
    return KeyExplanation(status: .absent, nearest: nearest, differences: Self.differences(parts, nearest.parts))
  }

  /// Searches the ten thousand newest entries.
  private func nearest(to parts: [CacheKeyPart]) throws(CacheError) -> CacheRecord? {
    let wanted = PartsText.Digests(parts)
    return try index.query { (db) throws(SQLiteError) in
      var best: (id: Int64, common: Int)?
      let sql = """
        SELECT detail.entry, parts FROM (SELECT id, created FROM entry ORDER BY created DESC, id DESC LIMIT 10000) AS latest
        JOIN detail ON detail.entry = latest.id ORDER BY latest.created DESC, latest.id DESC
        """
      try db.forEach(sql) { row in
        guard let id = row.integer(0), let common = row.withText(1, wanted.common) else { return true }
        if common > best?.common ?? 0 { best = (id, common) }
        return common < wanted.count
      }
      guard let best else { return nil }
      return try CacheRecord.find(db, id: best.id)
    }
  }

  static func differences(_ wanted: [CacheKeyPart], _ stored: [CacheKeyPart]) -> [KeyExplanation.Difference] {
    var result: [KeyExplanation.Difference] = []
    for part in wanted {
      let other = stored.first { $0.name == part.name }
      if other?.digest != part.digest { result.append(.init(name: part.name, wanted: part, stored: other)) }
    }
    for part in stored where !wanted.contains(where: { $0.name == part.name }) {
      result.append(.init(name: part.name, wanted: nil, stored: part))
    }
    return result
  }
}
