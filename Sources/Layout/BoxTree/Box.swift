public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
public import OffprintImages

/// The number of a box in its tree.
@frozen public struct BoxID: Hashable, Sendable, BitwiseCopyable {
  public var raw: UInt32
  @inlinable public init(raw: UInt32) { self.raw = raw }
  @inlinable public init(_ index: Int) { raw = UInt32(truncatingIfNeeded: index) }
  @inlinable public static var none: BoxID { BoxID(raw: .max) }
  @inlinable public var index: Int { Int(raw) }
  @inlinable public var isNone: Bool { raw == .max }
}

/// What lays a box out. https://drafts.csswg.org/css-display-3/#box-tree
public enum BoxKind: UInt8, Sendable {
  /// Contains block-level boxes only, or establishes an inline formatting context (`Box.hasInlineChildren`).
  case blockContainer
  case flexContainer, gridContainer
  /// The table wrapper box: captions and one `tableGrid`.
  case tableWrapper
  case tableGrid
  case tableRowGroup, tableRow, tableColumnGroup, tableColumn
  /// A cell, and a caption, are block containers too: `tableCell` for its special rules, captions are `blockContainer`.
  case tableCell
  /// An inline box: its children are part of the inline formatting context of the nearest block container.
  case inline
  case text
  /// `<br>`: a forced break. `<wbr>` is a text box with U+200B.
  case lineBreak
  case replaced
}

/// The atomic inlines that inline layout makes of its own, block containers by `BoxKind`.
enum SpecialLayout: Equatable {
  /// A ruby base with its annotation: the two children are block containers.
  case rubyColumn
  /// Text combined upright, one em wide and high.
  case combinedText
  /// A `::first-letter` with `initial-letter`.
  case initialLetter
  /// Part of a formula, block-level but for its root.
  case math(MathKind)
}

/// What lays out the contents of a box that is laid out on its own.
enum FormattingContext {
  case block, flex, grid, table, replaced, rubyColumn, combinedText, initialLetter
  case math(MathKind)
}

/// Form controls that size themselves. https://html.spec.whatwg.org/multipage/rendering.html#form-controls
public enum ControlKind: UInt8, Sendable {
  case none
  /// As wide as `controlColumns` average characters.
  case textField
  /// A `range` made of its parts.
  case slider
  /// As wide as what it holds.
  case dateField, fileChooser, button, menu
  /// The parts of a date or time in a `dateField`, as wide as the widest value in whole pixels.
  case dateFields
  /// `controlColumns` by `controlRows`.
  case textArea
  /// As high as `controlRows` options.
  case listBox
}

/// A button in a text field: the steps of a number, or what clears a search.
public enum FieldButton: UInt8, Sendable { case none, spin, cancel }

/// A control that is drawn whole.
public enum ControlSymbol: Sendable {
  /// What opens the picker of a date or time field.
  case calendar, clock
  /// What players are worked with.
  case media(MediaIcon)
  public enum MediaIcon: Sendable { case play, sound, fullScreen, more }
  public enum Level: UInt8, Sendable { case good, fair, poor }
  case checkbox(isChecked: Bool)
  case radio(isChecked: Bool)
  /// 0...1, and where along it the marks are.
  case range(Float, marks: [Float])
  /// nil: how far is not known.
  case progress(Float?)
  case meter(Float, Level)
  /// The handle of a range whose track is not native.
  case thumb
}

/// A box. Links are numbers into the arena.
public struct Box {
  public var kind: BoxKind
  public var style: ComputedStyle
  /// The element (or text node) that generated it; `none` for anonymous boxes.
  public var node: NodeID = .none
  public var pseudo: PseudoElement?
  public var parent: BoxID = .none
  public var firstChild: BoxID = .none
  public var lastChild: BoxID = .none
  public var nextSibling: BoxID = .none

