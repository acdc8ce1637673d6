import Glibc
import OffprintService

@main
struct OffprintServerCommand {
  static func main() async {
    var environment: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    exit(await ServiceCommand.run(Array(CommandLine.arguments.dropFirst()), environment: environment))
  }
}
