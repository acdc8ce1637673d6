import OffprintCoreTypes
import Offprint

/// The templates that requests may name, all read at startup: requests read no files, and unreadable templates are reported early.
struct TemplateRegistry: Sendable {
  private let templates: [ByteString: Template]

  /// - Throws: An error for a folder or template that cannot be read.
  init(folders: [String]) throws(OffprintError) {
    let library = try TemplateLibrary(folders: folders)
    var templates: [ByteString: Template] = [:]
    for name in library.names { templates[name] = try library.template(name) }
    self.templates = templates
  }

  var names: [String] { templates.keys.sorted().map(\.text) }

  /// - Throws: `templateUnknown`.
  func template(_ name: String) throws(OffprintError) -> Template {
    guard let template = templates[name] else {
      throw OffprintError(
        .templateUnknown, "There is no template '\(name.prefix(100))'; the templates are \(names.joined(separator: ", ")).")
    }
    return template
  }

  var json: String { "[\(names.compactMap { templates[$0]?.json }.joined(separator: ","))]" }
}
