public import ArgumentParser
import Glibc
public import Offprint

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Looks into the cache, and clears it.", subcommands: [Stats.self, List.self, Clear.self])

  struct Options: ParsableArguments {
    @Option(name: .customLong("cache"), help: ArgumentHelp("The cache folder (default: $OFFPRINT_CACHE, or ./cache).", valueName: "dir"))
    var folder: String?
    @Flag(name: .customLong("json"), help: "Figures for machines.") var json = false

    private var path: String { folder ?? RendererConfiguration.defaultCacheFolder }

    /// The cache; nil where there is none yet, and none is made for being looked at.
    ///
    /// - Throws: `cacheUnusable` for a folder of something else.
    func open() throws(OffprintError) -> CacheAdministration? {
      guard try CacheFolder.exists(path) else { return nil }
      return try CacheAdministration(folder: path)
    }

    /// The same for commands that remove: only the folder itself will do.
    func openForRemoval() throws(OffprintError) -> CacheAdministration? {
      if Files.kind(path.withoutTrailingSlashes) == S_IFLNK {
        let place = Files.resolved(path).map { ", '\($0)'" } ?? ""
        throw OffprintError(.cacheUnusable, "'\(path)' is a link, and nothing was removed; name the folder that it leads to\(place).")
      }
      return try open()
    }
  }

  struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "How much is in it, and how well it serves.")
    @OptionGroup var options: Options
    mutating func run() throws {
      let statistics = try (options.open()?.statistics() ?? .absent).figures
      if options.json {
        Output.line("{" + statistics.map { "\(JSONText.string($0.name)):\(JSONText.number($0.value))" }.joined(separator: ",") + "}")
      } else {
        statistics.forEach { Output.line("\($0.name): \(JSONText.number($0.value))") }
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The entries, latest use first.",
      discussion: "One line each: key, picture size, bytes, hits, identifier; --json prints one object a line.")
    @Option(name: .customLong("sort"), help: "last-used, created, size, hits, cost or identifier (default: last-used).") var sort:
      CacheAdministration.SortOrder = .lastUsed
    @Option(name: .customLong("search"), help: ArgumentHelp("Only entries whose identifier has this text.", valueName: "text")) var search:
      String?
    @Option(name: .customLong("limit"), help: ArgumentHelp("At most so many.", valueName: "n")) var limit: Int?
    @OptionGroup var options: Options

    mutating func validate() throws {
      if let limit, limit < 1 { throw ValidationError("--limit is at least 1.") }
    }

    mutating func run() throws {
      for entry in try options.open()?.entries(sort: sort, search: search, limit: limit) ?? [] {
        Output.line(options.json ? entry.json : entry.line)
      }
    }
  }

  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes all entries.",
      discussion: "Only files of the cache are removed; a folder that is none, or a link to one, is refused with exit code 74.")
    @OptionGroup var options: Options
    mutating func run() throws {
      let removed = try options.openForRemoval()?.clear() ?? 0
      if options.json { Output.line("{\"removed\":\(removed)}") } else { Output.error("\(removed) entries removed") }
    }
  }
}

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
  fileprivate var withoutTrailingSlashes: String {
    var text = self[...]
    while text.count > 1 && text.hasSuffix("/") { text = text.dropLast() }
    return String(text)
  }
}

extension CacheAdministration.SortOrder: ExpressibleByArgument {}
