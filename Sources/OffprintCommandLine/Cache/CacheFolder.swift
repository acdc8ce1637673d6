import Glibc
import Offprint

/// Checks whether a folder may be opened as a cache.
enum CacheFolder {
  /// - Returns: False if there is no folder, or it contains at most the folder of font digests.
  /// - Throws: `cacheUnusable` if it contains something else; nothing is changed.
  static func exists(_ path: String) throws(OffprintError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else {
        throw OffprintError(.cacheUnusable, "'\(path)' cannot be a cache: \(String(cString: strerror(errno))).")
      }
      return false
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw OffprintError(.cacheUnusable, "'\(path)' is not a folder, and therefore not a cache.")
    }
    // The cache itself determines whether these files belong to it.
    if ["index.sqlite", "objects", "CACHEDIR.TAG"].contains(where: { Files.kind("\(path)/\($0)") != nil }) { return true }
    var isForeign = false
    Files.names(in: path) { name in
      isForeign = name != "fonts"
      return !isForeign
    }
    if isForeign {
      throw OffprintError(
        .cacheUnusable, "'\(path)' is not a cache: it contains other files. Nothing was changed; specify the cache with --cache.")
    }
    return false
  }
}

extension String {
  var withoutTrailingSlashes: String {
    var text = self[...]
    while text.count > 1 && text.hasSuffix("/") { text = text.dropLast() }
    return String(text)
  }
}
