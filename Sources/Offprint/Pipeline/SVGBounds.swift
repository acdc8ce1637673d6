import CSS
import CoreTypes
import DOM
import Painting

/// The boxes that shapes on elements of SVG refer to, in the element's user space. https://www.w3.org/TR/SVG2/coords.html#BoundingBoxes
struct SVGBounds {
  let document: Document

  func box(_ edge: BoxEdge, of node: NodeID, strokeWidth: Double) -> DisplayRect {
    switch edge {
    case .viewBox: return viewBox(around: node)
    case .fillBox, .contentBox, .paddingBox: return fill(node, depth: 0)
    default:
      let box = fill(node, depth: 0), half = strokeWidth / 2
      return DisplayRect(x: box.x - half, y: box.y - half, width: box.width + 2 * half, height: box.height + 2 * half)
    }
  }

  private func text(_ name: String, _ node: NodeID) -> String? {
    for attribute in document.attributes[document[node].attributes.range] where attribute.namespace == .none {
      if document.names[attribute.name].elementsEqual(name.utf8) { return String(decoding: document.bytes(attribute.value), as: UTF8.self) }
    }
    return nil
  }

  func number(_ name: String, _ node: NodeID, default value: Double = 0) -> Double {
    guard let text = text(name, node), let number = Self.numbers(text).first else { return value }
    return number
  }

  private static func numbers(_ text: String) -> [Double] {
    text.split { !($0.isNumber || $0 == "." || $0 == "-" || $0 == "e") }.prefix(100_000).compactMap { Double($0) }
      .map { $0.isFinite ? max(-1e7, min(1e7, $0)) : 0 }
  }

  private func viewBox(around node: NodeID) -> DisplayRect {
    var root = document.parentElement(of: node)
    while !root.isNone, document[root].name != .svg || document[root].namespace != .svg { root = document.parentElement(of: root) }
    guard !root.isNone else { return DisplayRect(x: 0, y: 0, width: 0, height: 0) }
    let box = text("viewBox", root).map { Self.numbers($0) } ?? []
    if box.count == 4 { return DisplayRect(x: box[0], y: box[1], width: box[2], height: box[3]) }
    return DisplayRect(x: 0, y: 0, width: number("width", root, default: 300), height: number("height", root, default: 150))
  }

  private func fill(_ node: NodeID, depth: Int) -> DisplayRect {
    func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> DisplayRect {
      DisplayRect(x: x, y: y, width: max(0, width), height: max(0, height))
    }
    func n(_ name: String) -> Double { number(name, node) }
    switch String(decoding: document.names[document[node].name], as: UTF8.self) {
    case "rect", "image", "svg", "foreignObject", "use": return rect(n("x"), n("y"), n("width"), n("height"))
    case "circle": return rect(n("cx") - n("r"), n("cy") - n("r"), 2 * n("r"), 2 * n("r"))
    case "ellipse": return rect(n("cx") - n("rx"), n("cy") - n("ry"), 2 * n("rx"), 2 * n("ry"))
    case "line": return union([(n("x1"), n("y1")), (n("x2"), n("y2"))])
    case "polyline", "polygon":
      let values = Self.numbers(text("points", node) ?? "")
      return union(stride(from: 0, to: values.count - 1, by: 2).map { (values[$0], values[$0 + 1]) })
    case "path": return VectorPath(svgPath: text("d", node) ?? "").bounds
    default:
      guard depth < 64 else { return rect(0, 0, 0, 0) }
      let boxes = document.elementChildren(of: node).map { fill($0, depth: depth + 1) }.filter { $0.width > 0 || $0.height > 0 }
      return union(boxes.flatMap { [($0.x, $0.y), ($0.maxX, $0.maxY)] })
    }
  }

  private func union(_ points: [(Double, Double)]) -> DisplayRect {
    guard let first = points.first else { return DisplayRect(x: 0, y: 0, width: 0, height: 0) }
    var (left, top, right, bottom) = (first.0, first.1, first.0, first.1)
    for (x, y) in points { (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y)) }
    return DisplayRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension VectorPath {
  /// As the data of a `path` element.
  var svgText: String {
    elements.map { element in
      switch element {
      case .move(let p): "M\(p.x) \(p.y)"
      case .line(let p): "L\(p.x) \(p.y)"
      case .cubic(let a, let b, let c): "C\(a.x) \(a.y) \(b.x) \(b.y) \(c.x) \(c.y)"
      case .close: "Z"
      }
    }.joined()
  }
}
