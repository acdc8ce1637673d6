public import ArgumentParser
public import OffprintIsolation
import Offprint

/// Rendering in worker processes.
struct IsolationOptions: ParsableArguments {
  @Flag(
    name: .customLong("isolate"),
    help: "Draw in worker processes without network, files and privileges: what a page does to one costs that page alone.")
  var isolate = false

  @Option(
    name: .customLong("worker-memory"),
    help: ArgumentHelp("MiB that a worker process may have (default: 1024).", valueName: "n"))
  var memory: Int?

  @Option(
    name: .customLong("worker-renders"),
    help: ArgumentHelp("Pages after which a worker process is replaced (default: 1000).", valueName: "n"))
  var renders: Int?

  @Option(
    name: .customLong("allow-missing-layer"), parsing: .singleValue,
    help: ArgumentHelp("Draw although this layer of the sandbox is missing here; may be repeated.", valueName: "layer"))
  var dispensable: [IsolationReport.Layer] = []

  mutating func validate() throws {
    if !isolate && (memory != nil || renders != nil || !dispensable.isEmpty) {
      throw ValidationError("--worker-memory, --worker-renders and --allow-missing-layer go with --isolate.")
    }
    if let memory, !(32...1 << 20).contains(memory) { throw ValidationError("--worker-memory is 32 to 1048576.") }
    if let renders, renders < 1 { throw ValidationError("--worker-renders is 1 or more.") }
  }

  /// - Throws: `inputNotFound` for a font folder that does not exist.
  func apply(to configuration: RendererConfiguration) throws(OffprintError) -> RendererConfiguration {
    guard isolate else { return configuration }
    var isolation = IsolationConfiguration()
    if let memory { isolation.memoryBytes = memory << 20 }
    if let renders { isolation.retiresAfterRenders = renders }
    isolation.dispensableLayers = Set(dispensable)
    isolation.onFirstReport = { report in
      for layer in report.missing { Output.error("offprint: isolation lacks \(layer.layer.rawValue): \(layer.detail).") }
    }
    return try configuration.isolated(isolation)
  }
}

extension IsolationReport.Layer: ExpressibleByArgument {}
