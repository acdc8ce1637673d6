import COffprintLibXML2
public import OffprintCoreTypes

/// Parses XML, including XHTML, with libxml2. Supports only the entities of XML and XHTML, and loads no external subsets.
///
/// https://html.spec.whatwg.org/multipage/xhtml.html#parsing-xhtml-documents
public struct XMLDocumentParser {
  /// The document; if the source is not well-formed, the part before the error, with a diagnostic.
  public static func parse(
    _ bytes: [UInt8], options: HTMLParserOptions = HTMLParserOptions(), diagnostics: inout DiagnosticLog
  ) throws(LimitExceeded) -> Document {
    let input = try DecodedInput(bytes, isXML: true, encodingLabel: options.encodingLabel, limits: options.limits, &diagnostics)
    let expansion = XMLEntityExpansion(input.bytes)
    let builder = XMLTreeBuilder(source: expansion.bytes, options: options)
    guard let library = LibXML2.shared else {
      diagnostics.report(Diagnostic(.notWellFormed, .degraded, "XML cannot be read: libxml2 is not installed; install the package libxml2"))
      return builder.document
    }
    builder.run(library)
    if builder.exceedsNodes { throw LimitExceeded(limit: "nodes", allowed: options.limits.nodes) }
    if let (message, offset) = builder.failure {
      let original = input.offsets.original(expansion.offsets.original(UInt32(truncatingIfNeeded: offset)))
      let position = Document.position(ofOffset: Int(original), in: bytes)
      diagnostics.report(Diagnostic(.notWellFormed, .degraded, "the XML is not well-formed: \(message)", at: position))
    }
    var document = builder.document
    document.encoding = input.encoding.name
    expansion.offsets.restoreOffsets(&document)
    input.offsets.restoreOffsets(&document)
    document.limitDepth(options.limits.depth, &diagnostics)
    return document
  }

  /// Whether a source without a media type or file name is XML: it has an XML declaration, and a namespace on the root element. (An XML
  /// declaration alone is on many pages that only an HTML parser can parse.)
  public static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
    let start = Array((bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]).prefix(4096))
    guard start.count > 6, start.starts(with: "<?xml".utf8), start[5].isHTMLSpace else { return false }
    var index = 0
    while let open = start[index...].firstIndex(of: UInt8(ascii: "<")), open + 1 < start.count {
      guard let close = start[open...].firstIndex(of: UInt8(ascii: ">")) else { return false }
      if start[open + 1].isASCIILetter {
        return XMLEntityExpansion.firstIndex(of: "xmlns", in: Array(start[open..<close]), from: 0, limit: 4096) != nil
      }
      index = close
    }
    return false
  }
}
