import Foundation
import Testing

private let libraries = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appendingPathComponent("Sources/CLibraries")

/// Runs a program that is found by `PATH`; what it wrote to standard output.
private func output(_ arguments: String...) throws -> String {
  let process = Process(), pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = arguments
  process.standardOutput = pipe
  try process.run()
  let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(arguments)")
  return String(decoding: bytes, as: UTF8.self)
}

/// The assembly of `libraries.c`.
private func assembly(_ options: String) throws -> String {
  try output(
    "clang", "-S", "-O1", options, "-I", libraries.appendingPathComponent("include").path, "-o", "-",
    libraries.appendingPathComponent("libraries.c").path)
}

@Test("With CLIBRARIES_LINKED there are no stubs for library functions, and without it there is one for each")
func stubsCanBeLeftOut() throws {
  let list = try String(contentsOf: libraries.appendingPathComponent("functions.h"), encoding: .utf8)
  let functions = list.matches(of: /FUNCTION\(\w+, (\w+)\)/).map { String($0.1) }.filter { $0 != "name" }
  let withStubs = try assembly("-DSTUBS"), linked = try assembly("-DCLIBRARIES_LINKED")
  #expect(functions.count > 100)
  for function in functions {
    #expect(withStubs.contains("\n\(function):"), "\(function)")
    #expect(!linked.contains(function), "\(function)")
  }
  #expect(linked.contains("\nclibraries_missing:") && linked.contains("\nclibraries_jpeg_file:"))
}
