import ArgumentParser
import Offprint
import OffprintConfiguration

/// The configuration of an embedded renderer: a JSON object whose members are options of the command line without their dashes. Options of
/// jobs are the defaults of every job.
struct EmbeddedConfiguration {
  let engine: EngineOptions
  let page: PageOptions
  /// The number of rendering threads.
  let workers: Int
  /// How many requests may wait.
  let queueCapacity: Int

  /// Options of the engine; all others belong to jobs.
  static let engineNames = [
    "allow-host", "allow-missing-layer", "cache", "cache-max-age", "cache-max-size", "fonts", "isolate", "system-fonts", "templates",
    "tier",
    "tier-read-only", "worker-memory", "worker-renders",
  ]
  /// Options that the command line has in another form.
  static let ownNames = ["jobs", "queue"]

  /// - Throws: `usage` for an unknown option or an invalid value, `dataInvalid` if the configuration is not an object.
  init(_ json: [UInt8]) throws(OffprintError) {
    var members = json.isEmpty ? [:] : try JSONValue.members(json, of: "The configuration")
    workers = try Self.count(members.removeValue(forKey: "jobs"), "jobs", 1...256) ?? RendererConfiguration().workers
    queueCapacity = try Self.count(members.removeValue(forKey: "queue"), "queue", 1...1_000_000) ?? RendererConfiguration().queueCapacity
    var engineArguments: [String] = [], pageArguments: [String] = []
    for name in Self.engineNames {
      let arguments = try Self.arguments(name, members.removeValue(forKey: name))
      if name == "templates" { pageArguments += arguments } else { engineArguments += arguments }
    }
    if !engineArguments.contains(where: { $0.hasPrefix("--cache=") || $0.hasPrefix("--tier=") }) { engineArguments.append("--no-cache") }
    engine = try Self.parse(EngineOptions.self, engineArguments)
    page = try Self.defaults(members, of: try Self.parse(PageOptions.self, pageArguments), policy: engine.policy)
  }

  private static func count(_ value: JSONValue?, _ name: String, _ range: ClosedRange<Int>) throws(OffprintError) -> Int? {
    guard let value, value != .null else { return nil }
    guard let count = value.argument.flatMap({ Int($0) }), range.contains(count) else {
      throw OffprintError(.usage, "'\(name)' must be \(range.lowerBound) to \(range.upperBound).")
    }
    return count
  }

  /// Converts options to arguments: `{"fonts": ["a", "b"]}` becomes `--fonts=a --fonts=b`.
  private static func arguments(_ name: String, _ value: JSONValue?) throws(OffprintError) -> [String] {
    switch value {
    case nil, .null?, .bool(false)?: return []
    case .bool(true)?: return ["--\(name)"]
    case .array(let items)?:
      var all: [String] = []
      for item in items { all += try arguments(name, item) }
      return all
    case let value?:
      guard let text = value.argument else {
        throw OffprintError(.usage, "'\(name)' must be a string, a number, true or false, or a list of them.")
      }
      return ["--\(name)=\(text)"]
    }
  }

  private static func parse<Options: ParsableArguments>(_ type: Options.Type, _ arguments: [String]) throws(OffprintError) -> Options {
    do { return try Options.parse(arguments) } catch {
      // Messages of the argument parser name flags.
      throw OffprintError(.usage, Sentence.fit(Options.message(for: error).replacing("--", with: "")))
    }
  }

  private static func defaults(
    _ members: [String: JSONValue], of page: PageOptions, policy: CachePolicy
  ) throws(OffprintError) -> PageOptions {
    let known = Array(JobOption.byName.keys) + engineNames + ownNames
    if let odd = members.keys.sorted().first(where: { JobOption.byName[$0] == nil }) {
      let nearest = NearestName.of(odd, in: known).map { "; did you mean '\($0)'?" } ?? "."
      throw OffprintError(.usage, "There is no option '\(Sentence.fit(odd))'\(nearest)")
    }
    var settings = JobSettings(JobDefaults(page: page, policy: policy, lineLimit: .max, network: RendererConfiguration()))
    for name in members.keys.sorted() {
      if let value = members[name], value != .null { try settings.set(name, value, at: "The configuration") }
    }
    try settings.check("The configuration")
    return settings.page
  }
}
