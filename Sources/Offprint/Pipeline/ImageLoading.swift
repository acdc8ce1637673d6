import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintResources

extension LayoutPass {
  /// Loads and decodes every image the page may paint: of elements, and of computed styles.
  mutating func loadImages(_ styled: StyledDocument) throws -> ImageStore {
    var store = ImageStore()
    let document = styled.document
    var seen: Set<UnsafePointer<StyleRecord>> = []
    var sources = ImageSourceSelection(document, styled.media)
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      collectElement(NodeID(index), styled, &sources, into: &store)
      let style = styled.styles[index]
      if seen.insert(style.record).inserted { collectStyle(style, into: &store) }
      if index & 255 == 0 { try deadline.check() }
    }
    try collectReferences(styled, into: &store)
    for style in styled.orderedPseudoStyles where seen.insert(style.record).inserted { collectStyle(style, into: &store) }
    return store
  }

  private mutating func collectElement(
    _ node: NodeID, _ styled: StyledDocument, _ sources: inout ImageSourceSelection, into store: inout ImageStore
  ) {
    let document = styled.document
    let element = document[node]
    if element.namespace == .svg {
      if let url = SVGDocument.imageURL(node, document) {
        let resolved = ResourceURL(styled.baseURL)?.resolving(url)?.description ?? url
        load(resolved, shownAs: url, into: &store)
        store.byNode[node] = store.byURL[resolved]
      }
      return
    }
    if element.namespace == .html, [.iframe, .object, .embed].contains(element.name), let frame = frame(of: node, styled) {
      store.byNode[node] = frame
      return
    }
    guard element.namespace == .html, let (url, density) = imageSource(of: node, styled, &sources), !url.isEmpty else { return }
    let resolved = ResourceURL(styled.baseURL)?.resolving(url)?.description ?? url
    load(resolved, shownAs: url, size: document[node].name == .img ? shownSize(styled.style(of: node), styled.media) : nil, into: &store)
    guard let image = store.byURL[resolved] else { return }
    let isTurned = styled.style(of: node).text.imageOrientation == .fromImage
    if !isTurned { store.unoriented[resolved] = resources.unoriented(resolved) }
    let dark = styled.style(of: node).text.isDarkScheme ? resources.darkened(resolved) : nil
    store.byNode[node] = (dark ?? (isTurned ? image : store.unoriented[resolved] ?? image)).withDensity(density)
  }

  /// The image of an element: its URL, and its pixels per CSS px.
  private func imageSource(
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
    return (String(decoding: bytes.trimmingSpaces, as: UTF8.self), 1)
  }

  /// The width of an image chosen by `sizes=auto`, before layout: from its style, otherwise from its size containment. Nil if only layout
  /// could determine it: https://html.spec.whatwg.org/multipage/rendering.html#img-contain-size
  private func shownWidth(_ style: ComputedStyle) -> Double? {
    switch style.box.width {
    case .value(.length(let width)): Double(width)
    case .auto: style.box.contain.isEmpty ? nil : 300
    default: nil
    }
  }

  /// An estimate of the size an element's image will be painted at, in device pixels, from its style before layout. An axis without a
  /// specified size does not limit it; nil if neither is specified. Painting compensates for wrong estimates.
  private func shownSize(_ style: ComputedStyle, _ media: MediaEnvironment) -> (width: Double, height: Double)? {
    func axis(_ value: SizeValue, _ maximum: SizeValue, of viewport: Double) -> Double? {
      let sizes = [value, maximum].compactMap { size -> Double? in
        switch size {
        case .value(.length(let length)): Double(length)
        case .value(.percentage(let percent)): viewport * Double(percent) / 100
        default: nil
        }
      }
      return sizes.min().map { max($0, 1) * request.scale }
    }
    guard style.box.objectFit != .none, style.box.objectFit != .scaleDown else { return nil }
    let width = axis(style.box.width, style.box.maxWidth, of: media.width)
    let height = axis(style.box.height, style.box.maxHeight, of: media.height)
    // The other axis follows by the image's aspect ratio.
    guard width != nil || height != nil else { return nil }
    return (width ?? 1, height ?? 1)
  }

  private mutating func collectStyle(_ style: ComputedStyle, into store: inout ImageStore) {
    for layer in style.background.layers { load(layer.image, style, into: &store) }
    // A mask URL with a fragment refers to an element, not an image, unless that element does not exist.
    for layer in style.effects.mask {
      if case .url(let url) = layer.image, url.text.utf8.contains(UInt8(ascii: "#")) { continue }
      load(layer.image, style, into: &store)
    }
    for border in [style.border.image, style.effects.maskBorder, style.effects.reflection?.mask] {
      if let border { load(border.source, style, into: &store) }
    }
    load(style.text.listStyleImage, style, into: &store)
    if case .items(let items) = style.content.content {
      for case .image(let image) in items { load(image, style, into: &store) }
    }
    if case .image(let image) = style.effects.shapeOutside { load(image, style, into: &store) }
  }

  private mutating func load(_ image: ImageValue, _ style: ComputedStyle, into store: inout ImageStore) {
    guard let url = image.resource?.url.text else { return }
    load(url, shownAs: url, into: &store)
    if style.text.imageOrientation == .none, store.unoriented[url] == nil { store.unoriented[url] = resources.unoriented(url) }
    if style.text.isDarkScheme, store.darkened[url] == nil { store.darkened[url] = resources.darkened(url) }
  }

  /// - Parameter shown: The URL as written in the page.
  mutating func load(
    _ url: String, shownAs shown: String, size: (width: Double, height: Double)? = nil, into store: inout ImageStore
  ) {
    guard !url.isEmpty, store.byURL[url] == nil, !store.missing.contains(url) else { return }
    let loaded = resources.image(url, shownAs: shown, size: size)
    if let image = loaded.image { store.byURL[url] = image } else { store.missing.insert(url) }
    if let problem = loaded.problem { log.report(problem) }
  }
}

extension ComputedStyle {
  /// The URLs of all images in the style.
  var imageURLs: [String] {
    var values = background.layers.map(\.image) + effects.mask.map(\.image) + [border.image.source, text.listStyleImage]
    if case .items(let items) = content.content {
      for case .image(let image) in items { values.append(image) }
    }
    if case .image(let image) = effects.shapeOutside { values.append(image) }
    values += [effects.maskBorder, effects.reflection?.mask].compactMap { $0?.source }
    return values.compactMap { $0.resource?.url.text }
  }
}

extension StyledDocument {
  /// The styles of pseudo-elements, sorted by element in document order, then by pseudo-element.
  var orderedPseudoStyles: [ComputedStyle] {
    pseudoStyles.sorted { ($0.key.node.index, $0.key.pseudo.rawValue) < ($1.key.node.index, $1.key.pseudo.rawValue) }.map(\.value)
  }
}
