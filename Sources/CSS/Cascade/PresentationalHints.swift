import CoreTypes
import DOM

/// Attributes that style: `bgcolor`, `align`, `cellpadding` and the like, as declarations.
///
/// https://html.spec.whatwg.org/multipage/rendering.html#presentational-hints
struct PresentationalHints {
  private let document: Document
  private var css: [UInt8] = []

  /// The declarations of an element's attributes, as CSS text; nil where there are none.
  static func declarations(of node: NodeID, in document: Document) -> [UInt8]? {
    let element = document[node]
    guard element.namespace == .html, isStyled(element.name) || !element.attributes.isEmpty else { return nil }
    var hints = PresentationalHints(document: document)
    hints.collect(node, element.name)
    return hints.css.isEmpty ? nil : hints.css
  }

  private init(document: Document) { self.document = document }

  /// Elements that ancestors' attributes style (cells by their table).
  private static func isStyled(_ name: Name) -> Bool { name == .td || name == .th }

  private mutating func collect(_ node: NodeID, _ name: Name) {
    common(node, name)
    switch name {
    case .body: body(node)
    case .table: table(node)
    case .td, .th: cell(node)
    case .tr, .tbody, .thead, .tfoot, .col, .colgroup:
      tablePart(node, name)
    case .caption: if let align = keyword(.align, node), align == "bottom" { add("caption-side", "bottom") }
    case .img, .iframe, .embed, .object, .video, .canvas, .input, .marquee, .applet: embedded(node, name)
    case .font, .basefont: font(node)
    case .hr: rule(node)
    case .ol, .ul, .li, .menu, .dir: list(node, name)
    case .p, .div, .h1, .h2, .h3, .h4, .h5, .h6: alignText(node)
    case .br: if let clear = keyword(.clear, node) { add("clear", clear == "all" || clear == "both" ? "both" : clear) }
    case .pre: if has(.wrap, node) { add("white-space", "pre-wrap") }
    case .textarea: if let wrap = keyword(.wrap, node), wrap == "off" { add("white-space", "pre") }
    default: break
    }
  }

  // MARK: Writing declarations

  private mutating func add(_ property: StaticString, _ value: String) {
    css.append(contentsOf: UnsafeBufferPointer(start: property.utf8Start, count: property.utf8CodeUnitCount))
    css.append(UInt8(ascii: ":"))
    css.append(contentsOf: value.utf8)
    css.append(UInt8(ascii: ";"))
  }

  private func value(_ name: Name, _ node: NodeID) -> ArraySlice<UInt8>? { document.attribute(name, of: node) }
  private func has(_ name: Name, _ node: NodeID) -> Bool { value(name, node) != nil }

