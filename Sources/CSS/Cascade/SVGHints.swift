import OffprintCoreTypes
import OffprintDOM

/// Presentation attributes of SVG elements. https://www.w3.org/TR/SVG2/styling.html#PresentationAttributes
struct SVGHints {
  private enum Kind {
    case plain
    /// A length; unitless numbers are in px.
    case length
    /// A length that is a presentation attribute only on the given elements.
    case geometry(Set<ByteString>)
    /// Several keywords or lengths.
    case position
    case transform
  }

  /// By attribute name; nil for attributes that are not presentation attributes.
  private var kinds: [Name: Kind?] = [:]
  private var elements: [Name: String] = [:]

  private static let plain: Set<ByteString> = [
    "alignment-baseline", "clip-path", "clip-rule", "color", "color-interpolation", "color-interpolation-filters", "direction", "display",
    "dominant-baseline", "fill", "fill-opacity", "fill-rule", "filter", "flood-color", "flood-opacity", "font-family", "font-size-adjust",
    "font-stretch", "font-style", "font-variant", "font-weight", "image-rendering", "lighting-color", "marker-end", "marker-mid",
    "marker-start", "mask", "mask-type", "opacity", "overflow", "paint-order", "shape-rendering", "stop-color", "stop-opacity", "stroke",
    "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "text-anchor", "text-decoration",
    "text-orientation", "text-rendering", "transform-box", "unicode-bidi", "vector-effect", "visibility",
    "white-space", "writing-mode",
  ]
  private static let lengths: Set<ByteString> = [
    "baseline-shift", "font-size", "letter-spacing", "stroke-dashoffset", "stroke-width", "word-spacing",
  ]
  private static let geometry: [ByteString: Set<ByteString>] = [
    "x": ["svg", "rect", "image", "foreignObject", "use"], "y": ["svg", "rect", "image", "foreignObject", "use"],
    "width": ["svg", "rect", "image", "foreignObject"], "height": ["svg", "rect", "image", "foreignObject"],
    "cx": ["circle", "ellipse"], "cy": ["circle", "ellipse"], "r": ["circle"], "rx": ["rect", "ellipse"], "ry": ["rect", "ellipse"],
  ]
  /// Presentation attributes with colors as values.
  static let colors: Set<ByteString> = ["color", "fill", "flood-color", "lighting-color", "stop-color", "stroke"]
  /// Whether the attribute is a presentation attribute on every SVG element.
  static func isProperty(_ name: String) -> Bool { plain.contains(name) || lengths.contains(name) }
  static func takesLengths(_ name: String) -> Bool { lengths.contains(name) }
  private static let transforms: Set<ByteString> = ["transform", "gradientTransform", "patternTransform"]

  /// Writes the presentation attributes of an SVG element.
  mutating func write(_ element: UInt32, _ tree: ElementTree, _ writer: inout HintWriter) {
    for attribute in tree.attributes[tree.attributeRange(element)] {
      if attribute.namespace == .xml {
        writeSpace(attribute, tree, &writer)
        continue
      }
      guard attribute.namespace == .none, let kind = kind(attribute.name, tree) else { continue }
      let value = tree.bytes(attribute.value)
      let name = Array(tree.document.names[attribute.name])
      switch kind {
      case .plain:
        let functions = Self.functionsOfLengths(name)
        if functions.isEmpty { add(name, value, isLength: false, &writer) } else { addFunctions(name, value, functions, &writer) }
      case .length: add(name, value, isLength: true, &writer)
      case .geometry(let names): if names.contains(elementName(element, tree)) { addGeometry(name, value, element, tree, &writer) }
      case .position: addPosition(name, value, &writer)
      case .transform: writeTransform(name, value, elementName(element, tree), &writer)
      }
    }
  }

  private mutating func kind(_ name: Name, _ tree: ElementTree) -> Kind? {
    if let known = kinds[name] { return known }
    let text = String(decoding: tree.document.names[name], as: UTF8.self)
    let kind: Kind? =
      if Self.plain.contains(text) {
        .plain
      } else if Self.lengths.contains(text) {
        .length
      } else if text == "transform-origin" {
        .position
      } else if let elements = Self.geometry[text] {
        .geometry(elements)
      } else {
        Self.transforms.contains(text) ? .transform : nil
      }
    kinds[name] = .some(kind)
    return kind
  }

  private mutating func elementName(_ element: UInt32, _ tree: ElementTree) -> String {
    let name = tree[element].name
    if let known = elements[name] { return known }
    let text = String(decoding: tree.document.names[name], as: UTF8.self)
    elements[name] = text
    return text
  }

