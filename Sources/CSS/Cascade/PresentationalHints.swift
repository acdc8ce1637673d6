import OffprintCoreTypes
import OffprintDOM

/// Presentational hints from attributes of HTML elements.
///
/// https://html.spec.whatwg.org/multipage/rendering.html#presentational-hints
struct PresentationalHints {
  let tree: ElementTree
  /// Whether an identifier is a color name.
  let isColorName: (ArraySlice<UInt8>) -> Bool
  var writer = HintWriter()
  /// The link color from the `link` attribute of `body`.
  private var linkColor: [UInt8]?
  private var hasLinkColor = false

  /// Selects the `<source>` of a `<picture>` that provides the dimensions.
  private var sources: ImageSourceSelection
  private var svgHints = SVGHints()

  init(tree: ElementTree, media: MediaEnvironment, isColorName: @escaping (ArraySlice<UInt8>) -> Bool) {
    self.tree = tree
    sources = ImageSourceSelection(tree.document, media)
    self.isColorName = isColorName
  }

  /// Writes the hints of an element as CSS text into `writer`.
  mutating func write(_ element: UInt32) {
    writer.text.removeAll(keepingCapacity: true)
    let info = tree[element]
    if info.namespace == .svg {
      svgHints.write(element, tree, &writer)
      return
    }
    if info.namespace == .mathML { MathHints().writeAttributes(element, tree, &writer) }
    guard info.namespace == .html else { return }
    if info.name == .td || info.name == .th { writeFromTable(cell: element) }
    if info.name == .a, hasLinkColor, let linkColor, ElementStates.isLink(tree, element) { writer.add("color", linkColor) }
    if [.tbody, .thead, .tfoot, .colgroup].contains(info.name) { writeGroupRules(element) }
    let dimensions = dimensionSource(element)
    for attribute in tree.attributes[tree.attributeRange(element)] where attribute.namespace == .none {
      if dimensions != element, attribute.name == .width || attribute.name == .height { continue }
      write(attribute.name, tree.bytes(attribute.value), info.name, element)
    }
    if dimensions != element {
      for name in [Name.width, .height] { if let value = tree.attribute(name, dimensions) { write(name, value, info.name, element) } }
    }
    writeAspectRatio(info.name, element, dimensions)
  }

  private mutating func write(_ name: Name, _ value: HintValue.Bytes, _ tag: Name, _ element: UInt32) {
    switch name {
    case .bgcolor where [.body, .table, .thead, .tbody, .tfoot, .tr, .td, .th, .marquee].contains(tag): addColor("background-color", value)
    case .background where [.body, .table, .thead, .tbody, .tfoot, .tr, .td, .th].contains(tag):
      if !value.isEmpty { writer.add("background-image", quoted: value, isURL: true) }
    case .width: writeWidth(value, tag, element)
    case .height: writeHeight(value, tag, element)
    case .align: writeAlign(value, tag, element)
    case .valign: writeVerticalAlign(value, tag)
    case .hspace where Self.spaced.contains(tag):
      addDimension("margin-left", value)
      addDimension("margin-right", value)
    case .vspace where Self.spaced.contains(tag):
      addDimension("margin-top", value)
      addDimension("margin-bottom", value)
    case .border: writeBorder(value, tag, element)
    case .color where tag == .font: addColor("color", value)
    case .color where tag == .hr:
      addColor("border-color", value)
      addColor("background-color", value)
      writer.add("border-style:solid")
    case .face where tag == .font: writer.add("font-family", value.filter { $0 != 0x3B && $0 != 0x7B && $0 != 0x7D })
    case .size where tag == .font: writeFontSize(value)
    case .nowrap where tag == .td || tag == .th: writer.add("white-space:nowrap")
    case .type where [.ol, .ul, .li].contains(tag): writeListType(value, allowsBullets: tag != .ol)
    case .start where tag == .ol: writeStart(value, element)
    case .reversed where tag == .ol: writeReversed(element)
    case .value where tag == .li: if let number = HTMLMicrosyntax.integer(value) { writer.add("counter-set", "list-item \(number)") }
    case .clear where tag == .br: writeClear(value)
    default: writeRare(name, value, tag, element)
    }
  }