  private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
    return bytes
  }

  /// The attribute in lower case where it is a plain word.
  private func keyword(_ name: Name, _ node: NodeID) -> String? {
    guard let bytes = value(name, node).map(trimmed), !bytes.isEmpty, bytes.count < 24 else { return nil }
    let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    guard lower.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D || (0x30...0x39).contains($0) }) else { return nil }
    return String(decoding: lower, as: UTF8.self)
  }

  // MARK: Microsyntaxes

  /// https://html.spec.whatwg.org/#rules-for-parsing-dimension-values as a CSS length or percentage.
  private func dimension(_ name: Name, _ node: NodeID, nonzero: Bool = false) -> String? {
    guard var bytes = value(name, node).map(trimmed) else { return nil }
    if bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    let whole = bytes.prefix { (0x30...0x39).contains($0) }
    guard !whole.isEmpty, whole.count < 10 else { return nil }
    var digits = Array(whole)
    bytes = bytes.dropFirst(whole.count)
    if bytes.first == UInt8(ascii: ".") {
      let fraction = bytes.dropFirst().prefix { (0x30...0x39).contains($0) }.prefix(8)
      if !fraction.isEmpty { digits += [UInt8(ascii: ".")] + fraction }
      bytes = bytes.dropFirst(1).drop { (0x30...0x39).contains($0) }
    }
    let number = String(decoding: digits, as: UTF8.self)
    if nonzero, Double(number) == 0 { return nil }
    return number + (bytes.first == UInt8(ascii: "%") ? "%" : "px")
  }

  /// https://html.spec.whatwg.org/#rules-for-parsing-non-negative-integers
  private func integer(_ name: Name, _ node: NodeID) -> Int? {
    guard var bytes = value(name, node).map(trimmed) else { return nil }
    if bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    let digits = bytes.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    return digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1_000_000) }
  }

  /// https://html.spec.whatwg.org/#rules-for-parsing-a-legacy-colour-value
  private func color(_ name: Name, _ node: NodeID) -> String? {
    guard let bytes = value(name, node).map(trimmed), !bytes.isEmpty else { return nil }
    let lower = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    if lower == Array("transparent".utf8) { return nil }
    if lower.first != UInt8(ascii: "#"), lower.allSatisfy({ (0x61...0x7A).contains($0) }), Self.isNamedColor(lower) {
      return String(decoding: lower, as: UTF8.self)
    }
    return Self.legacyColor(lower)
  }

  private static func isNamedColor(_ word: [UInt8]) -> Bool {
    let buffer = Tokenizer.tokenize(word)
    let keywords = ["inherit", "initial", "unset", "revert", "currentcolor"]
    guard !keywords.contains(String(decoding: word, as: UTF8.self)), buffer.tokens.count == 2 else { return false }
    let context = ParserContext(names: NameInterner(table: NameTable()))
    return DeclarationParser.supports(name: Array("color".utf8)[...], tokens: 0..<1, in: buffer, context: context)
  }

  static func legacyColor(_ text: [UInt8]) -> String {
    func isHex(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
    var digits = text
    if digits.count == 4, digits[0] == UInt8(ascii: "#"), digits.dropFirst().allSatisfy(isHex) {
      return String(decoding: digits, as: UTF8.self)
    }
    // Characters beyond the BMP count as two.
    var units: [UInt8] = []
    for scalar in String(decoding: digits, as: UTF8.self).unicodeScalars {
      let byte = scalar.isASCII ? UInt8(scalar.value) : UInt8(ascii: "0")
      units.append(byte)
      if scalar.value > 0xFFFF { units.append(UInt8(ascii: "0")) }
    }
    digits = Array(units.prefix(128))
    if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
    digits = digits.map { isHex($0) ? $0 : UInt8(ascii: "0") }
    while digits.isEmpty || digits.count % 3 != 0 { digits.append(UInt8(ascii: "0")) }
    let length = digits.count / 3
    var parts = (0..<3).map { Array(digits[$0 * length..<($0 + 1) * length]) }
    if length > 8 { parts = parts.map { Array($0.suffix(8)) } }
    while let count = parts.first?.count, count > 2, parts.allSatisfy({ $0.first == UInt8(ascii: "0") }) {
      parts = parts.map { Array($0.dropFirst()) }
    }
    let pairs = parts.map { part in part.count == 1 ? [UInt8(ascii: "0")] + part : Array(part.prefix(2)) }
    return "#" + String(decoding: pairs.joined(), as: UTF8.self)
  }

  /// A URL as a CSS string.
  private func url(_ name: Name, _ node: NodeID) -> String? {
    guard let bytes = value(name, node).map(trimmed), !bytes.isEmpty else { return nil }
    let escaped = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n", "\r", "\u{C}": ""
      default: String(scalar)
      }
    }
    return "url(\"\(escaped.joined())\")"
  }

  // MARK: Elements

  private mutating func common(_ node: NodeID, _ name: Name) {
    switch name {
    case .table, .tr, .td, .th, .tbody, .thead, .tfoot, .body:
      if let color = color(.bgcolor, node) { add("background-color", color) }
      if let image = url(.background, node) { add("background-image", image) }
    default: break
    }
  }

  private mutating func body(_ node: NodeID) {
    if let color = color(.text, node) { add("color", color) }
    let sides: [(StaticString, Name, Name)] = [
      ("margin-top", .marginheight, .topmargin), ("margin-bottom", .marginheight, .bottommargin), ("margin-left", .marginwidth, .leftmargin),
      ("margin-right", .marginwidth, .rightmargin),
    ]
    for (property, first, second) in sides {
      if let size = integer(first, node) ?? integer(second, node) { add(property, "\(size)px") }
    }
  }

  private mutating func size(_ node: NodeID, nonzero: Bool = false) {
    if let width = dimension(.width, node, nonzero: nonzero) { add("width", width) }
    if let height = dimension(.height, node, nonzero: nonzero) { add("height", height) }
  }

  private mutating func table(_ node: NodeID) {
    size(node, nonzero: true)
    if let spacing = integer(.cellspacing, node) { add("border-spacing", "\(spacing)px") }
    if let color = color(.bordercolor, node) { add("border-color", color) }
    switch keyword(.align, node) {
    case "left"?: add("float", "left")
    case "right"?: add("float", "right")
    case "center"?: add("margin-inline", "auto")
    default: break
    }
    if has(.border, node) {
      let width = integer(.border, node) ?? 1
      add("border-width", "\(width)px")
      if width > 0 { add("border-style", "outset") }
    }
    frame(node)
    if has(.rules, node) { add("border-collapse", "collapse") }
    if let space = integer(.hspace, node) { add("margin-inline", "\(space)px") }
    if let space = integer(.vspace, node) { add("margin-block", "\(space)px") }
  }

  private mutating func frame(_ node: NodeID) {
    let styles: String? =
      switch keyword(.frame, node) {
      case "void"?: "hidden"
      case "above"?: "outset hidden hidden hidden"
      case "below"?: "hidden hidden outset hidden"
      case "hsides"?: "outset hidden"
      case "lhs"?: "hidden hidden hidden outset"
      case "rhs"?: "hidden outset hidden hidden"
      case "vsides"?: "hidden outset"
      case "box"?, "border"?: "outset"
      default: nil
      }
    if let styles { add("border-style", styles) }
  }

  /// The table that a cell, row or section is in.
  private func table(of node: NodeID) -> NodeID? {
    var ancestor = document[node].parent
    for _ in 0..<4 where !ancestor.isNone {
      if document[ancestor].name == .table { return ancestor }
      ancestor = document[ancestor].parent
    }
    return nil
  }

  private mutating func cell(_ node: NodeID) {
    tablePart(node, .td)
    size(node, nonzero: true)
    if has(.nowrap, node) { add("white-space", "nowrap") }
    guard let table = table(of: node) else { return }
    if let padding = integer(.cellpadding, table) { add("padding", "\(padding)px") }
    if has(.border, table), (integer(.border, table) ?? 1) > 0 {
      add("border-width", "1px")
      add("border-style", "inset")
      if let color = color(.bordercolor, table) { add("border-color", color) }
    }
    rules(table)
  }

  private mutating func rules(_ table: NodeID) {
    switch keyword(.rules, table) {
    case "none"?, "groups"?: add("border-style", "none")
    case "rows"?: add("border-inline-style", "none"); add("border-block", "1px solid")
    case "cols"?: add("border-block-style", "none"); add("border-inline", "1px solid")
    case "all"?: add("border", "1px solid")
    default: break
    }
  }

  private mutating func tablePart(_ node: NodeID, _ name: Name) {
    switch keyword(.align, node) {
    case "left"?: add("text-align", "-webkit-left")
    case "right"?: add("text-align", "-webkit-right")
    case "center"?, "middle"?: add("text-align", "-webkit-center")
    case "justify"?: add("text-align", "justify")
    default: break
    }
    switch keyword(.valign, node) {
    case "top"?: add("vertical-align", "top")
    case "middle"?: add("vertical-align", "middle")
    case "bottom"?: add("vertical-align", "bottom")
    case "baseline"?: add("vertical-align", "baseline")
    default: break
    }
    if name == .tr || name == .tbody || name == .thead || name == .tfoot, let height = dimension(.height, node) { add("height", height) }
    if name == .col || name == .colgroup, let width = dimension(.width, node) { add("width", width) }
  }

  private mutating func alignText(_ node: NodeID) {
    switch keyword(.align, node) {
    case "left"?: add("text-align", "-webkit-left")
    case "right"?: add("text-align", "-webkit-right")
    case "center"?, "middle"?: add("text-align", "-webkit-center")
    case "justify"?: add("text-align", "justify")
    default: break
    }
  }

  private mutating func embedded(_ node: NodeID, _ name: Name) {
    if name == .input, keyword(.type, node) != "image" { return }
    size(node)
    if name == .img || name == .video || name == .canvas, let width = integer(.width, node), let height = integer(.height, node), width > 0,
      height > 0, dimension(.width, node)?.hasSuffix("px") == true, dimension(.height, node)?.hasSuffix("px") == true
    {
      add("aspect-ratio", "auto \(width) / \(height)")
    }
    if let space = dimension(.hspace, node) { add("margin-inline", space) }
    if let space = dimension(.vspace, node) { add("margin-block", space) }
    switch keyword(.align, node) {
    case "left"?: add("float", "left")
    case "right"?: add("float", "right")
    case "top"?: add("vertical-align", "top")
    case "middle"?, "center"?, "absmiddle"?, "abscenter"?: add("vertical-align", "middle")
    case "bottom"?, "baseline"?: add("vertical-align", "baseline")
    case "texttop"?: add("vertical-align", "text-top")
    default: break
    }
    if name == .img || name == .object || name == .input, let width = integer(.border, node) {
      add("border", "\(width)px solid")
    }
    if name == .iframe, let border = integer(.frameborder, node), border == 0 { add("border", "0") }
  }

  /// https://html.spec.whatwg.org/#rules-for-parsing-a-legacy-font-size
  private mutating func font(_ node: NodeID) {
    if let color = color(.color, node) { add("color", color) }
    if let face = value(.face, node).map(trimmed), !face.isEmpty,
      !face.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") })
    {
      add("font-family", String(decoding: face, as: UTF8.self))
    }
    guard let bytes = value(.size, node).map(trimmed), let first = bytes.first else { return }
    let sign = first == UInt8(ascii: "+") ? 1 : first == UInt8(ascii: "-") ? -1 : 0
    let digits = (sign == 0 ? bytes : bytes.dropFirst()).prefix { (0x30...0x39).contains($0) }.prefix(4)
    guard !digits.isEmpty else { return }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let size = min(7, max(1, sign == 0 ? number : 3 + sign * number))
    add("font-size", ["x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"][size - 1])
  }

  private mutating func rule(_ node: NodeID) {
    switch keyword(.align, node) {
    case "left"?: add("margin-left", "0"); add("margin-right", "auto")
    case "right"?: add("margin-left", "auto"); add("margin-right", "0")
    case "center"?: add("margin-inline", "auto")
    default: break
    }
    if let width = dimension(.width, node) { add("width", width) }
    let color = color(.color, node)
    if has(.noshade, node) || color != nil {
      add("border-style", "solid")
      if let color { add("border-color", color); add("background-color", color) } else { add("border-color", "darkgray"); add("background-color", "darkgray") }
    }
    if let size = integer(.size, node) {
      if size <= 1 { add("border-bottom-width", "0") } else { add("height", "\(size - 2)px") }
    }
  }

  private mutating func list(_ node: NodeID, _ name: Name) {
    if let bytes = value(.type, node).map(trimmed), let first = bytes.first {
      let type: String? =
        switch (bytes.count, first) {
        case (1, UInt8(ascii: "1")): "decimal"
        case (1, UInt8(ascii: "a")): "lower-alpha"
        case (1, UInt8(ascii: "A")): "upper-alpha"
        case (1, UInt8(ascii: "i")): "lower-roman"
        case (1, UInt8(ascii: "I")): "upper-roman"
        default:
          switch keyword(.type, node) {
          case "disc"?: "disc"
          case "circle"?: "circle"
          case "square"?: "square"
          case "none"?: "none"
          default: nil
          }
        }
      if let type { add("list-style-type", type) }
    }
    if name == .li, let number = signedInteger(.value, node) { add("counter-set", "list-item \(number)") }
    if name == .ol { orderedList(node) }
  }

  /// https://html.spec.whatwg.org/#the-ol-element: the first item's number, and the direction of counting.
  private mutating func orderedList(_ node: NodeID) {
    let start = signedInteger(.start, node)
    if has(.reversed, node) {
      var count = 0
      var child = document[node].firstChild
      while !child.isNone {
        if document[child].kind == .element && document[child].name == .li { count += 1 }
        child = document[child].nextSibling
      }
      add("counter-reset", "reversed(list-item) \((start ?? count) + 1)")
    } else if let start {
      add("counter-reset", "list-item \(start - 1)")
    }
  }

  private func signedInteger(_ name: Name, _ node: NodeID) -> Int? {
    guard let bytes = value(name, node).map(trimmed), let first = bytes.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    let digits = (isNegative || first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes).prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    let number = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 100_000_000) }
    return isNegative ? -number : number
  }
}
