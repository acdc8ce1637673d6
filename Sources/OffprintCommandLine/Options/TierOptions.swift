import ArgumentParser
import Offprint
import OffprintRemote

/// A store that machines share, behind the cache.
struct TierOptions: ParsableArguments {
  @Option(
    name: .customLong("tier"),
    help: ArgumentHelp(
      "A store behind the cache that machines share: s3://bucket/prefix?endpoint=…&region=… or redis[s]://host:port/db.", valueName: "url"))
  var address: String?

  @Flag(name: .customLong("tier-read-only"), help: "Use what is in --tier, and write nothing there.")
  var isReadOnly = false

  mutating func validate() throws {
    if isReadOnly && address == nil { throw ValidationError("--tier-read-only goes with --tier.") }
  }

  /// - Parameter waits: a picture counts as kept only once the store has it.
  /// - Throws: `usage` for an address that is none.
  func apply(to configuration: RendererConfiguration, waits: Bool = false) throws(OffprintError) -> RendererConfiguration {
    guard let address else { return configuration }
    var tier = CacheTier(address)
    tier.isReadOnly = isReadOnly
    tier.isSynchronous = waits
    tier.onNotice = { Output.note(Diagnostic("tierUnavailable", .note, $0.message)) }
    return try configuration.sharing(tier)
  }
}
