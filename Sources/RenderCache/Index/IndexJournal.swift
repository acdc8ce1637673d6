import OffprintCoreTypes
internal import Glibc

/// A text log of stored entries beside the index. If the index is lost or damaged, entries and their dependencies are restored from it.
/// There is one file per folder of values, `journal/ab`. Each store appends its record under the index's write lock; the last record of a
/// key is the valid one. Records contain no hit counts, and the journal is not read while the index is sound. A value without a record is
/// merely collected when the index is rebuilt, so failures to write the journal are ignored.
struct IndexJournal {
  let folder: String

  /// A larger file is rewritten without the records of removed values.
  private static let smallest = 256 << 10
  private static let largest = 1 << 30

  func append(_ record: CacheRecord) {
    let path = folder + "/" + record.key.description.prefix(2)
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var file = open(path, flags, 0o666)
    if file < 0, errno == ENOENT, mkdir(folder, 0o777) == 0 { file = open(path, flags, 0o666) }
    guard file >= 0 else { return }
    defer { close(file) }
    guard let status = FileSystem.Status(file), status.isRegular, status.size < Self.largest else { return }
    // The line feed ends an incomplete record left by a writer that died.
    _ = FileDescriptorIO.write([UInt8(ascii: "\n")] + RecordText.encode(record), to: file)
  }

  /// The records of a file, the last of each key, sorted by key. Incomplete records are skipped.
  func records(_ prefix: String) -> [CacheRecord] {
    guard let text = FileSystem.read(folder + "/" + prefix, limit: Self.largest) else { return [] }
    var records: [CacheKey: CacheRecord] = [:]
    let header = Array(RecordText.header.utf8)
    var start: Int?
    var line = 0
    while line < text.count {
      let end = text[line...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      if text[line..<end].elementsEqual(header) { start = line }
      if let first = start, text[line..<end].elementsEqual("end".utf8) {
        if let record = RecordText.decode(text[first..<end]) { records[record.key] = record }
        start = nil
      }
      line = end + 1
    }
    return records.values.sorted { $0.key.description < $1.key.description }
  }

  var files: [String] { prefixes.map { folder + "/" + $0 } }

  var prefixes: [String] { FileSystem.names(in: folder).filter(ObjectFolder.isPrefix) }

  /// Adds the entries a new index lacks, if their files exist with the recorded size.
  func restore(to db: SQLiteDatabase) throws {
    let objects = CacheFolder(path: String(folder.dropLast("/journal".utf8.count))).objects
    for prefix in prefixes {
      let found = records(prefix).filter { record in
        guard record.key.description.hasPrefix(prefix), record.size <= 1 << 40,
          let status = FileSystem.status(objects.path(record.key), followsLinks: false)
        else { return false }
        return status.isRegular && status.size == record.size
      }
      try db.transaction {
        for record in found where try db.first("SELECT 1 FROM entry WHERE key = ?", [SQLiteValue(record.key)], { _ in true }) == nil {
          try IndexRows.write(db, record)
        }
      }
    }
  }

  // MARK: Compaction

  /// The files that have grown to more than twice the size their values need.
  func overgrown(_ needed: (String) -> Int) -> [String] {
    prefixes.filter { prefix in
      guard let size = FileSystem.status(folder + "/" + prefix, followsLinks: false)?.size, size > Self.smallest else { return false }
      return size > 2 * Int64(needed(prefix))
    }
  }

  /// Replaces the contents of a file. The caller holds the index's write lock.
  func rewrite(_ prefix: String, _ records: [CacheRecord], temporary: String) {
    let text = records.flatMap(RecordText.encode)
    guard (try? FileSystem.write(text, to: temporary, synchronized: false)) != nil else { return }
    if rename(temporary, folder + "/" + prefix) != 0 { unlink(temporary) }
  }

  func removeAll() {
    for prefix in prefixes { unlink(folder + "/" + prefix) }
    rmdir(folder)
  }
}
