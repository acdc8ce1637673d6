internal import Glibc

/// The system's description of an error number, such as `Operation not permitted`.
package func errorText(_ code: Int32 = errno) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
