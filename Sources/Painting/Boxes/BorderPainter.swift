import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

enum BoxSide: Int, CaseIterable {
  case top, right, bottom, left
  var isHorizontal: Bool { self == .top || self == .bottom }
}

/// One side of a border, resolved for painting.
struct BorderEdge: Equatable {
  var width: Int
  var style: BorderLineStyle
  var color: Color
  var isBroken: Bool { isVisible && (style == .dashed || style == .dotted) }
  var opaque: BorderEdge { BorderEdge(width: width, style: style, color: Color(red: color.red, green: color.green, blue: color.blue)) }
  /// The same width and style, painted transparent.
  var unseen: BorderEdge { BorderEdge(width: width, style: style, color: .transparent) }
  var takesSpace: Bool { width > 0 && style.isVisible }
  var isVisible: Bool { width > 0 && style.isVisible && !color.isTransparent }
}

// https://drafts.csswg.org/css-backgrounds-3/#borders. Dash lengths, corner joins and 3D shades follow Chromium, as the specification
// leaves them open.
struct BorderPainter: FragmentPainter {
  let context: PaintContext

  func paintBorder(_ style: ComputedStyle, _ geometry: BoxGeometry) {
    let border = style.border
    if border.image.source != .none, BorderImagePainter(context: context).paint(border.image, style, geometry) { return }
    guard !geometry.border.isZero else { return }
    let current = style.text.color
    let edges = [
      edge(geometry.border.top, border.style.top, border.color.top, current),
      edge(geometry.border.right, border.style.right, border.color.right, current),
      edge(geometry.border.bottom, border.style.bottom, border.color.bottom, current),
      edge(geometry.border.left, border.style.left, border.color.left, current),
    ]
    paintEdges(edges, outer: geometry.borderShape, widths: geometry.border)
  }

  /// Paints the area that the border covers by its widths and styles, whatever its colors: `background-clip: border-area`.
  func paintArea(_ style: ComputedStyle, _ geometry: BoxGeometry) {
    let widths = geometry.border, styles = style.border.style
    func edge(_ width: Int, _ line: BorderLineStyle) -> BorderEdge { self.edge(width, line, .color(.black), .black) }
    paintEdges(
      [
        edge(widths.top, styles.top), edge(widths.right, styles.right), edge(widths.bottom, styles.bottom), edge(widths.left, styles.left),
      ], outer: geometry.borderShape, widths: widths)
  }

  /// Chromium paints 3D border styles whose color is `currentcolor` itself, not a function of it, in light gray.
  private static let currentShade = Color(r: 238, g: 238, b: 238)

  private func edge(_ width: Int, _ style: BorderLineStyle, _ color: ColorValue, _ current: Color) -> BorderEdge {
    // A double line needs at least three pixels; thinner ones are solid.
    let style = style == .double && width < 3 ? .solid : style
    let isShaded =
      switch style {
      case .inset, .outset, .groove, .ridge: true
      default: false
      }
    if isShaded, case .currentColor = color { return BorderEdge(width: width, style: style, color: Self.currentShade) }
    return BorderEdge(width: width, style: style, color: color.resolve(current))
  }

  /// - Parameter edges: Top, right, bottom, left.
  func paintEdges(_ edges: [BorderEdge], outer: RoundedRect, widths: PixelEdges, inner given: RoundedRect? = nil) {
    guard edges.count == 4, edges.contains(where: \.isVisible) else { return }
    let inner = given ?? outer.inset(widths)
    let first = edges[0]
    let isUniform = edges.allSatisfy { $0.isVisible && $0.style == first.style && $0.color == first.color }
    if isUniform, first.style == .solid { return fillRing(outer, inner, first.color) }
    if isUniform, first.style == .double {
      fillRing(outer, outer.inset(thirds(widths)), first.color)
      return fillRing(outer.inset(widths - thirds(widths)), inner, first.color)
    }
    if isUniform, outer.isRounded, first.style == .dashed || first.style == .dotted,
      Set(edges.map(\.width)).count == 1
    {
      return strokeRing(outer, inner, widths, first)
    }
    let visible = edges.filter(\.isVisible)
    // Transparent sides still cut off the corners of their neighbors.
    let hasUnseen = edges.contains { $0.takesSpace && !$0.isVisible }
    if !outer.isRounded, !hasUnseen, visible.allSatisfy({ $0.style == .solid && $0.color == visible[0].color }) {
      return fillPlainSides(edges, outer.rect.enclosing)
    }
    // The overlap of translucent dashes at corners would be darker, so sides of the same opacity are painted opaque within one group.
    if !outer.isRounded, visible.contains(where: { $0.isBroken && $0.color.alpha < 1 }) {
      return paintGroups(edges) { paintSides($0, outer, inner, widths) }
    }
    paintSides(edges, outer, inner, widths)
  }

