internal import OffprintCoreTypes
internal import Glibc

/// The result of an import.
package struct CacheImport: Hashable, Sendable {
  package var added = 0
  /// Entries that existed already.
  package var existing = 0
  /// Entries rejected because the checksum was wrong or the record malformed.
  package var rejected = 0
  package var bytes: Int64 = 0
}

extension RenderCache {
  /// Writes the entries that match a query as a tar archive with two files each, the record and the value: `ab/abcdef….entry`,
  /// `ab/abcdef….png`. Damaged values and those whose dependencies have changed are skipped.
  ///
  /// - Parameter write: Receives consecutive chunks of the archive.
  /// - Returns: The number of values written. Rethrows what `write` throws.
  @discardableResult
  package func export(_ query: CacheQuery = CacheQuery(), to write: ([UInt8]) throws -> Void) throws -> Int {
    try flushForAdministration()
    var sql = QuerySQL(now: configuration.clock())
    let condition = try sql.condition(query)
    let limit = query.limit.map { " LIMIT \(max($0, 0))" } ?? ""
    var count = 0
    for key in try keys("SELECT key FROM entry WHERE \(condition) ORDER BY key\(limit)", sql.arguments) {
      guard let record = try record(key), firstChange(record.dependencies) == nil,
        case .bytes(let data) = objects.read(key, size: record.size), SHA256.hash(data) == record.checksum
      else { continue }
      let name = "\(key.description.prefix(2))/\(key)"
      for (suffix, bytes) in [(".entry", RecordText.encode(record)), (".png", data)] {
        try write(TarFormat.header(name: name + suffix, size: bytes.count, modified: record.created.milliseconds / 1000))
        try write(bytes)
        try write(TarFormat.padding(bytes.count))
      }
      count += 1
    }
    try write(TarFormat.end)
    return count
  }

  /// Adds the entries of an archive written by `export`. Each value is verified by its checksum and added completely or not at all;
  /// existing entries are not changed. Files with other names are skipped. Other threads and processes can use the cache meanwhile.
  ///
  /// - Parameters:
  ///   - dryRun: Whether to report what would be added without changing the cache.
  ///   - read: Returns at most the requested number of bytes; an empty array at the end of the archive.
  /// - Throws: `invalidArchive`; `invalidIdentifier` for an identifier that looks like a key; the reason why a value could not be stored.
  ///   Rethrows what `read` throws. Entries added before the error remain.
  @discardableResult
  package func importArchive(dryRun: Bool = false, from read: (Int) throws -> [UInt8]) throws -> CacheImport {
    try withoutActuallyEscaping(read) { try importMembers(ArchiveReader(read: $0), dryRun) }
  }

  private func importMembers(_ archive: ArchiveReader, _ dryRun: Bool) throws -> CacheImport {
    var reader = archive
    var result = CacheImport()
    var record: CacheRecord?
    while let member = try reader.next() {
      switch ArchiveName(member) {
      case .record(let key) where member.size <= ArchiveReader.largestRecord:
        if record != nil { result.rejected += 1 }
        record = RecordText.decode(try reader.contents(member)[...])
        if record?.key != key {
          record = nil
          result.rejected += 1
        }
      case .value(let key):
        defer { record = nil }
        guard let current = record, current.key == key, current.size == member.size, member.size <= ArchiveReader.largestValue else {
          if record != nil { result.rejected += 1 }
          try reader.skip(member)
          continue
        }
        try add(current, try reader.contents(member), dryRun, &result)
      default: try reader.skip(member)
      }
    }
    if record != nil { result.rejected += 1 }
    return result
  }

  private func add(_ record: CacheRecord, _ data: [UInt8], _ dryRun: Bool, _ result: inout CacheImport) throws {
    if record.identifiers.contains(where: CacheKey.isKeyShaped) {
      throw CacheError(.invalidIdentifier, "The archive gives the entry \(record.key) an identifier that looks like a key.")
    }
    guard SHA256.hash(data) == record.checksum else {
      result.rejected += 1
      return
    }
    if case .row(let row) = try index.query({ (db) throws(SQLiteError) in try IndexRows.find(db, record.key) }),
      case .bytes = readObject(row)
    {
      result.existing += 1
      return
    }
    if !dryRun {
      let temporary = try writeTemporary(data)
      do throws(CacheError) {
        try index.write(Deadline(after: Self.removalPatience)) { try add(Backlog.Item(record: record, temporary: temporary), $0) }
      } catch {
        unlink(temporary)
        throw error
      }
      trimWhenDue(try index.query { (db) throws(SQLiteError) in try IndexRows.totalSize(db) } > configuration.maxSize)
    }
    result.added += 1
    result.bytes += record.size
  }
}

/// The kind of an archive member, determined by its name.
private enum ArchiveName {
  case record(CacheKey)
  case value(CacheKey)
  case other

  init(_ member: TarFormat.Member) {
    self = .other
    let parts = member.name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard member.isFile, parts.count == 2 else { return }
    if let key = ObjectFolder.key(folder: parts[0], name: parts[1]) { self = .value(key) }
    if parts[1].hasSuffix(".entry"), let key = ObjectFolder.key(folder: parts[0], name: parts[1].dropLast(6) + ".png") {
      self = .record(key)
    }
  }
}

/// Reads an archive one member at a time, holding at most one value in memory.
private struct ArchiveReader {
  static let largestRecord = 4 << 20
  static let largestValue = 1 << 30

  let read: (Int) throws -> [UInt8]
  private var isAtStart = true

  init(read: @escaping (Int) throws -> [UInt8]) { self.read = read }

  mutating func next() throws -> TarFormat.Member? {
    let header = try bytes(TarFormat.block)
    // Without the end mark, an archive truncated between two members could not be detected.
    if header.isEmpty && !isAtStart { throw CacheError(.invalidArchive, "The archive ends early: it has no end mark.") }
    switch TarFormat.parse(header) {
    case .member(let member):
      isAtStart = false
      return member
    case .end: return nil
    case .broken:
      throw CacheError(.invalidArchive, isAtStart ? "The file is not an archive of a cache." : "The archive is damaged or ends early.")
    }
  }

  func contents(_ member: TarFormat.Member) throws -> [UInt8] {
    let contents = try bytes(member.size)
    guard contents.count == member.size, try bytes(TarFormat.padding(member.size).count).count == TarFormat.padding(member.size).count
    else {
      throw CacheError(.invalidArchive, "The archive ends early.")
    }
    return contents
  }

  func skip(_ member: TarFormat.Member) throws {
    var left = member.size + TarFormat.padding(member.size).count
    while left > 0 {
      let got = try read(min(left, 1 << 20)).count
      if got == 0 { throw CacheError(.invalidArchive, "The archive ends early.") }
      left -= min(got, left)
    }
  }

  /// `count` bytes; fewer only at the end of the archive.
  private func bytes(_ count: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    while result.count < count {
      let piece = try read(min(count - result.count, 1 << 20))
      if piece.isEmpty { break }
      result += piece
    }
    return result
  }
}
