public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
public import OffprintImages
public import OffprintTypography

/// An element of SVG, or a copy of one that a `use` element shows.
public struct SVGReference: Hashable, Sendable {
  public var node: NodeID
  /// Its number in `StyledDocument.svgInstances`; -1 for the element itself.
  public var instance: Int32 = -1
  public init(node: NodeID, instance: Int32 = -1) { self.node = node; self.instance = instance }
}

/// The elements of SVG that mean something to a picture.
enum SVGElementKind: String {
  case a, circle, clipPath, defs, ellipse, filter, foreignObject, g, image, line, linearGradient, marker, mask, path, pattern, polygon,
    polyline, radialGradient, rect, stop, svg, `switch`, symbol, text, textPath, tspan, use
}

/// The SVG of one document: from elements to trees of shapes, and the resources that they refer to. Used by one thread.
public final class SVGScene: @unchecked Sendable {
  public let styled: StyledDocument
  public let fonts: FontContext
  let deadline: Deadline
  /// The picture that an element shows.
  let picture: (NodeID) -> DecodedImage?
  /// What style sheets of the document, and HTML in it, show.
  public let images: ImageStore
  private lazy var ids = SVGScene.elementIDs(styled.document)
  private var kinds: [Name: SVGElementKind?] = [:]
  private var gradients: [NodeID: SVGGradient?] = [:]
  /// What has been laid out of it, in elements, for this drawing: beyond the limit there is nothing more.
  private var elements = 0
  private let mostElements: Int
  /// The boxes of `foreignObject` elements, laid out.
  public var foreignContent: [NodeID: FragmentID] = [:]

  public init(
    _ styled: StyledDocument, fonts: FontContext, images: ImageStore = ImageStore(), deadline: Deadline = .never, limits: Limits = Limits(),
    picture: @escaping (NodeID) -> DecodedImage? = { _ in nil }
  ) {
    self.styled = styled
    self.fonts = fonts
    self.images = images
    self.deadline = deadline
    self.picture = picture
    mostElements = max(1, limits.nodes)
  }

  var document: Document { styled.document }
  /// HTML is in it.
  public var hasForeignContent: Bool {
    document.nodes.indices.contains { kind(NodeID($0)) == .foreignObject }
  }

  /// The pictures that elements show.
  public var pictures: [NodeID: DecodedImage] {
    var result: [NodeID: DecodedImage] = [:]
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      if let image = picture(NodeID(index)) { result[NodeID(index)] = image }
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

  /// The element that `#id` names.
  func element(_ url: String) -> NodeID? {
    guard url.utf8.first == UInt8(ascii: "#") else { return nil }
    return ids[String(url.dropFirst())]
  }

  func kind(_ node: NodeID) -> SVGElementKind? {
    let element = document[node]
    guard element.kind == .element, element.namespace == .svg else { return nil }
    if let known = kinds[element.name] { return known }
    let kind = SVGElementKind(rawValue: String(decoding: document.names[element.name], as: UTF8.self))
    kinds[element.name] = .some(kind)
    return kind
  }

  public func style(_ reference: SVGReference) -> ComputedStyle {
    let instance = Int(reference.instance)
    return styled.svgInstances.indices.contains(instance) ? styled.svgInstances[instance].style : styled.styles[reference.node.index]
  }

  /// The child elements, copies of a copy.
  func children(_ reference: SVGReference) -> [SVGReference] {
    let instance = Int(reference.instance)
    if styled.svgInstances.indices.contains(instance) {
      return styled.svgInstances[instance].children.map { SVGReference(node: styled.svgInstances[Int($0)].node, instance: $0) }
    }
    return document.elementChildren(of: reference.node).map { SVGReference(node: $0) }
  }

  /// What a `use` element shows.
  func target(_ use: SVGReference) -> SVGReference? {
    if use.instance >= 0 { return children(use).first }
    return styled.svgUses[use.node].map { SVGReference(node: styled.svgInstances[Int($0)].node, instance: $0) }
  }

  /// Each drawing of a picture may lay out as much as the first.
  public func beginDrawing() { elements = 0 }

  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  func count() throws {
    elements += 1
    if elements > mostElements { throw LimitExceeded(limit: "nodes", allowed: mostElements) }
    if elements & 63 == 0 { try deadline.check() }
  }

  func gradient(_ node: NodeID) -> SVGGradient? {
    if let known = gradients[node] { return known }
    let made = makeGradient(node)
    gradients[node] = .some(made)
    return made
  }
}
