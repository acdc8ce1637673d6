import COffprintRemote
import OffprintCoreTypes
import Glibc
public import Offprint
import OffprintRenderCache
import OffprintResources
import Synchronization

/// Loads the resources of pages over HTTP, from allowed hosts only.
///
/// Every IP address and port is checked when the connection is opened: private addresses and those of this machine are refused unless named
/// explicitly, whatever a name resolves to then or later (DNS rebinding). Redirect targets are checked like any URL. libcurl is loaded on
/// first use.
final class HTTPResources: NetworkLoading {
  let hosts: [String]
  private let rules: HostRules
  private let milliseconds: Int
  private let connections = HTTPConnections()
  private let cache: HTTPCache?
  /// Whether cached responses are always revalidated, like reloading in a browser.
  private let revalidates: Bool
  private let retries = RetryBudget()
  private let clock: @Sendable () -> Int64

  static let maximumRedirects = 10
  static let largestHead = 64 << 10

  /// - Parameters:
  ///   - hosts: See `HostRules`.
  ///   - timeout: For each resource, including its redirects.
  ///   - cache: The HTTP cache; nil disables caching.
  ///   - clock: Seconds since 1970.
  /// - Throws: `usage` for an invalid host.
  init(
    hosts: [String], timeout: Duration = .seconds(10), cache: HTTPCache? = nil, revalidates: Bool = false,
    clock: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) throws(OffprintError) {
    self.cache = cache
    self.revalidates = revalidates
    self.clock = clock
    if let problem = hosts.lazy.compactMap(HostRules.problem).first { throw OffprintError(.usage, "\(problem).") }
    self.hosts = hosts.map { $0.lowercased() }
    rules = HostRules(hosts)
    milliseconds = max(1, timeout.wholeMilliseconds)
  }

  func load(
    _ url: ResourceURL, limit: Int, deadline: Deadline, allows: (@Sendable (ResourceURL) -> Bool)?
  ) throws(ResourceError) -> NetworkResource {
    let watch = Watch(rules: rules, until: Deadline(after: .milliseconds(milliseconds)), deadline: deadline)
    var target = url
    for _ in 0...Self.maximumRedirects {
      guard let clean = target.forNetwork else {
        throw failure(.resourceRefused, url, "\(Self.name(target, url)) is not a plain URL with a host")
      }
      guard rules.allows(clean), allows?(clean) ?? true else {
        throw failure(
          .resourceRefused, url,
          "\(Self.name(target, url)) is on the host \(clean.host ?? ""), which is not allowed; allow it with \(OptionName.allowHost.text)"
        )
      }
      let answer = try answer(clean, url, limit, watch)
      guard (300..<400).contains(answer.status), let location = answer.redirect, let next = clean.resolving(location) else {
        return try resource(answer, clean, url)
      }
      if clean.scheme == "https", next.scheme == "http" {
        throw failure(.resourceRefused, url, "it redirects from https: to http:")
      }
      target = next
    }
    throw failure(.resourceRefused, url, "it is redirected more than \(Self.maximumRedirects) times")
  }

  private func resource(_ answer: HTTPConnections.Answer, _ url: ResourceURL, _ asked: ResourceURL) throws(ResourceError) -> NetworkResource
  {
    switch answer.status {
    case 200: return NetworkResource(bytes: answer.body, url: url, mimeType: answer.type)
    case 404, 410: throw failure(.resourceMissing, asked, "the server responded with status \(answer.status)")
    default: throw failure(.resourceUnreadable, asked, "the server responded with status \(answer.status)")
    }
  }

  /// The response to a request, from the cache if its rules allow. https://www.rfc-editor.org/rfc/rfc9111#section-4
  private func answer(_ url: ResourceURL, _ asked: ResourceURL, _ limit: Int, _ watch: Watch) throws(ResourceError)
    -> HTTPConnections.Answer
  {
    guard let cache else { return try checked(try answered(url, asked, [], limit, watch), url, asked, limit) }
    let stored = cache.find(url.description).flatMap { isUsable($0) ? $0 : nil }
    let requested = clock()
    if let stored, !revalidates, stored.isFresh(requested) { return try checked(stored.answer(limit), url, asked, limit) }
    let answer = try answered(url, asked, stored?.conditions ?? [], limit, watch)
    let received = clock(), fields = HTTPFields(head: answer.head)
    if let stored {
      if answer.status == 304, answer.failure == nil {
        let again = stored.validated(by: fields, requested: requested, received: received)
        if again.isStorable { cache.store(again) }
        return try checked(again.answer(limit), url, asked, limit)
      }
      if answer.hasFailed, stored.mayBeStale(received, isDisconnected: answer.failure != nil) {
        return try checked(stored.answer(limit), url, asked, limit)
      }
    }
    let good = try checked(answer, url, asked, limit)
    keep(good, fields, url, requested, received, in: cache)
    return good
  }

  private func keep(
    _ answer: HTTPConnections.Answer, _ fields: HTTPFields, _ url: ResourceURL, _ requested: Int64, _ received: Int64, in cache: HTTPCache
  ) {
    var stored = StoredResponse(
      url: url.description, status: answer.status, fields: fields, redirect: answer.redirect, body: answer.body, requested: requested,
      received: received, address: answer.address, selecting: [])
    stored.select(Self.sent)
    // A failure does not invalidate the stored response.
    if stored.isStorable { cache.store(stored) } else if !answer.hasFailed { cache.remove(url.description) }
  }

