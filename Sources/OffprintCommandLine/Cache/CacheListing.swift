import ArgumentParser
import Offprint

extension CacheCommand {
  struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats", abstract: "Prints the size and the hit rate of the cache.",
      discussion:
        "hits counts those of the entries that exist; hitRate covers all recorded days, which --days shows, including removed entries.")
    @Option(name: .customLong("days"), help: ArgumentHelp("Also print the figures of the last N days.", valueName: "n")) var days = 0
    @OptionGroup var options: Options

    mutating func validate() throws {
      if !(0...400).contains(days) { throw ValidationError("--days must be 0 to 400.") }
    }

    mutating func run() throws {
      let statistics = try options.open(reportsAbsence: true)?.statistics() ?? CacheAdministration.Statistics()
      if options.json { return Output.line(statistics.json(days: days > 0 ? days : 400)) }
      statistics.lines.forEach { Output.line("\($0.name): \($0.value)") }
      for day in statistics.days.prefix(days) { Output.line(day.line) }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists entries, most recently used first.",
      discussion: """
        Prints one line per entry: key, image size, bytes, hits, identifiers and page. --json prints one object per line.

        Fields: key, identifier, tag, source, size, width, height, created, lastUsed, hits, cost, metadata, dependency, age (since creation), \
        unused (since the last use). Examples:
          offprint cache list --where 'size > 100kB and (identifier ~ "card-*" or hits >= 3) and not age < 7d'
          offprint cache list --sort 'size desc, created' --limit 20
          offprint cache list --group tag
        """)
    @Option(name: .customLong("where"), help: ArgumentHelp("Only entries that match a condition.", valueName: "condition")) var condition:
      String?
    @Option(
      name: .customLong("sort"),
      help: ArgumentHelp("Fields, each with asc or desc; lastUsed, size and hits alone sort the largest first.", valueName: "fields"))
    var sort: String?
    @Option(name: .customLong("group"), help: ArgumentHelp("Group entries by the values of a field.", valueName: "field"))
    var group: String?
    @Option(
      name: .customLong("search"),
      help: ArgumentHelp(
        "Only entries with this text in an identifier, tag, page or dependency, or at the start of the key.", valueName: "text"))
    var search: String?
    @Option(name: .customLong("limit"), help: ArgumentHelp("Maximum number of entries.", valueName: "n")) var limit: Int?
    @OptionGroup var options: Options

    mutating func validate() throws {
      if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
      if group != nil && sort != nil {
        throw ValidationError("--group and --sort exclude each other. Groups are sorted by size, largest first.")
      }
    }

    mutating func run() throws {
      let query = CacheAdministration.Query(condition: condition, search: search, sort: sort.map(Self.order), limit: limit)
      guard let cache = try options.open(reportsAbsence: true) else { return try query.check(group: group) }
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
      commandName: "show", abstract: "Prints the details of an entry.",
      discussion: "-o also writes its image. Does not count as a use of the entry.")
    @Argument(help: ArgumentHelp("An identifier, a key, or at least the first four digits of a key.", valueName: "key|id")) var name: String
    @Option(
      name: [.short, .customLong("output")],
      help: ArgumentHelp("Write the image to this file, or - for standard output.", valueName: "file"))
    var output: String?
    @OptionGroup var options: Options

    mutating func run() throws {
      guard let cache = try options.open() else { throw options.absent }
      let found = try cache.entries(named: name)
      guard let entry = found.first else {
        throw OffprintError(.inputNotFound, "No cache entry has the identifier '\(name)' or a key that begins with it.")
      }
      guard found.count == 1 else {
        let keys = found.map { $0.key.prefix(12) }.joined(separator: ", ")
        throw OffprintError(.usage, "Several keys begin with '\(name)': \(keys)\(found.count == 10 ? " …" : ""). Specify more digits.")
      }
      if let output { try write(entry, cache, output) }
      guard output != "-" else { return }
      if options.json { Output.line(entry.fullJSON) } else { entry.lines.forEach { Output.line($0) } }
    }

    private func write(_ entry: CacheAdministration.Entry, _ cache: CacheAdministration, _ output: String) throws(OffprintError) {
      try Output.checkImageTarget(output)
      guard let image = cache.image(of: entry) else {
        throw OffprintError(
          .cacheUnusable, "The image of \(entry.key) is missing or damaged; 'offprint cache verify --repair' removes it.")
      }
      try Files.write(image, to: output)
    }
  }
}
