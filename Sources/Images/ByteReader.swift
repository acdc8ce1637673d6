/// Reads numbers from a file's bytes with bounds checks. Out-of-bounds reads return nil.
struct ByteReader {
  let bytes: [UInt8]

  func byte(_ offset: Int) -> Int? { offset >= 0 && offset < bytes.count ? Int(bytes[offset]) : nil }

  func little16(_ offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - 2 else { return nil }
    return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  func little24(_ offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - 3 else { return nil }
    return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
  }

  func little32(_ offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16 | Int(bytes[offset + 3]) << 24
  }

  func big16(_ offset: Int) -> Int? { little16(offset).map { ($0 & 255) << 8 | $0 >> 8 } }

  func big32(_ offset: Int) -> Int? { little32(offset).map { Int(UInt32($0).byteSwapped) } }

  /// A signed 32-bit number.
  func signed32(_ offset: Int) -> Int? { little32(offset).map { Int(Int32(truncatingIfNeeded: $0)) } }

  func hasASCII(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset <= bytes.count - text.utf8CodeUnitCount else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
  }
}
