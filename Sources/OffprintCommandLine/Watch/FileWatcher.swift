import Glibc

/// Detects changes of files: writing, replacing, removing and creating them or their folders.
///
/// The folders are watched with inotify, but the decision is made by comparing the files' status. Where inotify reports nothing (shared
/// folders of virtual machines, network file systems), the status is checked every two seconds.
final class FileWatcher {
  /// The status of a file, which can be compared without reading the file.
  struct Look: Equatable {
    var device: UInt64 = 0
    var inode: UInt64 = 0
    var size: Int64 = 0
    var seconds: Int = 0
    var nanoseconds: Int = 0
  }

  /// The inotify descriptor; -1 if inotify is not available.
  let descriptor: Int32
  private(set) var looks: [String: Look] = [:]

  private static let events = UInt32(
    IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB)

  init() { descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }
  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches exactly these files. The known status of files that were watched before is kept, so that changes since then are detected.
  func watch(_ paths: some Collection<String>) {
    var next: [String: Look] = [:]
    for path in paths { next[path] = looks[path] ?? Self.look(path) }
    looks = next
    rearm()
  }

  /// Whether a file has changed since the last call.
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

  /// Waits for an event in the folders.
  ///
  /// - Parameter mask: The signal mask while waiting; signals it does not block end the wait.
  /// - Returns: Whether there was an event.
  func wait(milliseconds: Int, mask: inout sigset_t) -> Bool {
    Interruption.wait(for: descriptor, milliseconds: milliseconds, mask: &mask)
  }

  /// Discards the events, because the files' status is more reliable.
  func drain() {
    guard descriptor >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while read(descriptor, &buffer, buffer.count) > 0 {}
  }

  /// Watches the folder of each file and of link targets; if a folder does not exist, its nearest existing parent.
  private func rearm() {
    guard descriptor >= 0 else { return }
    for path in looks.keys.sorted() {
      for place in Set([path, Files.resolved(path) ?? path]).sorted() { arm(Files.folder(of: place)) }
    }
  }

  private func arm(_ folder: String) {
    var folder = folder
    // A folder that was replaced needs a new watch; adding an existing one again is cheap.
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
