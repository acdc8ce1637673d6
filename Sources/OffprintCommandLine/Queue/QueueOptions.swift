import ArgumentParser
import Offprint
import OffprintRemote

/// Which queue is meant.
struct QueueOptions: ParsableArguments {
  @Option(
    name: .customLong("queue"),
    help: ArgumentHelp("The queue: redis://host:port/db, with ?queue=name where there are several (or OFFPRINT_QUEUE).", valueName: "url"))
  var address: String?

  /// - Throws: `usage` for what is none.
  var queue: QueueAddress {
    get throws(OffprintError) {
      guard let address else { throw OffprintError(.usage, "Name the queue with --queue redis://host:port/db or OFFPRINT_QUEUE.") }
      return try QueueAddress(address)
    }
  }
}
