import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

// Backgrounds, borders and shadows of a box. https://drafts.csswg.org/css-backgrounds-3/
struct BoxDecorationPainter: FragmentPainter {
  let context: PaintContext

  func paintDecoration(_ fragment: Fragment, _ offset: LayoutPoint) {
    guard fragment.kind == .box, !fragment.paintsNothing else { return }
    let box = tree[fragment.box], style = fragment.style
    switch box.kind {
    case .tableWrapper, .tableRow, .tableRowGroup, .tableColumn, .tableColumnGroup, .text, .lineBreak: return
    default: break
    }
    guard style.text.visibility == .visible, hasDecoration(style) else { return }
    if let legend = fragment.legend, paintFieldset(fragment, offset, legend: legend) { return }
    let geometry = BoxGeometry(context, fragment, offset)
    context.beginPiece(fragment)
    let isClipped = fragment.hasCollapsedBorders && isAboveTable(fragment.box)
    let shaped = BorderShapePainter(context: context)
    if let outline = shaped.outline(style, geometry) {
      pushClip(.path(outline))
      if fragment.box != context.canvasBox { paintBackground(style, geometry, fragment, offset) }
      popClip()
      return shaped.paintBorder(style, geometry)
    }
    if isClipped { pushClip(.rect(snap(LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border)))) }
    paintShadows(fragment, offset, geometry, inset: false)
    if fragment.box != context.canvasBox { paintBackground(style, geometry, fragment, offset) }
    paintShadows(fragment, offset, geometry, inset: true)
    if isClipped { popClip() }
    if fragment.collapsedBorders < 0, !fragment.hasCollapsedBorders { borders.paintBorder(style, geometry) }
  }

  /// Whether a cell is painted above the collapsed borders of its table because the cell, its row or its row group forms a layer. The
  /// background of such a cell excludes the inner halves of the borders.
  private func isAboveTable(_ cell: BoxID) -> Bool {
    var id = cell
    for _ in 0..<3 where !id.isNone {
      let kind = tree[id].kind, style = tree[id].style
      guard kind == .tableCell || kind == .tableRow || kind == .tableRowGroup else { return false }
      if style.box.position != .static || style.effects.opacity < 1 || style.effects.hasTransform { return true }
      id = tree[id].parent
    }
    return false
  }

  /// Paints the block-start border of a fieldset behind the middle of its legend, with a gap for the legend. Returns false if the fieldset
  /// is painted like any other box.
  private func paintFieldset(_ fragment: Fragment, _ offset: LayoutPoint, legend: LayoutRect) -> Bool {
    guard fragment.style.text.writingMode == .horizontalTb else { return false }
    let style = fragment.style
    let shift = ((legend.minY * 2 + legend.size.height - fragment.border.top) / 2).clampedToZero
    var box = fragment
    box.size.height = (box.size.height - shift).clampedToZero
    let origin = LayoutPoint(x: offset.x, y: offset.y + shift)
    let geometry = BoxGeometry(context, box, origin)
    paintShadows(box, origin, geometry, inset: false)
    if fragment.box != context.canvasBox { paintBackground(style, geometry, box, origin) }
    paintShadows(box, origin, geometry, inset: true)
    let gap = snap(legend.offset(by: offset)), whole = geometry.borderBox
    let band = PixelRect(left: gap.left, top: whole.top, right: gap.right, bottom: whole.top + geometry.border.top)
    guard geometry.border.top > 0, !band.isEmpty else { return paintBorderWhole(style, geometry) }
    var rest = VectorPath()
    rest.evenOdd = true
    rest.add(RoundedRect(DisplayRect(whole)))
    rest.add(RoundedRect(DisplayRect(band.intersection(whole))))
    pushClip(.path(rest))
    borders.paintBorder(style, geometry)
    popClip()
    return true
  }

  private func paintBorderWhole(_ style: ComputedStyle, _ geometry: BoxGeometry) -> Bool {
    borders.paintBorder(style, geometry)
    return true
  }

  /// Chromium leaves inline boxes that only pass on their style out of its fragments (`LayoutInline::ShouldCreateBoxFragment`): text in them is
  /// placed from the line, other text from the inline box.
  func hasInlineFragment(_ style: ComputedStyle) -> Bool {
    hasDecoration(style) || style.box.padding != PhysicalSides(all: .zero) || style.box.margin != PhysicalSides(all: .zero)
      || style.border.outlineStyle.isVisible
  }

  private func hasDecoration(_ style: ComputedStyle) -> Bool {
    if style.hasBackground || !style.background.boxShadow.isEmpty { return true }
    let border = style.border
    return border.width != PhysicalSides(all: 0) || border.image.source != .none
  }

  // MARK: Backgrounds

  func paintBackground(_ style: ComputedStyle, _ geometry: BoxGeometry, _ fragment: Fragment, _ offset: LayoutPoint) {
    guard style.hasBackground else { return }
    let layers = style.background.layers
    // https://drafts.csswg.org/css-backgrounds-4/#valdef-background-clip-text
    if layers.contains(where: { $0.clip == .text }) {
      return paintMaskedBackground(style, geometry, fragment) { maskText(of: fragment, offset) }
    }
    if layers.contains(where: { $0.clip == .borderArea }) {
      return paintMaskedBackground(style, geometry, fragment) { borders.paintArea(style, geometry) }
    }
    let color = style.background.color.resolve(style.text.color)
    // Background layers do not blend with content behind the element, so they are isolated in a group.
    // https://drafts.csswg.org/compositing-1/#background-blend-mode
    let isBlended = layers.contains { $0.blendMode != .normal && $0.image != .none } && !color.isOpaque
    if isBlended { pushGroup(Group()) }
    if !color.isTransparent { fill(colorShape(style, geometry), color) }
    for layer in layers.reversed() where !context.hasFailed { backgrounds.paint(layer, style, geometry, fragment) }
    if isBlended { popGroup() }
  }

  /// The shape that the background color fills. Under opaque borders with rounded corners it is slightly smaller than the border box, so
  /// that the color does not bleed through the antialiased edge.
  private func colorShape(_ style: ComputedStyle, _ geometry: BoxGeometry) -> RoundedRect {
    let clip = style.background.layers.last?.clip ?? .borderBox
    let shape = geometry.shape(clip)
    guard clip == .borderBox, shape.isRounded, !geometry.border.isZero else { return shape }
    let border = style.border
    func inset(_ width: Int, _ line: BorderLineStyle, _ color: ColorValue) -> Double? {
      guard width > 0, color.resolve(style.text.color).isOpaque else { return nil }
      switch line {
      case .solid, .groove, .ridge, .inset, .outset: return Double(width) / 2
      case .double: return Double(width) / 6
      default: return nil
      }
    }
    guard let top = inset(geometry.border.top, border.style.top, border.color.top),
      let right = inset(geometry.border.right, border.style.right, border.color.right),
      let bottom = inset(geometry.border.bottom, border.style.bottom, border.color.bottom),
      let left = inset(geometry.border.left, border.style.left, border.color.left)
    else { return shape }
    return shape.inset(top: top, right: right, bottom: bottom, left: left)
  }

  /// Paints the background, masked by what `paintMask` paints.
  private func paintMaskedBackground(_ style: ComputedStyle, _ geometry: BoxGeometry, _ fragment: Fragment, mask paintMask: () -> Void) {
    let color = style.background.color.resolve(style.text.color)
    pushGroup(Group())
    if !color.isTransparent { fill(geometry.borderShape, color) }
    for var layer in style.background.layers.reversed() where !context.hasFailed {
      layer.clip = .borderBox
      backgrounds.paint(layer, style, geometry, fragment)
    }
    var mask = Group()
    mask.operation = .mask(luminance: false)
    pushGroup(mask)
    paintMask()
    popGroup()
    popGroup()
  }

  private func maskText(of fragment: Fragment, _ offset: LayoutPoint) {
    for link in fragments.links[fragment.children] where fragments.fragments.indices.contains(link.fragment.index) {
      TextPainter(context: context, isMask: true).paintAll(link.fragment, offset + link.offset)
    }
  }

  // MARK: Shadows

  /// Paints the shadows of a box. Those of a broken box are painted as if it were whole, and sliced at the breaks.
  /// https://drafts.csswg.org/css-break-3/#break-decoration
  private func paintShadows(_ fragment: Fragment, _ offset: LayoutPoint, _ geometry: BoxGeometry, inset: Bool) {
    let style = fragment.style
    guard !style.background.boxShadow.isEmpty else { return }
    guard let (whole, origin) = fragment.unfragmented(at: offset) else { return paintShadows(style, geometry, inset: inset) }
    pushClip(.rect(geometry.cut.openRect(of: geometry.borderBox)))
    paintShadows(style, BoxGeometry(context, whole, origin), inset: inset)
    popClip()
  }

  /// https://drafts.csswg.org/css-backgrounds-3/#box-shadow
  private func paintShadows(_ style: ComputedStyle, _ geometry: BoxGeometry, inset: Bool) {
    for shadow in style.background.boxShadow.reversed() where shadow.inset == inset && !context.hasFailed {
      let color = shadow.color.resolve(style.text.color)
      guard !color.isTransparent else { continue }
      let sigma = length(max(0, shadow.blur)) / 2, outset = blurOutset(sigma)
      let dx = length(shadow.x), dy = length(shadow.y), spread = length(shadow.spread)
      let box = inset ? geometry.paddingShape : geometry.borderShape
      let shape = (inset ? hole(box, spread) : box.spread(spread)).offset(x: dx, y: dy)
      if !inset && shape.rect.isEmpty { continue }
      let bounds = inset ? box.rect.enclosing : shape.rect.enclosing.expanded(by: outset)
      add(.shadow(BoxShadow(shape: shape, box: box, isInset: inset, sigma: sigma, color: color)), bounds)
    }
  }

  private func hole(_ box: RoundedRect, _ spread: Double) -> RoundedRect {
    spread >= 0 ? box.inset(top: spread, right: spread, bottom: spread, left: spread) : box.spread(-spread)
  }
}
