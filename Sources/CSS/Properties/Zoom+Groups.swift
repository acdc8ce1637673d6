import OffprintCoreTypes

// Zooms the groups of a style: multiplies all lengths. https://drafts.csswg.org/css-viewport-1/#zoom-property

extension FontStyle: Zoomable {
  func zoomed(_ zoom: Float) -> FontStyle {
    var font = self
    font.size = size.zoomed(zoom)
    font.adjustedSize?.size = adjustedSize?.size.zoomed(zoom) ?? 0
    if case .length(let px) = lineHeight { font.lineHeight = .length(px.zoomed(zoom)) }
    font.letterSpacing = letterSpacing.zoomed(zoom)
    font.wordSpacing = wordSpacing.zoomed(zoom)
    return font
  }
}

extension TextStyle: Zoomable {
  func zoomed(_ zoom: Float) -> TextStyle {
    var text = self
    text.textIndent = textIndent.zoomed(zoom)
    if case .length(let px) = tabSize { text.tabSize = .length(px.zoomed(zoom)) }
    text.listStyleImage = listStyleImage.zoomed(zoom)
    text.borderSpacingHorizontal = borderSpacingHorizontal.zoomed(zoom)
    text.borderSpacingVertical = borderSpacingVertical.zoomed(zoom)
    text.textShadow = textShadow.zoomed(zoom)
    text.underlineOffset = underlineOffset.zoomed(zoom)
    text.strokeWidth = strokeWidth.zoomed(zoom)
    return text
  }
}

extension BoxStyle: Zoomable {
  func zoomed(_ zoom: Float) -> BoxStyle {
    var box = self
    for path in [\BoxStyle.width, \.height, \.minWidth, \.minHeight, \.maxWidth, \.maxHeight] {
      box[keyPath: path] = self[keyPath: path].zoomed(zoom)
    }
    box.margin = margin.zoomed(zoom)
    box.padding = padding.zoomed(zoom)
    box.inset = inset.zoomed(zoom)
    box.overflowClipMargin.margin = overflowClipMargin.margin.zoomed(zoom)
    if case .raise(let value) = verticalAlign { box.verticalAlign = .raise(value.zoomed(zoom)) }
    box.containIntrinsicWidth = containIntrinsicWidth.zoomed(zoom)
    box.containIntrinsicHeight = containIntrinsicHeight.zoomed(zoom)
    box.objectPosition = objectPosition.zoomed(zoom)
    box.objectViewBox = objectViewBox.map { $0.zoomed(zoom) }
    return box
  }
}

extension BorderStyle: Zoomable {
  func zoomed(_ zoom: Float) -> BorderStyle {
    var border = self
    border.width = width.zoomed(zoom)
    border.radius = radius.zoomed(zoom)
    border.image = image.zoomed(zoom)
    border.shapes = shapes.zoomed(zoom)
    border.outlineWidth = outlineWidth.zoomed(zoom)
    border.outlineOffset = outlineOffset.zoomed(zoom)
    return border
  }

  /// Snaps widths to whole device pixels, at least one. https://drafts.csswg.org/css-values-4/#snap-a-length-as-a-border-width
  mutating func snapWidths(_ resolution: Double) {
    width = PhysicalSides(
      top: snappedWidth(width.top, resolution), right: snappedWidth(width.right, resolution),
      bottom: snappedWidth(width.bottom, resolution), left: snappedWidth(width.left, resolution))
    outlineWidth = snappedWidth(outlineWidth, resolution)
    // Chromium snaps the absolute value of the offset like a width.
    outlineOffset = snappedWidth(abs(outlineOffset), resolution) * (outlineOffset < 0 ? -1 : 1)
  }
}

/// https://drafts.csswg.org/css-values-4/#snap-a-length-as-a-border-width
func snappedWidth(_ width: Float, _ resolution: Double) -> Float {
  guard width > 0, resolution > 0, resolution.isFinite else { return width }
  let pixels = Double(width) * resolution
  return Float(max(1, (pixels + 1e-4).rounded(.down)) / resolution)
}

extension BackgroundStyle: Zoomable {
  func zoomed(_ zoom: Float) -> BackgroundStyle {
    var background = self
    background.layers = layers.zoomed(zoom)
    background.boxShadow = boxShadow.zoomed(zoom)
    return background
  }
}

extension AlignStyle: Zoomable {
  func zoomed(_ zoom: Float) -> AlignStyle {
    var align = self
    align.flexBasis = flexBasis.zoomed(zoom)
    align.rowGap = rowGap.zoomed(zoom)
    align.columnGap = columnGap.zoomed(zoom)
    align.gridTemplateRows = gridTemplateRows.zoomed(zoom)
    align.gridTemplateColumns = gridTemplateColumns.zoomed(zoom)
    align.gridAutoRows = gridAutoRows.zoomed(zoom)
    align.gridAutoColumns = gridAutoColumns.zoomed(zoom)
    align.columnWidth = columnWidth.zoomed(zoom)
    align.columnHeight = columnHeight.zoomed(zoom)
    align.columnRule = columnRule.zoomed(zoom)
    align.rowRule = rowRule.zoomed(zoom)
    return align
  }
}

extension EffectStyle: Zoomable {
  func zoomed(_ zoom: Float) -> EffectStyle {
    var effects = self
    effects.transform = transform.zoomed(zoom)
    effects.translate = translate.zoomed(zoom)
    if !motionPath.isEmpty { effects.motionPath = motionPath.map { $0.zoomed(zoom) } }
    effects.transformOrigin = transformOrigin.zoomed(zoom)
    effects.transformOriginZ = transformOriginZ.zoomed(zoom)
    effects.perspective = perspective.zoomed(zoom)
    effects.perspectiveOrigin = perspectiveOrigin.zoomed(zoom)
    effects.filter = filter.zoomed(zoom)
    effects.backdropFilter = backdropFilter.zoomed(zoom)
    effects.clipPath = clipPath.zoomed(zoom)
    effects.mask = mask.zoomed(zoom)
    effects.maskBorder = maskBorder.zoomed(zoom)
    effects.reflection = reflection?.zoomed(zoom)
    if let clip { effects.clip = clip.zoomed(zoom) }
    effects.shapeOutside = shapeOutside.zoomed(zoom)
    effects.shapeMargin = shapeMargin.zoomed(zoom)
    if case .value(let value) = textDecorationThickness { effects.textDecorationThickness = .value(value.zoomed(zoom)) }
    return effects
  }
}

extension StyleArena {
  /// `style` as used by layout and painting, with all lengths zoomed.
  func zoomed(_ style: ComputedStyle, _ zoom: Float, resolution: Double) -> ComputedStyle {
    guard zoom != 1 else { return style }
    let plain = style.record.pointee
    var border = plain.border.pointee.zoomed(zoom), align = plain.align.pointee.zoomed(zoom)
    border.snapWidths(resolution)
    align.columnRule.snapWidths(resolution)
    align.rowRule.snapWidths(resolution)
    return modified(style) {
      $0.font = allocate(plain.font.pointee.zoomed(zoom))
      $0.text = allocate(plain.text.pointee.zoomed(zoom))
      $0.box = allocate(plain.box.pointee.zoomed(zoom))
      $0.border = allocate(border)
      $0.background = allocate(plain.background.pointee.zoomed(zoom))
      $0.align = allocate(align)
      $0.effects = allocate(plain.effects.pointee.zoomed(zoom))
      $0.zoom = zoom
      $0.unzoomed = style.record
    }
  }
}
