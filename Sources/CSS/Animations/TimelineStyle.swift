package import OffprintCoreTypes
package import OffprintDOM

/// What moves an animation. https://drafts.csswg.org/scroll-animations-1/#scroll-driven-animations
package enum AnimationTimeline: Hashable, Sendable {
  package enum Scroller: UInt8, Hashable, Sendable { case nearest, root, own }

  /// The document's timeline: `auto`.
  case time
  /// `none`: the animation stays at its start.
  case held
  /// A name that an element gives its timeline.
  case named(ByteString)
  case scroll(Scroller, TimelineAxis)
  case view(TimelineAxis, TimelineInset)
}

package enum TimelineAxis: UInt8, Hashable, Sendable { case block, inline, x, y }

/// How far a scrollport is narrowed at its start and its end; nil is `auto`: the scroll container's `scroll-padding`.
/// https://drafts.csswg.org/scroll-animations-1/#view-timeline-inset
package struct TimelineInset: Hashable, Sendable {
  package var start: LengthPercentage?
  package var end: LengthPercentage?
  package init(start: LengthPercentage? = nil, end: LengthPercentage? = nil) { (self.start, self.end) = (start, end) }
}

/// One end of the part of a timeline that an animation is attached to. https://drafts.csswg.org/scroll-animations-1/#animation-range
package struct TimelineRangeEdge: Hashable, Sendable {
  package enum Range: UInt8, Hashable, Sendable, CaseIterable {
    case cover, contain, entry, exit
    case entryCrossing = 4
    case exitCrossing, scroll
  }
  /// nil: the whole timeline.
  package var range: Range?
  /// From the range's start; nil is `normal`: its own end of the whole timeline.
  package var offset: LengthPercentage?
  package init(range: Range? = nil, offset: LengthPercentage? = nil) { (self.range, self.offset) = (range, offset) }
}

/// The timelines that an element gives names. https://drafts.csswg.org/scroll-animations-1/#timeline-names
package struct TimelineStyle: Hashable, Sendable {
  package enum Scope: Hashable, Sendable {
    case none
    case names([ByteString])
  }
  /// nil is `none`.
  package var scrollNames: [ByteString?] = [nil]
  package var scrollAxes: [TimelineAxis] = [.block]
  package var viewNames: [ByteString?] = [nil]
  package var viewAxes: [TimelineAxis] = [.block]
  package var viewInsets: [TimelineInset] = [TimelineInset()]
  /// The names that are known to all descendants, wherever below they are given.
  package var scope = Scope.none

  /// What a name stands for on this element: the scroll progress of its box, or its place in the scroll container around it.
  package func timeline(named name: ByteString) -> AnimationTimeline? {
    func item<T>(_ list: [T], _ index: Int, _ fallback: T) -> T { list.isEmpty ? fallback : list[index % list.count] }
    if let index = scrollNames.lastIndex(of: name) { return .scroll(.own, item(scrollAxes, index, .block)) }
    if let index = viewNames.lastIndex(of: name) { return .view(item(viewAxes, index, .block), item(viewInsets, index, TimelineInset())) }
    return nil
  }

  package func scopes(_ name: ByteString) -> Bool { if case .names(let names) = scope { names.contains(name) } else { false } }
}

extension EffectStyle {
  /// Elements that name no timelines have nothing here.
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

/// Where each animation of an element is on its timeline.
public struct TimelinePositions: Hashable, Sendable {
  package enum Position: Hashable, Sendable {
    /// It is on the document's timeline.
    case time
    /// It has no timeline, also because no element declares the timeline's name: it stays at its start.
    case held
    /// The timeline is inactive: the animation has no effect.
    case inactive
    /// How far it has come in its part of a scroll timeline: 0 at the beginning, 1 at the end, or beyond.
    case scrolled(Double)
  }
  package var positions: [Position]
  package init(_ positions: [Position]) { self.positions = positions }
}
