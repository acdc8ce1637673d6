internal import Glibc

/// The folder of a cache and the names in it. Only files with these names are ever removed.
///
/// A folder is recognized as a cache by its tag file (https://bford.info/cachedir/, which also excludes it from backups), by the
/// application id of its index or, for caches older than both, by its contents.
struct CacheFolder: Sendable {
  let path: String

  var index: String { path + "/index.sqlite" }
  var damagedIndex: String { path + "/index.damaged" }
  var temporary: String { path + "/temporary" }
  var lock: String { path + "/lock" }
  var tag: String { path + "/CACHEDIR.TAG" }
  var objects: ObjectFolder { ObjectFolder(path: path + "/objects") }
  var journal: String { path + "/journal" }

  enum Kind: Hashable, Sendable {
    /// There is no cache, and nothing that prevents creating one.
    case absent
    case cache
    /// The folder belongs to another program.
    case foreign
  }

  static let tagText = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This file marks an Offprint cache: all in this folder can be made again, and is left out of backups.
    # https://bford.info/cachedir/

    """
  private static let tagMark = Array("Signature: 8a477f597d28d172789f06886806bc55\n# This file marks an Offprint cache".utf8)
  /// The `application_id` of our indexes in SQLite: "OfPr".
  static let applicationID: Int64 = 0x4f66_5072

  /// Fast if the tag file exists: only that file is read.
  var kind: Kind {
    if hasTag { return .cache }
    let hasIndex = FileSystem.exists(index)
    if !hasIndex, !FileSystem.exists(objects.path) { return .absent }
    if hasIndex, isOwnIndex { return .cache }
    // The index is missing or unreadable: the folder counts as a cache only if everything else in it is a cache's.
    let hasRest = FileSystem.status(lock, followsLinks: false)?.isRegular == true && isOwnFolder(temporary)
    if hasRest && isOwnFolder(objects.path) && objects.holdsOnlyValues { return .cache }
    // A process that creates a cache writes the tag first, so files that appeared since the first check may belong to a new cache.
    return hasTag ? .cache : .foreign
  }

  var hasTag: Bool { FileSystem.head(tag, count: Self.tagMark.count).map { $0 == Self.tagMark } ?? false }

  private func isOwnFolder(_ path: String) -> Bool { FileSystem.status(path, followsLinks: false)?.isFolder == true }

  /// Checks the file's header, or the text of its first tables. https://www.sqlite.org/fileformat2.html#the_database_header
  private var isOwnIndex: Bool {
    guard let head = FileSystem.head(index, count: 1 << 16), head.starts(with: Array("SQLite format 3\0".utf8)), head.count >= 100 else {
      return false
    }
    let identifier = head[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    if identifier == Self.applicationID { return true }
    let text = String(decoding: head, as: UTF8.self)
    return text.contains("CREATE TABLE entry (") && text.contains("checksum BLOB NOT NULL")
      || text.contains("CREATE TABLE dependency (") && text.contains("isFile INTEGER NOT NULL")
  }

  /// - Throws: `notACache` if the folder belongs to another program.
  func refuseForeign() throws(CacheError) {
    if kind != .foreign { return }
    throw CacheError(
      .notACache,
      "The folder \"\(path)\" is not a cache: it has an \"objects\" folder or an \"index.sqlite\" of another program. Nothing was "
        + "changed; choose another folder.")
  }

  /// Creates the missing parts of the folder, and its tag. Inner folders must not be symbolic links, because files are removed in them.
  func prepare() throws(CacheError) {
    // Rendered images and their names are private to their owner. To share a cache with other users, create the folder in advance.
    if !FileSystem.exists(path) { try FileSystem.makeFolder(path, mode: 0o700) }
    try makeInner(temporary)
    if !FileSystem.exists(tag) { mark() }
    try makeInner(objects.path)
  }

  private func makeInner(_ folder: String) throws(CacheError) {
    switch FileSystem.status(folder, followsLinks: false) {
    case nil: try FileSystem.makeFolder(folder)
    case let status? where status.isFolder: break
    default:
      throw CacheError(
        .cacheUnusable, "\"\(folder)\" is not a folder, or is a symbolic link: a cache uses only its own folders. Remove it.")
    }
  }

  /// Creates the tag atomically and before any file that another program could have as well, since other processes can check at any time.
  private func mark() {
    let file = temporary + "/" + Self.temporaryName(.random(in: 0...(.max)), 0)
    guard (try? FileSystem.write(Array(Self.tagText.utf8), to: file, synchronized: false)) != nil else { return }
    if rename(file, tag) != 0 { unlink(file) }
  }

  // MARK: Temporary files

  private static let temporaryStart = "offprint-"

  /// The name of a temporary file: process, store, number. No other program uses such names, so files whose writers died can be removed.
  static func temporaryName(_ store: UInt, _ number: Int) -> String { "\(temporaryStart)\(getpid())-\(store)-\(number).png" }

  private static func isTemporaryName(_ name: String) -> Bool {
    guard name.hasPrefix(temporaryStart), name.hasSuffix(".png") else { return false }
    let parts = name.utf8.dropFirst(temporaryStart.utf8.count).dropLast(4).split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// Removes files whose writers died: those older than an hour by the system's clock and not locked.
  @discardableResult
  func removeLeftovers(olderThan milliseconds: Int64 = 3_600_000) -> Int {
    var removed = 0
    for name in FileSystem.names(in: temporary) where Self.isTemporaryName(name) {
      let path = temporary + "/" + name
      guard let status = FileSystem.status(path, followsLinks: false), status.isRegular,
        status.modified / 1_000_000 < CacheTime.now().milliseconds - milliseconds
      else { continue }
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0, unlink(path) == 0 { removed += 1 }
      close(file)
    }
    return removed
  }
}
