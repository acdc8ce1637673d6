import OffprintCoreTypes

/// A URL, to the extent that pages need: parsed, resolved against a base, and converted to a file path.
/// https://url.spec.whatwg.org/#url-parsing; hosts are converted to ASCII if possible.
public struct ResourceURL: Hashable, Sendable {
  /// In lowercase, without the colon.
  public var scheme: String
  /// User information, host and port; nil if the URL has no `//`.
  public var authority: String?
  /// Percent-encoded; dot segments are removed if the path is hierarchical.
  public var path: String
  /// Without the question mark.
  public var query: String?
  /// Without the number sign.
  public var fragment: String?

  public init(scheme: String, authority: String? = nil, path: String, query: String? = nil, fragment: String? = nil) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  /// An absolute URL; nil if `text` has no scheme.
  public init?(_ text: String) {
    let bytes = Self.cleaned(text)
    guard let (scheme, rest) = Self.splitScheme(bytes[...]) else { return nil }
    self.init(scheme: scheme, after: rest, base: nil)
  }

  /// The `file:` URL of an absolute path; a relative path is interpreted from the root.
  public init(filePath: String) {
    let encoded = Self.encoded(filePath.utf8, keeping: Self.isPathByte)
    let absolute = encoded.first == "/" ? encoded : "/" + encoded
    self.init(scheme: "file", authority: "", path: Self.removingDotSegments(absolute))
  }

  /// The base of a page's references: an HTTP URL as it is, anything else as a path.
  public init?(basePath: String) {
    if basePath.hasPrefix("http:") || basePath.hasPrefix("https:") { self.init(basePath) } else { self.init(filePath: basePath) }
  }

  /// The URL of `reference` in a page at this URL; nil if it has none, such as a relative reference in a `data:` page.
  public func resolving(_ reference: String) -> ResourceURL? {
    let bytes = Self.cleaned(reference)
    if let (scheme, rest) = Self.splitScheme(bytes[...]) {
      // A special scheme without slashes is relative to a base of the same scheme ("file:image.png").
      let isRelative = scheme == self.scheme && Self.isSpecial(scheme) && !(rest.first.map(Self.isSlash) ?? false)
      return ResourceURL(scheme: scheme, after: rest, base: isRelative ? self : nil)
    }
    if bytes.first == UInt8(ascii: "#") || bytes.isEmpty {
      var result = self
      result.fragment = bytes.isEmpty ? nil : Self.encoded(bytes.dropFirst(), keeping: Self.isQueryByte)
      return result
    }
    guard isHierarchical else { return nil }
    return ResourceURL(scheme: scheme, after: bytes[...], base: self)
  }

  /// Whether references can be relative to this URL.
  public var isHierarchical: Bool { authority != nil || path.utf8.first == UInt8(ascii: "/") }

  /// The host in lowercase, without user information and port.
  public var host: String? {
    guard let authority, !authority.isEmpty else { return nil }
    let afterUser = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.utf8.index(after: $0)...] } ?? authority[...]
    if afterUser.utf8.first == UInt8(ascii: "["), let end = afterUser.utf8.firstIndex(of: UInt8(ascii: "]")) {
      return afterUser[...end].lowercased()
    }
    return afterUser.prefix { $0 != ":" }.lowercased()
  }

  /// The percent-decoded path of a `file:` URL, without query and fragment. Nil for other schemes, for a host other than this machine, and
  /// for invalid file names.
  public var filePath: String? {
    guard scheme == "file", authority == nil || authority == "" || host == "localhost" else { return nil }
    let bytes = Self.percentDecoded(path.utf8)
    guard !bytes.contains(0), bytes.first == UInt8(ascii: "/"), let decoded = String(validating: bytes, as: UTF8.self) else { return nil }
    return decoded
  }

  /// The URL without its fragment, as it is fetched.
  public var withoutFragment: ResourceURL {
    var result = self
    result.fragment = nil
    return result
  }
}

extension ResourceURL: CustomStringConvertible {
  public var description: String {
    var text = scheme + ":"
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }
}

