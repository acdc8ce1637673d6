internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Flattens the children of a block container into items, and performs the first phase of white space processing.
///
/// https://drafts.csswg.org/css-text-3/#white-space-phase-1
struct InlineItemsBuilder {
  let engine: LayoutEngine
  let container: BoxID
  /// The `::first-line` style of the container, when building that variant.
  let firstLine: ComputedStyle?
  let items = InlineItems()
  private let containerStyle: ComputedStyle
  private var variants: [ComputedStyle: ComputedStyle] = [:]
  /// The bidi controls of open boxes. They are closed at a forced break and reopened after it.
  private var bidiStack: [(open: [UInt8], close: [UInt8])] = []
  /// The position of the last collapsible space, while following collapsible spaces are removed.
  private var space = Space.atStart
  /// Whether forced breaks become spaces, in ruby bases and annotations. https://drafts.csswg.org/css-ruby-1/#anon-gen-unbreak
  private var isInRuby: Bool
  /// Chromium does not apply `::first-line` to markers in the line.
  private var hasFirstLineVariant = true
  private static let maximumDepth = 1024
  /// The maximum depth of embeddings. Deeper boxes do not affect levels. https://www.unicode.org/reports/tr9/#BD2
  private static let maximumBidiDepth = 126

  private enum Space {
    /// At the start of a line, where collapsible spaces are removed.
    case atStart
    /// After other content.
    case none
    /// After a collapsible space at this byte.
    case collapsible(at: Int, wraps: Bool)
  }

  init(_ engine: LayoutEngine, _ container: BoxID, firstLine: ComputedStyle?) {
    self.engine = engine; self.container = container; self.firstLine = firstLine
    containerStyle = engine.style(container)
    let parent = engine.tree[container].parent
    isInRuby = !parent.isNone && engine.tree[parent].isRubyColumn
  }

  /// Collects the text with its bidi controls only. A paragraph interrupted by blocks omits the controls of inline boxes that continue from
  /// before a block or after it, which are repeated.
  mutating func collectText() -> (text: [UInt8], repeatedControls: [Range<Int>]) {
    collect(childrenOf: container, depth: 0)
    removeTrailingSpace()
    let repeated = items.items.filter { item in
      switch item.kind {
      case .openTag: engine.tree[item.box].lacksStartEdge
      case .closeTag: engine.tree[item.box].lacksEndEdge
      default: false
      }
    }
    return (items.text, repeated.map { $0.start..<$0.end })
  }

  mutating func build() -> InlineItems {
    let override = containerStyle.box.unicodeBidi == .bidiOverride || containerStyle.box.unicodeBidi == .isolateOverride
    if override {
      let open: [UInt8] = containerStyle.text.direction == .rtl ? BidiControl.rlo : BidiControl.lro
      bidiStack.append((open, BidiControl.pdf))
      items.text += open
    }
    collect(childrenOf: container, depth: 0)
    removeTrailingSpace()
    if override { items.text += BidiControl.pdf }
    items.isPlaintext = containerStyle.box.unicodeBidi == .plaintext
    items.baseLevel = containerStyle.text.direction == .rtl ? 1 : 0
    let font = engine.inlineFont(containerStyle), space = Double(font.metrics.spaceAdvance)
    items.tabUnit = (space + Double(font.letterSpacing + font.wordSpacing), space)
    resolveBidi()
    shape()
    items.isEmpty = !items.items.contains { item in
      switch item.kind {
      case .text: item.start < item.end
      case .atomic, .forcedBreak, .tab: true
      case .openTag, .closeTag: hasEdge(item)
      case .floating, .outOfFlow: false
      }
    }
    return items
  }

  /// Whether a tag has a margin, border or padding on its side, so that its line counts as non-empty.
  func hasEdge(_ item: InlineItem) -> Bool {
    let box = engine.tree[item.box]
    if item.kind == .openTag ? box.lacksStartEdge : box.lacksEndEdge { return false }
    let basis = LayoutUnit(100)
    let edges = WritingDirection(item.style).logical(
      Sizing.border(item.style) + Sizing.padding(item.style, percentageBasis: basis) + Sizing.margin(item.style, percentageBasis: basis))
    return (item.kind == .openTag ? edges.inlineStart : edges.inlineEnd) != .zero
  }

  // MARK: Boxes

