import OffprintCoreTypes
import Offprint

/// Checks a list before anything is rendered: counts jobs, and detects jobs with the same id or output, and outputs that are inputs of the
/// run.
///
/// Of each id and output, only 16 bytes of a digest are stored, so that a list of millions can be checked in little memory.
struct JobCheck {
  struct Summary {
    /// The number of jobs in this shard.
    var count = 0
    /// Whether any image is written to the folder of `--output`.
    var usesFolder = false
    /// The folders of all outputs.
    var folders: [String] = []
  }

  /// Determines output files; nil if nothing is written.
  let naming: OutputNaming?
  let rules: RowRules
  let shard: Shard?
  /// Input files shared by all jobs.
  var inputs: [String] = []

  /// - Throws: `dataInvalid` if jobs have the same id or output, or one would overwrite an input.
  func run(_ list: JobList) throws(OffprintError) -> Summary {
    var summary = Summary()
    var resolver = OutputPathResolver()
    var ids: [Digest] = []
    var places: [Digest] = []
    var sources = inputs.filter { $0 != "-" }.compactMap { resolver.place($0).map { Digest($0) } }
    var lines = list.lines()
    var index = 0
    while let line = try lines.next() {
      let head = JobHead(line, rules)
      try head.check(line, rules)
      ids.append(Digest(head.id))
      if let naming {
        if head.output == nil { summary.usesFolder = true }
        if let place = resolver.place(try naming.path(head, line)) { places.append(Digest(place)) }
        if let source = input(of: head).flatMap({ resolver.place($0) }) { sources.append(Digest(source)) }
      }
      if shard?.takes(index) ?? true { summary.count += 1 }
      index += 1
    }
    // Outputs are checked first: where ids are used as file names, fixing the outputs also fixes the ids.
    if let naming, let twice = Digest.repeated(&places) {
      throw try report(list, twice, "output") { head, line, resolver throws(OffprintError) in
        resolver.place(try naming.path(head, line))
      }
    }
    if let naming, let shared = Digest.shared(places, &sources) { throw try overwriting(list, shared, naming) }
    if let twice = Digest.repeated(&ids) { throw try report(list, twice, "id") { head, _, _ throws(OffprintError) in head.id } }
    summary.folders = resolver.knownFolders
    return summary
  }

  /// An error that names the first two jobs with the same value.
  private func report(
    _ list: JobList, _ repeated: Set<Digest>, _ what: String,
    _ value: (JobHead, JobLine, inout OutputPathResolver) throws(OffprintError) -> String?
  ) throws(OffprintError) -> OffprintError {
    var lines = list.lines()
    var resolver = OutputPathResolver()
    var seen: [Digest: JobLine] = [:]
    while let line = try lines.next() {
      guard let value = try value(JobHead(line, rules), line, &resolver) else { continue }
      let digest = Digest(value)
      guard repeated.contains(digest) else { continue }
      if let first = seen[digest] {
        let advice = naming != nil && naming?.rules.pattern == nil ? "make them unique, or set names with --name" : "make them unique"
        return OffprintError(
          .dataInvalid, "The jobs \(Self.places(first, line)) have the same \(what), '\(Sentence.fit(value))'; \(advice).")
      }
      seen[digest] = JobLine(source: line.source, number: line.number, line: line.line, text: [], isOneOfMany: line.isOneOfMany)
    }
    return OffprintError(.dataInvalid, "Two jobs of \(list.name) have the same \(what); make them unique.")
  }

  /// The input file of a job, if it names one.
  private func input(of head: JobHead) -> String? {
    guard !rules.isData, let input = head.fields?["input"]?.string, !RendererConfiguration.isAddress(input) else { return nil }
    return input
  }

  /// An error that names the first job whose output is an input of the run.
  private func overwriting(_ list: JobList, _ sources: Set<Digest>, _ naming: OutputNaming) throws(OffprintError) -> OffprintError {
    var lines = list.lines()
    var resolver = OutputPathResolver()
    while let line = try lines.next() {
      let path = try naming.path(JobHead(line, rules), line)
      guard let place = resolver.place(path), sources.contains(Digest(place)) else { continue }
      return OffprintError(
        .dataInvalid, "\(line.place): the output '\(Sentence.fit(path))' would overwrite an input of this run. No file was changed.")
    }
    return OffprintError(.dataInvalid, "An output of \(list.name) would overwrite an input of this run. No file was changed.")
  }

  private static func places(_ first: JobLine, _ second: JobLine) -> String {
    first.isOneOfMany ? "\(first.place) and \(second.place)" : "on lines \(first.line) and \(second.line)"
  }
}

/// The first 16 bytes of a text's digest.
struct Digest: Hashable, Comparable {
  private let high: UInt64
  private let low: UInt64

  init(_ text: String) {
    let bytes = SHA256.hash(Array(text.utf8))
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = (number(0..<8), number(8..<16))
  }

  static func < (a: Digest, b: Digest) -> Bool { (a.high, a.low) < (b.high, b.low) }

  /// Elements of `sorted` that are also in `others`, which is sorted in place; nil if no element is.
  static func shared(_ sorted: [Digest], _ others: inout [Digest]) -> Set<Digest>? {
    others.sort()
    var found: Set<Digest> = []
    var next = 0
    for digest in sorted where found.count < 1 << 16 {
      while next < others.count, others[next] < digest { next += 1 }
      if next < others.count, others[next] == digest { found.insert(digest) }
    }
    return found.isEmpty ? nil : found
  }

  /// Elements that occur repeatedly; nil if all are unique. Sorts in place to avoid a copy.
  static func repeated(_ digests: inout [Digest]) -> Set<Digest>? {
    digests.sort()
    var found: Set<Digest> = []
    for index in digests.indices.dropFirst() where digests[index] == digests[index - 1] && found.count < 1 << 16 {
      found.insert(digests[index])
    }
    return found.isEmpty ? nil : found
  }
}
