import Foundation
import Synchronization
import Testing

@testable import OffprintRenderCache

/// Runs `body` on `count` threads concurrently, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread {
      body(number)
      group.leave()
    }.start()
  }
  group.wait()
}

private struct Failure: Error {}

@Suite("Coalesced requests")
struct SharingTests {
  @Test("Threads that request one key at the same time cause one production")
  func threads() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder, memory: 1 << 20)
    let made = Mutex(0)
    let cached = Mutex(0)
    onThreads(16) { _ in
      let outcome = try? cache.value(for: makeKey("a")) {
        made.withLock { $0 += 1 }
        usleep(30_000)
        return makeValue("a")
      }
      #expect(outcome?.entry.data == Array("a".utf8))
      if outcome?.wasCached == true { cached.withLock { $0 += 1 } }
    }
    #expect(made.withLock { $0 } == 1)
    #expect(cached.withLock { $0 } == 15)
  }

  @Test("A folder opened for the first time by many at once becomes one cache")
  func first() throws {
    let folder = try TemporaryFolder()
    for round in 0..<30 {
      onThreads(4) { _ in
        #expect(throws: Never.self) { try RenderCache(RenderCacheConfiguration(folder: "\(folder.path)/\(round)")) }
      }
    }
  }

  @Test("Handles that share only the folder, like processes, cause one production")
  func handles() throws {
    let folder = try TemporaryFolder()
    let made = Mutex(0)
    onThreads(6) { _ in
      let cache: RenderCache
      do {
        cache = try openCache(folder)
      } catch {
        Issue.record(error, "does not open")
        return
      }
      let outcome = try? cache.value(for: makeKey("a")) {
        made.withLock { $0 += 1 }
        usleep(50_000)
        return makeValue("a")
      }
      #expect(outcome?.entry.data == Array("a".utf8))
    }
    #expect(made.withLock { $0 } == 1)
  }

  @Test("Different keys are produced concurrently")
  func sideBySide() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let running = Mutex(0)
    let maximum = Mutex(0)
    onThreads(4) { number in
      _ = try? cache.value(for: makeKey("\(number)")) {
        let now = running.withLock {
          $0 += 1
          return $0
        }
        maximum.withLock { $0 = max($0, now) }
        usleep(100_000)
        running.withLock { $0 -= 1 }
        return makeValue("\(number)")
      }
    }
    #expect(maximum.withLock { $0 } > 1)
  }

  @Test("If the first production fails its caller gets the error, and the others produce the value themselves")
  func failure() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let attempts = Mutex(0)
    let failures = Mutex(0)
    onThreads(4) { _ in
      do {
        let outcome = try cache.value(for: makeKey("a")) {
          let attempt = attempts.withLock {
            $0 += 1
            return $0
          }
          usleep(50_000)
          if attempt == 1 { throw Failure() }
          return makeValue("a")
        }
        #expect(outcome.entry.data == Array("a".utf8))
      } catch {
        failures.withLock { $0 += 1 }
      }
    }
    #expect(failures.withLock { $0 } == 1)
    #expect(cache.lookup(makeKey("a")) != nil)
  }

  @Test("A value that is not storable is returned and not stored, and a refresh replaces the stored value")
  func policies() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    var degraded = makeValue("degraded")
    degraded.isStorable = false
    #expect(try cache.value(for: makeKey("a")) { degraded }.wasCached == false)
    #expect(cache.lookup(makeKey("a")) == nil)
    #expect(try cache.value(for: makeKey("a")) { makeValue("one") }.wasCached == false)
    #expect(try cache.value(for: makeKey("a")) { makeValue("two") }.entry.data == Array("one".utf8))
    let refreshed = try cache.value(for: makeKey("a"), refresh: true) { makeValue("three") }
    #expect(!refreshed.wasCached)
    #expect(cache.lookup(makeKey("a"))?.data == Array("three".utf8))
  }

  @Test("Writers, readers, removers and trimmers on several handles never see a wrong value")
  func stress() throws {
    let folder = try TemporaryFolder()
    let handles = [try openCache(folder), try openCache(folder, memory: 4096)]
    onThreads(6) { number in
      let cache = handles[number % 2]
      for step in 0..<60 {
        let name = "\(step % 7)"
        switch (number + step) % 5 {
        case 0: try? cache.store(makeKey(name), makeValue(name + " by \(number)", size: 300 + number * 10))
        case 1 where step % 10 == 1: _ = try? cache.remove(makeKey(name))
        case 2 where step % 20 == 2: _ = try? cache.trim(maxSize: 1500)
        default:
          if let entry = cache.lookup(makeKey(name)) { #expect(entry.data.starts(with: Array((name + " by ").utf8))) }
        }
      }
    }
    handles.forEach { $0.close() }
    let report = try openCache(folder).verify()
    #expect(report.isSound, "\(report)")
  }
}
