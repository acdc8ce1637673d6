import OffprintCoreTypes
import ArgumentParser
import Glibc
import Offprint

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Runs the HTTP service, with the same engine and cache.",
    discussion: """
      Starts the separate program offprint-server, from the folder of this program, with the same options. 'offprint serve --help' prints its help.

      Example:
        offprint serve --listen 127.0.0.1:8080 --no-auth
      """, helpNames: [])

  @Argument(parsing: .captureForPassthrough, help: "The options of the service.") var options: [String] = []

  private static let name = "offprint-server"

  mutating func run() throws {
    let path = Self.path
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + options).map { strdup($0) }
    arguments.append(nil)
    // A closed pipe must not end the service. The disposition is reset because the executed program inherits ignored signals.
    signal(SIGPIPE, SIG_DFL)
    execv(path, arguments)
    let reason = errno
    arguments.forEach { free($0) }
    if reason == ENOENT {
      throw OffprintError(
        .inputNotFound,
        "The service's program '\(path)' does not exist; build it with 'OFFPRINT_SERVICE=1 swift build -c release --product \(Self.name)'."
      )
    }
    throw OffprintError(.inputUnreadable, "'\(path)' cannot be started: \(errorText(reason)).")
  }

  /// The path of the server beside this program.
  private static var path: String {
    Program.path.map { Files.folder(of: $0) + name } ?? name
  }
}
