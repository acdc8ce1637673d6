import Offprint

/// What became of a picture.
enum JobState: String, Sendable {
  case rendered, hit, degraded, failed

  init(_ result: RenderResult) { self = result.isDegraded ? .degraded : result.wasCached ? .hit : .rendered }
}

/// What became of a list.
struct Tally: Sendable {
  var rendered = 0
  var cached = 0
  /// Drawn, but lacking something.
  var degraded = 0
  var failed = 0
  /// Done by an earlier run.
  var skipped = 0
  /// Of all pictures.
  var bytes = 0
  /// How many jobs there are.
  var total = 0
  /// Why the cache did not keep a picture.
  var cacheProblem: String?
  /// Whether it was told to end before the list did.
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

  /// For people: what there was none of is not told, except drawn and known pictures.
  func summary(seconds: Double) -> String {
    var parts = ["\(rendered) rendered", "\(cached) hits"]
    if degraded > 0 { parts.append("\(degraded) degraded") }
    if failed > 0 { parts.append("\(failed) failed") }
    if skipped > 0 { parts.append("\(skipped) skipped") }
    if done < total { parts.append("\(total - done) left") }
    let rate = seconds > 0 ? (Double(done) / seconds).rounded(places: 1) : "0"
    return "\(done) of \(total) jobs: \(parts.joined(separator: ", ")); \(seconds.rounded(places: 2)) s, \(rate) a second"
  }

  func json(seconds: Double) -> String {
    "{\"jobs\":\(total),\"rendered\":\(rendered),\"hits\":\(cached),\"degraded\":\(degraded),\"failed\":\(failed),\"skipped\":\(skipped),"
      + "\"left\":\(max(0, total - done)),\"interrupted\":\(isInterrupted),\"seconds\":\(JSONText.number(seconds)),\"bytes\":\(bytes)}"
  }
}
