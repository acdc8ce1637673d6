import OffprintCoreTypes
internal import Glibc

/// The few file operations the store needs, each with its errors. Nothing here waits for a FIFO or a device, or follows a link that stands
/// in the place of a file.
enum FileSystem {
  /// Makes a folder with what is missing of the path to it; what is there keeps its mode.
  ///
  /// - Parameter mode: of the folder itself.
  static func makeFolder(_ path: String, mode: mode_t = 0o777) throws(CacheError) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      if mkdir(path, mode) == 0 || errno == EEXIST { return }
    }
    throw CacheError(errno: errno, "create", path)
  }

  // MARK: Reading

  /// What reading a file came to.
  enum Contents: Equatable {
    case bytes([UInt8])
    case missing
    /// No regular file, or one of another size.
    case wrong
    /// It may be there, and cannot be read now: no permission, too many open files, a failing disk.
    case unreadable
  }

  /// The whole of a regular file that has exactly `size` bytes.
  static func read(_ path: String, size: Int) -> Contents {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: return .missing
      case ELOOP, ENXIO, ENODEV: return .wrong
      default: return .unreadable
      }
    }
    defer { close(file) }
    guard let status = Status(file) else { return .unreadable }
    guard status.isRegular, status.size == size, size >= 0, size < Int.max else { return .wrong }
    guard let bytes = readBytes(file, limit: size + 1) else { return .unreadable }
    return bytes.count == size ? .bytes(bytes) : .wrong
  }

  /// Up to `limit` bytes of a regular file; nil where it cannot be read or is longer.
  /// - Parameter followsLinks: whether the last part of the path may be a link.
  static func read(_ path: String, limit: Int, followsLinks: Bool = false) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let status = Status(file), status.isRegular, status.size <= limit else { return nil }
    return readBytes(file, limit: Int(status.size) + 1)
  }

  /// The first bytes of a regular file, at most `count`.
  static func head(_ path: String, count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard Status(file)?.isRegular == true else { return nil }
    return readBytes(file, limit: count)
  }

  private static func readBytes(_ file: Int32, limit: Int) -> [UInt8]? {
    guard let status = Status(file) else { return nil }
    var failed = false
    // The size a row claims may be wrong: reserve no more than what is there.
    let capacity = min(limit, Int(status.size) + 1)
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < buffer.count {
        let got = Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        if got <= 0 { break }
        count += got
      }
    }
    return failed ? nil : bytes
  }

  // MARK: Writing

  /// Writes a new file and syncs it. The file is locked until it is closed, so that others can tell that its writer lives.
  static func write(_ bytes: [UInt8], to path: String, synchronized: Bool) throws(CacheError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw CacheError(errno: errno, "create", path) }
    _ = flock(file, LOCK_EX | LOCK_NB)
    var failure = Descriptor.write(bytes, to: file)
    if failure == 0, synchronized, fsync(file) != 0 { failure = errno }
    if close(file) != 0, failure == 0 { failure = errno }
    guard failure == 0 else {
      unlink(path)
      throw CacheError(errno: failure, "write", path)
    }
  }

  static func synchronizeFolder(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)  // not every file system can; the index heals what is lost
    close(folder)
  }

  // MARK: Looking

  /// The names in a folder that is no link, sorted, without those that start with a dot.
  static func names(in folder: String) -> [String] {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return [] }
    guard let stream = fdopendir(file) else {
      close(file)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let item = readdir(stream) {
      let name = withUnsafePointer(to: &item.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted()
  }

  struct Status: Equatable {
    var size: Int64
    /// When it was last changed, in nanoseconds since 1970.
    var modified: Int64
    var isRegular: Bool
    var isFolder: Bool
    /// Which file this is, whatever its name.
    var device: UInt64
    var node: UInt64

    init(_ status: stat) {
      size = Int64(status.st_size)
      let seconds = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
      modified = seconds &+ Int64(status.st_mtim.tv_nsec)
      isRegular = status.st_mode & S_IFMT == S_IFREG
      isFolder = status.st_mode & S_IFMT == S_IFDIR
      device = UInt64(status.st_dev)
      node = UInt64(status.st_ino)
    }

    init?(_ file: Int32) {
      var status = stat()
      guard fstat(file, &status) == 0 else { return nil }
      self.init(status)
    }

    func isSameFile(_ other: Status?) -> Bool { device == other?.device && node == other?.node }
  }

  /// What stands at a path; a link is followed unless told otherwise.
  static func status(_ path: String, followsLinks: Bool = true) -> Status? {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    return Status(status)
  }

  /// Whether there is anything at a path, be it a link to nowhere.
  static func exists(_ path: String) -> Bool { status(path, followsLinks: false) != nil }
  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }
}