  mutating func collect(childrenOf parent: BoxID, depth: Int) {
    guard depth < InlineItemsBuilder.maximumDepth else { return }
    for child in engine.tree.children(of: parent) {
      let box = engine.tree[child]
      if box.isOutsideMarker { continue }
      switch box.kind {
      case .text: appendText(child, box)
      case .lineBreak where isInRuby: appendSpace(child, style(box.style))
      case .lineBreak: appendForcedBreak(child, style(box.style))
      case .inline where box.isInFlow: appendInline(child, box, depth: depth)
      default: appendObject(child, box, parent, depth)
      }
    }
  }

  private mutating func appendObject(_ child: BoxID, _ box: Box, _ parent: BoxID, _ depth: Int) {
    let position = items.text.count
    if box.isRubyColumn, let base = breakableBase(of: child) {
      append(.atomic, child, box.style, position, position)
      let overlay = items.items.count - 1
      items.items[overlay].isRubyOverlay = true
      items.hasAnnotations = true
      let outer = isInRuby
      isInRuby = true
      collect(childrenOf: base, depth: depth + 1)
      isInRuby = outer
      items.items[overlay].rubyEnd = items.text.count
      // A space at the end of the base does not collapse with a following one.
      space = .none
    } else if box.isOutOfFlow {
      append(.outOfFlow, child, box.style, position, position)
    } else if box.isFloating {
      items.hasFloats = true
      append(.floating, child, box.style, position, position)
    } else {
      let wasSpace = space
      items.text += box.isRubyColumn ? rubyPlaceholder(child) : [0xef, 0xbf, 0xbc]
      if box.isRubyColumn || box.style.text.emphasisMark != nil { items.hasAnnotations = true }
      space = box.isRubyColumn && items.text.count == position && !hasAnnotation(child) ? wasSpace : .none
      // In Chromium the text after an initial letter begins like a line.
      if box.specialLayout == .initialLetter { space = .atStart }
      append(.atomic, child, box.style, position, items.text.count, traits: InlineItem.Traits(style(engine.style(parent))))
      if box.isRubyColumn, isBreakable(child) { items.items[items.items.count - 1].isBreakableRuby = true }
    }
  }

  /// The placeholder of a ruby column: the first and the last character of its base, which determine the opportunities around it.
  private func rubyPlaceholder(_ column: BoxID) -> [UInt8] {
    let base = engine.tree[column].firstChild
    guard !base.isNone, engine.tree[base].hasInlineChildren else { return [0xef, 0xbf, 0xbc] }
    let text = InlineFormattingContext.items(engine, base).text
    // An empty base has no opportunities.
    if text.isEmpty { return [] }
    guard let end = text.lastIndex(where: { $0 & 0xc0 != 0x80 }) else { return [0xef, 0xbf, 0xbc] }
    let first = Array(text[0..<min(UTF8Scan.decode(text, 0).length, text.count)])
    return end == 0 ? first : first + text[end...]
  }

  private mutating func appendInline(_ child: BoxID, _ box: Box, depth: Int) {
    let outerVariant = hasFirstLineVariant
    if box.pseudo == .marker || box.pseudo == .beforeMarker || box.pseudo == .afterMarker { hasFirstLineVariant = false }
    defer { hasFirstLineVariant = outerVariant }
    let style = style(box.style)
    let controls = bidiStack.count < InlineItemsBuilder.maximumBidiDepth ? BidiControl.controls(style) : nil
    var start = items.text.count
    if let controls {
      items.text += controls.open
      bidiStack.append(controls)
    }
    append(.openTag, child, style, start, items.text.count, traits: InlineItem.Traits(style))
    let outer = isInRuby
    if style.box.display == .ruby {
      isInRuby = true
      items.hasRuby = true
    }
    collect(childrenOf: child, depth: depth + 1)
    isInRuby = outer
    start = items.text.count
    if let controls {
      items.text += controls.close
      bidiStack.removeLast()
    }
    append(.closeTag, child, style, start, items.text.count, traits: InlineItem.Traits(self.style(engine.style(box.parent))))
  }

  private mutating func append(
    _ kind: InlineItem.Kind, _ box: BoxID, _ style: ComputedStyle, _ start: Int, _ end: Int, traits: InlineItem.Traits = []
  ) {
    items.items.append(InlineItem(kind: kind, traits: traits, box: box, style: style, start: start, end: end))
  }

