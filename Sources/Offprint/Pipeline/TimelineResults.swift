import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

/// The progress of a page's scroll-driven animations at the initial scroll position.
///
/// https://drafts.csswg.org/scroll-animations-1/
struct TimelineResults: Equatable {
  private(set) var positions: [TimelineSubject: TimelinePositions] = [:]

  init() {}

  /// The results of layout; empty if no animation uses a scroll timeline.
  ///
  /// - Throws: If the deadline has passed.
  init(_ page: LaidOutPage, _ deadline: Deadline) throws {
    let subjects = page.styled.timelineElements
    guard !subjects.isEmpty else { return }
    var resolver = TimelineResolver(page, subjects, deadline)
    for subject in subjects {
      guard let style = page.styled.style(of: subject), style.effects.animation.hasScrollTimelines else { continue }
      positions[subject] = try resolver.positions(of: subject, style.effects.animation)
    }
  }
}

extension StyledDocument {
  fileprivate func style(of subject: TimelineSubject) -> ComputedStyle? {
    guard let pseudo = subject.pseudo else { return style(of: subject.node) }
    return style(of: subject.node, pseudo)
  }
}

/// Resolves the timelines of animations and their progress.
private struct TimelineResolver {
  private let page: LaidOutPage
  private let geometry: ScrollGeometry
  /// The elements that define a timeline name, in document order.
  private let named: [ByteString: [NodeID]]
  private let deadline: Deadline
  /// The element that defines a name in a timeline scope, cached because it is the same for all animations in the scope.
  private var scoped: [ScopedName: NodeID?] = [:]

  private struct ScopedName: Hashable {
    var scope: NodeID
    var name: ByteString
  }

  init(_ page: LaidOutPage, _ subjects: [TimelineSubject], _ deadline: Deadline) {
    self.page = page
    self.deadline = deadline
    geometry = ScrollGeometry(
      page.tree, page.fragments, of: Set(subjects), viewport: page.viewport.size, content: page.contentSize)
    var named: [ByteString: [NodeID]] = [:]
    for subject in subjects where subject.pseudo == nil {
      let timelines = page.styled.style(of: subject.node).effects.timelines
      for name in Set((timelines.scrollNames + timelines.viewNames).compactMap(\.self)) { named[name, default: []].append(subject.node) }
    }
    self.named = named
  }

  mutating func positions(of subject: TimelineSubject, _ animation: AnimationStyle) throws -> TimelinePositions {
    TimelinePositions(
      try (0..<animation.count).map { index in
        try deadline.check()
        var (element, timeline) = (subject, animation.timeline(index))
        if case .named(let name) = timeline {
          guard let found = try self.timeline(named: name, from: subject.node) else { return .held }
          (element, timeline) = (TimelineSubject(node: found.element, pseudo: nil), found.timeline)
        }
        if timeline == .time || timeline == .held { return timeline == .time ? .time : .held }
        guard let range = range(of: timeline, element) else { return .inactive }
        return .scrolled(range.position(animation.range(index)))
      })
  }

  private func range(of timeline: AnimationTimeline, _ subject: TimelineSubject) -> ScrollRange? {
    switch timeline {
    case .time, .held, .named: return nil
    case .scroll(let scroller, let axis):
      guard let place = geometry.boxes[subject] else { return nil }
      let index: Int? =
        switch scroller {
        case .root: 0
        case .nearest: place.scroller
        case .own: place.own
        }
      return index.flatMap { ScrollRange(geometry.scrollers[$0], axis) }
    case .view(let axis, let inset):
      guard let place = geometry.boxes[subject] else { return nil }
      return ScrollRange(geometry.scrollers[place.scroller], axis, place.rect, inset)
    }
  }

  /// The timeline of the nearest inclusive ancestor that defines the name or has it in its `timeline-scope`.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#timeline-scoping
  private mutating func timeline(named name: ByteString, from element: NodeID) throws -> (element: NodeID, timeline: AnimationTimeline)? {
    guard let givers = named[name] else { return nil }
    let nodes = page.styled.document.nodes
    var ancestor = element
    while !ancestor.isNone, nodes[ancestor.index].kind == .element {
      let style = page.styled.style(of: ancestor).effects.timelines
      if let timeline = style.timeline(named: name) { return (ancestor, timeline) }
      if style.scopes(name) {
        guard let giver = try giver(of: name, among: givers, in: ancestor) else { return nil }
        return page.styled.style(of: giver).effects.timelines.timeline(named: name).map { (giver, $0) }
      }
      ancestor = nodes[ancestor.index].parent
    }
    return nil
  }

  /// The only element that defines a name in a scope; nil if several elements define it.
  private mutating func giver(of name: ByteString, among givers: [NodeID], in scope: NodeID) throws -> NodeID? {
    let key = ScopedName(scope: scope, name: name)
    if let cached = scoped[key] { return cached }
    var inside: [NodeID] = []
    for giver in givers where inside.count < 2 {
      try deadline.check()
      if isInside(giver, scope) { inside.append(giver) }
    }
    let giver = inside.count == 1 ? inside.first : nil
    scoped[key] = .some(giver)
    return giver
  }

