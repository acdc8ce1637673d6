internal import COffprintPango

/// https://www.w3.org/TR/WOFF/ and https://www.w3.org/TR/WOFF2/
enum WOFF {
  private static let maximumSize = 32 << 20

  static func isWOFF(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x77, 0x4f, 0x46, 0x46]) }

  static func isWOFF2(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x77, 0x4f, 0x46, 0x32]) }

  /// The uncompressed size according to the header.
  static func declaredSize(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBufferPointer { SFNTReader(bytes: $0).u32(16) } }

  /// The decoded OpenType file; nil if it is damaged or too large.
  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    isWOFF2(bytes) ? decode2(bytes) : decode1(bytes)
  }

  /// FreeType decodes and rebuilds the file when opening it, and returns it as the table without a tag.
  private static func decode2(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 48, let size = FT_Long(exactly: bytes.count) else { return nil }
    let declared = bytes.withUnsafeBufferPointer { SFNTReader(bytes: $0).u32(16) }
    guard declared <= maximumSize, let size2 = unpackedSize2(bytes), size2 <= maximumSize else { return nil }
    var library: FT_Library?
    guard FT_Init_FreeType(&library) == 0 else { return nil }
    defer { FT_Done_FreeType(library) }
    return bytes.withUnsafeBufferPointer { buffer -> [UInt8]? in
      var face: FT_Face?
      guard FT_New_Memory_Face(library, buffer.baseAddress, size, 0, &face) == 0, let face else { return nil }
      defer { FT_Done_Face(face) }
      var length: FT_ULong = 0
      guard FT_Load_Sfnt_Table(face, 0, 0, nil, &length) == 0, length > 12, length <= FT_ULong(maximumSize) else { return nil }
      var failed = false
      let result = [UInt8](unsafeUninitializedCapacity: Int(length)) { output, count in
        failed = FT_Load_Sfnt_Table(face, 0, 0, output.baseAddress, &length) != 0
        count = failed ? 0 : Int(length)
      }
      return failed ? nil : result
    }
  }

  /// The uncompressed size according to the table directory of a WOFF 2 file; nil if it cannot be parsed.
  /// https://www.w3.org/TR/WOFF2/#table_dir_format
  private static func unpackedSize2(_ bytes: [UInt8]) -> Int? {
    var place = 48, total = 0
    func number() -> Int? {
      var result = 0
      for count in 0..<5 {
        guard place < bytes.count, count > 0 || bytes[place] != 0x80, result >> 25 == 0 else { return nil }
        let byte = bytes[place]
        place += 1
        result = result << 7 | Int(byte & 0x7f)
        if byte & 0x80 == 0 { return result }
      }
      return nil
    }
    for _ in 0..<(Int(bytes[12]) << 8 | Int(bytes[13])) {
      guard place < bytes.count else { return nil }
      let flags = bytes[place]
      place += flags & 0x3f == 0x3f ? 5 : 1
      guard let length = number() else { return nil }
      // For 'glyf' and 'loca' (10, 11), version 3 is the null transform; for all other tables, version 0.
      let isTransformed = [10, 11].contains(flags & 0x3f) ? flags >> 6 != 3 : flags >> 6 != 0
      guard let packed = isTransformed ? number() : 0 else { return nil }
      total += max(length, packed)
      if total > maximumSize { return total }
    }
    return total
  }

  private static func decode1(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBufferPointer { buffer in
      let reader = SFNTReader(bytes: buffer)
      let count = reader.u16(12), total = reader.u32(16)
      guard count > 0, count <= 512, total <= maximumSize, buffer.count >= 44 + 20 * count else { return nil }
      var header: [UInt8] = []
      append32(&header, reader.u32(4))
      append16(&header, count)
      let power = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
      append16(&header, power * 16)
      append16(&header, power.trailingZeroBitCount)
      append16(&header, (count - power) * 16)
      var body: [UInt8] = []
      let start = 12 + 16 * count
      for index in 0..<count {
        let entry = 44 + 20 * index
        let offset = reader.u32(entry + 4), packed = reader.u32(entry + 8), length = reader.u32(entry + 12)
        guard offset <= buffer.count, packed <= buffer.count - offset, packed <= length,
          length <= maximumSize - body.count, let table = inflate(UnsafeBufferPointer(rebasing: buffer[offset..<offset + packed]), length)
        else { return nil }
        append32(&header, reader.u32(entry))
        append32(&header, reader.u32(entry + 16))
        append32(&header, start + body.count)
        append32(&header, length)
        body += table
        while body.count % 4 != 0 { body.append(0) }
      }
      return header + body
    }
  }

  private static func inflate(_ packed: UnsafeBufferPointer<UInt8>, _ length: Int) -> [UInt8]? {
    if packed.count == length { return Array(packed) }
    guard let source = packed.baseAddress else { return nil }
    var size = length
    let result = [UInt8](unsafeUninitializedCapacity: length) { output, count in
      count = offprint_inflate(output.baseAddress, &size, source, packed.count) == 0 ? size : 0
    }
    return result.count == length ? result : nil
  }

  private static func append16(_ bytes: inout [UInt8], _ value: Int) {
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  private static func append32(_ bytes: inout [UInt8], _ value: Int) {
    append16(&bytes, value >> 16)
    append16(&bytes, value)
  }
}
