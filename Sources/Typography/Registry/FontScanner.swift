import OffprintCoreTypes
internal import COffprintPango
internal import Glibc

/// Scans folders for fonts.
struct FontScanner {
  var faces: [FontFace] = []
  var hyphenations: [HyphenationDictionary] = []
  var problems: [String] = []
  /// Everything that was scanned: as long as all of it is unchanged, the result is valid.
  private(set) var places: [FontLocation] = []
  private var index: FaceIndex
  private var visited: Set<ByteString> = []
  private let packaged: PackagedFaces?

  /// - Parameter packaged: The folder of bundled fonts.
  init(cacheDirectory: String?, packaged: String? = nil) {
    index = FaceIndex(directory: cacheDirectory)
    self.packaged = cacheDirectory == nil ? packaged.flatMap(PackagedFaces.init(folder:)) : nil
  }

  private static let maximumFiles = 20_000
  private static let extensions: Set<ByteString> = ["ttf", "otf", "ttc", "otc"]

  mutating func add(_ path: String, isRequired: Bool, depth: Int = 0) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      places.append(FontLocation(path: path, key: nil))
      if isRequired { problems.append("\(path) cannot be read") }
      return
    }
    guard visited.insert("\(status.st_dev):\(status.st_ino)").inserted, visited.count < FontScanner.maximumFiles else { return }
    places.append(FontLocation(path: path, key: FileKey(status)))
    if status.st_mode & S_IFMT == S_IFDIR {
      guard depth < 16 else { return }
      for name in FontScanner.entries(path) { add(path + "/" + name, isRequired: false, depth: depth + 1) }
    } else if status.st_mode & S_IFMT != S_IFREG {
      // Opening a pipe or a device could block forever.
      if isRequired { problems.append("\(path) is not a regular file") }
    } else if let language = FontScanner.language(ofDictionary: path) {
      readHyphenation(path, status, language)
    } else if isRequired || FontScanner.isFontName(path) {
      read(path, status)
    }
  }

  /// Parses names such as `hyph_de_AT.dic`, which LibreOffice and Debian use.
  private static func language(ofDictionary path: String) -> String? {
    guard path.hasSuffix(".dic"), let slash = path.lastIndex(ofByte: "/") else { return nil }
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
    guard let dot = path.lastIndex(ofByte: ".") else { return false }
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
      if let cached = packaged?.file(path, status) { return cached }
      data = FontData(path: path)
      guard let data else { return nil }
      return FontScanner.file(data)
    }
    guard let file else { return problems.append("\(path) cannot be read") }
    for face in file.faces { faces.append(FontFace(data: data, index: face.index, info: face.info, path: path, digest: file.digest)) }
    if file.faces.isEmpty { problems.append("\(path) is not a font") }
  }

  static func file(_ data: FontData) -> FaceIndex.File {
    data.withBytes { bytes in
      let reader = SFNTReader(bytes: bytes)
      var faces: [(index: Int, info: FaceInfo)] = []
      for (index, offset) in reader.faceOffsets().enumerated() {
        guard var info = reader.faceInfo(at: offset) else { continue }
        info.coverage = CoverageSummary(data, index: index)
        faces.append((index, info))
      }
      var hasher = FontHasher()
      hasher.update(bytes)
      return FaceIndex.File(digest: hasher.finish(), faces: faces)
    }
  }

  func saveIndex() { index.save() }

  /// Adds the font folders in the system's fontconfig configuration.
  mutating func addSystemFolders() {
    guard let config = FcInitLoadConfig() else { return }
    defer { FcConfigDestroy(config) }
    places += FontConfigurationFolders.places(config)
    guard let list = FcConfigGetFontDirs(config) else { return }
    defer { FcStrListDone(list) }
    while let folder = FcStrListNext(list) { add(String(cString: folder), isRequired: false) }
    add("/usr/share/hyphen", isRequired: false)
  }
}
