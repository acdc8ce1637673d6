import OffprintCoreTypes

/// Signs URLs of the service so that nobody can alter them: HMAC-SHA256 over path and parameters, with one of several keys.
///
/// The signature covers the path and all parameters except itself. Proxies may reorder parameters with different names and change the
/// percent-encoding; the order of parameters with the same name is covered.
public struct AddressSigner: Sendable {
  /// A secret, and the name that refers to it in URLs.
  public struct Key: Hashable, Sendable {
    /// Letters, digits, `-`, `_` and `.`.
    public var name: String
    /// At least 16 bytes.
    public var secret: [UInt8]

    /// - Throws: `dataInvalid` for a name with other characters, and for a secret that is too short.
    public init(name: String, secret: [UInt8]) throws(OffprintError) {
      guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy(Self.isNameByte) else {
        throw OffprintError(.dataInvalid, "The name of a key must be 1 to 64 letters, digits, '-', '_' and '.'.")
      }
      guard secret.count >= 16 else { throw OffprintError(.dataInvalid, "The key '\(name)' is shorter than 16 bytes.") }
      self.name = name
      self.secret = secret
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
      PercentEncoding.encode(String(Unicode.Scalar(byte))).utf8.count == 1 && byte != UInt8(ascii: "~")
    }
  }

  /// Why a URL was refused.
  public enum Refusal: Error, Hashable, Sendable { case unsigned, unknownKey, wrongSignature, expired }

  /// The first key signs, all verify. To rotate, put a new key first and remove the old one when its URLs have expired.
  public var keys: [Key]

  public init(keys: [Key]) { self.keys = keys }

  /// Parses a key file: one key per line, `NAME SECRET`. Blank lines and lines that begin with `#` are ignored. Lines end in LF or CRLF.
  ///
  /// - Throws: `dataInvalid`, which names the line and never the secret.
  public init(file bytes: [UInt8]) throws(OffprintError) {
    keys = []
    for line in SecretLines(bytes).lines {
      guard line.words.count == 2 else { throw OffprintError(.dataInvalid, "Line \(line.number) of the keys is not 'NAME SECRET'.") }
      let key = try Key(name: line.name, secret: Array(line.words[1]))
      guard !keys.contains(where: { $0.name == key.name }) else {
        throw OffprintError(.dataInvalid, "Line \(line.number) of the keys repeats the name '\(key.name)'.")
      }
      keys.append(key)
    }
  }

  /// Parses the text of a key file.
  ///
  /// - Throws: `dataInvalid`, which names the line and never the secret.
  public init(file text: String) throws(OffprintError) { try self.init(file: Array(text.utf8)) }

  /// Adds `key`, `expires` and `signature` to a URL. In the short URL of a preset, `/p/PRESET/-/ATTRIBUTES.FORMAT`, the signature replaces
  /// the `-`, and `expires` is added to the attributes.
  ///
  /// - Parameters:
  ///   - address: An absolute URL or a path, with or without a query. A fragment is removed.
  ///   - keyName: The key that signs; nil for the first.
  ///   - expires: Seconds since 1970; nil if it does not expire.
  ///   - writesName: Whether a read of the URL may assign the identifier in the parameter `identifier` to its image. Anyone who has the URL
  ///     can
  ///     repeat the request, and so move the identifier back to this image.
  ///   - owner: The token that then owns the identifier; nil for the key.
  /// - Throws: `usage` if the key does not exist or the URL cannot be parsed.
  public func sign(
    _ address: String, keyName: String? = nil, expires: Int? = nil, writesName: Bool = false, owner: String? = nil
  ) throws(OffprintError) -> String {
    guard let key = keyName.map({ name in keys.first { $0.name == name } }) ?? keys.first else {
      throw OffprintError(.usage, keyName.map { "There is no key '\($0)'." } ?? "There is no signing key.")
    }
    let whole = address[..<(address.firstIndex(ofByte: "#") ?? address.endIndex)]
    let mark = whole.firstIndex(ofByte: "?") ?? whole.endIndex
    let start = Self.pathStart(of: whole[..<mark])
    guard start == mark ? start != whole.startIndex : whole.utf8[start] == UInt8(ascii: "/") else {
      throw OffprintError(
        .usage, "'\(address.prefix(100))' is neither a path that begins with '/' nor an absolute URL such as https://img.example.org/….")
    }
    if PresetPath.matches(whole[start..<mark]) {
      return try signPreset(
        origin: whole[..<start], path: whole[start..<mark], query: whole[mark...], key, expires: expires, writesName: writesName)
    }
    guard var query = QueryItems(whole[mark...].dropFirst()), let path = Self.path(of: whole[..<mark]) else {
      throw OffprintError(.usage, "The URL is invalid: it has a '%' without two digits, or too many parameters.")
    }
    query.items.removeAll { Self.ownNames.contains($0.name) }
    query.items.append(.init("key", key.name))
    if let expires { query.items.append(.init("expires", "\(expires)")) }
    if writesName { query.items.append(.init("writes", Self.namePermission + (owner.map { ":\($0)" } ?? ""))) }
    guard let signature = Self.signature(path: path, query, key) else {
      throw OffprintError(.renderFailed, "The URL cannot be signed.")
    }
    query.items.append(.init("signature", signature))
    return "\(whole[..<mark])?\(query.text)"
  }

