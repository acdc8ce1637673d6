import ArgumentParser
import Glibc
import Offprint

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Inspects, trims, exports and imports the cache.",
    discussion: """
      All subcommands are safe while other programs use the cache. Only import creates a cache. Subcommands that remove entries have --dry-run, \
      which prints what would be removed.
      """,
    subcommands: [
      Stats.self, List.self, Show.self, Explain.self, Verify.self, Trim.self, Purge.self, Export.self, Import.self, Migrate.self,
      Clear.self,
    ])

  struct Options: ParsableArguments {
    @Option(name: .customLong("cache"), help: ArgumentHelp("The cache folder (default: $OFFPRINT_CACHE, or ./cache).", valueName: "dir"))
    var folder: String?
    @Flag(name: .customLong("json"), help: "Print JSON.") var json = false

    var path: String { folder ?? RendererConfiguration.defaultCacheFolder }

    /// The cache; nil if it does not exist, since inspecting must not create it.
    ///
    /// - Parameter reportsAbsence: Whether to print that it does not exist, for commands that succeed without one.
    /// - Throws: `cacheUnusable` for a folder that is not a cache.
    func open(reportsAbsence: Bool = false) throws(OffprintError) -> CacheAdministration? {
      guard try CacheFolder.exists(path) else {
        if reportsAbsence && !json { Output.error("offprint: There is no cache in '\(Sentence.printable(path))'.") }
        return nil
      }
      return try CacheAdministration(folder: path)
    }

    /// Opens the cache for commands that remove entries, which refuse a symbolic link to the folder.
    func openForRemoval() throws(OffprintError) -> CacheAdministration? {
      try refuseLink()
      return try open(reportsAbsence: true)
    }

    func refuseLink() throws(OffprintError) {
      guard Files.kind(path.withoutTrailingSlashes) == S_IFLNK else { return }
      let place = Files.resolved(path).map { ", '\($0)'" } ?? ""
      throw OffprintError(.cacheUnusable, "'\(path)' is a symbolic link, and nothing was removed; specify its target\(place).")
    }

    var absent: OffprintError { OffprintError(.cacheUnusable, "There is no cache in '\(path)'; specify the folder with --cache.") }

    /// Prints what was removed, or would be removed.
    func report(_ removal: CacheAdministration.Removal, isDryRun: Bool) {
      if json {
        Output.line(
          JSONValue.object([
            "removed": .number(Double(removal.entries)), "bytes": .number(Double(removal.bytes)),
            "orphans": .number(Double(removal.orphans)), "dryRun": .bool(isDryRun),
          ]).text)
      } else {
        let orphans = removal.orphans > 0 ? " and \(removal.orphans) files without an entry" : ""
        Output.error(
          "\(removal.entries.entriesText) (\(Amount.readable(removal.bytes)))\(orphans) \(isDryRun ? "would be removed" : "removed")")
      }
    }
  }

  struct DryRun: ParsableArguments {
    @Flag(name: .customLong("dry-run"), help: "Print what would be done without doing it.") var isDryRun = false
  }
}
