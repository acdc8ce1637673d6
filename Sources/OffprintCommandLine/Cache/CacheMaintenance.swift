import ArgumentParser
import Offprint

extension CacheCommand {
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Reads every file and compares it with what was stored.",
      discussion: """
        --repair removes what does not fit, which is drawn anew at the next use, and makes a damaged index anew. Exit code 74 where something \
        is wrong and was not repaired.
        """)
    @Flag(name: .customLong("repair"), help: "Mend what is found.") var repair = false
    @OptionGroup var options: Options

    mutating func run() throws {
      if repair { try options.refuseLink() }
      guard let cache = try options.open() else { throw options.absent }
      let found = try cache.verify(repair: repair)
      if options.json { Output.line(found.json) } else { found.lines.forEach { Output.line($0) } }
      if !found.isSound && !repair {
        throw OffprintError(.cacheUnusable, "The cache is not sound; 'offprint cache verify --repair' mends it.")
      }
    }
  }

  struct Trim: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim", abstract: "Removes what is too old, then the least recently used.",
      discussion: "Others are answered meanwhile; what is being read is read to its end.")
    @Option(name: .customLong("max-size"), help: ArgumentHelp("Bytes of pictures to keep, as 500MB or 2GiB.", valueName: "bytes"))
    var maxSize: Amount?
    @Option(name: .customLong("max-age"), help: ArgumentHelp("Remove what was not used for so long, as 12h or 30d.", valueName: "time"))
    var maxAge: Age?
    @OptionGroup var dryRun: DryRun
    @OptionGroup var options: Options

    mutating func validate() throws {
      if maxSize == nil && maxAge == nil { throw ValidationError("Say what to keep: --max-size, --max-age or both.") }
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
    @Option(name: .customLong("identifier"), help: ArgumentHelp("The entry of this name; may be repeated.", valueName: "id"))
    var identifiers: [String] = []
    @Option(name: .customLong("tag"), help: ArgumentHelp("All entries of this tag; may be repeated.", valueName: "tag")) var tags:
      [String] = []
    @Option(name: .customLong("where"), help: ArgumentHelp("All that meet a condition, as in cache list.", valueName: "condition"))
    var condition: String?
    @OptionGroup var dryRun: DryRun
    @OptionGroup var options: Options

    mutating func validate() throws {
      if identifiers.isEmpty && tags.isEmpty && condition == nil {
        throw ValidationError("Say what to remove: --identifier, --tag or --where. All of it: offprint cache clear.")
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
        Whatever state the index is in: a damaged one too, and one of a newer version. Only files of the cache are removed; a folder that is \
        none, or a link to one, is refused with exit code 74.
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
      commandName: "migrate", abstract: "Brings the index to the version of this program.",
      discussion: """
        Every command that opens a cache does so by itself; this one does it ahead of time, and says so. The old index stays until the new \
        one is complete and checked.
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
