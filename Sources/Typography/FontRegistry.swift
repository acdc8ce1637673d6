internal import CPango
internal import Glibc

/// The faces of the folders that were registered: a closed world, so that a render does not depend on the machine it runs on.
/// Immutable once built; shared by all threads.
public final class FontRegistry: Sendable {
  /// All faces, in an order that depends on their names alone.
  public let faces: [FontFace]
  /// Changes when a file's content does; does not depend on where the files lie.
  public let digest: FontDigest
  /// Folders or files that could not be read, and files that are no fonts.
  public let problems: [String]
  /// Dictionaries of hyphenation, by language.
  let hyphenations: [HyphenationDictionary]
  /// Font files that hold what another of the registry holds as well.
  public let duplicates: [(path: String, of: String)]
  let index: FamilyIndex
  /// In the order in which they are asked for a character that the families lack.
  let orderedFallbackFaces: [FontFace]

  /// Reads the fonts in `folders` (and files named there), their subfolders included.
  /// - Parameters:
  ///   - includeSystemFonts: the machine's fonts as well.
  ///   - cacheDirectory: where content digests are kept, so that files which have not changed need not be read whole.
  public convenience init(folders: [String], includeSystemFonts: Bool = false, cacheDirectory: String? = nil) {
    var scanner = FontScanner(cacheDirectory: cacheDirectory)
    for folder in folders { scanner.add(folder, isRequired: true) }
    if includeSystemFonts {
      for folder in FontRegistry.systemFolders() { scanner.add(folder, isRequired: false) }
    }
    scanner.saveIndex()
    // The font for formulas that comes along makes way for those that somebody registered.
    let supplement = folders.first.map { "\($0)/Math/" } ?? ""
    let (extra, own) = scanner.faces.divided { !supplement.isEmpty && $0.path.hasPrefix(supplement) }
    self.init(
      faces: own, supplement: own.contains(where: \.info.isMathematical) ? [] : extra, problems: scanner.problems,
      hyphenations: scanner.hyphenations)
  }

  /// - Parameter supplement: faces that are asked last for a character that the families lack.
  init(
    faces: [FontFace], supplement: [FontFace] = [], problems: [String] = [], hyphenations: [HyphenationDictionary] = []
  ) {
    let last = Set(supplement.map(\.identifier))
    let faces = faces + supplement
    // The same face in two folders counts once.
    var seen: [FaceContent: String] = [:], duplicates: [(path: String, of: String)] = []
    let ordered = faces.sorted(by: FontRegistry.precedes).filter { face in
      let content = FaceContent(digest: face.contentDigest, index: face.index)
      if let first = seen[content] {
        if face.index == 0 { duplicates.append((face.path, first)) }
        return false
      }
      seen[content] = face.path
      return true
    }
    self.faces = ordered
    self.problems = problems
    self.duplicates = duplicates
    var languages: Set<String> = []
    self.hyphenations = hyphenations.filter { languages.insert($0.language).inserted }
      .sorted { $0.language.utf8.lexicographicallyPrecedes($1.language.utf8) }
    var hasher = FontHasher()
    for face in ordered {
      hasher.update(face.info.postScriptName)
      hasher.update(UInt64(clamping: face.index))
      hasher.update(face.contentDigest)
    }
    for dictionary in self.hyphenations {
      hasher.update(dictionary.language)
      hasher.update(dictionary.digest)
    }
    digest = hasher.finish()
    index = FamilyIndex(faces: ordered)
    let (behind, before) = ordered.sorted(by: FontRegistry.isAskedBefore).divided { last.contains($0.identifier) }
    orderedFallbackFaces = before + behind
  }

  private struct FaceContent: Hashable {
    var digest: FontDigest
    var index: Int
  }

  private static func precedes(_ a: FontFace, _ b: FontFace) -> Bool {
    if a.info.family != b.info.family { return a.info.family.utf8.lexicographicallyPrecedes(b.info.family.utf8) }
    if a.info.weight != b.info.weight { return a.info.weight < b.info.weight }
    if a.info.isItalic != b.info.isItalic { return !a.info.isItalic }
    if a.info.stretch != b.info.stretch { return a.info.stretch < b.info.stretch }
    if a.info.postScriptName != b.info.postScriptName {
      return a.info.postScriptName.utf8.lexicographicallyPrecedes(b.info.postScriptName.utf8)
    }
    if a.contentDigest != b.contentDigest {
      return (a.contentDigest.high, a.contentDigest.low) < (b.contentDigest.high, b.contentDigest.low)
    }
    return a.index < b.index
  }