  /// Paints the sides of each opacity as opaque sides in a group with that opacity.
  private func paintGroups(_ edges: [BorderEdge], _ paint: ([BorderEdge]) -> Void) {
    for alpha in Set(edges.filter(\.isVisible).map(\.color.alpha)).sorted() {
      var group = Group()
      group.opacity = alpha
      pushGroup(group)
      paint(edges.map { $0.isVisible && $0.color.alpha == alpha ? $0.opaque : $0.unseen })
      popGroup()
    }
  }

  private func paintSides(_ edges: [BorderEdge], _ outer: RoundedRect, _ inner: RoundedRect, _ widths: PixelEdges) {
    // Darker sides first, so that the lighter top and left sides cover the joins.
    for side in [BoxSide.top, .bottom, .left, .right] where edges[side.rawValue].isVisible {
      paintSide(side, edges, outer, inner, widths)
    }
  }

  private func thirds(_ widths: PixelEdges) -> PixelEdges {
    func third(_ w: Int) -> Int { w <= 0 ? 0 : max(1, (w + 1) / 3) }
    return PixelEdges(top: third(widths.top), right: third(widths.right), bottom: third(widths.bottom), left: third(widths.left))
  }

  /// Fills square-cornered sides; the vertical ones stop at the horizontal ones, so that no pixel is filled twice.
  private func fillPlainSides(_ edges: [BorderEdge], _ rect: PixelRect) {
    let top = edges[0].isVisible ? edges[0].width : 0, bottom = edges[2].isVisible ? edges[2].width : 0
    let middleTop = min(rect.bottom, rect.top + top), middleBottom = max(middleTop, rect.bottom - bottom)
    fill(PixelRect(left: rect.left, top: rect.top, right: rect.right, bottom: middleTop), edges[0].color)
    fill(PixelRect(left: rect.left, top: middleBottom, right: rect.right, bottom: rect.bottom), edges[2].color)
    if edges[3].isVisible {
      fill(PixelRect(left: rect.left, top: middleTop, right: rect.left + edges[3].width, bottom: middleBottom), edges[3].color)
    }
    if edges[1].isVisible {
      fill(PixelRect(left: rect.right - edges[1].width, top: middleTop, right: rect.right, bottom: middleBottom), edges[1].color)
    }
  }

  // MARK: Single sides

  private func paintSide(_ side: BoxSide, _ edges: [BorderEdge], _ outer: RoundedRect, _ inner: RoundedRect, _ widths: PixelEdges) {
    let edge = edges[side.rawValue]
    if !outer.isRounded {
      let rect = sideRect(side, outer.rect.enclosing, widths)
      switch edge.style {
      case .dotted, .dashed: return strokeSide(side, rect, edges, outer, inner)
      case .solid, .inset, .outset:
        let color = shade(edge, side)
        if !needsMitre(side, edges) { return fill(rect, color) }
        return fill(mitre(side, outer, inner, edges), color)
      default: break
      }
    }
    pushClip(.path(mitre(side, outer, inner, edges)))
    switch edge.style {
    case .solid, .inset, .outset: fillRing(outer, inner, shade(edge, side))
    case .double:
      fillRing(outer, outer.inset(thirds(widths)), edge.color)
      fillRing(outer.inset(widths - thirds(widths)), inner, edge.color)
    case .groove, .ridge:
      let middle = outer.inset(PixelEdges(top: widths.top / 2, right: widths.right / 2, bottom: widths.bottom / 2, left: widths.left / 2))
      let isGroove = edge.style == .groove
      fillRing(outer, middle, shade(BorderEdge(width: edge.width, style: isGroove ? .inset : .outset, color: edge.color), side))
      fillRing(middle, inner, shade(BorderEdge(width: edge.width, style: isGroove ? .outset : .inset, color: edge.color), side))
    case .dashed, .dotted: strokeRing(outer, inner, widths, edge)
    case .none, .hidden: break
    }
    popClip()
  }

  /// Strokes a dashed or dotted side. Corners shared with a side of another color are cut diagonally.
  private func strokeSide(_ side: BoxSide, _ rect: PixelRect, _ edges: [BorderEdge], _ outer: RoundedRect, _ inner: RoundedRect) {
    let edge = edges[side.rawValue]
    let cut = [(side.rawValue + 3) % 4, (side.rawValue + 1) % 4].map { edges[$0].takesSpace && edges[$0].color != edge.color }
    guard cut.contains(true) else { return strokeLine(rect, side.isHorizontal, edge) }
    pushClip(.path(mitre(side, outer, inner, edges, cut: (cut[0], cut[1]))))
    strokeLine(rect, side.isHorizontal, edge)
    popClip()
  }

