import OffprintCoreTypes

/// The template a page's HTML is inserted into before parsing: a Mustache file whose front matter declares its attributes.
///
/// It is parsed once, when it is created; errors in it are thrown by `checked()` and by everything that uses it.
public struct Template: Hashable, Sendable {
  /// The file's name without extension, or the name given by its creator.
  public let name: String
  /// The whole file.
  public let source: String
  /// Sources of the partials it may include, by name.
  public var partials: [String: String]
  private let definition: Result<TemplateDefinition, OffprintError>

  private init(name: String, source: String, partials: [String: String], _ definition: Result<TemplateDefinition, OffprintError>) {
    self.name = name; self.source = source; self.partials = partials; self.definition = definition
  }

  /// - Parameters:
  ///   - source: A Mustache template, optionally with front matter.
  ///   - name: For messages.
  ///   - partials: Sources by name.
  /// - Throws: `templateInvalid`, which names the line.
  public init(source: String, name: String, partials: [String: String] = [:]) throws(OffprintError) {
    self = try Template.mustache(source: source, name: name, partials: partials).checked()
  }

  /// Defers errors in the template to the render.
  public static func mustache(source: String, name: String, partials: [String: String] = [:]) -> Template {
    Template(
      name: name, source: source, partials: partials,
      Result { () throws(OffprintError) in try TemplateDefinition(Array(source.utf8), name: name) })
  }

  /// A built-in template by name. An unknown name makes the render throw `templateUnknown`.
  public static func builtIn(_ name: String) -> Template {
    if let source = BuiltInTemplates.source(name) { return .mustache(source: source, name: name) }
    return Template(
      name: name, source: "", partials: [:],
      .failure(
        OffprintError(
          .templateUnknown, "There is no built-in template '\(name)'; the templates are \(builtInNames.joined(separator: ", ")).")))
  }

  /// The names that `builtIn` takes, sorted.
  public static var builtInNames: [String] { BuiltInTemplates.names }

  /// - Throws: Errors in the template.
  public func checked() throws(OffprintError) -> Template {
    _ = try definition.get()
    return self
  }

  func defined() throws(OffprintError) -> TemplateDefinition { try definition.get() }

  /// Its purpose; may be empty.
  public var description: String { (try? definition.get())?.description ?? "" }
  /// Its attributes, in the order of the file. Empty if it declares none, in which case it accepts any.
  public var attributes: [TemplateAttribute] { (try? definition.get())?.attributes ?? [] }
  /// Whether its front matter declares attributes, so that others are rejected.
  public var declaresAttributes: Bool { (try? definition.get())?.declaresAttributes ?? false }
  /// Whether the request's HTML is used in it.
  public var takesBody: Bool { !declaresAttributes || attributes.contains { $0.name == "body" } }
  /// Whether it requires the request's HTML.
  public var needsBody: Bool { attributes.contains { $0.name == "body" && $0.isRequired } }

  public static func == (a: Template, b: Template) -> Bool { a.name == b.name && a.source == b.source && a.partials == b.partials }
  /// By name and source.
  public func hash(into hasher: inout Hasher) { hasher.combine(name); hasher.combine(source) }

  /// `{"name","description","attributes":[…]}`, with members in a fixed order.
  public var json: String {
    "{\"name\":\(JSONText.string(name)),\"description\":\(JSONText.string(description)),\"attributes\":[\(attributes.map(\.json).joined(separator: ","))]}"
  }

  /// Validates the values of a request without rendering.
  ///
  /// - Parameters:
  ///   - attributes: Values as text, as in query parameters; lists and objects as JSON.
  ///   - data: A JSON object. Undeclared members are no error, because other templates may use them.
  ///   - body: The request's HTML.
  /// - Throws: `templateAttributeUnknown`, `templateAttributeMissing`, `templateAttributeInvalid`, which name the attribute; `dataInvalid`.
  public func validate(attributes: [String: String] = [:], data: [UInt8]? = nil, body: [UInt8] = []) throws(OffprintError) {
    _ = try context(attributes: attributes, data: data, body: body)
  }
}

/// The contents of a template's front matter.
struct TemplateDefinition: Sendable {
  var description = ""
  var attributes: [TemplateAttribute] = []
  var declaresAttributes = false
  var page = TemplatePage()
  var bodyOffset = 0

  private static let keys = ["description", "attributes", "page"]

  init(_ source: [UInt8], name: String) throws(OffprintError) {
    do {
      let frontMatter = try FrontMatter(source)
      bodyOffset = frontMatter.bodyOffset
      if let root = frontMatter.root { try read(root) }
    } catch {
      throw OffprintError(
        .templateInvalid, "The front matter of the template '\(name)' is not valid: line \(error.line): \(error.problem).")
    }
  }

  private mutating func read(_ root: FrontMatter.Node) throws(FrontMatter.Invalid) {
    guard case .mapping(let members) = root.value else {
      throw FrontMatter.Invalid(line: root.line, problem: "it must consist of 'name: value' lines")
    }
    for member in members {
      switch member.key {
      case "description": description = member.value.text?.trimmingSpaces ?? ""
      case "attributes":
        attributes = try AttributeDeclaration.attributes(member.value)
        declaresAttributes = true
      case "page": page = try TemplatePage(member.value)
      default:
        throw FrontMatter.Invalid(
          line: member.line, problem: "unknown key '\(member.key)'; the keys are \(Self.keys.joined(separator: ", "))")
      }
    }
    for (name, line) in page.references where !attributes.contains(where: { $0.name == name }) {
      throw FrontMatter.Invalid(line: line, problem: "'page' refers to '$\(name)', which is not declared")
    }
  }
}
