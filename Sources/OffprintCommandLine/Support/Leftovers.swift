import OffprintCoreTypes
import Glibc

/// Files on their way to a name. Each carries its process in its own name, `NAME.PID-N.tmp`, and is locked while it is written: what a
/// killed run left is known by both, and removed by the next.
enum Leftovers {
  /// Beside `path`, and not longer than names may be.
  static func temporaryName(for path: String) -> String {
    let suffix = ".\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
    let name = Files.name(path)
    return String(path.dropLast(name.count)) + name.prefix(bytes: Int(NAME_MAX) - suffix.utf8.count) + suffix
  }

  /// Locks a temporary file for as long as it is open.
  static func claim(_ descriptor: Int32) { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

  /// Removes what processes that have ended left in a folder: pictures of ours that never got their name.
  static func collect(in folder: String) {
    Files.names(in: folder) { name in
      if let process = process(of: name), kill(process, 0) != 0, errno == ESRCH {
        removeAbandoned("\(folder)/\(name)", isNamedPicture: name.contains(".png."))
      }
      return true
    }
  }

  /// The process that a temporary name tells of; nil for other names.
  static func process(of name: String) -> pid_t? {
    guard name.utf8.last == UInt8(ascii: "p"), name.hasSuffix(".tmp") else { return nil }
    let parts = name.split(byte: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3, !parts[0].isEmpty || parts.count > 3 else { return nil }
    let numbers = parts[parts.count - 2].split(byte: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      UInt32(numbers[1]) != nil, let process = pid_t(numbers[0]), process > 0
    else { return nil }
    return process
  }

  /// Only a file of this user that nobody writes and that is a picture by its name or by its first bytes.
  private static func removeAbandoned(_ path: String, isNamedPicture: Bool) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink == 1,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var head = [UInt8](repeating: 0, count: signature.count)
    let count = pread(descriptor, &head, head.count, 0)
    if isNamedPicture || count >= 0 && signature.starts(with: head.prefix(count)) { unlink(path) }
  }
}
