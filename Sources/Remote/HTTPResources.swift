import CRemote
import CoreTypes
import Glibc
public import Offprint
import RenderCache
import Resources
import Synchronization

/// Gets what pages refer to over HTTP, from the hosts that are allowed and nowhere else.
///
/// Every address is checked where the connection is opened: private ones and those of this machine are refused unless they are named, whatever a
/// name says and says the next time. Redirects are checked as what they lead to. libcurl is loaded when a page first needs it.
final class HTTPResources: NetworkLoading {
  let hosts: [String]
  private let rules: HostRules
  private let milliseconds: Int
  private let connections = HTTPConnections()

  static let mostRedirects = 10
  static let largestHead = 64 << 10

  /// - Parameters:
  ///   - hosts: see `HostRules`.
  ///   - timeout: for each resource, its redirects included.
  /// - Throws: `usage` for a host that is none.
  init(hosts: [String], timeout: Duration = .seconds(10)) throws(OffprintError) {
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
    for _ in 0...Self.mostRedirects {
      guard let clean = target.forNetwork else {
        throw failure(.resourceRefused, url, "\(Self.name(target, url)) is no plain address of a host")
      }
      guard rules.allows(clean), allows?(clean) ?? true else {
        throw failure(
          .resourceRefused, url, "\(Self.name(target, url)) is on the host \(clean.host ?? ""), which is not among the allowed hosts")
      }
      let answer = try answer(clean, url, limit, watch)
      guard (300..<400).contains(answer.status), let location = answer.redirect, let next = clean.resolving(location) else {
        return try resource(answer, clean, url)
      }
      if clean.scheme == "https", next.scheme == "http" {
        throw failure(.resourceRefused, url, "it leads from https: to http:")
      }
      target = next
    }
    throw failure(.resourceRefused, url, "it is redirected more than \(Self.mostRedirects) times")
  }

  private func resource(_ answer: HTTPConnections.Answer, _ url: ResourceURL, _ asked: ResourceURL) throws(ResourceError) -> NetworkResource
  {
    switch answer.status {
    case 200: return NetworkResource(bytes: answer.body, url: url, mimeType: answer.type)
    case 404, 410: throw failure(.resourceMissing, asked, "the server answered \(answer.status)")
    default: throw failure(.resourceUnreadable, asked, "the server answered \(answer.status)")
    }
  }

  private func answer(_ url: ResourceURL, _ asked: ResourceURL, _ limit: Int, _ watch: Watch) throws(ResourceError)
    -> HTTPConnections.Answer
  {
    guard !watch.isOver else { throw failure(.resourceUnreadable, asked, "there was no time left") }
    var request = HTTPConnections.Request(method: "GET", url: url.description, limit: limit, milliseconds: milliseconds)
    request.headers = ["Accept: */*"]
    request.watch = watch
    let answer: HTTPConnections.Answer
    do throws(RemoteFailure) {
      answer = try connections.send(request)
    } catch {
      throw failure(.resourceUnreadable, asked, error.message)
    }
    switch answer.failure {
    case nil: return answer
    case .tooLarge: throw failure(.limitExceeded, asked, "it has more than \(limit) bytes (limit resourceBytes)")
    case .headTooLarge: throw failure(.resourceRefused, asked, "the head of the answer has more than \(Self.largestHead) bytes")
    case .stopped: throw failure(.resourceUnreadable, asked, "it took too long")
    case .refusedAddress:
      let host = url.host ?? ""
      throw failure(
        .resourceRefused, asked, "the host \(host) has no address that may be connected to (private ones have to be allowed themselves)")
    case .other(let reason): throw failure(.resourceUnreadable, asked, reason)
    }
  }

  /// What a message calls the target of a redirect.
  private static func name(_ target: ResourceURL, _ asked: ResourceURL) -> String {
    target == asked ? "it" : "it leads to '\(target.description.prefix(200))', which"
  }

  private func failure(_ code: Diagnostic.Code, _ url: ResourceURL, _ reason: String) -> ResourceError {
    ResourceError(code, url: url.description, "\"\(url.description.prefix(200))\" cannot be had: \(reason).")
  }

  /// What a transfer asks while it runs.
  final class Watch: Sendable {
    private let rules: HostRules
    private let until: Deadline
    private let deadline: Deadline

    init(rules: HostRules, until: Deadline, deadline: Deadline) {
      self.rules = rules
      self.until = until
      self.deadline = deadline
    }

    var isOver: Bool { until.hasPassed || deadline.hasPassed }

    func allows(_ address: UnsafeBufferPointer<UInt8>) -> Bool { IPAddress(bytes: Array(address)).map(rules.allows) ?? false }
  }
}

extension RendererConfiguration {
  /// The same, with pages' pictures, style sheets and fonts from these hosts. A request's `allowedHosts` are these unless it
  /// names its own, which have to be among these as well.
  ///
  /// - Parameter hosts: names, `*.` and a name, `*`, addresses and networks; a port behind it allows that port alone.
  /// - Throws: `usage` for what is none.
  public func loading(from hosts: [String]) throws(OffprintError) -> RendererConfiguration {
    var result = self
    result.network = try HTTPResources(hosts: hosts)
    return result
  }
}
