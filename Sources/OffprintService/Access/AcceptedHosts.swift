import OffprintCoreTypes
import Glibc
import HTTPTypes

/// The host names that a service without authentication accepts. A page of another origin can make its own name resolve to this machine
/// (DNS rebinding) and would then share the service's origin; such requests carry that name in `Host`.
struct AcceptedHosts: Sendable {
  /// In lowercase; IPv6 addresses in brackets.
  private let names: [[UInt8]]
  private let acceptsAll: Bool
  /// Whether any IP address is accepted, because the service listens on all interfaces and their addresses are unknown. This is safe,
  /// because DNS rebinding needs a name.
  private let acceptsAddresses: Bool
  private let cors: CrossOriginAccess

  /// Nil if requests are authenticated.
  init?(_ settings: ServiceSettings) {
    guard settings.isAuthenticationOff else { return nil }
    cors = CrossOriginAccess(origins: settings.corsOrigins)
    acceptsAll = settings.acceptedHosts.contains("*")
    acceptsAddresses = ["0.0.0.0", "::", "[::]"].contains(settings.host)
    let own = settings.host.contains(":") && !settings.host.hasPrefix("[") ? "[\(settings.host)]" : settings.host
    names = (["localhost", "127.0.0.1", "[::1]", own] + settings.acceptedHosts).map { Array($0.lowercased().utf8) }
  }

  /// - Parameter authority: A `Host` field: a name or an IP address with an optional port.
  func accepts(_ authority: some BidirectionalCollection<UInt8>) -> Bool {
    if acceptsAll { return true }
    let host = Self.host(authority)
    if names.contains(where: { $0.elementsEqual(host.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }) }) { return true }
    return acceptsAddresses && Self.isAddress(String(decoding: host, as: UTF8.self))
  }

  /// - Throws: `hostNotAccepted`; `forbidden` if the request changes something and comes from a page of another origin.
  func check(_ request: HTTPRequest) throws(ServiceError) {
    let authority = request.authority ?? ""
    guard accepts(authority.utf8) else {
      throw ServiceError(
        .hostNotAccepted, "The service does not accept the host '\(authority.prefix(100))'; allow it with --accept-host NAME.")
    }
    if request.method == .get || request.method == .head || cors.allows(request.headerFields[.origin]) { return }
    try Self.checkOrigin(request)
  }

  /// Browsers send `Sec-Fetch-Site` with every request to a trustworthy origin, such as a loopback address, and `Origin` with requests that
  /// are not simple reads. Other clients send neither. https://w3c.github.io/webappsec-fetch-metadata/#sec-fetch-site-header
  ///
  /// - Throws: `forbidden` if the request comes from a page of another origin.
  static func checkOrigin(_ request: HTTPRequest) throws(ServiceError) {
    let site = request.headerFields[.fetchSite]
    guard site == nil || site == "same-origin" || site == "none" else { throw otherOrigin }
    guard let origin = request.headerFields[.origin] else { return }
    let authority = request.authority ?? ""
    guard let mark = origin.utf8.firstIndex(of: UInt8(ascii: "/")), origin[mark...].hasPrefix("//"),
      origin[origin.utf8.index(mark, offsetBy: 2)...].lowercased().hasSameBytes(as: authority.lowercased())
    else { throw otherOrigin }
  }

  /// The same check for a request that changes something whatever its method. Browsers send neither field with a simple read from an
  /// untrustworthy origin, so the source of such a request is unknown.
  ///
  /// - Throws: `forbidden` if the request comes, or may come, from a page of another origin.
  static func checkWrite(_ request: HTTPRequest) throws(ServiceError) {
    try checkOrigin(request)
    guard request.method == .get || request.method == .head, request.headerFields[.fetchSite] == nil else { return }
    let host = Array(host((request.authority ?? "").utf8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    guard ["localhost", "127.0.0.1", "[::1]"].contains(where: { $0.utf8.elementsEqual(host) }) else {
      throw ServiceError(
        .forbidden, "Without authentication, GET can write identifiers and tags only on loopback addresses; use POST or PUT.")
    }
  }

  private static var otherOrigin: ServiceError { ServiceError(.forbidden, "The request is from a page of another origin.") }

  /// The host without its port. https://www.rfc-editor.org/rfc/rfc9110#section-7.2
  private static func host<Bytes: BidirectionalCollection<UInt8>>(_ authority: Bytes) -> Bytes.SubSequence {
    let trimmed = authority.trimming { $0 == 0x20 || $0 == 0x09 }
    guard let colon = trimmed.lastIndex(of: UInt8(ascii: ":")),
      trimmed[trimmed.index(after: colon)...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return trimmed }
    return trimmed[..<colon]
  }

  private static func isAddress(_ host: String) -> Bool {
    var four = in_addr(), six = in6_addr()
    if host.hasPrefix("["), host.hasSuffix("]") { return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &six) == 1 }
    return inet_pton(AF_INET, host, &four) == 1
  }
}
