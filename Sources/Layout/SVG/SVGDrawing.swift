import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// A laid-out inline `svg` element, in CSS px of its content box.
public struct SVGDrawing {
  public var root: SVGNode
  public init(root: SVGNode) { self.root = root }
}

extension LayoutEngine {
  /// Lays out the contents of outermost `svg` elements, after their boxes are sized. https://www.w3.org/TR/SVG2/coords.html#ViewportSpace
  func layoutDrawings() throws {
    guard tree.styled.document.nodes.contains(where: { $0.namespace == .svg }) else { return }
    let images = tree.images.byNode
    let scene = SVGScene(tree.styled, fonts: fonts, deadline: deadline, limits: limits) { images[$0] }
    fragments.scene = scene
    try layoutDrawings([fragments.root], scene)
  }

  /// Lays out the contents of `foreignObject` elements of an SVG image.
  ///
  /// - Parameter root: The root node of the image.
  public func layoutForeignContent(of root: SVGNode, _ scene: SVGScene) throws {
    let node = root.reference.node
    guard let box = tree.boxes.indices.first(where: { tree.boxes[$0].node == node && tree.boxes[$0].kind == .replaced }) else { return }
    fragments.scene = scene
    var found: [FragmentID] = []
    try layoutForeign(root, in: BoxID(box), scene, &found, depth: 0)
    try layoutDrawings(found, scene)
    fragments.fonts = FragmentFonts(fragments, tree, fonts)
  }

  private func layoutDrawings(_ roots: [FragmentID], _ scene: SVGScene) throws {
    var stack = roots, seen = Set<FragmentID>()
    while let id = stack.popLast() {
      let fragment = fragments[id]
      if fragment.kind == .box, case .drawing(let node)? = drawing(fragment.box), seen.insert(id).inserted {
        try check()
        let size = LayoutRect(origin: .zero, size: fragment.size).inset(by: fragment.border + fragment.padding).size
        let zoom = Double(fragment.style.zoom)
        let root = try scene.root(node, SVGViewport(width: size.width.double / zoom, height: size.height.double / zoom))
        fragments.fragments[id.index].payload = Int32(clamping: fragments.drawings.count)
        fragments.drawings.append(SVGDrawing(root: root))
        try layoutForeign(root, in: fragment.box, scene, &stack, depth: 0)
      }
      for link in fragments.links[fragment.children] where fragments.fragments.indices.contains(link.fragment.index) {
        stack.append(link.fragment)
      }
    }
  }

  /// Lays out the contents of `foreignObject` elements in their specified sizes.
  private func layoutForeign(_ node: SVGNode, in box: BoxID, _ scene: SVGScene, _ found: inout [FragmentID], depth: Int) throws {
    guard depth < 1000, !tree[box].firstChild.isNone else { return }
    if case .foreign(let rect) = node.kind, node.reference.instance < 0, rect.width > 0, rect.height > 0 {
      guard let child = tree.children(of: box).first(where: { tree[$0].node == node.reference.node }) else { return }
      let direction = WritingDirection(style(child))
      let size = direction.logical(LayoutSize(width: LayoutUnit(rounding: rect.width), height: LayoutUnit(rounding: rect.height)))
      var input = LayoutInput(availableInline: size.inline, availableBlock: size.block)
      input.fixedInline = size.inline
      input.fixedBlock = size.block
      let fragment = try layout(child, input).fragment
      scene.foreignContent[node.reference.node] = fragment
      found.append(fragment)
    }
    for child in node.children { try layoutForeign(child, in: box, scene, &found, depth: depth + 1) }
  }

  private func drawing(_ box: BoxID) -> ReplacedContent.Kind? {
    guard tree.boxes.indices.contains(box.index) else { return nil }
    let number = Int(tree[box].replaced)
    return tree[box].kind == .replaced && tree.replaced.indices.contains(number) ? tree.replaced[number].kind : nil
  }
}

/// The natural dimensions of an `svg` element. https://www.w3.org/TR/SVG2/coords.html#SizingSVGInCSS
struct SVGNaturalSize {
  var width: Float?
  var height: Float?
  var ratio: Float?

  init(_ document: Document, _ node: NodeID) {
    width = Self.length(document.attribute(.width, of: node))
    height = Self.length(document.attribute(.height, of: node))
    if let width, let height, width > 0, height > 0 {
      ratio = width / height
      return
    }
    for attribute in document.attributes(of: node) where attribute.namespace == .none {
      guard document.names[attribute.name].elementsEqual("viewBox".utf8) else { continue }
      let box = SVGScene.numbers(document.bytes(attribute.value), maximum: 5)
      if box.count == 4, box[2] > 0, box[3] > 0 { ratio = Float(box[2] / box[3]) }
    }
  }

  /// In px; nil for percentages and invalid values.
  private static func length(_ value: ArraySlice<UInt8>?) -> Float? {
    guard let value else { return nil }
    var scanner = SVGNumberScanner(value)
    scanner.skipSpace()
    guard let number = scanner.number().map({ max(0, $0) }) else { return nil }
    let factors: [ByteString: Double] = [
      "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 4.0 / 3, "pc": 16, "em": 16, "rem": 16, "ex": 8,
    ]
    let unit = scanner.word()
    guard let factor = unit.map({ factors[$0.lowercased()] }) ?? 1 else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? Float(number * factor) : nil
  }
}
