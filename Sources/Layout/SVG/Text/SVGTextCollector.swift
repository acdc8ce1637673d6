import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// Collects the characters of a `text` element after white space processing, with their positioning attributes.
/// https://www.w3.org/TR/SVG2/text.html#TextLayoutAlgorithm, "Setup" and "Resolve character positioning"
struct SVGTextCollector {
  struct Character {
    /// The offset of the first byte in `text`.
    var start: Int
    /// The index among the addressable characters, which selects the values of `x`, `y`, `dx`, `dy` and `rotate`.
    var addressableIndex: Int
    /// Index into `elements`.
    var element: Int
    var x: Double?
    var y: Double?
    var dx = 0.0
    var dy = 0.0
    var rotate: Double?
    /// Index into `paths`; -1 if the character is not on a path.
    var path = -1
    /// Whether the character starts a new text chunk. Chunks are positioned independently.
    var startsChunk = false
  }
  /// A `text`, `tspan`, `textPath` or `a` element.
  struct Element {
    var reference: SVGReference
    var style: ComputedStyle
    /// Index into `elements`; -1 for the `text` element.
    var parent: Int
    var characters: Range<Int>
    /// The styles of decorating boxes, outermost first.
    var decorations: [ComputedStyle]
  }

  let scene: SVGScene
  let viewport: SVGViewport
  private(set) var text: [UInt8] = []
  private(set) var characters: [Character] = []
  private(set) var elements: [Element] = []
  /// The paths of `textPath` elements; nil if the reference is invalid or the path has no length.
  private(set) var paths: [SVGTextPath?] = []
  private var addressableCount = 0
  private var endsWithSpace = true
  private var path = -1
  /// Whether a `textPath` has ended since the last character. The next character outside a path starts a chunk.
  private var pathEnded = false
  /// Later text is ignored.
  private static let maximumBytes = 1 << 20

  init(_ scene: SVGScene, _ reference: SVGReference, _ viewport: SVGViewport) throws {
    self.scene = scene
    self.viewport = viewport
    try collect(reference, parent: -1, decorations: decorations(around: reference), depth: 0)
    trimEnd()
    for index in elements.indices { applyPositioningAttributes(index) }
  }

  private func decorations(around reference: SVGReference) -> [ComputedStyle] {
    var result: [ComputedStyle] = []
    var node = scene.document.parentElement(of: reference.node)
    while !node.isNone, scene.document[node].namespace == .svg, scene.document[node].name != .svg {
      let style = scene.styled.styles[node.index]
      if !style.effects.textDecorationLine.isEmpty { result.append(style) }
      node = scene.document.parentElement(of: node)
    }
    return result.reversed()
  }

  private mutating func collect(_ reference: SVGReference, parent: Int, decorations: [ComputedStyle], depth: Int) throws {
    try scene.count()
    let style = scene.style(reference)
    guard style.box.display != .none, depth < 256, parent < 0 || scene.passesConditions(reference.node) else { return }
    // https://drafts.csswg.org/css-display-3/#unbox-svg
    if style.box.display == .contents {
      if parent >= 0 { try collectContents(reference, style, element: parent, decorations: decorations, depth: depth) }
      return
    }
    let index = elements.count
    let all = style.effects.textDecorationLine.isEmpty ? decorations : decorations + [style]
    elements.append(
      Element(reference: reference, style: style, parent: parent, characters: characters.count..<characters.count, decorations: all))
    let outerPath = path
    if scene.kind(reference.node) == .textPath {
      paths.append(SVGTextPath(scene, reference, style, viewport))
      path = paths.count - 1
    }
    let first = characters.count
    try collectContents(reference, style, element: index, decorations: all, depth: depth)
    elements[index].characters = first..<characters.count
    if path != outerPath {
      if characters.indices.contains(first) { characters[first].startsChunk = true }
      path = outerPath
      pathEnded = true
    }
  }

  private mutating func collectContents(
    _ reference: SVGReference, _ style: ComputedStyle, element index: Int, decorations: [ComputedStyle], depth: Int
  ) throws {
    var instances = reference.instance >= 0 ? scene.children(reference)[...] : []
    for child in scene.document.children(of: reference.node) {
      let node = scene.document[child]
      if node.kind == .text {
        append(scene.document.data(of: child), style, element: index)
      } else if node.kind == .element, node.namespace == .svg {
        let next = reference.instance >= 0 ? instances.popFirst() : SVGReference(node: child)
        guard let next, let kind = scene.kind(child) else { continue }
        // A `textPath` inside a `textPath` is not rendered.
        let isAllowed = kind == .tspan || kind == .a || (kind == .textPath && path < 0)
        if isAllowed { try collect(next, parent: index, decorations: decorations, depth: depth + 1) }
      }
    }
  }

  // MARK: White space

