internal import GRDB

/// Why a key is a hit or a miss.
public struct CacheExplanation: Sendable {
  public enum Status: Hashable, Sendable {
    case hit
    case absent
    /// Stored, but these dependencies have changed.
    case stale([String])
    /// Stored, but its file is missing or damaged.
    case damaged
  }
  /// A part of the key in which the nearest entry differs; nil where one of them lacks it.
  public struct Difference: Hashable, Sendable {
    public var name: String
    public var wanted: CacheKeyPart?
    public var stored: CacheKeyPart?
  }
  public var status: Status
  /// The stored entry itself, or the one whose key has most parts in common; the latest of several.
  public var nearest: CacheRecord?
  public var differences: [Difference]
}

extension RenderCache {
  /// Says whether `key` would be a hit, and if not, in which of its `parts` the nearest entry differs. Counts as no use.
  public func explain(_ key: CacheKey, parts: [CacheKeyPart]) throws(CacheError) -> CacheExplanation {
    if let record = try record(key) {
      let changed = record.dependencies.filter { firstChange([$0]) != nil }.map(\.location)
      let row = try index.read { try CacheIndex.find($0, key) }
      let status: CacheExplanation.Status = !changed.isEmpty ? .stale(changed) : row.flatMap(readObject) == nil ? .damaged : .hit
      return CacheExplanation(status: status, nearest: record, differences: [])
    }
    guard let nearest = try nearest(to: parts) else { return CacheExplanation(status: .absent, nearest: nil, differences: []) }
    return CacheExplanation(status: .absent, nearest: nearest, differences: Self.differences(parts, nearest.parts))
  }

  /// Looks at the ten thousand entries made last.
  private func nearest(to parts: [CacheKeyPart]) throws(CacheError) -> CacheRecord? {
    let wanted = Set(parts.map { $0.name + "\t" + $0.digest })
    return try index.read { db in
      var best: (id: Int64, common: Int)?
      let rows = try Row.fetchCursor(db, sql: "SELECT id, parts FROM entry ORDER BY created DESC, id DESC LIMIT 10000")
      while let row = try rows.next() {
        let common = PartsText.decode(row[1]).count { wanted.contains($0.name + "\t" + $0.digest) }
        if common > best?.common ?? 0 { best = (row[0], common) }
      }
      guard let best else { return nil }
      return try Row.fetchOne(db, sql: "SELECT \(QuerySQL.columns) FROM entry WHERE id = ?", arguments: [best.id])
        .flatMap { try Self.record($0, db) }
    }
  }

  static func differences(_ wanted: [CacheKeyPart], _ stored: [CacheKeyPart]) -> [CacheExplanation.Difference] {
    var result: [CacheExplanation.Difference] = []
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
