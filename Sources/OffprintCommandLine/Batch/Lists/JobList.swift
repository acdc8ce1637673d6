import Glibc
import Offprint

/// One row of a list as it was read.
struct JobLine: Sendable {
  let source: ListSource
  /// From 1: the number of the line; in a table or an array, of the row.
  var number: Int
  /// The line at which it begins, from 1.
  var line: Int
  var text: [UInt8]
  /// The row was longer than allowed, and its text was dropped.
  var isTooLong = false
  /// Whether the run has other lists.
  var isOneOfMany = false

  /// For messages, for example `Line 3`.
  var place: String {
    if source.format == .html { return source.name }
    return isOneOfMany ? "\(source.name), line \(line)" : "Line \(line)"
  }

  /// The id if the row has none.
  var defaultID: String { isOneOfMany ? "\(source.label)-\(number)" : "\(number)" }
}

/// All lists of a run, in order.
struct JobList: Sendable {
  let sources: [ListSource]
  let lineLimit: Int

  /// - Parameter paths: Files, `-`, and patterns such as `pages/*.html` that no shell has expanded.
  /// - Throws: See `ListSource`; `inputNotFound` for a pattern that matches nothing.
  init(_ paths: [String], _ options: ListSource.Options) throws(OffprintError) {
    var sources: [ListSource] = []
    for path in paths {
      for file in try Self.expand(path) { sources.append(try ListSource(file, options)) }
    }
    if sources.count(where: { $0.path == "-" }) > 1 { throw OffprintError(.usage, "Standard input can be specified only once.") }
    self.sources = sources
    lineLimit = options.lineLimit
  }

  /// The name in messages.
  var name: String { sources.count == 1 ? sources[0].name : "the lists" }

  func lines() -> JobLines { JobLines(self) }

  private static func expand(_ path: String) throws(OffprintError) -> [String] {
    guard path != "-", path.contains(where: { "*?[".contains($0) }), Files.kind(path) == nil else { return [path] }
    var found = glob_t()
    defer { globfree(&found) }
    let status = glob(path, GLOB_BRACE | GLOB_TILDE, nil, &found)
    guard status == 0 else {
      if status == GLOB_NOMATCH { throw OffprintError(.inputNotFound, "No file matches '\(path)'.") }
      throw OffprintError(.inputUnreadable, "'\(path)' cannot be expanded.")
    }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}

/// Reads the rows of all lists.
struct JobLines: Sendable {
  private let list: JobList
  private var index = 0
  private var reader: RecordReader?

  init(_ list: JobList) { self.list = list }

  /// The next row that is not blank; nil at the end.
  mutating func next() throws(OffprintError) -> JobLine? {
    while index < list.sources.count {
      let source = list.sources[index]
      if source.format == .html {
        index += 1
        return row(source, Record(number: 1, line: 1, text: Array(source.path.utf8)))
      }
      if reader == nil { reader = try source.records(limit: list.lineLimit) }
      while let record = try reader?.next() {
        if Self.isRow(record, source.format) { return row(source, record) }
      }
      reader = nil
      index += 1
    }
    return nil
  }

  private func row(_ source: ListSource, _ record: Record) -> JobLine {
    let number = source.format.hasHeader ? max(1, record.number - 1) : record.number
    return JobLine(
      source: source, number: number, line: record.line, text: record.text, isTooLong: record.isTooLong,
      isOneOfMany: list.sources.count > 1)
  }

  /// Skips blank lines, comments, and log lines without a job.
  private static func isRow(_ record: Record, _ format: ListFormat) -> Bool {
    if record.isTooLong { return true }
    switch format {
    case .paths: return record.text.first { $0 > 0x20 }.map { $0 != UInt8(ascii: "#") } ?? false
    case .log: return holdsJob(record.text)
    default: return !record.text.allSatisfy { $0 <= 0x20 }
    }
  }

  /// A fast check for the member's name; the line is only parsed when it is rendered.
  private static func holdsJob(_ text: [UInt8]) -> Bool {
    let name = Array("\"job\"".utf8)
    var rest = text[...]
    while let quote = rest.firstIndex(of: name[0]) {
      if rest[quote...].starts(with: name) { return true }
      rest = rest[(quote + 1)...]
    }
    return false
  }
}
