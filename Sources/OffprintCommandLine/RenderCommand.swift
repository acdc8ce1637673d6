import OffprintCoreTypes
import ArgumentParser
import Offprint

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Renders one page.",
    discussion: """
      A page in a file may load files from its folder. A page from standard input may load files only from --allow-files. Output files are \
      replaced atomically, symbolic links are followed, and devices and pipes are written to.

      Examples:
        offprint render card.html -o card.png
        offprint card.html card.png -w 600
        offprint render card.html -o card@2x.png --width 600 --height 315 --scale 2
        echo '<b>Hello</b>' | offprint render - -o - --template snippet --set font-size=20 > hello.png
      """)

  @Argument(
    help: ArgumentHelp(
      "An HTML file, - for standard input, or a URL such as https://example.org/ (with --allow-host). Optional with a Mustache --template.",
      valueName: "input"))
  var input: String?

  @Argument(help: ArgumentHelp("Same as --output.", valueName: "output"))
  var outputArgument: String?

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "The image file, or - for standard output "
        + "(default: the input's name with .png, in its folder, or for a URL in the working directory; - for standard input).",
      valueName: "file"))
  var output: String?

  @Option(name: .customLong("identifier"), help: ArgumentHelp("A name for the cache entry, by which it can be found.", valueName: "id"))
  var identifier: String?

  @Flag(name: [.short, .customLong("quiet")], help: "Print only warnings about an incomplete image.")
  var quiet = false

  @Flag(name: .customLong("json"), help: "Print the result as JSON (not with -o -).")
  var json = false

  @OptionGroup(title: "Page") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if input == nil && needsPage {
      guard StandardInput.isGiven else { throw ValidationError("Specify the page to render: a file, or - for standard input.") }
      input = "-"
    }
    output = output ?? outputArgument
    if json && target == "-" { throw ValidationError("--json and an image cannot both be written to standard output.") }
  }

  /// Whether an input is required. A template may work without a page, unless it requires a body.
  private var needsPage: Bool {
    guard let template else { return true }
    guard page.data == nil, !page.set.contains(where: { $0.key == "body" }) else { return false }
    return (try? page.templates.template(template).needsBody) ?? false
  }
  private var template: String? { page.template }

  /// Protects a second page from being overwritten by the image of the first. Checked after parsing, which reports unknown options, because
  /// the value of an unknown option looks like an output.
  private func checkOutputArgument() throws(OffprintError) {
    guard let outputArgument else { return }
    if let output, !output.hasSameBytes(as: outputArgument) {
      throw OffprintError(.usage, "The output is specified twice: '\(Sentence.fit(outputArgument))' and --output.")
    }
    guard !Self.isImageName(outputArgument) else { return }
    throw OffprintError(
      .usage,
      "'\(Sentence.fit(outputArgument))' is not an image's file name; use -o FILE for other names, or 'offprint batch' for several pages.")
  }

  private static func isImageName(_ name: String) -> Bool {
    if name == "-" || name.hasPrefix("/dev/") { return true }
    if case .known = OutputFormat(name: name) { return true }
    return false
  }

  private var target: String {
    if let output { return output }
    guard let named = input ?? page.template else { return "-" }
    if named == "-" { return "-" }
    // A built-in template or a URL has no folder for the output.
    let isAddress = RendererConfiguration.isAddress(named)
    let name = "\(isAddress ? Files.name(PageLocation.id(named)) : Files.stem(named)).\((page.encoding.format ?? .png).fileExtension)"
    guard let slash = named.lastIndex(ofByte: "/"), !isAddress else { return name }
    return named[...slash] + name
  }

  mutating func run() throws {
    try checkOutputArgument()
    try page.encoding.settle(output: target)
    try Output.checkImageTarget(target)
    let configuration = try engine.configuration()
    var (request, notes) = try page.request(for: input, configuration)
    try page.apply(to: &request)
    try Files.checkOutput(target, inputs: page.inputs(input))
    request.identifier = identifier
    request.cachePolicy = engine.policy
    let renderer = try Renderer(configuration)
    defer { renderer.shutdown(isExiting: true) }
    let result = try renderer.renderAndWait(request)
    Output.diagnostics(notes, quiet: quiet)
    Output.diagnostics(result.diagnostics, quiet: quiet)
    try Files.write(result.image, to: target)
    if json {
      Output.line(result.json(output: target))
    } else if !quiet && target != "-" {
      Output.error(
        "\(target): \(result.width)×\(result.height), \(result.image.count) bytes, \(result.stateText)")
    }
  }
}