  private mutating func writeRare(_ name: Name, _ value: HintValue.Bytes, _ tag: Name, _ element: UInt32) {
    switch tag {
    case .body: writeBody(name, value)
    case .table:
      writeTable(name, value)
      if name == .rules { writeTableFrame(element) }
    case .hr:
      if name == .noshade, !tree.hasAttribute(.color, element) { writer.add("border-style:solid;border-color:gray;background-color:gray") }
      if name == .size { writeHRSize(value) }
    case .pre: if name == .wrap { writer.add("white-space:pre-wrap") }
    case .textarea: if name == .wrap, HintValue.isKeyword(value, "off") { writer.add("white-space:pre") }
    case .iframe:
      if name == .frameborder, HTMLMicrosyntax.integer(value) == 0 || HintValue.isKeyword(value, "no") { writer.add("border:none") }
    default: break
    }
  }

  private static let spaced: [Name] = [.img, .object, .embed, .iframe, .marquee, .input, .applet]
  private static let replaced: [Name] = [.img, .object, .embed, .iframe, .video, .applet, .marquee]

  // MARK: Values

  private mutating func addDimension(_ property: StaticString, _ value: HintValue.Bytes, nonZero: Bool = false) {
    if let dimension = HintValue.dimension(value, nonZero: nonZero) { writer.add(property, dimension) }
  }

  private mutating func addColor(_ property: StaticString, _ value: HintValue.Bytes) {
    if let color = color(value) { writer.add(property, color) }
  }

