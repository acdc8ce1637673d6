import Foundation
import Testing

@testable import OffprintRenderCache

/// An archive in memory, read in pieces of `piece` bytes.
private struct Archive {
  var bytes: [UInt8] = []
  var piece = 700

  mutating func fill(_ cache: RenderCache, _ query: CacheQuery = CacheQuery()) throws -> Int {
    var bytes: [UInt8] = []
    let count = try cache.export(query) { bytes += $0 }
    self.bytes = bytes
    return count
  }

  func add(to cache: RenderCache, dryRun: Bool = false) throws -> CacheImport {
    var rest = bytes[...]
    return try cache.importArchive(dryRun: dryRun) { count in
      let taken = Array(rest.prefix(min(count, piece)))
      rest = rest.dropFirst(taken.count)
      return taken
    }
  }
}

private func fill(_ cache: RenderCache) throws {
  for number in 0..<12 {
    var value = makeValue("\(number)", size: number * 300)
    value.identifier = number == 3 ? "name with \u{e9} %, tab\t" : nil
    value.tags = number % 2 == 0 ? ["even"] : []
    value.source = "pages/\(number).html"
    value.parts = [CacheKeyPart(name: "html", digest: "0011223344556677", summary: "a b")]
    value.costMilliseconds = 2.5
    try cache.store(makeKey("\(number)"), value)
  }
}

@Suite("Archives")
struct ArchiveTests {
  @Test("An export is a tar archive, and importing it restores the same values with all their properties")
  func roundTrip() throws {
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    let cache = try openCache(here)
    try fill(cache)
    _ = cache.lookup(makeKey("3"))
    var archive = Archive()
    #expect(try archive.fill(cache) == 12)
    let other = try openCache(there)
    let foreseen = try archive.add(to: other, dryRun: true)
    #expect(foreseen.added == 12)
    #expect(try other.stats().entries == 0)
    #expect(try archive.add(to: other) == foreseen)
    #expect(try other.list().sorted { "\($0.key)" < "\($1.key)" } == cache.list().sorted { "\($0.key)" < "\($1.key)" })
    for number in 0..<12 { #expect(other.lookup(makeKey("\(number)")) != nil) }
    #expect(try archive.add(to: other) == CacheImport(existing: 12))
    #expect(try other.verify().isSound)
    #expect(there.files("cache/temporary") == [])
  }

  @Test("tar reads the archive")
  func tar() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    try fill(cache)
    var archive = Archive()
    _ = try archive.fill(cache)
    _ = FileManager.default.createFile(atPath: folder.path + "/a.tar", contents: Data(archive.bytes))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["tar", "-C", folder.path, "-xf", folder.path + "/a.tar"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let key = makeKey("5")
    #expect(
      FileManager.default.contents(atPath: folder.path + "/\(key.description.prefix(2))/\(key).png")
        == FileManager.default.contents(atPath: cache.objectPath(key)))
  }

  @Test("An archive with an identifier that looks like a key is refused")
  func keyShapedIdentifier() throws {
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    let cache = try openCache(here)
    var value = makeValue("1")
    value.identifier = String(repeating: "z", count: 64)
    try cache.store(makeKey("1"), value)
    var archive = Archive()
    _ = try archive.fill(cache)
    let place = try #require(archive.bytes.indices.first { archive.bytes[$0...].starts(with: [UInt8](repeating: 0x7A, count: 64)) })
    archive.bytes.replaceSubrange(place..<(place + 64), with: [UInt8](repeating: 0x41, count: 64))
    let other = try openCache(there)
    let error = #expect(throws: CacheError.self) { try archive.add(to: other) }
    #expect(error?.code == .invalidIdentifier)
    #expect(try other.stats().entries == 0)
  }

