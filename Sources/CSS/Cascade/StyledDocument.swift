public import OffprintCoreTypes
public import OffprintDOM

/// Which box of an element a style is for.
public enum PseudoElement: UInt8, Hashable, Sendable, CaseIterable {
  case before, after, marker, firstLine, firstLetter, placeholder, backdrop, selection, fileSelectorButton, detailsContent
  // Parts of controls without native look, by the names that browsers have for them.
  case sliderTrack, sliderThumb, progressBar, progressValue, meterBar, meterOptimumValue, meterSuboptimumValue, meterPoorValue
  /// Of a `select` with `appearance: base-select`, and of its options.
  case pickerIcon, checkmark
  // Pseudo-elements of `::before`, `::after` and `::details-content`.
  case beforeMarker, afterMarker, detailsFirstLine, detailsFirstLetter
  // What scrolls a scroll container, and where its contents are. https://drafts.csswg.org/css-overflow-5/#scroll-navigation
  case scrollMarkerGroup
  /// As rules without a state have it, then those before, at and behind the one that is current.
  case scrollMarker, earlierScrollMarker, currentScrollMarker, laterScrollMarker
  /// The same of a column.
  case columnScrollMarker, currentColumnScrollMarker, laterColumnScrollMarker
  case scrollButtonBlockStart, scrollButtonInlineStart, scrollButtonInlineEnd, scrollButtonBlockEnd
  case disabledButtonBlockStart, disabledButtonInlineStart, disabledButtonInlineEnd, disabledButtonBlockEnd

  /// A box beside a scroll container, or in such a box.
  package var isScrollPart: Bool { rawValue >= PseudoElement.scrollMarkerGroup.rawValue }
}

/// A document and the computed style of each of its elements. Immutable.
public struct StyledDocument {
  /// As it is rendered: its links are those of the flat tree.
  public let document: Document
  /// As it was parsed. The same where there are no shadow trees.
  public package(set) var nodeTree: Document
  /// By node: the number of the shadow tree that it is in, from 1, or 0 for the document. Empty where there are none.
  public package(set) var trees: [UInt32] = []
  public let arena: StyleArena
  /// By node number; meaningful for elements only.
  public package(set) var styles: [ComputedStyle]
  /// Styles of pseudo-elements, for the elements that have any, by node number and pseudo-element; `::before` and `::after` only where
  /// their content makes a box.
  public package(set) var pseudoStyles: [PseudoKey: ComputedStyle] = [:]
  /// Some style asks for anchors as a whole: `position-area`, `position-try-fallbacks`, `position-visibility`.
  public package(set) var hasAnchoredBoxes = false
  /// Styles with what the `@position-try` rules that they name declare, by the style without it and the rule's name.
  public package(set) var positionTries: [ComputedStyle: [ByteString: ComputedStyle]] = [:]
  /// Copies of elements that `use` elements of SVG show, and which of them each `use` element of the document shows.
  public package(set) var svgInstances: [SVGInstance] = []
  public package(set) var svgUses: [NodeID: Int32] = [:]
  /// The `@font-face` rules, in order.
  public package(set) var fontFaces: [FontFaceRule] = []
  /// The `@page` rules, in order.
  public package(set) var pageRules: [PageRule] = []
  /// The `@counter-style` rules, in order: the last of a name counts.
  public package(set) var counterStyles: [CounterStyleRule] = []
  /// The `@font-feature-values` rules.
  public package(set) var fontFeatureValues = FontFeatureValues()
  /// The elements whose content size styles depend on, in document order: styles may change when these sizes are known.
  public package(set) var queryContainers: [NodeID] = []
  /// The elements with animations on scroll timelines, and those that give timelines names.
  package internal(set) var timelineElements: [TimelineSubject] = []
  /// What URLs in the document are relative to; empty where that is not known.
  public package(set) var baseURL = ""
  /// What media queries ask.
  public package(set) var media = MediaEnvironment(width: 0, height: 0)
  /// What of the style sheets was not understood.
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
