import COffprintRemote
import OffprintCoreTypes
import Glibc
package import Offprint
import OffprintRenderCache
import OffprintResources

/// Sends POST requests, for notifications and telemetry. Redirects are not followed, proxies are not used, and the response is limited in
/// time and size. libcurl is loaded on first use.
package final class HTTPPoster: Sendable {
  package enum Outcome: Hashable, Sendable {
    /// - Parameter retryAfter: The seconds in `Retry-After`.
    case answered(status: Int, retryAfter: Int?)
    /// The request cannot succeed later either.
    case refused(String)
    /// There was no response.
    case unreachable(String)
  }

  /// Nil allows all servers, since the operator chose the URL.
  private let rules: HostRules?
  private let milliseconds: Int
  private let connections = HTTPConnections()

  private static let largestAnswer = 64 << 10
  private static let longestURL = 2048

  /// - Parameters:
  ///   - hosts: The allowed hosts, with the rules of `HostRules`: private IP addresses must be named. Nil allows all servers.
  ///   - timeout: For each request, including its response.
  /// - Throws: `usage` for an invalid host, `libraryMissing` without libcurl.
  package init(hosts: [String]?, timeout: Duration) throws(OffprintError) {
    if let problem = hosts?.lazy.compactMap(HostRules.problem).first { throw OffprintError(.usage, "\(problem).") }
    rules = hosts.map { HostRules($0) }
    milliseconds = max(1, timeout.wholeMilliseconds)
    var reason = Reason.empty
    guard let connection = remote_http_open(&reason) else {
      throw OffprintError(.libraryMissing, "No HTTP request can be sent: \(Reason.text(reason)).")
    }
    remote_http_close(connection)
  }

  /// The host of a URL that may be requested.
  ///
  /// - Throws: `dataInvalid` for a URL that is not `http:` or `https:`, has credentials, or is too long; `resourceRefused` if its host is not
  ///   allowed.
  package func host(of url: String) throws(OffprintError) -> String {
    guard url.utf8.count <= Self.longestURL, let target = ResourceURL(url)?.forNetwork, let host = target.host else {
      throw OffprintError(
        .dataInvalid, "The URL must begin with http:// or https://, and have no credentials and at most \(Self.longestURL) bytes.")
    }
    guard rules?.allows(target) ?? true else { throw OffprintError(.resourceRefused, "The host '\(host.prefix(100))' is not allowed.") }
    return host
  }

  /// Blocks the thread.
  ///
  /// - Parameter headers: Lines without line breaks.
  package func post(_ body: [UInt8], to url: String, headers: [String]) -> Outcome {
    guard let target = ResourceURL(url)?.forNetwork, rules?.allows(target) ?? true else { return .refused("its host is not allowed") }
    var request = HTTPConnections.Request(
      method: "POST", url: target.description, limit: Self.largestAnswer, milliseconds: milliseconds)
    // Without this, libcurl would wait for "100 Continue".
    request.headers = ["Expect:"] + headers
    request.body = body
    request.watch = HTTPResources.Watch(rules: rules, until: Deadline(after: .milliseconds(milliseconds)), deadline: .never)
    do throws(RemoteFailure) {
      return Self.outcome(try connections.send(request))
    } catch {
      return error.isPermanent ? .refused(error.message) : .unreachable(error.message)
    }
  }

  private static func outcome(_ answer: HTTPConnections.Answer) -> Outcome {
    switch answer.failure {
    case nil: .answered(status: answer.status, retryAfter: retryAfter(answer.head))
    // The status came before the part that is too large.
    case .tooLarge, .headTooLarge: status(answer.head).map { .answered(status: $0, retryAfter: nil) } ?? .refused("its response is invalid")
    case .stopped: .unreachable("it took too long")
    case .refusedAddress: .refused("its host has no allowed IP address; private addresses must be allowed explicitly")
    case .unreachable(let reason), .other(let reason): .unreachable(reason)
    }
  }

  /// https://www.rfc-editor.org/rfc/rfc9112#section-4
  private static func status(_ head: [UInt8]) -> Int? {
    let words = head.prefix { $0 != 0x0A && $0 != 0x0D }.split(separator: 0x20)
    return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
  }

  /// Seconds, or a date. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
  private static func retryAfter(_ head: [UInt8]) -> Int? {
    guard let text = HTTPFields(head: head).first("retry-after") else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    return HTTPDate.parse(text).map { max(0, Int($0) - Glibc.time(nil)) }
  }
}
