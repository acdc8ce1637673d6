import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/multipage/rendering.html#the-select-element-2
extension BoxTreeBuilder {
  /// Whether a `select` is a list box, which renders its options, and not a drop-down box, which shows one label.
  func isListBox(_ node: NodeID) -> Bool {
    if isSet(.multiple, node) { return true }
    guard let size = document.attribute(.size, of: node), let rows = HTMLMicrosyntax.nonNegativeInteger(size) else { return false }
    return rows > 1
  }

  /// Makes a `select` a list box, with four rows by default.
  func adoptListBox(_ box: inout Box) {
    guard isHTML(box.node, .select), isListBox(box.node) else { return }
    box.control = .listBox
    box.controlRows = count(.size, box.node, default: 4)
    if box.kind != .blockContainer {
      box.kind = .blockContainer
      box.isInlineLevel = box.isInlineLevel || box.kind == .inline
    }
  }

  private static let longestOptionCount = 8

  /// A drop-down box: the selected option's label, as wide as the widest label.
  mutating func menu(_ node: NodeID, style: ComputedStyle) -> PendingBox {
    let style = style.box.appearance != .none ? withNormalLineHeight(style) : style
    var menu = PendingBox(controlBox(centered(menuStyle(style), isSafe: style.box.appearance == .none), node: node, .menu))
    let (labels, measured, chosen) = options(node)
    let hasArrow = style.box.appearance != .none
    func pad(_ box: inout BoxStyle) {
      guard hasArrow else { return }
      let zoom = style.zoom
      box.padding = WritingDirection(style).sides(inlineStart: .length(4 * zoom), inlineEnd: .length(16 * zoom), block: .length(zoom))
    }
    let label = chosen.map { labels[$0] } ?? []
    if style.box.fieldSizingContent, label.isEmpty {
      menu.children = [withoutLine(style, change: pad)]
    } else {
      menu.children = [shown(label, style, change: pad)]
    }
    let unindented = unindented(style)
    let longest = measured.indices.sorted { (measured[$1].count, $0) < (measured[$0].count, $1) }.prefix(Self.longestOptionCount)
    for index in longest where !style.box.fieldSizingContent {
      menu.children.append(measure(measured[index], unindented, change: pad))
    }
    return menu
  }

  /// The label of the selected option. Chromium clips it to its content box, so that it never overlaps the arrow, and excludes its indent
  /// from the width of the widest label.
  private mutating func shown(_ label: [UInt8], _ style: ComputedStyle, change: (inout BoxStyle) -> Void) -> PendingBox {
    editor(label, style) { box in
      change(&box)
      box.overflowClipMargin.box = .contentBox
      if style.text.textIndent != .zero, !style.box.fieldSizingContent { box.contain = .inlineSize }
    }
  }

  /// A box without a line, if no option has text to size it.
  private mutating func withoutLine(_ style: ComputedStyle, change: (inout BoxStyle) -> Void) -> PendingBox {
    var block = editor([], style, change: change)
    block.children = []
    block.box.hasInlineChildren = false
    return block
  }

  /// A label that contributes its width, but no height. Chromium measures labels word by word, without kerning at spaces.
  private mutating func measure(_ label: [UInt8], _ style: ComputedStyle, change: (inout BoxStyle) -> Void) -> PendingBox {
    var block = editor(label, style) { box in
      change(&box)
      if style.text.writingMode == .horizontalTb {
        (box.padding.top, box.padding.bottom, box.height) = (.zero, .zero, .value(.zero))
      } else {
        (box.padding.left, box.padding.right, box.width) = (.zero, .zero, .value(.zero))
      }
      box.contain = .layout
    }
    guard label.contains(0x20) else { return block }
    block.children = []
    let own = arena.anonymousStyle(inheriting: block.box.style, display: .inlineBlock)
    var start = label.startIndex
    while start < label.endIndex {
      let isSpace = label[start] == 0x20
      let end = label[start...].firstIndex { ($0 == 0x20) != isSpace } ?? label.endIndex
      var word = Box(kind: .blockContainer, style: own)
      (word.isAnonymous, word.isInlineLevel) = (true, true)
      var pending = PendingBox(word)
      appendText(Array(label[start..<end]), node: .none, style: own, into: &pending.children)
      finish(&pending)
      block.children.append(pending)
      start = end
    }
    return block
  }

