import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout
import OffprintPainting
import OffprintResources

/// Document information that is not painted: links, headings, title, author, language.
struct PageContents {
  private let page: LaidOutPage
  private let options: PaintOptions
  private let base: ResourceURL?
  private let document: Document
  /// The fragments of elements from top to bottom, in pixels of the display list.
  private var pieces: [NodeID: [PixelRect]] = [:]
  /// The rectangles of elements with names.
  private var places: [ArraySlice<UInt8>: PixelRect] = [:]

  private static let longestTitle = 4096
  private static let maximumLinks = 20_000
  private static let maximumHeadings = 5_000
  private static let maximumPieces = 100
  private static let headings: [Name] = [.h1, .h2, .h3, .h4, .h5, .h6]

  /// - Parameter base: The base URL of links.
  init(_ page: LaidOutPage, _ options: PaintOptions, base: ResourceURL?) {
    self.page = page
    self.options = options
    self.base = base
    document = page.styled.document
    collectPieces()
    collectPlaces()
  }

  func describe(_ result: inout VectorDocument) {
    let root = document.documentElement
    result.language = root.isNone ? "" : string(.lang, of: root) ?? ""
    var node = NodeID.document
    while case let next = document.nextInPreOrder(node), !next.isNone {
      node = next
      guard document[node].kind == .element, document[node].namespace == .html else { continue }
      describe(node, document[node].name, &result)
    }
  }

  private func describe(_ node: NodeID, _ name: Name, _ result: inout VectorDocument) {
    if name == .title, result.title.isEmpty {
      result.title = text(of: node)
    } else if name == .meta {
      let content = string(.content, of: node) ?? ""
      switch string(.name, of: node)?.lowercased() {
      case "author": if result.author.isEmpty { result.author = content }
      case "description": if result.subject.isEmpty { result.subject = content }
      case "keywords": if result.keywords.isEmpty { result.keywords = content }
      default: break
      }
    } else if name == .a, let pieces = pieces[node], let href = string(.href, of: node), let target = target(href) {
      for piece in pieces where result.links.count < Self.maximumLinks { result.links.append(.init(rect: piece, target: target)) }
    } else if let level = Self.headings.firstIndex(of: name), let piece = pieces[node]?.first, result.headings.count < Self.maximumHeadings
    {
      let point = DisplayPoint(Double(piece.left), Double(piece.top))
      result.headings.append(.init(level: level + 1, title: text(of: node), point: point))
    }
  }

  private func string(_ name: Name, of node: NodeID) -> String? {
    document.attribute(name, of: node).map { String(decoding: $0.prefix(4096), as: UTF8.self) }
  }

  /// The text with whitespace collapsed.
  private func text(of node: NodeID) -> String {
    var content: [UInt8] = []
    var next = document.nextInPreOrder(node, within: node)
    // The beginning is enough for a very long title.
    while !next.isNone, content.count < Self.longestTitle {
      if document[next].kind == .text { content += document.data(of: next).prefix(Self.longestTitle) }
      next = document.nextInPreOrder(next, within: node)
    }
    let words = content.prefix(Self.longestTitle).split { $0 == 0x20 || (0x09...0x0d).contains($0) }
    return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  // MARK: Links

  /// Nil for URLs that viewers should not open: scripts, data, files of the machine that rendered the document.
  private func target(_ href: String) -> VectorDocument.Target? {
    let href = String(href.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7f }.map(Character.init))
    if href.hasPrefix("#") { return place(String(href.dropFirst())) }
    guard let url = base?.resolving(href) ?? ResourceURL(href), ["http", "https", "mailto", "tel", "ftp"].contains(url.scheme) else {
      return nil
    }
    return .address(url.scheme == "mailto" || url.scheme == "tel" ? href : url.description)
  }

  /// https://html.spec.whatwg.org/#the-indicated-part-of-the-document
  private func place(_ name: String) -> VectorDocument.Target? {
    if name.isEmpty { return .point(DisplayPoint(0, 0)) }
    return places[Array(name.utf8)[...]].map { .point(DisplayPoint(Double($0.left), Double($0.top))) }
  }

  /// The rectangles of elements that fragments of URLs may refer to.
  private mutating func collectPlaces() {
    var node = NodeID.document
    while case let next = document.nextInPreOrder(node), !next.isNone {
      node = next
      guard document[node].kind == .element, let piece = pieces[node]?.first else { continue }
      for name in [document.attribute(.id, of: node), document[node].name == .a ? document.attribute(.name, of: node) : nil] {
        if let name, !name.isEmpty, places[name] == nil { places[name] = piece }
      }
    }
  }

  // MARK: Page content

  private mutating func collectPieces() {
    let fragments = page.fragments
    guard fragments.fragments.indices.contains(fragments.root.index) else { return }
    var waiting: [(id: FragmentID, offset: LayoutPoint)] = [(fragments.root, LayoutPoint(x: .zero, y: .zero))]
    while let (id, offset) = waiting.popLast() {
      let fragment = fragments[id]
      if fragment.kind == .box { add(fragment, offset) }
      for link in fragments.links[fragment.children].reversed() where fragments.fragments.indices.contains(link.fragment.index) {
        waiting.append((link.fragment, offset + link.offset))
      }
    }
  }

  private mutating func add(_ fragment: Fragment, _ offset: LayoutPoint) {
    let box = page.tree[fragment.box]
    guard !box.node.isNone, box.pseudo == nil, pieces[box.node, default: []].count < Self.maximumPieces else { return }
    let scale = options.scale
    let rect = DisplayRect(
      x: offset.x.double * scale - Double(options.originX), y: offset.y.double * scale - Double(options.originY),
      width: fragment.size.width.double * scale, height: fragment.size.height.double * scale)
    pieces[box.node, default: []].append(rect.enclosing)
  }
}
