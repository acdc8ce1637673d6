import OffprintCoreTypes
import OffprintDOM

/// Which elements of a styled document are styled again at another time: those with animations or transitions, and everything inside.
struct StyleAdvance {
  enum Visit: UInt8 {
    /// The styles of the element and of its descendants remain.
    case skip
    /// The element's style remains, and a descendant is styled.
    case enter
    case style
  }

  let previous: StyledDocument
  private var visits: [Visit]
  /// The elements that were styled, in document order.
  private(set) var restyled: [NodeID] = []

  init(_ previous: StyledDocument) {
    self.previous = previous
    let document = previous.document
    visits = Array(repeating: .skip, count: document.nodes.count)
    for node in previous.animatedNodes {
      visits[node.index] = .style
      var ancestor = document.parentElement(of: node)
      while !ancestor.isNone, visits[ancestor.index] == .skip {
        visits[ancestor.index] = .enter
        ancestor = document.parentElement(of: ancestor)
      }
    }
  }

  mutating func visit(_ element: UInt32, parent: UInt32) -> Visit {
    if parent != ElementInfo.none, visits[Int(parent)] == .style { visits[Int(element)] = .style }
    let visit = visits[Int(element)]
    if visit == .style { restyled.append(NodeID(raw: element)) }
    return visit
  }
}

extension StyledDocument {
  /// Elements with animations, and those with transitions, which may have started.
  var animatedNodes: [NodeID] {
    var nodes = document.nodes.indices.lazy.filter { document.nodes[$0].kind == .element && styles[$0].effects.mayBeAnimated }.map {
      NodeID($0)
    }.sorted { $0.raw < $1.raw }
    nodes += pseudoStyles.filter { $0.value.effects.mayBeAnimated }.map(\.key.node).sorted { $0.raw < $1.raw }
    return nodes
  }

  /// Whether styles at another time follow from these styles alone. Results of layout, shadow trees, and elements whose styles depend on
  /// more than their ancestors need all styles to be computed.
  package var canAdvance: Bool {
    let dependsOnLayout = !timelineElements.isEmpty || !queryContainers.isEmpty || hasAnchoredBoxes || !positionTries.isEmpty
    return !dependsOnLayout && trees.isEmpty && document.grafts.isEmpty && svgInstances.isEmpty && svgUses.isEmpty
      && !document.hasAnimationElements
      && !document.nodes.contains { $0.kind == .element && $0.name == .select }
  }
}

extension EffectStyle {
  fileprivate var mayBeAnimated: Bool { !animations.isEmpty || !transitions.isEmpty }
}

extension ComputedStyle {
  /// Whether all values are the same.
  package func hasSameValues(as other: ComputedStyle) -> Bool {
    self == other
      || hasSameValuesForLayout(as: other) && effects == other.effects && background == other.background && border == other.border
  }

  /// Whether the same fragments are laid out with another style: only colors, shadows, transforms and effects differ.
  package func hasSameLayout(as other: ComputedStyle) -> Bool {
    self == other
      || hasSameValuesForLayout(as: other, isForLayout: true) && effects.hasSameLayout(as: other.effects)
        && border.hasSameLayout(as: other.border)
  }

  /// Whether children inherit the same values that only affect text.
  package func hasSameText(as other: ComputedStyle) -> Bool { Self.same(record.pointee.text, other.record.pointee.text) }

  private func hasSameValuesForLayout(as other: ComputedStyle, isForLayout: Bool = false) -> Bool {
    let a = record.pointee, b = other.record.pointee
    guard a.zoom == b.zoom, a.unzoomed == nil, b.unzoomed == nil, a.origins == b.origins else { return false }
    guard isForLayout || a.custom == b.custom || a.custom?.pointee.values == b.custom?.pointee.values else { return false }
    let isSameText = Self.same(a.text, b.text) || isForLayout && a.text.pointee.hasSameLayout(as: b.text.pointee)
    return isSameText && Self.same(a.font, b.font) && Self.same(a.box, b.box) && Self.same(a.align, b.align)
      && Self.same(a.content, b.content) && Self.same(a.svg, b.svg)
  }

  private static func same<Group: Equatable>(_ a: UnsafePointer<Group>, _ b: UnsafePointer<Group>) -> Bool {
    a == b || a.pointee == b.pointee
  }
}

extension EffectStyle {
  /// Whether the effects differ only in values that do not affect layout. Effects that establish a containing block must not appear or disappear.
  fileprivate func hasSameLayout(as other: EffectStyle) -> Bool {
    guard hasTransform == other.hasTransform, filter.isEmpty == other.filter.isEmpty,
      backdropFilter.isEmpty == other.backdropFilter.isEmpty, (perspective == nil) == (other.perspective == nil)
    else { return false }
    var effects = self
    (effects.opacity, effects.mixBlendMode, effects.clipPath) = (other.opacity, other.mixBlendMode, other.clipPath)
    (effects.transform, effects.translate, effects.rotate, effects.scale) = (other.transform, other.translate, other.rotate, other.scale)
    (effects.transformOrigin, effects.transformOriginZ, effects.motionPath) = (
      other.transformOrigin, other.transformOriginZ, other.motionPath
    )
    (effects.perspective, effects.perspectiveOrigin) = (other.perspective, other.perspectiveOrigin)
    (effects.filter, effects.backdropFilter) = (other.filter, other.backdropFilter)
    return effects == other
  }
}

extension TextStyle {
  fileprivate func hasSameLayout(as other: TextStyle) -> Bool {
    var text = self
    (text.color, text.textShadow, text.accentColor) = (other.color, other.textShadow, other.accentColor)
    (text.emphasisColor, text.strokeColor, text.fillColor) = (other.emphasisColor, other.strokeColor, other.fillColor)
    return text == other
  }
}

extension BorderStyle {
  fileprivate func hasSameLayout(as other: BorderStyle) -> Bool {
    var border = self
    (border.color, border.radius, border.outlineColor) = (other.color, other.radius, other.outlineColor)
    (border.outlineWidth, border.outlineOffset) = (other.outlineWidth, other.outlineOffset)
    return border == other
  }
}
