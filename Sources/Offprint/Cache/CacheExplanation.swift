import OffprintRenderCache

/// Why a page is or is not in the cache.
public struct CacheExplanation: Hashable, Sendable, Codable {
  /// The possible results.
  public enum Status: String, Hashable, Sendable, Codable {
    /// The image is in the cache.
    case hit
    /// There is no image with this key.
    case miss
    /// There is an image, but a dependency has changed.
    case stale
    /// There is an image, but its file is missing or damaged.
    case damaged
  }

  /// A part of the key that differs in the nearest entry.
  public struct Difference: Hashable, Sendable, Codable {
    /// `html`, `width`, `fonts`, `revision` …
    public var part: String
    /// The value, or its size and digest; nil if it is absent.
    public var wanted: String?
    /// The value in the nearest entry.
    public var stored: String?
  }

  /// In hexadecimal.
  public var key: String
  /// The result.
  public var status: Status
  /// Files and URLs that have changed.
  public var changed: [String]
  /// The entry itself, or the one whose key shares the most parts.
  public var nearest: CacheAdministration.Entry?
  /// Parts of the key that differ in the nearest entry.
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
