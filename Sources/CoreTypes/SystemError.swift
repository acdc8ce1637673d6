internal import Glibc

/// What the system calls a failure: `Operation not permitted`.
package func errorText(_ code: Int32 = errno) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
