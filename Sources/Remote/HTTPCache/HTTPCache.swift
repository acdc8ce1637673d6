import OffprintCoreTypes
import Glibc
import Synchronization

/// An HTTP cache on disk, one file per response, shared by all processes that use the folder.
///
/// A file is renamed when it is complete, and its contents are verified by a digest, so that a process can end at any time. The least
/// recently used responses are evicted first.
final class HTTPCache: Sendable {
  let folder: String
  private let largestTotal: Int
  private let maximumFiles: Int
  /// The size of the folder; nil before the first scan.
  private let totals = Mutex<(bytes: Int, files: Int)?>(nil)

  init(folder: String, largestTotal: Int = 256 << 20, maximumFiles: Int = 8192) {
    self.folder = folder; self.largestTotal = largestTotal; self.maximumFiles = maximumFiles
  }

  private func path(_ url: String) -> String { "\(folder)/\(StoredResponse.hex(Array(url.utf8)))" }

  // MARK: Reading

  func find(_ url: String) -> StoredResponse? {
    let path = path(url)
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = Self.read(file, limit: largestTotal), let found = StoredResponse(bytes: bytes), found.url == url else {
      unlink(path)
      return nil
    }
    var status = stat()
    // Recording uses once an hour is precise enough for eviction.
    if fstat(file, &status) == 0, status.st_mtim.tv_sec + 3600 < time(nil) { futimens(file, nil) }
    return found
  }

  private static func read(_ file: Int32, limit: Int) -> [UInt8]? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
    let size = Int(status.st_size)
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let length = Glibc.read(file, buffer.baseAddress?.advanced(by: count), size - count)
        if length < 0, errno == EINTR { continue }
        if length <= 0 { break }
        count += length
      }
      failed = count < size
    }
    return failed ? nil : bytes
  }

  // MARK: Writing

  /// Stores a response; failures are ignored.
  func store(_ answer: StoredResponse) {
    let bytes = answer.bytes
    guard bytes.count <= largestTotal / 8 else { return remove(answer.url) }
    makeFolder()
    let path = path(answer.url)
    guard let (file, temporary) = temporaryFile() else { return }
    let isWritten = FileDescriptorIO.write(bytes, to: file) == 0
    guard close(file) == 0, isWritten, rename(temporary, path) == 0 else {
      unlink(temporary)
      return
    }
    totals.withLock { totals in
      if let now = totals { totals = (now.bytes + bytes.count, now.files + 1) }
      if let now = totals, now.bytes <= largestTotal, now.files <= maximumFiles { return }
      totals = trim()
    }
  }

  /// Creates a file with a name that no other thread or process uses.
  private func temporaryFile() -> (descriptor: Int32, path: String)? {
    let path = "\(folder)/.\(UInt64.random(in: 0 ... .max))"
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    return file >= 0 ? (file, path) : nil
  }

  func remove(_ url: String) { unlink(path(url)) }

  private func makeFolder() {
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    if let slash = folder.lastIndex(ofByte: "/") { mkdir(String(folder[..<slash]), 0o700) }
    mkdir(folder, 0o700)
  }

  private struct File {
    var name: String
    var size: Int
    var used: Int
  }

  /// Removes entries above the limits, with some slack, and temporary files left by ended processes.
  private func trim() -> (bytes: Int, files: Int) {
    var files: [File] = []
    let now = time(nil)
    guard let directory = opendir(folder) else { return (0, 0) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      guard name != ".", name != "..", stat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if name.hasPrefix(".") {
        if status.st_mtim.tv_sec + 3600 < now { unlink("\(folder)/\(name)") }
      } else {
        files.append(File(name: name, size: Int(status.st_size), used: status.st_mtim.tv_sec))
      }
    }
    closedir(directory)
    var bytes = files.reduce(0) { $0 + $1.size }, count = files.count
    guard bytes > largestTotal || count > maximumFiles else { return (bytes, count) }
    for file in files.sorted(by: { ($0.used, $0.name) < ($1.used, $1.name) }) {
      guard bytes > largestTotal / 10 * 9 || count > maximumFiles / 10 * 9 else { break }
      unlink("\(folder)/\(file.name)")
      (bytes, count) = (bytes - file.size, count - 1)
    }
    return (bytes, count)
  }
}
