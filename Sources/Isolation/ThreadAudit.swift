internal import OffprintCoreTypes
internal import Glibc

/// Checks from outside, in `/proc`, whether every thread of a worker is sandboxed.
/// https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
enum ThreadAudit {
  /// - Returns: The problem; nil if there is no problem or no `/proc`.
  static func fault(process: pid_t, _ report: IsolationReport) -> String? {
    for task in tasks(process) {
      guard let status = status(process, task) else { continue }
      for (name, value, layer) in expectations where report.has(layer) && !hasLine(status, name, value) {
        return "its thread \(task) is outside the sandbox (\(name) is not \(value))"
      }
    }
    return nil
  }

  private static let expectations: [(name: String, value: String, layer: IsolationReport.Layer)] = [
    ("CapEff", "0000000000000000", .noPrivileges), ("NoNewPrivs", "1", .noPrivileges), ("Seccomp", "2", .systemCalls),
  ]

  /// Nil if the thread has ended.
  private static func status(_ process: pid_t, _ task: String) -> [UInt8]? {
    let file = open("/proc/\(process)/task/\(task)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return bytes.isEmpty ? nil : bytes
  }

  private static func hasLine(_ status: [UInt8], _ name: String, _ value: String) -> Bool {
    status.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual("\(name):\t\(value)".utf8) }
  }

  private static func tasks(_ process: pid_t) -> [String] {
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names
  }
}
