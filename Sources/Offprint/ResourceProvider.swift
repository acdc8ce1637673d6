import OffprintCoreTypes
import Glibc
import OffprintResources
import Synchronization

/// A request to a `ResourceProvider`.
public struct ResourceQuery: Hashable, Sendable {
  /// The absolute URL, without fragment.
  public var url: String
  /// The size limit; larger contents are refused.
  public var maximumBytes: Int
  public init(url: String, maximumBytes: Int) { self.url = url; self.maximumBytes = maximumBytes }
}

/// The response of a `ResourceProvider`.
public struct ResourceContent: Hashable, Sendable {
  /// The whole content.
  public var bytes: [UInt8]
  /// As in HTTP's `Content-Type`; nil if unknown.
  public var mimeType: String?
  public init(bytes: [UInt8], mimeType: String? = nil) { self.bytes = bytes; self.mimeType = mimeType }
}

/// Provides the resources of pages: from memory, a database, the network. It is called for files under a request's `allowedFolders`, for
/// `http:` and `https:` on its `allowedHosts`, and for every other scheme except `data:`; never for URLs these rules refuse. Number, bytes
/// and time are limited as for files. Its contents are part of the image: before a cached image is returned, it is called again and must
/// return the same bytes.
///
/// Returns nil if it does not have the resource. A file is then read as without a provider; anything else is missing. An `OffprintError`
/// with the code `resourceMissing` reports the resource as missing with the reason in its message; other errors, as unreadable.
public typealias ResourceProvider = @Sendable (ResourceQuery) async throws -> ResourceContent?

/// Blocks a rendering thread until a provider has finished on Swift's pool, but not past the deadline.
struct BlockingProvider: ResourceProviding {
  let provider: ResourceProvider
  let deadline: Deadline

  func resource(at url: ResourceURL, limit: Int) throws(ResourceError) -> ProvidedResource? {
    let query = ResourceQuery(url: url.withoutFragment.description, maximumBytes: limit)
    let answered = Gate()
    let answer = Answer()
    let task = Task.detached { [provider] in
      do { answer.set(.success(try await provider(query))) } catch { answer.set(.failure(error)) }
      answered.open()
    }
    while !answered.wait(milliseconds: 20) {
      guard deadline.hasPassed else { continue }
      task.cancel()
      throw failure(query.url, "it took longer than the time limit of the render")
    }
    switch answer.value {
    case .success(let content)?: return content.map { ProvidedResource(bytes: $0.bytes, mimeType: $0.mimeType) }
    case .failure(let error as OffprintError)?:
      throw failure(query.url, error.message, error.code == .resourceMissing ? .resourceMissing : .resourceUnreadable)
    case .failure?, nil: throw failure(query.url, "the loader failed")
    }
  }

  private func failure(_ url: String, _ reason: String, _ code: Diagnostic.Code = .resourceUnreadable) -> ResourceError {
    ResourceError(code, url: url, "\"\(url.prefix(200))\" cannot be loaded: \(reason).")
  }
}

private final class Answer: Sendable {
  private let state = Mutex<Result<ResourceContent?, any Error>?>(nil)
  var value: Result<ResourceContent?, any Error>? { state.withLock { $0 } }
  func set(_ result: Result<ResourceContent?, any Error>) { state.withLock { $0 = result } }
}
