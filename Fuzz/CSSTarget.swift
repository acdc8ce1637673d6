import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// Uses any bytes as a style sheet, a `style` attribute, a selector and a color, for a page with all kinds of elements.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzCSS(_ data: UnsafePointer<UInt8>?, _ count: Int)
  -> CInt
{
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var options = StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600))
  options.extraSheets = [StyleSheetSource(bytes: bytes)]
  options.source = page
  options.sourceName = "page"
  var diagnostics = DiagnosticLog()
  let text = String(decoding: bytes, as: UTF8.self)
  let attribute = text.replacing("\"", with: "&quot;")
  let html =
    page
    + Array("<p style=\"\(attribute)\" title=\"\(attribute)\" width=\"\(attribute)\">x</p>".utf8)
  guard let document = try? HTMLParser.parse(html, diagnostics: &diagnostics) else { return 0 }
  // Inputs that take long end at the deadline; libFuzzer reports those that do not.
  options.deadline = Deadline(after: .seconds(5))
  if let styled = try? StyleEngine.style(document, options: options, fontMetrics: HalfEm()) {
    precondition(styled.styles.count == document.nodes.count, "every node has a style")
  }
  _ = try? StyleEngine.querySelector(text, in: document, deadline: Deadline(after: .seconds(5)))
  _ = StyleEngine.color(text)
  return 0
}

private let page = Array(
  """
  <!doctype html><html lang=en class=r><title>t</title><body id=b class="c d" style="--a: 1px; --b: red">
  <div class="c box" style="width: 10px; container: x / size"><p id=p title=t>a<b class=d>b</b> c</p><ul><li>1<li>2<li>3</ul></div>
  <table border=1 bgcolor=#fff cellpadding=2><tr><td width=10% align=center>x<td nowrap>y</table>
  <form><input type=checkbox checked><input placeholder=p><select><option selected>o</select></form>
  <svg viewBox="0 0 1 1"><path d="M0 0"/></svg><font size=+2 color=chucknorris>f</font><img width=5 hspace=2>
  """.utf8)

private struct HalfEm: FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size * 0.7, zeroAdvance: font.size / 2,
      icAdvance: font.size,
      normalLineHeight: font.size * 1.15)
  }
}
