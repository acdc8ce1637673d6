import ArgumentParser
import Glibc
import Offprint

extension CacheCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Writes entries to a tar archive, to warm the cache of another machine.",
      discussion: """
        Damaged and stale entries are skipped. Images that depend on files are hits on another machine if it has the same files at the same \
        paths. Example: offprint cache export - --where 'tag = "spring"' | ssh server offprint cache import -
        """)
    @Argument(help: ArgumentHelp("The archive, or - for standard output.", valueName: "file")) var file: String
    @Option(
      name: .customLong("where"), help: ArgumentHelp("Only entries that match a condition, as in cache list.", valueName: "condition"))
    var condition: String?
    @Option(name: .customLong("search"), help: ArgumentHelp("Only entries with this text, as in cache list.", valueName: "text"))
    var search: String?
    @OptionGroup var dryRun: DryRun
    @OptionGroup var options: Options

    mutating func run() throws {
      guard let cache = try options.open() else { throw options.absent }
      let query = CacheAdministration.Query(condition: condition, search: search)
      if file == "-" && options.json { throw OffprintError(.usage, "--json and an archive cannot both be written to standard output.") }
      if file == "-" && isatty(STDOUT_FILENO) == 1 && !dryRun.isDryRun {
        throw OffprintError(.usage, "An archive cannot be written to a terminal; specify a file, or redirect standard output.")
      }
      let count = try dryRun.isDryRun ? cache.export(query) { _ in } : write(query, of: cache)
      if options.json {
        Output.line(JSONValue.object(["exported": .number(Double(count)), "dryRun": .bool(dryRun.isDryRun)]).text)
      } else {
        Output.error("\(count.entriesText) \(dryRun.isDryRun ? "would be exported" : "exported")")
      }
    }

    /// A file appears when it is complete.
    private func write(_ query: CacheAdministration.Query, of cache: CacheAdministration) throws -> Int {
      if file == "-" { return try cache.export(query) { try Output.bytes($0) } }
      return try Files.writeInPieces(to: file) { write in try cache.export(query, to: write) }
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Adds the entries of an archive written by export.",
      discussion: """
        Entries with a wrong checksum are rejected; existing entries are unchanged. The cache is created if it does not exist. The exit code is \
        65 if the file is not an archive or ends early; entries added before that are kept.
        """)
    @Argument(help: ArgumentHelp("The archive, or - for standard input.", valueName: "file")) var file: String
    @OptionGroup var dryRun: DryRun
    @OptionGroup var options: Options

    mutating func run() throws {
      _ = try CacheFolder.exists(options.path)
      if dryRun.isDryRun, try !CacheFolder.exists(options.path) { throw options.absent }
      let descriptor = try Files.open(file)
      defer { close(descriptor) }
      let name = Files.displayName(file)
      let done = try CacheAdministration.importArchive(into: options.path, dryRun: dryRun.isDryRun) { count in
        var chunk = [UInt8](repeating: 0, count: min(max(count, 1), 1 << 20))
        let read = try Files.read(descriptor, &chunk, name)
        return Array(chunk.prefix(read))
      }
      if options.json { return Output.line(done.json(isDryRun: dryRun.isDryRun)) }
      let verb = dryRun.isDryRun ? "would be added" : "added"
      Output.error(
        "\(done.added.entriesText) (\(Amount.readable(done.bytes))) \(verb), \(done.existing) existed already, \(done.rejected) rejected")
    }
  }
}

extension CacheAdministration.ImportResult {
  fileprivate func json(isDryRun: Bool) -> String {
    JSONValue.object([
      "added": .number(Double(added)), "known": .number(Double(existing)), "refused": .number(Double(rejected)),
      "bytes": .number(Double(bytes)),
      "dryRun": .bool(isDryRun),
    ]).text
  }
}
