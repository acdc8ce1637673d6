import Foundation
import Testing

/// Another process that uses the same cache.
final class Peer {
  private let process = Process()
  private let output = Pipe()

  /// - Parameters:
  ///   - arguments: See `Tests/CachePeer`.
  ///   - environment: Variables added to this process's environment.
  init(_ arguments: String..., environment: [String: String] = [:]) throws {
    process.executableURL = try Self.executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    try process.run()
  }

  private static var executable: URL {
    get throws {
      let folders = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() } + [Bundle.main.bundleURL]
      let candidates = folders.map { $0.appendingPathComponent("offprint-cache-peer") }
      return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }, "build all first: swift build")
    }
  }

  /// The next line of its output; nil at the end.
  func line() -> String? {
    var bytes: [UInt8] = []
    while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  func waitForLine(_ wanted: String) throws { try #require(line() == wanted) }

  /// Kills it like a crash, so that nothing in progress is finished.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func rest() -> String {
    let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// Nil while it is running, and if a signal ended it.
  var exitCode: Int32? { process.isRunning || process.terminationReason == .uncaughtSignal ? nil : process.terminationStatus }

  deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }
}