  /// The style of a box. For the first-line variant, values inherited from the container come from `::first-line` instead.
  private mutating func style(_ style: ComputedStyle) -> ComputedStyle {
    guard let firstLine, hasFirstLineVariant else { return style }
    if style == containerStyle { return firstLine }
    if let known = variants[style] { return known }
    let variant = engine.tree.arena.reinherited(style, from: containerStyle, to: firstLine)
    variants[style] = variant
    return variant
  }

  // MARK: Text

  private mutating func appendText(_ id: BoxID, _ box: Box) {
    let range = box.text.range
    guard range.upperBound <= engine.tree.text.count, !range.isEmpty else { return }
    let style = style(box.style)
    if style.text.emphasisMark != nil { items.hasAnnotations = true }
    let start = items.text.count
    defer { if firstLine != nil, style.text.textTransform != box.style.text.textTransform { transform(from: start, style) } }
    switch style.text.whiteSpaceCollapse {
    case .collapse: appendCollapsing(id, style, range, preservesBreaks: false)
    case .preserveBreaks: appendCollapsing(id, style, range, preservesBreaks: !isInRuby)
    case .preserve, .breakSpaces: appendPreserving(id, style, range, preservesBreaks: true)
    case .preserveSpaces: appendPreserving(id, style, range, preservesBreaks: false)
    }
  }

  /// Applies the `text-transform` of `::first-line`, as far as it keeps the length, because text after the first line must be at the same
  /// offset.
  private mutating func transform(from start: Int, _ style: ComputedStyle) {
    let original = Array(items.text[start...])
    let previous = String(decoding: items.text[..<start].suffix(4), as: UTF8.self).unicodeScalars.last
    let whole = TextTransform.apply(original, style: style, previous: previous)
    if whole.count == original.count { return items.text.replaceSubrange(start..., with: whole) }
    let parts = TextTransform.scalars(original).map { scalar in
      let bytes = Array(String(scalar).utf8), changed = TextTransform.apply(bytes, style: style)
      return changed.count == bytes.count ? changed : bytes
    }
    let joined = Array(parts.joined())
    if joined.count == original.count { items.text.replaceSubrange(start..., with: joined) }
  }

  private func isCollapsible(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d }

  private mutating func appendCollapsing(_ id: BoxID, _ style: ComputedStyle, _ range: Range<Int>, preservesBreaks: Bool) {
    let traits = InlineItem.Traits(style)
    let source = engine.tree.text
    var index = range.lowerBound
    var itemStart = items.text.count
    while index < range.upperBound {
      if !isCollapsible(source[index]) {
        let start = index
        while index < range.upperBound, !isCollapsible(source[index]) { index += 1 }
        items.text.append(contentsOf: source[start..<index])
        space = .none
        continue
      }
      let start = index
      var breaks = 0
      while index < range.upperBound, isCollapsible(source[index]) {
        if source[index] == 0x0a { breaks += 1 }
        index += 1
      }
      if preservesBreaks, breaks > 0 {
        flushText(id, style, traits, from: itemStart)
        for _ in 0..<breaks { appendForcedBreak(id, style) }
        itemStart = items.text.count
        continue
      }
      if breaks > 0, removesSegmentBreak(source, start, index, range.upperBound) { continue }
      appendCollapsibleSpace(traits)
    }
    flushText(id, style, traits, from: itemStart)
  }

  /// Appends a space, unless it collapses with a preceding one or with the start of the line.
  private mutating func appendCollapsibleSpace(_ traits: InlineItem.Traits) {
    switch space {
    case .atStart: return
    case .collapsible(let position, let wraps):
      // A space that is a break opportunity collapsed into one that is not: the opportunity remains.
      if !wraps, traits.contains(.wraps) {
        items.text += [0xe2, 0x80, 0x8b]
        space = .collapsible(at: position, wraps: true)
      }
    case .none:
      space = .collapsible(at: items.text.count, wraps: traits.contains(.wraps))
      items.text.append(0x20)
    }
  }

  /// Whether a segment break next to a zero width space is removed. Chromium keeps those between ideographs.
  /// https://drafts.csswg.org/css-text-3/#line-break-transform
  private func removesSegmentBreak(_ source: [UInt8], _ start: Int, _ end: Int, _ limit: Int) -> Bool {
    guard items.text.last == 0x8b || end < limit && source[end] == 0xe2 else { return false }
    if UTF8Scan.before(items.text, items.text.count) == 0x200b { return true }
    return end < limit && start > 0 && UTF8Scan.decode(source, end).codepoint == 0x200b
  }

