import OffprintCoreTypes

// https://drafts.csswg.org/scroll-animations-1/
extension TableBuilder {
  mutating func registerTimelines() {
    fields(
      "animation-timeline", "[ auto | none | <dashed-ident> | scroll() | view() ]#",
      parse: { parser in parser.commaList { $0.animationTimeline() } },
      set: { (style: inout EffectStyle, value: [AnimationTimeline]) in style.animation.timelines = value },
      get: { $0.animation.timelines })
    let range = "[ normal | <length-percentage> | <timeline-range-name> <length-percentage>? ]#"
    fields(
      "animation-range-start", range, parse: { parser in parser.commaList { $0.timelineRangeEdge(isEnd: false) } },
      set: { (style: inout EffectStyle, value: [TimelineRangeEdge]) in style.animation.rangeStarts = value },
      get: { $0.animation.rangeStarts })
    fields(
      "animation-range-end", range, parse: { parser in parser.commaList { $0.timelineRangeEdge(isEnd: true) } },
      set: { (style: inout EffectStyle, value: [TimelineRangeEdge]) in style.animation.rangeEnds = value },
      get: { $0.animation.rangeEnds })
    list("scroll-timeline-name", "[ none | <dashed-ident> ]#", \.timelines.scrollNames) { $0.timelineName() }
    list("view-timeline-name", "[ none | <dashed-ident> ]#", \.timelines.viewNames) { $0.timelineName() }
    list("scroll-timeline-axis", "[ block | inline | x | y ]#", \.timelines.scrollAxes) { $0.timelineAxis() }
    list("view-timeline-axis", "[ block | inline | x | y ]#", \.timelines.viewAxes) { $0.timelineAxis() }
    fields(
      "view-timeline-inset", "[ [ auto | <length-percentage> ]{1,2} ]#", parse: { parser in parser.commaList { $0.timelineInset() } },
      set: { (style: inout EffectStyle, value: [TimelineInset]) in style.timelines.viewInsets = value },
      get: { $0.timelines.viewInsets })
    fields(
      "timeline-scope", "none | <dashed-ident>#", parse: { $0.timelineScope() },
      set: { (style: inout EffectStyle, value: TimelineStyle.Scope) in style.timelines.scope = value }, get: { $0.timelines.scope })
  }
}

extension ValueParser {
  private static let timelineAxes: [(StaticString, TimelineAxis)] = [("block", .block), ("inline", .inline), ("x", .x), ("y", .y)]
  private static let timelineRanges: [(StaticString, TimelineRangeEdge.Range)] = [
    ("cover", .cover), ("contain", .contain), ("entry", .entry), ("exit", .exit), ("entry-crossing", .entryCrossing),
    ("exit-crossing", .exitCrossing), ("scroll", .scroll),
  ]

  fileprivate mutating func timelineAxis() -> TimelineAxis? { keyword(of: Self.timelineAxes) }

  fileprivate mutating func timelineName() -> ByteString?? { keyword("none") ? .some(nil) : dashedIdentifier().map { .some($0) } }

  fileprivate mutating func timelineScope() -> TimelineStyle.Scope? {
    keyword("none") ? TimelineStyle.Scope.none : commaList { $0.dashedIdentifier() }.map { .names($0) }
  }

  /// Parses one or two values; a single value applies to both sides. https://drafts.csswg.org/scroll-animations-1/#view-timeline-inset
  fileprivate mutating func timelineInset() -> TimelineInset? {
    guard
      let sides = list(
        max: 2, { parser -> LengthPercentage?? in parser.keyword("auto") ? .some(nil) : parser.lengthPercentage().map { .some($0) } }),
      let first = sides.first, let last = sides.last
    else { return nil }
    return TimelineInset(start: first, end: last)
  }

  /// Parses `auto | none | <dashed-ident> | scroll() | view()`. https://drafts.csswg.org/css-animations-2/#animation-timeline
  mutating func animationTimeline() -> AnimationTimeline? {
    if let timeline: AnimationTimeline = keyword(of: [("auto", .time), ("none", .held)]) { return timeline }
    if let name = dashedIdentifier() { return .named(name) }
    if let timeline = function("scroll", { $0.scrollTimeline() }) { return timeline }
    return function("view") { $0.viewTimeline() }
  }

  /// https://drafts.csswg.org/scroll-animations-1/#scroll-notation
  private mutating func scrollTimeline() -> AnimationTimeline? {
    let scrollers: [(StaticString, AnimationTimeline.Scroller)] = [("nearest", .nearest), ("root", .root), ("self", .own)]
    var scroller: AnimationTimeline.Scroller?
    var axis: TimelineAxis?
    while !isAtEnd() {
      if scroller == nil, let word = keyword(of: scrollers) {
        scroller = word
      } else if axis == nil, let word = timelineAxis() {
        axis = word
      } else {
        return nil
      }
    }
    return .scroll(scroller ?? .nearest, axis ?? .block)
  }

