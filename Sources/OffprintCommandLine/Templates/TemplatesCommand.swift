import ArgumentParser
import Offprint

struct TemplatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates", abstract: "Lists, shows and renders templates.",
    discussion: """
      A template is a Mustache file whose front matter declares its attributes. Templates in --templates DIR or $OFFPRINT_TEMPLATES override \
      built-in ones of the same name.

      Examples:
        offprint templates
        offprint templates show card
        offprint templates show card --source > templates/mine.mustache
        offprint templates specimen images
        offprint render --template card --set title='Hello, world' -o card.png
      """,
    subcommands: [List.self, Show.self, Specimen.self], defaultSubcommand: List.self)
}

extension TemplatesCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists templates with their attributes and defaults.")

    @OptionGroup var templates: TemplateOptions
    @Flag(name: .customLong("names"), help: "Print only the names.") var namesOnly = false
    @Flag(name: .customLong("json"), help: "Print JSON, one line per template.") var json = false

    mutating func validate() throws {
      if json && namesOnly { throw ValidationError("--json and --names exclude each other.") }
    }

    mutating func run() throws {
      let library = try templates.library()
      for (index, name) in library.names.enumerated() {
        if namesOnly {
          Output.line(Sentence.printable(name))
        } else if json {
          Output.line(try library.template(name).json)
        } else {
          Output.text((index == 0 ? "" : "\n") + (try library.template(name)).listing)
        }
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows the attributes of a template, or its source.")

    @Argument(help: ArgumentHelp("A template's name or file.", valueName: "name")) var name: String
    @OptionGroup var templates: TemplateOptions
    @Flag(name: .customLong("source"), help: "Print the source instead, as a starting point for your own template.") var sourceOnly = false
    @Flag(name: .customLong("json"), help: "Print JSON: name, description, attributes, source.") var json = false

    mutating func validate() throws {
      if json && sourceOnly { throw ValidationError("--json and --source exclude each other.") }
    }

    mutating func run() throws {
      let template = try templates.template(name)
      if json {
        Output.line(template.json.dropLast() + ",\"source\":\(JSONText.string(template.source))}")
      } else {
        let source = template.source.hasSuffix("\n") ? template.source : template.source + "\n"
        // The source can be saved as a file to start from, so it is not changed.
        Output.text(sourceOnly ? source : template.listing)
      }
    }
  }

  struct Specimen: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "specimen", abstract: "Renders each template with its examples and defaults into a folder.")

    @Argument(help: ArgumentHelp("The folder for NAME.png; created if it does not exist.", valueName: "dir")) var folder: String
    @Argument(help: ArgumentHelp("The templates (default: all).", valueName: "name")) var names: [String] = []
    @Option(name: .customLong("scale"), help: ArgumentHelp("Device px per CSS px, above 0 to 16.", valueName: "factor")) var scale = 1.0
    @OptionGroup var templates: TemplateOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    mutating func validate() throws {
      if !(scale > 0 && scale <= 16) { throw ValidationError("--scale must be above 0 and at most 16.") }
    }

    mutating func run() throws {
      let library = try templates.library()
      let renderer = try Renderer(engine.configuration())
      defer { renderer.shutdown(isExiting: true) }
      try Files.makeFolder(folder)
      var failed = false
      for name in names.isEmpty ? library.names : names {
        do throws(OffprintError) {
          try draw(name, library, renderer)
        } catch {
          guard error.code != .outputUnwritable else { throw error }
          failed = true
          Output.error("offprint: \(error.sentence)")
        }
      }
      if failed { throw ExitCode(1) }
    }

    private func draw(_ name: String, _ library: TemplateLibrary, _ renderer: Renderer) throws(OffprintError) {
      var request = try library.template(name).specimen()
      if let path = library.path(of: name) {
        request.basePath = Files.absolute(path)
        request.allowedFolders = [Files.folder(of: path)]
      }
      request.scale = scale
      request.cachePolicy = engine.policy
      let result = try renderer.renderAndWait(request)
      Output.diagnostics(result.diagnostics, quiet: true)
      let target = "\(folder)/\(name).png"
      try Files.write(result.image, to: target)
      Output.error("\(target): \(result.width)×\(result.height), \(result.image.count) bytes")
    }
  }
}

extension Template {
  /// For people: its description, and one line per attribute.
  fileprivate var listing: String {
    let rows = attributes.flatMap { $0.rows(indentation: "  ") }.map { $0.map(Sentence.printable) }
    func width(_ column: Int) -> Int { rows.map { $0[column].count }.max() ?? 0 }
    let widths = [width(0), width(1)]
    let lines = rows.map { row in
      "\(row[0].padded(widths[0]))  \(row[1].padded(widths[1]))  \(row[2])".trimmingEnd
    }
    let head = description.isEmpty ? name : "\(name): \(description)"
    return ([Sentence.printable(head)] + (attributes.isEmpty ? ["  accepts any attributes"] : lines)).joined(separator: "\n") + "\n"
  }
}

extension TemplateAttribute {
  /// Rows of name, type and other properties, followed by those of its items or fields.
  fileprivate func rows(indentation: String) -> [[String]] {
    let type = kind == .list ? "list" + (item.map { " of \($0.kind.rawValue)" } ?? "") : kind.rawValue
    var rest: [String] = []
    if isRequired { rest.append("required") }
    if let text = defaultText { rest.append("= \(text.isEmpty ? "\"\"" : text)") }
    let isNarrowed = minimum != nil || maximum != nil || kind == .choice
    if isNarrowed { rest.append("(\(expectation))") }
    if !description.isEmpty { rest.append(description) }
    let parts = kind == .list ? item?.fields ?? [] : fields
    return [[indentation + name, type, rest.joined(separator: "  ")]] + parts.flatMap { $0.rows(indentation: indentation + "  ") }
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  fileprivate var trimmingEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
