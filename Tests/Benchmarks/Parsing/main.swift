// Measures the speed of parsing and styling pages and style sheets on one core, as minima of several runs. Prints figures without checking them.
//
//   offprint-parsing-benchmark PAGE...
//
// MB/s of parsing the pages, MB/s of parsing their style sheets, and milliseconds to style a page of 5,000 elements, composed of the contents
// of the page whose style sheet is nearest to 90 kB, with that style sheet.
import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Glibc

struct HalfEm: FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size * 0.7, zeroAdvance: font.size / 2,
      icAdvance: font.size,
      normalLineHeight: font.size * 1.15)
  }
}

func bytes(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var all: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { all += chunk[..<count] }
  return all
}

/// Seconds of processor time of the fastest of `runs`.
func fastest(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  var best = Double.infinity
  for _ in 0..<runs {
    let start = now()
    try body()
    best = min(best, now() - start)
  }
  return best
}

func parse(_ html: [UInt8]) throws -> Document {
  var diagnostics = DiagnosticLog()
  return try HTMLParser.parse(html, diagnostics: &diagnostics)
}

func style(_ document: Document, _ sheets: [[UInt8]]) throws -> StyledDocument {
  var options = StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600))
  options.extraSheets = sheets.map { StyleSheetSource(bytes: $0) }
  return try StyleEngine.style(document, options: options, fontMetrics: HalfEm())
}

func sheet(in document: Document) -> [UInt8] {
  var text: [UInt8] = []
  for (index, node) in document.nodes.enumerated()
  where node.kind == .element && node.name == .style {
    var child = document[NodeID(index)].firstChild
    while !child.isNone {
      text += document.data(of: child)
      child = document[child].nextSibling
    }
  }
  return text
}

func report(_ name: String, _ value: Double, _ unit: String) {
  print(
    name + String(repeating: " ", count: max(1, 60 - name.utf8.count))
      + String((value * 10).rounded() / 10) + " " + unit)
}

/// A page in which the contents of `body` are repeated until it has `count` elements.
func page(repeating html: [UInt8], until count: Int) throws -> Document {
  let text = String(decoding: html, as: UTF8.self)
  guard let start = text.range(of: "<body"),
    let open = text[start.upperBound...].firstIndex(of: ">")
  else { return try parse(html) }
  let rest = text[text.index(after: open)...]
  let contents = rest[..<(rest.range(of: "</body>")?.lowerBound ?? rest.endIndex)]
  // Without html, head and body, which the repetitions share.
  let elements =
    try parse(Array("<!doctype html>\(contents)".utf8)).nodes.filter {
      $0.kind == .element
    }.count - 3
  let times = max(1, (count + elements - 1) / max(elements, 1))
  return try parse(
    Array(("<!doctype html><body>" + String(repeating: String(contents), count: times)).utf8))
}

extension StringProtocol {
  /// The index of the first occurrence of `other`.
  func range(of other: String) -> Range<Index>? { self.firstRange(of: other) }
}

let pages = CommandLine.arguments.dropFirst().compactMap(bytes)
guard !pages.isEmpty else {
  print("usage: offprint-parsing-benchmark PAGE...")
  exit(64)
}
let sheets = try pages.map { sheet(in: try parse($0)) }
let empty = try parse(Array("<!doctype html>".utf8))
_ = try style(empty, [])
let html = pages.reduce(0) { $0 + $1.count }
let css = sheets.reduce(0) { $0 + $1.count }
let htmlSeconds = try fastest(7) { for page in pages { _ = try parse(page) } }
let cssSeconds = try fastest(7) { for sheet in sheets { _ = try style(empty, [sheet]) } }
report("HTML, \(pages.count) pages of \(html / 1000) kB", Double(html) / 1e6 / htmlSeconds, "MB/s")
report("CSS, their sheets of \(css / 1000) kB", Double(css) / 1e6 / cssSeconds, "MB/s")
let chosen =
  sheets.indices.min { abs(sheets[$0].count - 90_000) < abs(sheets[$1].count - 90_000) } ?? 0
let large = try page(repeating: pages[chosen], until: 5000)
let elements = large.nodes.filter { $0.kind == .element }.count
let milliseconds = try fastest(15) { _ = try style(large, [sheets[chosen]]) } * 1000
report(
  "Style, \(elements) elements with a sheet of \(sheets[chosen].count / 1000) kB", milliseconds,
  "ms")
