// Measures the latency of the library in a back end: medians over many requests, in microseconds. Prints figures without checking them.
//
//   offprint-benchmark [PAGE [RUNS]]
import FoundationEssentials
import Glibc
import Offprint

/// The median of `runs` timings after a tenth of them as warm-up.
func median(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for run in 0..<(runs + runs / 10) {
    let start = ContinuousClock.now
    try body()
    let elapsed = (ContinuousClock.now - start).components
    if run >= runs / 10 { times.append(Double(elapsed.seconds) * 1e6 + Double(elapsed.attoseconds) / 1e12) }
  }
  return times.sorted()[times.count / 2]
}

func line(_ name: String, _ microseconds: Double) {
  let text = String((microseconds * 10).rounded() / 10)
  print(
    name + String(repeating: " ", count: max(1, 52 - name.utf8.count)) + String(repeating: " ", count: max(0, 9 - text.utf8.count)) + text)
}

let seed = """
  <!DOCTYPE html><meta charset=utf-8><style>body{margin:0;width:320px;font:17px/1 Helvetica}p{margin:0}p+p{padding-top:.5em}</style>
  <div><p>I just want to render some HTML.</p><p>It took quite a lot of trial and error to make a view off screen render things as they \
  should be!</p></div>
  """

func bytes(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var all: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { all += chunk[..<count] }
  return all
}

let arguments = CommandLine.arguments.dropFirst()
let html =
  arguments.first.map { path -> [UInt8] in
    guard let bytes = bytes(of: path) else {
      print("\(path): cannot be read")
      exit(66)
    }
    return bytes
  } ?? Array(seed.utf8)
let runs = arguments.dropFirst().first.flatMap { Int($0) } ?? 1000

var template = Array("/tmp/offprint-benchmark.XXXXXX".utf8CString)
guard let made = mkdtemp(&template) else { exit(73) }
let folder = String(cString: made)

func renderer(memory: Int?) throws -> Renderer {
  var configuration = RendererConfiguration()
  configuration.cacheFolder = folder
  if let memory { configuration.cacheMemoryBytes = memory }
  return try Renderer(configuration)
}

var request = RenderRequest(html: html)
request.width = .px(320)
var uncached = request
uncached.cachePolicy = .none

let main = try renderer(memory: nil)
line("warm render, library, µs", try median(min(runs, 300)) { _ = try main.renderAndWait(uncached) })
_ = try main.renderAndWait(request)
line("hit in memory, library, µs", try median(runs) { _ = try main.renderAndWait(request) })
main.shutdown()
let second = try renderer(memory: 0)
line("hit on disk, library, µs", try median(runs) { _ = try second.renderAndWait(request) })
second.shutdown()
try FileManager.default.removeItem(atPath: folder)
