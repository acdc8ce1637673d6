import OffprintCoreTypes
import OffprintDOM

/// Uses any bytes as a page: its tree must have consistent links and be serializable.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzHTML(_ data: UnsafePointer<UInt8>?, _ count: Int)
  -> CInt
{
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var options = HTMLParserOptions()
  // The first byte selects the encoding label.
  switch bytes.first.map({ $0 & 7 }) {
  case 1: options.encodingLabel = "shift_jis"
  case 2: options.encodingLabel = "utf-16le"
  case 3: options.encodingLabel = "windows-1252"
  default: break
  }
  var diagnostics = DiagnosticLog()
  if let document = try? HTMLParser.parse(bytes, options: options, diagnostics: &diagnostics) {
    check(document)
  }
  let contexts: [Name] = [.body, .table, .select, .template, .tr, .svg, .title, .colgroup]
  let context = contexts[Int(bytes.last ?? 0) % contexts.count]
  if let fragment = try? HTMLParser.parseFragment(
    bytes, context: context, options: options, diagnostics: &diagnostics)
  {
    check(fragment)
  }
  return 0
}

private func check(_ document: Document) {
  for (index, node) in document.nodes.enumerated() {
    var child = node.firstChild
    var previous = NodeID.none
    while !child.isNone {
      let next = document.nodes[child.index]
      precondition(
        next.parent == NodeID(index) && next.previousSibling == previous,
        "links of siblings disagree")
      (previous, child) = (child, next.nextSibling)
    }
    precondition(node.lastChild == previous, "the last child is another")
  }
  precondition(!document.html5libDump().isEmpty || document.nodes[0].firstChild.isNone)
}
