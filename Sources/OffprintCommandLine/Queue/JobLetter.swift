import OffprintCoreTypes
import ArgumentParser
import Offprint
import OffprintRemote

/// A job in the queue: a row of a list, and the options of the command that added it.
struct JobLetter {
  var id: String
  /// The fields of the row, with absolute paths of files.
  var fields: [String: JSONValue]
  /// Whether the row is from a table, so that all values are text.
  var isTable: Bool
  /// Whether the row is only data for a template.
  var isData: Bool
  /// Its position in the list, for messages.
  var place: String
  /// The path of its image relative to the output folder.
  var output: String
  /// Options of `render`, as arguments.
  var options: [String]

  init(_ head: JobHead, _ line: JobLine, _ input: JobInput, output: String, options: [String]) throws(OffprintError) {
    guard let fields = head.fields else { throw OffprintError(.dataInvalid, "\(line.place) \(head.problem ?? "is not a job").") }
    try head.check(line, input.rules)
    (id, isTable, isData, place) = (head.id, line.source.format.hasHeader, input.rules.isData, line.place)
    (self.output, self.options) = (output, options)
    self.fields = try isData ? fields : Self.movable(fields, input.rules, line.place)
  }

  /// Makes paths absolute, because workers have other working directories.
  private static func movable(
    _ fields: [String: JSONValue], _ rules: RowRules, _ place: String
  ) throws(OffprintError) -> [String: JSONValue] {
    var result = fields
    result["output"] = nil
    if let input = fields["input"]?.string {
      result["input"] = .string(Files.absolute(try PageLocation.file(input, root: rules.root, place)))
    }
    for name in ["css", "stylesheet", "allow-files", "base-url", "data", "template", "save-html"] {
      result[name] = fields[name].map { absolute($0, isName: name == "template") }
    }
    return result
  }

  private static func absolute(_ value: JSONValue, isName: Bool) -> JSONValue {
    switch value {
    case .string(let path):
      // The name of a built-in template is not a file, nor are inline data.
      if path.isEmpty || path.first == "{" || path.hasPrefix("http://") || path.hasPrefix("https://") || isName && Files.kind(path) == nil {
        return value
      }
      return .string(Files.absolute(path))
    case .array(let items): return .array(items.map { absolute($0, isName: isName) })
    default: return value
    }
  }

  // MARK: Encoding

  var body: [UInt8] {
    let members: [String: JSONValue] = [
      "fields": .object(fields), "table": .bool(isTable), "data": .bool(isData), "place": .string(place), "output": .string(output),
      "options": .array(options.map { .string($0) }),
    ]
    return Array(JSONValue.object(members).text.utf8)
  }

  /// - Throws: `dataInvalid` for an invalid job.
  init(_ job: QueuedJob) throws(OffprintError) {
    guard case .object(let members)? = JSONValue(parsing: job.body), case .object(let fields)? = members["fields"],
      let output = members["output"]?.string, case .array(let options)? = members["options"]
    else { throw OffprintError(.dataInvalid, "The entry '\(Sentence.fit(job.id))' of the queue is not a valid job.") }
    id = job.id
    (self.fields, self.output, self.options) = (fields, output, options.compactMap(\.string))
    isTable = members["table"]?.bool ?? false
    isData = members["data"]?.bool ?? false
    place = members["place"]?.string ?? "The job"
  }

  /// The job as `batch` would create it.
  func job(_ page: PageOptions, _ policy: CachePolicy, _ network: RendererConfiguration) throws(OffprintError) -> Job {
    var defaults = JobDefaults(page: page, policy: policy, lineLimit: .max, network: network)
    defaults.rules.isData = isData
    return try Job(fields, id: id, isTable: isTable, place: place, defaults)
  }

  /// Its path in an output folder.
  ///
  /// - Throws: `outputUnwritable` for a path that leads out of the folder, or that contains a NUL, which would truncate it.
  static func path(_ output: String, in folder: String) throws(OffprintError) -> String {
    let parts = output.split(byte: "/").filter { $0 != "." }
    guard !output.hasPrefix("/"), !parts.isEmpty, !parts.contains(".."), !output.utf8.contains(0) else {
      throw OffprintError(
        .outputUnwritable, "The output '\(Sentence.fit(output))' of a job is outside --output; use a path in that folder.")
    }
    return "\(folder)/\(parts.joined(separator: "/"))"
  }
}
