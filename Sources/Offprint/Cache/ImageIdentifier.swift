import OffprintRenderCache

/// The rule for the names that callers give to images.
package enum ImageIdentifier {
  package static let mostBytes = 512

  /// A name that looks like a key would make two different images answer to one URL, one of them cacheable for ever.
  ///
  /// - Throws: `identifierInvalid`.
  package static func check(_ identifier: String?) throws(OffprintError) {
    guard let identifier else { return }
    if CacheKey.isKeyShaped(identifier) {
      throw OffprintError(.identifierInvalid, "An identifier cannot be 64 hexadecimal digits: these are the key of an image.")
    }
    if identifier.utf8.count > mostBytes {
      throw OffprintError(.identifierInvalid, "An identifier has at most \(mostBytes) bytes.")
    }
  }
}