  /// Adds an attribute value unless it contains characters that could end the declaration or add `!important`.
  private func add(_ name: [UInt8], _ value: some Collection<UInt8>, isLength: Bool, _ writer: inout HintWriter) {
    var depth = 0
    var quote: UInt8 = 0
    for byte in value {
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x28: depth += 1
      case 0x29: depth -= 1
      case 0x3B where depth == 0, 0x7B, 0x7D, 0x21, 0x5C: return
      default: break
      }
    }
    guard depth == 0, quote == 0, !value.isEmpty else { return }
    writer.text.append(contentsOf: name)
    writer.text.append(0x3A)
    writer.text.append(contentsOf: value)
    if isLength, isNumber(value) { writer.text.append(contentsOf: [0x70, 0x78]) }
    writer.text.append(0x3B)
  }

  /// The functions of a property that take lengths as arguments.
  private static func functionsOfLengths(_ name: [UInt8]) -> [StaticString] {
    if name.elementsEqual("filter".utf8) { return ["drop-shadow", "blur"] }
    return name.elementsEqual("clip-path".utf8) ? ["inset", "circle", "ellipse", "polygon", "rect", "xywh"] : []
  }

  /// Adds a value with functions. Unitless numbers in arguments that are lengths get the unit px.
  private func addFunctions(_ name: [UInt8], _ value: HintValue.Bytes, _ functions: [StaticString], _ writer: inout HintWriter) {
    var text: [UInt8] = [], depth = 0, isIn = false
    var word: [UInt8] = []
    func end() {
      text += word
      if isIn, depth == 1, let last = word.last, isDigit(last), isNumber(word) { text += [0x70, 0x78] }
      word = []
    }
    for byte in value {
      if byte == 0x28 || byte == 0x29 || byte == 0x2C || isHTMLSpace(byte) {
        if byte == 0x28, depth == 0 {
          isIn = functions.contains { word[...].equalsIgnoringCase($0) }
        }
        end()
        depth += byte == 0x28 ? 1 : byte == 0x29 ? -1 : 0
        text.append(byte)
      } else {
        word.append(byte)
      }
    }
    end()
    add(name, text, isLength: false, &writer)
  }

  /// Adds a length. Invalid keywords become 0, except on `svg` elements. https://www.w3.org/TR/SVG2/types.html#InterfaceSVGAnimatedLength
  private mutating func addGeometry(
    _ name: [UInt8], _ value: HintValue.Bytes, _ element: UInt32, _ tree: ElementTree, _ writer: inout HintWriter
  ) {
    let text = value.trimmingHTMLSpaces
    let isKeyword = !text.isEmpty && text.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x2D }
    guard isKeyword, tree[element].name != .svg else { return add(name, value, isLength: true, &writer) }
    writer.text.append(contentsOf: name)
    writer.text.append(contentsOf: ":0px;".utf8)
  }

  /// Adds keywords and lengths; unitless numbers are in px.
  private func addPosition(_ name: [UInt8], _ value: HintValue.Bytes, _ writer: inout HintWriter) {
    let parts = value.split(maxSplits: 4, whereSeparator: { isHTMLSpace($0) })
    let isPlain = value.allSatisfy {
      isHTMLSpace($0) || isDigit($0) || 0x61...0x7A ~= $0 | 0x20 || $0 == 0x25 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
    guard isPlain, 1...3 ~= parts.count else { return }
    writer.text.append(contentsOf: name)
    writer.text.append(0x3A)
    for part in parts {
      writer.text.append(contentsOf: part)
      writer.text.append(contentsOf: isNumber(part) ? [0x70, 0x78, 0x20] : [0x20])
    }
    writer.text.append(0x3B)
  }

  private func isNumber(_ value: some Collection<UInt8>) -> Bool {
    guard let last = value.suffix(1).first else { return false }
    guard isDigit(last) || last == 0x2E else { return false }
    var scanner = SVGNumberScanner(value)
    scanner.skipSpace()
    return scanner.number() != nil && scanner.isAtEnd
  }

  private func writeTransform(_ name: [UInt8], _ value: HintValue.Bytes, _ element: String, _ writer: inout HintWriter) {
    switch element {
    case "linearGradient", "radialGradient": guard name.elementsEqual("gradientTransform".utf8) else { return }
    case "pattern": guard name.elementsEqual("patternTransform".utf8) else { return }
    default: guard name.elementsEqual("transform".utf8) else { return }
    }
    guard let m = SVGTransformList.parse(value), !m.isIdentity else { return }
    writer.add("transform", "matrix(\(m.a),\(m.b),\(m.c),\(m.d),\(m.e),\(m.f))")
  }

  /// https://www.w3.org/TR/SVG2/text.html#WhiteSpace
  private func writeSpace(_ attribute: Attribute, _ tree: ElementTree, _ writer: inout HintWriter) {
    guard tree.document.names[attribute.name].elementsEqual("space".utf8) else { return }
    let value = tree.bytes(attribute.value)
    if HintValue.isKeyword(value, "preserve") {
      writer.add("white-space-collapse:preserve-spaces;text-wrap-mode:nowrap")
    } else if HintValue.isKeyword(value, "default") {
      writer.add("white-space-collapse:collapse")
    }
  }
}
