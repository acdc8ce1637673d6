import OffprintCoreTypes
import Offprint

/// How the rows of a run are interpreted.
struct RowRules: Sendable {
  /// Rows are only data for the template: `--template T --data ROWS`.
  var isData = false
  /// The folder with the files of a site whose pages are listed by URL.
  var root: String?
  /// The pattern of output names for rows without an output.
  var pattern: NamePattern?
  /// New names of columns and members, by their old names: `--map`.
  var columnNames: [String: String] = [:]
}

/// The identification of a job, available even if the rest of it is invalid.
struct JobHead {
  /// The row's number, unless the row has an id.
  var id: String
  /// The output file, if the job has one.
  var output: String?
  /// Whether its members are options rather than data for a template.
  private(set) var isJob = true
  /// The row's contents; nil if they are invalid.
  var fields: [String: JSONValue]?
  /// Why they are invalid.
  var problem: String?

  /// The members of a job that are not options of `render`.
  static let ownNames: Set = ["id", "input", "html", "tree", "output"]

  init(_ line: JobLine, _ rules: RowRules = RowRules()) {
    id = line.defaultID
    guard !line.isTooLong else { return }
    switch line.source.format {
    case .ndjson, .json: readObject(line, rules)
    case .log: readLog(line)
    case .csv, .tsv: readTable(line, rules)
    case .paths, .sitemap, .html: readLocation(line)
    }
    id = fields?["id"]?.argument ?? id
    isJob = !rules.isData
    if isJob { output = fields?["output"]?.string }
  }

  private mutating func readObject(_ line: JobLine, _ rules: RowRules) {
    do {
      switch try JSONValue(checking: line.text) {
      case .object(let members): readMembers(members, rules)
      // A JSON array of strings is a list of files.
      case .string(let path) where line.source.format == .json && !rules.isData: readLocation(path, line)
      default: problem = JSONError.notAnObject.predicate
      }
    } catch {
      problem = error.predicate
    }
  }

  private mutating func readMembers(_ members: [String: JSONValue], _ rules: RowRules) {
    guard !rules.columnNames.isEmpty else { return fields = members }
    var renamed: [String: JSONValue] = [:]
    for name in members.keys.sorted() {
      let new = rules.columnNames[name] ?? name
      if renamed.updateValue(members[name] ?? .null, forKey: new) != nil {
        problem = "has two members '\(Sentence.fit(new))' after --map"
        return
      }
    }
    fields = renamed
  }

  /// A job from the service's log cannot refer to files of this machine.
  private mutating func readLog(_ line: JobLine) {
    guard case .object(let entry)? = JSONValue(parsing: line.text), case .object(var job)? = entry["job"] else {
      problem = "is not a line of a log with a job"
      return
    }
    for name in ["id", "output", "save-html"] { job[name] = nil }
    if let name = ["input", "allow-files", "base-url", "css", "stylesheet"].first(where: { job[$0] != nil }) {
      problem = "has \"\(name)\", which is not allowed in a log because it reads local files"
      return
    }
    fields = job
  }

  private mutating func readTable(_ line: JobLine, _ rules: RowRules) {
    guard let cells = TableText.fields(line.text, separator: line.source.separator) else {
      problem = "has an unclosed quote"
      return
    }
    let header = line.source.header
    guard cells.count <= header.count || cells[header.count...].allSatisfy(\.isEmpty) else {
      problem = "has \(cells.count) columns, but the header has \(header.count)"
      return
    }
    if String(validating: line.text, as: UTF8.self) == nil {
      problem = "is not UTF-8; save the table as UTF-8"
      return
    }
    fields = [:]
    for (name, cell) in zip(header, cells) where !name.isEmpty {
      // An empty cell counts as not given, except as data for a template, where it is an empty text.
      if cell.isEmpty && !rules.isData && (JobOption.byName[name] != nil || Self.ownNames.contains(name)) { continue }
      fields?[name] = .string(cell)
    }
    if fields?["id"]?.string == "" { fields?["id"] = nil }
  }

  private mutating func readLocation(_ line: JobLine) {
    guard let text = String(validating: line.text, as: UTF8.self) else {
      problem = "is not UTF-8"
      return
    }
    readLocation(line.source.format == .sitemap ? PageLocation.sitemapText(text) : text.trimmingSpaces, line)
  }

  private mutating func readLocation(_ path: String, _ line: JobLine) {
    let id = line.source.format == .html ? Files.stem(path) : PageLocation.id(path)
    fields = ["id": .string(id), "input": .string(path)]
  }

  /// Checks what identifies a job, before anything is rendered.
  ///
  /// - Throws: `dataInvalid`.
  func check(_ line: JobLine, _ rules: RowRules) throws(OffprintError) {
    if let given = fields?["id"], given.argument == nil { throw Self.invalid("id", "a string or a number", line.place) }
    if !rules.isData { try Self.checkFile(fields?["output"], "output", line.place) }
  }

  static func checkFile(_ value: JSONValue?, _ name: String, _ place: String) throws(OffprintError) {
    guard let value else { return }
    guard let path = value.string, !path.isEmpty, !path.utf8.contains(0) else { throw invalid(name, "a file name", place) }
    if path == "-" { throw invalid(name, "a file name; '-' is allowed only as an option of the command", place) }
  }

  static func invalid(_ name: String, _ expected: String, _ place: String) -> OffprintError {
    OffprintError(.dataInvalid, "\(place): \"\(name)\" must be \(expected).")
  }
}

extension JSONValue {
  /// A string or number in the form of a command-line argument.
  var argument: String? {
    switch self {
    case .string(let text): text
    case .number, .integer: self.text
    default: nil
    }
  }
}
