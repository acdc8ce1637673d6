import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Glibc
import OffprintTypography

extension SVGScene {
  func layoutText(_ reference: SVGReference, _ viewport: SVGViewport) throws -> SVGText {
    let collector = try SVGTextCollector(self, reference, viewport)
    guard !collector.characters.isEmpty else { return SVGText() }
    let scale = viewport.scale > 0 && viewport.scale.isFinite ? viewport.scale : 1
    var layout = SVGTextLayout(scene: self, collector: collector, style: style(reference), scale: scale)
    try deadline.check()
    layout.shape()
    layout.adjust()
    return try layout.emit()
  }
}

/// https://www.w3.org/TR/SVG2/text.html#TextLayoutAlgorithm
struct SVGTextLayout {
  /// The glyphs of one or more characters: a grapheme cluster or a ligature.
  struct Cluster {
    var characters: Range<Int>
    var glyphs: [(glyph: ShapedGlyph, face: FaceInstance, size: Float)]
    var advance: Double
    var isRightToLeft: Bool
    var isUpright: Bool
    /// The position of its left edge (top in vertical text) on the baseline.
    var x = 0.0
    var y = 0.0
    var angle = 0.0
    var scale = 1.0
    var isHidden = false
    /// Whether the position on a path is that of the middle of the advance.
    var isOnPath = false
  }

  let scene: SVGScene
  let collector: SVGTextCollector
  let style: ComputedStyle
  let isVertical: Bool
  /// CSS px per user unit.
  let scale: Double
  var clusters: [Cluster] = []
  /// The index of the cluster of each character.
  var clusterOf: [Int] = []
  /// The indices of clusters in visual order.
  private var visual: [Int] = []
  private var fonts: [UnsafePointer<OffprintCSS.FontStyle>: InlineFont] = [:]
  private var scaledFonts: [UnsafePointer<OffprintCSS.FontStyle>: InlineFont] = [:]

  init(scene: SVGScene, collector: SVGTextCollector, style: ComputedStyle, scale: Double) {
    self.scale = scale
    self.scene = scene
    self.collector = collector
    self.style = style
    isVertical = style.text.writingMode != .horizontalTb
  }

  mutating func font(_ style: ComputedStyle) -> InlineFont {
    let key = style.record.pointee.font
    if let cached = fonts[key] { return cached }
    let made = InlineFont(key.pointee, scene.fonts, FontFeatureValues())
    fonts[key] = made
    return made
  }

  /// The rounded ascent and descent of the font at its rendered size, in user units.
  mutating func roundedMetrics(_ style: ComputedStyle) -> (ascent: Double, descent: Double) {
    let key = style.record.pointee.font
    let font: InlineFont
    if scale == 1 {
      font = self.font(style)
    } else if let known = scaledFonts[key] {
      font = known
    } else {
      var scaled = key.pointee
      scaled.size = Float(Double(scaled.size) * scale)
      font = InlineFont(scaled, scene.fonts, FontFeatureValues())
      scaledFonts[key] = font
    }
    return (Double(font.metrics.ascent) / scale, Double(font.metrics.descent) / scale)
  }

  func style(of character: Int) -> ComputedStyle { collector.elements[collector.characters[character].element].style }

  // MARK: Glyphs

  /// Shapes the text in runs that are not positioned separately, and lays it out on one line.
  mutating func shape() {
    let base: BaseDirection = style.text.direction == .rtl ? .rightToLeft : .leftToRight
    let levels = SVGTextBidi.levels(collector, base, style)
    var order: [(level: UInt8, clusters: Range<Int>)] = []
    clusterOf = [Int](repeating: 0, count: collector.characters.count)
    var start = 0
    while start < collector.characters.count {
      var end = start + 1
      while end < collector.characters.count, belongsTogether(end, levels) { end += 1 }
      let first = clusters.count
      shape(start..<end, isRightToLeft: levels[start] & 1 != 0)
      order.append((levels[start], first..<clusters.count))
      start = end
    }
    for index in clusters.indices { for character in clusters[index].characters { clusterOf[character] = index } }
    visual = []
    for index in Bidi.visualOrder(order.map(\.level)) {
      visual += order[index].level & 1 != 0 ? Array(order[index].clusters.reversed()) : Array(order[index].clusters)
    }
    var pen = 0.0
    for index in visual {
      if isVertical { clusters[index].y = pen } else { clusters[index].x = pen }
      pen += clusters[index].advance
    }
  }

