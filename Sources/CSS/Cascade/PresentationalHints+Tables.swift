import OffprintCoreTypes
import OffprintDOM

extension PresentationalHints {
  /// Writes hints for the table attributes without a dedicated case.
  mutating func writeTable(_ name: Name, _ value: HintValue.Bytes) {
    switch name {
    case .cellspacing:
      // Chromium parses a dimension, ignores percentages and truncates fractions.
      if let size = HTMLMicrosyntax.dimension(value), !size.isPercentage {
        writer.add("border-spacing", size.number.prefix { $0 != UInt8(ascii: ".") } + Array("px".utf8))
      }
    case .bordercolor: if let color = HTMLMicrosyntax.legacyColor(value) { writer.add("border-color", tableColor(value) ?? color) }
    case .rules:
      for keyword in ["none", "groups", "rows", "cols", "all"] where equalsIgnoringCase(value, keyword.utf8) {
        writer.add("border-collapse:collapse")
      }
    default: if equalsIgnoringCase(tree.document.names[name], "frame") { writeFrame(value) }
    }
  }

  private func tableColor(_ value: HintValue.Bytes) -> [UInt8]? {
    let name = value.map(asciiLowercased)
    return !name.isEmpty && name.allSatisfy { $0 &- 0x61 < 26 } && isColorName(name[...]) ? name : nil
  }

  private mutating func writeFrame(_ value: HintValue.Bytes) {
    let keyword = String(decoding: value.prefix(8).map(asciiLowercased), as: UTF8.self)
    guard let styles = Self.frames[keyword] else { return }
    writer.add("border-width:thin")
    writer.add("border-style", styles)
  }

  /// Border styles of `frame` values: top, right, bottom, left.
  private static let frames = [
    "void": "hidden", "above": "solid hidden hidden", "below": "hidden hidden solid", "hsides": "solid hidden",
    "lhs": "hidden hidden hidden solid",
    "rhs": "hidden solid hidden hidden", "vsides": "hidden solid", "box": "solid", "border": "solid",
  ]

  /// If neither `frame` nor `border` sets an outer border, `rules` hides it, so that cell borders do not win in the collapsing model.
  /// https://html.spec.whatwg.org/multipage/rendering.html#tables-2
  mutating func writeTableFrame(_ table: UInt32) {
    func text(_ name: Name) -> String? {
      tree.attribute(name, table).map { String(decoding: $0.prefix(8).map(asciiLowercased), as: UTF8.self) }
    }
    let frame = tree.document.names.lookup(Array("frame".utf8)[...]).flatMap { text($0) }
    if let frame, Self.frames[frame] != nil { return }
    let hasBorder = tree.attribute(.border, table).map { HTMLMicrosyntax.nonNegativeInteger($0) != 0 } ?? false
    let hasColor = tree.attribute(.bordercolor, table)?.isEmpty == false
    guard !hasBorder, !hasColor, let rules = text(.rules), ["none", "groups", "rows", "cols", "all"].contains(rules) else { return }
    writer.add("border-style:hidden")
  }

  mutating func writeBorder(_ value: HintValue.Bytes, _ tag: Name, _ element: UInt32) {
    switch tag {
    case .table:
      let width = HTMLMicrosyntax.nonNegativeInteger(value) ?? 1
      if width > 0 {
        // The color of `bordercolor` and the style of `frame` are kept, regardless of the order of attributes.
        let hasColor = tree.attribute(.bordercolor, element).flatMap { HTMLMicrosyntax.legacyColor($0) } != nil
        writer.add("border-width", "\(width)px")
        if !hasColor { writer.add("border-color", "color-mix(in srgb, currentcolor, currentcolor)") }
        if !hasFrame(element) { writer.add("border-style", hasColor ? "solid" : "outset") }
      } else {
        writer.add("border-width:0")
      }
    case .img, .object, .embed, .input, .applet:
      if let width = HTMLMicrosyntax.nonNegativeInteger(value), width > 0 { writer.add("border", "\(width)px solid") }
    default: break
    }
  }

  private func hasFrame(_ table: UInt32) -> Bool {
    guard let name = tree.document.names.lookup(Array("frame".utf8)[...]), let value = tree.attribute(name, table) else { return false }
    return Self.frames[String(decoding: value.prefix(8).map(asciiLowercased), as: UTF8.self)] != nil
  }

  private func table(of element: UInt32) -> UInt32 {
    var ancestor = tree[element].parent
    while ancestor != ElementInfo.none, !tree.isHTML(ancestor, .table) { ancestor = tree[ancestor].parent }
    return ancestor
  }

  /// Whether elements with this name have hints that come from attributes of their table.
  static func dependsOnTable(_ name: Name) -> Bool {
    switch name {
    case .td, .th, .tbody, .thead, .tfoot, .colgroup: true
    default: false
    }
  }

  /// Writes hints for a cell from the attributes of its table.
  mutating func writeFromTable(cell: UInt32) {
    let table = table(of: cell)
    guard table != ElementInfo.none, !tree.attributeRange(table).isEmpty else { return }
    if let value = tree.attribute(.cellpadding, table), !value.isEmpty {
      // Chromium treats invalid values as 0.
      writer.add("padding", "\(max(HTMLMicrosyntax.integer(value) ?? 0, 0))px")
    }
    let rules = tree.attribute(.rules, table).map { String(decoding: $0.prefix(8).map(asciiLowercased), as: UTF8.self) } ?? ""
    switch rules {
    case "all": writer.add("border:1px solid;border-color:inherit")
    case "rows": writer.add("border-width:1px 0;border-style:solid none;border-color:inherit")
    case "cols": writer.add("border-width:0 1px;border-style:none solid;border-color:inherit")
    case "none", "groups": break
    default:
      guard let border = tree.attribute(.border, table), HTMLMicrosyntax.nonNegativeInteger(border) ?? 1 > 0 else { return }
      // Borders with an explicit color are solid instead of inset.
      let isFlat = tree.attribute(.bordercolor, table).flatMap { HTMLMicrosyntax.legacyColor($0) } != nil
      writer.add(isFlat ? "border:1px solid;border-color:inherit" : "border:1px inset;border-color:inherit")
    }
  }

  /// Writes borders around row and column groups for `rules=groups`.
  mutating func writeGroupRules(_ element: UInt32) {
    let table = table(of: element)
    guard table != ElementInfo.none, let rules = tree.attribute(.rules, table), HintValue.isKeyword(rules, "groups") else { return }
    if tree[element].name == .colgroup {
      writer.add("border-width:0 1px;border-style:none solid;border-color:inherit")
    } else {
      writer.add("border-width:1px 0;border-style:solid none;border-color:inherit")
    }
  }
}
