import ArgumentParser
import OffprintCoreTypes
import Offprint

struct FontsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fonts", abstract: "Lists the font faces that pages can use, and adds fonts for more scripts.",
    discussion: """
      Pages can use the bundled fonts, the user's fonts ($OFFPRINT_USER_FONTS, else offprint/fonts in $XDG_DATA_HOME or ~/.local/share), and \
      those of --fonts. Every name printed (family, full and PostScript name) works in font-family.

      Examples:
        offprint fonts
        offprint fonts --covers 'Приве́т 中'
        offprint fonts --match 'Inter, sans-serif' --text 'Hi 😀 你好'
        offprint fonts --used-by card.html
        offprint fonts --specimen fonts.png
        offprint fonts add emoji cjk
        offprint fonts add --list
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)
}

extension FontsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the font faces that pages can use, or shows which of them a text uses.",
      discussion: """
        --match prints one line for each part of --text: the part, the PostScript name of its face, and the reason: family (in the list), \
        standard (the default font), emoji, fallback (no family in the list has the characters), missing (no face has them, and boxes are \
        drawn).
        """)

    @Flag(name: .customLong("names"), help: "Print only PostScript names, one per line.") var names = false
    @Flag(name: .customLong("json"), help: "Print all properties of each face as JSON.") var json = false
    @Option(
      name: .customLong("format"),
      help: ArgumentHelp(
        "Format of the line for a face, such as '{family}, {style}: {file}'; the names are those of --json.", valueName: "text"))
    var format: String?
    @Option(
      name: .customLong("family"),
      help: ArgumentHelp(
        "Only the faces that this name selects in font-family, including aliases and generic families.",
        valueName: "name"))
    var family: String?
    @Option(name: .customLong("used-by"), help: ArgumentHelp("Only faces that the text of a page uses.", valueName: "page"))
    var usedBy: String?
    @Flag(name: .customLong("duplicates"), help: "List duplicate font files, and which of them is used.") var duplicates = false
    @Option(
      name: .customLong("specimen"), help: ArgumentHelp("Also render a specimen of the faces to a PNG image.", valueName: "file"))
    var specimen: String?
    @Option(name: .customLong("covers"), help: ArgumentHelp("Only faces that have all characters of a text.", valueName: "text"))
    var covers: String?
    @Option(
      name: .customLong("match"),
      help: ArgumentHelp("Show which face each part of --text uses with this font-family.", valueName: "list"))
    var match: String?
    @Option(name: .customLong("text"), help: ArgumentHelp("The text for --match.", valueName: "text")) var text: String?
    @Option(name: .customLong("weight"), help: ArgumentHelp("The font-weight for --match (default: 400).", valueName: "1-1000"))
    var weight: Int?
    @Option(name: .customLong("style"), help: ArgumentHelp("The font-style for --match: normal or italic.", valueName: "style"))
    var style: String?
    @Option(name: .customLong("language"), help: ArgumentHelp("The language of --text, such as ja.", valueName: "tag")) var language:
      String?
    @OptionGroup var fonts: FontOptions

    mutating func validate() throws {
      if [names, json, format != nil].count(where: \.self) > 1 {
        throw ValidationError("--names, --json and --format exclude each other.")
      }
      if let format { _ = try FaceFormat(format) }
      if duplicates, names || format != nil || family != nil || covers != nil || usedBy != nil || specimen != nil || match != nil {
        throw ValidationError("--duplicates can be combined only with --json and font folders.")
      }
      if let weight, !(1...1000).contains(weight) { throw ValidationError("--weight must be 1 to 1000.") }
      if let style, !["normal", "italic"].contains(style) { throw ValidationError("--style must be normal or italic.") }
      if let match {
        if match.utf8.allSatisfy(\.isHTMLSpace) { throw ValidationError("--match requires a list of families, as in font-family.") }
        if (text ?? "").isEmpty { throw ValidationError("--match requires --text.") }
        if names || format != nil || family != nil || covers != nil || usedBy != nil || specimen != nil {
          throw ValidationError("--match excludes --names, --format, --family, --covers, --used-by and --specimen.")
        }
      } else if text != nil || weight != nil || style != nil || language != nil {
        throw ValidationError("--text, --weight, --style and --language require --match.")
      }
    }

    mutating func run() throws {
      let library = try FontLibrary(fonts.configuration)
      for problem in library.problems {
        Output.error("offprint: fontUnreadable: A font file or folder is skipped: \(Sentence.fit(problem)).")
      }
      if let match, let text {
        return print(library.match(match, text: text, weight: Float(weight ?? 400), isItalic: style == "italic", language: language ?? ""))
      }
      if duplicates { return print(library.duplicates) }
      let used = try usedBy.map { try self.used(by: $0) }
      let faces = try selected(library, used)
      // Faces of the page's own @font-face rules.
      let others = (used ?? []).filter { own in !library.faces.contains { $0.postScriptName == own.postScriptName } }
      if let specimen { return try draw(faces, to: specimen) }
      if let format {
        let format = try FaceFormat(format)
        faces.forEach { Output.line(format.line($0)) }
      } else if json {
        let own = others.map {
          "{\"family\":\(JSONText.string($0.family)),\"postScriptName\":\(JSONText.string($0.postScriptName)),\"file\":null}"
        }
        Output.line("[\((faces.map(\.json) + own).joined(separator: ",\n"))]")
      } else if names {
        (faces.map(\.postScriptName) + others.map(\.postScriptName)).forEach { Output.line(Sentence.printable($0)) }
      } else {
        Table.print(
          [["FAMILY", "STYLE", "WEIGHT", "POSTSCRIPT NAME", "FILE"]]
            + faces.map { [$0.family, $0.style, $0.weightText, $0.postScriptName, $0.file] }
            + others.map { [$0.family, "", "", $0.postScriptName, "from the page"] })
      }
    }

    /// - Throws: `inputNotFound` if no face is selected.
    private func selected(_ library: FontLibrary, _ used: [FaceUsed]?) throws(OffprintError) -> [FontLibrary.Face] {
      var faces = covers.map { library.faces(covering: $0) } ?? library.faces
      if let family {
        let named = library.faces(named: family)
        faces = faces.filter(named.contains)
        if named.isEmpty {
          throw OffprintError(.inputNotFound, "There is no font family '\(family)'; 'offprint fonts' lists all families.")
        }
      }
      if let used {
        let names = Set(used.map(\.postScriptName))
        faces = faces.filter { names.contains($0.postScriptName) }
      }
      if faces.isEmpty, covers != nil, usedBy == nil {
        throw OffprintError(
          .inputNotFound,
          "No face has all these characters; --match shows the face of each part, 'offprint fonts add --list' the fonts that can be added.")
      }
      return faces
    }

    /// The faces used by a page's text, including those of its own `@font-face` rules.
    private func used(by page: String) throws(OffprintError) -> [FaceUsed] {
      var configuration = fonts.configuration
      configuration.workers = 1
      let renderer = try Renderer(configuration)
      defer { renderer.shutdown(isExiting: true) }
      let bytes = try Files.read(page, limit: Limits().inputBytes, field: "inputBytes")
      var request = RenderRequest(PageSource(page), bytes: bytes)
      request.cachePolicy = .none
      let result = try renderer.renderAndWait(request)
      Output.diagnostics(result.diagnostics, quiet: true)
      return result.faces
    }

    private func draw(_ faces: [FontLibrary.Face], to path: String) throws {
      try Output.checkImageTarget(path)
      var configuration = fonts.configuration
      configuration.workers = 1
      let renderer = try Renderer(configuration)
      defer { renderer.shutdown(isExiting: true) }
      var request = RenderRequest(html: Array(FontSpecimen.page(faces).utf8))
      request.cachePolicy = .none
      let result = try renderer.renderAndWait(request)
      try Files.write(result.image, to: path)
      if path != "-" { Output.error("\(path): \(result.width)×\(result.height), \(result.image.count) bytes, \(faces.count) faces") }
    }

    private func print(_ duplicates: [FontLibrary.Duplicate]) {
      if json {
        let lines = duplicates.map {
          """
          {"file":\(JSONText.string($0.file)),"of":\(JSONText.string($0.of)),"sameFile":\($0.isSameFile),\
          "postScriptName":\($0.postScriptName.map { JSONText.string($0) } ?? "null")}
          """
        }
        return Output.line("[\(lines.joined(separator: ",\n"))]")
      }
      for pair in duplicates {
        let what = pair.postScriptName.map { "has a different \(Sentence.fit($0)) than" } ?? "is the same as"
        Output.line(Sentence.printable("\(pair.file) \(what) \(pair.of), which is used"))
      }
    }

    private func print(_ parts: [TextMatch]) {
      if json { return Output.line("[\(parts.map(\.json).joined(separator: ",\n"))]") }
      for part in parts {
        let asked = part.asked.map { " (\(Sentence.printable($0)))" } ?? ""
        Output.line("\(Sentence.fit(part.text))\t\(Sentence.printable(part.postScriptName))\t\(part.reason.rawValue)\(asked)")
      }
    }
  }
}

/// Prints columns as wide as their contents.
enum Table {
  static func print(_ rows: [[String]]) {
    guard let columns = rows.map(\.count).max(), columns > 0 else { return }
    let rows = rows.map { $0.map(Sentence.printable) }
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    for row in rows {
      let cells = row.indices.map { index in
        index + 1 < row.count ? row[index] + String(repeating: " ", count: widths[index] - row[index].count) : row[index]
      }
      Output.line(cells.joined(separator: "  "))
    }
  }
}
