import CoreTypes

/// Looks through an SVG before the SVG library draws it, which ends the process on some text, cannot be interrupted and knows no limits.
///
/// It follows every path that drawing takes, through `use`, patterns, markers, masks, clip paths and filters, with a bound for each thing
/// that can grow: what a document may not be drawn for is told in the error.
struct SVGInspector {
  /// Whether it is drawn at once, or where it may be left when it takes too long.
  enum Effort { case short, long }

  private static let mostSteps = 100_000
  /// Elements below each other, those that are referred to as well: drawing them recurses.
  private static let mostDepth = 200
  /// Pixels of layers that are needed at a time.
  private static let mostLayerPixels = 128 << 20
  /// Text in user units and in pixels: beyond some two million the text library's numbers overflow.
  private static let longestText = 500_000.0
  private static let mostDashes = 1_000_000.0
  private static let mostNested = 3
  /// Pixels that are drawn to before it is worth a thread.
  private static let shortPixels = 64_000_000

  /// What is handed down to an element.
  private struct Context {
    /// How much user units grow, at most.
    var scale: Double
    var fontSize = 16.0
    var depth = 0
    var layers = 0
    /// Of all that inherit: patterns that shapes are painted with, and markers.
    var paints: [Int] = []
    var markers: [Int] = []
    var dash: Double?
    var spacing = 0.0
  }

  private let outline: SVGOutline
  private let limits: Limits
  private let pixels: Int
  private let longestSide: Double
  private var steps = 0
  private var drawnPixels = 0
  private var picturePixels = 0
  private var isLong: Bool
  private var isOpen: [Bool]
  private var seenPictures: Set<Int> = []

  /// - Parameters:
  ///   - width: pixels of the picture it is drawn on.
  ///   - nested: how many documents this one is embedded in.
  /// - Throws: `limitExceeded` or `imageDamaged`.
  static func inspect(_ bytes: [UInt8], width: Int, height: Int, _ limits: Limits, nested: Int = 0) throws(ImageError) -> Effort {
    var inspector = try SVGInspector(bytes, width: width, height: height, limits, nested)
    return try inspector.run()
  }

  private let nested: Int

  private init(_ bytes: [UInt8], width: Int, height: Int, _ limits: Limits, _ nested: Int) throws(ImageError) {
    outline = try SVGOutline(bytes)
    self.limits = limits
    self.nested = nested
    pixels = max(1, width) * max(1, height)
    longestSide = Double(max(width, height, 1))
    isLong = bytes.count > 1 << 18
    isOpen = Array(repeating: false, count: outline.elements.count)
  }

  private mutating func run() throws(ImageError) -> Effort {
    guard !outline.elements.isEmpty else { return .short }
    try checkAttributes()
    try visit(0, Context(scale: 1))
    return isLong || drawnPixels > Self.shortPixels ? .long : .short
  }

  private static var tooManySteps: ImageError { over("drawing it takes more than \(mostSteps) steps, of elements used again and again") }

  private static func over(_ what: String) -> ImageError { ImageError(.limitExceeded, "The SVG is not drawn: \(what).") }

  // MARK: Elements, one by one

  private mutating func checkAttributes() throws(ImageError) {
    for index in outline.elements.indices {
      let element = outline.elements[index]
      switch element.name {
      case "include": throw Self.over("it includes other documents")
      case "feTurbulence":
        if Self.number(element.attributes["numOctaves"]) ?? 1 > 16 { throw Self.over("its turbulence has too many octaves") }
      case "feConvolveMatrix":
        if SVGNumbers(element.attributes["order"] ?? "").contains(where: { $0.value > 32 }) {
          throw Self.over("its convolution is too large")
        }
      default: break
      }
      if let href = element.attributes["href"], href.drop(while: { $0.isWhitespace }).lowercased().hasPrefix("data:") {
        try checkEmbedded(href, index)
      }
      for property in Self.references where element.values(property).contains(where: { $0.lowercased().contains("data:") }) {
        throw Self.over("'\(property)' refers to another document")
      }
    }
  }