  /// Whether a character is shaped together with the previous one.
  private func belongsTogether(_ index: Int, _ levels: [UInt8]) -> Bool {
    let before = collector.characters[index - 1], character = collector.characters[index]
    if levels[index] != levels[index - 1] || character.path != before.path || character.startsChunk { return false }
    if character.x != nil || character.y != nil { return false }
    if isMark(index) { return true }
    let a = style(of: index - 1), b = style(of: index)
    if a.record.pointee.font != b.record.pointee.font { return false }
    return !isVertical || isUpright(index) == isUpright(index - 1)
  }

  private func scalar(_ index: Int) -> UInt32 { UTF8Scan.decode(collector.text, collector.characters[index].start).codepoint }

  private func isMark(_ index: Int) -> Bool {
    let value = scalar(index)
    guard value >= 0x300 else { return false }
    return value == 0x200D || (0xFE00...0xFE0F).contains(value)
      || Unicode.Scalar(value)?.properties.isGraphemeExtend == true
  }

  private func isUpright(_ index: Int) -> Bool {
    guard isVertical else { return false }
    switch style(of: index).text.textOrientation {
    case .upright: return true
    case .sideways: return false
    default: return VerticalOrientation.isUpright(scalar(index))
    }
  }

  private mutating func shape(_ range: Range<Int>, isRightToLeft: Bool) {
    let characters = collector.characters
    let first = characters[range.lowerBound].start
    let end = range.upperBound < characters.count ? characters[range.upperBound].start : collector.text.count
    let font = font(style(of: range.lowerBound))
    let upright = isUpright(range.lowerBound)
    let run = collector.text.withUnsafeBufferPointer { text in
      scene.fonts.shape(
        text, range: first..<end, font: font.handle, isRightToLeft: isRightToLeft, isUpright: upright,
        letterSpacing: font.letterSpacing, wordSpacing: font.wordSpacing, deadline: scene.deadline)
    }
    appendClusters(run, range, upright)
  }

  /// The clusters of a run in logical order.
  private mutating func appendClusters(_ run: ShapedRun, _ range: Range<Int>, _ upright: Bool) {
    let characters = collector.characters
    var found: [(byte: Int, cluster: Cluster)] = []
    for segment in run.segments {
      for index in segment.glyphs {
        let glyph = run.glyphs[index], byte = Int(glyph.cluster)
        if let last = found.last, last.byte == byte {
          found[found.count - 1].cluster.glyphs.append((glyph, segment.face, segment.size))
          found[found.count - 1].cluster.advance += Double(glyph.advance)
        } else {
          found.append(
            (
              byte,
              Cluster(
                characters: 0..<0, glyphs: [(glyph, segment.face, segment.size)], advance: Double(glyph.advance),
                isRightToLeft: run.isRightToLeft, isUpright: upright)
            ))
        }
      }
    }
    if run.isRightToLeft { found.reverse() }
    var character = range.lowerBound
    for index in found.indices {
      let next = index + 1 < found.count ? found[index + 1].byte : Int.max
      let start = character
      while character < range.upperBound, characters[character].start < next { character += 1 }
      guard character > start else { continue }
      found[index].cluster.characters = start..<character
      clusters.append(found[index].cluster)
    }
    if character < range.upperBound {
      // Characters without glyphs are positioned too.
      clusters.append(
        Cluster(characters: character..<range.upperBound, glyphs: [], advance: 0, isRightToLeft: run.isRightToLeft, isUpright: upright))
    }
  }
}

enum SVGTextBidi {
  /// The embedding level of each character.
  static func levels(_ collector: SVGTextCollector, _ base: BaseDirection, _ style: ComputedStyle) -> [UInt8] {
    var levels = [UInt8](repeating: base == .rightToLeft ? 1 : 0, count: collector.characters.count)
    let runs = Bidi.runs(collector.text, base: base)
    var run = 0
    for index in collector.characters.indices {
      let start = collector.characters[index].start
      while run + 1 < runs.count, runs[run].range.upperBound <= start { run += 1 }
      if runs.indices.contains(run) { levels[index] = runs[run].level }
    }
    for element in collector.elements {
      let isRTL = element.style.text.direction == .rtl
      switch element.style.box.unicodeBidi {
      case .bidiOverride, .isolateOverride: for index in element.characters { levels[index] = isRTL ? 1 : base == .rightToLeft ? 2 : 0 }
      default: break
      }
    }
    return levels
  }
}
