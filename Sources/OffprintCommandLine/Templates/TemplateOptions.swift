import OffprintCoreTypes
import ArgumentParser
import Glibc
import Offprint
import Synchronization

/// The folders of templates.
struct TemplateOptions: ParsableArguments {
  @Option(
    name: .customLong("templates"),
    help: ArgumentHelp(
      "A folder with templates NAME.mustache, in addition to the built-in ones; may be repeated (default: $OFFPRINT_TEMPLATES, separated by colons).",
      valueName: "dir"))
  var folders: [String] = []

  /// Templates this program has read, because the jobs of a list share few templates. Not used in a library, where renderers can have
  /// different folders.
  private static let kept = Mutex<(library: TemplateLibrary?, templates: [String: Template])>((nil, [:]))

  /// Makes files be read again.
  static func forget() { kept.withLock { $0 = (nil, [:]) } }

  /// - Throws: `inputNotFound` for a folder that does not exist.
  func library() throws(OffprintError) -> TemplateLibrary {
    if Program.role == .program, let library = Self.kept.withLock({ $0.library }) { return library }
    let library = try TemplateLibrary(folders: folders.isEmpty ? Self.usualFolders : folders)
    Self.kept.withLock { $0.library = library }
    return library
  }

  private static var usualFolders: [String] {
    getenv("OFFPRINT_TEMPLATES").map { String(cString: $0).split(byte: ":").map(String.init) } ?? []
  }

  /// A template by its name or, failing that, by its file.
  ///
  /// - Throws: `templateUnknown`, and errors of the template or its file.
  func template(_ name: String) throws(OffprintError) -> Template {
    if Program.role == .program, let template = Self.kept.withLock({ $0.templates[name] }) { return template }
    let template = try read(name)
    Self.kept.withLock { kept in if kept.templates.count < 1000 { kept.templates[name] = template } }
    return template
  }

  private func read(_ name: String) throws(OffprintError) -> Template {
    let library = try library()
    if library.contains(name) { return try library.template(name) }
    do {
      return try TemplateLibrary.template(at: name, name: name)
    } catch {
      guard error.code == .inputNotFound else { throw error }
      throw OffprintError(
        .templateUnknown, "There is no template '\(name)'. Specify a file or one of \(library.names.joined(separator: ", ")).")
    }
  }
}