extension ResourceURL {
  /// Parses the part after the scheme, or a reference without scheme if `base` is given.
  private init?(scheme: String, after rest: ArraySlice<UInt8>, base: ResourceURL?) {
    var rest = rest
    let special = Self.isSpecial(scheme)
    var fragment: String?
    if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = Self.encoded(rest[(mark + 1)...], keeping: Self.isQueryByte)
      rest = rest[..<mark]
    }
    var query: String?
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = Self.encoded(rest[(mark + 1)...], keeping: Self.isQueryByte)
      rest = rest[..<mark]
    }
    let slashed = special ? rest.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 } : Array(rest)
    var authority: String?
    var path = slashed[...]
    if slashed.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
      let end = slashed[2...].firstIndex(of: UInt8(ascii: "/")) ?? slashed.endIndex
      authority = Self.authority(String(decoding: slashed[2..<end], as: UTF8.self), special: special)
      path = slashed[end...]
    } else if special && base == nil {
      authority = ""
    }
    var text = Self.encoded(path, keeping: special || authority != nil || base != nil ? Self.isPathByte : Self.isOpaqueByte)
    if let base, authority == nil {
      authority = base.authority
      if text.isEmpty {
        text = base.path
        if query == nil { query = base.query }
      } else if text.utf8.first != UInt8(ascii: "/") {
        text = base.folder + text
      }
    }
    if special || authority != nil || text.utf8.first == UInt8(ascii: "/") {
      text = Self.removingDotSegments(text.utf8.first == UInt8(ascii: "/") || (text.isEmpty && !special) ? text : "/" + text)
    }
    self.init(scheme: scheme, authority: authority, path: text, query: query, fragment: fragment)
  }

  /// Converts an internationalized host to ASCII. A percent-encoded host is kept as it is, and cannot be resolved.
  /// https://url.spec.whatwg.org/#host-parsing
  private static func authority(_ text: String, special: Bool) -> String {
    guard special, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    let start = text.lastIndex(ofByte: "@").map { text.utf8.index(after: $0) } ?? text.startIndex
    let host = text[start...].prefix { $0 != ":" }
    guard let name = DomainName.ascii(String(host)) else { return text }
    return text[..<start] + name + text[host.endIndex...]
  }

  /// The path up to and including its last slash.
  private var folder: String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "/"
  }

  /// https://url.spec.whatwg.org/#special-scheme
  private static func isSpecial(_ scheme: String) -> Bool {
    switch scheme {
    case "file", "http", "https", "ftp", "ws", "wss": true
    default: false
    }
  }

  private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

  /// The text without surrounding control characters and spaces, and without any tabs and line ends.
  static func cleaned(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return bytes.filter { $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
  }

  /// https://url.spec.whatwg.org/#scheme-state
  static func splitScheme(_ bytes: ArraySlice<UInt8>) -> (scheme: String, rest: ArraySlice<UInt8>)? {
    guard let colon = bytes.firstIndex(where: { !isSchemeByte($0) }), bytes[colon] == UInt8(ascii: ":"), colon > bytes.startIndex,
      isLetter(bytes[bytes.startIndex])
    else { return nil }
    return (String(decoding: bytes[..<colon], as: UTF8.self).lowercased(), bytes[(colon + 1)...])
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a }
  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// Whether the byte is not in the path percent-encode set. https://url.spec.whatwg.org/#path-percent-encode-set
  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      false
    default: byte > 0x20 && byte < 0x7f
    }
  }

  private static func isQueryByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
  }

  private static func isOpaqueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7f }

  private static func encoded(_ bytes: some Collection<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if isKept(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// https://url.spec.whatwg.org/#percent-decode
  package static func percentDecoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var pending: [UInt8] = []  // a percent sign and at most one digit
    for byte in bytes {
      if let first = pending.dropFirst().first, let high = hexValue(first), let low = hexValue(byte) {
        result.append(high << 4 | low)
        pending.removeAll(keepingCapacity: true)
      } else if pending.count == 1, hexValue(byte) != nil {
        pending.append(byte)
      } else {
        result += pending
        pending.removeAll(keepingCapacity: true)
        if byte == UInt8(ascii: "%") { pending.append(byte) } else { result.append(byte) }
      }
    }
    return result + pending
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - 0x30 }
    let lower = byte | 0x20
    return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : nil
  }

  /// Removes `.` and `..` segments, also percent-encoded ones. https://url.spec.whatwg.org/#path-state
  static func removingDotSegments(_ path: String) -> String {
    let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, segment) in segments.enumerated() {
      let text = Substring(segment)
      let isLast = index == segments.count - 1
      switch text.utf8.count <= 6 ? text.lowercased().replacingEncodedDots : "" {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(text)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}

extension String {
  /// Replaces `%2e` by a dot; only for finding dot segments.
  fileprivate var replacingEncodedDots: String {
    switch self {
    case "%2e": "."
    case "%2e.", ".%2e", "%2e%2e": ".."
    default: self
    }
  }
}
