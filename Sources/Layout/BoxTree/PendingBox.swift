import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// A box during box generation: a value tree that the fixup steps transform before its boxes are added to the arena.
struct PendingBox {
  var box: Box
  var children: [PendingBox] = []
  /// Text boxes: only collapsible white space, which generates no box between block-level boxes.
  var isCollapsibleSpace = false
  /// Text boxes: all white space, collapsible or not.
  var isSpace = false

  init(_ box: Box, children: [PendingBox] = []) { self.box = box; self.children = children }

  var isInlineLevel: Bool { box.isInlineLevel }
  var isInFlow: Bool { box.isInFlow }
  /// Whether the box counts as inline-level contents of its container, in the decision about anonymous blocks.
  var isInFlowInline: Bool { box.isInlineLevel && box.isInFlow && !box.isOutsideMarker && !isCollapsibleSpace }
  var isInFlowBlock: Bool { !box.isInlineLevel && box.isInFlow && !box.isOutsideMarker }

  /// An inline box with an in-flow block-level descendant in the same formatting context.
  var containsBlock: Bool {
    box.kind == .inline && box.isInFlow && children.contains { $0.isInFlowBlock || $0.containsBlock }
  }
}

enum TableRole {
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
  /// The kind of internal table box; nil for other and out-of-flow boxes.
  var tableRole: TableRole? { box.isInFlow && !box.isTextual ? TableRole(box.style.box.display) : nil }
}
