import CoreTypes
import DOM

extension PresentationalHints {
  /// The attributes of tables that have no property of the table's own name.
  mutating func writeTable(_ name: Name, _ value: HintValue.Bytes) {
    switch name {
    case .cellspacing: if let px = HintValue.nonNegative(value) { writer.add("border-spacing", "\(px)px") }
    case .bordercolor: if let color = HintValue.legacyColor(value) { writer.add("border-color", tableColor(value) ?? color) }
    case .rules:
      for keyword in ["none", "groups", "rows", "cols", "all"] where equalsIgnoringCase(value, keyword.utf8) {
        writer.add("border-style:hidden;border-collapse:collapse")
      }
    default: if equalsIgnoringCase(tree.document.names[name], "frame") { writeFrame(value) }
    }
  }

  private func tableColor(_ value: HintValue.Bytes) -> [UInt8]? {
    let name = value.map(asciiLowercased)
    return !name.isEmpty && name.allSatisfy { $0 &- 0x61 < 26 } && isColorName(name[...]) ? name : nil
  }

  private mutating func writeFrame(_ value: HintValue.Bytes) {
    switch String(decoding: value.prefix(8).map(asciiLowercased), as: UTF8.self) {
    case "void": writer.add("border-style:hidden")
    case "above": writer.add("border-style:outset hidden hidden hidden")
    case "below": writer.add("border-style:hidden hidden outset hidden")
    case "hsides": writer.add("border-style:outset hidden outset hidden")
    case "lhs": writer.add("border-style:hidden hidden hidden outset")
    case "rhs": writer.add("border-style:hidden outset hidden hidden")
    case "vsides": writer.add("border-style:hidden outset")
    case "box", "border": writer.add("border-style:outset")
    default: break
    }
  }

  mutating func writeBorder(_ value: HintValue.Bytes, _ tag: Name) {
    switch tag {
    case .table:
      let width = HintValue.nonNegative(value) ?? 1
      if width > 0 {
        writer.add("border", "\(width)px outset color-mix(in srgb, currentcolor, currentcolor)")
      } else {
        writer.add("border-width:0")
      }
    case .img, .object, .embed, .input, .applet:
      if let width = HintValue.nonNegative(value), width > 0 { writer.add("border", "\(width)px solid") }
    default: break
    }
  }

  private func table(of element: UInt32) -> UInt32 {
    var ancestor = tree[element].parent
    while ancestor != ElementInfo.none, !tree.isHTML(ancestor, .table) { ancestor = tree[ancestor].parent }
    return ancestor
  }

  /// What a table says about its cells.
  mutating func writeFromTable(cell: UInt32) {
    let table = table(of: cell)
    guard table != ElementInfo.none, !tree.attributeRange(table).isEmpty else { return }
    if let padding = tree.attribute(.cellpadding, table).flatMap({ HintValue.nonNegative($0) }) { writer.add("padding", "\(padding)px") }
    let rules = tree.attribute(.rules, table).map { String(decoding: $0.prefix(8).map(asciiLowercased), as: UTF8.self) } ?? ""
    switch rules {
    case "all": writer.add("border:1px solid;border-color:inherit")
    case "rows": writer.add("border-width:1px 0;border-style:solid none;border-color:inherit")
    case "cols": writer.add("border-width:0 1px;border-style:none solid;border-color:inherit")
    case "none", "groups": break
    default:
      guard let border = tree.attribute(.border, table), HintValue.nonNegative(border) ?? 1 > 0 else { return }
      writer.add("border:1px inset;border-color:inherit")
    }
  }

  /// `rules=groups` draws lines around groups of rows and columns.
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
