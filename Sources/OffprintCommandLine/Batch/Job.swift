import ArgumentParser
import OffprintCoreTypes
import Offprint

/// What a job starts from: the options of the command that it is in.
struct JobDefaults: Sendable {
  let page: PageOptions
  /// Those of `page`: options are asked by name, which a million rows need not do.
  let limits: Limits
  /// `--no-cache` and `--refresh`.
  var policy: CachePolicy
  var lineLimit: Int
  var rules: RowRules
  /// What hosts are allowed.
  let network: RendererConfiguration

  init(page: PageOptions, policy: CachePolicy, lineLimit: Int, rules: RowRules = RowRules(), network: RendererConfiguration) {
    (self.page, limits, self.policy, self.lineLimit, self.rules) = (page, page.allLimits, policy, lineLimit, rules)
    self.network = network
  }
}

/// A job: what to draw.
struct Job {
  var id: String
  var request: RenderRequest
  /// What is odd about its page.
  var notes: [Diagnostic]

  /// - Parameter output: where its picture goes, which may say of what format it is.
  /// - Throws: `dataInvalid` for a row that is no job, and what reading its files throws.
  init(_ head: JobHead, _ line: JobLine, _ defaults: JobDefaults, output: String? = nil) throws(OffprintError) {
    try self.init(
      try Self.fields(head, line, defaults), id: head.id, isTable: line.source.format.hasHeader, place: line.place, defaults, output: output
    )
  }

  /// - Parameters:
  ///   - isTable: texts stand for other values.
  ///   - place: for messages.
  ///   - html: the page, where it is not among the fields.
  init(
    _ fields: [String: JSONValue], id: String, isTable: Bool, place: String, _ defaults: JobDefaults, output: String? = nil,
    html: [UInt8]? = nil
  ) throws(OffprintError) {
    self.id = id
    if defaults.rules.isData {
      (request, notes) = (try Self.templated(fields, defaults, id, output), [])
      return
    }
    try JobHead.checkFile(fields["input"], "input", place)
    if let html = fields["html"], html.string == nil { throw JobHead.invalid("html", "a string", place) }
    var settings = JobSettings(defaults)
    for name in fields.keys.sorted() { settings.page.dropRivals(of: name) { fields[$0] != nil } }
    let hasTemplate = settings.page.template != nil || fields["template"] != nil
    var data: [String: JSONValue] = [:]
    for name in fields.keys.sorted() where !JobHead.ownNames.contains(name) {
      let value = fields[name] ?? .null
      if isTable && JobOption.byName[name] == nil && hasTemplate {
        data[name] = value
      } else if JobOption.byName[name] != nil || defaults.rules.pattern?.fields.contains(name) != true {
        try settings.set(name, isTable ? JobOption.cell(name, value, at: place) : value, at: place)
      }
    }
    try settings.check(place)
    if let output { try settings.page.encoding.settle(output: output) }
    (request, notes) = try Self.page(fields, settings.page, defaults, id, place, html)
    try settings.apply(to: &request)
    try Self.add(data, to: &request, place)
  }

  private static func fields(_ head: JobHead, _ line: JobLine, _ defaults: JobDefaults) throws(OffprintError) -> [String: JSONValue] {
    if line.isTooLong {
      throw OffprintError(
        .limitExceeded, "\(line.place) is longer than \(defaults.lineLimit) bytes; make it shorter or raise --max-line-bytes.")
    }
    guard let fields = head.fields else { throw OffprintError(.dataInvalid, "\(line.place) \(head.problem ?? "is no job").") }
    try head.check(line, defaults.rules)
    return fields
  }

