import ArgumentParser
import Offprint
import OffprintRemote

/// The URL of the queue.
struct QueueOptions: ParsableArguments {
  @Option(
    name: .customLong("queue"),
    help: ArgumentHelp("The queue: redis://host:port/db, with ?queue=name for one of several (or OFFPRINT_QUEUE).", valueName: "url"))
  var address: String?

  /// - Throws: `usage` if it is missing or invalid.
  var queue: QueueAddress {
    get throws(OffprintError) {
      guard let address else { throw OffprintError(.usage, "Specify the queue with --queue redis://host:port/db or OFFPRINT_QUEUE.") }
      return try QueueAddress(address)
    }
  }
}
