import ArgumentParser
import Offprint

extension CacheCommand {
  struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats", abstract: "How much is in it, and how well it serves.",
      discussion:
        "hitRate counts the look-ups of all days that are remembered; --days shows them one by one, entries that are gone included.")
    @Option(name: .customLong("days"), help: ArgumentHelp("Show the figures of the last days as well.", valueName: "n")) var days = 0
    @OptionGroup var options: Options

    mutating func validate() throws {
      if !(0...400).contains(days) { throw ValidationError("--days is 0 to 400.") }
    }

    mutating func run() throws {
      let statistics = try options.open()?.statistics() ?? CacheAdministration.Statistics()
      if options.json { return Output.line(statistics.json(days: days > 0 ? days : 400)) }
      statistics.lines.forEach { Output.line("\($0.name): \($0.value)") }
      for day in statistics.days.prefix(days) { Output.line(day.line) }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "The entries, latest use first.",
      discussion: """
        One line each: key, picture size, bytes, hits, names and page; --json prints one object a line.

        Fields: key, identifier, tag, source, size, width, height, created, lastUsed, hits, cost, metadata, dependency, age (since it was \
        made), unused (since it was last used). Examples:
          offprint cache list --where 'size > 100kB and (identifier ~ "card-*" or hits >= 3) and not age < 7d'
          offprint cache list --sort 'size desc, created' --limit 20
          offprint cache list --group tag
        """)
    @Option(name: .customLong("where"), help: ArgumentHelp("Only entries that meet a condition.", valueName: "condition")) var condition:
      String?
    @Option(
      name: .customLong("sort"),
      help: ArgumentHelp("Fields, each with asc or desc; last-used, size and hits alone: the largest first.", valueName: "fields"))
    var sort: String?
    @Option(name: .customLong("group"), help: ArgumentHelp("Count entries by the values of a field instead.", valueName: "field"))
    var group: String?
    @Option(
      name: .customLong("search"),
      help: ArgumentHelp("Only entries with this text in a name, tag, page or dependency, or whose key begins with it.", valueName: "text"))
    var search: String?
    @Option(name: .customLong("limit"), help: ArgumentHelp("At most so many.", valueName: "n")) var limit: Int?
    @OptionGroup var options: Options

    mutating func validate() throws {
      if let limit, limit < 1 { throw ValidationError("--limit is at least 1.") }
      if group != nil && sort != nil { throw ValidationError("--group and --sort exclude each other: the largest group comes first.") }
    }

    mutating func run() throws {
      let query = CacheAdministration.Query(condition: condition, search: search, sort: sort.map(Self.order), limit: limit)
      guard let cache = try options.open() else { return try query.check(group: group) }
      if let group {
        for found in try cache.groups(query, by: group) { Output.line(options.json ? found.json : found.line) }
      } else {
        for entry in try cache.entries(query) { Output.line(options.json ? entry.json : entry.line) }
      }
    }

    /// A numeric field without a direction sorts the largest value first, a text field alphabetically.
    private static func order(_ sort: String) -> String {
      let isFigure = ["last-used", "lastused", "created", "size", "hits", "cost", "width", "height"].contains(sort.lowercased())
      return isFigure ? "-\(sort)" : sort
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "All that is known of an entry.",
      discussion: "-o writes its picture as well. Looking counts as no use.")
    @Argument(help: ArgumentHelp("An identifier, a key, or at least four digits that a key begins with.", valueName: "key|id")) var name:
      String
    @Option(name: [.short, .customLong("output")], help: ArgumentHelp("Write its picture, - for standard output.", valueName: "file"))
    var output: String?
    @OptionGroup var options: Options

    mutating func run() throws {
      guard let cache = try options.open() else { throw options.absent }
      let found = try cache.entries(named: name)
      guard let entry = found.first else {
        throw OffprintError(.inputNotFound, "No entry of the cache is called '\(name)' or has a key that begins so.")
      }
      guard found.count == 1 else {
        let keys = found.map { $0.key.prefix(12) }.joined(separator: ", ")
        throw OffprintError(.usage, "'\(name)' begins several keys: \(keys)\(found.count == 10 ? " …" : ""). Name more digits.")
      }
      if let output { try write(entry, cache, output) }
      guard output != "-" else { return }
      if options.json { Output.line(entry.fullJSON) } else { entry.lines.forEach { Output.line($0) } }
    }

    private func write(_ entry: CacheAdministration.Entry, _ cache: CacheAdministration, _ output: String) throws(OffprintError) {
      try Output.checkPictureTarget(output)
      guard let picture = cache.picture(of: entry) else {
        throw OffprintError(
          .cacheUnusable, "The picture of \(entry.key) is missing or damaged; 'offprint cache verify --repair' removes it.")
      }
      try Files.write(picture, to: output)
    }
  }
}
