import CoreTypes
import DOM

/// Writes an inline `<svg>` as a document of its own, for the SVG library.
enum SVGSerializer {
  /// XML in UTF-8. Elements nested deeper than the parser allows do not exist, so that this may recurse.
  static func serialize(_ node: NodeID, in document: Document) -> [UInt8] {
    var output: [UInt8] = []
    write(node, document, isRoot: true, &output)
    return output
  }

  private static func write(_ node: NodeID, _ document: Document, isRoot: Bool, _ output: inout [UInt8]) {
    let element = document[node]
    switch element.kind {
    case .text: escape(document.data(of: node), &output)
    case .element where element.namespace == .svg:
      let name = document.names[element.name]
      output.append(UInt8(ascii: "<"))
      output.append(contentsOf: name)
      if isRoot { output.append(contentsOf: " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8) }
      attributes(of: node, document, &output)
      output.append(UInt8(ascii: ">"))
      var child = element.firstChild
      while !child.isNone {
        write(child, document, isRoot: false, &output)
        child = document[child].nextSibling
      }
      output.append(contentsOf: "</".utf8)
      output.append(contentsOf: name)
      output.append(UInt8(ascii: ">"))
    default: break
    }
  }

  private static func attributes(of node: NodeID, _ document: Document, _ output: inout [UInt8]) {
    for attribute in document.attributes[document[node].attributes.range] where attribute.namespace == .none || attribute.namespace == .xlink {
      let name = document.names[attribute.name]
      guard name.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x27 && $0 != 0x3C && $0 != 0x3E && $0 != 0x2F && $0 != 0x3D }),
        attribute.name != .xmlns
      else { continue }
      output.append(UInt8(ascii: " "))
      if attribute.namespace == .xlink && !name.contains(UInt8(ascii: ":")) { output.append(contentsOf: "xlink:".utf8) }
      output.append(contentsOf: name)
      output.append(contentsOf: "=\"".utf8)
      escape(document.bytes(attribute.value), &output)
      output.append(UInt8(ascii: "\""))
    }
  }

  private static func escape(_ bytes: ArraySlice<UInt8>, _ output: inout [UInt8]) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
      case 0..<0x20 where byte != 0x09 && byte != 0x0A && byte != 0x0D: break
      default: output.append(byte)
      }
    }
  }
}
