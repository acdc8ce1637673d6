import OffprintCoreTypes
import Foundation
import Synchronization
import Testing

@testable import OffprintRenderCache

/// The duration of `body`. Limits in these tests are generous: they only show that nothing waits for a lock that is held for a minute.
private func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  let (seconds, attoseconds) = (ContinuousClock.now - start).components
  return Double(seconds) + Double(attoseconds) / 1e18
}

@Suite("An index locked by another process")
struct LockedIndexTests {
  @Test("While another process writes for a minute, lookups hit, values are stored, and closing gives up in time and reports it")
  func heldForWriting() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    for number in 0..<20 { try cache.store(makeKey("\(number)"), makeValue("\(number)")) }
    let peer = try Peer("hold", folder.path + "/cache", "write", "60000")
    try peer.waitForLine("ready")
    let time = try seconds {
      for number in 0..<20 { #expect(cache.lookup(makeKey("\(number)")) != nil) }
      let outcome = try cache.value(for: makeKey("new")) { makeValue("new") }
      #expect(outcome.storeFailure == nil, "the row is written later")
      #expect(cache.lookup(makeKey("new"))?.data == Array("new".utf8))
      let opened = try openCache(folder)
      #expect(opened.lookup(makeKey("3")) != nil)
      #expect(opened.close(isExiting: true)?.code == .cacheBusy)
      #expect(cache.close(isExiting: true)?.code == .cacheBusy)
    }
    #expect(time < 10)
    peer.kill()
    #expect(folder.files("cache/temporary") == [], "an abandoned write leaves no temporary file")
    let after = try openCache(folder)
    #expect(after.lookup(makeKey("3")) != nil)
    #expect(try after.verify().isSound)
  }

  @Test("Of several pending rows the latest gets the identifier, and none overwrites a later one")
  func orderOfWaiting() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let peer = try Peer("hold", folder.path + "/cache", "write", "60000")
    try peer.waitForLine("ready")
    // More than nine, so that their numbers would sort differently as text.
    for number in 0..<12 {
      var value = makeValue("\(number)")
      value.identifier = "card"
      try cache.store(makeKey("\(number)"), value)
    }
    try cache.store(makeKey("same"), makeValue("old"))
    peer.kill()
    try cache.store(makeKey("same"), makeValue("new"))
    try cache.flush()
    #expect(try cache.record(identifier: "card")?.key == makeKey("11"))
    #expect(cache.lookup(makeKey("same"))?.data == Array("new".utf8))
    #expect(folder.files("cache/temporary") == [])
  }

  @Test("Pending rows are written when the index is free, in the background or by closing", arguments: [false, true])
  func writtenLater(_ byClosing: Bool) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    try cache.store(makeKey("old"), makeValue("old"))
    let peer = try Peer("hold", folder.path + "/cache", "write", "60000")
    try peer.waitForLine("ready")
    try cache.store(makeKey("a"), makeValue("a"))
    #expect(cache.lookup(makeKey("old"), identifier: "name") != nil)
    peer.kill()
    if byClosing {
      #expect(cache.close() == nil)
    } else {
      for _ in 0..<500 where !cache.backlog.withLock({ $0.isEmpty }) { usleep(10_000) }
    }
    let other = try openCache(folder)
    #expect(other.lookup(makeKey("a"))?.data == Array("a".utf8))
    #expect(try other.record(identifier: "name")?.key == makeKey("old"))
  }

  @Test("While the index cannot even be read, lookups are immediate misses, and opening ends at its deadline")
  func heldForAll() throws {
    let folder = try TemporaryFolder()
    try openCache(folder).close()
    let peer = try Peer("hold", folder.path + "/cache", "all", "60000")
    try peer.waitForLine("ready")
    let time = seconds {
      let error = #expect(throws: CacheError.self) {
        _ = try RenderCache(RenderCacheConfiguration(folder: folder.path + "/cache"), deadline: Deadline(after: .milliseconds(300)))
      }
      #expect(error?.code == .cacheBusy)
    }
    #expect(time < 10)
    peer.kill()
    #expect(throws: Never.self) { try openCache(folder) }
  }

  @Test(
    "Waiting for another process that produces the same value ends at the deadline",
    arguments: [CacheLatePolicy.produce, .fail])
  func lateProcess(_ late: CacheLatePolicy) throws {
    let folder = try TemporaryFolder()
    try openCache(folder).close()
    let peer = try Peer("produce", folder.path + "/cache", "a", "60000")
    try peer.waitForLine("started")
    let cache = try openCache(folder)
    let made = Mutex(0)
    let time = seconds {
      let outcome = try? cache.value(for: makeKey("a"), deadline: Deadline(after: .milliseconds(200)), late: late) {
        made.withLock { $0 += 1 }
        return makeValue("mine")
      }
      #expect((outcome != nil) == (late == .produce))
    }
    #expect(made.withLock { $0 } == (late == .produce ? 1 : 0))
    #expect(time < 10)
    peer.kill()
  }

  @Test("Waiting for another thread that produces the same value ends at the deadline", arguments: [CacheLatePolicy.produce, .fail])
  func lateThread(_ late: CacheLatePolicy) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let isStarted = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    group.enter()
    Thread {
      _ = try? cache.value(for: makeKey("a")) {
        isStarted.signal()
        mayEnd.wait()
        return makeValue("slow")
      }
      group.leave()
    }.start()
    isStarted.wait()
    let isLate = Mutex(false)
    let outcome = Mutex<CacheOutcome?>(nil)
    do {
      let made = try cache.value(for: makeKey("a"), deadline: Deadline(after: .milliseconds(100)), late: late) { makeValue("mine") }
      outcome.withLock { $0 = made }
    } catch is DeadlineExceeded {
      isLate.withLock { $0 = true }
    }
    mayEnd.signal()
    group.wait()
    #expect(outcome.withLock { $0?.entry.data } == (late == .produce ? Array("mine".utf8) : nil))
    #expect(isLate.withLock { $0 } == (late == .fail))
  }

  @Test("Two processes that request the same value produce it once")
  func twoProcesses() throws {
    let folder = try TemporaryFolder()
    try openCache(folder).close()
    let first = try Peer("produce", folder.path + "/cache", "a", "300")
    try first.waitForLine("started")
    let outcome = try openCache(folder).value(for: makeKey("a")) { makeValue("a") }
    #expect(outcome.wasCached)
    #expect(first.rest() == "produced\n")
  }
}

