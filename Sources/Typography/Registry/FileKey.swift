internal import Glibc

/// Identifies a file's state: every modification changes one of these values.
struct FileKey: Hashable {
  var device: UInt64
  var inode: UInt64
  var size: UInt64
  var modified: UInt64
  var changed: UInt64

  init(_ status: stat) {
    func time(_ time: timespec) -> UInt64 { UInt64(truncatingIfNeeded: time.tv_sec &* 1_000_000_000 &+ time.tv_nsec) }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = UInt64(truncatingIfNeeded: status.st_size)
    modified = time(status.st_mtim)
    changed = time(status.st_ctim)
  }

  init(_ reader: inout FaceRecordReader) {
    (device, inode, size, modified, changed) = (reader.word(), reader.word(), reader.word(), reader.word(), reader.word())
  }

  func write(to writer: inout FaceRecordWriter) { for word in [device, inode, size, modified, changed] { writer.word(word) } }
}
