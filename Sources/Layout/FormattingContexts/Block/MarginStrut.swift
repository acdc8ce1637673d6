internal import CSS
internal import CoreTypes
internal import DOM

/// A set of adjoining margins, collapsed: what may still grow as more of them meet.
///
/// https://www.w3.org/TR/CSS22/box.html#collapsing-margins
struct MarginStrut: Hashable, Sendable {
  private var positive = LayoutUnit.zero
  private var negative = LayoutUnit.zero
  private var quirkyPositive = LayoutUnit.zero
  /// The strut is at the start of a box that swallows quirky margins.
  var ignoresQuirky = false

  /// `isQuirky` margins come from the user-agent sheet.
  mutating func append(_ margin: LayoutUnit, isQuirky: Bool = false) {
    if isQuirky && ignoresQuirky { return }
    if margin < .zero {
      negative = min(negative, margin)
    } else if isQuirky {
      quirkyPositive = max(quirkyPositive, margin)
    } else {
      positive = max(positive, margin)
    }
  }

  var sum: LayoutUnit { max(positive, quirkyPositive) + negative }
  /// The sum at the end of a box that swallows quirky margins.
  var sumWithoutQuirky: LayoutUnit { positive + negative }
  var isEmpty: Bool { positive == .zero && negative == .zero && quirkyPositive == .zero }
}

/// Margins that collapse away at the edges of `body` and table cells in quirks mode.
///
/// https://html.spec.whatwg.org/#margin-collapsing-quirks
enum QuirkyMargins {
  static func isContainer(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard Sizing.isQuirksMode(engine) else { return false }
    return engine.tree[box].kind == .tableCell || isElement(engine, box, .body)
  }

  static func isElement(_ engine: LayoutEngine, _ box: BoxID, _ name: Name) -> Bool {
    let box = engine.tree[box]
    guard box.pseudo == nil, !box.node.isNone, !box.isAnonymous else { return false }
    let node = engine.tree.styled.document[box.node]
    return node.kind == .element && node.namespace == .html && node.name == name
  }

  /// Form controls that are laid out as buttons are, as blocks too.
  static func isControl(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    let item = engine.tree[box]
    guard item.pseudo == nil, !item.node.isNone, !item.isAnonymous else { return false }
    let node = engine.tree.styled.document[item.node]
    return node.kind == .element && node.namespace == .html && (node.name == .button || node.name == .input || node.name == .select)
  }

  /// The border-box block size that lets the root element, or `body` in it, fill the viewport; nil for other boxes.
  ///
  /// https://quirks.spec.whatwg.org/#the-html-element-fills-the-viewport-quirk and #the-body-element-fills-the-html-element-quirk
  static func viewportFill(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) -> LayoutUnit? {
    guard Sizing.isQuirksMode(engine), input.fixedBlock == nil else { return nil }
    let item = engine.tree[box]
    guard item.isInFlow, item.kind == .blockContainer, Sizing.LogicalSizes(item.style).block.isAuto else { return nil }
    let direction = WritingDirection(item.style)
    let basis = input.percentageMargin
    var size = direction.logical(engine.viewport).block - Sizing.logicalMargin(item.style, percentageBasis: basis, in: direction).blockSum
    if item.isRoot { return size.clampedToZero }
    guard isElement(engine, box, .body), !item.parent.isNone, engine.tree[item.parent].isRoot else { return nil }
    let root = engine.style(item.parent)
    let around = Sizing.border(root) + Sizing.padding(root, percentageBasis: basis) + Sizing.margin(root, percentageBasis: basis)
    size -= direction.logical(around).blockSum
    return size.clampedToZero
  }

  /// Whether a block margin of a child is the user-agent sheet's.
  static func isQuirky(_ engine: LayoutEngine, _ child: BoxID, isStart: Bool) -> Bool {
    guard Sizing.isQuirksMode(engine) else { return false }
    let box = engine.tree[child]
    guard box.pseudo == nil, !box.node.isNone, !box.isAnonymous else { return false }
    return box.style.origins.contains(isStart ? .quirkyMarginTop : .quirkyMarginBottom)
  }
}
