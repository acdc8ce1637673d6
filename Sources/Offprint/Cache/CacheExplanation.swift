import OffprintRenderCache

/// Why a page is or is not in the cache.
public struct CacheExplanation: Hashable, Sendable, Codable {
  /// The answers.
  public enum Status: String, Hashable, Sendable, Codable {
    /// It is there.
    case hit
    /// No picture has this key.
    case miss
    /// There is one, but what it depends on has changed.
    case stale
    /// There is one, but its file is missing or damaged.
    case damaged
  }

  /// A part of the key in which the nearest entry differs.
  public struct Difference: Hashable, Sendable, Codable {
    /// `html`, `width`, `fonts`, `revision` …
    public var part: String
    /// The value, or its size and digest; nil where it has none.
    public var wanted: String?
    /// What the nearest entry has.
    public var stored: String?
  }

  /// In hexadecimal.
  public var key: String
  /// The answer.
  public var status: Status
  /// Files and addresses that have changed.
  public var changed: [String]
  /// The entry itself, or the one whose key has most parts in common.
  public var nearest: CacheAdministration.Entry?
  /// Parts of the key in which the nearest entry differs.
  public var differences: [Difference]
}

extension CacheExplanation {
  init(_ explanation: KeyExplanation, key: CacheKey) {
    self.key = "\(key)"
    switch explanation.status {
    case .hit: (status, changed) = (.hit, [])
    case .absent: (status, changed) = (.miss, [])
    case .stale(let locations): (status, changed) = (.stale, locations)
    case .damaged: (status, changed) = (.damaged, [])
    }
    nearest = explanation.nearest.map(CacheAdministration.Entry.init)
    differences = explanation.differences.map {
      Difference(part: $0.name, wanted: $0.wanted.map(Self.describe), stored: $0.stored.map(Self.describe))
    }
  }

  private static func describe(_ part: CacheKeyPart) -> String {
    if part.summary.isEmpty { return "digest \(part.digest)" }
    return part.summary.hasSuffix(" bytes") ? "\(part.summary), digest \(part.digest)" : part.summary
  }
}
