import OffprintCoreTypes

/// What the page's HTML is put into before it is parsed: one Mustache file, whose front matter declares what it takes.
///
/// Parsing is done once, when it is made; what is wrong with it is thrown by `checked()` and by whatever uses it.
public struct Template: Hashable, Sendable {
  /// The file's name without extension, or what its maker called it.
  public let name: String
  /// The whole file.
  public let source: String
  /// Sources of the templates that it may include, by name.
  public var partials: [String: String]
  private let definition: Result<TemplateDefinition, OffprintError>

  private init(name: String, source: String, partials: [String: String], _ definition: Result<TemplateDefinition, OffprintError>) {
    self.name = name; self.source = source; self.partials = partials; self.definition = definition
  }

  /// - Parameters:
  ///   - source: Mustache, with its attributes in front.
  ///   - name: for messages.
  ///   - partials: sources by name.
  /// - Throws: `templateInvalid`, which names the line.
  public init(source: String, name: String, partials: [String: String] = [:]) throws(OffprintError) {
    self = try Template.mustache(source: source, name: name, partials: partials).checked()
  }

  /// The same where what is wrong is to be thrown by the render.
  public static func mustache(source: String, name: String, partials: [String: String] = [:]) -> Template {
    Template(
      name: name, source: source, partials: partials,
      Result { () throws(OffprintError) in try TemplateDefinition(Array(source.utf8), name: name) })
  }

  /// A template of ours, by name; a name that there is not is thrown by the render, as `templateUnknown`.
  public static func builtIn(_ name: String) -> Template {
    if let source = BuiltInTemplates.source(name) { return .mustache(source: source, name: name) }
    return Template(
      name: name, source: "", partials: [:],
      .failure(
        OffprintError(.templateUnknown, "There is no built-in template '\(name)'; there is \(builtInNames.joined(separator: ", ")).")))
  }

  /// The names that `builtIn` takes, sorted.
  public static var builtInNames: [String] { BuiltInTemplates.names }

  /// - Throws: what is wrong with the template.
  public func checked() throws(OffprintError) -> Template {
    _ = try definition.get()
    return self
  }

  func defined() throws(OffprintError) -> TemplateDefinition { try definition.get() }

  /// What it is for; may be empty.
  public var description: String { (try? definition.get())?.description ?? "" }
  /// What it can be given, in the order of the file. Empty where it declares nothing: it then takes anything.
  public var attributes: [TemplateAttribute] { (try? definition.get())?.attributes ?? [] }
  /// Whether it has front matter that declares attributes: others are refused then.
  public var declaresAttributes: Bool { (try? definition.get())?.declaresAttributes ?? false }
  /// Whether the request's HTML has a place in it.
  public var takesBody: Bool { !declaresAttributes || attributes.contains { $0.name == "body" } }
  /// Whether it cannot do without the request's HTML.
  public var needsBody: Bool { attributes.contains { $0.name == "body" && $0.isRequired } }

  public static func == (a: Template, b: Template) -> Bool { a.name == b.name && a.source == b.source && a.partials == b.partials }
  /// By name and source.
  public func hash(into hasher: inout Hasher) { hasher.combine(name); hasher.combine(source) }

  /// `{"name","description","attributes":[…]}`, members in a fixed order.
  public var json: String {
    "{\"name\":\(JSONText.string(name)),\"description\":\(JSONText.string(description)),\"attributes\":[\(attributes.map(\.json).joined(separator: ","))]}"
  }

  /// Checks what a request would give, without drawing.
  ///
  /// - Parameters:
  ///   - attributes: values as texts, as query parameters have them; lists and objects as JSON.
  ///   - data: a JSON object. What in it is not declared is no error; other templates may want it.
  ///   - body: the request's HTML.
  /// - Throws: `templateAttributeUnknown`, `templateAttributeMissing`, `templateAttributeInvalid`, which name the attribute; `dataInvalid`.
  public func validate(attributes: [String: String] = [:], data: [UInt8]? = nil, body: [UInt8] = []) throws(OffprintError) {
    _ = try context(attributes: attributes, data: data, body: body)
  }
}

/// What a template's file says.
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
      throw FrontMatter.Invalid(line: root.line, problem: "it is made of 'name: value' lines")
    }
    for member in members {
      switch member.key {
      case "description": description = member.value.text?.trimmingSpaces ?? ""
      case "attributes":
        attributes = try AttributeDeclaration.attributes(member.value)
        declaresAttributes = true
      case "page": page = try TemplatePage(member.value)
      default:
        throw FrontMatter.Invalid(line: member.line, problem: "there is no '\(member.key)'; there is \(Self.keys.joined(separator: ", "))")
      }
    }
    for (name, line) in page.references where !attributes.contains(where: { $0.name == name }) {
      throw FrontMatter.Invalid(line: line, problem: "'page' refers to '$\(name)', which is not declared")
    }
  }
}
