import ArgumentParser
import Offprint

extension CacheCommand {
  struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain", abstract: "Explains why pages are or are not in the cache.",
      discussion: """
        Takes the options of render. For a miss, prints the parts of the key in which the nearest entry differs (html: the page's bytes after \
        templates; fonts; revision: the engine); for a stale entry, the files that have changed. Does not count as a use of the entry.

        The exit code is 0 for every result. --json prints one object per page.
        """)
    @Argument(help: ArgumentHelp("HTML files, or - for standard input.", valueName: "input")) var inputs: [String] = []
    @OptionGroup var options: Options
    @OptionGroup(title: "Page") var page: PageOptions
    @OptionGroup(title: "Engine") var fonts: FontOptions
    @OptionGroup(title: "Engine") var network: NetworkOptions

    mutating func validate() throws {
      if inputs.isEmpty && page.template == nil { throw ValidationError("Specify the pages: files, or - for standard input.") }
    }

    mutating func run() throws {
      guard try CacheFolder.exists(options.path) else { throw options.absent }
      var configuration = try network.apply(to: fonts.configuration)
      configuration.cacheFolder = options.path
      configuration.cacheMaxSize = .max
      configuration.workers = 1
      let renderer = try Renderer(configuration)
      defer { renderer.shutdown(isExiting: true) }
      for input in inputs.isEmpty ? [nil] : inputs.map(Optional.some) {
        var request = RenderRequest(html: "")
        if let input { request = try RenderRequest.reading(input, page, configuration).request }
        try page.apply(to: &request)
        let explanation = try renderer.explain(request)
        let name = input ?? page.template ?? "-"
        if options.json { Output.line(explanation.json(input: name)) } else { explanation.lines(input: name).forEach { Output.line($0) } }
      }
    }
  }
}

extension CacheExplanation {
  func lines(input: String) -> [String] {
    switch status {
    case .hit: return ["\(input): hit, \(key)"] + names
    case .stale: return ["\(input): stale, \(key)"] + changed.map { "  changed: \($0)" }
    case .damaged: return ["\(input): damaged, \(key): its file is missing or was changed; it is rendered again at the next use"]
    case .miss:
      guard let nearest else { return ["\(input): miss, \(key): the cache has no similar entry"] }
      return ["\(input): miss, \(key)", "  nearest: \(nearest.line)"]
        + differences.map { "  \($0.part): \($0.wanted ?? "none"), stored: \($0.stored ?? "none")" }
    }
  }

  private var names: [String] { nearest.map { $0.identifiers.map { "  identifier: \($0)" } } ?? [] }

  func json(input: String) -> String {
    JSONValue.object([
      "input": .string(input), "key": .string(key), "status": .string(status.rawValue), "changed": .array(changed.map { .string($0) }),
      "nearest": nearest.map(\.value) ?? .null,
      "differences": .array(
        differences.map {
          .object([
            "part": .string($0.part), "wanted": $0.wanted.map { .string($0) } ?? .null, "stored": $0.stored.map { .string($0) } ?? .null,
          ])
        }),
    ]).text
  }
}
