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
    store.budget = DecodingBudget(limits: page.request.limits, deadline: page.deadline)
    let document = styled.document
    var seen: Set<UnsafePointer<StyleRecord>> = []
    var sources = ImageSourceSelection(document, styled.media)
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      try collectElement(NodeID(index), styled, &sources, into: &store, &page)
      let style = styled.styles[index]
      if seen.insert(style.record).inserted { collectStyle(style, into: &store, &page) }
      if index & 255 == 0 { try page.deadline.check() }
    }
    collectReferences(styled, into: &store, &page)
    for style in styled.pseudoStyles.values.sorted(by: { $0.record < $1.record }) where seen.insert(style.record).inserted {
      collectStyle(style, into: &store, &page)
    }
    return store
  }

  private func collectElement(
    _ node: NodeID, _ styled: StyledDocument, _ sources: inout ImageSourceSelection, into store: inout ImageStore, _ page: inout Page
  ) throws {
    let document = styled.document
    let element = document[node]
    if element.namespace == .svg, element.name == .svg, document[element.parent].namespace != .svg {
      if let image = try? ImageDecoder.decode(inlineSVG: SVGSerializer.document(node, in: document, styles: styled.styles)) {
        store.byNode[node] = image
      }
      return
    }
    guard element.namespace == .html, let (url, density) = picture(of: node, styled, &sources), !url.isEmpty else { return }
    let resolved = ResourceURL(styled.baseURL)?.resolving(url)?.description ?? url
    load(resolved, shownAs: url, into: &store, &page)
    guard let image = store.byURL[resolved] else { return }
    let isTurned = styled.style(of: node).text.imageOrientation == .fromImage
    if !isTurned { store.keepUnoriented(resolved) }
    store.byNode[node] = (isTurned ? image : store.unoriented[resolved] ?? image).withDensity(density)
  }

  /// What an element shows: where it is, and how many of its pixels are a CSS px.
  private func picture(
    of node: NodeID, _ styled: StyledDocument, _ sources: inout ImageSourceSelection
  ) -> (url: String, density: Double)? {
    let document = styled.document
    let attribute: Name
    switch document[node].name {
    case .img: return sources.select(node) { shownWidth(styled.style(of: node)) }.map { ($0.url, $0.density) }
    case .input:
      guard document.attribute(.type, of: node).map({ $0.map { $0 | 0x20 } == Array("image".utf8) }) == true else { return nil }
      attribute = .src
    case .embed: attribute = .src
    case .object: attribute = .data
    case .video: attribute = .poster
    default: return nil
    }
    guard let bytes = document.attribute(attribute, of: node) else { return nil }
    return (String(decoding: bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self), 1)
  }

  /// The width of a picture that is chosen by it, before layout: what its style says, otherwise that of its size containment. Nil where
  /// only layout could tell: https://html.spec.whatwg.org/multipage/rendering.html#img-contain-size
  private func shownWidth(_ style: ComputedStyle) -> Double? {
    switch style.box.width {
    case .value(.length(let width)): Double(width)
    case .auto: style.box.contain.isEmpty ? nil : 300
    default: nil
    }
  }

  private func collectStyle(_ style: ComputedStyle, into store: inout ImageStore, _ page: inout Page) {
    let isUnoriented = style.text.imageOrientation == .none
    func load(_ image: ImageValue, into store: inout ImageStore, _ page: inout Page) {
      guard let url = image.resource?.url else { return }
      self.load(url, shownAs: url, into: &store, &page)
      if isUnoriented { store.keepUnoriented(url) }
    }
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

  /// - Parameter shown: the URL as it stands on the page.
  func load(_ url: String, shownAs shown: String, into store: inout ImageStore, _ page: inout Page) {
    guard !url.isEmpty, store.byURL[url] == nil, !store.missing.contains(url) else { return }
    do {
      let resource = try page.loader.load(url, relativeTo: page.base)
      let image = try ImageDecoder.decode(resource.bytes, within: &store.budget)
      store.byURL[url] = image
      if image.isPartial {
        page.diagnostics.report(
          Diagnostic("imageDamaged", .degraded, "The picture '\(shown.prefix(200))' ends early; what there is of it is drawn."))
      }
    } catch {
      store.missing.insert(url)
      page.diagnostics.report(problem(error, shown))
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
