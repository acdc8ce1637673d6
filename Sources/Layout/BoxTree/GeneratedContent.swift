import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages

// https://drafts.csswg.org/css-content-3/ and https://drafts.csswg.org/css-lists-3/
extension BoxTreeBuilder {
  mutating func generatePseudo(_ pseudo: PseudoElement, of node: NodeID, into children: inout [PendingBox], parent: Box) {
    guard let own = styled.style(of: node, pseudo), own.box.display != .none, case .items(let items) = own.content.content else { return }
    let style = pseudo.isScrollPart ? scrollPartStyle(own, parent: parent) : itemStyle(own, parent: parent)
    guard budget.spend(CounterScopes.changes(style)) else { return }
    counters.enter(style, node: node, styled)
    defer { counters.leave() }
    var pending = PendingBox(principalBox(style, node: node, pseudo: pseudo))
    if pseudo.isScrollButton { becomeButton(&pending.box) }
    pending.box.isListItem = style.box.display.isListItem
    if pending.box.isListItem { generateMarker(node, style: style, into: &pending.children, of: pseudo) }
    generate(items, node: node, style: style, pseudo: pseudo, into: &pending.children)
    if style.box.display == .contents {
      // `display: contents` leaves an anonymous inline box with the pseudo-element's style, even if empty, so that it affects the line
      // height.
      pending.box = Box(kind: .inline, style: arena.anonymousStyle(inheriting: style, display: .inline))
      (pending.box.isAnonymous, pending.box.isInlineLevel) = (true, true)
    }
    finish(&pending)
    children.append(pending)
  }

  private mutating func generate(
    _ items: [ContentItem], node: NodeID, style: ComputedStyle, pseudo: PseudoElement, into children: inout [PendingBox]
  ) {
    var text: [UInt8] = []
    for item in items {
      if case .image(let image) = item {
        appendText(text, node: node, style: style, into: &children, pseudo: pseudo)
        text = []
        appendImage(image, node: node, style: style, pseudo: pseudo, into: &children)
      } else {
        let part = string(item, node: node, style: style)
        guard budget.takeText(part.utf8.count) else { return }
        if hasFirstLetters, item.isCounter {
          appendText(text, node: node, style: style, into: &children, pseudo: pseudo)
          let start = children.count
          appendText(Array(part.utf8), node: node, style: style, into: &children, pseudo: pseudo)
          for index in start..<children.count { children[index].box.isCounterText = true }
          text = []
          continue
        }
        text += part.utf8
      }
    }
    appendText(text, node: node, style: style, into: &children, pseudo: pseudo)
  }

  private mutating func appendImage(
    _ image: ImageValue, node: NodeID, style: ComputedStyle, pseudo: PseudoElement, into children: inout [PendingBox]
  ) {
    guard let decoded = images.image(image, style) else {
      // A gradient has no natural size; markers give it one relative to the font.
      guard case .gradient = image, pseudo == .marker else { return }
      let side = max(1, (style.font.size * 0.9).rounded() / 2)
      let content = ReplacedContent(
        kind: .gradient(image), naturalWidth: side / style.zoom, naturalHeight: side / style.zoom, naturalRatio: nil)
      children.append(replacedBox(content, node: .none, style: arena.anonymousStyle(inheriting: style, display: .inline)))
      return
    }
    var content = ReplacedContent(
      kind: .image(decoded), naturalWidth: decoded.intrinsicWidth.map { Float($0) },
      naturalHeight: decoded.intrinsicHeight.map { Float($0) }, naturalRatio: decoded.ratio.map { Float($0) })
    content.isMarker = pseudo == .marker
    let inline = arena.anonymousStyle(inheriting: style, display: .inline)
    children.append(replacedBox(content, node: .none, style: inline))
  }

