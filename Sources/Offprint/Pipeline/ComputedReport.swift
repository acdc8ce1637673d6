import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

extension RenderWorker {
  private static let pseudoElements: [(name: String, pseudo: PseudoElement)] = [
    ("before", .before), ("after", .after), ("marker", .marker), ("first-line", .firstLine),
    ("first-letter", .firstLetter),
    ("placeholder", .placeholder),
  ]

  /// The output of `inspect --computed`: one entry for each element that `selector` matches, in document order. `a::before` selects the
  /// pseudo-elements of those that have one.
  func computedElements(_ selector: String, _ styled: StyledDocument, _ deadline: Deadline) throws -> [Inspection.ComputedElement] {
    let wanted = Self.pseudoElements.first { selector.hasSuffix("::" + $0.name) }
    let start = wanted.map { String(selector.dropLast($0.name.utf8.count + 2)) } ?? selector
    guard let nodes = try StyleEngine.querySelector(start.isEmpty ? "*" : start, in: styled.nodeTree, deadline: deadline)
    else {
      throw OffprintError(.selectorInvalid, "'\(selector)' is not a CSS selector.")
    }
    guard !nodes.isEmpty else {
      throw OffprintError(.selectorUnmatched, "No element matches '\(start)'.")
    }
    var elements: [Inspection.ComputedElement] = []
    var budget = ReportBudget(deadline)
    let places = styled.nodeTree.siblingIndexes
    for node in nodes {
      guard
        let style = wanted == nil
          ? styled.style(of: node) : wanted.flatMap({ styled.style(of: node, $0.pseudo) })
      else { continue }
      let name = String(decoding: styled.document.names[styled.document[node].name], as: UTF8.self)
      let element = Inspection.ComputedElement(
        path: styled.nodeTree.elementPath(of: node, places).map(String.init).joined(separator: "/"),
        name: wanted.map { "\(name)::\($0.name)" } ?? name,
        properties: StyleEngine.computedValues(of: style, names: styled.document.names).map { .init(name: $0.name, value: $0.value) })
      try budget.spend(element.properties.reduce(element.path.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
      elements.append(element)
    }
    guard !elements.isEmpty else {
      throw OffprintError(.selectorUnmatched, "No element has '\(selector)'.")
    }
    return elements
  }
}
