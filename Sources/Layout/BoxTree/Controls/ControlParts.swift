import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// Controls without a native appearance consist of pseudo-elements that style sheets can address.
//
// https://drafts.csswg.org/css-forms-1/#form-control-styling
extension BoxTreeBuilder {
  /// The box of a range or gauge with its parts; nil for other controls.
  mutating func parts(of symbol: ControlSymbol, _ node: NodeID, _ style: ComputedStyle) -> PendingBox? {
    switch symbol {
    case .range(let fraction, _): return slider(fraction, node, style)
    case .progress(let fraction):
      guard let bar = styled.style(of: node, .progressBar), let value = styled.style(of: node, .progressValue) else { return nil }
      return gauge(node, style, bar: bar, value: fraction == nil ? nil : value, .progressBar, .progressValue, fraction: fraction ?? 0)
    case .meter(let fraction, let level):
      let part: PseudoElement =
        switch level {
        case .good: .meterOptimumValue
        case .fair: .meterSuboptimumValue
        case .poor: .meterPoorValue
        }
      guard let bar = styled.style(of: node, .meterBar), let value = styled.style(of: node, part) else { return nil }
      return gauge(node, style, bar: bar, value: value, .meterBar, part, fraction: fraction)
    default: return nil
    }
  }

  /// A track along the inline axis, and the handle on it. A part taller than the control overflows it on both sides.
  private mutating func slider(_ fraction: Float, _ node: NodeID, _ style: ComputedStyle) -> PendingBox? {
    guard let trackStyle = styled.style(of: node, .sliderTrack), let thumbStyle = styled.style(of: node, .sliderThumb) else { return nil }
    var control = PendingBox(controlBox(style, node: node, .slider))
    control.box.hasBlockEndBaseline = true
    var track = PendingBox(principalBox(trackStyle, node: node, pseudo: .sliderTrack))
    track.children = [thumb(fraction, node, thumbStyle)]
    finish(&track)
    var frame = Box(kind: .flexContainer, style: arena.anonymousStyle(inheriting: style, display: .flex))
    frame.isAnonymous = true
    // Layout containment suppresses baselines: no part gives the control one.
    var inner = frame.style.box
    inner.contain.insert(.layout)
    frame.style = arena.modified(frame.style) { $0.box = arena.allocate(inner) }
    control.children = [PendingBox(frame, children: [track])]
    return control
  }

  /// The thumb, at `fraction` of the free space of the track.
  private mutating func thumb(_ fraction: Float, _ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    let isNative = style.box.appearance != .none, side = 16 * style.zoom
    var box = style.box
    if isNative {
      (box.width, box.height) = (.value(.length(side)), .value(.length(side)))
      box.padding = PhysicalSides(all: .zero)
    }
    var length: Float = 0
    let isHorizontal = style.text.writingMode == .horizontalTb
    if case .value(.length(let width)) = isHorizontal ? box.width : box.height {
      length = width
      let edges = style.border.width
      if box.boxSizing == .contentBox { length += isHorizontal ? edges.left + edges.right : edges.top + edges.bottom }
    }
    let shift = LengthPercentage.sum(px: -fraction * length, percent: fraction * 100)
    switch (isHorizontal, WritingDirection(style).isFlippedInline) {
    case (true, false): box.margin.left = .value(shift)
    case (true, true): box.margin.right = .value(shift)
    case (false, false): box.margin.top = .value(shift)
    case (false, true): box.margin.bottom = .value(shift)
    }
    let placed = arena.modified(style) { $0.box = arena.allocate(box) }
    if isNative {
      let content = ReplacedContent(
        kind: .control(.thumb, isDisabled: isDisabled(node)), naturalWidth: 16, naturalHeight: 16, naturalRatio: nil)
      return replacedBox(content, node: .none, style: placed)
    }
    var thumb = PendingBox(principalBox(placed, node: node, pseudo: .sliderThumb))
    finish(&thumb)
    return thumb
  }

  /// A bar, filled up to `fraction`.
  private mutating func gauge(
    _ node: NodeID, _ style: ComputedStyle, bar: ComputedStyle, value: ComputedStyle?, _ barPart: PseudoElement, _ valuePart: PseudoElement,
    fraction: Float
  ) -> PendingBox? {
    guard style.box.display != .none else { return nil }
    var control = PendingBox(controlBox(style, node: node, .fileUpload))
    var outer = PendingBox(principalBox(bar, node: node, pseudo: barPart))
    if let value {
      var box = value.box
      box.width = .value(.percentage(fraction * 100))
      var inner = PendingBox(principalBox(arena.modified(value) { $0.box = arena.allocate(box) }, node: node, pseudo: valuePart))
      finish(&inner)
      outer.children = [inner]
    }
    finish(&outer)
    control.children = [outer]
    return control
  }
}