  private static let references = ["fill", "stroke", "mask", "clip-path", "filter", "marker", "marker-start", "marker-mid", "marker-end"]

  private static func number(_ text: String?) -> Double? {
    guard let text else { return nil }
    return SVGNumbers(text).first { _ in true }?.value
  }

  /// A picture in a `data:` URL, by its header; an SVG as this one.
  private mutating func checkEmbedded(_ url: String, _ element: Int) throws(ImageError) {
    guard let data = EmbeddedData(url), !data.bytes.isEmpty else { return }
    guard let probe = try? ImageProbe(data.bytes) else { throw Self.over("it embeds data of an unknown kind") }
    if probe.format == .svg {
      guard nested < Self.mostNested else { throw Self.over("it embeds documents too deep") }
      isLong = true
      _ = try SVGInspector.inspect(data.bytes, width: 1024, height: 1024, limits, nested: nested + 1)
      return
    }
    // All frames of an animation are decoded.
    let frames = probe.format == .gif ? 16 : 1
    let (count, overflow) = probe.pixelWidth.multipliedReportingOverflow(by: probe.pixelHeight)
    guard !overflow, count <= limits.decodedPixels / frames, picturePixels + count <= limits.decodedPixels else {
      throw Self.over("its pictures are over the limit of \(limits.decodedPixels) pixels (decodedPixels)")
    }
    picturePixels += count
    if count > 1 << 20 { isLong = true }
  }

  // MARK: The way of drawing

