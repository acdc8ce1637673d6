import Foundation
import Testing

@testable import OffprintTypography

/// The recorded metadata of the bundled fonts. `OFFPRINT_RECORD_FACES=1 swift test --filter PackagedFacesTests` records it again.
@Suite("The metadata of the bundled fonts")
final class PackagedFacesTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-faces-\(UInt64.random(in: 0...UInt64.max))")
  private static let name = "packaged.faces"

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["LiberationSans-Regular.ttf", "LiberationMono-Bold.ttf", Self.name]
    where FileManager.default.fileExists(atPath: "\(Fixture.folder)/\(name)") {
      try FileManager.default.copyItem(atPath: "\(Fixture.folder)/\(name)", toPath: folder.appendingPathComponent(name).path)
    }
  }
  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The faces of the folder, with and without recorded metadata.
  private func registries() throws -> (known: FontRegistry, read: FontRegistry) {
    let known = FontRegistry(folders: [folder.path])
    let other = folder.appendingPathComponent("sub")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: other) }
    return (known, FontRegistry(folders: [other.path, folder.path]))
  }

  @Test("equals the metadata in the files")
  func same() throws {
    let paths = Fixture.registry.paths.sorted()
    if ProcessInfo.processInfo.environment["OFFPRINT_RECORD_FACES"] != nil { PackagedFaces.write(paths, folder: Fixture.folder) }
    let packaged = try #require(PackagedFaces(folder: Fixture.folder))
    for path in paths {
      var status = stat()
      try #require(stat(path, &status) == 0)
      let known = try #require(packaged.file(path, status), "\(path)"), read = FontScanner.file(try #require(FontData(path: path)))
      #expect(known.digest == read.digest && known.faces.map(\.index) == read.faces.map(\.index), "\(path)")
      #expect(known.faces.map(\.info) == read.faces.map(\.info), "\(path)")
    }
  }

  @Test("does not change the registry")
  func registry() throws {
    let (known, read) = try registries()
    #expect(known.digest == read.digest && known.faces.map(\.info) == read.faces.map(\.info) && known.faces.count == 2)
  }

  @Test("is not used if it is damaged or a font has other tables, and fonts are read instead")
  func others() throws {
    let font = folder.appendingPathComponent("LiberationMono-Bold.ttf"), faces = folder.appendingPathComponent(Self.name)
    try Data(Fixture.bytes("LiberationSerif-Italic.ttf")).write(to: font)
    #expect(FontRegistry(folders: [folder.path]).families == ["Liberation Sans", "Liberation Serif"])
    let whole = [UInt8](try Data(contentsOf: faces))
    for place in stride(from: 0, to: whole.count, by: whole.count / 40) {
      var damaged = whole
      damaged[place] ^= 0xff
      for bytes in [damaged, Array(whole.prefix(place))] {
        try Data(bytes).write(to: faces)
        let (known, read) = try registries()
        #expect(known.digest == read.digest && known.faces.map(\.info) == read.faces.map(\.info))
      }
    }
  }
}
