/// A 128-bit hash of bytes, for distinguishing contents. It is not collision-resistant against deliberate attacks.
@frozen public struct FontDigest: Hashable, Sendable, BitwiseCopyable {
  public var high: UInt64
  public var low: UInt64
  @inlinable public init(high: UInt64, low: UInt64) { self.high = high; self.low = low }

  /// 32 hexadecimal digits.
  public var hex: String {
    func digits(_ value: UInt64) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(high) + digits(low)
  }
}

/// Uses four independent lanes of multiply-and-fold on eight bytes, so that its speed is close to that of memory.
struct FontHasher {
  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
    0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93
  )

  mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) { update(UnsafeRawBufferPointer(bytes)) }

  mutating func update(_ raw: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 32 <= raw.count {
      Self.fold(&lanes.0, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      Self.fold(&lanes.1, raw.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
      Self.fold(&lanes.2, raw.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
      Self.fold(&lanes.3, raw.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
      offset += 32
    }
    while offset < raw.count {
      Self.fold(&lanes.0, UInt64(raw[offset]))
      offset += 1
    }
    update(UInt64(raw.count))
  }

  /// A checksum of the bytes from an offset, for detecting damage.
  static func checksum(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    var hasher = FontHasher()
    if start <= bytes.count { hasher.update(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    let digest = hasher.finish()
    return digest.high ^ digest.low
  }

  mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update($0) }
  }

  mutating func update(_ value: UInt64) { Self.fold(&lanes.1, value) }

  mutating func update(_ digest: FontDigest) {
    update(digest.high)
    update(digest.low)
  }

  func finish() -> FontDigest {
    var high = lanes.0, low = lanes.2
    Self.fold(&high, lanes.1)
    Self.fold(&high, lanes.3)
    Self.fold(&low, lanes.3)
    Self.fold(&low, lanes.1 ^ lanes.0)
    return FontDigest(high: high, low: low)
  }

  /// Multiplies the state by an odd number, so that no input word can keep it zero.
  @inline(__always)
  private static func fold(_ state: inout UInt64, _ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    state = (product.high ^ product.low) &+ state.byteSwapped &+ 0xe703_7ed1_a0b4_28db
  }
}
