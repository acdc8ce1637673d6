import Foundation
import Glibc
import Testing

/// A server in Python that records the requests of the service as lines of JSON.
final class PythonReceiver {
  static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
    URL(fileURLWithPath: "\($0)/python3")
  }
  .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  static let noPython: Comment = "python3 is not installed"

  let port: Int
  private let process = Process()
  private let file: URL

  /// - Parameter arguments: Those after the file.
  init(_ script: String, _ arguments: [String]) throws {
    guard let python = Self.python else { throw ServiceUnderTest.Failure("There is no python3.") }
    file = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-receiver-\(UUID().uuidString)")
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(script).path, output = Pipe()
    process.executableURL = python
    process.arguments = [path, file.path] + arguments
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ServiceUnderTest.Failure("The receiver does not start.")
    }
    self.port = port
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: file)
  }

  var requests: [[String: Any]] {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }
}
