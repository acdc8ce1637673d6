import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

// Builds runs of glyphs and decoration lines from positioned clusters.
extension SVGTextLayout {
  /// Adjacent clusters with the same style, painted together.
  private struct Piece {
    var style: ComputedStyle
    var element: Int
    var transform: AffineTransform
    var runs: [SVGText.Run] = []
    /// The range along the line.
    var start = 0.0
    var end = 0.0
    /// The offset below the line.
    var shift = 0.0
    var key = DisplayPoint(0, 0)
    var isPlain = false
  }

  /// - Throws: `DeadlineExceeded`.
  mutating func emit() throws -> SVGText {
    var text = SVGText()
    var piece: Piece?
    var groups: [Int] = []
    for index in clusters.indices where !clusters[index].isHidden {
      if index & 0xff == 0 { try scene.deadline.check() }
      let element = collector.characters[clusters[index].characters.lowerBound].element
      let isPlain = clusters[index].angle == 0 && clusters[index].scale == 1 && !isVertical
      // Moved out of the variable while glyphs are added, to avoid copies.
      if isPlain, piece.map({ continues($0, clusters[index], element) }) ?? false, var open = piece.take() {
        add(index, to: &open)
        piece = open
        continue
      }
      if let piece { close(piece, &text) }
      regroup(element, &groups, &text)
      var next = begin(index, element, isPlain)
      add(index, to: &next)
      piece = next
    }
    if let piece { close(piece, &text) }
    regroup(0, &groups, &text)
    return text
  }

  /// Whether a cluster is adjacent to a piece of the same element.
  private func continues(_ piece: Piece, _ cluster: Cluster, _ element: Int) -> Bool {
    guard piece.isPlain, piece.element == element, abs(piece.key.y - cluster.y) < 1e-6 else { return false }
    return abs(piece.end - cluster.x) < 0.01 || abs(piece.start - cluster.x - cluster.advance) < 0.01
  }

  /// Ends the groups that do not contain an element, and starts those that do. Elements with effects are painted as groups.
  private func regroup(_ element: Int, _ groups: inout [Int], _ text: inout SVGText) {
    var wanted: [Int] = [], next = element
    while next > 0 {
      if collector.elements[next].style.isPaintedAsOne { wanted.insert(next, at: 0) }
      next = collector.elements[next].parent
    }
    let shared = zip(groups, wanted).prefix { $0 == $1 }.count
    for _ in shared..<groups.count { text.items.append(.endGroup) }
    for group in wanted[shared...] { text.items.append(.beginGroup(collector.elements[group].style)) }
    groups = wanted
  }

  private mutating func begin(_ index: Int, _ element: Int, _ isPlain: Bool) -> Piece {
    let cluster = clusters[index]
    let style = collector.elements[element].style
    var piece = Piece(style: style, element: element, transform: .identity)
    piece.key = DisplayPoint(cluster.x, cluster.y)
    piece.isPlain = isPlain
    piece.shift = baselineShift(element)
    if isPlain {
      (piece.start, piece.end) = (cluster.x, cluster.x)
      return piece
    }
    var transform = AffineTransform.translation(cluster.x, cluster.y)
    if !cluster.isOnPath {
      // Glyphs rotate around their shifted origin; in vertical text around the central baseline.
      let shift = piece.shift - (isVertical ? centralBaseline(style) : 0)
      transform = transform.concatenating(isVertical ? .translation(-shift, 0) : .translation(0, shift))
      piece.shift -= shift
    }
    var angle = cluster.angle
    // Along a path the direction is that of the path.
    if isVertical, !cluster.isUpright, !cluster.isOnPath { angle += 90 }
    if angle != 0 { transform = transform.concatenating(SVGMath.rotation(angle)) }
    if cluster.scale != 1 {
      transform = transform.concatenating(cluster.isUpright ? .scaling(1, cluster.scale) : .scaling(cluster.scale, 1))
    }
    piece.transform = transform
    return piece
  }