  /// - Parameters:
  ///   - path: Percent-encoded.
  ///   - now: Seconds since 1970.
  /// - Throws: Why the URL is refused.
  package func verify(path: some StringProtocol, _ query: QueryItems, now: Int) throws(Refusal) {
    guard let given = query["signature"] else { throw .unsigned }
    // Repeated parameters could be interpreted differently by different parsers.
    guard Self.ownNames.allSatisfy({ query.all($0).count <= 1 }) else { throw .wrongSignature }
    guard let path = PercentEncoding.decode(path.utf8) else { throw .wrongSignature }
    guard let key = query["key"].map({ name in keys.first { $0.name == name } }) ?? keys.first else { throw .unknownKey }
    guard let right = Self.signature(path: path, query, key), HMACSHA256.areEqual(Array(given.utf8), Array(right.utf8)) else {
      throw .wrongSignature
    }
    if let expires = query["expires"] {
      guard let time = Int(expires), time > now else { throw .expired }
    }
  }

  /// The value of `writes` in a URL that may assign an identifier; may be followed by a colon and a token.
  package static let namePermission = "name"

  /// The parameters added by signing.
  package static let ownNames: Set = ["key", "expires", "writes", "signature"]

  /// The path without scheme and host, percent-decoded.
  private static func path(of address: Substring) -> String? {
    let path = address[pathStart(of: address)...]
    return path.isEmpty && !address.isEmpty ? "/" : PercentEncoding.decode(path.utf8)
  }

  /// The index after the scheme and host.
  private static func pathStart(of address: Substring) -> Substring.Index {
    guard let host = address.range(of: "://")?.upperBound else { return address.startIndex }
    return address[host...].firstIndex(ofByte: "/") ?? address.endIndex
  }

  /// The signature of a decoded path and its parameters, in base64url; nil if it cannot be computed.
  package static func signature(path: String, _ query: QueryItems, _ key: Key) -> String? {
    let items = query.items.filter { $0.name != "signature" }.map {
      (name: PercentEncoding.encode($0.name) + "=", value: PercentEncoding.encode($0.value))
    }
    // The sort is stable, so parameters with the same name keep their order.
    let covered = items.enumerated().sorted { a, b in
      a.element.name == b.element.name ? a.offset < b.offset : a.element.name < b.element.name
    }.map { $0.element.name + $0.element.value }
    let message = "offprint-address-1\n\(path)\n\(covered.joined(separator: "&"))"
    guard let code = HMACSHA256.code(Array(message.utf8), key: key.secret) else { return nil }
    return Base64.encode(code).compactMap(urlSafe).map(String.init).joined()
  }

  /// https://www.rfc-editor.org/rfc/rfc4648#section-5
  private static func urlSafe(_ character: Character) -> Character? {
    switch character {
    case "+": "-"
    case "/": "_"
    case "=": nil
    default: character
    }
  }
}

extension StringProtocol {
  /// Like Foundation's method, for ASCII text.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
