import Foundation
import Testing

@testable import OffprintTypography

@Suite struct FontRegistryTests {
  @Test("The bundled folder contains the twelve Liberation faces, DejaVu Sans, Inter and a math font, and only fonts")
  func bundledFaces() {
    #expect(Fixture.registry.faces.count == 15)
    #expect(Fixture.registry.problems.isEmpty)
    #expect(
      Fixture.registry.families == ["DejaVu Sans", "Inter", "Latin Modern Math", "Liberation Mono", "Liberation Sans", "Liberation Serif"])
  }

  @Test("The bundled Inter has every weight, and is used for text in other families only if they lack a character")
  func inter() throws {
    let context = Fixture.context()
    var description = FontDescription(families: [.named("Inter")])
    for weight in [100, 400, 650, 900] as [Float] {
      description.weight = weight
      let face = try #require(context.primaryFace(context.font(description)))
      #expect(face.face.info.family == "Inter" && !face.isSyntheticBold)
      #expect(weight == 400 || face.variations.contains { $0.value == weight }, "\(weight)")
    }
    #expect(Fixture.registry.orderedFallbackFaces.suffix(2).map(\.info.family) == ["Inter", "Latin Modern Math"])
    for character in "AžĐŁλЖẵ€₽№→✓".unicodeScalars {
      #expect(Fixture.registry.faces(named: "Inter").first?.covers(character.value) == true)
    }
  }

  @Test("A registered family with the name Inter replaces the bundled one")
  func ownInter() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-inter-\(UInt64.random(in: 0...UInt64.max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = folder.appendingPathComponent("mine.ttf")
    try Data(Self.renamed(Fixture.bytes("LiberationSans-Regular.ttf"), "Inter")).write(to: own)
    let faces = FontRegistry(folders: [Fixture.folder, folder.path]).faces(named: "Inter")
    #expect(faces.map(\.path) == [own.path])
  }

  /// A font with another family name, which must be shorter.
  /// https://learn.microsoft.com/en-us/typography/opentype/spec/name
  private static func renamed(_ font: [UInt8], _ family: String) throws -> [UInt8] {
    var font = font
    func number(_ at: Int, _ count: Int) -> Int { font[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
    let record = try #require((0..<number(4, 2)).map { 12 + 16 * $0 }.first { font[$0..<$0 + 4].elementsEqual("name".utf8) })
    let table = number(record + 8, 4), texts = table + number(table + 4, 2)
    for entry in (0..<number(table + 2, 2)).map({ table + 6 + 12 * $0 }) where number(entry + 6, 2) == 1 {
      let isUnicode = number(entry, 2) != 1
      let name: [UInt8] = family.utf8.flatMap { byte -> [UInt8] in isUnicode ? [0, byte] : [byte] }
      let start = texts + number(entry + 10, 2)
      font.replaceSubrange(start..<start + name.count, with: name)
      font.replaceSubrange(entry + 8..<entry + 10, with: [0, UInt8(name.count)])
    }
    return font
  }

  @Test("Every face is found by its PostScript name and full name, regardless of case")
  func printedNames() throws {
    for face in Fixture.registry.faces {
      let byPostScript = try #require(Fixture.registry.faces(named: face.info.postScriptName.uppercased()).first)
      #expect(byPostScript === face)
      #expect(Fixture.registry.faces(named: face.info.fullName).contains { $0 === face })
    }
  }

  @Test("A PostScript name selects that face, a family name the face that matches weight and style")
  func matching() {
    let context = Fixture.context()
    func face(_ description: FontDescription) -> String? { context.primaryFace(context.font(description))?.face.info.postScriptName }
    #expect(face(Fixture.description("LiberationSans-Bold")) == "LiberationSans-Bold")
    var description = Fixture.sans
    #expect(face(description) == "LiberationSans")
    description.weight = 600
    #expect(face(description) == "LiberationSans-Bold")
    description.style = .oblique(14)
    #expect(face(description) == "LiberationSans-BoldItalic")
    description.weight = 500
    #expect(face(description) == "LiberationSans-Italic")
  }

  @Test(
    "Generic families and metric-compatible names select Liberation",
    arguments: [
      ("Arial", "Liberation Sans"), ("helvetica", "Liberation Sans"), ("Times New Roman", "Liberation Serif"),
      ("Courier New", "Liberation Mono"),
    ])
  func aliases(name: String, family: String) {
    #expect(Fixture.registry.faces(named: name).first?.info.family == family)
  }

  @Test("Missing families fall through to the next one, and finally to the default serif font")
  func unknownFamily() {
    let context = Fixture.context()
    func family(_ families: [FontFamilyName]) -> String? {
      context.primaryFace(context.font(FontDescription(families: families)))?.face.info.family
    }
    #expect(family([.named("Nothing"), .generic(.monospace)]) == "Liberation Mono")
    #expect(family([.named("Nothing")]) == "Liberation Serif")
    #expect(family([.generic(.systemUI)]) == "Liberation Sans")
  }

  @Test("Weights match in the order of css-fonts-4")
  func weights() {
    func chosen(_ wanted: Float, _ weights: [Float]) -> Float? {
      var description = FontDescription()
      description.weight = wanted
      let faces = weights.map { FaceCapabilities(weight: $0...$0, stretch: 100...100, isItalic: false) }
      return FontMatching.match(faces, FaceRequest(description)).first.map { weights[$0] }
    }
    #expect(chosen(400, [300, 500, 700]) == 500)
    #expect(chosen(450, [300, 400, 700]) == 400)
    #expect(chosen(500, [300, 600]) == 300)
    #expect(chosen(300, [100, 400]) == 100)
    #expect(chosen(600, [500, 900]) == 900)
    #expect(chosen(900, [100, 400]) == 400)
  }

  @Test("The digest does not depend on the order of the folder, and depends on the fonts")
  func digest() {
    let again = FontRegistry(folders: [Fixture.folder, Fixture.folder + "/../Fonts"])
    #expect(again.digest == Fixture.registry.digest)
    let one = FontRegistry(folders: [Fixture.folder + "/DejaVuSans.ttf"])
    #expect(one.faces.count == 1)
    #expect(one.digest != Fixture.registry.digest)
  }

  @Test("The content hash depends on every byte")
  func contentHash() {
    func hash(_ bytes: [UInt8]) -> FontDigest {
      var hasher = FontHasher()
      bytes.withUnsafeBufferPointer { hasher.update($0) }
      return hasher.finish()
    }
    let bytes = [UInt8](repeating: 7, count: 101)
    var seen: Set<FontDigest> = [hash(bytes)]
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(seen.insert(hash(changed)).inserted)
    }
  }

  @Test("A missing folder and a file that is not a font are reported without failing")
  func problems() {
    let registry = FontRegistry(folders: ["/nowhere/at/all", #filePath])
    #expect(registry.faces.isEmpty)
    #expect(registry.problems.count == 2)
    let context = FontContext(fonts: FontSet(registry: registry))
    #expect(context.shape("text", Fixture.sans).isEmpty)
  }

  @Test("The font index is stored in a new folder and restores the same registry")
  func digestsAreKept() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-digests-\(UInt64.random(in: 0...UInt64.max))").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = FontRegistry(folders: [Fixture.folder], cacheDirectory: folder)
    let again = FontRegistry(folders: [Fixture.folder], cacheDirectory: folder)
    #expect(again.digest == first.digest && first.digest == Fixture.registry.digest)
    #expect(again.faces.map(\.info) == first.faces.map(\.info) && again.faces.map(\.info) == Fixture.registry.faces.map(\.info))
    let context = FontContext(fonts: FontSet(registry: again))
    #expect(context.shape("text", Fixture.sans).width == Fixture.context().shape("text", Fixture.sans).width)
    // From the index of files alone, as after the catalog was invalidated.
    func indexed() throws -> FontRegistry {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".catalog") {
        try FileManager.default.removeItem(atPath: folder + "/" + name)
      }
      return FontRegistry(folders: [Fixture.folder], cacheDirectory: folder)
    }
    let second = try indexed()
    #expect(second.digest == first.digest && second.faces.map(\.info) == first.faces.map(\.info))
    // Damaged entries are ignored.
    let path = folder + "/fonts.index", whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for place in stride(from: 0, to: whole.count, by: 97) {
      var damaged = whole
      damaged[place] ^= 0xff
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      #expect(try indexed().digest == first.digest)
      try Data(whole.prefix(place)).write(to: URL(fileURLWithPath: path))
      #expect(try indexed().faces.map(\.info) == first.faces.map(\.info))
    }
  }

  @Test("A font file truncated at any length is rejected without a crash")
  func damaged() {
    let bytes = Fixture.bytes("LiberationSans-Regular.ttf")
    #expect(FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "x", data: bytes)]).rejectedWebFonts.isEmpty)
    for length in [0, 1, 4, 11, 12, 40, 200, 400, 1000] {
      let set = FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "x", data: Array(bytes.prefix(length)))])
      _ = FontContext(fonts: set).shape("abc", Fixture.description("x"))
    }
    #expect(FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "x", data: [1, 2, 3])]).rejectedWebFonts == [0])
  }

  @Test("A web font is used only for its code points, and before a family with the same name")
  func webFont() {
    let mono = WebFont(family: "Liberation Sans", unicodeRange: [0x41...0x43], data: Fixture.bytes("LiberationMono-Regular.ttf"))
    let context = FontContext(fonts: FontSet(registry: Fixture.registry, webFonts: [mono]))
    let description = FontDescription(families: [.named("liberation sans"), .generic(.sansSerif)])
    #expect(context.families("ABCDEF", description) == ["Liberation Mono", "Liberation Sans"])
  }

  @Test("A face is found by each of its names")
  func names() {
    for face in Fixture.registry.faces {
      let info = face.info
      for name in [info.family, info.fullName, info.postScriptName, info.family.uppercased()] + info.localizedFamilies
        + info.localizedFullNames
      {
        #expect(Fixture.registry.faces(named: name).contains { $0 === face }, "\(name)")
      }
    }
  }

  @Test("A localized name selects its family and does not hide another family")
  func localizedNames() {
    var bytes = Fixture.bytes("LiberationMono-Regular.ttf")
    let before = FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "x", data: bytes)])
    #expect(before.webFamilies["x"]?.first?.face.info.localizedFamilies == [])
    // Changes the first English family name for Windows to a German one.
    let name = bytes.withUnsafeBufferPointer { buffer in
      SFNTReader(bytes: buffer).tables(faceAt: 0).first { $0.tag == FontTag("name") }?.range
    }
    guard let name else { return }
    let count = Int(bytes[name.lowerBound + 3])
    let record = (0..<count).map { name.lowerBound + 6 + 12 * $0 }.first { bytes[$0 + 1] == 3 && bytes[$0 + 7] == 1 }
    guard let record else { return }
    bytes[record + 5] = 7
    let after = FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "x", data: bytes)])
    guard let face = after.webFamilies["x"]?.first?.face else { return }
    #expect(face.info.localizedFamilies == ["Liberation Mono"])
    let registry = FontRegistry(faces: [face])
    #expect(registry.faces(named: "liberation mono").first === face)
  }
}
