import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages

// Replaced elements. https://html.spec.whatwg.org/#replaced-elements
extension BoxTreeBuilder {
  /// The boxes of a replaced element, `<br>`, `<wbr>` or form control; nil for every other element.
  mutating func specialBox(_ node: NodeID, style: ComputedStyle) -> [PendingBox]? {
    if document[node].namespace == .svg {
      guard document[node].name == .svg else { return [] }
      let size = SVGNaturalSize(document, node)
      let content = ReplacedContent(
        kind: .drawing(node), naturalWidth: size.width, naturalHeight: size.height, naturalRatio: size.ratio)
      var box = replacedBox(content, node: node, style: style)
      generateForeign(in: node, into: &box.children)
      return [box]
    }
    guard document[node].namespace == .html else { return nil }
    if let replacement = contentReplacement(node, style: style) { return [replacement] }
    switch document[node].name {
    case .br:
      var box = Box(kind: .lineBreak, style: style)
      box.node = node
      box.isInlineLevel = true
      return [PendingBox(box)]
    case .wbr:
      var boxes: [PendingBox] = []
      appendText([0xE2, 0x80, 0x8B], node: node, style: style, into: &boxes)
      return boxes
    case .img: return image(node, style: style)
    case .video where document.names.lookup(Array("controls".utf8)[...]).map({ isSet($0, node) }) == true:
      var content = images.byNode[node].map { replacedContent($0, node: node) } ?? frame
      content.hasControls = true
      return [replacedBox(content, node: node, style: style)]
    case .object, .embed, .video:
      if let image = images.byNode[node] { return [replacedBox(replacedContent(image, node: node), node: node, style: style)] }
      // An object that is not shown renders its fallback content.
      if document[node].name == .object, !document.isReplacedObject(node) { return nil }
      // https://html.spec.whatwg.org/#the-embed-element: without `src` and `type` it represents nothing.
      if document[node].name == .embed, !isSet(.src, node), !isSet(.type, node) { return [] }
      return [replacedBox(frame, node: node, style: style)]
    case .audio: return audio(node, style)
    case .canvas: return [replacedBox(canvas(node), node: node, style: style)]
    case .iframe:
      let content = images.byNode[node].map { replacedContent($0, node: node) } ?? frame
      return [replacedBox(content, node: node, style: style)]
    case .input where document.attribute(.type, of: node).map({ equalsIgnoringCase($0, "image") }) == true:
      return image(node, style: style)
    default: return formControl(node, style: style).map { [$0] }
    }
  }

  /// A single image as `content` replaces the element. https://drafts.csswg.org/css-content-3/#replacing-content
  private mutating func contentReplacement(_ node: NodeID, style: ComputedStyle) -> PendingBox? {
    guard case .items(let items) = style.content.content, items.count == 1, case .image(let image) = items[0] else { return nil }
    if let decoded = images.image(image, style) {
      let content = ReplacedContent(
        kind: .image(decoded), naturalWidth: decoded.intrinsicWidth.map { Float($0) },
        naturalHeight: decoded.intrinsicHeight.map { Float($0) }, naturalRatio: decoded.ratio.map { Float($0) })
      return replacedBox(content, node: node, style: style)
    }
    guard case .gradient = image else { return nil }
    let content = ReplacedContent(kind: .gradient(image), naturalWidth: nil, naturalHeight: nil, naturalRatio: nil)
    return replacedBox(content, node: node, style: style)
  }

  /// An empty frame without natural dimensions: 300 × 150 by default, like a video before it is loaded.
  /// https://html.spec.whatwg.org/#embedded-content-rendering-rules
  private var frame: ReplacedContent { ReplacedContent(kind: .empty, naturalWidth: nil, naturalHeight: nil, naturalRatio: nil) }

  /// Sized by its attributes. https://html.spec.whatwg.org/#attr-canvas-width
  private func canvas(_ node: NodeID) -> ReplacedContent {
    func size(_ name: Name, _ initial: Int) -> Float {
      Float(document.attribute(name, of: node).flatMap { HTMLMicrosyntax.nonNegativeInteger($0) } ?? initial)
    }
    return ReplacedContent(kind: .empty, naturalWidth: size(.width, 300), naturalHeight: size(.height, 150), naturalRatio: nil)
  }

