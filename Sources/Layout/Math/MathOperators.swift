import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// The properties of an `mo` element. https://w3c.github.io/mathml-core/#dictionary-based-attributes
struct MathOperator {
  var box: BoxID
  /// The only character of its text; nil for other contents.
  var character: UInt32?
  var properties: MathOperatorDictionary.Properties
  var isVertical: Bool
  var leadingSpace: LayoutUnit
  var trailingSpace: LayoutUnit

  var isStretchy: Bool { properties.contains(.stretchy) }
}

/// Caches the core operators of boxes.
struct MathOperatorTable {
  fileprivate var cores: [BoxID: MathOperator?] = [:]
  fileprivate var spaceLike: [BoxID: Bool] = [:]
}

extension LayoutEngine {
  private static let maximumEmbellishment = 128

  /// The core operator of an embellished operator; nil for other boxes. https://w3c.github.io/mathml-core/#embellished-operators
  func coreOperator(_ box: BoxID, depth: Int = 0) -> MathOperator? {
    if let cached = mathOperators.cores[box] { return cached }
    guard depth < LayoutEngine.maximumEmbellishment else { return nil }
    let found = findCoreOperator(box, depth: depth)
    mathOperators.cores[box] = .some(found)
    return found
  }

  private func findCoreOperator(_ box: BoxID, depth: Int) -> MathOperator? {
    if isMathElement(box, "mo") { return makeOperator(box) }
    guard case .math(let kind) = tree[box].specialLayout else { return nil }
    switch kind {
    case .token, .operatorToken, .space, .root, .indexedRoot: return nil
    case .fraction, .sub, .sup, .subSup, .under, .over, .underOver, .multiscripts:
      return tree.children(of: box).first { tree[$0].isInFlow }.flatMap { coreOperator($0, depth: depth + 1) }
    case .row, .padded:
      var core: MathOperator?
      for child in tree.children(of: box) where tree[child].isInFlow && !isSpaceLike(child, depth: depth + 1) {
        guard core == nil, let found = coreOperator(child, depth: depth + 1) else { return nil }
        core = found
      }
      return core
    }
  }

  /// https://w3c.github.io/mathml-core/#dfn-space-like
  private func isSpaceLike(_ box: BoxID, depth: Int) -> Bool {
    if let cached = mathOperators.spaceLike[box] { return cached }
    guard depth < LayoutEngine.maximumEmbellishment else { return false }
    var result = isMathElement(box, "mtext") || tree[box].specialLayout == .math(.space)
    if !result, tree[box].specialLayout == .math(.row) || tree[box].specialLayout == .math(.padded) {
      result = tree.children(of: box).allSatisfy { !tree[$0].isInFlow || isSpaceLike($0, depth: depth + 1) }
    }
    mathOperators.spaceLike[box] = result
    return result
  }

  func isMathElement(_ box: BoxID, _ name: StaticString) -> Bool {
    let item = tree[box], document = tree.styled.document
    guard item.pseudo == nil, !item.node.isNone, !item.isAnonymous else { return false }
    let node = document[item.node]
    guard node.kind == .element, node.namespace == .mathML else { return false }
    return document.names[node.name].elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  // MARK: Properties

  /// https://w3c.github.io/mathml-core/#dfn-algorithm-for-determining-the-properties-of-an-embellished-operator
  private func makeOperator(_ box: BoxID) -> MathOperator {
    let node = tree[box].node, document = tree.styled.document
    let content = MathTokenText.content(of: node, document)
    let entry = content.isEmpty ? .default : dictionaryEntry(content, node, document)
    var properties = entry.properties
    for (name, property) in Self.booleans {
      guard let value = MathAttributes.boolean(name, of: node, document) else { continue }
      if value { properties.insert(property) } else { properties.remove(property) }
    }
    let scalars = String(decoding: content.prefix(8), as: UTF8.self).unicodeScalars
    let character = content.count <= 4 && scalars.count == 1 ? scalars.first?.value : nil
    let unit = Double(style(box).font.size) / 18
    let leading = LayoutUnit(Double(entry.leading) * unit), trailing = LayoutUnit(Double(entry.trailing) * unit)
    return MathOperator(
      box: box, character: character, properties: properties,
      isVertical: character.map { !MathOperatorDictionary.contains(MathOperatorDictionary.inlineAxis, $0) } ?? true,
      leadingSpace: (MathAttributes.length("lspace", box, self, basis: leading) ?? leading).clampedToZero,
      trailingSpace: (MathAttributes.length("rspace", box, self, basis: trailing) ?? trailing).clampedToZero)
  }

  private static let booleans: [(StaticString, MathOperatorDictionary.Properties)] = [
    ("stretchy", .stretchy), ("symmetric", .symmetric), ("largeop", .largeOp), ("movablelimits", .movableLimits),
  ]

  private func dictionaryEntry(_ content: [UInt8], _ node: NodeID, _ document: Document) -> MathOperatorDictionary.Entry {
    if let value = MathAttributes.value("form", of: node, document) {
      let forms: [(StaticString, MathOperatorDictionary.Form)] = [("infix", .infix), ("prefix", .prefix), ("postfix", .postfix)]
      if let form = forms.first(where: { MathAttributes.isKeyword(value, $0.0) })?.1 {
        return MathOperatorDictionary.entry(content, form) ?? .default
      }
    }
    let form = form(node, document)
    for candidate in [form, .infix, .prefix, .postfix] {
      if let entry = MathOperatorDictionary.entry(content, candidate) { return entry }
    }
    return .default
  }

  /// The form by the element's position among its siblings. https://w3c.github.io/mathml-core/#dfn-form
  private func form(_ node: NodeID, _ document: Document) -> MathOperatorDictionary.Form {
    func hasElement(_ start: NodeID, _ step: (Node) -> NodeID) -> Bool {
      var sibling = start
      while !sibling.isNone {
        if document[sibling].kind == .element { return true }
        sibling = step(document[sibling])
      }
      return false
    }
    let before = hasElement(document[node].previousSibling, \.previousSibling)
    let after = hasElement(document[node].nextSibling, \.nextSibling)
    return !before && after ? .prefix : before && !after ? .postfix : .infix
  }
}

/// The source text of token elements.
enum MathTokenText {
  private static let maximumLength = 65_536

  /// The text content; empty if there is any other child.
  static func content(of node: NodeID, _ document: Document) -> [UInt8] {
    var text: [UInt8] = []
    var child = document[node].firstChild
    while !child.isNone {
      switch document[child].kind {
      case .text: text += document.data(of: child)
      case .element: return []
      default: break
      }
      if text.count > maximumLength { break }
      child = document[child].nextSibling
    }
    return text
  }
}
