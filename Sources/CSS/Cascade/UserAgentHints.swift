import OffprintCoreTypes
import OffprintDOM

/// Parts of the user agent's style that cannot be expressed by selectors.
///
/// https://html.spec.whatwg.org/multipage/rendering.html
enum UserAgentHints {
  static func write(
    _ element: UInt32, _ tree: ElementTree, _ parent: ComputedStyle?, quirks: Bool, bodyColor: () -> Color?, _ writer: inout HintWriter
  ) {
    let name = tree[element].name
    if tree[element].namespace == .svg { return writeSVG(element, name, tree, &writer) }
    guard tree[element].namespace == .html else { return }
    if name == .audio, !hasControls(element, tree) { writer.add("display:none") }
    if name == .th, parent.map({ $0.text.textAlign == .start }) ?? true {
      // Chromium's `-internal-center`: centered unless the inherited value is not the initial one.
      writer.add("text-align:center")
    }
    if name == .table, let align = parent?.text.textAlign, align == .webkitLeft || align == .webkitRight || align == .webkitCenter {
      // The effect of `align` on descendants ends at a table. The HTML standard does not specify this; Chromium and Firefox agree.
      writer.add("text-align:start")
    }
    writeDirection(element, tree, &writer)
    if quirks { writeQuirks(element, tree, bodyColor, &writer) }
  }

  /// https://www.w3.org/TR/SVG2/styling.html#UAStyleSheet
  private static func writeSVG(_ element: UInt32, _ name: Name, _ tree: ElementTree, _ writer: inout HintWriter) {
    let parent = tree.parentOrHost(element)
    // The root of a `use` instance is always inside an SVG fragment.
    let isInside =
      parent == ElementInfo.none ? element != tree.root : tree[parent].namespace == .svg && tree[parent].name != .foreignObject
    if isInside { writer.add("transform-origin:0 0;transform-box:view-box") }
    switch name {
    case .svg: if element != tree.root { writer.add("overflow:hidden") }
    case .foreignObject: writer.add("overflow:hidden;display:block;text-indent:0")
    default:
      let text = tree.document.names[name]
      if text.elementsEqual("text".utf8) {
        writer.add("display:block;text-indent:0;white-space-collapse:collapse;text-wrap-mode:nowrap")
      } else if ["symbol", "marker", "pattern", "image"].contains(where: { text.elementsEqual($0.utf8) }) {
        writer.add("overflow:hidden")
      }
    }
  }

  private static func hasControls(_ audio: UInt32, _ tree: ElementTree) -> Bool {
    tree.attributes[tree.attributeRange(audio)].contains { tree.document.names[$0.name].elementsEqual("controls".utf8) }
  }

  private static func writeDirection(_ element: UInt32, _ tree: ElementTree, _ writer: inout HintWriter) {
    guard tree[element].name == .bdi || !tree.attributeRange(element).isEmpty else { return }
    let value = tree.attribute(.dir, element)
    let isAuto = value.map { HintValue.isKeyword($0, "auto") } ?? (tree[element].name == .bdi)
    guard isAuto else { return }
    let isRTL = ElementStates.automaticDirection(of: element, tree) == .rtl
    if isRTL { writer.add("direction:rtl") } else { writer.add("direction:ltr") }
  }

  /// Tables in quirks mode take their color from `body`. https://html.spec.whatwg.org/multipage/rendering.html#tables-2
  private static func writeQuirks(_ element: UInt32, _ tree: ElementTree, _ bodyColor: () -> Color?, _ writer: inout HintWriter) {
    let name = tree[element].name
    if name == .table, let color = bodyColor() {
      let (r, g, b, _) = color.rgba8
      writer.add("color", "rgb(\(r) \(g) \(b) / \(color.alpha))")
    }
  }
}

/// Recognizes CSS color names. https://drafts.csswg.org/css-color-4/#named-colors
enum ColorNames {
  private static let keywords: Set<ByteString> = ["inherit", "initial", "unset", "revert", "currentcolor", "transparent"]

  static func isColor(_ name: ArraySlice<UInt8>, _ context: ParserContext) -> Bool {
    guard !keywords.contains(String(decoding: name, as: UTF8.self)) else { return false }
    let buffer = Tokenizer.tokenize(Array(name))
    return DeclarationParser.supports(name: Array("color".utf8)[...], tokens: 0..<1, in: buffer, context: context)
  }
}
