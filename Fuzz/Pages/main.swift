@preconcurrency import Glibc
import Offprint

/// Renders random pages to find those that crash the process, exceed their time limit or use too much memory. See Fuzz/README.md.
func fuzz() throws -> Int32 {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  if options.isWorker {
    try Worker(seconds: options.seconds, rendersTwice: options.rendersTwice, isSVG: options.isSVG).run()
    return 0
  }
  if options.shows {
    for seed in options.seed..<options.seed + UInt64(options.count) { print(PageGenerator.page(seed: seed, isSVG: options.isSVG).html) }
    return 0
  }
  try makeFolder(options.folder)
  let supervisor = Supervisor(options)
  try supervisor.run()
  print("outcomes: " + supervisor.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
  let slowest = supervisor.slowest.sorted { $0.milliseconds > $1.milliseconds }.prefix(10)
  print("slowest: " + slowest.map { "seed \($0.seed) \($0.milliseconds) ms" }.joined(separator: ", "))
  for (kind, seeds) in supervisor.failures.sorted(by: { $0.key < $1.key }) {
    print("\(seeds.count) × \(kind): seeds \(seeds.prefix(5).map { "\($0)" }.joined(separator: " "))")
  }
  return supervisor.failures.isEmpty ? 0 : 1
}

/// Creates a folder and its ancestors.
func makeFolder(_ path: String) throws {
  var made = path.hasPrefix("/") ? "/" : ""
  for part in path.split(separator: "/") {
    made += part + "/"
    guard mkdir(made, 0o755) == 0 || errno == EEXIST else {
      throw Failure("\(made) cannot be created: \(String(cString: strerror(errno))).")
    }
  }
}

do {
  exit(try fuzz())
} catch {
  fputs("\(error)\n", stderr)
  exit(64)
}