  /// What is drawn only where something refers to it.
  private static let definitions: Set<String> = [
    "defs", "symbol", "mask", "clipPath", "pattern", "marker", "linearGradient", "radialGradient", "filter", "style", "title", "desc",
    "metadata", "script",
  ]
  private static let shapes: Set<String> = ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "image"]

  private mutating func visit(_ index: Int, _ outer: Context) throws(ImageError) {
    steps += 1
    guard steps <= Self.mostSteps else { throw Self.tooManySteps }
    guard outer.depth < Self.mostDepth else { throw Self.over("its elements nest deeper than \(Self.mostDepth), with what they refer to") }
    guard (outer.layers + 1) * pixels <= Self.mostLayerPixels else { throw Self.over("its masks, patterns and filters nest too deep") }
    guard !isOpen[index] else { return }
    isOpen[index] = true
    defer { isOpen[index] = false }
    let element = outline.elements[index]
    var context = try inherited(element, outer)
    try visitEffects(element, context)
    if Self.shapes.contains(element.name) { try visitShape(element, context) }
    if element.name == "text" || element.name == "tspan" || element.name == "textPath" || element.name == "a" || element.name == "tref" {
      try checkText(index, context)
    }
    if ["use", "tref", "textPath", "pattern", "feImage"].contains(element.name) { try refer(element.attributes["href"], context) }
    context.depth += 1
    for child in element.children where !Self.definitions.contains(outline.elements[child].name) { try visit(child, context) }
  }

  private func target(_ reference: String?) -> Int? {
    guard let reference, let hash = reference.firstIndex(of: "#") else { return nil }
    let id = reference[reference.index(after: hash)...].prefix { !")\"' \n\t".contains($0) }
    return outline.ids[String(id)]
  }

  /// - Parameter isLayer: whether it is drawn on a layer of its own.
  private mutating func refer(_ reference: String?, _ context: Context, isLayer: Bool = false) throws(ImageError) {
    guard let target = target(reference) else { return }
    var context = context
    context.depth += 1
    if isLayer {
      context.layers += 1
      drawnPixels += pixels
      isLong = true
    }
    try visit(target, context)
  }

  /// Clip paths, masks and filters.
  private mutating func visitEffects(_ element: SVGOutline.Element, _ context: Context) throws(ImageError) {
    for property in ["clip-path", "mask", "filter"] {
      for value in element.values(property) where value.contains("(") {
        if property == "filter" { isLong = true }
        try refer(value, context, isLayer: true)
      }
    }
    if element.values("opacity").contains(where: { Self.number($0).map { $0 < 1 } ?? false }) { drawnPixels += pixels }
  }

  /// Each shape is painted with a pattern anew, and has a marker at each vertex.
  private mutating func visitShape(_ element: SVGOutline.Element, _ context: Context) throws(ImageError) {
    drawnPixels += min(pixels, 1 << 40)
    for paint in context.paints where outline.elements[paint].name == "pattern" {
      var inner = Context(scale: context.scale)
      (inner.depth, inner.layers) = (context.depth + 1, context.layers + 1)
      isLong = true
      try visit(paint, inner)
    }
    let data = (element.attributes["d"] ?? "") + (element.attributes["points"] ?? "")
    if !context.markers.isEmpty {
      let vertices = max(2, SVGNumbers(data).reduce(0) { count, _ in count + 1 })
      for marker in context.markers {
        let before = steps
        var inner = Context(scale: context.scale * 1000)
        (inner.depth, inner.layers) = (context.depth + 1, context.layers)
        try visit(marker, inner)
        let (more, overflow) = (steps - before).multipliedReportingOverflow(by: vertices - 1)
        guard !overflow, more <= Self.mostSteps - steps else { throw Self.tooManySteps }
        steps += more
      }
    }
    guard let dash = context.dash else { return }
    var length = ["width", "height", "r", "rx", "ry", "x1", "x2", "y1", "y2"].reduce(0.0) {
      $0 + 8 * abs(Self.number(element.attributes[$1]) ?? 0)
    }
    for number in SVGNumbers(data) { length += 2 * abs(number.value) }
    if length * max(1, context.scale) > Self.mostDashes * dash || length > Self.mostDashes * dash {
      throw Self.over("its dashes are too many")
    }
    if length > 10_000 * dash { isLong = true }
  }

  // MARK: Text

  /// The text library's numbers end at some two million.
  private mutating func checkText(_ index: Int, _ context: Context) throws(ImageError) {
    let element = outline.elements[index]
    let length = Double(max(1, element.textBytes)) * (context.fontSize + context.spacing)
    for name in ["x", "y", "dx", "dy", "textLength"] {
      for number in SVGNumbers(element.attributes[name] ?? "") where !(abs(number.value) * max(1, context.scale) <= Self.longestText) {
        throw Self.over("its text lies too far away")
      }
    }
    guard length <= Self.longestText, length * context.scale <= Self.longestText else {
      throw Self.over("its text is too large or too long")
    }
  }

  // MARK: What is handed down

  private func inherited(_ element: SVGOutline.Element, _ outer: Context) throws(ImageError) -> Context {
    var context = outer
    context.scale *= try scale(element)
    for value in element.values("font-size") + element.values("font") {
      context.fontSize = max(context.fontSize, fontSize(value, outer.fontSize))
    }
    for property in ["letter-spacing", "word-spacing"] {
      for value in element.values(property) {
        for number in SVGNumbers(value) {
          context.spacing = max(context.spacing, abs(number.value) * number.unitSize(context.fontSize, longestSide))
        }
      }
    }
    for property in ["fill", "stroke"] {
      let found = element.values(property).compactMap { $0.contains("(") ? target($0) : nil }
      context.paints = Array((found + context.paints).prefix(4))
    }
    for property in ["marker", "marker-start", "marker-mid", "marker-end"] {
      for case let marker? in element.values(property).map({ target($0) }) where !context.markers.contains(marker) {
        context.markers.append(marker)
      }
    }
    for value in element.values("stroke-dasharray") {
      let numbers = SVGNumbers(value).map { abs($0.value) * $0.unitSize(context.fontSize, 100) }
      guard let sum = Optional(numbers.reduce(0, +)), !numbers.isEmpty, sum > 0 else { continue }
      context.dash = min(context.dash ?? sum, sum)
    }
    return context
  }

  /// How much the element's own coordinates are larger than its parent's, at most.
  private func scale(_ element: SVGOutline.Element) throws(ImageError) -> Double {
    var scale = 1.0
    for value in element.values("transform") + [element.attributes["patternTransform"]].compactMap({ $0 }) {
      for part in value.split(separator: ")") {
        let numbers = SVGNumbers(String(part)).map { abs($0.value) }
        let largest = numbers.max() ?? 1
        if part.contains("scale") || part.contains("matrix") {
          scale *= max(1e-6, part.contains("matrix") ? 2 * (numbers.prefix(4).max() ?? 1) : largest)
        }
        if part.contains("skew") { scale *= 60 }
      }
    }
    if let box = element.attributes["viewBox"].map({ SVGNumbers($0).map(\.value) }), box.count == 4, box[2] > 0, box[3] > 0 {
      let sizes = ["width", "height", "markerWidth", "markerHeight"].compactMap { element.attributes[$0] }.flatMap {
        SVGNumbers($0).map { $0 }
      }
      let largest = sizes.reduce(longestSide) { max($0, abs($1.value) * $1.unitSize(100, longestSide)) }
      scale *= max(largest / box[2], largest / box[3])
    }
    guard scale.isFinite else { throw Self.over("its transforms are too large") }
    return scale
  }

  private func fontSize(_ value: String, _ outer: Double) -> Double {
    var size = 0.0
    for number in SVGNumbers(value) { size = max(size, abs(number.value) * number.unitSize(outer, outer)) }
    return size > 0 ? size : value.contains("large") ? max(48, outer * 1.2) : outer
  }
}

