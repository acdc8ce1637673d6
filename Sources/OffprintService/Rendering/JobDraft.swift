import Offprint
import OffprintConfiguration

/// A render request and the tags to store with its result.
struct ImageOrder: Sendable {
  var request: RenderRequest
  var tags: [String] = []
  /// The URL of the page, which is loaded before it is rendered.
  var pageURL: String?
  /// The `id` of the job, for its webhook.
  var id: String?
  /// The URL that is called when the image is ready.
  var webhook: String?
  /// Whether the request names the format of the image, so that `Accept` does not.
  var namesFormat = false
  /// Whether it changes the cache beyond storing an image: identifiers, tags, or a forced render.
  var writes: Bool { request.identifier != nil || !tags.isEmpty || request.cachePolicy != .standard }
}

/// A job while it is parsed: first the page's content, then the options.
struct JobDraft: Sendable {
  var request = RenderRequest(html: [])
  var html: [UInt8]?
  var template: String?
  var url: String?
  var id: String?
  var webhook: String?
  /// The base of relative references, for pages that were uploaded with their files.
  var basePath: String?
  var tags: [String] = []
  /// The fields that were set, by their canonical names.
  private var known: Set<String> = []
  /// The number of values of each list field.
  private var itemCounts: [String: Int] = [:]

  init(limits: Limits) { request.limits = limits }

  /// The fields that must be known before the template can provide the size of its image.
  static let content: Set = ["template", "html", "tree", "url", "set", "data"]

  /// Reports all unknown fields of a request at once, and whether it also lacks a page.
  ///
  /// - Throws: `dataInvalid`.
  static func check(_ names: [String], hasPage: Bool) throws(OffprintError) {
    try check(names, .field, known: [], remark: hasPage ? "" : lacksPage)
  }

  /// Reports unknown parameters of a template's URL before missing attributes, because a misspelled attribute causes both.
  ///
  /// - Parameter attributes: The names of attributes that the URL sets.
  /// - Throws: `dataInvalid`.
  static func check(_ names: [String], for template: Template, attributes: some Collection<String>) throws(OffprintError) {
    let attributeNames = template.attributes.map(\.name)
    let missing = template.attributes.filter {
      $0.isRequired && $0.defaultJSON == nil && $0.name != "body" && !attributes.contains($0.name)
    }
    let required = missing.isEmpty ? "" : "The template '\(template.name)' requires \(quoted(missing.map(\.name)))."
    let all = attributeNames.isEmpty ? "" : "The attributes of '\(template.name)' are \(attributeNames.joined(separator: ", "))."
    try check(names, .attribute, known: attributeNames, remark: required, list: all)
  }

