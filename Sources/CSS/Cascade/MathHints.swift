import OffprintCoreTypes
import OffprintDOM

/// The user agent style of MathML elements, and the presentational hints of their attributes. The style is generated for each element instead of
/// being part of the user agent style sheet, so that pages without formulas have no additional rules to match.
struct MathHints {
  /// Elements whose `mprescripts` child has been visited. The following children are prescripts.
  private var parentsWithPrescripts: Set<UInt32> = []

  // MARK: User agent style

  /// https://w3c.github.io/mathml-core/#user-agent-stylesheet
  mutating func writeAgent(_ element: UInt32, _ tree: ElementTree, _ writer: inout HintWriter) {
    writer.add("font-size:math;display:block math;writing-mode:horizontal-tb!important")
    let parent = tree[element].parent
    if parent != ElementInfo.none, tree[parent].namespace == .mathML {
      writeChild(element, of: parent, Self.name(parent, tree), tree, &writer)
    }
    switch Self.name(element, tree) {
    case "math":
      writer.add("direction:ltr;text-indent:0;letter-spacing:normal;line-height:normal;word-spacing:normal;font-family:math")
      writer.add("font-size:inherit;font-style:normal;font-weight:normal;display:inline math;math-style:compact;math-shift:normal")
      writer.add("math-depth:0")
      if let display = Self.attribute("display", element, tree), HintValue.isKeyword(display, "block") {
        writer.add("display:block math;math-style:normal")
      }
    case "mi": writer.add("text-transform:math-auto")
    case "merror": writer.add("border:1px solid red;background-color:lightYellow")
    case "mphantom": writer.add("visibility:hidden")
    case "annotation", "annotation-xml": writer.add("display:none")
    case "mtable": writer.add("display:inline-table;math-style:compact")
    case "mtr": writer.add("display:table-row")
    case "mtd": writer.add("display:table-cell;text-align:-webkit-center;padding:0.5ex 0.4em")
    case "mfrac": writer.add("padding-inline:1px")
    case "mroot", "msqrt": writer.add("math-shift:compact")
    case "mprescripts": if parent != ElementInfo.none { parentsWithPrescripts.insert(parent) }
    default: break
    }
  }

  private func writeChild(_ element: UInt32, of parent: UInt32, _ name: String, _ tree: ElementTree, _ writer: inout HintWriter) {
    let index = tree[element].index, isFirst = index == 1
    switch name {
    case "semantics", "maction": if !isFirst { writer.add("display:none") }
    case "mfrac":
      writer.add("math-depth:auto-add;math-style:compact")
      if index == 2 { writer.add("math-shift:compact") }
    case "mroot": if !isFirst { writer.add("math-depth:add(2);math-style:compact") }
    case "msub", "msup", "msubsup", "mmultiscripts", "munder", "mover", "munderover":
      if !isFirst { writer.add("math-depth:add(1);math-style:compact") }
      writeScript(index, of: parent, name, tree, &writer)
    default: break
    }
  }

  private func writeScript(_ index: UInt32, of parent: UInt32, _ name: String, _ tree: ElementTree, _ writer: inout HintWriter) {
    func isTrue(_ attribute: StaticString) -> Bool {
      Self.attribute(attribute, parent, tree).map { HintValue.isKeyword($0, "true") } ?? false
    }
    let isUnder = name != "mover" && name.hasPrefix("munder"), isOver = name.hasSuffix("over")
    if isUnder, index == 2, isTrue("accentunder") { writer.add("font-size:inherit") }
    if isOver, isTrue("accent") {
      if index == (isUnder ? 3 : 2) { writer.add("font-size:inherit") }
      if index == 1 { writer.add("math-shift:compact") }
    }
    if isUnder, isOver, index == 1, isTrue("accentunder") { writer.add("math-shift:compact") }
    let isPrescript = name == "mmultiscripts" && parentsWithPrescripts.contains(parent)
    switch name {
    case "msub", "msubsup": if index == 2 { writer.add("math-shift:compact") }
    case "mmultiscripts": if index.isMultiple(of: 2) != isPrescript { writer.add("math-shift:compact") }
    default: break
    }
    if isPrescript, index.isMultiple(of: 2) { writer.add("math-shift:inherit") }
  }

