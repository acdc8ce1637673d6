import OffprintCoreTypes

/// A page as a tree of nodes, as JSX produces it and Satori accepts it: `{"type": "div", "props": {"style": {…}, "tw": "…", "children":
/// […]}}`. Components must be resolved by the caller: a type is the name of an element.
///
/// https://github.com/vercel/satori#jsx
package enum NodeTree {
  /// The nesting limit of nodes. Deeper trees are rejected.
  static let depthLimit = 512

  /// The HTML of a tree.
  ///
  /// - Parameter value: A node, a text, or a list of them.
  /// - Throws: `dataInvalid` with the path of the invalid node.
  package static func html(_ value: JSONValue) throws(OffprintError) -> [UInt8] {
    var writer = NodeTreeWriter()
    try writer.write(value, path: "tree", depth: 0)
    return Array(preamble.utf8) + writer.bytes
  }

  /// Satori's defaults: elements are flex containers, sizes include borders, and the root fills the image.
  /// https://github.com/vercel/satori/blob/main/src/handler/presets.ts
  private static let preamble = """
    <!DOCTYPE html><meta charset=utf-8><style>:where(*){box-sizing:border-box}html,body{margin:0;height:100%}\
    body{display:flex}:where(div,span,p,h1,h2,h3,h4,h5,h6,header,footer,main,section,article,nav,aside,ul,ol,li,figure,blockquote,a,label,button)\
    {display:flex}:where(ul,ol){list-style:none;margin:0;padding:0}</style>
    """
}

/// Serializes a tree as HTML.
struct NodeTreeWriter {
  private(set) var bytes: [UInt8] = []

  /// https://html.spec.whatwg.org/multipage/syntax.html#void-elements
  private static let voidElements: Set = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
  ]
  /// https://html.spec.whatwg.org/multipage/syntax.html#raw-text-elements
  private static let rawElements: Set = ["style", "script", "title", "textarea"]

  mutating func write(_ value: JSONValue, path: String, depth: Int) throws(OffprintError) {
    guard depth < NodeTree.depthLimit else { throw Self.invalid(path, "is nested deeper than \(NodeTree.depthLimit) nodes") }
    switch value {
    case .null, .bool: break  // React renders nothing for these
    case .string(let text): bytes += Self.escaped(text)
    case .number, .integer: bytes += Array(value.text.utf8)
    case .array(let items):
      for (index, item) in items.enumerated() { try write(item, path: "\(path)[\(index)]", depth: depth + 1) }
    case .object(let node): try writeElement(node, path: path, depth: depth)
    }
  }

  private mutating func writeElement(_ node: [String: JSONValue], path: String, depth: Int) throws(OffprintError) {
    guard let name = node["type"]?.string else { throw Self.invalid(path, "has no \"type\"; a node is {\"type\", \"props\"}") }
    var properties: [String: JSONValue] = [:]
    switch node["props"] {
    case .object(let members)?: properties = members
    case nil, .null?: break
    default: throw Self.invalid("\(path).props", "must be an object")
    }
    let children = properties.removeValue(forKey: "children") ?? .null
    // A fragment, in JSX <>…</>.
    if name.isEmpty { return try write(children, path: "\(path).props.children", depth: depth + 1) }
    guard Self.isElementName(name) else {
      throw Self.invalid(
        path, "has the type \"\(name.prefix(100))\", which is not the name of an element; call components first")
    }
    bytes += Array("<\(name)".utf8)
    let markup = properties.removeValue(forKey: "dangerouslySetInnerHTML")?["__html"]?.string
    bytes += try NodeAttributes(properties, path: "\(path).props").bytes
    bytes.append(UInt8(ascii: ">"))
    let lowercased = name.lowercased()
    if Self.voidElements.contains(lowercased) { return }
    if let markup {
      bytes += Array(markup.utf8)
    } else if Self.rawElements.contains(lowercased) {
      try writeRaw(children, name: lowercased, path: path)
    } else {
      try write(children, path: "\(path).props.children", depth: depth + 1)
    }
    bytes += Array("</\(name)>".utf8)
  }

  /// Writes the text of a style sheet or script, which cannot be escaped and ends at the first end tag.
  private mutating func writeRaw(_ children: JSONValue, name: String, path: String) throws(OffprintError) {
    let parts: [JSONValue] = if case .array(let items) = children { items } else { [children] }
    let text = parts.compactMap(\.string).joined()
    if text.lowercased().contains("</\(name)") { throw Self.invalid(path, "contains the end tag of <\(name)>") }
    bytes += Array(text.utf8)
  }

  private static func isElementName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

  static func escaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += Array("&amp;".utf8)
      case UInt8(ascii: "<"): result += Array("&lt;".utf8)
      case UInt8(ascii: ">"): result += Array("&gt;".utf8)
      case UInt8(ascii: "\""): result += Array("&quot;".utf8)
      default: result.append(byte)
      }
    }
    return result
  }

  static func invalid(_ path: String, _ problem: String) -> OffprintError { OffprintError(.dataInvalid, "\(path) \(problem).") }
}
