import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintTypography

/// Uses any bytes as an SVG document, which is styled and laid out; and as path data, points, numbers, a transform, and the contents of an `svg`.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzSVG(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let path = VectorPath(svgPath: bytes)
  let measure = SVGPathMeasure(path)
  precondition(measure.length.isFinite, "lengths are numbers")
  _ = measure.place(at: measure.length / 2)
  _ = path.bounds
  _ = SVGTransformList.parse(bytes)
  draw(VectorImage.expanded(bytes))
  let text = String(decoding: bytes, as: UTF8.self).replacing("<", with: " ").replacing("\"", with: " ").replacing("&", with: " ")
  draw(
    Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"\(text)\" transform=\"\(text)\" stroke-dasharray=\"\(text)\"/>".utf8)
      + Array("<polygon points=\"\(text)\"/><text x=\"\(text)\" rotate=\"\(text)\" textLength=\"\(text)\">ab</text>".utf8)
      + Array("<rect width=\"9\"><animate attributeName=\"x\" values=\"\(text)\" begin=\"\(text)\" dur=\"\(text)\"/></rect></svg>".utf8))
  return 0
}

private func draw(_ bytes: [UInt8]) {
  var log = DiagnosticLog()
  guard var document = try? XMLDocumentParser.parse(bytes, options: HTMLParserOptions(limits: limits), diagnostics: &log) else { return }
  document.showFirstFrame()
  let root = document.documentElement
  guard !root.isNone, document[root].namespace == .svg else { return }
  var options = StyleEngine.Options(media: MediaEnvironment(width: 300, height: 150))
  options.limits = limits
  options.deadline = Deadline(after: .seconds(5))
  guard let styled = try? StyleEngine.style(document, options: options, fontMetrics: HalfEm()) else { return }
  let scene = SVGScene(styled, fonts: fonts, deadline: Deadline(after: .seconds(5)), limits: limits)
  guard let node = try? scene.root(root, SVGViewport(width: 300, height: 150), view: scene.view("a")) else { return }
  for id in ["#a", "#b", "#c"] {
    _ = scene.server(id)
    let box = DisplayRect(x: 0, y: 0, width: 20, height: 10), viewport = SVGViewport(width: 300, height: 150)
    _ = try? scene.clipPath(id, box, viewport)
    _ = try? scene.mask(id, box, viewport)
    _ = try? scene.marker(id)
    _ = scene.filter(id, box, viewport)
  }
  precondition(node.transform.isFinite, "transforms are numbers")
}

private let limits: Limits = {
  var limits = Limits()
  limits.nodes = 20_000
  return limits
}()

// libFuzzer calls from one thread.
nonisolated(unsafe) private let fonts = FontContext(fonts: FontSet(registry: FontRegistry(folders: ["Fonts"])))

private struct HalfEm: FontMetricsProvider {
  func metrics(for font: OffprintCSS.FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size * 0.7, zeroAdvance: font.size / 2, icAdvance: font.size,
      normalLineHeight: font.size * 1.15)
  }
}
