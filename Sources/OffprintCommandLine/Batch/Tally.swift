import Offprint

/// The outcome for an image.
enum JobState: String, Sendable {
  case rendered, hit, degraded, failed

  init(_ result: RenderResult) { self = result.isDegraded ? .degraded : result.wasCached ? .hit : .rendered }
}

/// The outcome of a run.
struct Tally: Sendable {
  var rendered = 0
  var cached = 0
  /// Rendered, but incomplete.
  var degraded = 0
  var failed = 0
  /// Done by an earlier run.
  var skipped = 0
  /// Of all images.
  var bytes = 0
  /// The number of jobs.
  var total = 0
  /// Why the cache could not store an image.
  var cacheProblem: String?
  /// Whether the run was interrupted.
  var isInterrupted = false

  var done: Int { rendered + cached + degraded + failed + skipped }

  mutating func count(_ state: JobState) {
    switch state {
    case .rendered: rendered += 1
    case .hit: cached += 1
    case .degraded: degraded += 1
    case .failed: failed += 1
    }
  }

  /// For people. Counts of zero are omitted, except rendered and cached images.
  func summary(seconds: Double) -> String {
    var parts = ["\(rendered) rendered", cached.counted("hit")]
    if degraded > 0 { parts.append("\(degraded) degraded") }
    if failed > 0 { parts.append("\(failed) failed") }
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if done < total { parts.append("\(total - done) left") }
    let rate = seconds > 0 ? (Double(done) / seconds).rounded(places: 1) : "0"
    return "\(done) of \(total.counted("job")): \(parts.joined(separator: ", ")); \(seconds.rounded(places: 2)) s, \(rate) jobs/s"
  }

  /// For people, after `--dry-run`.
  var preview: String {
    let misses = rendered + degraded
    return "\(cached.counted("hit")), \(misses.counted("miss", "misses"))\(failed > 0 ? ", \(failed) failed" : ""); nothing was rendered"
  }

  func json(seconds: Double) -> String {
    "{\"jobs\":\(total),\"rendered\":\(rendered),\"hits\":\(cached),\"degraded\":\(degraded),\"failed\":\(failed),\"skipped\":\(skipped),"
      + "\"left\":\(max(0, total - done)),\"interrupted\":\(isInterrupted),\"seconds\":\(JSONText.number(seconds)),\"bytes\":\(bytes)}"
  }
}
