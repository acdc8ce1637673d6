import ArgumentParser
import OffprintCoreTypes
import Offprint

/// The defaults of a job: the options of the command.
struct JobDefaults: Sendable {
  let page: PageOptions
  /// The limits of `page`, cached because looking options up by name for each of a million rows is slow.
  let limits: Limits
  /// `--no-cache` and `--refresh`.
  var policy: CachePolicy
  var lineLimit: Int
  var rules: RowRules
  /// The configuration with the allowed hosts.
  let network: RendererConfiguration

  init(page: PageOptions, policy: CachePolicy, lineLimit: Int, rules: RowRules = RowRules(), network: RendererConfiguration) {
    (self.page, limits, self.policy, self.lineLimit, self.rules) = (page, page.allLimits, policy, lineLimit, rules)
    self.network = network
  }
}

/// A job: what to render.
struct Job {
  var id: String
  var request: RenderRequest
  /// Diagnostics about its page's source.
  var notes: [Diagnostic]

  /// - Parameter output: The output file, whose extension can determine the format.
  /// - Throws: `dataInvalid` for an invalid row, and errors of reading its files.
  init(_ head: JobHead, _ line: JobLine, _ defaults: JobDefaults, output: String? = nil) throws(OffprintError) {
    try self.init(
      try Self.fields(head, line, defaults), id: head.id, isTable: line.source.format.hasHeader, place: line.place, defaults, output: output
    )
  }

  /// - Parameters:
  ///   - isTable: Whether all values are text that has to be converted.
  ///   - place: The position in the list, for messages.
  ///   - html: The page, if it is not among the fields.
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
    try Self.add(data, to: &settings, place)
    try settings.apply(to: &request)
  }

  private static func fields(_ head: JobHead, _ line: JobLine, _ defaults: JobDefaults) throws(OffprintError) -> [String: JSONValue] {
    if line.isTooLong {
      throw OffprintError(
        .limitExceeded, "\(line.place) is longer than \(defaults.lineLimit) bytes; make it shorter or raise --max-line-bytes.")
    }
    guard let fields = head.fields else { throw OffprintError(.dataInvalid, "\(line.place) \(head.problem ?? "is not a job").") }
    try head.check(line, defaults.rules)
    return fields
  }

  private static func page(
    _ fields: [String: JSONValue], _ page: PageOptions, _ defaults: JobDefaults, _ id: String, _ place: String, _ html: [UInt8]?
  ) throws(OffprintError) -> (RenderRequest, [Diagnostic]) {
    if html != nil, fields["html"] != nil {
      throw OffprintError(.dataInvalid, "\(place) has \"html\", but the page is also given separately.")
    }
    if let tree = fields["tree"] {
      guard html == nil, fields["html"] == nil, fields["input"] == nil else {
        throw OffprintError(.dataInvalid, "\(place) has a \"tree\" and another page; specify one page.")
      }
      return (RenderRequest(.text(name: id), bytes: try NodeTree.html(tree)), [])
    }
    switch (fields["input"]?.string, html ?? fields["html"]?.string.map { Array($0.utf8) }) {
    case (_?, _?): throw OffprintError(.dataInvalid, "\(place) has both \"input\" and \"html\"; specify one page.")
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

  /// Reads a page from a file, or from a URL if hosts are allowed and `--root` is not set.
  private static func read(
    _ input: String, _ page: PageOptions, _ defaults: JobDefaults, _ place: String
  ) throws(OffprintError) -> (RenderRequest, [Diagnostic]) {
    let isDownloaded = defaults.rules.root == nil && defaults.network.hasNetwork && RendererConfiguration.isAddress(input)
    return try RenderRequest.reading(
      isDownloaded ? input : try PageLocation.file(input, root: defaults.rules.root, place), page, defaults.network)
  }

  /// A request for a template without a page.
  private static func bodiless(_ template: String, _ id: String, _ templates: TemplateOptions) throws(OffprintError) -> RenderRequest {
    let source: PageSource = try templates.path(of: template).map { .file($0) } ?? .text(name: id)
    var request = RenderRequest(source, bytes: [])
    request.sourceName = id
    return request
  }

  /// A row of `--template T --data ROWS`: texts are attributes if the template declares them; everything else is data.
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

  /// Separates declared attributes, which are parsed like on the command line because columns of tables are text. Empty texts count as not
  /// given.
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

  /// Columns that are not options are added to the data, replacing the template's existing data with the same names. This happens before
  /// the settings are applied, because applying them checks the template's required attributes.
  private static func add(_ columns: [String: JSONValue], to settings: inout JobSettings, _ place: String) throws(OffprintError) {
    guard !columns.isEmpty, let name = settings.page.template else { return }
    let (attributes, data) = split(columns, try settings.page.templates.template(name))
    settings.page.set += attributes
    let given: [UInt8]? = if let file = settings.page.data { try Files.readText(file) } else { settings.data }
    let known =
      if let given { try JSONValue.members(given, of: "\(place): --data, to which its columns are added,") } else {
        [:] as [String: JSONValue]
      }
    settings.page.data = nil
    settings.data = Array(JSONValue.object(known.merging(data) { $1 }).text.utf8)
  }
}