  /// Where this machine keeps its fonts, by its own configuration.
  private static func systemFolders() -> [String] {
    guard let config = FcInitLoadConfig() else { return [] }
    defer { FcConfigDestroy(config) }
    guard let list = FcConfigGetFontDirs(config) else { return [] }
    defer { FcStrListDone(list) }
    var folders: [String] = []
    while let folder = FcStrListNext(list) { folders.append(String(cString: folder)) }
    return folders + ["/usr/share/hyphen"]
  }

  /// The families, each once, in order.
  public var families: [String] {
    var seen: Set<String> = []
    return faces.map(\.info.family).filter { seen.insert($0).inserted }
  }

  /// Faces that a `font-family` name stands for: a family, a PostScript or full name, or an alias of one.
  public func faces(named name: String) -> [FontFace] { (index.lookup(name) ?? []).map { faces[$0] } }

  /// Faces that an entry of `font-family` stands for; none where browsers go on to the next.
  public func faces(for family: FontFamilyName) -> [FontFace] {
    switch family {
    case .named(let name): faces(named: name)
    case .generic(let generic): (index.lookup(generic) ?? []).map { faces[$0] }
    }
  }
}

extension Array {
  /// Those that pass a test, and the others, each in order.
  fileprivate func divided(_ passes: (Element) -> Bool) -> (passing: [Element], others: [Element]) {
    (filter(passes), filter { !passes($0) })
  }
}

/// Reads folders of fonts.
private struct FontScanner {
  var faces: [FontFace] = []
  var hyphenations: [HyphenationDictionary] = []
  var problems: [String] = []
  private var index: FaceIndex
  private var visited: Set<String> = []

  init(cacheDirectory: String?) { index = FaceIndex(directory: cacheDirectory) }

  private static let maximumFiles = 20_000
  private static let extensions: Set<String> = ["ttf", "otf", "ttc", "otc"]

  mutating func add(_ path: String, isRequired: Bool, depth: Int = 0) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if isRequired { problems.append("\(path) cannot be read") }
      return
    }
    guard visited.insert("\(status.st_dev):\(status.st_ino)").inserted, visited.count < FontScanner.maximumFiles else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      guard depth < 16 else { return }
      for name in FontScanner.entries(path) { add(path + "/" + name, isRequired: false, depth: depth + 1) }
    } else if let language = FontScanner.language(ofDictionary: path) {
      readHyphenation(path, status, language)
    } else if isRequired || FontScanner.isFontName(path) {
      read(path, status)
    }
  }

  /// `hyph_de_AT.dic`, as LibreOffice and Debian call them.
  private static func language(ofDictionary path: String) -> String? {
    guard path.hasSuffix(".dic"), let slash = path.lastIndex(of: "/") else { return nil }
    let name = path[path.index(after: slash)...]
    guard name.hasPrefix("hyph_"), name.count > 9 else { return nil }
    return String(name.dropFirst(5).dropLast(4).map { $0 == "_" ? "-" : $0 }).lowercased()
  }

  private mutating func readHyphenation(_ path: String, _ status: stat, _ language: String) {
    let file = index.file(status) {
      FontData(path: path)?.withBytes { bytes in
        var hasher = FontHasher()
        hasher.update(bytes)
        return FaceIndex.File(digest: hasher.finish(), faces: [])
      }
    }
    guard let file else { return problems.append("\(path) cannot be read") }
    hyphenations.append(HyphenationDictionary(language: language, path: path, digest: file.digest))
  }

  private static func isFontName(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return extensions.contains(path[path.index(after: dot)...].lowercased())
  }

  private static func entries(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private mutating func read(_ path: String, _ status: stat) {
    var data: FontData?
    let file = index.file(status) {
      data = FontData(path: path)
      return data?.withBytes { bytes in FontScanner.file(bytes) }
    }
    guard let file else { return problems.append("\(path) cannot be read") }
    for face in file.faces { faces.append(FontFace(data: data, index: face.index, info: face.info, path: path, digest: file.digest)) }
    if file.faces.isEmpty { problems.append("\(path) is not a font") }
  }

  private static func file(_ bytes: UnsafeBufferPointer<UInt8>) -> FaceIndex.File {
    let reader = SFNTReader(bytes: bytes)
    let faces = reader.faceOffsets().enumerated().compactMap { index, offset in reader.faceInfo(at: offset).map { (index, $0) } }
    var hasher = FontHasher()
    hasher.update(bytes)
    return FaceIndex.File(digest: hasher.finish(), faces: faces)
  }

  func saveIndex() { index.save() }
}
