import OffprintCoreTypes
import OffprintDOM

/// Declarations that do not come from style sheets: `style` attributes, presentational hints, and user agent styles that depend on the element.
///
/// https://drafts.csswg.org/css-cascade-5/#preshint
final class ElementDeclarations {
  /// Indices of an element's blocks in the three caches; -1 if absent.
  struct Blocks {
    var agent = -1
    var hints = -1
    var inline = -1
    /// The value of the element's own `lang` attribute.
    var language: String?
  }

  private let tree: ElementTree
  private let context: StyleSheetContext
  private let options: StyleEngine.Options
  private let baseURL: String
  /// Hints in the user agent origin.
  private(set) var agent = BlockCache()
  private(set) var hints = BlockCache()
  private(set) var inline = BlockCache()
  /// Diagnostics of `style` attributes.
  private(set) var diagnostics = DiagnosticLog()
  private var presentationalHints: PresentationalHints
  private var mathHints = MathHints()

  init(_ tree: ElementTree, _ context: StyleSheetContext, _ options: StyleEngine.Options, baseURL: String) {
    self.tree = tree
    self.context = context
    self.options = options
    self.baseURL = baseURL
    let parser = ParserContext(names: context.names)
    presentationalHints = PresentationalHints(tree: tree, media: options.media) { ColorNames.isColor($0, parser) }
  }

  /// The blocks of an element.
  ///
  /// - Parameter bodyColor: The color of `body`, which tables use in quirks mode.
  func blocks(of element: UInt32, parent: ComputedStyle?, bodyColor: () -> Color?) -> Blocks {
    let language = ElementStates.ownLanguage(of: element, tree)
    return Blocks(
      agent: userAgentHints(element, parent, bodyColor), hints: authorHints(element), inline: styleAttribute(element),
      language: language.map { String(decoding: $0, as: UTF8.self) })
  }

  private func parse(_ text: [UInt8], _ log: inout DiagnosticLog) -> DeclarationBlock {
    StyleSheetParser.parseDeclarations(text, context: context, baseURL: baseURL, position: nil, diagnostics: &log)
  }

  private func parseHints(_ text: [UInt8]) -> DeclarationBlock {
    var ignored = DiagnosticLog(capacity: 0)
    return parse(text, &ignored)
  }

  private func authorHints(_ element: UInt32) -> Int {
    guard !tree.attributeRange(element).isEmpty || PresentationalHints.dependsOnTable(tree[element].name) else { return -1 }
    presentationalHints.write(element)
    let text = presentationalHints.writer.text
    return text.isEmpty ? -1 : hints.number(text) { parseHints(text) }
  }

  private func userAgentHints(_ element: UInt32, _ parent: ComputedStyle?, _ bodyColor: () -> Color?) -> Int {
    var writer = HintWriter()
    if tree[element].namespace == .mathML { mathHints.writeAgent(element, tree, &writer) }
    UserAgentHints.write(element, tree, parent, quirks: context.quirks, bodyColor: bodyColor, &writer)
    return writer.text.isEmpty ? -1 : agent.number(writer.text) { parseHints(writer.text) }
  }

  private func styleAttribute(_ element: UInt32) -> Int {
    guard let text = tree.attribute(.style, element), !text.isEmpty else { return -1 }
    let bytes = Array(text)
    return inline.number(bytes) {
      var log = DiagnosticLog()
      let block = parse(bytes, &log)
      report(log, element)
      return block
    }
  }

  /// Reports the diagnostics of a `style` attribute at the position of its element.
  private func report(_ log: DiagnosticLog, _ element: UInt32) {
    guard !log.entries.isEmpty else { return }
    let offset = Int(tree.document.nodes[Int(element)].sourceOffset)
    let position = options.source.isEmpty ? nil : Document.position(ofOffset: offset, in: options.source, named: options.sourceName)
    for entry in log.entries {
      var entry = entry
      entry.position = position
      diagnostics.report(entry)
    }
  }
}
