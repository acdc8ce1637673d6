import ArgumentParser
import Offprint
import OffprintCoreTypes

struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Runs a Model Context Protocol server on standard input and output.",
    discussion: """
      Configure an agent with {"mcpServers": {"offprint": {"command": "offprint", "args": ["mcp"]}}}. The tools are render_html, \
      render_template, inspect_layout, list_templates and list_fonts. Pages load nothing from the network and no files, except what --allow-host \
      and --allow-files allow. --isolate renders them in worker processes, without inspect_layout. Page options are the defaults of every call.

      Example:
        offprint mcp --templates templates --timeout 5s
      """)

  @OptionGroup var engine: EngineOptions
  @OptionGroup var page: PageOptions

  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp("Pages rendered concurrently (default: the number of cores).", valueName: "n"))
  var workers: Int?

  mutating func validate() throws { if let workers, !(1...256).contains(workers) { throw ValidationError("--jobs must be 1 to 256.") } }

  mutating func run() throws {
    let count = workers ?? RendererConfiguration().workers
    let renderer = try EmbeddedRenderer(engine: engine, page: page, workers: count)
    try MCPServer(tools: MCPTools(renderer, isIsolated: engine.isolation.isolate)).serve()
  }
}