  private mutating func string(_ item: ContentItem, node: NodeID, style: ComputedStyle) -> String {
    switch item {
    case .text(let text): return text
    case .image: return ""
    case .attribute(let name, let fallback):
      guard let key = document.names.lookup(Array(name.utf8)[...]), let value = document.attribute(key, of: node) else { return fallback }
      return String(decoding: value, as: UTF8.self)
    case .counter(let name, let listStyle): return counters.text(name, style: listStyle)
    case .counters(let name, let separator, let listStyle):
      return counters.text(name, separator: separator, style: listStyle, limit: budget.textLeft)
    case .openQuote:
      defer { quoteDepth += 1 }
      return quote(node, style, depth: quoteDepth)?.open ?? ""
    case .closeQuote:
      guard quoteDepth > 0 else { return "" }
      quoteDepth -= 1
      return quote(node, style, depth: quoteDepth)?.close ?? ""
    case .noOpenQuote:
      quoteDepth += 1
      return ""
    case .noCloseQuote:
      quoteDepth = max(0, quoteDepth - 1)
      return ""
    }
  }

  /// https://drafts.csswg.org/css-content-3/#quotes
  private func quote(_ node: NodeID, _ style: ComputedStyle, depth: Int) -> QuotePair? {
    switch style.text.quotes {
    case .none: return nil
    case .pairs(let pairs): return pairs.isEmpty ? nil : pairs[min(depth, pairs.count - 1)]
    case .auto:
      // The quotation marks of `q` use the language of the surrounding text.
      let parent = document[node].parent
      let isQuote = document[node].name == .q && document[node].namespace == .html
      let outer = !isQuote || parent.isNone || document[parent].kind != .element ? style : styled.style(of: parent)
      let pairs = LanguageQuotes.pairs(outer.font.language)
      return pairs[min(depth, pairs.count - 1)]
    }
  }

  // MARK: Markers

  /// https://drafts.csswg.org/css-lists-3/#content-property
  mutating func generateMarker(_ node: NodeID, style: ComputedStyle, into children: inout [PendingBox], of pseudo: PseudoElement? = nil) {
    let isOutside = style.text.listStylePosition == .outside && style.box.display != .inlineListItem
    let own = markerPseudo(pseudo).flatMap { styled.style(of: node, $0) }
    var markerStyle = self.markerStyle(own, item: style, isOutside: isOutside)
    if !isOutside, let (start, end) = insideMargins(own, item: style) { markerStyle = setMargins(markerStyle, start, end) }
    var contents: [PendingBox] = []
    if let own, case .items(let items) = own.content.content {
      generate(items, node: node, style: markerStyle, pseudo: .marker, into: &contents)
    } else if let own, case .none = own.content.content {
      return
    } else if hasMarkerImage(style) {
      appendImage(style.text.listStyleImage, node: node, style: markerStyle, pseudo: .marker, into: &contents)
    } else {
      appendMarkerSymbol(style, markerStyle: markerStyle, node: node, into: &contents)
    }
    // An outside marker creates a line box in the item, even without contents.
    guard !contents.isEmpty || isOutside && hasMarkerText(own, item: style) else { return }
    var box = Box(kind: isOutside ? .blockContainer : .inline, style: markerStyle)
    box.node = node
    box.pseudo = .marker
    box.isOutsideMarker = isOutside
    box.hasInlineChildren = isOutside
    box.isInlineLevel = !isOutside
    children.append(PendingBox(box, children: contents))
  }

  /// The marker pseudo-element of an element, or of one of its pseudo-elements.
  private func markerPseudo(_ owner: PseudoElement?) -> PseudoElement? {
    switch owner {
    case nil: .marker
    case .before: .beforeMarker
    case .after: .afterMarker
    default: nil
    }
  }

  private func hasMarkerText(_ own: ComputedStyle?, item: ComputedStyle) -> Bool {
    if let own, case .items = own.content.content { return true }
    if case .string = item.text.listStyleType { return true }
    return false
  }

  private func hasMarkerImage(_ style: ComputedStyle) -> Bool {
    if case .gradient = style.text.listStyleImage { return true }
    return images.image(style.text.listStyleImage, style) != nil
  }

