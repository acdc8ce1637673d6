import Offprint
import OffprintCoreTypes
import Synchronization

/// Merges the PDFs of a batch (`--merge`) in the order of the list, independently of the order in which jobs are done.
final class PDFMerger: Sendable {
  private struct State {
    var joiner = PDFJoiner()
    var bytes: [UInt8] = []
    /// Files of jobs that were done before an earlier one; nil for failed jobs.
    var waiting: [Int: (file: [UInt8], title: String)?] = [:]
    var next = 0
  }

  /// The maximum size of the file, which is kept in memory until it is complete.
  static let largest = 1 << 30

  private let state = Mutex(State())

  /// - Throws: `dataInvalid` for a job with its own output or format.
  func check(_ head: JobHead, _ line: JobLine) throws(OffprintError) {
    if head.output != nil {
      throw OffprintError(.dataInvalid, "\(line.place) has an \"output\"; with --merge all jobs are written to one file.")
    }
    if let format = head.fields?["format"]?.string, format != "pdf", head.isJob {
      throw OffprintError(.dataInvalid, "\(line.place) has the format '\(Sentence.fit(format))'; --merge writes a PDF.")
    }
  }

  /// - Throws: `limitExceeded`.
  func add(_ file: [UInt8], title: String, at position: Int) throws(OffprintError) { try put((file, title), at: position) }

  /// Skips a failed job, which has no pages.
  func skip(_ position: Int) { try? put(nil, at: position) }

  private func put(_ entry: (file: [UInt8], title: String)?, at position: Int) throws(OffprintError) {
    try state.withLock { state throws(OffprintError) in
      guard position >= state.next else { return }
      state.waiting[position] = .some(entry)
      while let entry = state.waiting.removeValue(forKey: state.next) {
        state.next += 1
        guard let entry else { continue }
        state.bytes += try state.joiner.append(entry.file, title: entry.title)
        guard state.bytes.count <= Self.largest else {
          throw OffprintError(
            .limitExceeded, "The PDF of --merge is larger than \(Self.largest) bytes; render parts of the list with --shard.")
        }
      }
    }
  }

  /// The complete file.
  ///
  /// - Throws: `dataInvalid` if there are no pages.
  func finish() throws(OffprintError) -> [UInt8] {
    try state.withLock { state throws(OffprintError) in
      guard state.joiner.pageCount > 0 else { throw OffprintError(.dataInvalid, "No job produced a page for --merge.") }
      return state.bytes + state.joiner.finish()
    }
  }
}
