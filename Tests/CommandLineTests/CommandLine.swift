import Foundation
import Testing

/// Runs the built program as users do.
enum Program {
  struct Outcome {
    var status: Int32
    var output: Data
    var errors: String
    var text: String { String(decoding: output, as: UTF8.self) }
    var json: Any? { try? JSONSerialization.jsonObject(with: output) }
    /// The output as one JSON object per line.
    var lines: [[String: Any]] {
      text.split(separator: "\n").compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }
  }

  /// Beside the test bundle.
  static let url: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
    let folder = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appendingPathComponent("offprint")
  }()

  /// - Parameters:
  ///   - inputHandle: Replaces the file with `input`, for example by a pipe.
  ///   - outputHandle: Replaces `Outcome.output`.
  static func run(
    _ arguments: [String], input: Data? = nil, environment: [String: String] = [:], folder: URL? = nil,
    inputHandle: FileHandle? = nil, outputHandle: FileHandle? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = folder }
    let files = try ["out", "err", "in"].map { name -> URL in
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-\(UUID().uuidString).\(name)")
      try (name == "in" ? input ?? Data() : Data()).write(to: file)
      return file
    }
    defer { files.forEach { try? FileManager.default.removeItem(at: $0) } }
    process.standardOutput = try outputHandle ?? FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    process.standardInput = try inputHandle ?? FileHandle(forReadingFrom: files[2])
    try process.run()
    process.waitUntilExit()
    // A signal is a trap, and never an exit code of the program.
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Outcome(
      status: status, output: try Data(contentsOf: files[0]), errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
  }
}

/// A temporary folder that is removed after the test.
final class Scratch {
  let url: URL
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Data(text.utf8)) }

  @discardableResult
  func write(_ name: String, _ data: Data) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file.path
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }
}

let page = """
  <!DOCTYPE html><meta charset=utf-8><title>t</title>
  <style>body{margin:10px;font:16px sans-serif;color:#123} p{border:1px solid #789;padding:4px;border-radius:5px}</style>
  <h1>Receipt № 7</h1><p>Two coffees, <b>bold</b> and <i>strong</i>: 5.40 €</p><ul><li>one<li>two</ul>
  """

/// Width and height from a PNG's header.
func pngSize(_ data: Data) -> [Int] {
  guard data.count > 24, data.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return [] }
  return [16, 20].map { start in data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
}
