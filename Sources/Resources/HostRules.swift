import OffprintCoreTypes

/// The hosts from which resources may be loaded.
///
/// A rule is a name (`img.example.org`), a pattern for the subdomains of a name (`*.example.org`), `*` for all, or an IP address or network
/// (`10.0.0.5`, `[::1]`, `10.0.0.0/8`); with a port (`example.org:8080`), only that port is allowed. Names may only resolve to public
/// addresses: other addresses must be named themselves. Names can be internationalized. `localhost` stands for the loopback addresses.
public struct HostRules: Hashable, Sendable {
  private struct Rule: Hashable {
    var name: String
    var port: Int?
    var network: IPNetwork?
  }

  private let rules: [Rule]

  /// Invalid texts are ignored and allow nothing.
  public init(_ texts: [String]) { rules = texts.compactMap(Self.rule) }

  /// Why a text is not a valid rule; nil if it is valid.
  public static func problem(_ text: String) -> String? {
    if rule(text) != nil { return nil }
    return "'\(text.prefix(100))' is not a host rule: use a name, '*.' and a name, '*', or an IP address or range, optionally with a port"
  }

  public var isEmpty: Bool { rules.isEmpty }

  /// Whether the URL's host may be contacted.
  public func allows(_ url: ResourceURL) -> Bool {
    guard let host = url.host, !host.isEmpty else { return false }
    return allows(host: host, port: url.portForNetwork)
  }

  func allows(host: String, port: Int) -> Bool {
    let address = IPAddress(host)
    return rules.contains { rule in
      if let wanted = rule.port, wanted != port { return false }
      if let network = rule.network, let address { return network.contains(address) }
      if rule.name == "*" { return true }
      if rule.name.hasPrefix("*.") { return host.hasSuffix(rule.name.dropFirst()) && host.utf8.count > rule.name.utf8.count - 1 }
      return rule.name == host
    }
  }

  /// Whether a connection to the address and port may be opened. A rule with a port allows no other port of a nonpublic address, whichever
  /// name resolved to it.
  public func allows(_ address: IPAddress, port: Int) -> Bool {
    address.isPublic
      || rules.contains { rule in
        if let wanted = rule.port, wanted != port { return false }
        return rule.network?.contains(address) ?? (rule.name == "localhost" && address.isLoopback)
      }
  }

  // https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2, restricted to DNS names.
  private static func rule(_ text: String) -> Rule? {
    var host = text.lowercased()[...], port: Int?
    if let network = IPNetwork(String(host)) { return Rule(name: String(host), network: network) }
    let close = host.lastIndex(ofByte: "]")
    if let colon = host.lastIndex(ofByte: ":"), close.map({ $0 < colon }) ?? true {
      guard let number = Int(host[host.utf8.index(after: colon)...]), (1...65_535).contains(number) else { return nil }
      port = number
      host = host[..<colon]
    }
    if let network = IPNetwork(String(host)) { return Rule(name: String(host), port: port, network: network) }
    if let ascii = DomainName.ascii(String(host)) { host = ascii[...] }
    let name = host == "*" ? "" : host.hasPrefix("*.") ? host.dropFirst(2) : host
    guard host == "*" || isName(name) else { return nil }
    return Rule(name: String(host), port: port)
  }

  static func isName(_ text: Substring) -> Bool {
    let labels = text.split(byte: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.count <= 63
          && label.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f }
      }
  }
}

extension ResourceURL {
  /// The explicit port; nil if absent.
  public var port: Int? {
    guard let authority else { return nil }
    let afterUser = authority.lastIndex(ofByte: "@").map { authority[authority.utf8.index(after: $0)...] } ?? authority[...]
    let afterHost = afterUser.lastIndex(ofByte: "]").map { afterUser[afterUser.utf8.index(after: $0)...] } ?? afterUser
    guard let colon = afterHost.lastIndex(ofByte: ":") else { return nil }
    return Int(afterHost[afterHost.utf8.index(after: colon)...])
  }

  /// The port to connect to.
  package var portForNetwork: Int { port ?? (scheme == "https" ? 443 : 80) }

  /// The URL for a network request, in which scheme, host and port are unambiguous to every parser. Nil for URLs with credentials, with
  /// hosts that are neither DNS names nor IP addresses, or with invalid ports.
  package var forNetwork: ResourceURL? {
    guard scheme == "http" || scheme == "https", let authority, !authority.utf8.contains(UInt8(ascii: "@")), let host else { return nil }
    guard HostRules.isName(host[...]) || host.hasPrefix("[") && IPAddress(host) != nil else { return nil }
    let plain = port.map { "\(host):\($0)" } ?? host
    guard authority.lowercased() == plain || authority.lowercased() == host + ":", port.map({ (1...65_535).contains($0) }) ?? true else {
      return nil
    }
    var result = withoutFragment
    result.authority = plain
    return result
  }
}
