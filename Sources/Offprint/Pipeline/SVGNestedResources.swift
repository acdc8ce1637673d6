import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintResources
import OffprintTypography

/// The resources of an SVG image: `data:` URLs only. https://www.w3.org/TR/SVG2/conform.html#secure-static-mode
final class SVGNestedResources {
  private let resources: PageResources
  private let isDark: Bool
  /// The first resource that could not be loaded.
  private(set) var problem: Diagnostic?

  init(_ resources: PageResources, isDark: Bool) { (self.resources, self.isDark) = (resources, isDark) }

  /// Styles the document with its style sheets and their fonts.
  func style(_ document: Document, width: Double, height: Double) throws -> (StyledDocument, FontContext) {
    var options = StyleEngine.Options(
      media: MediaEnvironment(type: .screen, width: width, height: height, resolution: 1, isDark: isDark))
    options.deadline = resources.deadline
    options.limits = resources.limits
    options.time = resources.time
    let fonts = SVGNestedFonts(shared: resources.svg.fonts)
    let styled = try StyleEngine.style(document, options: options, fontMetrics: fonts, loader: styleSheet) { rules in
      guard !rules.isEmpty else { return }
      let loaded = resources.loadFonts(rules.map(allowed), resources.svg.registry)
      for problem in loaded.problems { note(problem) }
      fonts.context = FontContext(fonts: loaded.set)
    }
    return (styled, fonts.context)
  }

  private func styleSheet(_ request: StyleSheetRequest) -> StyleSheetSource? {
    allows(request.url) ? resources.styleSheet(request) : nil
  }

  private func allowed(_ rule: FontFaceRule) -> FontFaceRule {
    var rule = rule
    rule.sources = rule.sources.filter { source in
      if case .url(let url, _) = source { allows(url) } else { true }
    }
    return rule
  }

  /// The images of elements and style sheets.
  func images(_ styled: StyledDocument) throws -> ImageStore {
    var store = ImageStore()
    let document = styled.document
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      if index & 255 == 0 { try resources.deadline.check() }
      let node = NodeID(index)
      if let url = Self.url(of: node, document) { store.byNode[node] = image(url) }
      collect(styled.styles[index], into: &store)
    }
    for style in styled.orderedPseudoStyles { collect(style, into: &store) }
    return store
  }

  private static func url(of node: NodeID, _ document: Document) -> String? {
    let element = document[node]
    if element.namespace == .svg { return SVGDocument.imageURL(node, document) }
    guard element.namespace == .html, let name = attribute(of: element.name), let value = document.attribute(name, of: node) else {
      return nil
    }
    let trimmed = value.trimmingSpaces
    return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
  }

  private static func attribute(of element: Name) -> Name? {
    switch element {
    case .img, .input, .embed: .src
    case .object: .data
    case .video: .poster
    default: nil
    }
  }

  private func collect(_ style: ComputedStyle, into store: inout ImageStore) {
    for url in style.imageURLs where store.byURL[url] == nil && !store.missing.contains(url) {
      if let image = image(url) { store.byURL[url] = image } else { store.missing.insert(url) }
    }
  }

  private func image(_ url: String) -> DecodedImage? {
    guard allows(url) else { return nil }
    let loaded = resources.image(url, shownAs: String(url.prefix(40)))
    if let problem = loaded.problem { note(problem) }
    return loaded.image
  }

  /// Whether a URL may be loaded; refused URLs are recorded.
  private func allows(_ url: String) -> Bool {
    if url.utf8.count >= 5, url.utf8.prefix(5).elementsEqual("data:".utf8, by: { $0 | 0x20 == $1 | 0x20 }) { return true }
    if url.utf8.first != UInt8(ascii: "#") {
      note(Diagnostic("resourceRefused", .degraded, "Refused to load \"\(url.prefix(200))\": SVG images can load only data: URLs."))
    }
    return false
  }

  private func note(_ diagnostic: Diagnostic) { problem = problem ?? diagnostic }
}

/// Provides metrics of the fonts of an SVG image, once its rules are known.
private final class SVGNestedFonts: FontMetricsProvider {
  var context: FontContext

  init(shared: FontContext) { context = shared }

  func metrics(for font: OffprintCSS.FontStyle) -> FontRelativeMetrics { LoadedFontMetrics(fonts: context).metrics(for: font) }

  func uprightAdvance(of character: FontRelativeMetrics.Character, for font: OffprintCSS.FontStyle) -> Float? {
    LoadedFontMetrics(fonts: context).uprightAdvance(of: character, for: font)
  }

  func mathScriptScales(for font: OffprintCSS.FontStyle) -> (script: Float, scriptScript: Float)? {
    LoadedFontMetrics(fonts: context).mathScriptScales(for: font)
  }
}
