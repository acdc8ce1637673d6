import CSS
import CoreTypes
import DOM
import Images
import Painting

/// Writes elements of SVG as text for the SVG library, with what the page's style sheets say of them.
struct SVGSerializer {
  private let document: Document
  /// By node; empty for documents that were not styled.
  private let styles: [ComputedStyle]
  private(set) var output: [UInt8] = []
  /// Ids that what was written refers to, in order.
  private(set) var references: [String] = []
  /// An element that is given another id.
  private var renamed: (node: NodeID, id: String)?
  private var clipCount = 0

  init(_ document: Document, styles: [ComputedStyle] = []) { self.document = document; self.styles = styles }

  /// An inline `<svg>` as a document of its own. Elements nested deeper than the parser allows do not exist, so that this may recurse.
  static func document(_ node: NodeID, in document: Document, styles: [ComputedStyle]) -> [UInt8] {
    var serializer = SVGSerializer(document, styles: styles)
    serializer.write(node, isRoot: true)
    return serializer.output
  }

  /// The element with an id, under the name references have, and all it refers to, one after the other.
  static func reference(_ id: String, _ ids: ElementIDs, in document: Document, styles: [ComputedStyle]) -> SVGReference? {
    guard let node = ids[id], let kind = kind(of: node, in: document) else { return nil }
    var serializer = SVGSerializer(document, styles: styles)
    serializer.renamed = (node, SVGReference.name)
    serializer.write(node, isRoot: false)
    serializer.writeReferences(ids, except: node)
    return SVGReference(kind: kind, id: id, definitions: serializer.output)
  }

  private static func kind(of node: NodeID, in document: Document) -> SVGReference.Kind? {
    guard document[node].namespace == .svg else { return nil }
    return switch String(decoding: document.names[document[node].name], as: UTF8.self) {
    case "mask": .mask
    case "clipPath": .clipPath
    case "filter": .filter
    default: nil
    }
  }

  private mutating func writeReferences(_ ids: ElementIDs, except first: NodeID) {
    var next = 0
    var seen: Set<NodeID> = [first]
    while next < references.count, seen.count < 1000, output.count < 8 << 20 {
      let id = references[next]
      next += 1
      guard let node = ids[id], document[node].namespace == .svg, seen.insert(node).inserted else { continue }
      write(node, isRoot: false)
    }
  }

