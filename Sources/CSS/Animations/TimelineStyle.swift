package import OffprintCoreTypes
package import OffprintDOM

/// The timeline of an animation. https://drafts.csswg.org/scroll-animations-1/#scroll-driven-animations
package enum AnimationTimeline: Hashable, Sendable {
  package enum Scroller: UInt8, Hashable, Sendable { case nearest, root, own }

  /// The document's timeline: `auto`.
  case time
  /// `none`: the animation stays at its first frame.
  case held
  /// The name of a timeline that an element declares.
  case named(ByteString)
  case scroll(Scroller, TimelineAxis)
  case view(TimelineAxis, TimelineInset)
}

package enum TimelineAxis: UInt8, Hashable, Sendable { case block, inline, x, y }

/// The insets of a scrollport at its start and end; nil is `auto`: the scroll container's `scroll-padding`.
/// https://drafts.csswg.org/scroll-animations-1/#view-timeline-inset
package struct TimelineInset: Hashable, Sendable {
  package var start: LengthPercentage?
  package var end: LengthPercentage?
  package init(start: LengthPercentage? = nil, end: LengthPercentage? = nil) { (self.start, self.end) = (start, end) }
}

/// An end of an animation's attachment range. https://drafts.csswg.org/scroll-animations-1/#animation-range
package struct TimelineRangeEdge: Hashable, Sendable {
  package enum Range: UInt8, Hashable, Sendable, CaseIterable {
    case cover, contain, entry, exit
    case entryCrossing = 4
    case exitCrossing, scroll
  }
  /// Nil for the whole timeline.
  package var range: Range?
  /// The offset from the range's start; nil is `normal`: the corresponding end of the timeline.
  package var offset: LengthPercentage?
  package init(range: Range? = nil, offset: LengthPercentage? = nil) { (self.range, self.offset) = (range, offset) }
}

/// The named timelines that an element declares. https://drafts.csswg.org/scroll-animations-1/#timeline-names
package struct TimelineStyle: Hashable, Sendable {
  package enum Scope: Hashable, Sendable {
    case none
    case names([ByteString])
  }
  /// Nil for `none`.
  package var scrollNames: [ByteString?] = [nil]
  package var scrollAxes: [TimelineAxis] = [.block]
  package var viewNames: [ByteString?] = [nil]
  package var viewAxes: [TimelineAxis] = [.block]
  package var viewInsets: [TimelineInset] = [TimelineInset()]
  /// `timeline-scope`: the names that are visible to all descendants, if declared by any of them.
  package var scope = Scope.none

  /// The kind of timeline that a name refers to on this element: scroll progress of its box, or view progress in its scroll container.
  package func timeline(named name: ByteString) -> AnimationTimeline? {
    func item<T>(_ list: [T], _ index: Int, _ fallback: T) -> T { list.isEmpty ? fallback : list[index % list.count] }
    if let index = scrollNames.lastIndex(of: name) { return .scroll(.own, item(scrollAxes, index, .block)) }
    if let index = viewNames.lastIndex(of: name) { return .view(item(viewAxes, index, .block), item(viewInsets, index, TimelineInset())) }
    return nil
  }

  package func scopes(_ name: ByteString) -> Bool { if case .names(let names) = scope { names.contains(name) } else { false } }
}

extension EffectStyle {
  /// The storage is empty for elements without named timelines.
  package var timelines: TimelineStyle {
    get { namedTimelines.first ?? TimelineStyle() }
    set { namedTimelines = newValue == TimelineStyle() ? [] : [newValue] }
  }
}

extension EffectStyle {
  /// Whether an animation follows a scroll timeline, or a timeline has a name here.
  var usesTimelines: Bool { !namedTimelines.isEmpty || animations.first?.hasScrollTimelines ?? false }
}

/// An element, or a pseudo-element of it.
public struct TimelineSubject: Hashable, Sendable {
  package var node: NodeID
  package var pseudo: PseudoElement?
  package init(node: NodeID, pseudo: PseudoElement?) { (self.node, self.pseudo) = (node, pseudo) }
}

/// The position of each animation of an element on its timeline.
public struct TimelinePositions: Hashable, Sendable {
  package enum Position: Hashable, Sendable {
    /// It is on the document's timeline.
    case time
    /// It has no timeline, or no element declares the timeline's name: it stays at its first frame.
    case held
    /// The timeline is inactive: the animation has no effect.
    case inactive
    /// The progress in its attachment range: 0 at the start, 1 at the end, or outside.
    case scrolled(Double)
  }
  package var positions: [Position]
  package init(_ positions: [Position]) { self.positions = positions }
}
