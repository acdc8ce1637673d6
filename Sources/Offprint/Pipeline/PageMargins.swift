import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout

/// Everything around the page areas: backgrounds, borders and margin boxes of all pages, one below the other.
struct PageMargins {
  var tree: BoxTree
  var fragments: FragmentTree
  var images: ImageStore
  /// The top of each page, and the bottom of the last one, in CSS px.
  var tops: [LayoutUnit]
  var width: LayoutUnit
}

extension LayoutPass {
  /// Lays out the margin boxes of all pages as a document of their own.
  ///
  /// - Returns: Nil if style sheets specify none.
  mutating func layOutMargins(_ pages: PageSequence, of styled: StyledDocument) throws -> PageMargins? {
    let styler = PageStyler(styled, fontMetrics: LoadedFontMetrics(fonts: fonts), deadline: deadline)
    guard styler.isNeeded else { return nil }
    var document = PageMarginDocument(styled, pages, styler)
    try document.build()
    let content = document.styled
    let images = try loadImages(content)
    let tree = try BoxTreeBuilder.build(content, images: images, limits: request.limits, deadline: deadline)
    let size = LayoutSize(
      width: document.pages.reduce(LayoutUnit(1)) { max($0, $1.size.width) }, height: document.tops.last ?? LayoutUnit(1))
    let engine = LayoutEngine(tree: tree, fonts: fonts, viewport: size, deadline: deadline, limits: request.limits)
    let fragments = try engine.layoutPageMargins(document.pages)
    log.append(contentsOf: engine.diagnostics)
    return PageMargins(tree: engine.tree, fragments: fragments, images: images, tops: document.tops, width: size.width)
  }
}

/// A document with one element per page, containing one for its page box and one for each of its margin boxes.
private struct PageMarginDocument {
  let page: StyledDocument
  let styler: PageStyler
  let source: PageSequence
  private var document: Document
  private var styles: [ComputedStyle]
  private var pseudoStyles: [StyledDocument.PseudoKey: ComputedStyle] = [:]
  private var cachedStyles: [PageSequence.Key: PageContextStyle] = [:]
  var pages: [PageMarginInput] = []
  var tops: [LayoutUnit] = [.zero]

  init(_ page: StyledDocument, _ source: PageSequence, _ styler: PageStyler) {
    self.page = page
    self.source = source
    self.styler = styler
    document = Document(names: page.document.names)
    styles = [page.arena.initialStyle]
  }

  var styled: StyledDocument {
    var styled = StyledDocument(document: document, arena: page.arena, styles: styles)
    styled.pseudoStyles = pseudoStyles
    styled.counterStyles = page.counterStyles
    styled.fontFaces = page.fontFaces
    styled.fontFeatureValues = page.fontFeatureValues
    styled.baseURL = page.baseURL
    styled.media = page.media
    return styled
  }

  mutating func build() throws {
    let root = append(.html, rootStyle, to: .document)
    for number in source.extents.indices {
      let style = style(source.key(of: number)), pageBox = source.pageBox(of: number)
      let element = append(.div, style.page, to: root)
      _ = append(.div, style.frame, to: element)
      for box in style.boxes {
        let node = append(.div, box.style, to: element)
        pseudoStyles[StyledDocument.PseudoKey(node: node, pseudo: .before)] = box.contents
      }
      let top = tops.last ?? .zero, size = LayoutSize(width: LayoutUnit(pageBox.width), height: LayoutUnit(pageBox.height))
      let margins = pageBox.margins.map { LayoutUnit($0) }
      pages.append(
        PageMarginInput(
          top: top, size: size, margin: LayoutEdges(top: margins[0], right: margins[1], bottom: margins[2], left: margins[3]),
          boxes: style.boxes.map(\.box)))
      // Pages begin at whole px.
      tops.append(top + LayoutUnit(pageBox.height.rounded(.up)))
    }
  }

  /// https://drafts.csswg.org/css-page-3/#page-based-counters
  private var rootStyle: ComputedStyle {
    let plain = page.arena.anonymousStyle(inheriting: page.arena.initialStyle, display: .block)
    return page.arena.modified(plain) { record in
      var content = ContentStyle()
      content.counterReset = [CounterChange(name: "page", value: 0), CounterChange(name: "pages", value: source.extents.count)]
      record.content = page.arena.allocate(content)
    }
  }

  private mutating func style(_ key: PageSequence.Key) -> PageContextStyle {
    if let style = cachedStyles[key] { return style }
    var style = styler.style(key.side.classes, name: key.name)
    if !style.page.content.counterIncrement.contains(where: { $0.name == "page" }) {
      style.page = page.arena.modified(style.page) { record in
        var content = record.content.pointee
        content.counterIncrement.append(CounterChange(name: "page", value: 1))
        record.content = page.arena.allocate(content)
      }
    }
    cachedStyles[key] = style
    return style
  }

  private mutating func append(_ name: Name, _ style: ComputedStyle, to parent: NodeID) -> NodeID {
    let id = NodeID(document.nodes.count)
    var node = Node(kind: .element)
    (node.namespace, node.name, node.parent) = (.html, name, parent)
    let last = document.nodes[parent.index].lastChild
    node.previousSibling = last
    document.nodes.append(node)
    if last.isNone { document.nodes[parent.index].firstChild = id } else { document.nodes[last.index].nextSibling = id }
    document.nodes[parent.index].lastChild = id
    styles.append(style)
    return id
  }
}
