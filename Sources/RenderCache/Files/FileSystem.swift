import OffprintCoreTypes
internal import Glibc

/// The few file operations of the store. None of them blocks on a FIFO or a device, or follows a symbolic link in place of a file.
enum FileSystem {
  /// Creates a folder and the missing folders above it. The modes of existing folders are not changed.
  ///
  /// - Parameter mode: The mode of the last folder.
  static func makeFolder(_ path: String, mode: mode_t = 0o777) throws(CacheError) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      if mkdir(path, mode) == 0 || errno == EEXIST { return }
    }
    throw CacheError(errno: errno, "create", path)
  }

  // MARK: Reading

  /// The result of reading a file.
  enum Contents: Equatable {
    case bytes([UInt8])
    case missing
    /// Not a regular file, or of another size.
    case wrong
    /// It may exist but cannot be read at the moment: no permission, too many open files, a failing disk.
    case unreadable
  }

  /// Reads a regular file if it has exactly `size` bytes.
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

  /// Reads a regular file of at most `limit` bytes; nil if it cannot be read or is larger.
  /// - Parameter followsLinks: Whether the last component of the path may be a symbolic link.
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
    // The size in a row may be wrong, so no more than the file's size is reserved.
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

  /// Creates a file, writes it and syncs it. It is locked until it is closed, so that other processes can tell that its writer is alive.
  static func write(_ bytes: [UInt8], to path: String, synchronized: Bool) throws(CacheError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw CacheError(errno: errno, "create", path) }
    _ = flock(file, LOCK_EX | LOCK_NB)
    var failure = FileDescriptorIO.write(bytes, to: file)
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
    fsync(folder)  // not every file system supports this; if the name is lost, the index heals
    close(folder)
  }

  // MARK: Listing

  /// The sorted names in a folder, which must not be a symbolic link, except those that start with a dot.
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
    /// The time of the last modification, in nanoseconds since 1970.
    var modified: Int64
    var isRegular: Bool
    var isFolder: Bool
    /// With `node`, identifies the file independently of its name.
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

  /// The status of the file at a path. Follows a symbolic link unless `followsLinks` is false.
  static func status(_ path: String, followsLinks: Bool = true) -> Status? {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    return Status(status)
  }

  /// Whether anything exists at a path, including a dangling symbolic link.
  static func exists(_ path: String) -> Bool { status(path, followsLinks: false) != nil }
  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }
}
