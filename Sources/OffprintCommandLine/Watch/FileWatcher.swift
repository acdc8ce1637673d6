import Glibc

/// Tells when files change: those named, by whatever way, also when they are replaced, removed, made, or their folders are.
///
/// The folders are watched through inotify, and what the files look like decides; where inotify tells nothing (shared folders of virtual
/// machines, networks), a look every two seconds does.
final class FileWatcher {
  /// What is seen of a file without reading it.
  struct Look: Equatable {
    var device: UInt64 = 0
    var inode: UInt64 = 0
    var size: Int64 = 0
    var seconds: Int = 0
    var nanoseconds: Int = 0
  }

  /// The file that changes are awaited on; -1 where there is no inotify.
  let descriptor: Int32
  private(set) var looks: [String: Look] = [:]

  private static let events = UInt32(
    IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB)

  init() { descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }
  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches these files alone. What is known of those that were watched before stays: a change since then is one.
  func watch(_ paths: some Collection<String>) {
    var next: [String: Look] = [:]
    for path in paths { next[path] = looks[path] ?? Self.look(path) }
    looks = next
    rearm()
  }

  /// Whether a file looks different from when it was last asked.
  func hasChanged() -> Bool {
    drain()
    rearm()
    var changed = false
    for path in looks.keys.sorted() {
      let look = Self.look(path)
      if looks[path] != look { changed = true }
      looks[path] = look
    }
    return changed
  }

  /// Waits for something to happen in the folders, at most so long.
  ///
  /// - Parameter mask: the signals that end the waiting are those that it lets through.
  /// - Returns: whether something did.
  func wait(milliseconds: Int, mask: inout sigset_t) -> Bool {
    Interruption.wait(for: descriptor, milliseconds: milliseconds, mask: &mask)
  }

  /// Reads what has been told; what the files look like says more.
  func drain() {
    guard descriptor >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }

  /// Watches the folder of each file, and of what links lead to; where a folder is missing, the nearest that is there.
  private func rearm() {
    guard descriptor >= 0 else { return }
    for path in looks.keys.sorted() {
      for place in Set([path, Files.resolved(path) ?? path]).sorted() { arm(Files.folder(of: place)) }
    }
  }

  private func arm(_ folder: String) {
    var folder = folder
    // A folder that was replaced has another watch; asking again for the same one costs little.
    while inotify_add_watch(descriptor, folder, Self.events | UInt32(IN_ONLYDIR)) < 0, folder.utf8.count > 1 {
      folder = Files.folder(of: String(folder.dropLast()))
    }
  }

  private static func look(_ path: String) -> Look {
    var status = stat()
    guard stat(path, &status) == 0 else { return Look() }
    return Look(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }
}
