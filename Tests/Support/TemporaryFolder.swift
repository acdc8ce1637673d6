import Foundation

/// A temporary folder for one test. It is removed with its contents when the value is destroyed.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
