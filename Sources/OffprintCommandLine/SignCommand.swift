import ArgumentParser
import Glibc
import Offprint

struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Signs a URL of the service.",
    discussion: """
      The signature covers the path and all parameters, in any order. Keys are read from a file with one key per line: NAME SECRET.
      In the short URL of a preset, it replaces the '-' after the preset's name.

      Examples:
        offprint sign 'https://img.example/render/snippet.png?body=Hello' --keys keys.txt --expires 30d
        offprint sign 'https://img.example/p/card/-/title=Hello.png' --keys keys.txt
      """)

  @Argument(help: ArgumentHelp("An absolute URL or a path.", valueName: "url")) var url: String
  @Option(name: .customLong("keys"), help: ArgumentHelp("The service's key file (default: $OFFPRINT_KEYS).", valueName: "file"))
  var keys: String?
  @Option(name: .customLong("key"), help: ArgumentHelp("The name of the signing key (default: the first).", valueName: "name"))
  var key: String?
  @Option(
    name: .customLong("expires"),
    help: ArgumentHelp("How long the signature is valid, such as 30s, 5m, 24h or 30d (default: always).", valueName: "time"))
  var expires: Lifetime?
  @Flag(name: .customLong("writes-name"), help: "Let reads of the URL give the image the name in 'identifier'.") var writesName = false

  struct Lifetime: ExpressibleByArgument {
    var seconds: Int

    init?(argument: String) {
      let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
      let factor = argument.last.flatMap { units[$0] }
      guard let number = Int(factor == nil ? argument : String(argument.dropLast())), number > 0, number <= 1_000_000_000 else {
        return nil
      }
      let (seconds, overflows) = number.multipliedReportingOverflow(by: factor ?? 1)
      guard !overflows, seconds <= 100_000_000_000 else { return nil }
      self.seconds = seconds
    }
  }

  mutating func run() throws {
    guard let file = keys ?? getenv("OFFPRINT_KEYS").map({ String(cString: $0) }) else {
      throw OffprintError(.usage, "Specify the service's key file with --keys or OFFPRINT_KEYS.")
    }
    let signer = try AddressSigner(file: try Files.readText(file))
    Output.line(try signer.sign(url, keyName: key, expires: expires.map { Int(time(nil)) + $0.seconds }, writesName: writesName))
  }
}
