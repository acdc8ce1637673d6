import Glibc
import Offprint

/// Whether a folder may be looked at as a cache.
enum CacheFolder {
  /// - Returns: false where there is nothing yet.
  /// - Throws: `cacheUnusable` where there is something else; nothing is changed then.
  static func exists(_ path: String) throws(OffprintError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else {
        throw OffprintError(.cacheUnusable, "'\(path)' cannot be a cache: \(String(cString: strerror(errno))).")
      }
      return false
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw OffprintError(.cacheUnusable, "'\(path)' is no folder, and so no cache.") }
    // Whose they are the cache itself knows better.
    if ["index.sqlite", "objects", "CACHEDIR.TAG"].contains(where: { Files.kind("\(path)/\($0)") != nil }) { return true }
    var isForeign = false
    Files.names(in: path) { name in
      isForeign = name != "fonts"
      return !isForeign
    }
    if isForeign {
      throw OffprintError(.cacheUnusable, "'\(path)' is no cache: it holds other files. Nothing was changed; name the cache with --cache.")
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