  private mutating func appendPreserving(_ id: BoxID, _ style: ComputedStyle, _ range: Range<Int>, preservesBreaks: Bool) {
    let traits = InlineItem.Traits(style)
    let source = engine.tree.text
    var itemStart = items.text.count
    for index in range {
      let byte = source[index]
      switch byte {
      case 0x0a where preservesBreaks && !isInRuby:
        flushText(id, style, traits, from: itemStart)
        appendForcedBreak(id, style)
        itemStart = items.text.count
        continue
      case 0x09 where preservesBreaks:
        flushText(id, style, traits, from: itemStart)
        append(.tab, id, style, items.text.count, items.text.count + 1, traits: traits)
        items.text.append(0x09)
        itemStart = items.text.count
      case 0x0a, 0x09: items.text.append(0x20)
      default: items.text.append(byte)
      }
      space = .none
    }
    flushText(id, style, traits, from: itemStart)
  }

  private mutating func flushText(_ id: BoxID, _ style: ComputedStyle, _ traits: InlineItem.Traits, from start: Int) {
    guard start < items.text.count else { return }
    append(.text, id, style, start, items.text.count, traits: traits)
  }

  // MARK: Breaks

  private mutating func appendSpace(_ id: BoxID, _ style: ComputedStyle) {
    let start = items.text.count
    items.text.append(0x20)
    append(.text, id, style, start, start + 1, traits: InlineItem.Traits(style))
    space = .none
  }

  private mutating func appendForcedBreak(_ id: BoxID, _ style: ComputedStyle) {
    removeTrailingSpace()
    for level in bidiStack.reversed() { items.text += level.close }
    let start = items.text.count
    items.text.append(0x0a)
    append(.forcedBreak, id, style, start, start + 1, traits: InlineItem.Traits(style))
    for level in bidiStack { items.text += level.open }
    space = .atStart
  }

  /// Removes a collapsible space at the end of a line from the text.
  private mutating func removeTrailingSpace() {
    guard case .collapsible(let position, _) = space, position < items.text.count else { return }
    items.text.remove(at: position)
    for index in items.items.indices.reversed() {
      guard items.items[index].end > position else { break }
      items.items[index].end -= 1
      if items.items[index].start > position { items.items[index].start -= 1 }
    }
    space = .none
  }
}

/// The bidi control characters for `direction` and `unicode-bidi` of an inline box.
/// https://drafts.csswg.org/css-writing-modes-4/#unicode-bidi
enum BidiControl {
  static let lre: [UInt8] = [0xe2, 0x80, 0xaa], rle: [UInt8] = [0xe2, 0x80, 0xab], pdf: [UInt8] = [0xe2, 0x80, 0xac]
  static let lro: [UInt8] = [0xe2, 0x80, 0xad], rlo: [UInt8] = [0xe2, 0x80, 0xae]
  static let lri: [UInt8] = [0xe2, 0x81, 0xa6], rli: [UInt8] = [0xe2, 0x81, 0xa7], fsi: [UInt8] = [0xe2, 0x81, 0xa8]
  static let pdi: [UInt8] = [0xe2, 0x81, 0xa9]

  /// U+202A to U+202E and U+2066 to U+2069.
  static func isControl(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    first == 0xe2 && (second == 0x80 && (0xaa...0xae).contains(third) || second == 0x81 && (0xa6...0xa9).contains(third))
  }

  /// The end of a control at `index` that starts an embedding, an override or an isolate; nil for other characters.
  static func endOfOpening(_ text: [UInt8], at index: Int) -> Int? {
    guard index + 2 < text.count, text[index] == 0xe2, isControl(0xe2, text[index + 1], text[index + 2]) else { return nil }
    return text[index + 2] == 0xac || text[index + 2] == 0xa9 ? nil : index + 3
  }

  static func controls(_ style: ComputedStyle) -> (open: [UInt8], close: [UInt8])? {
    let isRTL = style.text.direction == .rtl
    switch style.box.unicodeBidi {
    case .normal: return nil
    case .embed: return (isRTL ? rle : lre, pdf)
    case .isolate: return (isRTL ? rli : lri, pdi)
    case .bidiOverride: return (isRTL ? rlo : lro, pdf)
    case .isolateOverride: return (fsi + (isRTL ? rlo : lro), pdf + pdi)
    case .plaintext: return (fsi, pdi)
    }
  }
}
