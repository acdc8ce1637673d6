import OffprintCoreTypes
import Glibc

/// Debian packages installed on this machine, or in another root.
/// https://www.debian.org/doc/debian-policy/ap-pkg-sourcepkg.html describes the files of `dpkg`.
public struct FontPackSource: Sendable {
  /// `/`, or the mount point of another system.
  public var root: String

  public init(root: String = "/") { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

  /// The installed fonts of a pack; empty if its package is not installed.
  public func files(of pack: FontPack) -> [String] {
    guard let list = Self.read("\(root)/var/lib/dpkg/info/\(pack.package).list") else { return [] }
    let paths = list.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    return paths.filter { path in
      guard let slash = path.lastIndex(ofByte: "/") else { return false }
      return pack.holds(file: String(path[path.index(after: slash)...])) && access(root + path, R_OK) == 0
        && !(pack.isHyphenation && Self.isLink(root + path))
    }.map { root + $0 }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Hyphenation dictionaries have symbolic links for regions.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether the package is installed.
  public func has(_ pack: FontPack) -> Bool { !files(of: pack).isEmpty }

  /// - Throws: `fontPackMissing`, which names all of the packs whose packages are not installed.
  package func check(_ packs: [FontPack]) throws(OffprintError) {
    let missing = packs.filter { !has($0) }
    guard !missing.isEmpty else { return }
    let packages = missing.map(\.package).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    func subject(_ kind: String, _ names: [String]) -> String { "\(kind)\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))" }
    let (packNames, isOne) = (missing.map(\.name), packages.count == 1)
    throw OffprintError(
      .fontPackMissing,
      "The \(subject("pack", packNames.map { "'\($0)'" })) \(missing.count == 1 ? "requires" : "require") the Debian "
        + "\(subject("package", packages)), which \(isOne ? "is" : "are") not installed; run 'apt-get install "
        + "\(packages.joined(separator: " "))', then 'offprint fonts add \(packNames.joined(separator: " "))' again.")
  }

  /// The copyright file of the package.
  func licence(of pack: FontPack) -> [UInt8]? { Self.read("\(root)/usr/share/doc/\(pack.package)/copyright") }

  private static let largestText = 16 << 20

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](), chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < largestText {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return ferror(file) == 0 ? bytes : nil
  }
}
