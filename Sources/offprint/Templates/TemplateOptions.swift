import ArgumentParser
import Glibc
import Offprint

/// Where templates are looked for.
struct TemplateOptions: ParsableArguments {
  @Option(
    name: .customLong("templates"),
    help: ArgumentHelp(
      "A folder of templates, NAME.mustache each, besides the built-in ones; may be repeated (default: $OFFPRINT_TEMPLATES, colons between).",
      valueName: "dir"))
  var folders: [String] = []

  /// - Throws: `inputNotFound` for a folder that is not there.
  func library() throws(OffprintError) -> TemplateLibrary {
    if !folders.isEmpty { return try TemplateLibrary(folders: folders) }
    guard let list = getenv("OFFPRINT_TEMPLATES") else { return .builtIn }
    return try TemplateLibrary(folders: String(cString: list).split(separator: ":").map(String.init))
  }

  /// A template by name, or by its file: what has a slash or a point is a file, and so is a name that no template has.
  ///
  /// - Throws: `templateUnknown`, and what is wrong with the template or its file.
  func template(_ name: String) throws(OffprintError) -> Template {
    let library = try library()
    if library.contains(name) { return try library.template(name) }
    do {
      return try TemplateLibrary.template(at: name, name: name)
    } catch {
      guard error.code == .inputNotFound else { throw error }
      throw OffprintError(
        .templateUnknown, "There is no template '\(name)': it is neither a file nor one of \(library.names.joined(separator: ", ")).")
    }
  }

  /// Whether a name means a file, whose folder its pages may load from.
  func isFile(_ name: String) throws(OffprintError) -> Bool { try !library().contains(name) }
}