/// The numbers in a text, with the units behind them.
struct SVGNumbers: Sequence, IteratorProtocol {
  struct Number {
    var value: Double
    var unit: String

    /// Pixels a unit; of a percentage a hundredth of `whole`.
    func unitSize(_ em: Double, _ whole: Double) -> Double {
      switch unit {
      case "%": whole / 100
      case "em", "rem", "ch": em
      case "ex": em / 2
      case "pt": 96.0 / 72
      case "pc": 16
      case "in": 96
      case "cm": 96 / 2.54
      case "mm": 96 / 25.4
      default: 1
      }
    }
  }

  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func next() -> Number? {
    func isDigit(_ c: UInt8) -> Bool { 0x30...0x39 ~= c }
    while let first = rest.first, !isDigit(first), first != 0x2E { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var end = rest.startIndex, hasPoint = false
    while end < rest.endIndex, isDigit(rest[end]) || (rest[end] == 0x2E && !hasPoint) {
      if rest[end] == 0x2E { hasPoint = true }
      end = rest.index(after: end)
    }
    if end < rest.endIndex, rest[end] | 0x20 == 0x65 {
      var exponent = rest.index(after: end)
      if exponent < rest.endIndex, rest[exponent] == 0x2B || rest[exponent] == 0x2D { exponent = rest.index(after: exponent) }
      if exponent < rest.endIndex, isDigit(rest[exponent]) {
        while exponent < rest.endIndex, isDigit(rest[exponent]) { exponent = rest.index(after: exponent) }
        end = exponent
      }
    }
    // A lone point is no number; one that is too large for a Double is infinite.
    let value = Double(String(Substring(rest[..<end]))) ?? 0
    var unitEnd = end
    while unitEnd < rest.endIndex, rest[unitEnd] == 0x25 || 0x61...0x7A ~= rest[unitEnd] | 0x20 { unitEnd = rest.index(after: unitEnd) }
    let unit = Substring(rest[end..<unitEnd]).lowercased()
    rest = rest[end...]
    return Number(value: value, unit: unit)
  }
}

/// The bytes of a `data:` URL. https://fetch.spec.whatwg.org/#data-urls
struct EmbeddedData {
  var bytes: [UInt8]

  init?(_ url: String) {
    guard let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let isBase64 = url[..<comma].lowercased().contains("base64")
    var plain: [UInt8] = []
    var rest = url.utf8[url.utf8.index(after: comma)...]
    func hex(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
    while let byte = rest.popFirst() {
      let next = Array(rest.prefix(2))
      if byte == UInt8(ascii: "%"), next.count == 2, let high = hex(next[0]), let low = hex(next[1]) {
        plain.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        plain.append(byte)
      }
    }
    bytes = isBase64 ? Self.decoded(plain) : plain
  }

  private static func decoded(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [], bits: UInt32 = 0, count = 0
    for byte in text {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      default: continue
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }
}
