import OffprintCoreTypes
import Glibc
public import Offprint
import OffprintRenderCache

/// A store shared by many machines, behind the local cache of each: pages rendered on one machine need not be rendered on the others.
public struct CacheTier: Sendable {
  /// Events for logs.
  public enum Notice: Hashable, Sendable {
    /// The store does not respond; images are rendered and cached locally. Sent once until it is available again.
    case lost(String)
    case back(String)
    /// The renderer was shut down before this many images were written to the store.
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
  /// Images are read, but nothing is written or removed.
  public var isReadOnly = false
  /// A render waits until the store has the image, and otherwise reports it as not stored. If false, images are written in the background
  /// (write-behind).
  public var isSynchronous = false
  /// Called on a thread of the library.
  public var onNotice: (@Sendable (Notice) -> Void)?
  /// Removals by other machines are carried out on this one while the renderer exists; for programs that run for long. The function is
  /// called after each, on a thread of the library.
  public var onRemoval: (@Sendable () -> Void)?

  public init(_ address: String) { self.address = address }

  /// Whether the store could not be used at the start, so that only its return is reported.
  public var isKnownAsLost = false

  /// Whether the store can be used: connects to it, and reads, writes and removes an object.
  ///
  /// - Throws: `tierUnavailable`; `usage` for an invalid URL. The message says what to correct.
  public func check() throws(OffprintError) {
    let objects = try objects()
    do throws(RemoteFailure) {
      try objects.probe(isReadOnly: isReadOnly)
    } catch {
      throw OffprintError(.tierUnavailable, "The shared cache \(objects.address) cannot be used: \(error.message).")
    }
  }

  func objects() throws(OffprintError) -> any RemoteObjects {
    let parsed = try RemoteAddress(address, for: OptionName.tier.text, schemes: ["s3"] + RedisLocation.schemes)
    return parsed.scheme == "s3"
      ? try S3Objects(parsed, environment: Environment.value) : try RedisObjects(parsed, environment: Environment.value)
  }
}

extension RendererConfiguration {
  /// This configuration with a store shared by several machines. Renderers created from it share the connection: it is flushed when the
  /// first of them is shut down.
  ///
  /// - Throws: `usage` for an invalid URL. Does not connect yet, so an unavailable store is not an error.
  public func sharing(_ tier: CacheTier) throws(OffprintError) -> RendererConfiguration {
    var options = SecondTierConfiguration()
    options.isReadOnly = tier.isReadOnly
    options.isSynchronous = tier.isSynchronous
    options.isLost = tier.isKnownAsLost
    if let tell = tier.onNotice {
      options.notice = { notice in
        switch notice {
        case .lost(let message): tell(.lost(message))
        case .back(let message): tell(.back(message))
        case .unwritten(let count, let message): tell(.unwritten(count, message))
        }
      }
    }
    if let tell = tier.onRemoval {
      options.followsRemovals = true
      options.removed = tell
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
