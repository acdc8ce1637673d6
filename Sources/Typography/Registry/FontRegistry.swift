import OffprintCoreTypes

/// The faces of the folders that were registered: a closed world, so that a render does not depend on the machine it runs on.
/// Immutable once built; shared by all threads.
public final class FontRegistry: Sendable {
  /// All faces, in an order that depends on their names alone.
  public let faces: FaceList
  /// Changes when a file's content does; does not depend on where the files lie.
  public let digest: FontDigest
  /// Folders or files that could not be read, and files that are no fonts.
  public let problems: [String]
  /// Dictionaries of hyphenation, by language.
  let hyphenations: [HyphenationDictionary]
  /// Font files that hold what another of the registry holds as well.
  public var duplicates: [(path: String, of: String)] { catalog?.duplicates ?? foundDuplicates }
  private let foundDuplicates: [(path: String, of: String)]
  /// What all of it is read from when it is asked for.
  private let catalog: FontCatalog?
  let index: FamilyIndex
  /// In the order in which they are asked for a character that the families lack.
  let orderedFallbackFaces: FaceList

  /// Reads the fonts in `folders` (and files named there), their subfolders included.
  /// - Parameters:
  ///   - includeSystemFonts: the machine's fonts as well.
  ///   - cacheDirectory: where content digests are kept, so that files which have not changed need not be read whole.
  public convenience init(folders: [String], includeSystemFonts: Bool = false, cacheDirectory: String? = nil) {
    let order = FontOrder(folders: folders, includesSystemFonts: includeSystemFonts)
    if let cacheDirectory, let catalog = FontCatalog(directory: cacheDirectory, order) {
      self.init(catalog: catalog)
      return
    }
    var scanner = FontScanner(cacheDirectory: cacheDirectory, packaged: folders.first)
    for folder in folders { scanner.add(folder, isRequired: true) }
    if includeSystemFonts { scanner.addSystemFolders() }
    scanner.saveIndex()
    // The font for formulas that comes along makes way for those that somebody registered.
    let supplement = folders.first.map { "\($0)/Math/" } ?? ""
    let faces = folders.first.map { Self.preferred(scanner.faces, bundled: "\($0)/") } ?? scanner.faces
    let (extra, own) = faces.divided { !supplement.isEmpty && $0.path.hasPrefix(supplement) }
    self.init(
      faces: own, supplement: own.contains(where: \.info.isMathematical) ? [] : extra, problems: scanner.problems,
      hyphenations: scanner.hyphenations)
    if let cacheDirectory { FontCatalog.write(self, order, scanner.places, directory: cacheDirectory) }
  }

  /// A face that somebody registered takes the place of the one of its name that comes along: of another version, say.
  private static func preferred(_ faces: [FontFace], bundled: String) -> [FontFace] {
    let registered = Set(faces.lazy.filter { !$0.path.hasPrefix(bundled) }.map(\.info.postScriptName))
    guard !registered.isEmpty else { return faces }
    // Files that are the same stay: they are told of as duplicates.
    let digests = Set(faces.lazy.filter { !$0.path.hasPrefix(bundled) }.map(\.contentDigest))
    return faces.filter { face in
      !face.path.hasPrefix(bundled) || digests.contains(face.contentDigest) || !registered.contains(face.info.postScriptName)
    }
  }

  private init(catalog: FontCatalog) {
    self.catalog = catalog
    let store = FaceStore(catalog)
    faces = FaceList(store: store)
    orderedFallbackFaces = FaceList(store: store, order: catalog.fallbackOrder)
    digest = catalog.digest
    problems = catalog.problems
    hyphenations = catalog.hyphenations
    foundDuplicates = []
    index = FamilyIndex(catalog: catalog)
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
    let store = FaceStore(ordered)
    self.faces = FaceList(store: store)
    catalog = nil
    self.problems = problems
    foundDuplicates = duplicates
    var languages: Set<ByteString> = []
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
    let asked = ordered.indices.sorted { FontRegistry.isAskedBefore(ordered[$0], ordered[$1]) }
    let (behind, before) = asked.divided { last.contains(ordered[$0].identifier) }
    orderedFallbackFaces = FaceList(store: store, order: before + behind)
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

  /// Where the faces were read from.
  public var paths: [String] { catalog?.paths ?? faces.map(\.path) }

  /// The families, each once, in order.
  public var families: [String] {
    var seen: Set<ByteString> = []
    return faces.map(\.info.family).filter { seen.insert($0).inserted }
  }

  /// Faces that a `font-family` name stands for: a family, a PostScript or full name, or an alias of one.
  public func faces(named name: String) -> [FontFace] { (index.lookup(name) ?? []).map { faces[$0] } }

  /// Faces that an entry of `font-family` stands for; none where browsers go on to the next.
  public func faces(for family: FontFamilyName) -> [FontFace] {
    switch family {
    case .named(let name): faces(named: name.text)
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