  /// https://www.w3.org/TR/SVG2/text.html#WhiteSpace
  private mutating func append(_ data: ArraySlice<UInt8>, _ style: ComputedStyle, element: Int) {
    let collapses = style.text.whiteSpaceCollapse == .collapse || style.text.whiteSpaceCollapse == .preserveBreaks
    for scalar in transformed(data, style).unicodeScalars where text.count < Self.maximumBytes {
      let isSpace = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
      if isSpace, collapses, endsWithSpace { continue }
      let value: Unicode.Scalar = isSpace ? " " : scalar
      var character = Character(start: text.count, addressableIndex: addressableCount, element: element)
      character.path = path
      if pathEnded, path < 0 { character.startsChunk = true }
      pathEnded = false
      characters.append(character)
      text.append(contentsOf: Array(String(Swift.Character(value)).utf8))
      addressableCount += 1
      endsWithSpace = isSpace && collapses
    }
  }

  private func transformed(_ data: ArraySlice<UInt8>, _ style: ComputedStyle) -> String {
    let text = style.text
    guard text.textTransform != .none || text.textSecurity != .none else { return String(decoding: data, as: UTF8.self) }
    let previous = String(decoding: self.text.suffix(4), as: UTF8.self).unicodeScalars.last
    return String(decoding: TextTransform.apply(Array(data), style: style, previous: previous), as: UTF8.self)
  }

  private mutating func trimEnd() {
    guard endsWithSpace, let last = characters.last else { return }
    text.removeSubrange(last.start...)
    characters.removeLast()
    for index in elements.indices {
      let range = elements[index].characters
      elements[index].characters = min(range.lowerBound, characters.count)..<min(range.upperBound, characters.count)
    }
  }

  // MARK: Positioning attributes

  /// Whether an element is inside a `textPath`. Only such elements may set `y` of characters on the path.
  private func isInsideTextPath(_ index: Int) -> Bool {
    var next = elements[index].parent
    while next >= 0 {
      if scene.kind(elements[next].reference.node) == .textPath { return true }
      next = elements[next].parent
    }
    return false
  }

  /// The values of `rotate`; nil if any is invalid.
  private func rotations(_ node: NodeID) -> [Double]? {
    guard let value = scene.attribute("rotate", node) else { return nil }
    var scanner = SVGNumberScanner(value)
    var result: [Double] = []
    scanner.skipSpace()
    while result.count < 100_000, let number = scanner.number() {
      result.append(number)
      scanner.skipSpaceAndComma()
    }
    return scanner.isAtEnd ? result : nil
  }

  private mutating func applyPositioningAttributes(_ index: Int) {
    let element = elements[index], node = element.reference.node
    guard !element.characters.isEmpty, let kind = scene.kind(node), kind != .a else { return }
    let range = element.characters
    let base = characters[range.lowerBound].addressableIndex
    func forEachValue(_ name: String, _ basis: Double, _ body: (Int, Double) -> Void) {
      let values = scene.lengths(name, node, element.style)
      guard !values.isEmpty else { return }
      for character in range {
        let valueIndex = characters[character].addressableIndex - base
        if valueIndex < values.count { body(character, values[valueIndex].resolve(basis)) }
      }
    }
    var updated = characters
    if kind != .textPath {
      let isOnPath = isInsideTextPath(index)
      // On a path, positions are relative to its start. `y` of elements around the `textPath` is ignored.
      forEachValue("x", viewport.width) { updated[$0].x = $1 }
      forEachValue("y", viewport.height) { if updated[$0].path < 0 || isOnPath { updated[$0].y = $1 } }
    }
    forEachValue("dx", viewport.width) { updated[$0].dx = $1 }
    forEachValue("dy", viewport.height) { updated[$0].dy = $1 }
    characters = updated
    if let angles = rotations(node), let last = angles.last {
      for character in range {
        // The last angle applies to all remaining characters.
        let valueIndex = characters[character].addressableIndex - base
        characters[character].rotate = valueIndex < angles.count ? angles[valueIndex] : last
      }
    }
  }
}

/// The path of a `textPath` element. https://www.w3.org/TR/SVG2/text.html#TextPathElement
struct SVGTextPath {
  var measure: SVGPathMeasure
  var startOffset: Double

  init?(_ scene: SVGScene, _ reference: SVGReference, _ style: ComputedStyle, _ viewport: SVGViewport) {
    var path: VectorPath, node = reference.node
    if let data = scene.attribute("path", node) {
      path = VectorPath(svgPath: data)
    } else {
      // Chromium does not support text on shapes other than `path`.
      guard let url = scene.href(node), let found = scene.element(url), scene.kind(found) == .path else { return nil }
      node = found
      let target = scene.styled.styles[node.index]
      path = scene.shape(.path, node, target, viewport)
      path = path.mapped(scene.transform(target, viewport, node, path.tightBounds))
    }
    measure = SVGPathMeasure(path)
    guard measure.length > 0 else { return nil }
    let offset = scene.length("startOffset", reference.node, style) ?? SVGLength(value: 0)
    startOffset = offset.resolve(measure.length)
    if !offset.isPercentage, let authorLength = scene.number("pathLength", node), authorLength > 0 {
      startOffset *= measure.length / authorLength
    }
  }
}
