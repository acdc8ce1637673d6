import OffprintRenderCache

/// The rules for identifiers that callers give to images.
package enum ImageIdentifier {
  package static let maximumBytes = 512

  /// An identifier that looks like a key is rejected, because two different images would answer to one URL, one of them as immutable.
  ///
  /// - Throws: `identifierInvalid`.
  package static func check(_ identifier: String?) throws(OffprintError) {
    guard let identifier else { return }
    if CacheKey.isKeyShaped(identifier) {
      throw OffprintError(.identifierInvalid, "An identifier cannot be 64 hexadecimal digits, which is the form of a key.")
    }
    if identifier.utf8.count > maximumBytes {
      throw OffprintError(.identifierInvalid, "An identifier can have at most \(maximumBytes) bytes.")
    }
  }
}
