import OffprintCoreTypes
import Glibc

/// The system's real-time clock.
enum WallClock {
  /// Since 1970.
  static func seconds() -> Int { Int(nanoseconds() / 1_000_000_000) }

  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// ISO 8601 in UTC, to the millisecond.
  static func timestamp() -> String {
    let now = nanoseconds()
    return timestamp(Int(now / 1_000_000_000)) + ".\(String(now / 1_000_000 % 1000 + 1000).dropFirst())Z"
  }

  /// ISO 8601 in UTC, to the second, without a zone.
  static func timestamp(_ second: Int) -> String {
    var seconds = time_t(second)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

enum ProcessStatistics {
  /// Resident memory in bytes; 0 if the system does not provide it.
  static var residentBytes: Int {
    guard let bytes = try? SmallFile.readAny("/proc/self/statm"), let text = String(validating: bytes, as: UTF8.self) else { return 0 }
    let words = text.split(byte: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}