  /// Chromium's margins for inside markers that are images or shapes; nil for text markers.
  private func insideMargins(_ own: ComputedStyle?, item: ComputedStyle) -> (start: Double, end: Double)? {
    if let own, case .normal = own.content.content {} else if own != nil { return nil }
    if hasMarkerImage(item) { return (0, 7) }
    guard case .counterStyle(let name) = item.text.listStyleType, let symbol = MarkerSymbol(name.text), !counters.styles.isDefined(name)
    else {
      return nil
    }
    let size = Double((own ?? item).font.size)
    switch symbol {
    case .disc, .circle, .square: return (-1, size)
    case .disclosureOpen, .disclosureClosed: return (0, size * 0.4)
    }
  }

  private func setMargins(_ style: ComputedStyle, _ start: Double, _ end: Double) -> ComputedStyle {
    arena.modified(style) { record in
      var box = style.box
      let isRTL = style.text.direction == .rtl
      let (first, last) = isRTL ? (Float(end), Float(start)) : (Float(start), Float(end))
      if style.text.writingMode == .horizontalTb {
        (box.margin.left, box.margin.right) = (.value(.length(first)), .value(.length(last)))
      } else {
        (box.margin.top, box.margin.bottom) = (.value(.length(first)), .value(.length(last)))
      }
      record.box = arena.allocate(box)
    }
  }

  private mutating func appendMarkerSymbol(
    _ style: ComputedStyle, markerStyle: ComputedStyle, node: NodeID, into contents: inout [PendingBox]
  ) {
    switch style.text.listStyleType {
    case .none: return
    case .string(let text): appendMarkerText(text, markerStyle, &contents)
    case .counterStyle(let name):
      if let symbol = MarkerSymbol(name.text), !counters.styles.isDefined(name) {
        let content = ReplacedContent(kind: .symbol(symbol), naturalWidth: nil, naturalHeight: nil, naturalRatio: nil)
        let inline = arena.anonymousStyle(inheriting: markerStyle, display: .inline)
        contents.append(replacedBox(content, node: .none, style: inline))
      } else {
        appendMarkerText(counters.markerText(name), markerStyle, &contents)
      }
    case .symbols(let rule):
      appendMarkerText(counters.markerText(rule), markerStyle, &contents)
    }
  }

  private mutating func appendMarkerText(_ text: String, _ style: ComputedStyle, _ contents: inout [PendingBox]) {
    guard budget.takeText(text.utf8.count) else { return }
    appendText(Array(text.utf8), node: .none, style: style, into: &contents, pseudo: .marker)
  }

  private static let tabularNumbers = FontStyle.Feature(tag: 0x746E_756D, value: 1)

  /// Applies the user agent's rules for `::marker`: https://drafts.csswg.org/css-lists-3/#marker-properties
  private func markerStyle(_ own: ComputedStyle?, item: ComputedStyle, isOutside: Bool) -> ComputedStyle {
    let base = own ?? arena.anonymousStyle(inheriting: item, display: isOutside ? .block : .inline)
    return arena.modified(base) { record in
      var text = base.text
      // Chromium preserves trailing spaces in outside markers only.
      if isOutside {
        text.whiteSpaceCollapse = .preserve
        text.textWrapMode = .nowrap
      }
      if own == nil { text.textTransform = .none }
      text.textIndent = .zero
      text.textAlign = .start
      record.text = arena.allocate(text)
      if own == nil, base.font.variantNumeric.isEmpty {
        var font = base.font
        font.features.insert(Self.tabularNumbers, at: 0)
        record.font = arena.allocate(font)
      }
      var box = BoxStyle()
      box.display = isOutside ? .block : .inline
      box.originalDisplay = box.display
      box.unicodeBidi = .isolate
      record.box = arena.allocate(box)
    }
  }
}

/// The list markers that are painted as shapes instead of text.
public enum MarkerSymbol: Sendable {
  case disc, circle, square, disclosureOpen, disclosureClosed
  init?(_ counterStyle: String) {
    switch counterStyle {
    case "disc": self = .disc
    case "circle": self = .circle
    case "square": self = .square
    case "disclosure-open": self = .disclosureOpen
    case "disclosure-closed": self = .disclosureClosed
    default: return nil
    }
  }
}
