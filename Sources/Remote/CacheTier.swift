import OffprintCoreTypes
import Glibc
public import Offprint
import OffprintRenderCache

/// A store that many machines share, behind the cache of each: what one has drawn the others need not draw.
public struct CacheTier: Sendable {
  /// What its owner may want to tell.
  public enum Notice: Hashable, Sendable {
    /// The store does not answer; pictures are drawn and kept on this machine. Said once until it is back.
    case lost(String)
    case back(String)
    /// The renderer was shut down before so many pictures reached the store.
    case unwritten(Int, String)

    /// One sentence.
    public var message: String {
      switch self {
      case .lost(let message), .back(let message), .unwritten(_, let message): message
      }
    }
  }

  /// `s3://bucket/prefix?endpoint=…&region=…` or `redis://host:port/database`, `rediss://` with TLS.
  public var address: String
  /// What is there is used; nothing is written or removed.
  public var isReadOnly = false
  /// A picture counts as kept only once the store has it, and a render waits for that. Otherwise pictures are written by the way.
  public var isSynchronous = false
  /// Told on a thread of the library's.
  public var onNotice: (@Sendable (Notice) -> Void)?

  public init(_ address: String) { self.address = address }

  func objects() throws(OffprintError) -> any RemoteObjects {
    let parsed = try RemoteAddress(address, for: OptionName.tier.text, schemes: ["s3"] + RedisPlace.schemes)
    return parsed.scheme == "s3"
      ? try S3Objects(parsed, environment: Environment.value) : try RedisObjects(parsed, environment: Environment.value)
  }
}

extension RendererConfiguration {
  /// The same, with a store that other machines share. Renderers made from it own the store together: it is written out when the first is shut
  /// down.
  ///
  /// - Throws: `usage` for an address that is none. Nothing is connected yet: a store that does not answer is no error.
  public func sharing(_ tier: CacheTier) throws(OffprintError) -> RendererConfiguration {
    var options = SecondTierConfiguration()
    options.isReadOnly = tier.isReadOnly
    options.isSynchronous = tier.isSynchronous
    if let tell = tier.onNotice {
      options.notice = { notice in
        switch notice {
        case .lost(let message): tell(.lost(message))
        case .back(let message): tell(.back(message))
        case .unwritten(let count, let message): tell(.unwritten(count, message))
        }
      }
    }
    var result = self
    result.cacheTier = SecondTier(try tier.objects(), options)
    return result
  }
}

enum Environment {
  static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