  private mutating func add(_ index: Int, to piece: inout Piece) {
    let cluster = clusters[index]
    var pen = piece.isPlain ? cluster.x : 0.0
    let base = piece.isPlain ? piece.key.y : 0.0
    for (glyph, face, size) in cluster.glyphs {
      let positioned: PositionedGlyphRun.Glyph
      if cluster.isUpright {
        // Aligns the central baseline of the face with that of the element's font.
        let own = scene.fonts.metrics(of: face, size: size), first = font(piece.style).metrics
        let middle = (own.ascent - own.descent) / 2 - (first.ascent - first.descent) / 2
        let shift = piece.shift - centralBaseline(piece.style)
        positioned = PositionedGlyphRun.Glyph(
          id: glyph.glyph, x: Float(-shift) + middle + glyph.xOffset, y: Float(pen) + glyph.yOffset)
      } else {
        positioned = PositionedGlyphRun.Glyph(
          id: glyph.glyph, x: Float(pen) + glyph.xOffset, y: Float(base + piece.shift) + glyph.yOffset)
      }
      if let last = piece.runs.indices.last, piece.runs[last].face === face, piece.runs[last].fontSize == size {
        piece.runs[last].glyphs.append(positioned)
      } else {
        piece.runs.append(SVGText.Run(style: piece.style, face: face, fontSize: size, glyphs: [positioned], transform: piece.transform))
      }
      pen += Double(glyph.advance)
    }
    if piece.isPlain {
      piece.start = min(piece.start, cluster.x)
      piece.end = max(piece.end, cluster.x + cluster.advance)
    } else {
      (piece.start, piece.end) = (0, cluster.scale != 0 ? cluster.advance / cluster.scale : 0)
    }
  }

  private mutating func close(_ piece: Piece, _ text: inout SVGText) {
    let metrics = font(piece.style).metrics
    let baseline = (piece.isPlain ? piece.key.y : 0) + piece.shift
    let isLineVertical = isVertical && !piece.isPlain && isUnrotated(piece)
    let ascent = Double(metrics.exactAscent), descent = Double(metrics.exactDescent)
    let box =
      isLineVertical
      ? DisplayRect(x: -piece.shift - (ascent + descent) / 2, y: 0, width: ascent + descent, height: piece.end)
      : DisplayRect(x: piece.start, y: baseline - ascent, width: piece.end - piece.start, height: ascent + descent)
    let mapped = piece.transform.mapRect(box)
    text.bounds = text.bounds.map { $0.union(mapped) } ?? mapped
    guard piece.style.text.visibility == .visible else { return }
    let decorations = collector.elements[piece.element].decorations
    for style in decorations { addLine([.underline], style, piece, baseline, isLineVertical, &text) }
    for style in decorations { addLine([.overline], style, piece, baseline, isLineVertical, &text) }
    for run in piece.runs where !run.glyphs.isEmpty { text.items.append(.glyphs(run)) }
    for style in decorations { addLine([.lineThrough], style, piece, baseline, isLineVertical, &text) }
  }

  private func isUnrotated(_ piece: Piece) -> Bool { piece.transform.b == 0 && piece.transform.c == 0 }

  /// https://www.w3.org/TR/SVG2/text.html#TextDecorationProperties
  private mutating func addLine(
    _ line: TextDecorationLine, _ style: ComputedStyle, _ piece: Piece, _ baseline: Double, _ isLineVertical: Bool, _ text: inout SVGText
  ) {
    guard !style.effects.textDecorationLine.isDisjoint(with: line) else { return }
    let metrics = font(piece.style).metrics, size = Double(piece.style.font.size)
    let thickness: Double =
      switch style.effects.textDecorationThickness {
      case .auto: max(size / 10, 1 / scale)
      case .fromFont: metrics.underlineThickness > 0 ? Double(metrics.underlineThickness) : size / 10
      case .value(let value): value.resolve(size)
      }
    let ascent = Double(metrics.ascent)
    let offset =
      line == .underline
      ? underlineGap(thickness)
      : line == .overline ? -ascent - (size >= 10 ? thickness.rounded(.down) : 0) : -ascent / 3 - thickness / 2
    var rect = DisplayRect(x: piece.start, y: baseline + offset, width: piece.end - piece.start, height: thickness)
    if isVertical { rect.y = verticalOffset(line, thickness, metrics, piece) }
    guard rect.width > 0 else { return }
    if isLineVertical { rect = DisplayRect(x: -rect.maxY, y: rect.x, width: rect.height, height: rect.width) }
    text.items.append(.decoration(.init(style: style, rect: rect, transform: piece.transform, isVertical: isLineVertical)))
  }

