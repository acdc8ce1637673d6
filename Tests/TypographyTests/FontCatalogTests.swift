import Foundation
import Testing

@testable import OffprintTypography

/// The catalog of fonts found by earlier scans.
@Suite("The font catalog")
final class FontCatalogTests {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-catalog-\(UInt64.random(in: 0...UInt64.max))")
  private var kept: String { root.appendingPathComponent("kept").path }
  private var fonts: String { root.appendingPathComponent("fonts").path }

  init() throws { try FileManager.default.createDirectory(atPath: fonts, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: root) }

  private func put(_ font: String, as name: String) throws {
    try Data(Fixture.bytes(font)).write(to: URL(fileURLWithPath: fonts + "/" + name))
  }

  private func registry(_ folders: [String]? = nil) -> FontRegistry { FontRegistry(folders: folders ?? [fonts], cacheDirectory: kept) }

  private func catalogs() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: kept)) ?? []).filter { $0.hasSuffix(".catalog") }
  }

  /// Modification times are trusted only after some time, because later changes could have the same time.
  private func wait() { Thread.sleep(forTimeInterval: 3.1) }

  @Test("has the same faces, names, order and digest as the files, even if any of its bytes is damaged")
  func same() throws {
    let plain = Fixture.registry
    func check(_ registry: FontRegistry) {
      #expect(registry.digest == plain.digest && registry.faces.map(\.path) == plain.faces.map(\.path) && registry.paths == plain.paths)
      #expect(registry.faces.map(\.info) == plain.faces.map(\.info))
      #expect(registry.orderedFallbackFaces.map(\.path) == plain.orderedFallbackFaces.map(\.path))
      for name in ["Arial", "LIBERATION SANS", "LiberationSans-Bold", "liberation mono bold", "math", "nobody", ""] {
        #expect(registry.faces(named: name).map(\.path) == plain.faces(named: name).map(\.path), "\(name)")
      }
      #expect(
        registry.families == plain.families
          && registry.faces(for: .generic(.serif)).map(\.path) == plain.faces(for: .generic(.serif)).map(\.path))
    }
    check(registry([Fixture.folder]))
    let name = try #require(catalogs().first), path = kept + "/" + name
    check(registry([Fixture.folder]))
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for place in stride(from: 0, to: whole.count, by: whole.count / 60) {
      var damaged = whole
      damaged[place] ^= 0xff
      for bytes in [damaged, Array(whole.prefix(place))] {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(registry([Fixture.folder]).faces.map(\.info) == plain.faces.map(\.info))
      }
    }
  }

  @Test("is not used after a file was added, removed or rewritten in place, even with an unchanged modification time")
  func changes() throws {
    try put("LiberationSans-Regular.ttf", as: "a.ttf")
    #expect(registry().families == ["Liberation Sans"] && catalogs().isEmpty)
    wait()
    #expect(registry().families == ["Liberation Sans"] && catalogs().count == 1)
    let before = registry().digest
    // The inode, the modification time and the size are the same.
    let path = fonts + "/a.ttf", old = try FileManager.default.attributesOfItem(atPath: path)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    var bytes = Fixture.bytes("LiberationSans-Regular.ttf")
    bytes[bytes.count - 1] ^= 1
    handle.write(Data(bytes))
    try handle.close()
    try FileManager.default.setAttributes([.modificationDate: old[.modificationDate] ?? Date()], ofItemAtPath: path)
    #expect(registry().digest != before)
    try put("LiberationMono-Regular.ttf", as: "b.ttf")
    #expect(registry().families == ["Liberation Mono", "Liberation Sans"])
    try FileManager.default.removeItem(atPath: path)
    #expect(registry().families == ["Liberation Mono"])
    #expect(registry([fonts, fonts + "/none"]).problems.count == 1)
  }

  @Test("A registered face replaces a face with the same name in the first folder, which is the bundled one")
  func preference() throws {
    var bytes = Fixture.bytes("LiberationSans-Regular.ttf")
    bytes[bytes.count - 1] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: fonts + "/other.ttf"))
    let registry = FontRegistry(folders: [Fixture.folder, fonts])
    let named = registry.faces(named: "LiberationSans").map(\.path)
    #expect(named == [fonts + "/other.ttf"] && registry.faces.count == Fixture.registry.faces.count)
    #expect(FontRegistry(folders: [fonts, Fixture.folder]).faces(named: "LiberationSans").map(\.path) != named)
  }

  @Test("has the coverage of a face without opening its file")
  func coverage() throws {
    for face in Fixture.registry.faces {
      let coverage = try #require(face.info.coverage)
      for codepoint in (0x20...0x2fff as ClosedRange<UInt32>) where !coverage.mayContain(codepoint) {
        let web = FontFace(data: FontData(path: face.path), index: face.index, info: FaceInfo(), path: "", digest: face.contentDigest)
        #expect(web.glyph(for: codepoint) == 0)
      }
    }
    #expect(Fixture.registry.faces(named: "Liberation Sans").first?.info.coverage?.mayContain(0x4e00) == false)
  }
}
