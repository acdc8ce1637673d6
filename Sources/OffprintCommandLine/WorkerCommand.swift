import ArgumentParser
import OffprintIsolation
import Offprint

/// The command of processes started by `--isolate`. Not for users.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Renders pages for the program that started it.", shouldDisplay: false)

  /// Whether the arguments start a worker, which need not load the other commands.
  static func isMeant(by arguments: [String]) -> Bool { arguments.dropFirst() == ["worker"] }

  static func serve() throws {
    let status = IsolatedWorker.run()
    if status == OffprintError.Code.usage.exitCode {
      throw OffprintError(.usage, "A worker is started only by other commands (--isolate).")
    }
    if status != 0 { throw ExitCode(status) }
  }

  mutating func run() throws { try Self.serve() }
}