@Suite("Killed processes")
struct CrashTests {
  /// The number of rounds; OFFPRINT_CRASH_ROUNDS sets it.
  static let rounds = ProcessInfo.processInfo.environment["OFFPRINT_CRASH_ROUNDS"].flatMap { Int($0) } ?? 12

  @Test("Processes killed while they store, trim, remove and import leave a sound cache")
  func churning() throws {
    let folder = try TemporaryFolder()
    for round in 0..<Self.rounds {
      let peers = try (0..<3).map { try Peer("churn", folder.path + "/cache", "\(round * 10 + $0)") }
      for peer in peers { try peer.waitForLine("ready") }
      usleep(UInt32(20_000 + round * 7919 % 60_000))
      for peer in peers { peer.kill() }
      for peer in peers { #expect(peer.rest() == "") }
    }
    let cache = try openCache(folder)
    for number in 0..<150 {
      if let entry = cache.lookup(makeKey("\(number)")) { #expect(entry.data.starts(with: Array("\(number) ".utf8))) }
    }
    let report = try cache.verify(repair: true)
    #expect(report.damagedFiles == [])
    #expect(report.indexProblems == [])
    #expect(try cache.verify().isSound)
  }

  @Test("Files left by a killed migration are removed if the index in place is sound")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    try openCache(folder).close()
    for name in ["index-previous.sqlite", "index-new.sqlite", "index-new.sqlite-wal"] {
      #expect(FileManager.default.createFile(atPath: folder.path + "/cache/temporary/" + name, contents: Data("old".utf8)))
    }
    try openCache(folder).close()
    #expect(folder.files("cache/temporary") == [])
  }

  @Test("Processes killed while they migrate or rebuild an index leave the old one or the new one", arguments: [2, 0])
  func opening(_ version: Int) throws {
    let folder = try TemporaryFolder()
    let old = IndexSchema(steps: Array(IndexSchema.current.steps.prefix(2)))
    try openCache(folder, schema: old).close()
    let index = folder.path + "/cache/index.sqlite"
    let db = try SQLiteDatabase(index, .readWrite, deadline: .never)
    try db.transaction {
      for number in 0..<2000 {
        try db.run(
          "INSERT INTO entry (key, size, checksum, width, height, created, lastUsed, cost, parts, metadata, dependencies) "
            + "VALUES (?, 1, ?, 1, 1, 1, 1, 1, '', '', 0)",
          [SQLiteValue(makeKey("\(number)")), .blob([UInt8](repeating: 1, count: 32))])
      }
    }
    if version == 0 { try db.execute("PRAGMA user_version = -5") }
    db.close()
    let copy = FileManager.default.contents(atPath: index)
    for round in 0..<Self.rounds {
      unlink(index)
      for suffix in ["-wal", "-shm"] { unlink(index + suffix) }
      _ = FileManager.default.createFile(atPath: index, contents: copy)
      let peer = try Peer("open", folder.path + "/cache")
      usleep(UInt32(2000 + round * 6007 % 60_000))
      peer.kill()
      let cache = try openCache(folder)
      #expect(try cache.stats().entries == 2000)
      cache.close()
      #expect(folder.files("cache/temporary") == [])
    }
  }
}
