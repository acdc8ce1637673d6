internal import Glibc

/// The values of a store as files: `objects/ab/abcdef….png`. Writes and removes only files with names of exactly this form, in folders that
/// are not symbolic links.
struct ObjectFolder: Sendable {
  let path: String

  func path(_ key: CacheKey) -> String {
    let name = key.description
    return path + "/" + name.prefix(2) + "/" + name + ".png"
  }

  /// The key of the value in a file with this name in this folder; nil for any other file.
  static func key(folder: String, name: String) -> CacheKey? {
    guard name.utf8.count == 68, name.hasSuffix(".png"), isPrefix(folder), name.hasPrefix(folder),
      name.utf8.prefix(64).allSatisfy(Hex.isLowercaseDigit)
    else { return nil }
    return CacheKey(hex: String(name.dropLast(4)))
  }

  static func isPrefix(_ folder: String) -> Bool { folder.utf8.count == 2 && folder.utf8.allSatisfy(Hex.isLowercaseDigit) }

  func read(_ key: CacheKey, size: Int64) -> FileSystem.Contents {
    guard let size = Int(exactly: size) else { return .wrong }
    return FileSystem.read(path(key), size: size)
  }

  /// Whether a value's file has its recorded size and was not modified after its row was written, allowing for clock precision and slow
  /// disks.
  func isUntouched(_ row: IndexRow) -> Bool {
    guard let status = FileSystem.status(path(row.key), followsLinks: false), status.isRegular, status.size == row.size else {
      return false
    }
    let (stored, isPast) = row.created.milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let (late, isFar) = status.modified.subtractingReportingOverflow(stored)
    return !isPast && !isFar && (-60_000_000_000...1_000_000_000).contains(late)
  }

  /// Moves a complete file to its final name. Replaces an existing file, symbolic link or FIFO.
  func place(_ temporary: String, _ key: CacheKey, synchronized: Bool) throws(CacheError) {
    let prefix = String(key.description.prefix(2))
    var failure = move(temporary, key, prefix)
    if failure == ENOENT {
      try FileSystem.makeFolder(path + "/" + prefix)
      failure = move(temporary, key, prefix)
    }
    guard failure == 0 else { throw CacheError(errno: failure, "write", path(key)) }
    if synchronized { FileSystem.synchronizeFolder(path + "/" + prefix) }
  }

  private func move(_ temporary: String, _ key: CacheKey, _ prefix: String) -> Int32 {
    withFolder(prefix) { renameat(AT_FDCWD, temporary, $0, key.description + ".png") == 0 ? 0 : errno }
  }

  /// Removes the file of a key, or an empty folder with its name; returns whether it existed.
  @discardableResult
  func remove(_ key: CacheKey) -> Bool { remove(key.description + ".png", in: String(key.description.prefix(2))) }

  private func remove(_ name: String, in prefix: String) -> Bool {
    withFolder(prefix) { folder in
      if unlinkat(folder, name, 0) == 0 { return 0 }
      return errno == EISDIR && unlinkat(folder, name, AT_REMOVEDIR) == 0 ? 0 : errno
    } == 0
  }

  /// Runs `body` with the open folder of a prefix and returns its error number, or the error number of opening the folder. Neither it nor
  /// `objects` may be a symbolic link.
  private func withFolder(_ prefix: String, _ body: (Int32) -> Int32) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let outer = open(path, flags)
    guard outer >= 0 else { return errno }
    defer { close(outer) }
    let inner = openat(outer, prefix, flags)
    guard inner >= 0 else { return errno }
    defer { close(inner) }
    return body(inner)
  }

  // MARK: Enumeration

  /// The existing folders of values, sorted.
  var prefixes: [String] { FileSystem.names(in: path).filter(Self.isPrefix) }

  func keys(in prefix: String) -> [CacheKey] {
    FileSystem.names(in: path + "/" + prefix).compactMap { Self.key(folder: prefix, name: $0) }
  }

  /// Whether the folder contains only files of a store. Checks all folders, and the files of the first few.
  var holdsOnlyValues: Bool {
    let names = FileSystem.names(in: path)
    guard names.allSatisfy(Self.isPrefix) else { return false }
    return names.prefix(4).allSatisfy { prefix in
      FileSystem.names(in: path + "/" + prefix).allSatisfy { Self.key(folder: prefix, name: $0) != nil }
    }
  }
}
