import OffprintCoreTypes

/// The faces of the registered folders: a closed set, so that a render does not depend on the machine.
/// Immutable once built; shared by all threads.
public final class FontRegistry: Sendable {
  /// All faces, in an order that depends only on their names.
  public let faces: FaceList
  /// Changes if the contents of a file change; independent of the files' paths.
  public let digest: FontDigest
  /// Folders or files that could not be read, and files that are not fonts.
  public let problems: [String]
  /// Hyphenation dictionaries by language.
  let hyphenations: [HyphenationDictionary]
  /// Font files with the same contents as another file of the registry.
  public var duplicates: [(path: String, of: String)] { catalog?.duplicates ?? foundDuplicates }
  private let foundDuplicates: [(path: String, of: String)]
  /// If set, the registry's contents are read from it on demand.
  private let catalog: FontCatalog?
  let index: FamilyIndex
  /// All faces in the order in which they are tried for a character that the families lack.
  let orderedFallbackFaces: FaceList

  /// Reads the fonts in `folders` including their subfolders, and files named there.
  /// - Parameters:
  ///   - includeSystemFonts: Whether to include the system's fonts.
  ///   - cacheDirectory: Where content digests are cached, so that unchanged files need not be read completely.
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
    let (supplement, own) = folders.first.map { Self.divided(scanner.faces, bundled: "\($0)/") } ?? ([], scanner.faces)
    self.init(faces: own, supplement: supplement, problems: scanner.problems, hyphenations: scanner.hyphenations)
    if let cacheDirectory { FontCatalog.write(self, order, scanner.places, directory: cacheDirectory) }
  }

  /// The bundled faces that text uses last, if no other family has a character, and all other faces.
  ///
  /// A registered math font replaces the bundled one, and a registered family with the name Inter replaces the bundled one.
  private static func divided(_ faces: [FontFace], bundled: String) -> (supplement: [FontFace], others: [FontFace]) {
    let (math, rest) = preferred(faces, bundled: bundled).divided { $0.path.hasPrefix("\(bundled)Math/") }
    let (named, others) = rest.divided { $0.path.hasPrefix("\(bundled)Inter/") }
    let families = Set(others.lazy.map { ByteString($0.info.family) })
    let kept = named.filter { !families.contains(ByteString($0.info.family)) }
    return ((others.contains(where: \.info.isMathematical) ? [] : math) + kept, others)
  }

  /// A registered face replaces a bundled face with the same name, for example of another version.
  private static func preferred(_ faces: [FontFace], bundled: String) -> [FontFace] {
    let registered = Set(faces.lazy.filter { !$0.path.hasPrefix(bundled) }.map(\.info.postScriptName))
    guard !registered.isEmpty else { return faces }
    // Identical files are kept, because they are reported as duplicates.
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

  /// - Parameter supplement: Faces that are tried last for a character that the families lack.
  init(
    faces: [FontFace], supplement: [FontFace] = [], problems: [String] = [], hyphenations: [HyphenationDictionary] = []
  ) {
    let last = Set(supplement.map(\.identifier))
    let faces = faces + supplement
    // The same face in two folders is counted once.
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

  /// The paths of all faces.
  public var paths: [String] { catalog?.paths ?? faces.map(\.path) }

  /// The families in order, without duplicates.
  public var families: [String] {
    var seen: Set<ByteString> = []
    return faces.map(\.info.family).filter { seen.insert($0).inserted }
  }

  /// The faces of a `font-family` name: a family, a PostScript or full name, or an alias of one.
  public func faces(named name: String) -> [FontFace] { (index.lookup(name) ?? []).map { faces[$0] } }

  /// The faces of an entry of `font-family`; empty if Chromium continues with the next entry.
  public func faces(for family: FontFamilyName) -> [FontFace] {
    switch family {
    case .named(let name): faces(named: name.text)
    case .generic(let generic): (index.lookup(generic) ?? []).map { faces[$0] }
    }
  }
}

extension Array {
  /// The elements that satisfy a predicate, and the others, in order.
  fileprivate func divided(_ passes: (Element) -> Bool) -> (passing: [Element], others: [Element]) {
    (filter(passes), filter { !passes($0) })
  }
}