  /// https://drafts.csswg.org/scroll-animations-1/#view-notation
  private mutating func viewTimeline() -> AnimationTimeline? {
    var axis: TimelineAxis?
    var inset: TimelineInset?
    while !isAtEnd() {
      if axis == nil, let word = timelineAxis() {
        axis = word
      } else if inset == nil, let value = timelineInset() {
        inset = value
      } else {
        return nil
      }
    }
    return .view(axis ?? .block, inset ?? TimelineInset())
  }

  /// Parses an edge of an animation range. A range name without an offset refers to the start or the end of that range.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#animation-range-start
  mutating func timelineRangeEdge(isEnd: Bool) -> TimelineRangeEdge? {
    if keyword("normal") { return TimelineRangeEdge() }
    let range = keyword(of: Self.timelineRanges)
    if let offset = lengthPercentage() { return TimelineRangeEdge(range: range, offset: offset) }
    return range.map { TimelineRangeEdge(range: $0, offset: .percentage(isEnd ? 100 : 0)) }
  }

  /// Parses `[ <'animation-range-start'> <'animation-range-end'>? ]#`. If the end is omitted, a named range ends at its own end.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#animation-range
  mutating func animationRangeShorthand(_ values: inout ShorthandValues) -> Bool {
    var starts: [TimelineRangeEdge] = [], ends: [TimelineRangeEdge] = []
    let items = commaList { parser -> Bool? in
      guard let start = parser.timelineRangeEdge(isEnd: false) else { return nil }
      starts.append(start)
      guard let token = parser.peek(), token.kind != .comma else {
        ends.append(start.range.map { TimelineRangeEdge(range: $0, offset: .percentage(100)) } ?? TimelineRangeEdge())
        return true
      }
      guard let end = parser.timelineRangeEdge(isEnd: true) else { return nil }
      ends.append(end)
      return true
    }
    guard items != nil else { return false }
    values.set(0, starts, \.animation.rangeStarts, self)
    values.set(1, ends, \.animation.rangeEnds, self)
    return true
  }

  /// Parses `[ <name> || <axis> || <inset> ]#`; insets are valid only for `view-timeline`.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#view-timeline-shorthand
  mutating func timelineShorthand(_ values: inout ShorthandValues) -> Bool {
    let hasInsets = values.shorthand.longhands.count > 2
    var names: [ByteString?] = [], axes: [TimelineAxis] = [], insets: [TimelineInset] = []
    let items = commaList { parser -> Bool? in
      guard let name = parser.timelineName() else { return nil }
      var axis: TimelineAxis?
      var inset: TimelineInset?
      while let token = parser.peek(), token.kind != .comma {
        if axis == nil, let word = parser.timelineAxis() {
          axis = word
        } else if hasInsets, inset == nil, let value = parser.timelineInset() {
          inset = value
        } else {
          return nil
        }
      }
      names.append(name)
      axes.append(axis ?? .block)
      insets.append(inset ?? TimelineInset())
      return true
    }
    guard items != nil else { return false }
    if hasInsets {
      values.set(0, names, \.timelines.viewNames, self)
      values.set(1, axes, \.timelines.viewAxes, self)
      values.set(2, insets, \.timelines.viewInsets, self)
    } else {
      values.set(0, names, \.timelines.scrollNames, self)
      values.set(1, axes, \.timelines.scrollAxes, self)
    }
    return true
  }
}

// MARK: Computed values

extension TimelineInset: LengthRelative {
  func computed(_ element: ElementContext) -> TimelineInset { TimelineInset(start: start?.computed(element), end: end?.computed(element)) }
}

extension AnimationTimeline: LengthRelative {
  func computed(_ element: ElementContext) -> AnimationTimeline {
    guard case .view(let axis, let inset) = self else { return self }
    return .view(axis, inset.computed(element))
  }
}

extension TimelineRangeEdge: LengthRelative {
  func computed(_ element: ElementContext) -> TimelineRangeEdge { TimelineRangeEdge(range: range, offset: offset?.computed(element)) }
}

extension TimelineInset: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func side(_ value: LengthPercentage?) -> String { value?.css(writer) ?? "auto" }
    return start == end ? side(start) : "\(side(start)) \(side(end))"
  }
}

extension TimelineRangeEdge: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    guard let offset else { return "normal" }
    let name = range.map { ComputedTextWriter.keyword("\($0)") }
    return [name, offset.css(writer)].compactMap(\.self).joined(separator: " ")
  }
}

extension TimelineStyle.Scope: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    guard case .names(let names) = self else { return "none" }
    return names.map(\.text).joined(separator: ", ")
  }
}

extension AnimationTimeline: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func call(_ name: String, _ parts: [String]) -> String { "\(name)(\(parts.filter { !$0.isEmpty }.joined(separator: " ")))" }
    func axis(_ axis: TimelineAxis) -> String { axis == .block ? "" : "\(axis)" }
    switch self {
    case .time: return "auto"
    case .held: return "none"
    case .named(let name): return name.text
    case .scroll(let scroller, let along):
      return call("scroll", [scroller == .nearest ? "" : scroller == .own ? "self" : "root", axis(along)])
    case .view(let along, let inset): return call("view", [axis(along), inset == TimelineInset() ? "" : inset.css(writer)])
    }
  }
}