  private static func page(
    _ fields: [String: JSONValue], _ page: PageOptions, _ defaults: JobDefaults, _ id: String, _ place: String, _ html: [UInt8]?
  ) throws(OffprintError) -> (RenderRequest, [Diagnostic]) {
    if html != nil, fields["html"] != nil { throw OffprintError(.dataInvalid, "\(place) has \"html\", and a page is given beside it.") }
    if let tree = fields["tree"] {
      guard html == nil, fields["html"] == nil, fields["input"] == nil else {
        throw OffprintError(.dataInvalid, "\(place) has a \"tree\" and another page; a job has one page.")
      }
      return (RenderRequest(.text(name: id), bytes: try NodeTree.html(tree)), [])
    }
    switch (fields["input"]?.string, html ?? fields["html"]?.string.map { Array($0.utf8) }) {
    case (_?, _?): throw OffprintError(.dataInvalid, "\(place) has both \"input\" and \"html\"; a job has one page.")
    case (let input?, nil): return try read(input, page, defaults, place)
    case (nil, let bytes?):
      return (RenderRequest(.text(name: id), bytes: bytes), try PageInput.check(bytes, name: "The page", isBody: page.template != nil))
    case (nil, nil):
      guard let template = page.template else {
        throw OffprintError(.dataInvalid, "\(place) has neither \"input\", \"html\", \"tree\" nor \"template\".")
      }
      return (try bodiless(template, id, page.templates), [])
    }
  }

  /// A file, or an address where a host is allowed and no folder has the site's files.
  private static func read(
    _ input: String, _ page: PageOptions, _ defaults: JobDefaults, _ place: String
  ) throws(OffprintError) -> (RenderRequest, [Diagnostic]) {
    let isDownloaded = defaults.rules.root == nil && defaults.network.hasNetwork && RendererConfiguration.isAddress(input)
    return try RenderRequest.reading(
      isDownloaded ? input : try PageLocation.file(input, root: defaults.rules.root, place), page, defaults.network)
  }

  /// A template that does without a page.
  private static func bodiless(_ template: String, _ id: String, _ templates: TemplateOptions) throws(OffprintError) -> RenderRequest {
    let source: PageSource = try templates.path(of: template).map { .file($0) } ?? .text(name: id)
    var request = RenderRequest(source, bytes: [])
    request.sourceName = id
    return request
  }

  /// A row of `--template T --data ROWS`: its texts are attributes where the template declares them, the rest is data.
  private static func templated(
    _ fields: [String: JSONValue], _ defaults: JobDefaults, _ id: String, _ output: String?
  ) throws(OffprintError) -> RenderRequest {
    let name = defaults.page.template ?? ""
    var settings = JobSettings(defaults)
    if let output { try settings.page.encoding.settle(output: output) }
    var request = try bodiless(name, id, defaults.page.templates)
    let (attributes, data) = split(fields, try defaults.page.templates.template(name))
    settings.page.set += attributes
    settings.data = Array(JSONValue.object(data).text.utf8)
    try settings.apply(to: &request)
    return request
  }

  /// What a template declares is read as it is on the command line: columns of tables are texts. An empty one is not given.
  private static func split(
    _ fields: [String: JSONValue], _ template: Template
  ) -> (attributes: [Assignment], data: [String: JSONValue]) {
    let declared = Set(template.attributes.map(\.name))
    var data = fields, attributes: [Assignment] = []
    for name in fields.keys.sorted() where declared.contains(name) {
      guard let text = fields[name]?.string else { continue }
      data[name] = nil
      if !text.isEmpty { attributes.append(Assignment(key: name, value: text)) }
    }
    return (attributes, data)
  }

  /// Columns that are no options are data, over those that the template has already.
  private static func add(_ columns: [String: JSONValue], to request: inout RenderRequest, _ place: String) throws(OffprintError) {
    guard !columns.isEmpty else { return }
    var columns = columns
    if let template = request.template {
      let (attributes, data) = split(columns, template)
      for attribute in attributes { request.attributes[attribute.key] = attribute.value }
      columns = data
    }
    guard let data = request.data else {
      request.data = Array(JSONValue.object(columns).text.utf8)
      return
    }
    let known = try JSONValue.members(data, of: "\(place): --data, which its columns are added to,")
    request.data = Array(JSONValue.object(known.merging(columns) { $1 }).text.utf8)
  }
}
