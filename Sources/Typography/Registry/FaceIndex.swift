internal import Glibc

/// A cache of face information by the device, inode, size and times of font files, so that unchanged files need not be opened.
///
/// A single file with a digest of its contents, replaced atomically; a damaged file or one of another version is ignored.
struct FaceIndex {
  /// A font file, or another file of which only the digest is stored.
  struct File {
    var digest: FontDigest
    /// By their indexes in the file.
    var faces: [(index: Int, info: FaceInfo)]
  }

  private let path: String?
  private var known: [FileKey: Range<Int>] = [:]
  private var file: MappedFile?
  private var used: [(key: FileKey, record: [UInt8])] = []
  private var isChanged = false
  private static let magic: UInt64 = 0x4f46_5046_4f4e_5435
  private static let maximumFileSize = 64 << 20

  init(directory: String?) {
    path = directory.map { $0 + "/fonts.index" }
    load()
  }

  private mutating func load() {
    guard let path, let mapped = MappedFile(path: path, largest: Self.maximumFileSize) else { return }
    var reader = FaceRecordReader(bytes: mapped.bytes, range: 0..<mapped.bytes.count)
    guard mapped.bytes.count > 24, reader.word() == Self.magic, reader.word() == FontHasher.checksum(mapped.bytes, from: 24) else { return }
    let count = Int(clamping: reader.word())
    known.reserveCapacity(min(count, 65_536))
    for _ in 0..<count where !reader.hasFailed {
      let key = FileKey(&reader), length = Int(clamping: reader.word())
      guard let record = reader.take(length) else { return known.removeAll() }
      known[key] = record
    }
    file = mapped
  }

  /// The information about a file, from the cache or from `read`.
  mutating func file(_ status: stat, read: () -> File?) -> File? {
    let key = FileKey(status)
    if let range = known[key], let bytes = file?.bytes, let known = File(bytes, range) {
      used.append((key, Array(bytes[range])))
      return known
    }
    guard let file = read() else { return nil }
    // A file modified a moment ago can be modified again within the clock's resolution.
    if path != nil, status.st_ctim.tv_sec + 2 < Glibc.time(nil) {
      var writer = FaceRecordWriter()
      file.write(to: &writer)
      used.append((key, writer.bytes))
      isChanged = true
    }
    return file
  }

  /// Saves the entries that were used, and others as far as there is space. Failures are ignored.
  func save() {
    guard let path, isChanged else { return }
    var writer = FaceRecordWriter(), total = 0, records = used
    let asked = Set(used.map(\.key))
    let others = known.filter { !asked.contains($0.key) }.sorted { ($0.key.inode, $0.key.modified) < ($1.key.inode, $1.key.modified) }
    for (key, range) in others.prefix(max(0, 8192 - records.count)) { if let file { records.append((key, Array(file.bytes[range]))) } }
    writer.word(UInt64(records.count))
    for (key, record) in records {
      key.write(to: &writer)
      writer.word(UInt64(record.count))
      writer.bytes += record
      total += record.count
    }
    guard total < Self.maximumFileSize / 2 else { return }
    var head = FaceRecordWriter()
    head.word(Self.magic)
    // The number of records is not covered by the checksum, because it is validated while reading.
    head.word(writer.bytes.withUnsafeBytes { FontHasher.checksum($0, from: 8) })
    AtomicFile.write(head.bytes + writer.bytes, path)
  }
}

extension FaceIndex.File {
  init?(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    var reader = FaceRecordReader(bytes: bytes, range: range)
    digest = FontDigest(high: reader.word(), low: reader.word())
    faces = reader.list { ($0.number(), FaceInfo(&$0)) }
    if reader.hasFailed { return nil }
  }

  func write(to writer: inout FaceRecordWriter) {
    writer.word(digest.high)
    writer.word(digest.low)
    writer.number(faces.count)
    for face in faces {
      writer.number(face.index)
      face.info.write(to: &writer)
    }
  }
}
