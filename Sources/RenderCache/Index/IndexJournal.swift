import OffprintCoreTypes
internal import Glibc

/// What was stored, as text beside the index: should that be lost or damaged, entries and what they depend on are found again here.
/// A file a folder of values, `journal/ab`, to which each store appends its record under the index's write lock; the last record of a key
/// counts. A record says nothing about hits, and nothing reads it while the index is sound. A value without its record is only collected, so
/// writing it may fail.
struct IndexJournal {
  let folder: String

  /// Above this a file is written anew without the records of values that are gone.
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
    // On a line of its own, even after half a record of a writer that died.
    _ = Descriptor.write([UInt8(ascii: "\n")] + RecordText.encode(record), to: file)
  }

  /// The records of a file, the last of each key, in the order of their keys. Half a record, of a process that died, is passed over.
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

  /// Adds to a new index the entries it lacks and whose files are there with the size they had.
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

  // MARK: Keeping it short

  /// The files that have grown to more than twice what their values need.
  func overgrown(_ needed: (String) -> Int) -> [String] {
    prefixes.filter { prefix in
      guard let size = FileSystem.status(folder + "/" + prefix, followsLinks: false)?.size, size > Self.smallest else { return false }
      return size > 2 * Int64(needed(prefix))
    }
  }

  /// Replaces a file by the records given. Under the index's write lock.
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
