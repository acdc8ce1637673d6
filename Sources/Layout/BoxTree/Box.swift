public import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
public import OffprintImages

/// The index of a box in its tree.
@frozen public struct BoxID: Hashable, Sendable, BitwiseCopyable {
  public var raw: UInt32
  @inlinable public init(raw: UInt32) { self.raw = raw }
  @inlinable public init(_ index: Int) { raw = UInt32(truncatingIfNeeded: index) }
  @inlinable public static var none: BoxID { BoxID(raw: .max) }
  @inlinable public var index: Int { Int(raw) }
  @inlinable public var isNone: Bool { raw == .max }
}

/// The type of a box, which determines how it is laid out. https://drafts.csswg.org/css-display-3/#box-tree
public enum BoxKind: UInt8, Sendable {
  /// Contains block-level boxes only, or establishes an inline formatting context (`Box.hasInlineChildren`).
  case blockContainer
  case flexContainer, gridContainer
  /// The table wrapper box: captions and one `tableGrid`.
  case tableWrapper
  case tableGrid
  case tableRowGroup, tableRow, tableColumnGroup, tableColumn
  /// Cells are block containers with additional rules. Captions are plain `blockContainer` boxes.
  case tableCell
  /// An inline box: its children are part of the inline formatting context of the nearest block container.
  case inline
  case text
  /// `<br>`: a forced break. `<wbr>` is a text box with U+200B.
  case lineBreak
  case replaced
}

/// Block containers by `BoxKind` that layout generates or treats specially.
enum SpecialLayout: Equatable {
  /// A ruby base with its annotation: the two children are block containers.
  case rubyColumn
  /// Text combined upright, one em wide and high.
  case combinedText
  /// A `::first-letter` with `initial-letter`.
  case initialLetter
  /// Part of a formula. Block-level, except for the root.
  case math(MathKind)
}

/// The formatting context of a box that is laid out independently.
enum FormattingContext {
  case block, flex, grid, table, replaced, rubyColumn, combinedText, initialLetter
  case math(MathKind)
}

/// Form controls with intrinsic sizes. https://html.spec.whatwg.org/multipage/rendering.html#form-controls
public enum ControlKind: UInt8, Sendable {
  case none
  /// As wide as `controlColumns` average characters.
  case textField
  /// A `range` made of its parts.
  case slider
  /// The inline size of its contents.
  case dateField, fileUpload, button, menu
  /// The fields of a date or time in a `dateField`: as wide as the widest value, rounded to whole pixels.
  case dateFields
  /// `controlColumns` by `controlRows`.
  case textArea
  /// As high as `controlRows` options.
  case listBox
}

/// The buttons in a text field: the arrows of a number field, or the button that clears a search field.
public enum FieldButton: UInt8, Sendable { case none, spin, cancel }

/// A control, or part of one, that is painted as a unit.
public enum ControlSymbol: Sendable {
  /// The icon that opens the picker of a date or time field.
  case calendar, clock
  /// An icon in the controls of a media player.
  case media(MediaIcon)
  public enum MediaIcon: Sendable { case play, sound, fullScreen, more }
  public enum Level: UInt8, Sendable { case good, fair, poor }
  case checkbox(isChecked: Bool)
  case radio(isChecked: Bool)
  /// The position of the thumb in 0...1, and those of the tick marks.
  case range(Float, marks: [Float])
  /// nil if indeterminate.
  case progress(Float?)
  case meter(Float, Level)
  /// The thumb of a range without a native track.
  case thumb
}