  private static func quoted(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

  private enum Kind: String {
    case field
    case attribute = "attribute or option"
    var plural: String { self == .field ? "fields" : "attributes or options" }
  }

  /// - Parameters:
  ///   - kind: What the names are.
  ///   - attributes: Names that are known besides the fields of jobs.
  ///   - remark: A sentence that names missing members, or an empty string.
  ///   - list: A sentence that lists known names, for unknown ones without a similar known name.
  private static func check(
    _ names: [String], _ kind: Kind, known attributes: [String], remark: String, list all: String = ""
  ) throws(OffprintError) {
    let odd = names.filter { JobField.byName[$0] == nil && !JobField.refused.contains($0) }
    guard !odd.isEmpty else { return }
    let known = attributes + JobField.table.flatMap(\.names)
    let hints = odd.prefix(maximumNamed).map { NearestName.of($0, in: known) }
    let sentences = [unknown(odd, kind, hints), hints.contains(nil) ? all : "", remark].filter { !$0.isEmpty }
    throw OffprintError(.dataInvalid, sentences.joined(separator: " "))
  }

  /// - Parameter hints: For each of the first names, a similar known name.
  private static func unknown(_ names: [String], _ kind: Kind, _ hints: [String?]) -> String {
    if names.count == 1, let name = names.first {
      return "There is no \(kind.rawValue) \"\(name.prefix(100))\"" + ((hints.first ?? nil).map { "; did you mean \"\($0)\"?" } ?? ".")
    }
    var items = zip(names, hints).map { name, hint in
      "\"\(name.prefix(100))\"" + (hint.map { " (did you mean \"\($0)\"?)" } ?? "")
    }
    let last = names.count > hints.count ? "\(names.count - hints.count) more" : items.removeLast()
    return "There are no \(kind.plural) \(items.joined(separator: ", ")) and \(last)."
  }

  private static let maximumNamed = 5
  private static let lacksPage = "A job requires \"html\", \"tree\", \"url\" or \"template\"."

  /// - Throws: `dataInvalid`, `resourceRefused`, `parameterRepeated`.
  mutating func set(_ name: String, _ value: JSONValue) throws {
    if name == "tree" {
      guard html == nil else { throw OffprintError(.dataInvalid, "\"html\" and \"tree\" exclude each other.") }
      html = try NodeTree.html(value)
      return
    }
    guard let field = JobField.byName[name] else {
      if JobField.refused.contains(name) {
        throw OffprintError(.resourceRefused, "\"\(name)\" names files on the server, which the service does not accept.")
      }
      try Self.check([name], hasPage: true)
      throw OffprintError(.dataInvalid, "There is no field \"\(name.prefix(100))\".")
    }
    if !known.insert(field.names[0]).inserted, !field.isList { throw ServiceError.repeated(name) }
    if field.isList { try count(value, of: field, name) }
    guard field.set(&self, value) else { throw OffprintError(.dataInvalid, "\"\(name)\" must be \(field.expected).") }
  }

  /// A list can be given by several parameters.
  private mutating func count(_ value: JSONValue, of field: JobField, _ name: String) throws(OffprintError) {
    itemCounts[field.names[0], default: 0] += value.texts?.count ?? 1
    if itemCounts[field.names[0], default: 0] > JobField.maximumItems {
      throw OffprintError(.dataInvalid, "\"\(name)\" has more than \(JobField.maximumItems) items.")
    }
  }

  /// Sets an attribute of the template, from a URL.
  ///
  /// - Throws: `parameterRepeated`.
  mutating func setAttribute(_ name: some StringProtocol, _ value: String) throws(ServiceError) {
    guard request.attributes.updateValue(value, forKey: String(name)) == nil else { throw ServiceError.repeated(String(name)) }
  }

  /// Ends the content fields. The template's defaults are applied before the request's options.
  mutating func takeContent(_ shelf: TemplateRegistry) throws(OffprintError) {
    request.html = html ?? []
    if let url {
      guard html == nil, template == nil else {
        throw OffprintError(.dataInvalid, "\"url\" excludes \"html\", \"tree\" and \"template\".")
      }
      guard RendererConfiguration.isAddress(url) else { throw OffprintError(.dataInvalid, "\"url\" must begin with http:// or https://.") }
    }
    if let template {
      request.template = try shelf.template(template)
      try request.takeTemplatePage()
    } else {
      guard html != nil || url != nil else { throw OffprintError(.dataInvalid, Self.lacksPage) }
      if !request.attributes.isEmpty || request.data != nil {
        throw OffprintError(.dataInvalid, "\"set\" and \"data\" require a \"template\".")
      }
    }
  }

  /// - Parameter lacksAttributes: Whether required attributes of the template may be missing.
  mutating func takeContent(_ shelf: TemplateRegistry, lacksAttributes: Bool) throws(OffprintError) {
    do {
      try takeContent(shelf)
    } catch {
      guard lacksAttributes, error.code == .templateAttributeMissing else { throw error }
    }
  }

  /// - Throws: `dataInvalid` for mutually exclusive fields, `limitExceeded` for values above the service's limits.
  func order(_ settings: ServiceSettings) throws(OffprintError) -> ImageOrder {
    var request = request
    if request.selector != nil && request.clip != nil {
      throw OffprintError(.dataInvalid, "\"selector\" and \"clip\" exclude each other.")
    }
    request.sourceName = template.map { "template \($0)" } ?? "request"
    request.allowedFolders = settings.allowedFolders
    // Relative references resolve to the folder the operator allowed, and nowhere else.
    request.basePath = basePath ?? settings.allowedFolders.first.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    if let basePath { request.allowedHosts = settings.allowedHosts + [Uploads.host(basePath)] }
    try Self.check(request, settings)
    request.fatalDiagnostics.formUnion(settings.fatalDiagnostics)
    return ImageOrder(
      request: request, tags: tags, pageURL: url, id: id, webhook: webhook, namesFormat: known.contains("format"))
  }

  private static func check(_ request: RenderRequest, _ settings: ServiceSettings) throws(OffprintError) {
    for (name, length) in [("width", request.width), ("height", request.height)] {
      if case .px(let px) = length, px > settings.maxSide {
        throw OffprintError(
          .limitExceeded, "The \(name) exceeds the limit 'max-side' (\(JSONText.number(settings.maxSide)) px) of the service.")
      }
    }
    if request.scale > settings.maxScale {
      throw OffprintError(.limitExceeded, "The scale exceeds the limit 'max-scale' (\(JSONText.number(settings.maxScale))) of the service.")
    }
    if case .px(let width) = request.width, case .px(let height) = request.height,
      width * height * request.scale * request.scale > Double(settings.maxPixels)
    {
      throw OffprintError(.limitExceeded, "The image exceeds the limit 'max-pixels' (\(settings.maxPixels)) of the service.")
    }
  }
}

extension ImageOrder {
  /// Parses a job in JSON.
  ///
  /// - Throws: `dataInvalid`, and the errors of its fields.
  init(job: [String: JSONValue], _ settings: ServiceSettings, _ shelf: TemplateRegistry, basePath: String? = nil) throws {
    if settings.isPresetsOnly { try Self.checkPreset(job.keys, settings) }
    let names = job.keys.sorted()
    try JobDraft.check(names, hasPage: ["html", "tree", "url", "template"].contains { job[$0] != nil })
    var draft = JobDraft(limits: settings.limits)
    draft.basePath = basePath
    for name in names where JobDraft.content.contains(name) { try draft.set(name, job[name] ?? .null) }
    try draft.takeContent(shelf)
    for name in names where !JobDraft.content.contains(name) { try draft.set(name, job[name] ?? .null) }
    self = try draft.order(settings)
  }

