import Foundation
import Testing

private let hiding = ["--mount", "--map-root-user", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"]

private let canHide: Bool = {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
  process.arguments = hiding + ["true"]
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}()

/// A chroot may lack `/proc`, which Swift's `CommandLine` reads.
@Suite("Without /proc", .enabled(if: canHide, "Needs mount namespaces"))
struct WithoutProcTests {
  private func run(_ name: String, _ arguments: [String], input: String = "") throws -> (status: Int32, output: Data, errors: String) {
    let process = Process(), output = Pipe(), errors = Pipe(), source = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    let program = Program.url.deletingLastPathComponent().appendingPathComponent(name).path
    process.arguments = hiding + [program] + arguments
    (process.standardOutput, process.standardError, process.standardInput) = (output, errors, source)
    try process.run()
    try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try source.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, data, words)
  }

  @Test("Without /proc commands get their arguments, find their fonts, and render, also in worker processes")
  func renders() throws {
    #expect(String(decoding: try run("offprint", ["--version"]).output, as: UTF8.self).contains("."))
    #expect(try run("offprint", ["--no-such-option"]).status == 64)
    let arguments = ["render", "-", "-o", "-", "--no-cache", "--width", "40"]
    let plain = try run("offprint", arguments, input: "<p>x")
    #expect(plain.status == 0 && plain.output.starts(with: [0x89, 0x50]), "\(plain.errors)")
    let isolated = try run("offprint", arguments + ["--isolate"], input: "<p>x")
    #expect(isolated.output == plain.output, "\(isolated.errors)")
  }
}
