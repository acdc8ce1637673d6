public import OffprintCoreTypes
public import OffprintDOM

/// A pseudo-element that generates a box or changes one.
public enum PseudoElement: UInt8, Hashable, Sendable, CaseIterable {
  case before, after, marker, firstLine, firstLetter, placeholder, backdrop, selection, fileSelectorButton, detailsContent
  // Parts of form controls without native appearance.
  case sliderTrack, sliderThumb, progressBar, progressValue, meterBar, meterOptimumValue, meterSuboptimumValue, meterPoorValue
  /// Parts of a `select` with `appearance: base-select`, and of its options.
  case pickerIcon, checkmark
  // Pseudo-elements of `::before`, `::after` and `::details-content`.
  case beforeMarker, afterMarker, detailsFirstLine, detailsFirstLetter
  // Scroll buttons and markers. https://drafts.csswg.org/css-overflow-5/#scroll-navigation
  case scrollMarkerGroup
  /// The marker in any state, before the current one, the current one, and after it.
  case scrollMarker, earlierScrollMarker, currentScrollMarker, laterScrollMarker
  /// Markers of columns.
  case columnScrollMarker, currentColumnScrollMarker, laterColumnScrollMarker
  case scrollButtonBlockStart, scrollButtonInlineStart, scrollButtonInlineEnd, scrollButtonBlockEnd
  case disabledButtonBlockStart, disabledButtonInlineStart, disabledButtonInlineEnd, disabledButtonBlockEnd

  /// Whether the box is adjacent to a scroll container, or inside such a box.
  package var isScrollPart: Bool { rawValue >= PseudoElement.scrollMarkerGroup.rawValue }
}

/// A document with the computed style of each element. Immutable.
public struct StyledDocument {
  /// The rendered document; its links are those of the flat tree.
  public let document: Document
  /// The document as parsed; the same as `document` if there are no shadow trees.
  public package(set) var nodeTree: Document
  /// By node: the number of its shadow tree, starting at 1; 0 for the document. Empty if there are no shadow trees.
  public package(set) var trees: [UInt32] = []
  public let arena: StyleArena
  /// By node index; only defined for elements.
  public package(set) var styles: [ComputedStyle]
  /// Styles of pseudo-elements by node and pseudo-element. `::before` and `::after` are included only if they generate a box.
  public package(set) var pseudoStyles: [PseudoKey: ComputedStyle] = [:]
  /// Whether any style has `position-area`, `position-try-fallbacks` or `position-visibility`.
  public package(set) var hasAnchoredBoxes = false
  /// Of a document that was advanced to another time: the elements that were styled again.
  package internal(set) var restyled: [NodeID] = []
  /// How long animations and transitions last.
  public package(set) var animationLengths = AnimationLengths()
  /// Styles with the declarations of `@position-try` rules, by the original style and the rule's name.
  public package(set) var positionTries: [ComputedStyle: [ByteString: ComputedStyle]] = [:]
  /// The instances of elements referenced by SVG `use` elements, and the root instance of each `use` element of the document.
  public package(set) var svgInstances: [SVGInstance] = []
  public package(set) var svgUses: [NodeID: Int32] = [:]
  /// The `@font-face` rules, in order.
  public package(set) var fontFaces: [FontFaceRule] = []
  /// The `@page` rules, in order.
  public package(set) var pageRules: [PageRule] = []
  /// The `@counter-style` rules, in order; the last rule of a name wins.
  public package(set) var counterStyles: [CounterStyleRule] = []
  /// The `@font-feature-values` rules.
  public package(set) var fontFeatureValues = FontFeatureValues()
  /// The query containers, in document order. Styles may change once their sizes are known.
  public package(set) var queryContainers: [NodeID] = []
  /// Elements that use scroll timelines in animations or name timelines.
  package internal(set) var timelineElements: [TimelineSubject] = []
  /// The base URL of the document; empty if unknown.
  public package(set) var baseURL = ""
  /// The environment for media queries.
  public package(set) var media = MediaEnvironment(width: 0, height: 0)
  /// Diagnostics of the style sheets.
  public package(set) var diagnostics = DiagnosticLog()

  public struct PseudoKey: Hashable, Sendable {
    public var node: NodeID
    public var pseudo: PseudoElement
    public init(node: NodeID, pseudo: PseudoElement) {
      self.node = node
      self.pseudo = pseudo
    }
  }

  public init(document: Document, arena: StyleArena, styles: [ComputedStyle]) {
    self.document = document
    nodeTree = document
    self.arena = arena
    self.styles = styles
  }

  @inlinable public func style(of node: NodeID) -> ComputedStyle { styles[node.index] }
  public func style(of node: NodeID, _ pseudo: PseudoElement) -> ComputedStyle? { pseudoStyles[PseudoKey(node: node, pseudo: pseudo)] }
}
