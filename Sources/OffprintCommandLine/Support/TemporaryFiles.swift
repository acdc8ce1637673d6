import OffprintCoreTypes
import Glibc

/// Temporary files of outputs. Each has its process ID in its name, `NAME.PID-N.tmp`, and is locked while it is written, so that files left
/// by a killed run can be detected and removed by the next run.
enum TemporaryFiles {
  /// A name for a temporary file beside `path`, truncated to the maximum length of names.
  static func temporaryName(for path: String) -> String {
    let suffix = ".\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
    let name = Files.name(path)
    return String(path.dropLast(name.count)) + name.prefix(bytes: Int(NAME_MAX) - suffix.utf8.count) + suffix
  }

  /// Locks a temporary file while it is open.
  static func lock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

  /// Removes images that ended processes left in a folder before renaming them.
  static func removeAbandoned(in folder: String) {
    Files.names(in: folder) { name in
      if let process = process(of: name), kill(process, 0) != 0, errno == ESRCH {
        removeAbandoned("\(folder)/\(name)", hasImageName: name.contains(".png."))
      }
      return true
    }
  }

  /// The process ID in the name of a temporary file; nil for other names.
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

  /// Removes only a file of this user that is not locked, and that is an image by its name or its first bytes.
  private static func removeAbandoned(_ path: String, hasImageName: Bool) {
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
    if hasImageName || count >= 0 && signature.starts(with: head.prefix(count)) { unlink(path) }
  }
}