  /// Clips a drop-down box in a way that keeps the baseline of its label.
  private func menuStyle(_ style: ComputedStyle) -> ComputedStyle {
    var box = style.box
    box.overflowX = .clip
    box.overflowY = .clip
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }

  // MARK: Base appearance

  /// Generates the contents of a closed drop-down box: those of its button or the selected option's label, and the icon.
  ///
  /// https://html.spec.whatwg.org/multipage/rendering.html#the-select-element-2
  mutating func generateBaseSelect(_ node: NodeID, style: ComputedStyle, into children: inout [PendingBox], parent: Box) {
    var first = document[node].firstChild
    while !first.isNone, document[first].kind != .element { first = document[first].nextSibling }
    if isHTML(first, .button) {
      generate(first, into: &children, parent: parent)
    } else {
      let (labels, _, chosen) = options(node)
      appendText(chosen.map { labels[$0] } ?? [], node: .none, style: style, into: &children)
    }
    generatePseudo(.pickerIcon, of: node, into: &children, parent: parent)
  }

  /// - Returns: `measured` are the labels as shown in the drop-down list, in which those of groups are indented.
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

  /// The label of an option: its `label`, or its text with white space stripped and collapsed.
  private func label(_ option: NodeID) -> [UInt8] {
    if let label = document.attribute(.label, of: option), !label.isEmpty { return Array(label) }
    let words = textContent(option).split { $0 == 0x20 || (0x09...0x0D).contains($0) }
    return Array(words.joined(separator: [0x20]))
  }

  /// Whether a child is excluded from a list box, which only renders options, their groups, and elements that contain them.
  /// https://html.spec.whatwg.org/multipage/form-elements.html#the-select-element
  func isOptionless(_ child: NodeID, in parent: NodeID) -> Bool {
    guard !openListBox.isNone else { return false }
    return document[child].kind != .element || parent == openListBox && isHTML(child, .button)
  }

  /// The list box whose contents outside of options include the contents of `node`.
  func listBox(around node: NodeID, _ style: ComputedStyle) -> NodeID {
    if isHTML(node, .select) { return style.box.appearance == .baseSelect ? .none : node }
    return openListBox.isNone || isHTML(node, .option) ? .none : openListBox
  }

  private static let deepestContent = 16

  private func isInBaseSelect(_ group: NodeID) -> Bool {
    var ancestor = document[group].parent
    for _ in 0..<Self.deepestContent where !ancestor.isNone && document[ancestor].kind == .element {
      if isHTML(ancestor, .select) { return styled.style(of: ancestor).box.appearance == .baseSelect }
      ancestor = document[ancestor].parent
    }
    return false
  }

  /// The label of an option group, above its options. The space is reserved even without a label.
  mutating func groupLabel(_ node: NodeID, style: ComputedStyle, into children: inout [PendingBox]) {
    guard document[node].name == .optgroup, document[node].namespace == .html else { return }
    let isBase = isInBaseSelect(node)
    let side = LengthPercentage.length(isBase ? 0.5 * style.font.size : 2 * style.zoom)
    // As high as an option, or as a line.
    children.append(
      editor(document.attribute(.label, of: node).map { Array($0) } ?? [], style) { box in
        box.padding = WritingDirection(style).sides(
          inlineStart: side, inlineEnd: side, blockStart: .zero, blockEnd: isBase ? .zero : .length(style.zoom))
        guard !isBase else { return }
        let minimum = SizeValue.value(.length(1.2 * style.font.size))
        if style.text.writingMode == .horizontalTb { box.minHeight = minimum } else { box.minWidth = minimum }
      })
  }
}