  private func isInside(_ element: NodeID, _ ancestor: NodeID) -> Bool {
    let nodes = page.styled.document.nodes
    var node = nodes[element.index].parent
    while !node.isNone, node != ancestor { node = nodes[node.index].parent }
    return node == ancestor
  }
}

/// The scroll offsets, in px, between which a timeline progresses. The current offset is always 0.
private struct ScrollRange {
  /// The whole timeline.
  private var whole: ClosedRange<Double>
  /// For a view timeline: the box and the scrollport reduced by the inset, along the axis.
  private var view: (subject: ClosedRange<Double>, port: ClosedRange<Double>)?
  private var scrollable: ClosedRange<Double>

  /// A scroll timeline; nil if the scroll container has no scrollable overflow.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#scroll-timelines
  init?(_ scroller: ScrollGeometry.Scroller, _ axis: TimelineAxis) {
    let isHorizontal = Self.isHorizontal(axis, scroller.style)
    let (content, port) = Self.extent(scroller, isHorizontal)
    guard content > port else { return nil }
    scrollable = 0...(content - port)
    whole = scrollable
  }

  /// A view timeline, from where the box begins to enter the scrollport to where it has left it.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#view-timelines-ranges
  init(_ scroller: ScrollGeometry.Scroller, _ axis: TimelineAxis, _ rect: LayoutRect, _ inset: TimelineInset) {
    let isHorizontal = Self.isHorizontal(axis, scroller.style)
    let (content, port) = Self.extent(scroller, isHorizontal)
    let padding = scroller.style.box.scrollSnap.padding
    let sides = isHorizontal ? (padding.left, padding.right) : (padding.top, padding.bottom)
    let start = Self.inset(inset.start, or: sides.0, port), end = port - Self.inset(inset.end, or: sides.1, port)
    let first = isHorizontal ? rect.minX.double : rect.minY.double
    let subject = first...(first + (isHorizontal ? rect.size.width.double : rect.size.height.double))
    scrollable = 0...max(content - port, 0)
    view = (subject, min(start, end)...max(start, end))
    whole = (subject.lowerBound - end)...max(subject.upperBound - start, subject.lowerBound - end)
  }

  /// The progress of offset 0 in the part of the timeline between two edges.
  func position(_ edges: (start: TimelineRangeEdge, end: TimelineRangeEdge)) -> Double {
    let start = offset(edges.start, default: whole.lowerBound), end = offset(edges.end, default: whole.upperBound)
    // An empty range is either before or after the current offset, never active.
    guard end > start else { return start > 0 ? -1 : 2 }
    return -start / (end - start)
  }

  private func offset(_ edge: TimelineRangeEdge, default value: Double) -> Double {
    guard let offset = edge.offset else { return value }
    let range = edge.range.map { self.range($0) } ?? whole
    return range.lowerBound + offset.resolve(range.upperBound - range.lowerBound)
  }

  private func range(_ name: TimelineRangeEdge.Range) -> ClosedRange<Double> {
    guard let view else { return whole }
    let (subject, port) = view
    // The offsets at which the box's edges meet those of the scrollport.
    let endAtEnd = subject.upperBound - port.upperBound, startAtStart = subject.lowerBound - port.lowerBound
    let contain = min(endAtEnd, startAtStart)...max(endAtEnd, startAtStart)
    func between(_ a: Double, _ b: Double) -> ClosedRange<Double> { min(a, b)...max(a, b) }
    switch name {
    case .cover: return whole
    case .contain: return contain
    case .entry: return between(whole.lowerBound, contain.lowerBound)
    case .exit: return between(contain.upperBound, whole.upperBound)
    case .entryCrossing: return between(subject.lowerBound - port.upperBound, endAtEnd)
    case .exitCrossing: return between(startAtStart, subject.upperBound - port.lowerBound)
    case .scroll: return scrollable
    }
  }

  private static func inset(_ value: LengthPercentage?, or padding: LengthPercentageAuto, _ port: Double) -> Double {
    if let value { return value.resolve(port) }
    guard case .value(let padding) = padding else { return 0 }
    return padding.resolve(port)
  }

  private static func isHorizontal(_ axis: TimelineAxis, _ style: ComputedStyle) -> Bool {
    let isVertical = style.text.writingMode != .horizontalTb
    return switch axis {
    case .x: true
    case .y: false
    case .block: isVertical
    case .inline: !isVertical
    }
  }

  private static func extent(_ scroller: ScrollGeometry.Scroller, _ isHorizontal: Bool) -> (content: Double, port: Double) {
    isHorizontal
      ? (scroller.content.width.double, scroller.port.width.double) : (scroller.content.height.double, scroller.port.height.double)
  }
}
