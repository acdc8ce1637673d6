import OffprintCoreTypes
import OffprintDOM

/// The style sheets of a document's shadow trees. Trees with identical style sheets, such as instances of a component, share them.
struct ShadowSheets {
  struct Sheet {
    let builder: RuleSetBuilder
    let rules: RuleSet
  }
  private(set) var sheets: [Sheet] = []
  /// Index into `sheets`, by shadow tree.
  private(set) var numbers: [Int] = []
  private var cached: [[UInt8]: Int] = [:]

  init(
    _ tree: ElementTree, _ context: StyleSheetContext, _ options: StyleEngine.Options, baseURL: String,
    _ diagnostics: inout DiagnosticLog
  ) throws {
    for shadow in tree.document.shadowRoots {
      let first = tree[shadow.root.raw].firstChild
      let key = Self.key(first, tree)
      if let key, let number = cached[key] {
        numbers.append(number)
        continue
      }
      var collector = StyleSheetCollector(tree: tree, context: context, options: options)
      try collector.collect(shadowTree: first, baseURL: baseURL, &diagnostics)
      if let key { cached[key] = sheets.count }
      numbers.append(sheets.count)
      sheets.append(Sheet(builder: collector.builder, rules: RuleSet(collector.builder, meter: context.meter)))
    }
  }

  var hasContainers: Bool { sheets.contains { !$0.builder.containers.isEmpty } }
  var counterStyles: [CounterStyleRule] { sheets.flatMap(\.builder.counterStyles) }

  /// The sources of a tree's style sheets as a cache key; nil if their meaning depends on the tree.
  private static func key(_ first: UInt32, _ tree: ElementTree) -> [UInt8]? {
    var key: [UInt8] = []
    var element = first
    while element != ElementInfo.none {
      let isStyle = tree[element].name == .style
      if isStyle || tree.isHTML(element, .link) {
        key.append(isStyle ? 1 : 2)
        for attribute in tree.attributes[tree.attributeRange(element)] {
          withUnsafeBytes(of: attribute.name.raw) { key.append(contentsOf: $0) }
          key.append(contentsOf: tree.bytes(attribute.value))
          key.append(0)
        }
        if isStyle { key.append(contentsOf: tree.document.textContent(of: NodeID(raw: element))) }
        key.append(0)
      }
      element = tree.nextInPreOrder(element, within: ElementInfo.none)
    }
    // A `@scope` rule without a root refers to the parent of its own `style` element.
    let scope = Array("@scope".utf8)
    return key.indices.contains { key[$0] == scope[0] && key[$0...].starts(with: scope) } ? nil : key
  }
}