  /// Generates a block container for each `foreignObject` element. The SVG renderer lays it out where it is painted.
  /// https://www.w3.org/TR/SVG2/embedded.html#ForeignObjectElement
  private mutating func generateForeign(in root: NodeID, into children: inout [PendingBox]) {
    var next = document.nextInPreOrder(root, within: root)
    while !next.isNone {
      let element = document[next]
      let isForeign = element.kind == .element && element.namespace == .svg && element.name == .foreignObject
      if isForeign, styled.style(of: next).box.display != .none {
        budget.descending {
          // Only the box is painted; the SVG renderer applies transforms, opacity and other effects.
          let own = styled.style(of: next), anonymous = arena.anonymousStyle(inheriting: own, display: .flowRoot)
          var shape = anonymous.box
          shape.position = .relative
          shape.padding = own.box.padding
          let record = own.record
          let style = arena.modified(anonymous) {
            $0.box = arena.allocate(shape)
            $0.background = record.pointee.background
            $0.border = record.pointee.border
          }
          var box = Box(kind: .blockContainer, style: style)
          box.node = next
          var pending = PendingBox(box)
          generateChildren(of: next, style: box.style, into: &pending.children, parent: box)
          finish(&pending)
          children.append(pending)
        }
      }
      let isSkipped = element.kind == .element && (element.namespace != .svg || isForeign)
      next = document.nextInPreOrder(next, within: root, skippingChildren: isSkipped)
    }
  }

  private mutating func image(_ node: NodeID, style: ComputedStyle) -> [PendingBox] {
    if let image = images.byNode[node] {
      return [replacedBox(replacedContent(image, node: node), node: node, style: style)]
    }
    let isInput = document[node].name == .input
    let hasSource = document.attribute(.src, of: node).map { !$0.isEmpty } ?? false || document.attribute(.srcset, of: node) != nil
    let given = document.attribute(.alt, of: node)
    // Without `alt`, Chromium uses `title`.
    let alt = given ?? document.attribute(isInput ? .value : .title, of: node) ?? (isInput ? Array("Submit".utf8)[...] : [])
    let hasText = given.map { !$0.isEmpty } ?? false
    if isInput {
      let isSized = !style.box.width.isAuto && !style.box.height.isAuto
      let hasIcon = !alt.isEmpty || hasSource && given == nil
      if !isSized || hasText { return [representation(of: alt, hasIcon: hasIcon, node, inlineBlock(style))] }
    }
    if let content = brokenFrame(hasSource: hasSource, hasText: hasText, isEmpty: alt.isEmpty, style) {
      return [replacedBox(content, node: node, style: style)]
    }
    let hasIcon = !alt.isEmpty || hasSource && given == nil
    return [representation(of: alt, hasIcon: hasIcon, node, style)]
  }

  /// The frame of a missing image whose size is known, if it has no text or is in quirks mode; in quirks mode one dimension suffices for
  /// images with a URL. https://html.spec.whatwg.org/#images-3
  /// Without URL and text Chromium keeps it as a replaced element without a size.
  private func brokenFrame(hasSource: Bool, hasText: Bool, isEmpty: Bool, _ style: ComputedStyle) -> ReplacedContent? {
    let hasWidth = !style.box.width.isAuto, hasHeight = !style.box.height.isAuto, isQuirks = document.quirksMode == .quirks
    let frame = ReplacedContent.Kind.brokenImage(hasFrame: true, hasIcon: hasSource)
    if hasWidth, hasHeight, !hasText || isQuirks {
      let side = hasSource && !Self.isSmallerThanIcon(style) ? Float(20 * style.zoom) : 0
      return ReplacedContent(kind: frame, naturalWidth: side, naturalHeight: side, naturalRatio: nil)
    }
    let isNothing = isEmpty && !hasSource
    guard hasWidth || hasHeight || isNothing, isQuirks || !hasSource && !hasText else { return nil }
    guard hasSource else { return ReplacedContent(kind: .empty, naturalWidth: 0, naturalHeight: 0, naturalRatio: nil) }
    return ReplacedContent(kind: frame, naturalWidth: 16, naturalHeight: 16, naturalRatio: 1)
  }

  /// Whether the frame is too small for its contents, which are the icon, a pixel of space and the border. Chromium omits them from frames
  /// with a shorter specified side (`ImageSmallerThanAltImage`).
  private static func isSmallerThanIcon(_ style: ComputedStyle) -> Bool {
    [style.box.width, style.box.height].contains {
      guard case .value(let length) = $0, !length.hasPercentage else { return false }
      return length.resolve(.zero) < LayoutUnit(20 * style.zoom)
    }
  }

  /// Chromium leaves the icon out of boxes without a width.
  private static func hasNoWidth(_ style: ComputedStyle) -> Bool {
    guard style.box.display != .inline, case .value(let length) = style.box.width, !length.hasPercentage else { return false }
    return length.resolve(.zero) == .zero
  }

