internal import CSS
internal import CoreTypes

/// https://drafts.csswg.org/css-shapes-1/#shape-outside-property
enum ShapeOutside {
  /// The rows a float excludes, in its margin box; nil where it excludes all of that.
  static func exclusion(
    _ engine: LayoutEngine, _ float: UnpositionedFloat, direction: WritingDirection, percentageBasis: LayoutUnit
  ) -> ShapeExclusion? {
    let style = engine.style(float.box)
    let value = style.effects.shapeOutside
    guard case .none = value else { return shape(value, engine, float, direction, percentageBasis) }
    return nil
  }

  private static func shape(
    _ value: ShapeValue, _ engine: LayoutEngine, _ float: UnpositionedFloat, _ direction: WritingDirection, _ percentageBasis: LayoutUnit
  ) -> ShapeExclusion? {
    guard direction.isHorizontal else { return nil }
    let style = engine.style(float.box)
    let margin = Sizing.margin(style, percentageBasis: percentageBasis)
    let marginBox = Box(
      x: 0, y: 0, width: (float.size.inline + margin.horizontal).double, height: (float.size.block + margin.vertical).double)
    guard marginBox.height > 0, marginBox.height < 1e5, marginBox.width > 0 else { return nil }
    let spread = max(0, style.effects.shapeMargin.resolve(percentageBasis).double)
    func reference(_ edge: BoxEdge?) -> Box {
      var box = marginBox
      guard let edge, edge != .marginBox else { return box }
      box.inset(margin)
      if edge == .borderBox { return box }
      box.inset(Sizing.border(style))
      if edge == .contentBox { box.inset(Sizing.padding(style, percentageBasis: percentageBasis)) }
      return box
    }
    let outline: (Double) -> ClosedRange<Double>?
    switch value {
    case .none, .reference, .image: return nil
    case .box(let edge):
      let box = reference(edge)
      outline = { y in y >= box.y && y <= box.y + box.height ? box.x...(box.x + max(0, box.width)) : nil }
    case .shape(let shape, let edge): outline = spans(of: shape, in: reference(edge))
    }
    return rows(outline, marginBox, spread)
  }

  private static func rows(_ outline: (Double) -> ClosedRange<Double>?, _ box: Box, _ spread: Double) -> ShapeExclusion {
    let count = Int(box.height.rounded(.up))
    let plain = (-Int(spread.rounded(.up))..<(count + Int(spread.rounded(.up)))).map { outline(Double($0) + 0.5) }
    let reach = Int(spread.rounded(.up))
    guard spread > 0 else { return ShapeExclusion(rows: plain) }
    let rows = (0..<count).map { row -> ClosedRange<Double>? in
      var union: ClosedRange<Double>?
      for offset in -reach...reach where plain.indices.contains(row + reach + offset) {
        guard let span = plain[row + reach + offset] else { continue }
        let extra = (max(0, spread * spread - Double(offset * offset))).squareRoot()
        let grown = max(0, span.lowerBound - extra)...max(max(0, span.lowerBound - extra), min(box.width, span.upperBound + extra))
        union = union.map { min($0.lowerBound, grown.lowerBound)...max($0.upperBound, grown.upperBound) } ?? grown
      }
      return union
    }
    return ShapeExclusion(rows: rows)
  }

  private struct Box {
    var x, y, width, height: Double
    mutating func inset(_ edges: LayoutEdges) {
      x += edges.left.double
      y += edges.top.double
      width -= edges.horizontal.double
      height -= edges.vertical.double
    }
  }

  /// The horizontal extent of a basic shape at a height.
  private static func spans(of shape: BasicShape, in box: Box) -> (Double) -> ClosedRange<Double>? {
    switch shape {
    case .inset(let sides, _):
      let left = box.x + sides.left.resolve(box.width), right = box.x + box.width - sides.right.resolve(box.width)
      let top = box.y + sides.top.resolve(box.height), bottom = box.y + box.height - sides.bottom.resolve(box.height)
      return { y in y >= top && y <= bottom && right >= left ? left...right : nil }
    case .circle(let radius, let at):
      let x = at.x.resolve(box.width), y = at.y.resolve(box.height)
      let value = circleRadius(radius, box, x, y)
      return ellipse(box.x + x, box.y + y, value, value)
    case .ellipse(let horizontal, let vertical, let at):
      let x = at.x.resolve(box.width), y = at.y.resolve(box.height)
      return ellipse(
        box.x + x, box.y + y, ellipseRadius(horizontal, x, box.width), ellipseRadius(vertical, y, box.height))
    case .polygon(_, let points):
      let corners = points.map { (x: box.x + $0.x.resolve(box.width), y: box.y + $0.y.resolve(box.height)) }
      return { y in extent(of: corners, at: y) }
    case .path: return { y in y >= box.y && y <= box.y + box.height ? box.x...(box.x + max(0, box.width)) : nil }
    }
  }

  private static func ellipse(_ x: Double, _ y: Double, _ rx: Double, _ ry: Double) -> (Double) -> ClosedRange<Double>? {
    { row in
      let distance = ry > 0 ? (row - y) / ry : 2
      guard abs(distance) <= 1 else { return nil }
      let half = max(0, rx) * (1 - distance * distance).squareRoot()
      return (x - half)...(x + half)
    }
  }

  private static func circleRadius(_ radius: BasicShape.Radius, _ box: Box, _ x: Double, _ y: Double) -> Double {
    let distances = [abs(x), abs(box.width - x), abs(y), abs(box.height - y)]
    switch radius {
    case .closestSide: return distances.min() ?? 0
    case .farthestSide: return distances.max() ?? 0
    case .value(let length): return length.resolve(((box.width * box.width + box.height * box.height) / 2).squareRoot())
    }
  }

  private static func ellipseRadius(_ radius: BasicShape.Radius, _ center: Double, _ size: Double) -> Double {
    switch radius {
    case .closestSide: min(abs(center), abs(size - center))
    case .farthestSide: max(abs(center), abs(size - center))
    case .value(let length): length.resolve(size)
    }
  }

  private static func extent(of corners: [(x: Double, y: Double)], at y: Double) -> ClosedRange<Double>? {
    guard var previous = corners.last else { return nil }
    var result: ClosedRange<Double>?
    for corner in corners {
      if (previous.y <= y) != (corner.y <= y) {
        let x = previous.x + (y - previous.y) / (corner.y - previous.y) * (corner.x - previous.x)
        result = result.map { min($0.lowerBound, x)...max($0.upperBound, x) } ?? x...x
      }
      previous = corner
    }
    return result
  }
}
