internal import COffprintPango

/// The blocks of 256 characters in which a face has any characters, so that missing characters are usually detected without opening the
/// file.
struct CoverageSummary: Hashable, Sendable {
  /// One bit per block; planes from the fifth on share the bits of the first four.
  private var bits = SIMD16<UInt64>(repeating: 0)

  func mayContain(_ codepoint: UInt32) -> Bool {
    let block = Int(codepoint >> 8 & 1023)
    return bits[block >> 6] & 1 << UInt64(block & 63) != 0
  }

  init(_ data: FontData, index: Int) {
    guard let set = hb_set_create() else {
      insertAll()
      return
    }
    defer { hb_set_destroy(set) }
    let face = hb_face_create(data.blob, UInt32(clamping: index))
    defer { hb_face_destroy(face) }
    hb_face_collect_unicodes(face, set)
    var first = UInt32.max, last = UInt32.max
    while hb_set_next_range(set, &first, &last) != 0 {
      for block in (first >> 8)...(last >> 8) { insert(block) }
    }
    // Symbol fonts: their characters in the private use area are also mapped from other characters.
    if !mayContain(0x20), [0xf000, 0xf100, 0xf200].contains(where: mayContain) { insertAll() }
  }

  private mutating func insert(_ block: UInt32) {
    let block = Int(block & 1023)
    bits[block >> 6] |= 1 << UInt64(block & 63)
  }

  private mutating func insertAll() { bits = SIMD16(repeating: .max) }

  init(_ reader: inout FaceRecordReader) { for index in 0..<16 { bits[index] = reader.word() } }
  func write(to writer: inout FaceRecordWriter) { for index in 0..<16 { writer.word(bits[index]) } }
}