  /// A template with the parameters of a URL. Parameters named like an attribute of the template set that attribute; the others are fields
  /// of a job. `set.NAME` is always an attribute.
  init(template name: String, _ query: QueryItems, _ settings: ServiceSettings, _ shelf: TemplateRegistry) throws {
    let template = try shelf.template(name)
    let declared = Set(template.attributes.map(\.name))
    try Self.checkResponseParameters(query)
    var draft = JobDraft(limits: settings.limits)
    draft.template = name
    var fields: [QueryItems.Item] = []
    for item in query.items where !Self.ownParameters.contains(item.name) {
      if item.name.hasPrefix("set.") {
        try draft.setAttribute(item.name.dropFirst(4), item.value)
      } else if template.declaresAttributes ? declared.contains(item.name) : JobField.byName[item.name] == nil {
        try draft.setAttribute(item.name, item.value)
      } else if item.name == "html" && !settings.isPresetsOnly {
        draft.html = Array(item.value.utf8)
      } else {
        fields.append(item)
      }
    }
    if settings.isPresetsOnly { try Self.checkPreset(fields.map(\.name), settings) }
    try JobDraft.check(fields.map(\.name), for: template, attributes: draft.request.attributes.keys)
    try draft.takeContent(shelf)
    for item in fields.inFieldOrder { try draft.set(item.name, .string(item.value)) }
    self = try draft.order(settings)
  }

  /// Parameters that are not fields of a job.
  static let ownParameters = AddressSigner.ownNames.union(responseParameters.map(\.name))
  /// Parameters that select the response, with their values.
  private static let responseParameters: [(name: String, values: [String])] = [
    ("report", ["json"]), ("image", ["base64"]), ("return", ["image", "url"]),
  ]

  /// - Throws: `dataInvalid` for a value that is not documented: it is probably meant for the attribute of this name.
  static func checkResponseParameters(_ query: QueryItems) throws(OffprintError) {
    for (name, values) in responseParameters {
      guard let value = query[name], !values.contains(value) else { continue }
      throw OffprintError(
        .dataInvalid,
        "\"\(name)\" selects the response and must be \(values.map { "\"\($0)\"" }.joined(separator: " or ")); "
          + "to set the attribute '\(name)' of a template, write set.\(name)=VALUE.")
    }
  }

  static let presetFields: Set = ["id", "template", "set", "data", "identifier", "tag", "tags", "webhook"]

  private static func checkPreset(_ names: some Sequence<String>, _ settings: ServiceSettings) throws(OffprintError) {
    guard settings.presets.isEmpty else {
      throw OffprintError(.resourceRefused, "The service renders only its presets: request /p/{preset}/{signature}/{attributes}.")
    }
    if let name = names.filter({ !presetFields.contains($0) }).min() {
      throw OffprintError(.resourceRefused, "The service renders only its own templates: \"\(name.prefix(100))\" is not allowed.")
    }
  }

  /// A page in HTML.
  init(html: [UInt8], _ query: QueryItems, _ settings: ServiceSettings, _ shelf: TemplateRegistry) throws {
    if settings.isPresetsOnly { try Self.checkPreset(["html"], settings) }
    try Self.checkResponseParameters(query)
    var draft = JobDraft(limits: settings.limits)
    draft.html = html
    let items = query.items.filter { !Self.ownParameters.contains($0.name) }
    try JobDraft.check(items.map(\.name).filter { !$0.hasPrefix("set.") }, hasPage: true)
    for item in items {
      // The page is the request's body, so `html` in the query must be equal to it.
      if item.name == "html", !item.value.utf8.elementsEqual(html) { throw ServiceError.repeated("html") }
      if item.name.hasPrefix("set.") { try draft.setAttribute(item.name.dropFirst(4), item.value) }
      if JobDraft.content.contains(item.name) { try draft.set(item.name, .string(item.value)) }
    }
    try draft.takeContent(shelf)
    for item in items.inFieldOrder where !item.name.hasPrefix("set.") && !JobDraft.content.contains(item.name) {
      try draft.set(item.name, .string(item.value))
    }
    self = try draft.order(settings)
  }
}

extension [QueryItems.Item] {
  /// Sorted by name, like the members of a JSON job, because the order of parameters with different names is not covered by the signature
  /// and must not matter. Parameters with the same name keep their order.
  fileprivate var inFieldOrder: [QueryItems.Item] {
    let places = enumerated().sorted { a, b in
      a.element.name == b.element.name ? a.offset < b.offset : a.element.name < b.element.name
    }
    return places.map(\.element)
  }
}
