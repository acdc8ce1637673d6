import Offprint

/// What is to be drawn, and what to remember of it.
struct PictureOrder: Sendable {
  var request: RenderRequest
  var tags: [String] = []
  /// It changes more of the cache than that an image is kept: names, tags, or an image that is rendered anew.
  var writes: Bool { request.identifier != nil || !tags.isEmpty || request.cachePolicy != .standard }
}

/// A job as it is read: first what the page is made of, then how it is drawn.
struct JobDraft: Sendable {
  var request = RenderRequest(html: [])
  var html: [UInt8]?
  var template: String?
  var tags: [String] = []
  /// The fields that were set, by their first names.
  private var known: Set<String> = []
  /// How many values those have that are lists.
  private var itemCounts: [String: Int] = [:]

  init(limits: Limits) { request.limits = limits }

  /// What must be known before the template can say how large its picture is.
  static let content: Set = ["template", "html", "tree", "set", "data"]

  /// - Throws: `dataInvalid`, `resourceRefused`, `parameterRepeated`.
  mutating func set(_ name: String, _ value: JSONValue) throws {
    if name == "tree" {
      guard html == nil else { throw OffprintError(.dataInvalid, "\"html\" and \"tree\" exclude each other.") }
      html = try NodeTree.html(value)
      return
    }
    guard let field = JobField.byName[name] else {
      if JobField.refused.contains(name) {
        throw OffprintError(.resourceRefused, "\"\(name)\" names files of the machine that draws; the service takes none.")
      }
      throw OffprintError(.dataInvalid, "There is no field \"\(name.prefix(100))\".")
    }
    if !known.insert(field.names[0]).inserted, !field.isList { throw ServiceError.repeated(name) }
    if field.isList { try count(value, of: field, name) }
    guard field.set(&self, value) else { throw OffprintError(.dataInvalid, "\"\(name)\" must be \(field.expected).") }
  }

  /// A list may come in several parameters.
  private mutating func count(_ value: JSONValue, of field: JobField, _ name: String) throws(OffprintError) {
    itemCounts[field.names[0], default: 0] += value.texts?.count ?? 1
    if itemCounts[field.names[0], default: 0] > JobField.mostItems {
      throw OffprintError(.dataInvalid, "\"\(name)\" has more than \(JobField.mostItems) items.")
    }
  }

  /// An attribute of the template, from an address.
  ///
  /// - Throws: `parameterRepeated`.
  mutating func setAttribute(_ name: some StringProtocol, _ value: String) throws(ServiceError) {
    guard request.attributes.updateValue(value, forKey: String(name)) == nil else { throw ServiceError.repeated(String(name)) }
  }

  /// Ends the content: the template's own page comes before what the request says of it.
  mutating func takeContent(_ shelf: TemplateShelf) throws(OffprintError) {
    request.html = html ?? []
    if let template {
      request.template = try shelf.template(template)
      try request.takeTemplatePage()
    } else {
      guard html != nil else { throw OffprintError(.dataInvalid, "A job needs \"html\", \"tree\" or \"template\".") }
      if !request.attributes.isEmpty || request.data != nil {
        throw OffprintError(.dataInvalid, "\"set\" and \"data\" are for a \"template\".")
      }
    }
  }

  /// - Throws: `dataInvalid` for fields that exclude each other, `limitExceeded` for what is over the service's bounds.
  func order(_ settings: ServiceSettings) throws(OffprintError) -> PictureOrder {
    var request = request
    if request.selector != nil && request.clip != nil {
      throw OffprintError(.dataInvalid, "\"selector\" and \"clip\" exclude each other.")
    }
    request.sourceName = template.map { "template \($0)" } ?? "request"
    request.allowedFolders = settings.allowedFolders
    // Relative references lead to the folder that the operator opened, and nowhere else.
    request.basePath = settings.allowedFolders.first.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    try Self.check(request, settings)
    return PictureOrder(request: request, tags: tags)
  }

  private static func check(_ request: RenderRequest, _ settings: ServiceSettings) throws(OffprintError) {
    for (name, length) in [("width", request.width), ("height", request.height)] {
      if case .px(let px) = length, px > settings.maxSide {
        throw OffprintError(
          .limitExceeded, "The \(name) is over the limit 'max-side' (\(JSONText.number(settings.maxSide)) px) of the service.")
      }
    }
    if request.scale > settings.maxScale {
      throw OffprintError(.limitExceeded, "The scale is over the limit 'max-scale' (\(JSONText.number(settings.maxScale))) of the service.")
    }
    if case .px(let width) = request.width, case .px(let height) = request.height,
      width * height * request.scale * request.scale > Double(settings.maxPixels)
    {
      throw OffprintError(.limitExceeded, "The picture is over the limit 'max-pixels' (\(settings.maxPixels)) of the service.")
    }
  }
}

extension PictureOrder {
  /// A job as JSON.
  ///
  /// - Throws: `dataInvalid`, and what its fields throw.
  init(job: [String: JSONValue], _ settings: ServiceSettings, _ shelf: TemplateShelf) throws {
    if settings.isPresetsOnly { try Self.checkPreset(job.keys) }
    var draft = JobDraft(limits: settings.limits)
    let names = job.keys.sorted()
    for name in names where JobDraft.content.contains(name) { try draft.set(name, job[name] ?? .null) }
    try draft.takeContent(shelf)
    for name in names where !JobDraft.content.contains(name) { try draft.set(name, job[name] ?? .null) }
    self = try draft.order(settings)
  }

  /// A template with the parameters of an address: what the template has an attribute for is its, the rest are fields of a job. `set.NAME`
  /// is an attribute in any case.
  init(template name: String, _ query: QueryItems, _ settings: ServiceSettings, _ shelf: TemplateShelf) throws {
    let template = try shelf.template(name)
    let declared = Set(template.attributes.map(\.name))
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
    if settings.isPresetsOnly { try Self.checkPreset(fields.map(\.name)) }
    try draft.takeContent(shelf)
    for item in fields.inFieldOrder { try draft.set(item.name, .string(item.value)) }
    self = try draft.order(settings)
  }

  /// Parameters that are no job's.
  private static let ownParameters = AddressSigner.ownNames.union(["report", "image"])
  private static let presetFields: Set = ["id", "template", "set", "data", "identifier", "tag", "tags"]

  private static func checkPreset(_ names: some Sequence<String>) throws(OffprintError) {
    if let name = names.filter({ !presetFields.contains($0) }).min() {
      throw OffprintError(.resourceRefused, "The service draws its own templates only: \"\(name.prefix(100))\" may not be said.")
    }
  }

  /// A page.
  init(html: [UInt8], _ query: QueryItems, _ settings: ServiceSettings, _ shelf: TemplateShelf) throws {
    if settings.isPresetsOnly { try Self.checkPreset(["html"]) }
    var draft = JobDraft(limits: settings.limits)
    draft.html = html
    let items = query.items.filter { !Self.ownParameters.contains($0.name) }
    for item in items {
      // The body is the page.
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
  /// By name, as the members of a job: what an address means does not depend on the order of different parameters, which its signature does not
  /// cover. Those of one name keep their order.
  fileprivate var inFieldOrder: [QueryItems.Item] {
    let places = enumerated().sorted { a, b in
      a.element.name == b.element.name ? a.offset < b.offset : a.element.name < b.element.name
    }
    return places.map(\.element)
  }
}