  private func color(_ value: HintValue.Bytes) -> [UInt8]? {
    let name = value.drop(while: isHTMLSpace).prefix { !isHTMLSpace($0) }
    if !name.isEmpty, name.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }), isColorName(name.map(asciiLowercased)[...]) { return Array(name) }
    return HTMLMicrosyntax.legacyColor(value)
  }

  // MARK: Sizes

  private mutating func writeWidth(_ value: HintValue.Bytes, _ tag: Name, _ element: UInt32) {
    switch tag {
    case .table, .td, .th: addDimension("width", value, nonZero: true)
    case .col, .colgroup, .hr, .pre: addDimension("width", value)
    case .input: if isImageButton(element) { addDimension("width", value) }
    default: if Self.replaced.contains(tag) { addDimension("width", value) }
    }
  }

  private mutating func writeHeight(_ value: HintValue.Bytes, _ tag: Name, _ element: UInt32) {
    switch tag {
    case .td, .th: addDimension("height", value, nonZero: true)
    case .table, .tr, .thead, .tbody, .tfoot: addDimension("height", value)
    case .input: if isImageButton(element) { addDimension("height", value) }
    default: if Self.replaced.contains(tag) { addDimension("height", value) }
    }
  }

  /// The element that provides `width` and `height`: the element itself, or the `<source>` from which a `picture` takes its image.
  ///
  /// https://html.spec.whatwg.org/multipage/images.html#concept-img-dimension-attribute-source
  private mutating func dimensionSource(_ element: UInt32) -> UInt32 {
    let parent = tree[element].parent
    guard tree[element].name == .img, parent != ElementInfo.none, tree.isHTML(parent, .picture) else { return element }
    return sources.select(NodeID(raw: element))?.dimensions.raw ?? element
  }

  private func isImageButton(_ element: UInt32) -> Bool { ElementStates.inputType(tree, element) == "image" }

  /// https://html.spec.whatwg.org/multipage/rendering.html#map-to-the-aspect-ratio-property-(using-dimension-rules)
  private mutating func writeAspectRatio(_ tag: Name, _ element: UInt32, _ dimensions: UInt32) {
    guard tag == .img || tag == .video || tag == .canvas || tag == .input && isImageButton(element) else { return }
    guard let width = tree.attribute(.width, dimensions).flatMap({ HintValue.dimension($0) }), width.last != 0x25,
      let height = tree.attribute(.height, dimensions).flatMap({ HintValue.dimension($0) }), height.last != 0x25
    else { return }
    var ratio = Array("auto ".utf8)
    ratio += width.dropLast(2)
    ratio.append(0x2F)
    ratio += height.dropLast(2)
    writer.add("aspect-ratio", ratio)
  }

  /// In the HTML standard, an `hr` with `color` or `noshade` has two borders of half the thickness. Chromium and Firefox handle every `hr` alike
  /// and fill the area between the borders.
  /// https://html.spec.whatwg.org/multipage/rendering.html#the-hr-element-2
  private mutating func writeHRSize(_ value: HintValue.Bytes) {
    let size = HTMLMicrosyntax.integer(value) ?? 0
    if size <= 1 {
      writer.add("border-bottom-width:0")
    } else {
      writer.add("height", "\(size - 2)px")
    }
  }

  // MARK: Alignment

  private mutating func writeAlign(_ value: HintValue.Bytes, _ tag: Name, _ element: UInt32) {
    switch tag {
    case .table: writeTableAlign(value)
    case .hr: writeHRAlign(value)
    case .caption: writeCaptionAlign(value)
    case .legend: writeLegendAlign(value)
    case .img, .object, .embed, .iframe, .applet: writeReplacedAlign(value)
    case .input: if isImageButton(element) { writeReplacedAlign(value) }
    case .div, .thead, .tbody, .tfoot, .tr, .td, .th, .col, .colgroup: writeTextAlign(value, isInherited: true)
    case .p, .h1, .h2, .h3, .h4, .h5, .h6: writeTextAlign(value, isInherited: false)
    default: break
    }
  }

  private mutating func writeTextAlign(_ value: HintValue.Bytes, isInherited: Bool) {
    if HintValue.isKeyword(value, "center") || isInherited && HintValue.isKeyword(value, "middle") {
      if isInherited { writer.add("text-align:-webkit-center") } else { writer.add("text-align:center") }
    } else if HintValue.isKeyword(value, "left") {
      if isInherited { writer.add("text-align:-webkit-left") } else { writer.add("text-align:left") }
    } else if HintValue.isKeyword(value, "right") {
      if isInherited { writer.add("text-align:-webkit-right") } else { writer.add("text-align:right") }
    } else if HintValue.isKeyword(value, "justify") {
      writer.add("text-align:justify")
    }
  }

  private mutating func writeTableAlign(_ value: HintValue.Bytes) {
    if HintValue.isKeyword(value, "left") { writer.add("float:left") }
    if HintValue.isKeyword(value, "right") { writer.add("float:right") }
    if HintValue.isKeyword(value, "center") { writer.add("margin-inline:auto") }
  }

  private mutating func writeHRAlign(_ value: HintValue.Bytes) {
    if HintValue.isKeyword(value, "left") { writer.add("margin-left:0;margin-right:auto") }
    if HintValue.isKeyword(value, "right") { writer.add("margin-left:auto;margin-right:0") }
    if HintValue.isKeyword(value, "center") { writer.add("margin-left:auto;margin-right:auto") }
  }

  private mutating func writeCaptionAlign(_ value: HintValue.Bytes) {
    if HintValue.isKeyword(value, "bottom") { writer.add("caption-side:bottom") } else { writeTextAlign(value, isInherited: true) }
  }

  /// https://html.spec.whatwg.org/#the-fieldset-and-legend-elements
  private mutating func writeLegendAlign(_ value: HintValue.Bytes) {
    if HintValue.isKeyword(value, "left") { writer.add("text-align:left") }
    if HintValue.isKeyword(value, "center") { writer.add("text-align:center") }
    if HintValue.isKeyword(value, "right") { writer.add("text-align:right") }
  }

  private mutating func writeReplacedAlign(_ value: HintValue.Bytes) {
    let keyword = String(decoding: value.prefix(12).map(asciiLowercased), as: UTF8.self)
    switch keyword {
    case "left": writer.add("float:left;vertical-align:top")
    case "right": writer.add("float:right;vertical-align:top")
    case "top": writer.add("vertical-align:top")
    case "middle": writer.add("vertical-align:-webkit-baseline-middle")
    case "center", "absmiddle", "abscenter": writer.add("vertical-align:middle")
    case "texttop": writer.add("vertical-align:text-top")
    case "bottom", "baseline": writer.add("vertical-align:baseline")
    case "absbottom": writer.add("vertical-align:bottom")
    default: break
    }
  }

  private mutating func writeVerticalAlign(_ value: HintValue.Bytes, _ tag: Name) {
    guard [.thead, .tbody, .tfoot, .tr, .td, .th, .col, .colgroup].contains(tag) else { return }
    for keyword in ["top", "middle", "bottom", "baseline"] where equalsIgnoringCase(value, keyword.utf8) {
      writer.add("vertical-align", keyword)
    }
  }

  private mutating func writeClear(_ value: HintValue.Bytes) {
    if HintValue.isKeyword(value, "left") { writer.add("clear:left") }
    if HintValue.isKeyword(value, "right") { writer.add("clear:right") }
    if HintValue.isKeyword(value, "all") || HintValue.isKeyword(value, "both") { writer.add("clear:both") }
  }

  // MARK: Text and lists

  /// https://html.spec.whatwg.org/multipage/rendering.html#rules-for-parsing-a-legacy-font-size
  private mutating func writeFontSize(_ value: HintValue.Bytes) {
    let text = value.drop(while: isHTMLSpace)
    guard let first = text.first else { return }
    let isRelative = first == 0x2B || first == 0x2D
    let digits = isRelative ? text.dropFirst() : text
    guard let start = digits.first, isDigit(start), var size = HTMLMicrosyntax.nonNegativeInteger(digits) else { return }
    if isRelative { size = first == 0x2B ? 3 + min(size, 10) : 3 - min(size, 10) }
    let keywords = ["x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"]
    writer.add("font-size", keywords[min(max(size, 1), 7) - 1])
  }

  /// - Parameter allowsBullets: False for `ol`, which only accepts numbering.
  private mutating func writeListType(_ value: HintValue.Bytes, allowsBullets: Bool) {
    switch String(decoding: value.prefix(12), as: UTF8.self) {
    case "1": writer.add("list-style-type:decimal")
    case "a": writer.add("list-style-type:lower-alpha")
    case "A": writer.add("list-style-type:upper-alpha")
    case "i": writer.add("list-style-type:lower-roman")
    case "I": writer.add("list-style-type:upper-roman")
    default:
      for keyword in ["none", "disc", "circle", "square"] where allowsBullets && equalsIgnoringCase(value, keyword.utf8) {
        writer.add("list-style-type", keyword)
      }
    }
  }

  private mutating func writeStart(_ value: HintValue.Bytes, _ element: UInt32) {
    guard let start = HTMLMicrosyntax.integer(value), !tree.hasAttribute(.reversed, element) else { return }
    writer.add("counter-reset", "list-item \(start - 1)")
  }

  /// https://html.spec.whatwg.org/multipage/grouping-content.html#concept-ol-start
  private mutating func writeReversed(_ element: UInt32) {
    // Without `start` the last item is number one.
    let given = tree.attribute(.start, element).flatMap { HTMLMicrosyntax.integer($0) }
    writer.add("counter-reset", given.map { "reversed(list-item) \($0 + 1)" } ?? "reversed(list-item)")
  }

  // MARK: Body

  private mutating func writeBody(_ name: Name, _ value: HintValue.Bytes) {
    switch name {
    case .text: addColor("color", value)
    case .link:
      linkColor = color(value)
      hasLinkColor = linkColor != nil
    // In Chromium the margin attributes set both sides of their axis; those for the opposite side are ignored.
    case .marginheight, .topmargin:
      addPixels("margin-top", value)
      addPixels("margin-bottom", value)
    case .marginwidth, .leftmargin:
      addPixels("margin-left", value)
      addPixels("margin-right", value)
    default: break
    }
  }

  private mutating func addPixels(_ property: StaticString, _ value: HintValue.Bytes) {
    if let px = HTMLMicrosyntax.nonNegativeInteger(value) { writer.add(property, "\(px)px") }
  }
}
