import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// Anonymous boxes: https://drafts.csswg.org/css2/#anonymous-block-level and https://drafts.csswg.org/css-display-3/#box-generation
extension BoxTreeBuilder {
  /// Makes the children of a block container all block-level or all inline-level.
  func fixBlockContainer(_ parent: inout PendingBox) {
    if parent.children.contains(where: \.containsBlock) {
      let style = parent.box.style
      parent.children = parent.children.flatMap { splitInline($0, in: style) }
    }
    let hasBlocks = parent.children.contains(where: \.isInFlowBlock)
    let hasInlines = parent.children.contains(where: \.isInFlowInline)
    if hasInlines && !hasBlocks {
      parent.box.hasInlineChildren = true
    } else if hasInlines {
      wrapInlineRuns(&parent)
    } else {
      parent.children.removeAll(where: \.isCollapsibleSpace)
    }
    adoptOutsideMarker(&parent)
  }

  /// Runs of inline-level boxes between block-level ones go into anonymous block containers; floats and block-level out-of-flow boxes before the
  /// first inline of a run stay outside it.
  private func wrapInlineRuns(_ parent: inout PendingBox) {
    var result: [PendingBox] = []
    var run: [PendingBox] = []
    var isInterrupted = false
    func flush() {
      if run.contains(where: \.isInFlowInline) {
        var block = anonymousBlock(run, inheriting: parent.box.style)
        block.box.isInterrupted = isInterrupted
        result.append(block)
      } else {
        result.append(contentsOf: run.lazy.filter { !$0.isCollapsibleSpace })
      }
      run = []
    }
    for child in parent.children {
      if child.isInFlowBlock || child.box.isOutsideMarker {
        isInterrupted = isInterrupted || child.box.splitsInline
        flush()
        isInterrupted = child.box.splitsInline
        result.append(child)
      } else if run.isEmpty && !child.isInlineLevel && !(child.box.isOutOfFlow && isInlineLevel(child.box.style.box.originalDisplay)) {
        result.append(child)
      } else {
        run.append(child)
      }
    }
    flush()
    parent.children = result
  }

  /// Moves an outside marker to the front: it is positioned next to the first line, and in a container of blocks its list item expects it
  /// as first child.
  private func adoptOutsideMarker(_ parent: inout PendingBox) {
    guard let index = parent.children.firstIndex(where: { $0.box.isOutsideMarker }), index > 0 else { return }
    parent.children.insert(parent.children.remove(at: index), at: 0)
  }

  /// The style of an anonymous block container around a box's contents. It takes over the values of `unicode-bidi` that apply to the text
  /// of a block container as a whole: overrides and `plaintext`.
  func anonymousContainerStyle(inheriting style: ComputedStyle, display: Display) -> ComputedStyle {
    let own = arena.anonymousStyle(inheriting: style, display: display)
    switch style.box.unicodeBidi {
    case .bidiOverride, .isolateOverride, .plaintext:
      return arena.modified(own) {
        var box = own.box
        box.unicodeBidi = style.box.unicodeBidi
        $0.box = arena.allocate(box)
      }
    case .normal, .embed, .isolate: return own
    }
  }

  func anonymousBlock(_ children: [PendingBox], inheriting style: ComputedStyle) -> PendingBox {
    var box = Box(kind: .blockContainer, style: anonymousContainerStyle(inheriting: style, display: .block))
    box.isAnonymous = true
    box.hasInlineChildren = true
    return PendingBox(box, children: children)
  }

  /// Splits an inline box around the block-level boxes in it. Adjacent block-level boxes share an anonymous block.
  ///
  /// https://drafts.csswg.org/css2/#anonymous-block-level
  private func splitInline(_ inline: PendingBox, in container: ComputedStyle) -> [PendingBox] {
    guard inline.containsBlock else { return [inline] }
    var parts: [PendingBox] = []
    var current = PendingBox(inline.box)
    /// Whether the last part is the anonymous block of this inline box.
    var isOpen = false
    for child in inline.children.flatMap({ splitInline($0, in: container) }) {
      guard budget.take() else { return [] }
      guard child.isInFlowBlock else {
        current.children.append(child)
        continue
      }
      if isOpen, !child.box.splitsInline, let last = parts.indices.last, current.children.allSatisfy(\.isCollapsibleSpace) {
        parts[last].children.append(child)
        current.children = []
        continue
      }
      isOpen = !child.box.splitsInline
      current.box.lacksEndEdge = true
      parts.append(current)
      parts.append(wrapped(child, in: inline.box, container))
      current = PendingBox(inline.box)
      current.box.lacksStartEdge = true
    }
    current.box.lacksEndEdge = inline.box.lacksEndEdge
    if let first = parts.indices.first { parts[first].box.lacksStartEdge = inline.box.lacksStartEdge }
    parts.append(current)
    return parts
  }