  private func sideRect(_ side: BoxSide, _ rect: PixelRect, _ widths: PixelEdges) -> PixelRect {
    switch side {
    case .top: PixelRect(left: rect.left, top: rect.top, right: rect.right, bottom: rect.top + widths.top)
    case .bottom: PixelRect(left: rect.left, top: rect.bottom - widths.bottom, right: rect.right, bottom: rect.bottom)
    case .left: PixelRect(left: rect.left, top: rect.top, right: rect.left + widths.left, bottom: rect.bottom)
    case .right: PixelRect(left: rect.right - widths.right, top: rect.top, right: rect.right, bottom: rect.bottom)
    }
  }

  private func needsMitre(_ side: BoxSide, _ edges: [BorderEdge]) -> Bool {
    let neighbours = side.isHorizontal ? [edges[3], edges[1]] : [edges[0], edges[2]]
    return neighbours.contains { $0.takesSpace }
  }

  /// The part of the border that belongs to one side, cut along the line from the outer corner to the inner one.
  ///
  /// - Parameter cut: Whether to cut at the side's first and second corner, clockwise.
  private func mitre(
    _ side: BoxSide, _ outer: RoundedRect, _ inner: RoundedRect, _ edges: [BorderEdge], cut: (Bool, Bool) = (true, true)
  ) -> VectorPath {
    let o = outer.rect, i = inner.rect
    var innerCorners = [
      DisplayPoint(i.x, i.y), DisplayPoint(i.maxX, i.y), DisplayPoint(i.maxX, i.maxY), DisplayPoint(i.x, i.maxY),
    ]
    let outerCorners = [DisplayPoint(o.x, o.y), DisplayPoint(o.maxX, o.y), DisplayPoint(o.maxX, o.maxY), DisplayPoint(o.x, o.maxY)]
    if outer.isRounded {
      // Rounded corners reach further in than the corners of the inner box, so the cut extends to the center lines.
      let center = o.center
      for index in innerCorners.indices { innerCorners[index] = extended(outerCorners[index], innerCorners[index], toward: center) }
    }
    let start = side.rawValue, end = (start + 1) % 4
    func uncut(_ corner: Int) -> DisplayPoint {
      side.isHorizontal
        ? DisplayPoint(outerCorners[corner].x, innerCorners[corner].y) : DisplayPoint(innerCorners[corner].x, outerCorners[corner].y)
    }
    return .polygon([
      outerCorners[start], outerCorners[end], cut.1 ? innerCorners[end] : uncut(end), cut.0 ? innerCorners[start] : uncut(start),
    ])
  }

  /// The point where the line from `corner` through `point` meets the nearer center line of the box.
  private func extended(_ corner: DisplayPoint, _ point: DisplayPoint, toward center: DisplayPoint) -> DisplayPoint {
    let dx = point.x - corner.x, dy = point.y - corner.y
    if dx == 0, dy == 0 { return center }
    let tx = dx != 0 ? (center.x - corner.x) / dx : .infinity, ty = dy != 0 ? (center.y - corner.y) / dy : .infinity
    let t = max(1, min(tx > 0 ? tx : .infinity, ty > 0 ? ty : .infinity))
    return t.isFinite ? DisplayPoint(corner.x + dx * t, corner.y + dy * t) : point
  }

  /// The color of an `inset` or `outset` side, lightened or darkened to look raised or sunken.
  private func shade(_ edge: BorderEdge, _ side: BoxSide) -> Color {
    guard edge.style == .inset || edge.style == .outset else { return edge.color }
    let isDark = (side == .top || side == .left) == (edge.style == .inset)
    let shades = edge.color.edgeShades
    return isDark ? shades.dark : shades.light
  }

  // MARK: Dashes and dots

  /// Strokes a straight dashed or dotted line along the center line of `rect`.
  func strokeLine(_ rect: PixelRect, _ isHorizontal: Bool, _ edge: BorderEdge) {
    let thickness = Double(isHorizontal ? rect.height : rect.width)
    let length = Double(isHorizontal ? rect.width : rect.height)
    guard thickness > 0, length > 0 else { return }
    let isRound = edge.style == .dotted && thickness > 3
    // Round dots lie within the ends of the line; their number is computed from its whole length.
    let inset = isRound ? min(thickness, length) / 2 : 0
    let excess = length - 2 * inset <= 0 ? 0.01 : 0
    let middle = isHorizontal ? Double(rect.top) + thickness / 2 : Double(rect.left) + thickness / 2
    var path = VectorPath()
    if isHorizontal {
      path.move(Double(rect.left) + inset, middle)
      path.line(Double(rect.right) - inset + excess, middle)
    } else {
      path.move(middle, Double(rect.top) + inset)
      path.line(middle, Double(rect.bottom) - inset + excess)
    }
    stroke(path, Dashes.stroke(edge.style, thickness: thickness, length: length, isClosed: false), edge.color)
  }

