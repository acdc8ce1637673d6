public import ArgumentParser
public import Offprint

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Looks into the cache, and clears it.", subcommands: [Stats.self, List.self, Clear.self])

  struct Options: ParsableArguments {
    @Option(name: .customLong("cache"), help: ArgumentHelp("The cache folder (default: $OFFPRINT_CACHE, or ./cache).", valueName: "dir"))
    var folder: String?
    @Flag(name: .customLong("json"), help: "Figures for machines.") var json = false

    func open() throws(OffprintError) -> CacheAdministration {
      try CacheAdministration(folder: folder ?? RendererConfiguration.defaultCacheFolder)
    }
  }

  struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "How much is in it, and how well it serves.")
    @OptionGroup var options: Options
    mutating func run() throws {
      let statistics = try options.open().statistics().figures
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
      for entry in try options.open().entries(sort: sort, search: search, limit: limit) {
        Output.line(options.json ? entry.json : entry.line)
      }
    }
  }

  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Removes all entries.")
    @OptionGroup var options: Options
    mutating func run() throws {
      let removed = try options.open().clear()
      if options.json { Output.line("{\"removed\":\(removed)}") } else { Output.error("\(removed) entries removed") }
    }
  }
}

extension CacheAdministration.SortOrder: ExpressibleByArgument {}
