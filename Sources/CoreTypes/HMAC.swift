internal import COffprintGLib

/// HMAC-SHA256 (RFC 2104, FIPS 198-1).
public enum HMACSHA256 {
  /// The 32 bytes of the code of `message` under `key`; nil if GLib does not support the digest. Callers must not treat nil as a match.
  public static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8]? {
    guard let hmac = key.withUnsafeBufferPointer({ g_hmac_new(G_CHECKSUM_SHA256, $0.baseAddress, gsize($0.count)) }) else { return nil }
    defer { g_hmac_unref(hmac) }
    message.withUnsafeBufferPointer { if $0.count > 0 { g_hmac_update(hmac, $0.baseAddress, gssize($0.count)) } }
    var length = gsize(SHA256.byteCount)
    return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
      g_hmac_get_digest(hmac, buffer.baseAddress, &length)
      count = min(Int(length), SHA256.byteCount)
    }
  }

  /// Whether two secrets are equal, in time that does not depend on where they differ.
  public static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for (x, y) in zip(a, b) { difference |= x ^ y }
    return difference == 0
  }
}
