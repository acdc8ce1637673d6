import ArgumentParser
import Offprint

/// What tells a job apart, also where the rest of it is wrong.
struct JobHead {
  /// The line's number, unless the job says.
  var id: String
  /// Where the picture goes, where the job says.
  var output: String?
  /// The members of the job; nil where the line is no JSON object.
  var fields: [String: JSONValue]?

  init(_ line: JobLine) {
    id = String(line.number)
    guard !line.isTooLong, case .object(let fields)? = JSONValue(parsing: line.text) else { return }
    self.fields = fields
    id = fields["id"]?.argument ?? id
    output = fields["output"]?.string
  }

  /// What tells jobs apart must be right before any is drawn.
  ///
  /// - Throws: `dataInvalid`.
  func check(_ line: JobLine) throws(OffprintError) {
    if let given = fields?["id"], given.argument == nil { throw Self.invalid("id", "a string or a number", line) }
    try Self.checkFile(fields?["output"], "output", line)
  }

  static func checkFile(_ value: JSONValue?, _ name: String, _ line: JobLine) throws(OffprintError) {
    guard let value else { return }
    guard let path = value.string, !path.isEmpty else { throw invalid(name, "a file name", line) }
    if path == "-" { throw invalid(name, "a file name; '-' is for the command alone", line) }
  }

  static func invalid(_ name: String, _ expected: String, _ line: JobLine) -> OffprintError {
    OffprintError(.dataInvalid, "Line \(line.number): \"\(name)\" must be \(expected).")
  }

  func path(_ folder: String) -> String { OutputNaming.path(id: id, output: output, folder: folder) }
}

/// What a job starts from: the options of the command that it is in.
struct JobDefaults: Sendable {
  var page: PageOptions
  /// `--no-cache` and `--refresh`.
  var policy: CachePolicy
  var lineLimit: Int
}

/// A job: what to draw and where to.
struct Job {
  var id: String
  var request: RenderRequest
  var output: String?
  /// What is odd about its page.
  var notes: [Diagnostic]

  /// - Throws: `dataInvalid` for a line that is no job, and what reading its files throws.
  init(_ head: JobHead, _ line: JobLine, _ defaults: JobDefaults) throws(OffprintError) {
    let fields = try Self.fields(head, line, defaults)
    id = head.id
    output = head.output
    var settings = JobSettings(page: defaults.page, policy: defaults.policy)
    for name in fields.keys.sorted() { settings.page.dropRivals(of: name) { fields[$0] != nil } }
    for name in fields.keys.sorted() where !Self.ownNames.contains(name) {
      try settings.set(name, fields[name] ?? .null, line: line.number)
    }
    do {
      try settings.page.validate()
      try settings.page.limits.validate()
    } catch {
      throw OffprintError(.dataInvalid, "Line \(line.number): \(error)")
    }
    (request, notes) = try Self.page(fields, settings.page, id: head.id, line: line.number)
    try settings.apply(to: &request)
  }

  private static let ownNames: Set = ["id", "input", "html", "output"]

  private static func fields(_ head: JobHead, _ line: JobLine, _ defaults: JobDefaults) throws(OffprintError) -> [String: JSONValue] {
    if line.isTooLong {
      throw OffprintError(
        .limitExceeded, "Line \(line.number) is longer than \(defaults.lineLimit) bytes; make it shorter or raise --max-line-bytes.")
    }
    guard let fields = head.fields else { throw OffprintError(.dataInvalid, "Line \(line.number) is not a JSON object.") }
    try head.check(line)
    try JobHead.checkFile(fields["input"], "input", line)
    if let html = fields["html"], html.string == nil { throw JobHead.invalid("html", "a string", line) }
    return fields
  }

  private static func page(
    _ fields: [String: JSONValue], _ page: PageOptions, id: String, line: Int
  ) throws(OffprintError) -> (RenderRequest, [Diagnostic]) {
    switch (fields["input"]?.string, fields["html"]?.string) {
    case (_?, _?): throw OffprintError(.dataInvalid, "Line \(line) has both \"input\" and \"html\"; a job has one page.")
    case (let input?, nil): return try RenderRequest.reading(input, page)
    case (nil, let html?):
      let bytes = Array(html.utf8)
      return (RenderRequest(.text(name: id), bytes: bytes), try PageInput.check(bytes, name: "The page", isBody: page.template != nil))
    case (nil, nil):
      guard let template = page.template else {
        throw OffprintError(.dataInvalid, "Line \(line) has neither \"input\", \"html\" nor \"template\".")
      }
      let source: PageSource = try page.templates.path(of: template).map { .file($0) } ?? .text(name: id)
      var request = RenderRequest(source, bytes: [])
      request.sourceName = id
      return (request, [])
    }
  }
}

extension JSONValue {
  /// A string or number as the command line would have it.
  var argument: String? {
    switch self {
    case .string(let text): text
    case .number(let number): JSONText.number(number)
    default: nil
    }
  }
}
