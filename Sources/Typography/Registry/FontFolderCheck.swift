internal import Glibc

/// Checks whether folders and files are unchanged, with one system call each. With many fonts, this is the main cost of a start, so it is
/// divided between two threads.
struct FontFolderCheck {
  private let catalog: FontCatalog
  private static let fewest = 256

  init(_ catalog: FontCatalog) { self.catalog = catalog }

  func holds() -> Bool {
    var reader = catalog.reader(at: .places)
    let folders = reader.number()
    guard folders >= 0, catalog.faceCount >= Self.fewest else { return check(every: 1, from: 0) }
    let other = Half(self)
    var thread = pthread_t()
    let isStarted =
      pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          let half = Unmanaged<Half>.fromOpaque(context).takeUnretainedValue()
          half.holds = half.check.check(every: 2, from: 1)
          return nil
        }, Unmanaged.passUnretained(other).toOpaque()) == 0
    let mine = check(every: 2, from: 0)
    guard isStarted else { return mine && check(every: 2, from: 1) }
    pthread_join(thread, nil)
    return withExtendedLifetime(other) { mine && other.holds }
  }

  /// The other thread's part; its result is read after the thread has ended.
  private final class Half: @unchecked Sendable {
    let check: FontFolderCheck
    var holds = false
    init(_ check: FontFolderCheck) { self.check = check }
  }

  /// Checks every `step`th member, counted across all folders.
  private func check(every step: Int, from first: Int) -> Bool {
    var reader = catalog.reader(at: .places), place = 0
    for _ in 0..<max(reader.number(), 0) where !reader.hasFailed {
      guard let path = reader.cString() else { return false }
      // An empty path contains the places without a folder, which are relative to the working directory as before.
      let folder = path.pointee == 0 ? AT_FDCWD : open(path, O_DIRECTORY | O_CLOEXEC)
      defer { if folder >= 0 { close(folder) } }
      for _ in 0..<max(reader.number(), 0) where !reader.hasFailed {
        let key = reader.flag() ? FileKey(&reader) : nil
        guard let name = reader.cString() else { return false }
        place += 1
        if place % step == first, !Self.isSame(folder, name, key) { return false }
      }
    }
    return !reader.hasFailed
  }

  private static func isSame(_ folder: Int32, _ name: UnsafePointer<CChar>, _ key: FileKey?) -> Bool {
    var status = stat()
    return fstatat(folder, name, &status, 0) == 0 ? FileKey(status) == key : key == nil
  }
}

extension FaceRecordReader {
  mutating func longText() -> String { take(number()).map { String(decoding: bytes[$0], as: UTF8.self) } ?? "" }

  /// A NUL-terminated text.
  mutating func cString() -> UnsafePointer<CChar>? {
    let text = utf8()
    guard let end = take(1), bytes[end.lowerBound] == 0, let start = bytes.baseAddress else { return nil }
    return UnsafeRawPointer(start + text.startIndex).assumingMemoryBound(to: CChar.self)
  }
}
