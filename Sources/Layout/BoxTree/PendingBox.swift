import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// A box on its way into the tree: value trees that the steps of box generation transform before they are laid out in the arena.
struct PendingBox {
  var box: Box
  var children: [PendingBox] = []
  /// Text boxes: all collapsible white space, so that between block-level boxes it generates nothing.
  var isCollapsibleSpace = false
  /// Text boxes: all white space, collapsible or not.
  var isSpace = false

  init(_ box: Box, children: [PendingBox] = []) { self.box = box; self.children = children }

  var isInlineLevel: Bool { box.isInlineLevel }
  var isInFlow: Bool { box.isInFlow }
  /// Takes part in deciding whether a container has inline or block contents.
  var isInFlowInline: Bool { box.isInlineLevel && box.isInFlow && !box.isOutsideMarker && !isCollapsibleSpace }
  var isInFlowBlock: Bool { !box.isInlineLevel && box.isInFlow && !box.isOutsideMarker }

  /// An inline box with an in-flow block-level box somewhere inside, not counting what is inside other formatting contexts.
  var containsBlock: Bool {
    box.kind == .inline && box.isInFlow && children.contains { $0.isInFlowBlock || $0.containsBlock }
  }
}

enum TablePart {
  case caption, columnGroup, column, rowGroup, row, cell

  init?(_ display: Display) {
    switch display {
    case .tableCaption: self = .caption
    case .tableColumnGroup: self = .columnGroup
    case .tableColumn: self = .column
    case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: self = .rowGroup
    case .tableRow: self = .row
    case .tableCell: self = .cell
    default: return nil
    }
  }
}

extension PendingBox {
  /// What part of a table this in-flow box is; nil for all others.
  var tablePart: TablePart? { box.isInFlow && !box.isTextual ? TablePart(box.style.box.display) : nil }
}
