public import ArgumentParser
public import OffprintIsolation
import Offprint

/// Rendering in worker processes.
struct IsolationOptions: ParsableArguments {
  @Flag(
    name: .customLong("isolate"),
    help: "Render in worker processes without network, files and privileges; a page that crashes its worker affects no other page.")
  var isolate = false

  @Option(
    name: .customLong("worker-memory"),
    help: ArgumentHelp("Memory limit of a worker process in MiB (default: 1024).", valueName: "n"))
  var memory: Int?

  @Option(
    name: .customLong("worker-renders"),
    help: ArgumentHelp("Replace a worker process after this number of pages (default: 1000).", valueName: "n"))
  var renders: Int?

  @Option(
    name: .customLong("allow-missing-layer"), parsing: .singleValue,
    help: ArgumentHelp("Render even if this layer of the sandbox is not available; may be repeated.", valueName: "layer"))
  var dispensable: [IsolationReport.Layer] = []

  mutating func validate() throws {
    if !isolate && (memory != nil || renders != nil || !dispensable.isEmpty) {
      throw ValidationError("--worker-memory, --worker-renders and --allow-missing-layer require --isolate.")
    }
    if let memory, !(32...1 << 20).contains(memory) { throw ValidationError("--worker-memory must be 32 to 1048576.") }
    if let renders, renders < 1 { throw ValidationError("--worker-renders must be at least 1.") }
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
