import OffprintCoreTypes
internal import Glibc

/// A memory-mapped file, which must only be replaced and never modified in place.
final class MappedFile: @unchecked Sendable {
  // Immutable: the mapping is private and exists as long as the object.
  let bytes: UnsafeRawBufferPointer

  /// - Parameter isReadWhole: Whether the whole file will be read.
  init?(path: String, largest: Int, isReadWhole: Bool = true) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0, status.st_size <= largest else { return nil }
    let size = Int(status.st_size)
    let flags = MAP_PRIVATE | (isReadWhole ? MAP_POPULATE : 0)
    guard let start = mmap(nil, size, PROT_READ, flags, file, 0), start != MAP_FAILED else { return nil }
    bytes = UnsafeRawBufferPointer(start: start, count: size)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}

/// Replaces a file atomically. Failures are ignored.
enum AtomicFile {
  static func write(_ bytes: [UInt8], _ path: String) {
    let temporary = "\(path).\(getpid()).tmp"
    // Only this user can access a folder that is created here.
    if let slash = path.lastIndex(ofByte: "/") { mkdir(String(path[..<slash]), 0o700) }
    guard let file = fopen(temporary, "wb") else { return }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count, rename(temporary, path) == 0 else {
      unlink(temporary)
      return
    }
  }
}