  /// An image that is not there is represented by its text, with an icon before it. https://html.spec.whatwg.org/#images-3
  private mutating func representation(
    of alt: ArraySlice<UInt8>, hasIcon: Bool, _ node: NodeID, _ style: ComputedStyle
  ) -> PendingBox {
    // If inline, it is a shrink-to-fit box, whatever the specified size of the image.
    let isInline = style.box.display == .inline
    var image = PendingBox(principalBox(isInline ? shrunkToFit(style) : hasIcon ? unindented(style) : style, node: node))
    guard hasIcon else {
      finish(&image)
      return image
    }
    var container = isInline ? image : PendingBox(anonymousInlineBlock(inheriting: style))
    let plain = arena.anonymousStyle(inheriting: style, display: .block)
    var floating = plain.box
    floating.float = style.text.direction == .rtl ? .right : .left
    let side = LengthPercentage.length(16 * style.zoom)
    (floating.width, floating.height) = (.value(side), .value(side))
    let icon = ReplacedContent(kind: .brokenImage(hasFrame: false, hasIcon: true), naturalWidth: 16, naturalHeight: 16, naturalRatio: nil)
    if !isInline, alt.isEmpty {
      floating.float = .none
      image.children = [replacedBox(icon, node: .none, style: arena.modified(plain) { $0.box = arena.allocate(floating) })]
      finish(&image)
      return image
    }
    if !Self.hasNoWidth(style) {
      container.children = [replacedBox(icon, node: .none, style: arena.modified(plain) { $0.box = arena.allocate(floating) })]
    }
    appendText(Array(alt), node: node, style: container.box.style, into: &container.children)
    finish(&container)
    if isInline { return container }
    image.children = [container]
    finish(&image)
    return image
  }

  /// An inline-block style, so that an image button without an image keeps its specified size.
  private func inlineBlock(_ style: ComputedStyle) -> ComputedStyle {
    guard style.box.display == .inline else { return style }
    var box = style.box
    box.display = .inlineBlock
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }

  /// The style without `text-indent`, for boxes whose text is indented in an inner box: that of the text and icon in broken images, that of
  /// the label in drop-down boxes.
  func unindented(_ style: ComputedStyle) -> ComputedStyle {
    guard style.text.textIndent != .zero else { return style }
    var text = style.text
    text.textIndent = .zero
    return arena.modified(style) { $0.text = arena.allocate(text) }
  }

  private func shrunkToFit(_ style: ComputedStyle) -> ComputedStyle {
    var box = style.box
    (box.display, box.width, box.height, box.aspectRatio) = (.inlineBlock, .auto, .auto, nil)
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }

  private func anonymousInlineBlock(inheriting style: ComputedStyle) -> Box {
    var box = Box(kind: .blockContainer, style: arena.anonymousStyle(inheriting: style, display: .inlineBlock))
    (box.isAnonymous, box.isInlineLevel) = (true, true)
    return box
  }

  private func replacedContent(_ image: DecodedImage?, node: NodeID) -> ReplacedContent {
    guard let image else { return ReplacedContent(kind: .empty, naturalWidth: 0, naturalHeight: 0, naturalRatio: nil) }
    return ReplacedContent(
      kind: .image(image), naturalWidth: image.intrinsicWidth.map { Float($0) }, naturalHeight: image.intrinsicHeight.map { Float($0) },
      naturalRatio: image.ratio.map { Float($0) })
  }

  mutating func replacedBox(_ content: ReplacedContent, node: NodeID, style: ComputedStyle, pseudo: PseudoElement? = nil) -> PendingBox {
    var box = principalBox(style, node: node, pseudo: pseudo)
    if box.kind == .inline { box.isInlineLevel = true }
    box.kind = .replaced
    box.replaced = Int32(tree.replaced.count)
    var content = content
    content.naturalWidth = content.naturalWidth.map { $0 * style.zoom }
    content.naturalHeight = content.naturalHeight.map { $0 * style.zoom }
    if let part = style.box.objectViewBox { content.show(part) }
    tree.replaced.append(content)
    return PendingBox(box)
  }

  func equalsIgnoringCase(_ bytes: ArraySlice<UInt8>, _ keyword: StaticString) -> Bool {
    guard bytes.count == keyword.utf8CodeUnitCount else { return false }
    let expected = UnsafeBufferPointer(start: keyword.utf8Start, count: keyword.utf8CodeUnitCount)
    return zip(bytes, expected).allSatisfy { ($0 | ((0x41...0x5A).contains($0) ? 0x20 : 0)) == $1 }
  }
}
