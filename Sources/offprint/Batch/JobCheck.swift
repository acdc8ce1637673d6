import CoreTypes
import Offprint

/// The first reading of a list, before anything is drawn: how many jobs there are, and whether two of them share an id or an output.
///
/// Of each id and each output 16 bytes of a digest are kept, so that a list of millions is checked in little memory.
struct JobCheck {
  struct Summary {
    /// The jobs of this shard.
    var count = 0
    /// Whether a picture goes to the folder of `--output`.
    var usesFolder = false
    /// The folders of all outputs.
    var folders: [String] = []
  }

  /// The folder of outputs that no job names; nil: nothing is written.
  let folder: String?
  let shard: Shard?

  /// - Throws: `dataInvalid` where jobs are not told apart.
  func run(_ list: JobList) throws(OffprintError) -> Summary {
    var summary = Summary()
    var resolver = PlaceResolver()
    var ids: [Digest] = []
    var places: [Digest] = []
    var lines = list.lines()
    var index = 0
    while let line = try lines.next() {
      let head = JobHead(line)
      try head.check(line)
      ids.append(Digest(head.id))
      if let folder {
        if head.output == nil { summary.usesFolder = true }
        if let place = resolver.place(head.path(folder)) { places.append(Digest(place)) }
      }
      if shard?.takes(index) ?? true { summary.count += 1 }
      index += 1
    }
    if let twice = Digest.repeated(&ids) { throw try report(list, twice, "id") { head, _ in head.id } }
    if let folder, let twice = Digest.repeated(&places) {
      throw try report(list, twice, "output") { head, resolver in resolver.place(head.path(folder)) }
    }
    summary.folders = resolver.knownFolders
    return summary
  }

  /// Names the first two jobs that share something.
  private func report(
    _ list: JobList, _ repeated: Set<Digest>, _ what: String, _ value: (JobHead, inout PlaceResolver) -> String?
  ) throws(OffprintError) -> OffprintError {
    var lines = list.lines()
    var resolver = PlaceResolver()
    var seen: [Digest: Int] = [:]
    while let line = try lines.next() {
      guard let value = value(JobHead(line), &resolver) else { continue }
      let digest = Digest(value)
      guard repeated.contains(digest) else { continue }
      if let first = seen[digest] {
        return OffprintError(
          .dataInvalid,
          "The jobs on lines \(first) and \(line.number) have the same \(what), '\(value)'; give each its own.")
      }
      seen[digest] = line.number
    }
    return OffprintError(.dataInvalid, "Two jobs of \(list.name) have the same \(what); give each its own.")
  }
}

/// 16 bytes that stand for a text.
struct Digest: Hashable, Comparable {
  private let high: UInt64
  private let low: UInt64

  init(_ text: String) {
    let bytes = SHA256.hash(Array(text.utf8))
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = (number(0..<8), number(8..<16))
  }

  static func < (a: Digest, b: Digest) -> Bool { (a.high, a.low) < (b.high, b.low) }

  /// Some that occur twice; nil when none does. Sorts in place: nothing is copied.
  static func repeated(_ digests: inout [Digest]) -> Set<Digest>? {
    digests.sort()
    var found: Set<Digest> = []
    for index in digests.indices.dropFirst() where digests[index] == digests[index - 1] && found.count < 1 << 16 {
      found.insert(digests[index])
    }
    return found.isEmpty ? nil : found
  }
}
