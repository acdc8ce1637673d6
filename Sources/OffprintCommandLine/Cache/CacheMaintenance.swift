import ArgumentParser
import Offprint

extension CacheCommand {
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Compares every file with its stored checksum.",
      discussion: """
        --repair removes damaged entries, which are rendered again at the next use, and rebuilds a damaged index. The exit code is 74 if a \
        problem was found and not repaired.
        """)
    @Flag(name: .customLong("repair"), help: "Repair the problems found.") var repair = false
    @OptionGroup var options: Options

    mutating func run() throws {
      if repair { try options.refuseLink() }
      guard let cache = try options.open() else { throw options.absent }
      let found = try cache.verify(repair: repair)
      if options.json { Output.line(found.json) } else { found.lines.forEach { Output.line($0) } }
      if !found.isSound && !repair {
        throw OffprintError(.cacheUnusable, "The cache is damaged; 'offprint cache verify --repair' repairs it.")
      }
    }
  }

  struct Trim: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim", abstract: "Removes entries that are too old, then the least recently used.",
      discussion: "Other programs can use the cache meanwhile; images being read are read to the end.")
    @Option(name: .customLong("max-size"), help: ArgumentHelp("Bytes of images to keep, such as 500MB or 2GiB.", valueName: "bytes"))
    var maxSize: Amount?
    @Option(
      name: .customLong("max-age"),
      help: ArgumentHelp("Remove entries that were not used for this time, such as 12h or 30d.", valueName: "time"))
    var maxAge: Age?
    @OptionGroup var dryRun: DryRun
    @OptionGroup var options: Options

    mutating func validate() throws {
      if maxSize == nil && maxAge == nil { throw ValidationError("Specify what to keep: --max-size, --max-age or both.") }
    }

    mutating func run() throws {
      let removal = try options.openForRemoval()?
        .trim(maxSize: maxSize?.value, maxAge: maxAge?.duration, dryRun: dryRun.isDryRun)
      options.report(removal ?? .init(), isDryRun: dryRun.isDryRun)
    }
  }

  struct Purge: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "purge", abstract: "Removes entries by name, tag or condition.",
      discussion: """
        Examples:
          offprint cache purge --tag spring-campaign
          offprint cache purge --identifier card-42
          offprint cache purge --where 'source ~ "*/drafts/*" or unused > 30d' --dry-run
        """)
    @Option(name: .customLong("identifier"), help: ArgumentHelp("The entry with this identifier; may be repeated.", valueName: "id"))
    var identifiers: [String] = []
    @Option(name: .customLong("tag"), help: ArgumentHelp("All entries with this tag; may be repeated.", valueName: "tag")) var tags:
      [String] = []
    @Option(name: .customLong("where"), help: ArgumentHelp("All entries that match a condition, as in cache list.", valueName: "condition"))
    var condition: String?
    @OptionGroup var dryRun: DryRun
    @OptionGroup var options: Options

    mutating func validate() throws {
      if identifiers.isEmpty && tags.isEmpty && condition == nil {
        throw ValidationError("Specify what to remove: --identifier, --tag or --where. To remove everything, use 'offprint cache clear'.")
      }
    }

    mutating func run() throws {
      try CacheAdministration.Query(condition: condition).check()
      var all = CacheAdministration.Removal()
      if let cache = try options.openForRemoval() {
        for identifier in identifiers { all.add(try cache.remove(identifier: identifier, dryRun: dryRun.isDryRun)) }
        for tag in tags { all.add(try cache.remove(tag: tag, dryRun: dryRun.isDryRun)) }
        if let condition { all.add(try cache.remove(where: condition, dryRun: dryRun.isDryRun)) }
      }
      options.report(all, isDryRun: dryRun.isDryRun)
    }
  }

  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear", abstract: "Removes all entries.",
      discussion: """
        Also works if the index is damaged or has a newer version. Only files of the cache are removed. A folder that is not a cache, or a \
        symbolic link to a cache, is refused with exit code 74.
        """)
    @OptionGroup var dryRun: DryRun
    @OptionGroup var options: Options

    mutating func run() throws {
      try options.refuseLink()
      guard try CacheFolder.exists(options.path) else { return options.report(.init(), isDryRun: dryRun.isDryRun) }
      options.report(try CacheAdministration.clear(folder: options.path, dryRun: dryRun.isDryRun), isDryRun: dryRun.isDryRun)
    }
  }

  struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "migrate", abstract: "Migrates the index to the version of this program.",
      discussion: """
        Every command that opens a cache migrates it automatically; this one does it ahead of time and prints the result. The old index is kept \
        until the new one is complete and checked.
        """)
    @OptionGroup var options: Options

    mutating func run() throws {
      guard let cache = try options.open() else { throw options.absent }
      let version = CacheAdministration.indexVersion
      if options.json {
        return Output.line(
          JSONValue.object([
            "version": .number(Double(version)), "migratedFrom": cache.migratedFrom.map { .number(Double($0)) } ?? .null,
          ]).text)
      }
      Output.error(
        cache.migratedFrom.map { "migrated from version \($0) to \(version)" } ?? "the index has version \(version): nothing to do")
    }
  }
}

extension CacheAdministration.Removal {
  fileprivate mutating func add(_ other: Self) {
    entries += other.entries
    bytes += other.bytes
    orphans += other.orphans
  }
}