  private mutating func write(_ node: NodeID, isRoot: Bool) {
    let element = document[node]
    switch element.kind {
    case .text: escape(document.data(of: node))
    case .element where element.namespace == .svg:
      let name = document.names[element.name]
      let clip = isRoot ? nil : writeClip(of: node)
      output.append(UInt8(ascii: "<"))
      output.append(contentsOf: name)
      if isRoot { output.append(contentsOf: " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8) }
      attributes(of: node, isRoot: isRoot, clip: clip)
      output.append(UInt8(ascii: ">"))
      var child = element.firstChild
      while !child.isNone {
        write(child, isRoot: false)
        child = document[child].nextSibling
      }
      output.append(contentsOf: "</".utf8)
      output.append(contentsOf: name)
      output.append(UInt8(ascii: ">"))
    default: break
    }
  }

  /// A basic shape that clips an element, as a `<clipPath>` in front of it; its id.
  private mutating func writeClip(of node: NodeID) -> String? {
    let style = styles.indices.contains(node.index) ? styles[node.index] : nil
    var value = style?.effects.clipPath ?? ShapeValue.none
    if value == .none {
      guard let text = attribute("clip-path", of: node), let parsed = ShapeValue(text: text) else { return nil }
      value = parsed
    }
    let bounds = SVGBounds(document: document)
    let width = style?.effects.svg.strokeWidth ?? bounds.number("stroke-width", node, default: 1)
    let stroke = attribute("stroke", of: node) ?? "none"
    let isStroked = style?.effects.svg.isStroked ?? (stroke != "none")
    func box(_ edge: BoxEdge) -> DisplayRect { bounds.box(edge, of: node, strokeWidth: isStroked ? width : 0) }
    let path: VectorPath
    switch value {
    case .shape(let shape, let edge): path = BasicShapeOutline(rect: box(edge ?? .borderBox), scale: 1).path(shape)
    case .box(let edge):
      let r = box(edge)
      path = .polygon([
        DisplayPoint(r.x, r.y), DisplayPoint(r.maxX, r.y), DisplayPoint(r.maxX, r.maxY), DisplayPoint(r.x, r.maxY),
      ])
    case .none, .image, .reference: return nil
    }
    clipCount += 1
    let id = "offprint-clip-\(clipCount)"
    let rule = path.evenOdd ? " clip-rule=\"evenodd\"" : ""
    output += "<clipPath id=\"\(id)\"><path\(rule) d=\"\(path.svgText)\"/></clipPath>".utf8
    return id
  }

  private func attribute(_ name: String, of node: NodeID) -> String? {
    for attribute in document.attributes[document[node].attributes.range] where attribute.namespace == .none {
      if document.names[attribute.name].elementsEqual(name.utf8) { return String(decoding: document.bytes(attribute.value), as: UTF8.self) }
    }
    return nil
  }

  private mutating func attributes(of node: NodeID, isRoot: Bool, clip: String?) {
    var style: [UInt8] = []
    for attribute in document.attributes[document[node].attributes.range]
    where attribute.namespace == .none || attribute.namespace == .xlink {
      let name = document.names[attribute.name]
      guard name.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x27 && $0 != 0x3C && $0 != 0x3E && $0 != 0x2F && $0 != 0x3D }),
        attribute.name != .xmlns
      else { continue }
      let value = document.bytes(attribute.value)
      if attribute.namespace == .none, attribute.name == .style { style = Array(value) + [UInt8(ascii: ";")]; continue }
      note(value)
      output.append(UInt8(ascii: " "))
      if attribute.namespace == .xlink && !name.contains(UInt8(ascii: ":")) { output.append(contentsOf: "xlink:".utf8) }
      output.append(contentsOf: name)
      output.append(contentsOf: "=\"".utf8)
      if let renamed, renamed.node == node, attribute.name == .id {
        output.append(contentsOf: renamed.id.utf8)
      } else {
        escape(value)
      }
      output.append(UInt8(ascii: "\""))
    }
    if styles.indices.contains(node.index) { style += SVGStyleText.declarations(styles[node.index], parentStyle(of: node), isRoot: isRoot) }
    if let clip { style += "clip-path:url(#\(clip));".utf8 }
    guard !style.isEmpty else { return }
    note(style[...])
    output.append(contentsOf: " style=\"".utf8)
    escape(style[...])
    output.append(UInt8(ascii: "\""))
  }

  private func parentStyle(of node: NodeID) -> ComputedStyle? {
    let parent = document.parentElement(of: node)
    return !parent.isNone && document[parent].namespace == .svg && styles.indices.contains(parent.index) ? styles[parent.index] : nil
  }

  /// Remembers `#id` and `url(#id)`.
  private mutating func note(_ value: ArraySlice<UInt8>) {
    guard let hash = value.firstIndex(of: UInt8(ascii: "#")), references.count < 10_000 else { return }
    for part in value[hash...].split(separator: UInt8(ascii: "#")) {
      let id = part.prefix { $0 > 0x20 && !")\"';".utf8.contains($0) }
      if !id.isEmpty { references.append(String(decoding: id, as: UTF8.self)) }
    }
  }

  private mutating func escape(_ bytes: ArraySlice<UInt8>) {
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

/// Elements by their id, the first of each.
struct ElementIDs {
  private var nodes: [String: NodeID] = [:]

  init(_ document: Document) {
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      guard let id = document.attribute(.id, of: NodeID(index)), !id.isEmpty else { continue }
      let key = String(decoding: id, as: UTF8.self)
      if nodes[key] == nil { nodes[key] = NodeID(index) }
    }
  }

  subscript(id: String) -> NodeID? { nodes[id] }
}
