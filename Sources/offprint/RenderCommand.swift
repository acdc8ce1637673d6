import ArgumentParser
import Offprint

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draws one page.",
    discussion: """
      A page in a file may load what is beside it; one from standard input loads no files unless --allow-files says so. What stands at the \
      output stays what it is: a file is replaced when the picture is complete, a device or pipe is written to, a link followed.

      Examples:
        offprint render card.html -o card.png
        offprint render card.html -o card@2x.png --width 600 --height 315 --scale 2
        echo '<b>Hello</b>' | offprint render - -o - --template snippet --set font-size=20 > hello.png
      """)

  @Argument(help: ArgumentHelp("An HTML file, or - for standard input. A Mustache --template can do without.", valueName: "input"))
  var input: String?

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "The PNG file, or - for standard output (default: the input's name with .png, or - for standard input).", valueName: "file"))
  var output: String?

  @Option(name: .customLong("identifier"), help: ArgumentHelp("A name under which the cache finds this result again.", valueName: "id"))
  var identifier: String?

  @Flag(name: [.short, .customLong("quiet")], help: "Say only what makes the picture incomplete.")
  var quiet = false

  @Flag(name: .customLong("json"), help: "Print what was made as JSON (not with -o -).")
  var json = false

  @OptionGroup(title: "Page") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if input == nil && page.template == nil {
      throw ValidationError("Name the page to draw: a file, or - for standard input.")
    }
    if json && target == "-" { throw ValidationError("--json and a picture cannot both go to standard output.") }
  }

  private var target: String {
    if let output { return output }
    guard let named = input ?? page.template else { return "-" }
    return named == "-" ? "-" : Files.stem(named) + ".png"
  }

  mutating func run() throws {
    try Output.checkPictureTarget(target)
    var (request, notes) = try page.request(for: input)
    try page.apply(to: &request)
    request.identifier = identifier
    request.cachePolicy = engine.policy
    let renderer = try Renderer(engine.configuration())
    defer { renderer.shutdown(isExiting: true) }
    let result = try renderer.renderAndWait(request)
    Output.diagnostics(notes, quiet: quiet)
    Output.diagnostics(result.diagnostics, quiet: quiet)
    try Files.write(result.image, to: target)
    if json {
      Output.line(result.json(output: target))
    } else if !quiet && target != "-" {
      Output.error(
        "\(target): \(result.width)×\(result.height), \(result.image.count) bytes, \(result.wasCached ? "from the cache" : "rendered")")
    }
  }
}
