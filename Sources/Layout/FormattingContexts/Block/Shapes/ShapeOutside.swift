internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintImages

/// The float area of `shape-outside`. https://drafts.csswg.org/css-shapes-1/#shape-outside-property
struct ShapeOutside {
  let engine: LayoutEngine
  let box: BoxID
  let style: ComputedStyle
  /// The direction of the containing block.
  let direction: WritingDirection
  let percentageBasis: LayoutUnit
  /// In physical coordinates, relative to the top left corner of the margin box.
  let marginBox: ShapeBox
  /// `shape-margin` in px.
  let spread: Double

  /// The area that a float excludes from lines; nil for its entire margin box.
  static func exclusion(
    _ engine: LayoutEngine, _ float: UnpositionedFloat, direction: WritingDirection, percentageBasis: LayoutUnit
  ) -> ShapeExclusion? {
    let style = engine.style(float.box)
    switch style.effects.shapeOutside {
    case .none, .reference: return nil
    case let value:
      let shape = ShapeOutside(engine, float, style, direction, percentageBasis)
      guard let shape, let area = shape.area(value) else { return nil }
      return ShapeExclusion(area: area)
    }
  }

  /// nil if the float is empty or too large.
  private init?(
    _ engine: LayoutEngine, _ float: UnpositionedFloat, _ style: ComputedStyle, _ direction: WritingDirection, _ basis: LayoutUnit
  ) {
    self.engine = engine; box = float.box; self.style = style; self.direction = direction; percentageBasis = basis
    let margin = Sizing.margin(style, percentageBasis: basis)
    let size = direction.physical(float.size)
    marginBox = ShapeBox(
      left: 0, top: 0, right: (size.width + margin.horizontal).double, bottom: (size.height + margin.vertical).double)
    spread = max(0, style.effects.shapeMargin.resolve(basis).double)
    guard marginBox.width > 0, marginBox.height > 0, marginBox.width < 1e5, marginBox.height < 1e5, spread < 1e6 else { return nil }
  }

  /// `.some(nil)` for an empty shape.
  private func area(_ value: ShapeValue) -> FloatShape?? {
    switch value {
    case .none, .reference: return .none
    case .image(let image): return raster(image).map { .some($0) }
    case .box(let edge): return .some(rounded(reference(edge), cornerRadii(edge)))
    case .shape(let shape, let edge): return basic(shape, in: reference(edge ?? .marginBox))
    }
  }

  // MARK: Reference boxes

  func reference(_ edge: BoxEdge) -> ShapeBox {
    var box = marginBox
    if edge == .marginBox { return box }
    box.inset(by: Sizing.margin(style, percentageBasis: percentageBasis))
    guard edge == .paddingBox || edge == .contentBox || edge == .fillBox else { return box }
    box.inset(by: Sizing.border(style))
    if edge != .paddingBox { box.inset(by: Sizing.padding(style, percentageBasis: percentageBasis)) }
    return box
  }

  /// The corners of a reference box. Chromium applies `border-radius` to the reference box itself. By
  /// https://drafts.csswg.org/css-shapes-1/#shapes-from-box-values the radii would be derived from those of the border box.
  private func cornerRadii(_ edge: BoxEdge) -> PhysicalCorners<RoundedShape.Radius> {
    let box = reference(edge)
    return corners(style.border.radius, box.width, box.height).constrained(to: box)
  }

  func corners(_ radii: PhysicalCorners<CornerRadius>, _ width: Double, _ height: Double) -> PhysicalCorners<RoundedShape.Radius> {
    func radius(_ corner: CornerRadius) -> RoundedShape.Radius {
      let x = corner.horizontal.resolve(width), y = corner.vertical.resolve(height)
      return x > 0 && y > 0 ? RoundedShape.Radius(x: x, y: y) : RoundedShape.Radius()
    }
    return PhysicalCorners(
      topLeft: radius(radii.topLeft), topRight: radius(radii.topRight), bottomRight: radius(radii.bottomRight),
      bottomLeft: radius(radii.bottomLeft))
  }
}

/// A rectangle in px.
struct ShapeBox {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double
  var width: Double { max(0, right - left) }
  var height: Double { max(0, bottom - top) }

  mutating func inset(by edges: LayoutEdges) {
    left += edges.left.double
    top += edges.top.double
    right -= edges.right.double
    bottom -= edges.bottom.double
  }
}

extension PhysicalCorners where Value == RoundedShape.Radius {
  /// Scales all radii down if any overlap. https://drafts.csswg.org/css-backgrounds-3/#corner-overlap
  func constrained(to box: ShapeBox) -> PhysicalCorners<RoundedShape.Radius> {
    var factor = 1.0
    func limit(_ sum: Double, _ side: Double) { if sum > side, sum > 0 { factor = min(factor, side / sum) } }
    limit(topLeft.x + topRight.x, box.width)
    limit(bottomLeft.x + bottomRight.x, box.width)
    limit(topLeft.y + bottomLeft.y, box.height)
    limit(topRight.y + bottomRight.y, box.height)
    guard factor < 1 else { return self }
    func scaled(_ radius: RoundedShape.Radius) -> RoundedShape.Radius { .init(x: radius.x * factor, y: radius.y * factor) }
    return PhysicalCorners(
      topLeft: scaled(topLeft), topRight: scaled(topRight), bottomRight: scaled(bottomRight), bottomLeft: scaled(bottomLeft))
  }

  func outset(by margin: Double) -> PhysicalCorners<RoundedShape.Radius> {
    func grown(_ radius: RoundedShape.Radius) -> RoundedShape.Radius { .init(x: radius.x + margin, y: radius.y + margin) }
    return PhysicalCorners(
      topLeft: grown(topLeft), topRight: grown(topRight), bottomRight: grown(bottomRight), bottomLeft: grown(bottomLeft))
  }
}