/// A box. Links are indices into the tree's array of boxes.
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
  /// An outside `::marker`: out of flow, positioned next to the first line by its list item.
  public var isOutsideMarker = false
  /// Set if a block container is laid out by special rules.
  var specialLayout: SpecialLayout?
  /// The root element's box.
  public var isRoot = false
  /// A list item's principal box.
  public var isListItem = false
  /// An inline box split by a block-level child: whether this part lacks its inline-start or inline-end edge.
  public var lacksStartEdge = false
  public var lacksEndEdge = false
  /// Set for an anonymous block around a block-level box that splits a positioned inline box: that inline box's element.
  var splitInline: NodeID = .none
  /// Whether this is an anonymous block around block-level boxes that split an inline box.
  var splitsInline = false
  /// Whether this is an anonymous block container of lines before or after such a box: the paragraph continues on the other side.
  var isInterrupted = false
  /// Whether this is the text of a counter, which Chromium excludes from `::first-letter`.
  var isCounterText = false
  /// Text boxes: the range in `BoxTree.text`, after `text-transform` and before white space processing.
  public var text: TextRange = .empty
  /// Replaced boxes: index into `BoxTree.replaced`, otherwise -1.
  public var replaced: Int32 = -1
  public var control = ControlKind.none
  public var controlColumns: UInt16 = 0
  /// The button that a text field reserves space for.
  public var fieldButton = FieldButton.none
  /// Whether the baseline of the control is its lower border edge.
  public var hasBlockEndBaseline = false
  public var controlRows: UInt16 = 0
  /// Table cells, columns and column groups: spans from attributes, at least 1. A row span of 0 extends to the end of the row group.
  public var columnSpan: UInt16 = 1
  public var rowSpan: UInt16 = 1

  public init(kind: BoxKind, style: ComputedStyle) { self.kind = kind; self.style = style }

  /// Internal table boxes report `block`; the table's layout handles them.
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
  /// Whether this is part of a formula.
  public var isMath: Bool { if case .math = specialLayout { true } else { false } }
  @inlinable public var isFloating: Bool { style.box.float != .none && !isOutOfFlow && !isTextual }
  @inlinable public var isOutOfFlow: Bool { !isTextual && (style.box.position == .absolute || style.box.position == .fixed) }
  @inlinable public var isInFlow: Bool { !isFloating && !isOutOfFlow }
  @inlinable public var isTextual: Bool { kind == .text || kind == .lineBreak }
  @inlinable public var isAtomicInline: Bool { isInlineLevel && kind != .inline && !isTextual && isInFlow }
}

/// The content of a replaced element and its natural dimensions. https://drafts.csswg.org/css-images-3/#natural-dimensions
public struct ReplacedContent: Sendable {
  public enum Kind: Sendable {
    case image(DecodedImage)
    /// A single gradient as the value of `content`.
    case gradient(ImageValue)
    /// An image that is not loaded, or an embedded document: paints nothing, is sized by its attributes.
    case empty
    /// An image that failed to load: a frame in place of the image, and an icon.
    case brokenImage(hasFrame: Bool, hasIcon: Bool)
    /// A list marker painted as a shape, sized by the font of its style.
    case symbol(MarkerSymbol)
    case control(ControlSymbol, isDisabled: Bool)
    /// An inline `svg` element.
    case drawing(NodeID)
  }
  public var kind: Kind
  /// Whether this is the image of a list marker.
  var isMarker = false
  /// CSS px.
  public var naturalWidth: Float?
  public var naturalHeight: Float?
  /// Width over height.
  public var naturalRatio: Float?
  /// The part that `object-view-box` shows, in fractions of the image. https://drafts.csswg.org/css-images-5/#the-object-view-box
  public var visiblePart: DisplayRect?
  /// Whether this is a video with controls, which are painted over its poster.
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
  /// The images of the page, for `shape-outside`, which layout resolves.
  public package(set) var images: ImageStore {
    get { shared.images }
    set { shared = SharedParts(styled: shared.styled, images: newValue, arena: shared.arena) }
  }
  public var styled: StyledDocument { @inline(__always) _read { yield shared.styled } }
  /// The initial styles of boxes that layout may restyle, see `PositionFallbacks`.
  var anchoredStyles: [BoxID: ComputedStyle] = [:]
  /// Holds the styles of anonymous boxes and those adjusted by layout; all others are in the document's arena.
  var arena: StyleArena { shared.arena }
  private var shared: SharedParts

  /// Stored behind one reference because trees are copied often, and each copy retains every stored reference separately.
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
