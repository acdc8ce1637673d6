import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// Uses any bytes as a selector, matched in a document, and as the rules of a style sheet with nesting, one after the other.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzSelectors(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  guard let document else { return 0 }
  _ = try? StyleEngine.querySelector(text, in: document, deadline: Deadline(after: .seconds(5)))
  var options = StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600))
  let rule = bytes + Array("{color:red;".utf8)
  options.extraSheets = [StyleSheetSource(bytes: rule + rule + Array("& ".utf8) + rule + Array("}}}".utf8))]
  options.deadline = Deadline(after: .seconds(5))
  if let styled = try? StyleEngine.style(document, options: options, fontMetrics: HalfEm()) {
    precondition(styled.styles.count == document.nodes.count, "every node has a style")
  }
  return 0
}

private let document: Document? = {
  var diagnostics = DiagnosticLog()
  let page = """
    <!doctype html><html lang=en class=r><body id=b class="c d"><div class="c a" dir=rtl><p id=p title=t>a<b class=d>b</b></p><ul><li>1<li>2</ul>
    </div><form><input type=checkbox checked><input placeholder=p required><select><option selected>o</select></form><svg><g/></svg>
    """
  return try? HTMLParser.parse(Array(page.utf8), diagnostics: &diagnostics)
}()

private struct HalfEm: FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size, zeroAdvance: font.size / 2, icAdvance: font.size, normalLineHeight: font.size)
  }
}
