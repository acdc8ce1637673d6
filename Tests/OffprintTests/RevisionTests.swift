import Foundation
import Testing

@testable import Offprint

/// `Pages/digests.txt`: the revision it was made with, then one line per page.
private struct DigestFile {
  static let url = OwnPages.folder.appendingPathComponent("digests.txt")
  var revision = 0
  var digests: [String: String] = [:]

  static var isRecorded: Bool { FileManager.default.fileExists(atPath: url.path) }
  static var isRecording: Bool { ProcessInfo.processInfo.environment["OFFPRINT_RECORD_DIGESTS"] != nil }

  init() {}

  static func read() throws -> DigestFile {
    var file = DigestFile()
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      if parts[0] == "revision" { file.revision = Int(parts[1]) ?? 0 } else { file.digests[parts[0]] = parts[1] }
    }
    return file
  }

  func write() throws {
    let lines = digests.keys.sorted().map { "\($0) \(digests[$0] ?? "")" }
    try (["revision \(revision)"] + lines + [""]).joined(separator: "\n").write(to: Self.url, atomically: true, encoding: .utf8)
  }
}

@Suite(
  "The rendering revision",
  .enabled(
    if: DigestFile.isRecorded || DigestFile.isRecording,
    "No digests are recorded: OFFPRINT_RECORD_DIGESTS=1 swift test --filter RevisionTests"))
struct RevisionTests {
  @Test("The image of a page of this package changes only if the rendering revision increases (OFFPRINT_RECORD_DIGESTS=1 records)")
  func guarded() async throws {
    let known = (try? DigestFile.read()) ?? DigestFile()
    var found = DigestFile()
    found.revision = PreparedRequest.renderingRevision
    let renderer = try Renderer.alone { $0.workers = 2 }
    for name in OwnPages.names { found.digests[name] = OwnPages.digest(try await renderer.pixels(OwnPages.request(name))) }
    #expect(found.digests.count >= 80)
    let changed = known.digests.keys.sorted().filter { found.digests[$0] != known.digests[$0] }
    if DigestFile.isRecording {
      guard changed.isEmpty || found.revision > known.revision else {
        Issue.record("Not recorded: \(changed.joined(separator: ", ")) changed, but renderingRevision is still \(found.revision).")
        return
      }
      return try found.write()
    }
    #expect(changed.isEmpty, "If these images are meant to change, increase renderingRevision and record the digests again.")
    #expect(known.revision == found.revision, "The digests were recorded with another revision: record them again.")
    #expect(Set(known.digests.keys) == Set(found.digests.keys), "Record the digests of new pages.")
  }

  @Test("A similar page has another digest", .enabled(if: DigestFile.isRecorded))
  func distinct() throws {
    let digests = try DigestFile.read().digests
    #expect(Set(digests.values).count == digests.count)
  }
}
