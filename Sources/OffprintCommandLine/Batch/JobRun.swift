import Glibc
import OffprintConfiguration
import Offprint

/// A run of lists, from the check to the report.
struct JobRun {
  var input: JobInput
  var lists: ListOptions
  var engine: EngineOptions
  var options: JobOptions
  /// The folder for images of jobs without an output; nil writes no images.
  var folder: String?
  /// The PDF that all pages are merged into instead; `-` for standard output.
  var merged: String?

  /// - Throws: Errors of the lists as a whole, before anything is rendered. Failed jobs are counted.
  func perform() throws(OffprintError) -> (tally: Tally, seconds: Double) {
    try checkOutputs()
    let list = try JobList(
      input.paths,
      ListSource.Options(
        lineLimit: lists.limit, format: lists.format, isTable: input.rules.isData, columnNames: input.rules.columnNames))
    try input.checkColumns(list)
    let shard = lists.shard ?? Shard.fromEnvironment
    if lists.shard == nil, let problem = Shard.problemInEnvironment { Output.error("offprint: usage: \(problem)") }
    let naming = merged != nil ? nil : folder.map { OutputNaming(folder: $0, rules: input.rules, page: input.page) }
    let summary = try JobCheck(naming: naming, rules: input.rules, shard: shard, inputs: input.paths + input.page.inputs(nil)).run(list)
    let defaults = JobDefaults(
      page: input.page, policy: engine.policy, lineLimit: lists.limit, rules: input.rules, network: try engine.allowedNetwork)
    let feed = JobFeed(list.lines(), shard: shard)
    // 'warm' prints a summary of its own.
    let progress = Progress(
      options.progress ?? .auto, total: summary.count, summarizes: folder != nil && !options.json, isDryRun: options.dryRun)
    if options.dryRun {
      try DryRun(feed: feed, defaults: defaults, naming: naming, progress: progress).run(engine, reportPath: options.report)
    } else {
      try draw(feed, defaults, naming, progress, summary)
    }
    return (progress.tally, progress.seconds)
  }

  /// - Throws: `usage` for a report or a merged PDF that would overwrite an input, or each other.
  private func checkOutputs() throws(OffprintError) {
    let inputs = input.paths + input.page.inputs(nil)
    if let report = options.report { try Files.checkOutput(report, inputs: inputs) }
    if let merged { try Files.checkOutput(merged, inputs: inputs) }
    if let merged, merged == options.report, merged != "-" {
      throw OffprintError(.usage, "'\(merged)' would be both the report and the merged PDF. No file was changed.")
    }
  }

  private func draw(
    _ feed: JobFeed, _ defaults: JobDefaults, _ naming: OutputNaming?, _ progress: Progress, _ summary: JobCheck.Summary
  ) throws(OffprintError) {
    let earlier = options.resume ? try EarlierReport(options.report, lineLimit: lists.limit) : nil
    if let folder, merged == nil, summary.usesFolder { try Files.makeFolder(folder) }
    let reporter = try Reporter(path: options.report, goesOn: options.resume)
    summary.folders.forEach { TemporaryFiles.removeAbandoned(in: $0) }
    Interrupts.watch {
      progress.note { $0.isInterrupted = true }
      feed.close()
      Output.error("offprint: stopping after the jobs in progress; interrupt again to stop immediately")
    }
    let workers = min(options.workers ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), max(1, summary.count))
    let renderer = try Renderer(engine.configuration(workers: workers))
    defer { renderer.shutdown(isExiting: true) }
    let merger = merged.map { _ in PDFMerger() }
    let runner = JobRunner(
      feed: feed, defaults: defaults, naming: naming, renderer: renderer, reporter: reporter, progress: progress,
      policy: JobRunner.Policy(
        keepsGoing: options.keepGoing, retries: options.retries ?? 0, makesFolders: input.rules.pattern != nil, earlier: earlier,
        merger: merger))
    try runner.run(workers: workers)
    try reporter.finish()
    if let merged, let merger, !progress.tally.isInterrupted, progress.tally.failed == 0 || options.keepGoing {
      try Files.write(try merger.finish(), to: merged)
    }
  }
}

extension JobInput {
  /// Reports unknown columns once, before anything is rendered, instead of for each row.
  func checkColumns(_ list: JobList) throws(OffprintError) {
    for source in list.sources where source.format.hasHeader && !rules.isData {
      if page.template != nil || source.header.contains("template") { continue }
      let known = Array(JobOption.byName.keys) + JobHead.ownNames
      let odd = source.header.filter { name in
        !name.isEmpty && !known.contains(name) && !JobOption.ofTheRun.contains(name) && rules.pattern?.fields.contains(name) != true
      }
      guard let first = odd.prefix(100).first(where: { NearestName.of($0, in: known) != nil }) ?? odd.first else { continue }
      let nearest = NearestName.of(first, in: known).map { " (did you mean '\($0)'?)" } ?? ""
      throw OffprintError(
        .dataInvalid,
        "\(source.name) has a column '\(Sentence.fit(first))', which is not an option of render\(nearest); use it with --template or --name."
      )
    }
  }
}