  /// Wraps a block-level box that splits an inline box in an anonymous block. The wrapper takes over the inline box's relative position,
  /// decorations and stacking context, which apply to the block-level box too. Its direction is that of the containing block, which
  /// determines how blocks are placed.
  ///
  /// https://drafts.csswg.org/css2/#anonymous-block-level: "relative positioning … also affects the block-level box", and
  /// https://drafts.csswg.org/css-text-decor-3/#line-decoration: decorations propagate "through any block-level box that splits the inline"
  private func wrapped(_ block: PendingBox, in inline: Box, _ container: ComputedStyle) -> PendingBox {
    let style = inline.style, effects = style.effects
    let isGroup = effects.opacity != 1 || effects.mixBlendMode != .normal || effects.isolation != .auto || !effects.filter.isEmpty
    let isPositioned = style.box.position == .relative || style.box.position == .sticky
    let decorates = !effects.textDecorationLine.isEmpty
    // The block is wrapped already, by an inline box inside this one.
    guard !block.box.splitsInline || isGroup || isPositioned || decorates else { return block }
    var plain = arena.anonymousStyle(inheriting: style, display: .block)
    if style.text.direction != container.text.direction {
      plain = arena.modified(plain) {
        var text = plain.text
        text.direction = container.text.direction
        $0.text = arena.allocate(text)
      }
    }
    var own = plain.box
    if isPositioned {
      own.position = style.box.position
      own.inset = style.box.inset
    }
    own.zIndex = style.box.zIndex
    let record = style.record
    let group = arena.modified(plain) {
      $0.box = arena.allocate(own)
      if isGroup {
        $0.effects = record.pointee.effects
      } else if decorates {
        $0.effects = arena.allocate(plain.effects.decorating(as: effects))
      }
    }
    var box = Box(kind: .blockContainer, style: group)
    box.isAnonymous = true
    if isPositioned, inline.pseudo == nil { box.splitInline = inline.node }
    box.splitsInline = true
    return PendingBox(box, children: [block])
  }

  /// Wraps each contiguous run of text in a flex or grid container in an anonymous item, unless it is only white space.
  ///
  /// https://drafts.csswg.org/css-flexbox-1/#flex-items
  func fixItems(_ parent: inout PendingBox) {
    var result: [PendingBox] = []
    var run: [PendingBox] = []
    func flush() {
      if run.contains(where: { !$0.isSpace }) {
        var item = anonymousBlock(run, inheriting: parent.box.style)
        fixBlockContainer(&item)
        result.append(item)
      }
      run = []
    }
    // Chromium does not blockify the children of `-webkit-box`: runs of inline-level children share an anonymous item.
    let display = parent.box.style.box.display, keepsInlines = display == .webkitBox || display == .webkitInlineBox
    for var child in parent.children {
      // Chromium does not blockify images of generated content, which are not elements.
      let isImage = child.box.kind == .replaced && child.box.node.isNone
      let isInline = child.box.kind == .inline || isImage || keepsInlines && child.box.isAtomicInline
      if child.box.isTextual || (isInline && child.box.isInFlow) {
        run.append(child)
      } else {
        flush()
        child.box.isInlineLevel = false
        result.append(child)
      }
    }
    flush()
    parent.children = result
  }
}

extension EffectStyle {
  fileprivate func decorating(as other: EffectStyle) -> EffectStyle {
    var result = self
    result.textDecorationLine = other.textDecorationLine
    result.textDecorationStyle = other.textDecorationStyle
    result.textDecorationColor = other.textDecorationColor
    result.textDecorationThickness = other.textDecorationThickness
    return result
  }
}
