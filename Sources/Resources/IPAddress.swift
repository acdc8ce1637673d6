import OffprintCoreTypes
internal import Glibc

/// An IP address of 4 or 16 bytes.
public struct IPAddress: Hashable, Sendable {
  /// IPv4 addresses mapped or translated to IPv6 are stored as IPv4.
  public let bytes: [UInt8]

  /// - Parameter bytes: 4 or 16 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes.count == 16 ? Self.embedded(bytes) ?? bytes : bytes
  }

  /// Parses an address; IPv6 with or without brackets.
  public init?(_ text: String) {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: &four) { Array($0) })
      return
    }
    let inner = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    var six = in6_addr()
    guard inet_pton(AF_INET6, inner, &six) == 1 else { return nil }
    self.init(bytes: withUnsafeBytes(of: &six) { Array($0) })
  }

  /// https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5 (mapped), https://www.rfc-editor.org/rfc/rfc6052 (translated),
  /// https://www.rfc-editor.org/rfc/rfc3056 (6to4).
  private static func embedded(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff { return Array(bytes[12...]) }
    if bytes.starts(with: [0, 0x64, 0xff, 0x9b]), bytes[4..<12].allSatisfy({ $0 == 0 }) { return Array(bytes[12...]) }
    if bytes.starts(with: [0x20, 0x02]) { return Array(bytes[2..<6]) }
    return nil
  }

  public var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 }

  /// Whether it is globally reachable. https://www.iana.org/assignments/iana-ipv4-special-registry,
  /// https://www.iana.org/assignments/iana-ipv6-special-registry
  public var isPublic: Bool {
    if bytes.count == 4 { return !Self.special4.contains { $0.contains(self) } }
    // Global unicast, except special-purpose blocks within it.
    return bytes[0] & 0xe0 == 0x20 && !Self.special6.contains { $0.contains(self) }
  }

  private static let special4: [IPNetwork] = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
    "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
    "203.0.113.0/24", "224.0.0.0/3",
  ].compactMap { IPNetwork($0) }

  private static let special6: [IPNetwork] = ["2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"].compactMap { IPNetwork($0) }
}

/// A block of addresses with a common prefix.
struct IPNetwork: Hashable, Sendable {
  let address: IPAddress
  /// The prefix length in bits.
  let length: Int

  /// `10.0.0.0/8`, or a single address.
  init?(_ text: String) {
    let parts = text.split(byte: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
    let all = address.bytes.count * 8
    guard let length = parts.count == 2 ? Int(parts[1]) : all, (0...all).contains(length) else { return nil }
    self.address = address
    self.length = length
  }

  func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    return address.bytes.indices.allSatisfy { index in
      let bits = min(max(length - index * 8, 0), 8)
      let mask = UInt8(truncatingIfNeeded: 0xff00 >> bits)
      return address.bytes[index] & mask == other.bytes[index] & mask
    }
  }
}
