import ArgumentParser
import Offprint

struct FontsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fonts", abstract: "Lists the faces that pages can use, and adds fonts for more scripts.",
    discussion: """
      Pages see the bundled fonts, the user's ($OFFPRINT_USER_FONTS, else offprint/fonts in $XDG_DATA_HOME or ~/.local/share), and those of \
      --fonts. Every name printed (family, full and PostScript name) works in font-family.

      Examples:
        offprint fonts
        offprint fonts --covers 'Приве́т 中'
        offprint fonts --match 'Inter, sans-serif' --text 'Hi 😀 你好'
        offprint fonts add emoji cjk
        offprint fonts add --list
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)
}

extension FontsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the faces that pages can use, or tells which of them a text takes.",
      discussion: """
        --match tells a line for each part of --text: the part, the PostScript name of its face, and why: family (of the list), standard (what \
        text is in unless asked for), emoji, fallback (no family has it, this face does), missing (no face has it: a box is drawn).
        """)

    @Flag(name: .customLong("names"), help: "PostScript names alone, one a line.") var names = false
    @Flag(name: .customLong("json"), help: "All that is known of each face.") var json = false
    @Option(name: .customLong("family"), help: ArgumentHelp("Only this family.", valueName: "name")) var family: String?
    @Option(name: .customLong("covers"), help: ArgumentHelp("Only faces that have every character of a text.", valueName: "text"))
    var covers: String?
    @Option(
      name: .customLong("match"),
      help: ArgumentHelp("Tell which face each part of --text takes under this font-family.", valueName: "list"))
    var match: String?
    @Option(name: .customLong("text"), help: ArgumentHelp("The text of --match.", valueName: "text")) var text: String?
    @Option(name: .customLong("weight"), help: ArgumentHelp("The font-weight of --match (default: 400).", valueName: "1-1000"))
    var weight: Int?
    @Option(name: .customLong("style"), help: ArgumentHelp("The font-style of --match: normal or italic.", valueName: "style"))
    var style: String?
    @Option(name: .customLong("language"), help: ArgumentHelp("The language of --text, as ja.", valueName: "tag")) var language: String?
    @OptionGroup var fonts: FontOptions

    mutating func validate() throws {
      if names && json { throw ValidationError("--names and --json exclude each other.") }
      if let weight, !(1...1000).contains(weight) { throw ValidationError("--weight is 1 to 1000.") }
      if let style, !["normal", "italic"].contains(style) { throw ValidationError("--style is normal or italic.") }
      if let match {
        if match.allSatisfy(\.isWhitespace) { throw ValidationError("--match takes a list of families, as in font-family.") }
        if (text ?? "").isEmpty { throw ValidationError("--match takes a text with --text.") }
        if names || family != nil || covers != nil { throw ValidationError("--match excludes --names, --family and --covers.") }
      } else if text != nil || weight != nil || style != nil || language != nil {
        throw ValidationError("--text, --weight, --style and --language belong to --match.")
      }
    }

    mutating func run() throws {
      let library = try FontLibrary(fonts.configuration)
      for problem in library.problems { Output.error("offprint: \(Sentence.fit(problem))") }
      if let match, let text {
        return print(library.match(match, text: text, weight: Float(weight ?? 400), isItalic: style == "italic", language: language ?? ""))
      }
      let faces = try selected(library)
      if json {
        Output.line("[\(faces.map(\.json).joined(separator: ",\n"))]")
      } else if names {
        faces.forEach { Output.line($0.postScriptName) }
      } else {
        Table.print(
          [["FAMILY", "STYLE", "WEIGHT", "POSTSCRIPT NAME", "FILE"]]
            + faces.map { [$0.family, $0.style, $0.weightText, $0.postScriptName, $0.file] })
      }
    }

    /// - Throws: `inputNotFound` where nothing is left.
    private func selected(_ library: FontLibrary) throws(OffprintError) -> [FontLibrary.Face] {
      var faces = covers.map { library.faces(covering: $0) } ?? library.faces
      if let family {
        faces = faces.filter { $0.family.lowercased() == family.lowercased() }
        if faces.isEmpty { throw OffprintError(.inputNotFound, "There is no font family '\(family)'; 'offprint fonts' lists all.") }
      }
      if faces.isEmpty, covers != nil {
        throw OffprintError(
          .inputNotFound, "No face has all these characters; --match tells what each takes, 'offprint fonts add --list' what can be added.")
      }
      return faces
    }

    private func print(_ parts: [TextMatch]) {
      if json { return Output.line("[\(parts.map(\.json).joined(separator: ",\n"))]") }
      for part in parts {
        Output.line("\(Sentence.fit(part.text))\t\(part.postScriptName)\t\(part.reason.rawValue)\(part.asked.map { " (\($0))" } ?? "")")
      }
    }
  }
}

/// Columns as wide as what is in them.
enum Table {
  static func print(_ rows: [[String]]) {
    guard let columns = rows.map(\.count).max(), columns > 0 else { return }
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    for row in rows {
      let cells = row.indices.map { index in
        index + 1 < row.count ? row[index] + String(repeating: " ", count: widths[index] - row[index].count) : row[index]
      }
      Output.line(cells.joined(separator: "  "))
    }
  }
}