  // MARK: Attributes

  /// https://w3c.github.io/mathml-core/#attributes-common-to-html-and-mathml-elements
  func writeAttributes(_ element: UInt32, _ tree: ElementTree, _ writer: inout HintWriter) {
    let name = Self.name(element, tree)
    for attribute in tree.attributes[tree.attributeRange(element)] where attribute.namespace == .none {
      let value = tree.bytes(attribute.value)
      switch String(decoding: tree.document.names[attribute.name], as: UTF8.self) {
      case "dir":
        if HintValue.isKeyword(value, "rtl") { writer.add("direction:rtl") }
        if HintValue.isKeyword(value, "ltr") { writer.add("direction:ltr") }
      case "mathcolor": addValue("color", value, &writer)
      case "mathbackground": addValue("background-color", value, &writer)
      case "mathsize": if Self.isLength(value, allowsPercentage: true) { addValue("font-size", value, &writer) }
      case "scriptlevel": writeLevel(value, &writer)
      case "displaystyle":
        if HintValue.isKeyword(value, "true") { writer.add("math-style:normal") }
        if HintValue.isKeyword(value, "false") { writer.add("math-style:compact") }
      case "mathvariant": if name == "mi", HintValue.isKeyword(value, "normal") { writer.add("text-transform:none") }
      case "width": if name == "mspace" || name == "mpadded", Self.isLength(value) { addValue("width", value, &writer) }
      default: break
      }
    }
    if name == "mspace" { writeSpaceHeight(element, tree, &writer) }
  }

  private func writeSpaceHeight(_ element: UInt32, _ tree: ElementTree, _ writer: inout HintWriter) {
    let parts = (["height", "depth"] as [StaticString]).compactMap { Self.attribute($0, element, tree) }.filter { Self.isLength($0) }
    guard let first = parts.first else { return }
    guard parts.count > 1, let second = parts.last else { return addValue("height", first, &writer) }
    var sum = Array("calc(".utf8)
    sum += first
    sum += " + ".utf8
    sum += second
    sum.append(0x29)
    writer.add("height", sum)
  }

  private func writeLevel(_ value: HintValue.Bytes, _ writer: inout HintWriter) {
    let text = Array(value.trimmingHTMLSpaces)
    let isStep = text.first == 0x2B || text.first == 0x2D
    let digits = isStep ? Array(text.dropFirst()) : text
    guard !digits.isEmpty, digits.count < 7, digits.allSatisfy(isDigit) else { return }
    writer.add("math-depth", isStep ? Array("add(".utf8) + text + [0x29] : text)
  }

  /// Adds an attribute value unless it contains characters that could end the declaration or add `!important`.
  private func addValue(_ property: StaticString, _ value: HintValue.Bytes, _ writer: inout HintWriter) {
    let unwanted: [UInt8] = [0x3B, 0x7B, 0x7D, 0x21, 0x5C, 0x22, 0x27]
    guard !value.isEmpty, !value.contains(where: unwanted.contains) else { return }
    writer.add(property, value)
  }

  // MARK: Microsyntaxes

  static func name(_ element: UInt32, _ tree: ElementTree) -> String {
    String(decoding: tree.document.names[tree[element].name], as: UTF8.self)
  }

  private static func attribute(_ name: StaticString, _ element: UInt32, _ tree: ElementTree) -> HintValue.Bytes? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for attribute in tree.attributes[tree.attributeRange(element)] where attribute.namespace == .none {
      if tree.document.names[attribute.name].elementsEqual(wanted) { return tree.bytes(attribute.value) }
    }
    return nil
  }

  /// Whether the value is a number with a unit, or zero; keywords and functions are invalid.
  /// https://w3c.github.io/mathml-core/#types-for-mathml-attribute-values
  private static func isLength(_ value: HintValue.Bytes, allowsPercentage: Bool = false) -> Bool {
    let text = Array(value.trimmingHTMLSpaces)
    guard let first = text.first, isDigit(first) || first == 0x2E || first == 0x2B || first == 0x2D else { return false }
    return text.allSatisfy { byte in
      isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || byte == 0x2E || byte == 0x2B || byte == 0x2D || byte == 0x25 && allowsPercentage
    }
  }
}
