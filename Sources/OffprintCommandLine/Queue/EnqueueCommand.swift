import ArgumentParser
import Offprint
import OffprintRemote

struct EnqueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enqueue", abstract: "Adds jobs to a queue for any number of workers.",
    discussion: """
      JOBS are those of 'batch'. The page options apply to every job and are stored with it. Files are stored as absolute paths, which must exist \
      on the workers' machines; otherwise put the page in "html".

      A job is identified by its id until its result is collected. Adding a list again adds only the missing jobs. A different job with the same id \
      is an error.

      Examples:
        offprint enqueue jobs.ndjson --queue redis://queue.example/0 --width 1200
        offprint work --queue redis://queue.example/0 --tier s3://images
        offprint collect --queue redis://queue.example/0 --report report.ndjson
      """)

  @OptionGroup(title: "Queue") var queue: QueueOptions
  @OptionGroup(title: "Lists") var lists: ListOptions
  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("A pattern for file names, such as '{sku}-{width}.png' (default: {id}.png).", valueName: "pattern"))
  var name: String?
  @Flag(name: .customLong("json"), help: "Print the summary and errors as JSON.") var json = false
  @OptionGroup(title: "Defaults for every job") var page: PageOptions

  /// Options of this command that are not passed on.
  private static let own: Set = ["queue", "input-format", "root", "shard", "max-line-bytes", "name", "json"]
  private static let maximumBytes = 4 << 20
  private static let maximumJobs = 500

  mutating func run() throws {
    let address = try queue.queue
    let input = try JobInput(lists, page, name: name)
    let list = try JobList(
      input.paths,
      ListSource.Options(
        lineLimit: lists.limit, format: lists.format, isTable: input.rules.isData, columnNames: input.rules.columnNames))
    try input.checkColumns(list)
    let naming = OutputNaming(folder: ".", rules: input.rules, page: input.page)
    let shard = lists.shard ?? Shard.fromEnvironment
    let total = try JobCheck(naming: naming, rules: input.rules, shard: shard).run(list).count
    let options = try Self.options(without: input.rules.isData ? Self.own.union(["data"]) : Self.own)
    let added = try add(JobFeed(list.lines(), shard: shard), input, naming, options, WorkQueue(address))
    if json {
      Output.line("{\"jobs\":\(total),\"added\":\(added),\"known\":\(total - added)}")
    } else {
      let known = added < total ? ", \(total - added) existed already" : ""
      Output.error("\(added) jobs added\(known)")
    }
  }

  private func add(
    _ feed: JobFeed, _ input: JobInput, _ naming: OutputNaming, _ options: [String], _ queue: WorkQueue
  ) throws(OffprintError) -> Int {
    try queue.prepare()
    var (added, bytes, jobs) = (0, 0, [QueuedJob]())
    while let (line, _) = feed.next() {
      let head = JobHead(line, input.rules)
      let letter = try JobLetter(head, line, input, output: try naming.path(head, line), options: options)
      jobs.append(QueuedJob(id: letter.id, body: letter.body))
      bytes += jobs.last?.body.count ?? 0
      guard bytes > Self.maximumBytes || jobs.count >= Self.maximumJobs else { continue }
      added += try queue.add(jobs)
      (bytes, jobs) = (0, [])
    }
    if let error = feed.error { throw error }
    return try jobs.isEmpty ? added : added + queue.add(jobs)
  }

  /// The options of `render` from all sources, as arguments with the same meaning on another machine.
  private static func options(without own: Set<String>) throws(OffprintError) -> [String] {
    let command = KnownCommand(["enqueue"], root: OffprintCommand.self)
    return OptionScanner(command.options).scan(CommandArguments.parsed).compactMap { option, value in
      if own.contains(option.name) { return nil }
      if option.isFlag { return "--\(option.name)" }
      let isFile = option.isPath || option.valueName == "name|file" && Files.kind(value) != nil
      return "--\(option.name)=\(isFile ? Files.absolute(value) : value)"
    }
  }
}
