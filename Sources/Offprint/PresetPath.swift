import OffprintCoreTypes

/// The parts of a short URL: `/p/{preset}/{signature}/{attributes}`, where the attributes are written as in a query, and an extension names
/// the format: `/p/card/SIGNATURE/title=Hello.webp`. `-` stands for no attributes, and for the signature of a URL that is not signed.
package struct PresetPath: Hashable, Sendable {
  package var preset: String
  package var signature: String
  package var attributes: QueryItems
  package var format: EncodedImageFormat?
  package var fileExtension: String?

  private static let prefix = "/p/"

  /// Whether a path is one of a preset, even an invalid one.
  package static func matches(_ path: some StringProtocol) -> Bool { path.utf8.starts(with: prefix.utf8) }

  /// - Parameter path: Percent-encoded: decoded, a value could contain separators.
  /// - Returns: Nil if it has other parts, invalid percent-encoding, or too many attributes.
  package init?(_ path: some StringProtocol) {
    guard Self.matches(path) else { return nil }
    let parts = Substring(path).dropFirst(Self.prefix.utf8.count).split(byte: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let preset = PercentEncoding.decode(parts[0].utf8), let signature = PercentEncoding.decode(parts[1].utf8),
      !preset.isEmpty, !signature.isEmpty
    else { return nil }
    (self.preset, self.signature) = (preset, signature)
    var text = parts[2]
    if let dot = text.lastIndex(ofByte: "."), let format = EncodedImageFormat(fileExtension: text[text.index(after: dot)...]),
      format != .raw
    {
      (self.format, fileExtension) = (format, format.rawValue)
      text = text[..<dot]
    }
    guard let attributes = QueryItems(text == "-" ? "" : text) else { return nil }
    self.attributes = attributes
  }

  package init(preset: String, attributes: QueryItems, fileExtension: String?) {
    self.preset = preset
    signature = ""
    self.attributes = attributes
    self.fileExtension = fileExtension
  }

  /// The number of characters of a signature: 132 bits.
  private static let length = 22

  private func signature(_ key: AddressSigner.Key) -> String? {
    var items = attributes
    items.items.append(.init("format", fileExtension ?? ""))
    return AddressSigner.signature(path: "\(Self.prefix)\(preset)", items, key).map { String($0.prefix(Self.length)) }
  }

  /// - Parameter now: Seconds since 1970.
  /// - Throws: Why the URL is refused.
  package func verify(_ signer: AddressSigner, now: Int) throws(AddressSigner.Refusal) {
    let isRight = signer.keys.contains { key in
      signature(key).map { HMACSHA256.areEqual(Array($0.utf8), Array(signature.utf8)) } ?? false
    }
    guard isRight else { throw .wrongSignature }
    if let expires = attributes["expires"] {
      guard let time = Int(expires), time > now else { throw .expired }
    }
  }

  /// The path with the signature of a key, or `-` without one.
  package func signed(_ key: AddressSigner.Key?) -> String {
    let code = key.flatMap(signature) ?? "-"
    let text = attributes.items.isEmpty ? "-" : attributes.text
    return "\(Self.prefix)\(PercentEncoding.encode(preset))/\(code)/\(text)\(fileExtension.map { ".\($0)" } ?? "")"
  }
}

extension AddressSigner {
  /// Signs the short URL of a preset, whose signature is part of the path.
  ///
  /// - Parameters:
  ///   - origin: The part of the URL before its path.
  ///   - path: Percent-encoded.
  ///   - query: The part of the URL after its path.
  /// - Throws: `usage` if the URL has a query or is invalid.
  func signPreset(
    origin: Substring, path: Substring, query: Substring, _ key: Key, expires: Int?, writesName: Bool
  ) throws(OffprintError) -> String {
    guard query.isEmpty, var preset = PresetPath(path) else {
      throw OffprintError(.usage, "The URL of a preset must be /p/PRESET/-/ATTRIBUTES.FORMAT, where '-' is the signature to replace.")
    }
    guard !writesName else { throw OffprintError(.usage, "The URL of a preset cannot write an identifier.") }
    preset.attributes.items.removeAll { $0.name == "expires" }
    if let expires { preset.attributes.items.append(.init("expires", "\(expires)")) }
    return "\(origin)\(preset.signed(key))"
  }
}