  public var isAnonymous = false
  /// A block container whose children are all inline-level (text, inlines, atomic inlines, floats and out-of-flow boxes among them).
  public var hasInlineChildren = false
  /// Inline-level in its parent's formatting context (an atomic inline, unless `kind` is inline, text or lineBreak).
  public var isInlineLevel = false
  /// A `::marker` box placed outside: positioned beside the first line by its list item, in no flow.
  public var isOutsideMarker = false
  /// A block container with a layout of its own.
  var specialLayout: SpecialLayout?
  /// The root element's box.
  public var isRoot = false
  /// A list item's principal box.
  public var isListItem = false
  /// An inline box split by a block-level child: whether this part lacks its inline-start or inline-end edge.
  public var lacksStartEdge = false
  public var lacksEndEdge = false
  /// An anonymous block around a block-level box that splits a positioned inline box: the inline box's element.
  var splitInline: NodeID = .none
  /// An anonymous block around the block-level boxes that split an inline one.
  var splitsInline = false
  /// An anonymous block container of lines before or behind such a box: their paragraph goes on beyond it.
  var isInterrupted = false
  /// Text of a counter, which is no first letter in Chromium.
  var isCounterText = false
  /// Text: that of the document after `text-transform`, its white space not processed yet, in `BoxTree.text`.
  public var text: TextRange = .empty
  /// Replaced: number in `BoxTree.replaced`, otherwise -1.
  public var replaced: Int32 = -1
  public var control = ControlKind.none
  public var controlColumns: UInt16 = 0
  /// The button that a field has room for beside its text.
  public var fieldButton = FieldButton.none
  /// A control whose baseline is its lower border edge.
  public var standsOnEdge = false
  public var controlRows: UInt16 = 0
  /// Table cells, columns and column groups: spans from attributes, at least 1 (row span 0 spans the rest of its group).
  public var columnSpan: UInt16 = 1
  public var rowSpan: UInt16 = 1

  public init(kind: BoxKind, style: ComputedStyle) { self.kind = kind; self.style = style }

  /// Rows, columns and the like are their table's to lay out.
  var formattingContext: FormattingContext {
    switch kind {
    case .flexContainer: .flex
    case .gridContainer: .grid
    case .tableWrapper: .table
    case .replaced: .replaced
    case .blockContainer, .tableCell, .tableGrid, .tableRowGroup, .tableRow, .tableColumnGroup, .tableColumn, .inline, .text, .lineBreak:
      switch specialLayout {
      case nil: .block
      case .rubyColumn: .rubyColumn
      case .combinedText: .combinedText
      case .initialLetter: .initialLetter
      case .math(let kind): .math(kind)
      }
    }
  }

  public var isRubyColumn: Bool { specialLayout == .rubyColumn }
  /// Part of a formula that is laid out as one.
  public var isMath: Bool { if case .math = specialLayout { true } else { false } }
  @inlinable public var isFloating: Bool { style.box.float != .none && !isOutOfFlow && !isTextual }
  @inlinable public var isOutOfFlow: Bool { !isTextual && (style.box.position == .absolute || style.box.position == .fixed) }
  @inlinable public var isInFlow: Bool { !isFloating && !isOutOfFlow }
  @inlinable public var isTextual: Bool { kind == .text || kind == .lineBreak }
  @inlinable public var isAtomicInline: Bool { isInlineLevel && kind != .inline && !isTextual && isInFlow }
}

