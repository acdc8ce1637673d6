import Dispatch
import Glibc
import OffprintService

@main
struct OffprintServerCommand {
  static func main() {
    let arguments = Array(ServiceCommand.arguments.dropFirst())
    ServiceCommand.hideCredentials()
    // A worker enters its sandbox, which confines threads that exist later and no earlier one: nothing of Swift's concurrency runs before.
    if let status = ServiceCommand.runWorker(arguments) { exit(status) }
    // A reload that is asked for while the service starts is done by the start.
    signal(SIGHUP, SIG_IGN)
    let environment = environment()
    Task { exit(await ServiceCommand.run(arguments, environment: environment)) }
    dispatchMain()
  }

  private static func environment() -> [String: String] {
    var environment: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let variable = String(cString: text)
      if let mark = variable.utf8.firstIndex(of: UInt8(ascii: "=")) {
        environment[String(variable[..<mark])] = String(variable[variable.utf8.index(after: mark)...])
      }
      entry += 1
    }
    return environment
  }
}
