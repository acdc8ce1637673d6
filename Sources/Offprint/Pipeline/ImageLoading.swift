import CSS
import CoreTypes
import DOM
import Images
import Layout
import Resources

extension RenderWorker {
  /// Loads and decodes every picture that the page may show: of elements, and of styles in use.
  func loadImages(_ styled: StyledDocument, _ page: inout Page) throws -> ImageStore {
    var store = ImageStore()
    let document = styled.document
    var seen: Set<UnsafePointer<StyleRecord>> = []
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      let node = NodeID(index)
      collectElement(node, styled, into: &store, &page)
      let style = styled.styles[index]
      if seen.insert(style.record).inserted { collectStyle(style, into: &store, &page) }
      if index & 1023 == 0 { try page.deadline.check() }
    }
    collectReferences(styled, into: &store, &page)
    for style in styled.pseudoStyles.values.sorted(by: { $0.record < $1.record }) where seen.insert(style.record).inserted {
      collectStyle(style, into: &store, &page)
    }
    return store
  }

  private func collectElement(_ node: NodeID, _ styled: StyledDocument, into store: inout ImageStore, _ page: inout Page) {
    let document = styled.document
    let element = document[node]
    if element.namespace == .svg, element.name == .svg, document[element.parent].namespace != .svg {
      if let image = try? ImageDecoder.decode(inlineSVG: SVGSerializer.document(node, in: document, styles: styled.styles)) {
        store.byNode[node] = image
      }
      return
    }
    guard element.namespace == .html else { return }
    let attribute: Name
    switch element.name {
    case .img, .input, .embed: attribute = .src
    case .object: attribute = .data
    case .video: attribute = .poster
    default: return
    }
    guard let bytes = document.attribute(attribute, of: node) else { return }
    let url = String(decoding: bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self)
    load(url, into: &store, &page)
  }

  private func collectStyle(_ style: ComputedStyle, into store: inout ImageStore, _ page: inout Page) {
    for layer in style.background.layers { load(layer.image, into: &store, &page) }
    // A mask that names an element is no picture, unless that element is not there.
    for layer in style.effects.mask {
      if case .url(let url) = layer.image, url.utf8.contains(UInt8(ascii: "#")) { continue }
      load(layer.image, into: &store, &page)
    }
    load(style.border.image.source, into: &store, &page)
    load(style.text.listStyleImage, into: &store, &page)
    if case .items(let items) = style.content.content {
      for case .image(let image) in items { load(image, into: &store, &page) }
    }
    if case .image(let image) = style.effects.shapeOutside { load(image, into: &store, &page) }
  }

  private func load(_ image: ImageValue, into store: inout ImageStore, _ page: inout Page) {
    if case .url(let url) = image { load(url, into: &store, &page) }
  }

  func load(_ url: String, into store: inout ImageStore, _ page: inout Page) {
    guard !url.isEmpty, store.byURL[url] == nil, !store.missing.contains(url) else { return }
    do {
      let resource = try page.loader.load(url, relativeTo: page.base)
      let image = try ImageDecoder.decode(resource.bytes, limits: page.request.limits)
      store.byURL[url] = image
      if image.isPartial {
        page.diagnostics.report(Diagnostic("imageDamaged", .degraded, "The picture '\(url.prefix(200))' ends early; what there is of it is drawn."))
      }
    } catch {
      store.missing.insert(url)
      page.diagnostics.report(problem(error, url))
    }
  }

  private func problem(_ error: any Error, _ url: String) -> Diagnostic {
    switch error {
    case let error as ResourceError: Diagnostic(error.code, .degraded, error.message)
    case let error as ImageError:
      Diagnostic(.init(rawValue: error.code.rawValue), .degraded, "The picture '\(url.prefix(200))' is not drawn: \(error.message)")
    default: Diagnostic("resourceUnreadable", .degraded, "The picture '\(url.prefix(200))' cannot be read.")
    }
  }
}

extension RenderWorker.Page {
  /// What relative references on the page are resolved against.
  var base: ResourceURL? { request.basePath.map { ResourceURL(filePath: $0) } }
}
