import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/multipage/rendering.html#the-select-element-2
extension BoxTreeBuilder {
  /// A list box shows its options as they are; a drop-down box only one.
  func isListBox(_ node: NodeID) -> Bool {
    if isSet(.multiple, node) { return true }
    guard let size = document.attribute(.size, of: node), let rows = HTMLMicrosyntax.nonNegativeInteger(size) else { return false }
    return rows > 1
  }

  /// Rows of a list box: four unless told otherwise.
  func adoptListBox(_ box: inout Box) {
    guard !box.node.isNone, document[box.node].name == .select, document[box.node].namespace == .html else { return }
    box.control = .listBox
    box.controlRows = count(.size, box.node, default: 4)
    if box.kind != .blockContainer {
      box.kind = .blockContainer
      box.isInlineLevel = box.isInlineLevel || box.kind == .inline
    }
  }

  private static let longestOptionCount = 8

  /// The chosen option's label, as wide as the widest of all.
  mutating func menu(_ node: NodeID, style: ComputedStyle) -> PendingBox {
    // The native look has lines of its own height. https://drafts.csswg.org/css-ui-4/#appearance-switching
    var style = style
    if style.box.appearance != .none, style.font.lineHeight != .normal {
      var font = style.font
      font.lineHeight = .normal
      style = arena.modified(style) { $0.font = arena.allocate(font) }
    }
    var menu = PendingBox(controlBox(centered(menuStyle(style), isSafe: style.box.appearance == .none), node: node, .menu))
    let (labels, measured, chosen) = options(node)
    let hasArrow = style.box.appearance != .none
    let isRTL = style.text.direction == .rtl
    func pad(_ box: inout BoxStyle) {
      guard hasArrow else { return }
      let zoom = style.zoom
      box.padding = PhysicalSides(
        top: .length(zoom), right: .length((isRTL ? 4 : 16) * zoom), bottom: .length(zoom), left: .length((isRTL ? 16 : 4) * zoom))
    }
    menu.children = [editor(chosen.map { labels[$0] } ?? [], style, change: pad)]
    let longest = measured.indices.sorted { (measured[$1].count, $0) < (measured[$0].count, $1) }.prefix(Self.longestOptionCount)
    for index in longest where !style.box.fieldSizingContent && (index != chosen || measured[index].count != labels[index].count) {
      menu.children.append(
        editor(measured[index], style) { box in
          pad(&box)
          box.padding.top = .zero
          box.padding.bottom = .zero
          box.height = .value(.zero)
          box.contain = .layout
        })
    }
    return menu
  }

  /// The baseline of a drop-down box is that of its label.
  private func menuStyle(_ style: ComputedStyle) -> ComputedStyle {
    var box = style.box
    box.overflowX = .clip
    box.overflowY = .clip
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }

  /// - Returns: `measured` are the labels as they stand in the list that drops down: those in groups are indented.
  private func options(_ select: NodeID) -> (labels: [[UInt8]], measured: [[UInt8]], chosen: Int?) {
    var labels: [[UInt8]] = [], measured: [[UInt8]] = []
    var selected: Int?
    var first: Int?
    func visit(_ node: NodeID, depth: Int) {
      var child = document[node].firstChild
      while !child.isNone {
        if document[child].kind == .element, document[child].name == .option {
          if isSet(.selected, child) { selected = labels.count }
          if first == nil, !isSet(.disabled, child) { first = labels.count }
          let label = label(child)
          labels.append(label)
          measured.append(isHTML(node, .optgroup) ? Array("    ".utf8) + label : label)
        } else if depth < 8, document[child].kind == .element {
          visit(child, depth: depth + 1)
        }
        child = document[child].nextSibling
      }
    }
    visit(select, depth: 0)
    return (labels, measured, selected ?? first)
  }

  /// Its `label`, or its text with white space stripped and collapsed.
  private func label(_ option: NodeID) -> [UInt8] {
    if let label = document.attribute(.label, of: option), !label.isEmpty { return Array(label) }
    let words = textContent(option).split { $0 == 0x20 || (0x09...0x0D).contains($0) }
    return Array(words.joined(separator: [0x20]))
  }

  /// Whether a child is left out of a list box, which shows nothing but options and their groups.
  func isOptionless(_ child: NodeID, in parent: NodeID) -> Bool {
    guard isHTML(parent, .select) || (isHTML(parent, .optgroup) && isHTML(document[parent].parent, .select)) else { return false }
    return !isHTML(child, .option) && !isHTML(child, .optgroup) && !isHTML(child, .hr)
  }

  /// An option group shows its label above its options, and has the room for one where it has none.
  mutating func groupLabel(_ node: NodeID, style: ComputedStyle, into children: inout [PendingBox]) {
    guard document[node].name == .optgroup, document[node].namespace == .html else { return }
    // As high as an option.
    children.append(
      editor(document.attribute(.label, of: node).map { Array($0) } ?? [], style) { box in
        let side = LengthPercentage.length(2 * style.zoom)
        box.padding = PhysicalSides(top: .zero, right: side, bottom: .length(style.zoom), left: side)
        box.minHeight = .value(.length(1.2 * style.font.size))
      })
  }
}