/// What a replaced element shows, and its natural dimensions. https://drafts.csswg.org/css-images-3/#natural-dimensions
public struct ReplacedContent: Sendable {
  public enum Kind: Sendable {
    case image(DecodedImage)
    /// `content` with a gradient alone.
    case gradient(ImageValue)
    /// A picture that could not be loaded, or an embedded document: painted as nothing, sized as its attributes say.
    case empty
    /// Of a picture that could not be loaded: a frame as large as the picture would be, and an icon.
    case brokenImage(hasFrame: Bool, hasIcon: Bool)
    /// A list marker drawn as a shape, sized by the font of its style.
    case symbol(MarkerSymbol)
    case control(ControlSymbol, isDisabled: Bool)
    /// An inline `svg` element.
    case drawing(NodeID)
  }
  public var kind: Kind
  /// A picture that stands for a list marker.
  var isMarker = false
  /// CSS px.
  public var naturalWidth: Float?
  public var naturalHeight: Float?
  /// Width over height.
  public var naturalRatio: Float?
  /// The part that is shown as if it were the whole, in fractions of the picture. https://drafts.csswg.org/css-images-5/#the-object-view-box
  public var visiblePart: DisplayRect?
  /// A video with controls, which lie over its poster.
  public var hasControls = false
  public init(kind: Kind, naturalWidth: Float?, naturalHeight: Float?, naturalRatio: Float?) {
    self.kind = kind; self.naturalWidth = naturalWidth; self.naturalHeight = naturalHeight; self.naturalRatio = naturalRatio
  }
}

/// The boxes of a page: an arena. Box 0 is the initial containing block, whose child is the root element's box.
public struct BoxTree {
  public package(set) var boxes: [Box] = []
  /// UTF-8 of all text boxes.
  public package(set) var text: [UInt8] = []
  public package(set) var replaced: [ReplacedContent] = []
  /// The page's pictures, for those that styles ask layout about: `shape-outside`.
  public package(set) var images: ImageStore {
    get { shared.images }
    set { shared = SharedParts(styled: shared.styled, images: newValue, arena: shared.arena) }
  }
  public var styled: StyledDocument { @inline(__always) _read { yield shared.styled } }
  /// The styles that boxes had at first to which layout may give others, see `PositionFallbacks`.
  var anchoredStyles: [BoxID: ComputedStyle] = [:]
  /// What anonymous boxes, and those whose styles layout adjusts, have their styles in; all others are in the document's.
  var arena: StyleArena { shared.arena }
  private var shared: SharedParts

  /// Behind one reference: trees are copied wherever one is passed on that could change meanwhile, which retains each of their parts.
  private final class SharedParts {
    let styled: StyledDocument
    let images: ImageStore
    let arena: StyleArena
    init(styled: StyledDocument, images: ImageStore, arena: StyleArena) { self.styled = styled; self.images = images; self.arena = arena }
  }

  /// Gives boxes other styles that do not affect layout.
  package mutating func restyle(_ changes: [(box: BoxID, style: ComputedStyle)], _ styled: StyledDocument) {
    for change in changes where boxes.indices.contains(change.box.index) { boxes[change.box.index].style = change.style }
    shared = SharedParts(styled: styled, images: shared.images, arena: shared.arena)
  }

  public init(styled: StyledDocument) { shared = SharedParts(styled: styled, images: ImageStore(), arena: StyleArena()) }

  @inlinable public subscript(box: BoxID) -> Box { _read { yield boxes[box.index] } }

  /// A box's children in order.
  @inlinable public func children(of box: BoxID) -> BoxChildren { BoxChildren(boxes: boxes, current: boxes[box.index].firstChild) }

  @discardableResult
  package mutating func append(_ box: Box, to parent: BoxID) -> BoxID {
    let id = BoxID(boxes.count)
    var box = box
    box.parent = parent
    boxes.append(box)
    guard !parent.isNone else { return id }
    let last = boxes[parent.index].lastChild
    if last.isNone { boxes[parent.index].firstChild = id } else { boxes[last.index].nextSibling = id }
    boxes[parent.index].lastChild = id
    return id
  }
}

@frozen public struct BoxChildren: Sequence, IteratorProtocol {
  @usableFromInline let boxes: [Box]
  @usableFromInline var current: BoxID
  @inlinable init(boxes: [Box], current: BoxID) { self.boxes = boxes; self.current = current }
  @inlinable public mutating func next() -> BoxID? {
    guard !current.isNone else { return nil }
    defer { current = boxes[current.index].nextSibling }
    return current
  }
}