  /// The fields of each request, for `Vary`.
  private static let sent = HTTPFields(head: Array("Accept: */*\nAccept-Encoding: gzip, deflate\nUser-Agent: offprint\n".utf8))

  private func isUsable(_ answer: StoredResponse) -> Bool {
    guard answer.matches(Self.sent), let address = IPAddress(answer.address), let url = ResourceURL(answer.url) else { return false }
    return rules.allows(address, port: url.portForNetwork)
  }

  /// Sends a request, and retries it after transient failures.
  private func answered(_ url: ResourceURL, _ asked: ResourceURL, _ conditions: [String], _ limit: Int, _ watch: Watch)
    throws(ResourceError)
    -> HTTPConnections.Answer
  {
    var tries = 0
    while true {
      guard !watch.isOver else { throw failure(.resourceUnreadable, asked, "there was no time left") }
      var request = HTTPConnections.Request(method: "GET", url: url.description, limit: limit, milliseconds: milliseconds)
      request.headers = ["Accept: */*"] + conditions
      request.watch = watch
      let answer: HTTPConnections.Answer
      do throws(RemoteFailure) {
        answer = try connections.send(request)
      } catch {
        throw failure(.resourceUnreadable, asked, error.message)
      }
      guard answer.isTransient, tries < RetryBudget.maximumAttempts, retries.take() else {
        if !answer.isTransient { retries.give() }
        return answer
      }
      tries += 1
      guard watch.wait(milliseconds: RetryBudget.pause(tries, answer)) else { return answer }
    }
  }

  private func checked(
    _ answer: HTTPConnections.Answer, _ url: ResourceURL, _ asked: ResourceURL, _ limit: Int
  ) throws(ResourceError) -> HTTPConnections.Answer {
    switch answer.failure {
    case nil: return answer
    case .tooLarge: throw failure(.limitExceeded, asked, "it has more than \(limit) bytes (limit resourceBytes)")
    case .headTooLarge: throw failure(.resourceRefused, asked, "the response header has more than \(Self.largestHead) bytes")
    case .stopped: throw failure(.resourceUnreadable, asked, "it took too long")
    case .refusedAddress:
      let host = url.host ?? ""
      throw failure(
        .resourceRefused, asked, "the host \(host) has no allowed IP address (private addresses must be allowed explicitly)")
    case .unreachable(let reason), .other(let reason): throw failure(.resourceUnreadable, asked, reason)
    }
  }

  /// The name of a redirect's target in messages.
  private static func name(_ target: ResourceURL, _ asked: ResourceURL) -> String {
    target == asked ? "it" : "it redirects to '\(target.description.prefix(200))', which"
  }

  private func failure(_ code: Diagnostic.Code, _ url: ResourceURL, _ reason: String) -> ResourceError {
    ResourceError(code, url: url.description, "\"\(url.description.prefix(200))\" cannot be loaded: \(reason).")
  }

  /// Checks during a transfer.
  final class Watch: Sendable {
    /// Nil allows all IP addresses.
    private let rules: HostRules?
    private let until: Deadline
    private let deadline: Deadline

    init(rules: HostRules?, until: Deadline, deadline: Deadline) {
      self.rules = rules
      self.until = until
      self.deadline = deadline
    }

    var isOver: Bool { until.hasPassed || deadline.hasPassed }

    /// False if the time is up.
    func wait(milliseconds: Int) -> Bool {
      for _ in 0..<max(1, milliseconds / 20) {
        if isOver { return false }
        usleep(20_000)
      }
      return !isOver
    }

    func allows(_ address: UnsafeBufferPointer<UInt8>, port: Int) -> Bool {
      guard let rules else { return true }
      return IPAddress(bytes: Array(address)).map { rules.allows($0, port: port) } ?? false
    }
  }
}

extension RendererConfiguration {
  /// This configuration with images, style sheets and fonts loaded from these hosts. Requests without `allowedHosts` may use all of them;
  /// the `allowedHosts` of other requests must be among them as well.
  ///
  /// Responses are cached below the cache folder, which must be set before, as long as their servers allow (RFC 9111).
  ///
  /// - Parameters:
  ///   - hosts: Names, `*.` and a name, `*`, IP addresses and networks; a port after it allows only that port.
  ///   - revalidating: Whether cached responses are revalidated even if fresh.
  /// - Throws: `usage` for an invalid host.
  public func loading(from hosts: [String], revalidating: Bool = false) throws(OffprintError) -> RendererConfiguration {
    var result = self
    result.network = try HTTPResources(
      hosts: hosts, cache: cacheFolder.map { HTTPCache(folder: "\($0)/http") }, revalidates: revalidating)
    return result
  }
}

extension HTTPConnections.Answer {
  /// Whether the server does not respond, or responds with a server error.
  var hasFailed: Bool {
    switch failure {
    case .unreachable, .stopped, .other: true
    case nil: [500, 502, 503, 504].contains(status)
    default: false
    }
  }

  /// Whether a retry may succeed.
  var isTransient: Bool {
    if case .unreachable = failure { return true }
    return failure == nil && [429, 502, 503, 504].contains(status)
  }
}

extension StoredResponse {
  func answer(_ limit: Int) -> HTTPConnections.Answer {
    var answer = HTTPConnections.Answer(status: status, body: body, redirect: redirect, type: fields.first("content-type"))
    answer.address = address
    if body.count > limit { answer.failure = .tooLarge }
    return answer
  }
}
