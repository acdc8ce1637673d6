internal import Glibc

/// A registry stored by an earlier process, in a memory-mapped file that is read on demand: names are looked up in a hash table, and faces
/// are created on first use. It is valid while everything that was scanned for it is unchanged.
///
/// The caches of https://www.freedesktop.org/software/fontconfig/fontconfig-devel/ are similar, but rely on modification times of folders
/// only; here, a file that is rewritten in place is detected as well.
final class FontCatalog: Sendable {
  /// The words at the beginning of a catalog.
  enum Word: Int, CaseIterable {
    case magic, checksum, digestHigh, digestLow, faceCount, slotCount, order, places, problems, faces, fallbacks, slots
    static var size: Int { allCases.count * 8 }
  }

  static let magic: UInt64 = 0x4f46_5043_4154_4c31
  static let maximumFileSize = 64 << 20
  let file: MappedFile
  let faceCount: Int
  let digest: FontDigest

  /// - Returns: Nil if there is no catalog, or it is not valid any more.
  init?(directory: String, _ order: FontOrder) {
    let path = Self.path(directory, order)
    guard let file = MappedFile(path: path, largest: Self.maximumFileSize), file.bytes.count > Word.size else { return nil }
    self.file = file
    func word(_ word: Word) -> UInt64 { Self.word(file, word) }
    guard word(.magic) == Self.magic, word(.checksum) == FontHasher.checksum(file.bytes, from: 16) else { return nil }
    faceCount = Int(clamping: word(.faceCount))
    digest = FontDigest(high: word(.digestHigh), low: word(.digestLow))
    guard faceCount <= file.bytes.count / 8, slotCount.nonzeroBitCount == 1 else { return nil }
    var reader = reader(at: .order)
    guard reader.longText() == order.text, FontFolderCheck(self).holds() else { return nil }
  }

  /// At most sixteen catalogs are stored.
  static func path(_ directory: String, _ order: FontOrder) -> String {
    "\(directory)/fonts-\(String(hash(order.text.utf8) & 15, radix: 16)).catalog"
  }

  private static func word(_ file: MappedFile, _ word: Word) -> UInt64 {
    UInt64(littleEndian: file.bytes.loadUnaligned(fromByteOffset: word.rawValue * 8, as: UInt64.self))
  }

  private var slotCount: Int { Int(clamping: Self.word(file, .slotCount)) }

  func reader(at section: Word) -> FaceRecordReader { reader(at: Int(clamping: Self.word(file, section))) }

  private func reader(at offset: Int) -> FaceRecordReader {
    FaceRecordReader(bytes: file.bytes, range: min(offset, file.bytes.count)..<file.bytes.count)
  }

  /// A number in a table.
  private func number(_ section: Word, _ index: Int) -> Int {
    let (offset, overflows) = Int(clamping: Self.word(file, section)).addingReportingOverflow(index &* 8)
    if overflows || index < 0 { return 0 }
    var reader = reader(at: offset)
    return reader.number()
  }

  // MARK: Faces

  func face(_ index: Int) -> FontFace {
    var reader = reader(at: number(.faces, index))
    let place = reader.number(), digest = FontDigest(high: reader.word(), low: reader.word()), path = reader.text()
    return FontFace(data: nil, index: place, info: FaceInfo(&reader), path: path, digest: digest)
  }

  var paths: [String] {
    (0..<faceCount).map { index in
      var reader = reader(at: number(.faces, index))
      _ = reader.take(24)
      return reader.text()
    }
  }

  var fallbackOrder: [Int] {
    var reader = reader(at: .fallbacks)
    return (0..<faceCount).map { _ in min(max(reader.number(), 0), faceCount - 1) }
  }

  // MARK: Names

  /// The faces of a family, and the single face, with a lowercase name.
  func entry(_ name: String) -> (family: [Int], face: Int?)? {
    var slot = Int(truncatingIfNeeded: Self.hash(name.utf8)) & (slotCount - 1)
    for _ in 0..<slotCount {
      let offset = number(.slots, slot)
      if offset == 0 { return nil }
      var reader = reader(at: offset)
      if reader.utf8().elementsEqual(name.utf8) {
        let face = reader.number()
        return (reader.list { $0.number() }.filter { 0 <= $0 && $0 < faceCount }, 0 <= face && face < faceCount ? face : nil)
      }
      slot = (slot + 1) & (slotCount - 1)
    }
    return nil
  }

  /// http://www.isthe.com/chongo/tech/comp/fnv/ (FNV-1a)
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash ^ hash >> 32
  }

  // MARK: Problems, hyphenation and duplicates

  var problems: [String] {
    var reader = reader(at: .problems)
    return reader.list { $0.text() }
  }

  var hyphenations: [HyphenationDictionary] {
    var reader = reader(at: .problems)
    _ = reader.list { $0.text() }
    return reader.list {
      HyphenationDictionary(language: $0.text(), path: $0.text(), digest: FontDigest(high: $0.word(), low: $0.word()))
    }
  }

  var duplicates: [(path: String, of: String)] {
    var reader = reader(at: .problems)
    _ = reader.list { $0.text() }
    _ = reader.list { ($0.text(), $0.text(), $0.word(), $0.word()) }
    return reader.list { ($0.text(), $0.text()) }
  }
}
