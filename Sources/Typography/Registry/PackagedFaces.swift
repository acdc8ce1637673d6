internal import Glibc

/// Information about the bundled fonts in a file beside them, so that processes without a cache need not read the fonts completely.
///
/// A font is identified by its size and its table directory, which contains a checksum of each table. Unlike a digest of all bytes this is
/// no proof, so keys of cached images never depend on it.
/// https://learn.microsoft.com/en-us/typography/opentype/spec/otff#table-directory
struct PackagedFaces {
  private var ranges: [FontDigest: Range<Int>] = [:]
  private let file: MappedFile
  private let folder: String
  private static let magic: UInt64 = 0x4f46_5046_4143_4531
  private static let maximumFileSize = 1 << 20
  private static let name = "packaged.faces"

  /// The file in `folder`; nil if it does not exist or is damaged.
  init?(folder: String) {
    guard let mapped = MappedFile(path: "\(folder)/\(Self.name)", largest: Self.maximumFileSize) else { return nil }
    file = mapped
    self.folder = "\(folder)/"
    var reader = FaceRecordReader(bytes: mapped.bytes, range: 0..<mapped.bytes.count)
    guard reader.word() == Self.magic, reader.word() == FontHasher.checksum(mapped.bytes, from: 16) else { return nil }
    for _ in 0..<max(reader.number(), 0) where !reader.hasFailed {
      let key = FontDigest(high: reader.word(), low: reader.word())
      ranges[key] = reader.take(reader.number())
    }
    if reader.hasFailed { return nil }
  }

  func file(_ path: String, _ status: stat) -> FaceIndex.File? {
    guard path.hasPrefix(folder), let key = Self.key(path, UInt64(clamping: status.st_size)), let range = ranges[key] else { return nil }
    return FaceIndex.File(file.bytes, range)
  }

  /// A digest of a font's size and table directory; nil if it has none.
  private static func key(_ path: String, _ size: UInt64) -> FontDigest? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { head in
      let count = pread(file, head.baseAddress, head.count, 0)
      guard count >= 12 else { return nil }
      let end = 12 + 16 * (Int(head[4]) << 8 | Int(head[5]))
      guard end <= count else { return nil }
      var hasher = FontHasher()
      hasher.update(size)
      hasher.update(UnsafeRawBufferPointer(rebasing: head[..<end]))
      return hasher.finish()
    }
  }

  /// Writes the file for the fonts at `paths` into `folder`.
  static func write(_ paths: [String], folder: String) {
    var body = FaceRecordWriter()
    body.number(paths.count)
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0, let key = key(path, UInt64(clamping: status.st_size)), let data = FontData(path: path) else { return }
      var record = FaceRecordWriter()
      FontScanner.file(data).write(to: &record)
      body.word(key.high)
      body.word(key.low)
      body.number(record.bytes.count)
      body.bytes += record.bytes
    }
    var head = FaceRecordWriter()
    head.word(magic)
    head.word(body.bytes.withUnsafeBytes { FontHasher.checksum($0, from: 0) })
    AtomicFile.write(head.bytes + body.bytes, "\(folder)/\(name)")
  }
}
