import ArgumentParser
import Offprint

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Prints boxes, styles and diagnostics of a page.",
    discussion: """
      --json (the default) prints {"width","height","boxes":[[path,x,y,width,height],…]}: one border box, in CSS px, for each element that has \
      one; path is the child-element indexes from the root, joined by '/'. --batch LIST reads NDJSON of {"id","input"|"html","width","height"} \
      and prints one line for each.

      --computed SELECTOR prints the computed values of each element that matches, or of a pseudo-element with 'SELECTOR::before'. \
      --diagnostics prints syntax errors and resources that could not be loaded, with their position. With --json, both print one JSON object per \
      line.
      """)

  @Argument(help: ArgumentHelp("An HTML file, or - for standard input; with --batch, a list.", valueName: "input")) var input: String
  @Flag(name: .customLong("json"), help: "Print the boxes of the elements (default); with --computed and --diagnostics, print JSON.")
  var json =
    false
  @Flag(name: .customLong("dom"), help: "Print the DOM tree, in html5lib's text format.") var dom = false
  @Flag(name: .customLong("display-list"), help: "Print the display list.") var displayList = false
  @Flag(name: .customLong("diagnostics"), help: "Print the diagnostics, one per line: FILE:LINE:COLUMN: code: reason.")
  var diagnostics = false
  @Option(name: .customLong("computed"), help: ArgumentHelp("Print the computed values of the elements that match.", valueName: "selector"))
  var computed: String?
  @Flag(name: .customLong("timings"), help: "Print the milliseconds of each stage.") var timings = false
  @Flag(name: .customLong("batch"), help: "Read a list of pages from INPUT.") var batch = false
  @OptionGroup var lines: LineOptions
  @OptionGroup(title: "Page") var page: PageOptions
  @OptionGroup(title: "Engine") var fonts: FontOptions
  @OptionGroup(title: "Engine") var network: NetworkOptions

  mutating func validate() throws {
    if page.selector != nil || page.clip != nil || page.strict || !page.failOn.isEmpty {
      throw ValidationError("--selector, --clip, --strict and --fail-on apply only to images; inspect always covers the whole page.")
    }
    let aspects = [dom, displayList, diagnostics, timings, computed != nil].filter { $0 }.count
    if aspects > 1 || json && (dom || displayList || timings) {
      throw ValidationError("--json, --dom, --display-list, --diagnostics, --computed and --timings exclude each other.")
    }
    if batch && (displayList || diagnostics || timings || computed != nil) { throw ValidationError("--batch requires --json or --dom.") }
  }

  private var aspect: Inspection.Aspect {
    if let computed { return .computed(selector: computed) }
    return dom ? .dom : displayList ? .displayList : diagnostics ? .diagnostics : timings ? .timings : .boxes
  }

  mutating func run() throws {
    let configuration = try network.apply(to: fonts.configuration)
    let renderer = try Renderer(configuration)
    defer { renderer.shutdown(isExiting: true) }
    if batch {
      let list = InspectionList(
        renderer: renderer, aspect: aspect,
        defaults: JobDefaults(page: page, policy: .none, lineLimit: lines.limit, network: configuration))
      if try list.inspect(input) > 0 { throw ExitCode(1) }
      return
    }
    var (request, notes) = try RenderRequest.reading(input, page, configuration)
    try page.apply(to: &request)
    let inspection = try renderer.inspect(request, aspect)
    Output.diagnostics(notes, quiet: false)
    inspection.print(asJSON: json)
  }
}
