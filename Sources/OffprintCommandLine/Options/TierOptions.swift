import ArgumentParser
import Offprint
import OffprintRemote

/// A second tier behind the cache, shared with other machines.
struct TierOptions: ParsableArguments {
  @Option(
    name: .customLong("tier"),
    help: ArgumentHelp(
      "A cache shared by several machines: s3://bucket/prefix?endpoint=…&region=… or redis[s]://host:port/db.", valueName: "url"))
  var address: String?

  @Flag(name: .customLong("tier-read-only"), help: "Read from --tier without writing to it.")
  var isReadOnly = false

  mutating func validate() throws {
    if isReadOnly && address == nil { throw ValidationError("--tier-read-only requires --tier.") }
  }

  /// - Parameter waits: Whether an image counts as stored only when the shared tier has it.
  /// - Throws: `usage` for an invalid URL.
  func apply(to configuration: RendererConfiguration, waits: Bool = false) throws(OffprintError) -> RendererConfiguration {
    guard let address else { return configuration }
    var tier = CacheTier(address)
    tier.isReadOnly = isReadOnly
    tier.isSynchronous = waits
    tier.onNotice = { Output.note(Diagnostic("tierUnavailable", .note, $0.message)) }
    return try configuration.sharing(tier)
  }
}
