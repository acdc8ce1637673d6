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
    scanner.saveDigests()
    // The font for formulas that comes along makes way for those that somebody registered.
    let supplement = folders.first.map { "\($0)/Math/" } ?? ""
    let (extra, own) = scanner.faces.divided { !supplement.isEmpty && $0.path.hasPrefix(supplement) }
    self.init(faces: own, supplement: own.contains(where: \.info.isMathematical) ? [] : extra, problems: scanner.problems)
  }

  /// - Parameter supplement: faces that are asked last for a character that the families lack.
  init(faces: [FontFace], supplement: [FontFace] = [], problems: [String] = []) {
    let last = Set(supplement.map(\.identifier))
    let faces = faces + supplement
    // The same face in two folders counts once.
    var seen: Set<String> = []
    let ordered = faces.sorted(by: FontRegistry.precedes).filter { seen.insert("\($0.contentDigest.hex) \($0.index)").inserted }
    self.faces = ordered
    self.problems = problems
    var hasher = FontHasher()
    for face in ordered {
      hasher.update(face.info.postScriptName)
      hasher.update(UInt64(clamping: face.index))
      hasher.update(face.contentDigest)
    }
    digest = hasher.finish()
    index = FamilyIndex(faces: ordered)
    let (behind, before) = ordered.sorted(by: FontRegistry.isAskedBefore).divided { last.contains($0.identifier) }
    orderedFallbackFaces = before + behind
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
    return folders
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
  var problems: [String] = []
  private var digests: DigestCache
  private var visited: Set<String> = []

  init(cacheDirectory: String?) { digests = DigestCache(directory: cacheDirectory) }

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
    } else if isRequired || FontScanner.isFontName(path) {
      read(path, status)
    }
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
    guard let data = FontData(path: path) else {
      problems.append("\(path) cannot be read")
      return
    }
    let before = faces.count
    data.withBytes { bytes in
      let reader = SFNTReader(bytes: bytes)
      let offsets = reader.faceOffsets()
      guard !offsets.isEmpty else { return }
      let digest = digests.digest(of: bytes, status)
      for (index, offset) in offsets.enumerated() {
        guard let info = reader.faceInfo(at: offset) else { continue }
        faces.append(FontFace(data: data, index: index, info: info, path: path, digest: digest))
      }
    }
    if faces.count == before { problems.append("\(path) is not a font") }
  }

  func saveDigests() { digests.save() }
}

/// Remembers content digests by device, inode, size and time of change: a few bytes a file, in one file.
private struct DigestCache {
  private struct Key: Hashable {
    var words: [UInt64]
  }
  private let path: String?
  private var known: [Key: FontDigest] = [:]
  private var order: [Key] = []
  private var isChanged = false
  private static let magic: UInt64 = 0x4f46_5046_4f4e_5432
  private static let entryWords = 7

  init(directory: String?) {
    path = directory.map { $0 + "/fonts.digests" }
    load()
  }

  mutating func digest(of bytes: UnsafeBufferPointer<UInt8>, _ status: stat) -> FontDigest {
    let time = status.st_mtim, change = status.st_ctim
    let key = Key(words: [
      UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino), UInt64(truncatingIfNeeded: status.st_size),
      UInt64(truncatingIfNeeded: time.tv_sec &* 1_000_000_000 &+ time.tv_nsec),
      UInt64(truncatingIfNeeded: change.tv_sec &* 1_000_000_000 &+ change.tv_nsec),
    ])
    if path != nil, let digest = known[key] { return digest }
    var hasher = FontHasher()
    hasher.update(bytes)
    let digest = hasher.finish()
    // What changed a moment ago may change again within the clock's step.
    if path != nil, change.tv_sec + 2 < Glibc.time(nil) {
      known[key] = digest
      order.append(key)
      isChanged = true
    }
    return digest
  }

  private mutating func load() {
    guard let path, let file = fopen(path, "rb") else { return }
    defer { fclose(file) }
    var words = [UInt64](repeating: 0, count: 1 + 4096 * DigestCache.entryWords)
    let count = fread(&words, 8, words.count, file)
    guard count > 1, words[0] == DigestCache.magic, (count - 1) % DigestCache.entryWords == 0 else { return }
    for start in stride(from: 1, to: count, by: DigestCache.entryWords) {
      let key = Key(words: Array(words[start..<start + 5]))
      if known.updateValue(FontDigest(high: words[start + 5], low: words[start + 6]), forKey: key) == nil { order.append(key) }
    }
  }

  /// Written to a temporary name and renamed; a cache that cannot be written is no error.
  func save() {
    guard let path, isChanged else { return }
    var words = [DigestCache.magic]
    for key in order.suffix(4096) {
      guard let digest = known[key] else { continue }
      words += key.words + [digest.high, digest.low]
    }
    let temporary = "\(path).\(getpid()).tmp"
    // Its folder is nobody else's to make.
    if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o700) }
    guard let file = fopen(temporary, "wb") else { return }
    let written = fwrite(words, 8, words.count, file)
    guard fclose(file) == 0, written == words.count, rename(temporary, path) == 0 else {
      unlink(temporary)
      return
    }
  }
}
