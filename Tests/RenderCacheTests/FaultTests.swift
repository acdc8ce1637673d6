import Foundation
import Testing

@testable import OffprintRenderCache

/// A fault injected into the system calls of a process: see `Tests/Faults/faults.c`.
private struct Fault: CustomTestStringConvertible {
  var kind: String
  var isLasting = false

  var testDescription: String { kind + (isLasting ? " from then on" : " once") }

  static let all = ["eio", "enospc", "short", "read"].flatMap { [Fault(kind: $0), Fault(kind: $0, isLasting: true)] }
}

@Suite("A failing disk")
struct FaultTests {
  /// Every n-th call fails; OFFPRINT_FAULT_STEP=1 tries each call.
  private static let step = ProcessInfo.processInfo.environment["OFFPRINT_FAULT_STEP"].flatMap { Int($0) } ?? 23

  private static let library: String? = {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Faults/faults.c").path
    let path = NSTemporaryDirectory() + "/offprint-faults-\(getpid()).so"
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]
    guard (try? compiler.run()) != nil else { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? path : nil
  }()

  @Test(
    "Whichever call fails, every value is returned, existing and reported values persist, nothing wrong is served, and nothing traps",
    .enabled(if: library != nil, "needs clang"), arguments: Fault.all)
  fileprivate func everyCall(_ fault: Fault) throws {
    let calls = try run(fault, at: 0)
    try #require(calls > 20, "the preloaded library counts calls")
    let first = Self.step == 1 ? 1 : 1 + fault.testDescription.utf8.reduce(0) { $0 + Int($1) } % Self.step
    for number in stride(from: first, through: calls, by: Self.step) { _ = try run(fault, at: number) }
  }

  /// Runs a process whose call number `number` fails, and checks what an unaffected process finds afterwards.
  /// - Returns: The number of calls that could fail.
  private func run(_ fault: Fault, at number: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    for name in ["0", "1", "6", "7"] { try cache.store(makeKey(name), makeValue(name + " ")) }
    cache.close()
    let peer = try Peer("work", folder.path + "/cache", environment: environment(fault, number, folder))
    let said = peer.rest().split(separator: "\n").map(String.init)
    let place: Comment = "call \(number): \(said)"
    #expect(peer.exitCode != nil, place)
    #expect(!said.contains { $0.hasPrefix("wrong") }, place)
    if peer.exitCode == 0 { #expect(said.count { $0.hasPrefix("kept") || $0.hasPrefix("answered") } == 6, place) }
    try check(folder, said, place)
    return try #require(Int(String(decoding: Data(contentsOf: URL(fileURLWithPath: folder.path + "/report")), as: UTF8.self).dropLast()))
  }

  private func environment(_ fault: Fault, _ number: Int, _ folder: TemporaryFolder) -> [String: String] {
    var variables = [
      "LD_PRELOAD": Self.library ?? "", "FAULT_FOLDER": folder.path + "/cache", "FAULT_KIND": fault.kind, "FAULT_AT": "\(number)",
      "FAULT_REPORT": folder.path + "/report",
    ]
    if fault.isLasting { variables["FAULT_LASTING"] = "1" }
    return variables
  }

  private func check(_ folder: TemporaryFolder, _ said: [String], _ place: Comment) throws {
    let cache = try openCache(folder)
    defer { cache.close() }
    var expected = ["0", "1", "6", "7"]
    if said.last == "closed" { expected += said.filter { $0.hasPrefix("kept") }.map { String($0.dropFirst(5)) } }
    for name in Set(expected) where name != "5" {
      #expect(cache.lookup(makeKey(name))?.data.starts(with: Array("\(name) ".utf8)) == true, "\(name) is lost; \(place)")
    }
    if said.contains("removed 5"), said.last == "closed" { #expect(cache.lookup(makeKey("5")) == nil, place) }
    _ = try cache.verify(repair: true)
    #expect(try cache.verify().isSound, place)
  }
}

@Suite("A clock set back")
struct ClockTests {
  @Test("Values are found, stored, trimmed and reported when the clock goes back a year and forward again")
  func backwards() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    clock.advance(1_700_000_000_000)
    let cache = try openCache(folder, clock: clock)
    defer { cache.close() }
    try cache.store(makeKey("before"), makeValue("before"))
    clock.advance(-365 * 86_400_000)
    #expect(cache.lookup(makeKey("before")) != nil)
    try cache.store(makeKey("back"), makeValue("back"))
    try cache.flush()
    #expect(try cache.trim(maxAge: .seconds(86_400)).entries == 0, "entries with a future time are not expired")
    #expect(Set(try cache.list().map(\.key)) == [makeKey("before"), makeKey("back")])
    #expect(try cache.stats().entries == 2)
    clock.advance(365 * 86_400_000)
    #expect(cache.lookup(makeKey("back")) != nil)
    #expect(try cache.verify().isSound)
  }
}