  /// The distance between baseline and underline. In Chromium it is half the thickness, rounded up in pixels of the scaled font.
  private func underlineGap(_ thickness: Double) -> Double { max(1, (thickness * scale / 2).rounded(.up)) / scale }

  /// In vertical text, decoration lines are at the edges and in the center of the glyphs' box.
  /// https://drafts.csswg.org/css-text-decor-3/#text-underline-position-property
  private mutating func verticalOffset(_ line: TextDecorationLine, _ thickness: Double, _ metrics: FontMetrics, _ piece: Piece) -> Double {
    let middle = piece.shift - centralBaseline(piece.style)
    let half = Double(metrics.ascent + metrics.descent) / 2
    if line == .underline { return middle + half - thickness }
    return line == .overline ? middle - half : middle - thickness / 2
  }

  // MARK: Baselines

  /// The offset of an element's baseline below the line. https://www.w3.org/TR/css-inline-3/#baseline-properties
  private mutating func baselineShift(_ number: Int) -> Double {
    let element = collector.elements[number], svg = element.style.effects.svg
    let metrics = font(element.style).metrics
    var keyword = svg.alignmentBaseline
    if keyword == .auto || keyword == .baseline { keyword = element.style.svg.dominantBaseline }
    var around = element.parent
    while keyword == .noChange || keyword == .resetSize, around >= 0 {
      keyword = collector.elements[around].style.svg.dominantBaseline
      around = collector.elements[around].parent
    }
    var shift = offset(keyword, metrics, element.style)
    // In Chromium `baseline-shift` applies to `text` elements too.
    var next = number
    while next >= 0 {
      let style = collector.elements[next].style
      shift += self.shift(style.effects.svg.baselineShift, style)
      next = collector.elements[next].parent
    }
    return shift
  }

  private mutating func shift(_ value: BaselineShift, _ style: ComputedStyle) -> Double {
    switch value {
    case .baseline: return 0
    case .sub, .super:
      let metrics = roundedMetrics(style), half = (metrics.ascent + metrics.descent) / 2
      return value == .sub ? half : -half
    case .value(let value): return -value.resolve(Double(style.font.size))
    }
  }

  /// The distance of the central baseline above the alphabetic one. Chromium floors half the height to whole pixels of the scaled font.
  private mutating func centralBaseline(_ style: ComputedStyle) -> Double {
    let metrics = roundedMetrics(style), half = (metrics.ascent + metrics.descent) / 2
    return metrics.ascent - (half * scale).rounded(.down) / scale
  }

  private mutating func offset(_ keyword: BaselineKeyword, _ metrics: FontMetrics, _ style: ComputedStyle) -> Double {
    let ascent = Double(metrics.exactAscent), descent = Double(metrics.exactDescent)
    switch keyword {
    // In Chromium the dominant baseline is central in all vertical text.
    case .auto, .baseline, .useScript, .noChange, .resetSize: return isVertical ? centralBaseline(style) : 0
    case .alphabetic: return 0
    case .textTop: return ascent
    case .textBottom, .ideographic: return -descent
    case .middle: return Double(metrics.xHeight) / 2
    case .central: return (ascent - descent) / 2
    case .hanging: return ascent * 8 / 10
    case .mathematical: return ascent / 2
    }
  }
}

extension ComputedStyle {
  /// Whether the element's effects apply to it as a group.
  fileprivate var isPaintedAsOne: Bool { effects.opacity < 1 || !effects.filter.isEmpty || effects.mixBlendMode != .normal }
}
