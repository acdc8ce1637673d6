internal import Glibc

/// Operations on open file descriptors: files, pipes and terminals.
package enum FileDescriptorIO {
  /// Writes all of `bytes`. Blocks while a pipe or terminal is full, even if the descriptor is nonblocking.
  /// - Returns: 0, or the `errno` of the call that failed.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        if count > 0 {
          offset += count
        } else if count == 0 {
          // write() returned 0 for a nonempty buffer: report an error instead of looping forever.
          return EIO
        } else if errno == EAGAIN {
          var pollRequest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&pollRequest, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }
}
