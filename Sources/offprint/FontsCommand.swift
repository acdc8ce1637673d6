import ArgumentParser
import Offprint

struct FontsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fonts", abstract: "Lists the faces that pages can use.",
    discussion: "Every name printed (family, full and PostScript name) works in font-family.")

  @Flag(name: .customLong("names"), help: "PostScript names alone, one a line.") var names = false
  @Flag(name: .customLong("json"), help: "All that is known of each face.") var json = false
  @Option(name: .customLong("family"), help: ArgumentHelp("Only this family.", valueName: "name")) var family: String?
  @OptionGroup var fonts: FontOptions

  mutating func validate() throws {
    if names && json { throw ValidationError("--names and --json exclude each other.") }
  }

  mutating func run() throws {
    let library = try FontLibrary(fonts.configuration)
    for problem in library.problems { Output.error("offprint: \(Sentence.fit(problem))") }
    let faces = library.faces.filter { face in family.map { $0.lowercased() == face.family.lowercased() } ?? true }
    if faces.isEmpty, let family { throw OffprintError(.inputNotFound, "There is no font family '\(family)'; 'offprint fonts' lists all.") }
    if json {
      Output.line("[\(faces.map(\.json).joined(separator: ",\n"))]")
    } else if names {
      faces.forEach { Output.line($0.postScriptName) }
    } else {
      table(faces)
    }
  }

  private func table(_ faces: [FontLibrary.Face]) {
    let rows =
      [["FAMILY", "STYLE", "WEIGHT", "POSTSCRIPT NAME", "FILE"]]
      + faces.map { [$0.family, $0.style, $0.weightText, $0.postScriptName, $0.file] }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = (0..<4).map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count) }
      Output.line((cells + [row[4]]).joined(separator: "  "))
    }
  }
}
