import OffprintCoreTypes
import OffprintTypography
import Glibc

/// Installs packs into a font folder, each completely or not at all.
public struct FontPackInstaller: Sendable {
  /// The installed files.
  public struct Outcome: Hashable, Sendable {
    /// The folder of the pack.
    public var folder: String
    /// Names of the files, including the license.
    public var files: [String]
    /// The total size of the files.
    public var bytes: Int
  }

  /// The folder that contains one folder per pack.
  public let folder: String
  private let source: FontPackSource

  public init(folder: String, source: FontPackSource = FontPackSource()) {
    self.folder = folder
    self.source = source
  }

  /// Whether the pack is installed.
  public func has(_ pack: FontPack) -> Bool { access("\(folder)/\(pack.name)/\(Self.licenceName(pack))", R_OK) == 0 }

  private static func licenceName(_ pack: FontPack) -> String { "LICENCE-\(pack.package).txt" }

  /// Copies the fonts of a pack and its license, replacing an earlier installation.
  ///
  /// - Throws: `fontPackMissing` if its Debian package is not installed, `outputUnwritable` if the folder cannot be written.
  public func add(_ pack: FontPack) throws(OffprintError) -> Outcome {
    try source.check([pack])
    let files = source.files(of: pack)
    guard let licence = source.licence(of: pack) else {
      throw OffprintError(
        .fontPackMissing, "The license of \(pack.package) was not found, and its fonts are not copied without it.")
    }
    try makeFolders()
    // Files in folders whose names begin with a dot are not read as fonts.
    let temporary = "\(folder)/.\(pack.name).\(getpid())"
    Self.remove(temporary)
    defer { Self.remove(temporary) }
    try make(temporary)
    var names: [String] = [], bytes = licence.count
    for file in files {
      let name = file.split(byte: "/").last.map(String.init) ?? file
      bytes += try copy(file, to: "\(temporary)/\(name)")
      names.append(name)
    }
    try write(licence, to: "\(temporary)/\(Self.licenceName(pack))")
    names.append(Self.licenceName(pack))
    let target = "\(folder)/\(pack.name)"
    try swap(temporary, target)
    return Outcome(folder: target, files: names, bytes: bytes)
  }

  /// Removes a pack; returns false if it was not installed.
  public func remove(_ pack: FontPack) throws(OffprintError) -> Bool {
    guard has(pack) else { return false }
    let target = "\(folder)/\(pack.name)", aside = "\(folder)/.\(pack.name).\(getpid())"
    guard rename(target, aside) == 0 else { throw unwritable(target) }
    Self.remove(aside)
    return true
  }

  // MARK: Fonts added by the user

  private static let endings = [".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2"]

  /// Whether a name is that of a font file, as opposed to a pack.
  public static func isFontFile(_ name: String) -> Bool { endings.contains { name.lowercased().hasSuffix($0) } }

  private var ownFolder: String { "\(folder)/own" }

  /// Copies a font under its name, replacing a file with that name.
  ///
  /// - Returns: The path of the copy.
  /// - Throws: `inputNotFound`, `inputUnreadable`, `fontUnreadable` if the file is not a font, `outputUnwritable`.
  public func add(file: String) throws(OffprintError) -> String {
    guard access(file, F_OK) == 0 else { throw OffprintError(.inputNotFound, "There is no file '\(file)'.") }
    switch Self.start(of: file) {
    case [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8): break
    case Array("wOFF".utf8), Array("wOF2".utf8):
      throw OffprintError(.fontUnreadable, "'\(file)' is a WOFF font, which works only in @font-face; add its .ttf or .otf.")
    default: throw OffprintError(.fontUnreadable, "'\(file)' is not a supported font.")
    }
    try makeFolders()
    try make(ownFolder)
    let name = file.split(byte: "/").last.map(String.init) ?? file
    let temporary = "\(ownFolder)/.\(name).\(getpid())", target = "\(ownFolder)/\(name)"
    unlink(temporary)
    defer { unlink(temporary) }
    _ = try copy(file, to: temporary)
    // The copy is checked, because nobody can change it any more.
    if let problem = FontSanity.problem(ofFile: temporary) {
      throw OffprintError(.fontUnreadable, "'\(file)' is not a supported font: \(problem).")
    }
    guard rename(temporary, target) == 0 else { throw unwritable(target) }
    return target
  }

  /// Removes a font; returns false if it was not installed.
  public func remove(file: String) throws(OffprintError) -> Bool {
    let name = file.split(byte: "/").last.map(String.init) ?? file
    if unlink("\(ownFolder)/\(name)") == 0 { return true }
    guard errno == ENOENT else { throw unwritable("\(ownFolder)/\(name)") }
    return false
  }

  /// The first four bytes, which identify the font format. https://learn.microsoft.com/typography/opentype/spec/otff,
  /// https://www.w3.org/TR/WOFF2/
  private static func start(of file: String) -> [UInt8] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 4)
    return read(descriptor, &start, 4) == 4 ? start : []
  }

  // MARK: Files

  private func makeFolders() throws(OffprintError) {
    var path = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(byte: "/") {
      path += "/" + part
      try make(path)
    }
  }

  private func make(_ path: String) throws(OffprintError) {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw unwritable(path) }
  }

  private func copy(_ file: String, to path: String) throws(OffprintError) -> Int {
    let input = open(file, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw OffprintError(.inputUnreadable, "'\(file)' cannot be read: \(String(cString: strerror(errno))).") }
    defer { close(input) }
    let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw unwritable(path) }
    defer { close(output) }
    var chunk = [UInt8](repeating: 0, count: 1 << 20), total = 0
    while true {
      let count = read(input, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw OffprintError(.inputUnreadable, "'\(file)' cannot be read: \(String(cString: strerror(errno))).") }
      if count == 0 { break }
      guard FileDescriptorIO.write(Array(chunk[..<count]), to: output) == 0 else { throw unwritable(path) }
      total += count
    }
    guard fsync(output) == 0 else { throw unwritable(path) }
    return total
  }

  private func write(_ bytes: [UInt8], to path: String) throws(OffprintError) {
    let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw unwritable(path) }
    defer { close(output) }
    guard FileDescriptorIO.write(bytes, to: output) == 0, fsync(output) == 0 else { throw unwritable(path) }
  }

  /// Replaces the old folder by the new one.
  private func swap(_ temporary: String, _ target: String) throws(OffprintError) {
    let old = temporary + ".old"
    Self.remove(old)
    let hadOne = rename(target, old) == 0
    guard rename(temporary, target) == 0 else {
      let problem = unwritable(target)
      if hadOne { rename(old, target) }
      throw problem
    }
    Self.remove(old)
  }

  private func unwritable(_ path: String) -> OffprintError {
    OffprintError(.outputUnwritable, "'\(path)' cannot be written: \(String(cString: strerror(errno))).")
  }

  /// Removes a folder with its files. Folders inside it are not removed.
  private static func remove(_ path: String) {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { unlink("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }
}
