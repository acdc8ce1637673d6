internal import OffprintCoreTypes
internal import COffprintIsolation
internal import Glibc
internal import Offprint

/// Removes privileges from a process, layer by layer. Layers that the machine does not support are omitted and reported.
///
/// Capabilities, namespaces, Landlock and seccomp apply to a thread and those it starts later, but not to threads that already exist.
/// https://man7.org/linux/man-pages/man7/pthreads.7.html, "NPTL" (attributes per thread)
struct Sandbox {
  private(set) var report = IsolationReport(layers: [])

  /// - Throws: `workerUnavailable` if the process has more than one thread.
  init() throws(OffprintError) { try Self.requireOneThread() }

  private static func requireOneThread() throws(OffprintError) {
    let count = cisolation_thread_count()
    if count == 1 { return }
    let reason = count < 0 ? "cannot count its threads: \(errorText(-count))" : "has \(count) threads"
    throw OffprintError(.workerUnavailable, "A process must enter the sandbox before it starts threads, but this one \(reason).")
  }

  private mutating func note(_ layer: IsolationReport.Layer, _ status: Int32, _ detail: String = "", absent: String? = nil) {
    report.layers.append(
      .init(
        layer: layer, isInForce: status >= 0,
        detail: status >= 0 ? detail : absent ?? "not permitted on this machine: \(errorText(-status))")
    )
  }

  /// Applies the limits that do not affect reading fonts.
  mutating func limit(_ configuration: Configuration) {
    let limits: [(Int32, Int)] = [
      (Int32(RLIMIT_AS.rawValue), configuration.addressBytes), (Int32(RLIMIT_NOFILE.rawValue), 256), (Int32(RLIMIT_CORE.rawValue), 0),
      // Limits the standard error of libraries, which is a file in memory.
      (Int32(RLIMIT_FSIZE.rawValue), 64 << 10),
    ]
    note(.resourceLimits, limits.map { cisolation_limit($0.0, UInt64(max(0, $0.1))) }.min() ?? 0)
    note(.endsWithOwner, cisolation_end_with_owner(pid_t(truncatingIfNeeded: configuration.owner)))
    note(.noNetwork, cisolation_leave_network())
  }

  /// Completes the sandbox; pages can be received afterwards.
  ///
  /// - Throws: `workerUnavailable` if another thread has been started.
  mutating func enter(readable files: [String]) throws(OffprintError) {
    try Self.requireOneThread()
    note(.noPrivileges, cisolation_drop_privileges())
    let readable = Set(files.compactMap(Self.resolved)).sorted() + Self.systemFolders
    let pointers = readable.map { UnsafePointer(strdup($0)) }
    defer { pointers.forEach { free(UnsafeMutableRawPointer(mutating: $0)) } }
    // libseccomp may be in a folder that the next step makes inaccessible.
    _ = cisolation_open_library()
    let landlock = cisolation_restrict_files(pointers, pointers.count)
    note(.files, landlock, "Landlock \(landlock)", absent: [-ENOSYS, -EOPNOTSUPP].contains(landlock) ? "the kernel has no Landlock" : nil)
    let seccomp = cisolation_restrict_calls()
    note(.systemCalls, seccomp, absent: seccomp == -ENOSYS ? "libseccomp.so.2 is not installed" : nil)
  }

  private static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  /// Libraries that are opened when a page needs them (libxml2), and the files they read; none of them contains secrets.
  private static let systemFolders = [
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/fonts", "/usr/share/fontconfig",
    "/usr/share/fonts", "/usr/local/share/fonts", "/var/cache/fontconfig", "/usr/share/mime", "/usr/share/locale",
    "/sys/devices/system/cpu", "/dev/null",
  ]
}
