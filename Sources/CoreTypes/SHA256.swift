internal import COffprintGLib

/// Incremental SHA-256 (FIPS 180-4). It is a value type: copies continue independently.
public struct SHA256: Sendable {
  /// GLib's state; freed with the last copy.
  private final class Storage: @unchecked Sendable {
    let checksum: OpaquePointer?
    init(_ checksum: OpaquePointer?) { self.checksum = checksum }
    deinit { if let checksum { g_checksum_free(checksum) } }
  }

  public static let byteCount = 32
  private var storage = Storage(g_checksum_new(G_CHECKSUM_SHA256))

  public init() {}

  public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&storage) { storage = copy() }
    let step = Int(Int32.max)
    var start = 0
    while start < bytes.count {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + step, bytes.count)])
      g_checksum_update(storage.checksum, piece.bindMemory(to: UInt8.self).baseAddress, gssize(piece.count))
      start += piece.count
    }
  }

  /// The 32 bytes of the digest of the input so far; more input may follow.
  public func digest() -> [UInt8] { Self.digest(copy()) }

  /// The digest of `bytes`.
  public static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return digest(hash.storage)
  }

  /// Finishes `storage`, which must not be updated afterwards.
  private static func digest(_ storage: Storage) -> [UInt8] {
    var length = gsize(byteCount)
    return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      g_checksum_get_digest(storage.checksum, buffer.baseAddress, &length)
      count = min(Int(length), byteCount)
    }
  }

  private func copy() -> Storage { Storage(storage.checksum.flatMap { g_checksum_copy($0) }) }
}