  /// Paints a straight line in a border style.
  func paintRule(_ rect: PixelRect, isVertical: Bool, _ edge: BorderEdge) {
    guard edge.isVisible, !rect.isEmpty else { return }
    let width = isVertical ? rect.width : rect.height
    func strip(_ from: Int, _ to: Int) -> PixelRect {
      isVertical
        ? PixelRect(left: rect.left + from, top: rect.top, right: rect.left + to, bottom: rect.bottom)
        : PixelRect(left: rect.left, top: rect.top + from, right: rect.right, bottom: rect.top + to)
    }
    switch edge.style {
    case .dashed, .dotted: strokeLine(rect, !isVertical, edge)
    case .double where width >= 3:
      let third = max(1, (width + 1) / 3)
      fill(strip(0, third), edge.color)
      fill(strip(width - third, width), edge.color)
    case .groove where width > 1, .ridge where width > 1, .inset where width > 1, .outset where width > 1:
      // Collapsed borders and column rules paint `inset` as `ridge` and `outset` as `groove`.
      let isDarkFirst = edge.style == .groove || edge.style == .outset
      let shades = edge.color.edgeShades
      // Chromium gives the odd pixel to the first half. A line of one pixel is flat.
      let half = (width + 1) / 2
      fill(strip(0, half), isDarkFirst ? shades.dark : shades.light)
      fill(strip(half, width), isDarkFirst ? shades.light : shades.dark)
    case .none, .hidden: break
    default: fill(rect, edge.color)
    }
  }

  private func strokeRing(_ outer: RoundedRect, _ inner: RoundedRect, _ widths: PixelEdges, _ edge: BorderEdge) {
    let middle = outer.inset(
      top: Double(widths.top) / 2, right: Double(widths.right) / 2, bottom: Double(widths.bottom) / 2, left: Double(widths.left) / 2)
    var path = VectorPath()
    path.add(middle)
    let r = middle.radii
    let corners = [r.topLeft, r.topRight, r.bottomRight, r.bottomLeft].reduce(0.0) { $0 + ($1.x + $1.y) * (Double.pi / 4 - 1) }
    let around = 2 * (middle.rect.width + middle.rect.height) + corners
    var pen = Dashes.stroke(edge.style, thickness: Double(edge.width), length: max(around, 0.01), isClosed: true)
    // Chromium strokes wider than the border and clips to it, so that dashes reach into the corners.
    if !pen.hasRoundCaps { pen.width = 2.2 * Double(max(widths.top, widths.right, widths.bottom, widths.left)) }
    var ring = VectorPath()
    ring.evenOdd = true
    ring.add(outer)
    ring.add(inner)
    pushClip(.path(ring))
    stroke(path, pen, edge.color)
    popClip()
  }
}

extension PixelEdges {
  static func - (a: PixelEdges, b: PixelEdges) -> PixelEdges {
    PixelEdges(top: a.top - b.top, right: a.right - b.right, bottom: a.bottom - b.bottom, left: a.left - b.left)
  }
}

/// Dash and gap lengths as Chromium chooses them: the gaps are adjusted so that a line ends as it begins.
enum Dashes {
  static func stroke(_ style: BorderLineStyle, thickness: Double, length: Double, isClosed: Bool) -> Stroke {
    var stroke = Stroke(width: thickness)
    if style == .dotted, thickness > 3 {
      stroke.hasRoundCaps = true
      let perDot = thickness * 2
      stroke.dashes =
        length < perDot
        ? [0, perDot] : [0, bestGap(length, dash: thickness, gap: thickness, isClosed) + thickness - 0.01]
      return stroke
    }
    let dash = style == .dotted ? thickness : thickness >= 3 ? thickness * 2 : thickness * 3
    let gap = style == .dotted ? thickness : thickness >= 3 ? thickness : thickness * 2
    if length <= dash * 2 { return stroke }
    if length <= 2 * dash + gap {
      let factor = length / (2 * dash + gap)
      stroke.dashes = [dash * factor, gap * factor]
    } else {
      stroke.dashes = [dash, bestGap(length, dash: dash, gap: gap, isClosed)]
    }
    return stroke
  }

  private static func bestGap(_ length: Double, dash: Double, gap: Double, _ isClosed: Bool) -> Double {
    let available = isClosed ? length : length + gap
    let fewest = (available / (dash + gap)).rounded(.down), maximum = fewest + 1
    let fewestGaps = isClosed ? fewest : fewest - 1, mostGaps = isClosed ? maximum : maximum - 1
    let wide = fewestGaps > 0 ? (length - fewest * dash) / fewestGaps : .infinity
    let narrow = (length - maximum * dash) / mostGaps
    let best = narrow <= 0 || abs(wide - gap) < abs(narrow - gap) ? wide : narrow
    return best.isFinite ? max(best, 0.01) : gap
  }
}
