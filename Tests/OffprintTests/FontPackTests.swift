import Foundation
import OffprintTestSupport
import Testing

@testable import Offprint

/// A system with packages installed like in Debian, made from the bundled fonts.
struct PackagedSystem {
  let folder: TemporaryFolder
  var root: String { folder.path }

  init(package: String = "fonts-lato", files: [String] = ["LiberationSans-Regular.ttf"], licence: Bool = true) throws {
    folder = try TemporaryFolder()
    let fonts = try #require(BundledFonts.find())
    for name in ["/var/lib/dpkg/info", "/usr/share/fonts/truetype", "/usr/share/doc/\(package)"] {
      try FileManager.default.createDirectory(atPath: root + name, withIntermediateDirectories: true)
    }
    var list = "/.\n/usr\n/usr/share/fonts/truetype\n/usr/share/doc/\(package)/copyright\n"
    for file in files {
      try FileManager.default.copyItem(atPath: "\(fonts)/\(file)", toPath: "\(root)/usr/share/fonts/truetype/\(file)")
      list += "/usr/share/fonts/truetype/\(file)\n"
    }
    if licence { try Data("Free as can be\n".utf8).write(to: URL(fileURLWithPath: "\(root)/usr/share/doc/\(package)/copyright")) }
    try Data(list.utf8).write(to: URL(fileURLWithPath: "\(root)/var/lib/dpkg/info/\(package).list"))
  }
}

@Suite("Font packs")
struct FontPackTests {
  private let pack = FontPack.named("lato")

  @Test("Packs are copied from packages with their license, replaced as a whole, and removed")
  func add() throws {
    let pack = try #require(pack), system = try PackagedSystem(), home = try TemporaryFolder()
    let installer = FontPackInstaller(folder: home("a/fonts"), source: FontPackSource(root: system.root))
    #expect(!installer.has(pack))
    let outcome = try installer.add(pack)
    #expect(outcome.files == ["LiberationSans-Regular.ttf", "LICENCE-fonts-lato.txt"] && outcome.folder == home("a/fonts/lato"))
    try Data("old".utf8).write(to: URL(fileURLWithPath: home("a/fonts/lato/Old.ttf")))
    #expect(try installer.add(pack) == outcome && installer.has(pack))
    let there = try FileManager.default.contentsOfDirectory(atPath: home("a/fonts"))
    #expect(there == ["lato"])
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: outcome.folder)) == Set(outcome.files))
    #expect(try installer.remove(pack) && !installer.has(pack))
    #expect(try !installer.remove(pack))
  }

  @Test("A pack that is not installed says what to install, and leaves nothing behind")
  func missing() throws {
    let pack = try #require(pack), home = try TemporaryFolder(), other = try PackagedSystem(package: "fonts-inter")
    let bare = try PackagedSystem(licence: false)
    for root in [home.path, other.root, bare.root] {
      let installer = FontPackInstaller(folder: home("fonts"), source: FontPackSource(root: root))
      let error = #expect(throws: OffprintError.self) { _ = try installer.add(pack) }
      #expect(error?.code == .fontPackMissing)
      if root != bare.root { #expect(error?.message.contains("'apt-get install fonts-lato'") == true) }
    }
    #expect(!FileManager.default.fileExists(atPath: home("fonts")))
  }

  @Test("All packs that are not installed are named with one command to install them")
  func missingPacks() throws {
    let home = try TemporaryFolder(), packs = try ["emoji", "arabic", "hebrew"].map { try #require(FontPack.named($0)) }
    let error = #expect(throws: OffprintError.self) { try FontPackSource(root: home.path).check(packs) }
    #expect(
      error?.message.contains("'apt-get install fonts-noto-color-emoji fonts-noto-core', then 'offprint fonts add emoji arabic hebrew'")
        == true, "\(error?.message ?? "")")
  }

  @Test("Fonts in the user's folder are found, and affect the key by their contents only")
  func key() async throws {
    let pack = try #require(pack), system = try PackagedSystem(), home = try TemporaryFolder(), elsewhere = try TemporaryFolder()
    let empty = try TemporaryFolder()
    func result(_ folder: String?) async throws -> RenderResult {
      let renderer = try Renderer.alone {
        $0.bundledFontFolder = empty.path
        $0.userFontFolder = folder
      }
      var request = RenderRequest(html: "<p style='font-family:Liberation Sans'>a")
      request.width = .px(100)
      return try await renderer.render(request)
    }
    let without = try await result(nil)
    #expect(without.isDegraded)
    var keys: Set<String> = [without.key]
    for folder in [home.path, elsewhere.path] {
      _ = try FontPackInstaller(folder: folder, source: FontPackSource(root: system.root)).add(pack)
      let with = try await result(folder)
      #expect(!with.isDegraded && with.faces.map(\.postScriptName) == ["LiberationSans"])
      keys.insert(with.key)
    }
    #expect(keys.count == 2)
  }

  @Test("A pack contains only its own files")
  func files() {
    let thai = FontPack.named("thai"), emoji = FontPack.named("emoji")
    #expect(thai?.holds(file: "NotoSansThai-Regular.ttf") == true && thai?.holds(file: "NotoLoopedThai-Bold.ttf") == true)
    #expect(thai?.holds(file: "NotoSansTamil-Regular.ttf") == false && thai?.holds(file: "NotoSansThai-Regular.woff2") == false)
    #expect(emoji?.holds(file: "copyright") == false && emoji?.holds(file: "NotoColorEmoji.ttf") == true)
  }
}
