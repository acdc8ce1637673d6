import ArgumentParser
import Glibc
import Offprint

/// The format of the rows, and which of them to use.
struct ListOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Lists, pages, patterns such as 'pages/*.html', or - for standard input; omit with --template T --data ROWS.", valueName: "jobs"))
  var jobs: [String] = []
  @Option(
    name: .customLong("input-format"),
    help: ArgumentHelp(
      "The format of the lists (default: by name and content).", valueName: "format"))
  var format: ListFormat?
  @Option(
    name: .customLong("root"), help: ArgumentHelp("The folder with a site's files, for lists of URLs.", valueName: "dir"))
  var root: String?
  @Option(name: .customLong("shard"), help: ArgumentHelp("Render every N-th job, starting at job I (1 to N).", valueName: "i/n"))
  var shard: Shard?
  @Option(name: .customLong("max-line-bytes"), help: ArgumentHelp("Maximum bytes of a row of a list (default: 32MiB).", valueName: "bytes"))
  var maximum: Amount?

  @Option(
    name: .customLong("map"), parsing: .singleValue,
    help: ArgumentHelp("Rename a column or member of the rows: --map \"Full name=holder\"; may be repeated.", valueName: "name=new"))
  var map: [Assignment] = []

  /// The maximum size of a row in bytes.
  var limit: Int { maximum?.value ?? 32 << 20 }

  /// New names of columns, by their old names.
  var columnNames: [String: String] { Dictionary(map.map { ($0.key, $0.value) }) { first, _ in first } }

  mutating func validate() throws {
    if let maximum, !(1...(1 << 30)).contains(maximum.value) { throw ValidationError("--max-line-bytes must be 1 to \(1 << 30).") }
    if let empty = map.first(where: \.value.isEmpty) { throw ValidationError("--map \(empty.key)= lacks the new name.") }
    if columnNames.count < map.count { throw ValidationError("--map renames a column twice.") }
  }
}

struct JobOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp("Jobs rendered concurrently (default: the number of cores).", valueName: "n"))
  var workers: Int?
  @Flag(name: .customLong("keep-going"), help: "Continue after a job fails (exit code 1 at the end).") var keepGoing = false
  @Flag(name: .customLong("fail-fast"), help: "Start no more jobs after one fails (default).") var failFast = false
  @Option(
    name: .customLong("retries"),
    help: ArgumentHelp("Retries of a job that timed out or lacked a resource (default: 0).", valueName: "n"))
  var retries: Int?
  @Option(name: .customLong("report"), help: ArgumentHelp("The report file, or - for standard output.", valueName: "file"))
  var report: String?
  @Flag(
    name: .customLong("resume"),
    help: "Skip jobs that the report lists as done and whose images exist; new results are appended to the report.")
  var resume = false
  @Flag(name: .customLong("dry-run"), help: "Render nothing; print each job's key and whether it is in the cache.") var dryRun = false
  @Option(
    name: .customLong("progress"),
    help: ArgumentHelp(
      "How to show progress: auto is a line on a terminal, json is written to standard error (default: auto).", valueName: "how"))
  var progress: Progress.Style?
  @Flag(name: .customLong("json"), help: "Print the summary and errors as JSON.") var json = false

  mutating func validate() throws {
    if let workers, !(1...256).contains(workers) { throw ValidationError("--jobs must be 1 to 256.") }
    if let retries, !(0...100).contains(retries) { throw ValidationError("--retries must be 0 to 100.") }
    if keepGoing && failFast { throw ValidationError("--keep-going and --fail-fast exclude each other.") }
    if resume && (report == nil || report == "-") {
      throw ValidationError("--resume requires --report FILE, the report of the previous run.")
    }
    if resume && dryRun { throw ValidationError("--resume and --dry-run exclude each other.") }
    if json && report == "-" { throw ValidationError("--json and a report cannot both be written to standard output.") }
  }
}

/// For commands that read NDJSON as a stream.
struct LineOptions: ParsableArguments {
  @Option(
    name: .customLong("max-line-bytes"), help: ArgumentHelp("Maximum bytes of a line of a list (default: 32MiB).", valueName: "bytes"))
  var maximum: Amount?

  /// The maximum size of a line in bytes.
  var limit: Int { maximum?.value ?? 32 << 20 }

  mutating func validate() throws {
    if let maximum, !(1...(1 << 30)).contains(maximum.value) { throw ValidationError("--max-line-bytes must be 1 to \(1 << 30).") }
  }
}

/// The source of a run's rows.
struct JobInput {
  var paths: [String]
  var rules: RowRules
  /// The options for every job; without `--data` if it names the rows.
  var page: PageOptions

  /// - Throws: `usage` if there are no rows, or a pattern is invalid.
  init(_ lists: ListOptions, _ page: PageOptions, name: String?) throws(OffprintError) {
    self.page = page
    rules = RowRules(root: try lists.root.map { path throws(OffprintError) in try Files.folder(path, for: "--root") })
    rules.columnNames = lists.columnNames
    rules.pattern = try name.map { text throws(OffprintError) in try NamePattern(text) }
    paths = lists.jobs
    guard paths.isEmpty else { return }
    if page.template != nil, let rows = page.data {
      (paths, rules.isData) = ([rows], true)
      self.page.data = nil
    } else if StandardInput.isGiven {
      paths = ["-"]
    } else {
      throw OffprintError(.usage, "Specify the lists: files, - for standard input, or --template T --data ROWS.")
    }
  }
}

/// Whether standard input is redirected with `<` or `|`.
enum StandardInput {
  static var isGiven: Bool { kind == S_IFREG || kind == S_IFIFO || kind == S_IFSOCK }
  /// Whether it is redirected with `<`, so that reading it cannot block.
  static var isFile: Bool { kind == S_IFREG }

  private static var kind: mode_t {
    var status = stat()
    return fstat(STDIN_FILENO, &status) == 0 ? status.st_mode & S_IFMT : 0
  }
}
