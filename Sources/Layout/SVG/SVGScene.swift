public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
public import OffprintImages
public import OffprintTypography

/// An SVG element, or an instance of it in a `use` element.
public struct SVGReference: Hashable, Sendable {
  public var node: NodeID
  /// Index into `StyledDocument.svgInstances`; -1 for the element itself.
  public var instance: Int32 = -1
  public init(node: NodeID, instance: Int32 = -1) { self.node = node; self.instance = instance }
}

/// The SVG elements with an effect on rendering.
enum SVGElementKind: String {
  case a, circle, clipPath, defs, ellipse, filter, foreignObject, g, image, line, linearGradient, marker, mask, path, pattern, polygon,
    polyline, radialGradient, rect, stop, svg, `switch`, symbol, text, textPath, tspan, use
}

/// The SVG of a document: builds trees of shapes from elements, and resolves the resources they refer to. Used by one thread.
public final class SVGScene: @unchecked Sendable {
  public let styled: StyledDocument
  public let fonts: FontContext
  let deadline: Deadline
  /// The image of an element.
  let elementImage: (NodeID) -> DecodedImage?
  /// The images of the document's style sheets and HTML contents.
  public let images: ImageStore
  private lazy var ids = SVGScene.elementIDs(styled.document)
  private var kinds: [Name: SVGElementKind?] = [:]
  private var gradients: [NodeID: SVGGradient?] = [:]
  /// The number of elements built for the current rendering, which is limited.
  private var elements = 0
  private let maximumElements: Int
  /// The laid-out boxes of `foreignObject` elements.
  public var foreignContent: [NodeID: FragmentID] = [:]

  public init(
    _ styled: StyledDocument, fonts: FontContext, images: ImageStore = ImageStore(), deadline: Deadline = .never, limits: Limits = Limits(),
    elementImage: @escaping (NodeID) -> DecodedImage? = { _ in nil }
  ) {
    self.styled = styled
    self.fonts = fonts
    self.images = images
    self.deadline = deadline
    self.elementImage = elementImage
    maximumElements = max(1, limits.nodes)
  }

  var document: Document { styled.document }
  /// Whether there is a `foreignObject` element.
  public var hasForeignContent: Bool {
    document.nodes.indices.contains { kind(NodeID($0)) == .foreignObject }
  }

  /// The images of all elements.
  public var elementImages: [NodeID: DecodedImage] {
    var result: [NodeID: DecodedImage] = [:]
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      if let image = elementImage(NodeID(index)) { result[NodeID(index)] = image }
    }
    return result
  }

  private static func elementIDs(_ document: Document) -> [ByteString: NodeID] {
    var result: [ByteString: NodeID] = [:]
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      guard let id = document.attribute(.id, of: NodeID(index)), !id.isEmpty else { continue }
      let key = String(decoding: id, as: UTF8.self)
      if result[key] == nil { result[key] = NodeID(index) }
    }
    return result
  }

  /// The element for a fragment URL `#id`.
  func element(_ url: String) -> NodeID? {
    guard url.utf8.first == UInt8(ascii: "#") else { return nil }
    return ids[String(url.dropFirst())]
  }

  func kind(_ node: NodeID) -> SVGElementKind? {
    let element = document[node]
    guard element.kind == .element, element.namespace == .svg else { return nil }
    if let cached = kinds[element.name] { return cached }
    let kind = SVGElementKind(rawValue: String(decoding: document.names[element.name], as: UTF8.self))
    kinds[element.name] = .some(kind)
    return kind
  }

  public func style(_ reference: SVGReference) -> ComputedStyle {
    let instance = Int(reference.instance)
    return styled.svgInstances.indices.contains(instance) ? styled.svgInstances[instance].style : styled.styles[reference.node.index]
  }

  /// The child elements, or those of an instance.
  func children(_ reference: SVGReference) -> [SVGReference] {
    let instance = Int(reference.instance)
    if styled.svgInstances.indices.contains(instance) {
      return styled.svgInstances[instance].children.map { SVGReference(node: styled.svgInstances[Int($0)].node, instance: $0) }
    }
    return document.elementChildren(of: reference.node).map { SVGReference(node: $0) }
  }

  /// The instance shown by a `use` element.
  func target(_ use: SVGReference) -> SVGReference? {
    if use.instance >= 0 { return children(use).first }
    return styled.svgUses[use.node].map { SVGReference(node: styled.svgInstances[Int($0)].node, instance: $0) }
  }

  /// Resets the number of built elements. Each rendering of an image has the same limit.
  public func beginDrawing() { elements = 0 }

  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  func count() throws {
    elements += 1
    if elements > maximumElements { throw LimitExceeded(limit: "nodes", allowed: maximumElements) }
    if elements & 63 == 0 { try deadline.check() }
  }

  func gradient(_ node: NodeID) -> SVGGradient? {
    if let cached = gradients[node] { return cached }
    let made = makeGradient(node)
    gradients[node] = .some(made)
    return made
  }
}
