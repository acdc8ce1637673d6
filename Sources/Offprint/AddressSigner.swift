import OffprintCoreTypes

/// Makes addresses of the service that nobody can alter: HMAC-SHA256 over path and parameters, under one of several keys.
///
/// The signature covers the path and all parameters but itself. Proxies may reorder parameters of different names and re-escape all; the order
/// of those of one name is covered.
public struct AddressSigner: Sendable {
  /// A secret, and the name that addresses call it by.
  public struct Key: Hashable, Sendable {
    /// Letters, digits, `-`, `_` and `.`.
    public var name: String
    /// At least 16 bytes.
    public var secret: [UInt8]

    /// - Throws: `dataInvalid` for a name with other characters and for a secret that is too short.
    public init(name: String, secret: [UInt8]) throws(OffprintError) {
      guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy(Self.isNameByte) else {
        throw OffprintError(.dataInvalid, "The name of a key is 1 to 64 letters, digits, '-', '_' and '.'.")
      }
      guard secret.count >= 16 else { throw OffprintError(.dataInvalid, "The key '\(name)' is shorter than 16 bytes.") }
      self.name = name
      self.secret = secret
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
      PercentEncoding.encode(String(Unicode.Scalar(byte))).utf8.count == 1 && byte != UInt8(ascii: "~")
    }
  }

  /// What is wrong with an address.
  public enum Refusal: Error, Hashable, Sendable { case unsigned, unknownKey, wrongSignature, expired }

  /// The first signs, all are accepted: a new key goes to the top, an old one is removed when its addresses have expired.
  public var keys: [Key]

  public init(keys: [Key]) { self.keys = keys }

  /// Keys as a file has them: a line each, `NAME SECRET`; blank lines and those that begin with `#` do not count. Lines end in LF or CRLF.
  ///
  /// - Throws: `dataInvalid`, which names the line and never the secret.
  public init(file bytes: [UInt8]) throws(OffprintError) {
    keys = []
    for line in SecretLines(bytes).lines {
      guard line.words.count == 2 else { throw OffprintError(.dataInvalid, "Line \(line.number) of the keys is not 'NAME SECRET'.") }
      let key = try Key(name: line.name, secret: Array(line.words[1]))
      guard !keys.contains(where: { $0.name == key.name }) else {
        throw OffprintError(.dataInvalid, "Line \(line.number) of the keys has the name '\(key.name)' again.")
      }
      keys.append(key)
    }
  }

  /// The same from text.
  ///
  /// - Throws: `dataInvalid`, which names the line and never the secret.
  public init(file text: String) throws(OffprintError) { try self.init(file: Array(text.utf8)) }

  /// Adds `key`, `expires` and `signature` to an address.
  ///
  /// - Parameters:
  ///   - address: absolute, or a path; with parameters or without. A fragment is dropped.
  ///   - keyName: which key signs; nil: the first.
  ///   - expires: seconds since 1970; nil: never.
  ///   - writesName: whether a read of the address may give its image the name in the parameter `identifier`. Whoever has the address can
  ///     repeat that, and so move the name back to this image.
  ///   - owner: the token that the name then belongs to; nil: the key.
  /// - Throws: `usage` where there is no such key or the address cannot be read.
  public func sign(
    _ address: String, keyName: String? = nil, expires: Int? = nil, writesName: Bool = false, owner: String? = nil
  ) throws(OffprintError) -> String {
    guard let key = keyName.map({ name in keys.first { $0.name == name } }) ?? keys.first else {
      throw OffprintError(.usage, keyName.map { "There is no key '\($0)'." } ?? "There is no key to sign with.")
    }
    let whole = address[..<(address.firstIndex(ofByte: "#") ?? address.endIndex)]
    let mark = whole.firstIndex(ofByte: "?") ?? whole.endIndex
    guard var query = QueryItems(whole[mark...].dropFirst()), let path = Self.path(of: whole[..<mark]) else {
      throw OffprintError(.usage, "The address cannot be read: a '%' without two digits, or too many parameters.")
    }
    query.items.removeAll { Self.ownNames.contains($0.name) }
    query.items.append(.init("key", key.name))
    if let expires { query.items.append(.init("expires", "\(expires)")) }
    if writesName { query.items.append(.init("writes", Self.namePermission + (owner.map { ":\($0)" } ?? ""))) }
    guard let signature = Self.signature(path: path, query, key) else {
      throw OffprintError(.renderFailed, "The address cannot be signed.")
    }
    query.items.append(.init("signature", signature))
    return "\(whole[..<mark])?\(query.text)"
  }

  /// - Parameters:
  ///   - path: not decoded.
  ///   - now: seconds since 1970.
  /// - Throws: why the address must not be answered.
  package func verify(path: some StringProtocol, _ query: QueryItems, now: Int) throws(Refusal) {
    guard let given = query["signature"] else { throw .unsigned }
    // More than one of a kind would mean different things to different readers.
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

  /// What `writes` is in an address that may give its image a name; a colon and a token may follow.
  package static let namePermission = "name"

  /// The parameters that are the signature's own.
  package static let ownNames: Set = ["key", "expires", "writes", "signature"]

  /// Without scheme and host, decoded.
  private static func path(of address: Substring) -> String? {
    guard let start = address.range(of: "://")?.upperBound else { return PercentEncoding.decode(address.utf8) }
    guard let slash = address[start...].firstIndex(ofByte: "/") else { return "/" }
    return PercentEncoding.decode(address[slash...].utf8)
  }

  private static func signature(path: String, _ query: QueryItems, _ key: Key) -> String? {
    let items = query.items.filter { $0.name != "signature" }.map {
      (name: PercentEncoding.encode($0.name) + "=", value: PercentEncoding.encode($0.value))
    }
    // Stable, so that parameters of one name keep their order.
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
  /// As Foundation's, for ASCII.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