  @Test("A query selects what is exported, and damaged or stale values are left out")
  func some() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    try fill(cache)
    _ = FileManager.default.createFile(atPath: cache.objectPath(makeKey("2")), contents: Data([1]))
    var query = CacheQuery()
    query.filter = try CacheFilter.parse("tag = even")
    var archive = Archive()
    #expect(try archive.fill(cache, query) == 5)
  }

  @Test("A flipped bit, another file's contents or another key's record invalidates only that value")
  func damaged() throws {
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    let cache = try openCache(here)
    try fill(cache)
    var archive = Archive()
    _ = try archive.fill(cache)
    // The contents of "11" are its text and sevens; of "10" the record's checksum.
    let contents = Array("11".utf8) + [7, 7, 7, 7]
    let place = try #require(archive.bytes.indices.dropLast(6).first { Array(archive.bytes[$0..<($0 + 6)]) == contents })
    archive.bytes[place + 3] = 8
    let record = Array("key \(makeKey("10"))\n".utf8)
    let line = try #require(archive.bytes.indices.dropLast(80).first { archive.bytes[$0...].starts(with: record) })
    archive.bytes[line + 5] = archive.bytes[line + 5] == 0x30 ? 0x31 : 0x30
    let other = try openCache(there)
    let result = try archive.add(to: other)
    #expect(result.added == 10)
    #expect(result.rejected == 2)
    #expect(other.lookup(makeKey("11")) == nil)
    #expect(other.lookup(makeKey("10")) == nil)
    #expect(try other.verify().isSound)
  }

  @Test("A truncated or invalid archive is an error, and complete values before it are kept", arguments: [0, 100, 512, 600, 5000, 9000])
  func cut(_ length: Int) throws {
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    let cache = try openCache(here)
    try fill(cache)
    var archive = Archive()
    _ = try archive.fill(cache)
    archive.bytes = Array(archive.bytes.prefix(length))
    let other = try openCache(there)
    let error = #expect(throws: CacheError.self) { try archive.add(to: other) }
    #expect(error?.code == .invalidArchive)
    #expect(try other.verify().isSound)
    archive.bytes = Array(repeating: 0x41, count: 4096)
    #expect(throws: CacheError.self) { try archive.add(to: other) }
  }

  @Test("An archive truncated between two entries or without an end mark is an error")
  func cutBetweenMembers() throws {
    let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
    let cache = try openCache(here)
    try fill(cache)
    var archive = Archive()
    _ = try archive.fill(cache)
    let whole = archive.bytes
    let other = try openCache(there)
    // The first record alone, the first entry, and everything but the end mark.
    for blocks in stride(from: 1, to: whole.count / TarFormat.block - 1, by: 1) {
      archive.bytes = Array(whole.prefix(blocks * TarFormat.block))
      #expect(throws: CacheError.self, "\(blocks)") { try archive.add(to: other, dryRun: true) }
    }
    archive.bytes = whole
    #expect(try archive.add(to: other).rejected == 0)
  }

  @Test(
    "Paths outside the folder, links and huge sizes are skipped or refused",
    arguments: ["../../evil.png", "/tmp/evil", "ab/x.png", "ab"])
  func hostileNames(_ name: String) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    var archive = Archive()
    archive.bytes = TarFormat.header(name: name, size: 4, modified: 0) + Array("evil".utf8) + TarFormat.padding(4) + TarFormat.end
    #expect(try archive.add(to: cache) == CacheImport())
    var huge = TarFormat.header(name: name, size: 0o77_777_777_777, modified: 0)
    #expect(throws: CacheError.self) {
      archive.bytes = huge
      _ = try archive.add(to: cache)
    }
    huge[124] = 0xff
    #expect(TarFormat.parse(huge) == .broken)
    #expect(try cache.list().isEmpty)
  }

  @Test("A record is parsed to what it was written from, and other text is rejected")
  func records() throws {
    let record = CacheRecord(
      key: makeKey("a"), identifiers: ["a b", "%20", ""], tags: ["x\ny"], size: 7, checksum: digest([1]), width: 3, height: 4,
      created: CacheTime(milliseconds: 5), lastUsed: CacheTime(milliseconds: 6), hits: 8, costMilliseconds: 0.1,
      parts: [CacheKeyPart(name: "n", digest: "d", summary: "")], source: "a\u{0}b", metadata: "{\"a\": [1, 2]}\n",
      dependencies: [
        CacheDependency(location: "/a b/c.css", digest: digest([2]), size: 9, modified: -1),
        CacheDependency(location: "u", isFile: false, digest: nil),
      ])
    let text = RecordText.encode(record)
    #expect(RecordText.decode(text[...]) == record)
    for cut in 0..<(text.count - 1) { #expect(RecordText.decode(text[..<cut]) == nil) }
    for (field, value) in [("size", "-1"), ("cost", "nan"), ("key", "xyz"), ("checksum", "00"), ("width", "1e3")] {
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map {
        $0.hasPrefix(field + " ") ? "\(field) \(value)" : String($0)
      }
      #expect(RecordText.decode(Array(lines.joined(separator: "\n").utf8)[...]) == nil, "\(field) \(value)")
    }
  }
}
