import OffprintCoreTypes

/// Which hosts may be asked for what pages refer to.
///
/// A rule is a name (`img.example.org`), a pattern for the names below one (`*.example.org`), `*` for all, or an address or network of addresses
/// (`10.0.0.5`, `[::1]`, `10.0.0.0/8`); a port behind it (`example.org:8080`) allows that port alone. Names lead to public addresses only:
/// others have to be named themselves. Names may be in any letters. `localhost` names the addresses of this machine.
public struct HostRules: Hashable, Sendable {
  private struct Rule: Hashable {
    var name: String
    var port: Int?
    var network: IPNetwork?
  }

  private let rules: [Rule]

  /// Those of `texts` that are none allow nothing.
  public init(_ texts: [String]) { rules = texts.compactMap(Self.rule) }

  /// Why a text is no rule; nil where it is one.
  public static func problem(_ text: String) -> String? {
    if rule(text) != nil { return nil }
    return "'\(text.prefix(100))' names no host: it is a name, '*.' and a name, '*', or an address, and a port where only that is meant"
  }

  public var isEmpty: Bool { rules.isEmpty }

  /// Whether a URL's host may be asked.
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

  /// Whether a connection to the port of the address may be opened. A rule with a port allows no other port of an address that is not public,
  /// whichever name resolved to it.
  public func allows(_ address: IPAddress, port: Int) -> Bool {
    address.isPublic
      || rules.contains { rule in
        if let wanted = rule.port, wanted != port { return false }
        return rule.network?.contains(address) ?? (rule.name == "localhost" && address.isLoopback)
      }
  }

  // https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2, without what is no name of the DNS.
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
  /// The port that is written; nil where none is.
  public var port: Int? {
    guard let authority else { return nil }
    let afterUser = authority.lastIndex(ofByte: "@").map { authority[authority.utf8.index(after: $0)...] } ?? authority[...]
    let afterHost = afterUser.lastIndex(ofByte: "]").map { afterUser[afterUser.utf8.index(after: $0)...] } ?? afterUser
    guard let colon = afterHost.lastIndex(ofByte: ":") else { return nil }
    return Int(afterHost[afterHost.utf8.index(after: colon)...])
  }

  /// The port that a connection for the URL is opened to.
  package var portForNetwork: Int { port ?? (scheme == "https" ? 443 : 80) }

  /// The same for the network: scheme, host and port are what they seem to every reader. Nil for credentials, for hosts that are no names
  /// of the DNS and no addresses, for odd ports.
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
