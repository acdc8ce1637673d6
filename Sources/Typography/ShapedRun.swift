/// A glyph of a shaped run, in CSS px; offsets are positive to the right and downward.
@frozen public struct ShapedGlyph: Hashable, Sendable, BitwiseCopyable {
  public var glyph: UInt32
  /// The byte offset in the text of the first character of the glyph's cluster.
  public var cluster: UInt32
  public var advance: Float
  public var xOffset: Float
  public var yOffset: Float
  /// Whether breaking the text before this cluster would change the glyphs on either side.
  public var isUnsafeToBreak: Bool

  @inlinable public init(
    glyph: UInt32, cluster: UInt32, advance: Float, xOffset: Float = 0, yOffset: Float = 0, isUnsafeToBreak: Bool = false
  ) {
    self.glyph = glyph; self.cluster = cluster; self.advance = advance
    self.xOffset = xOffset; self.yOffset = yOffset; self.isUnsafeToBreak = isUnsafeToBreak
  }
}

/// A part of a run with one face and size.
public struct ShapedSegment: Sendable {
  public var face: FaceInstance
  /// The size in CSS px; smaller than the run's for synthesized small capitals.
  public var size: Float
  /// The range of its glyphs in the run.
  public var glyphs: Range<Int>
  public init(face: FaceInstance, size: Float, glyphs: Range<Int>) { self.face = face; self.size = size; self.glyphs = glyphs }
}

/// Shaped text with one font description and direction; its glyphs are in visual order from left to right.
public struct ShapedRun: Sendable {
  public internal(set) var glyphs: [ShapedGlyph]
  /// In visual order; together they contain all glyphs.
  public internal(set) var segments: [ShapedSegment]
  /// The byte range of the text that was shaped.
  public internal(set) var textRange: Range<Int>
  public internal(set) var isRightToLeft: Bool
  /// Whether it is set upright in vertical text: advances are downward, and offsets are physical, from the line's center.
  public internal(set) var isUpright: Bool
  public internal(set) var font: FontHandle
  public internal(set) var letterSpacing: Float
  public internal(set) var wordSpacing: Float
  /// `positions[i]` is the pen position before glyph `i`; it has one more element than there are glyphs.
  public internal(set) var positions: [Float]

  init(
    font: FontHandle, textRange: Range<Int>, isRightToLeft: Bool, isUpright: Bool = false, letterSpacing: Float = 0, wordSpacing: Float = 0
  ) {
    self.isUpright = isUpright
    glyphs = []
    segments = []
    positions = [0]
    self.font = font; self.textRange = textRange; self.isRightToLeft = isRightToLeft
    self.letterSpacing = letterSpacing; self.wordSpacing = wordSpacing
  }

  /// The sum of all advances.
  public var width: Float { positions.last ?? 0 }
  public var isEmpty: Bool { glyphs.isEmpty }

  /// The advance of the bytes `start..<end` of the text; a boundary inside a cluster gets a proportional part of it.
  public func width(from start: Int, to end: Int) -> Float {
    guard start < end else { return 0 }
    if start <= textRange.lowerBound, end >= textRange.upperBound { return width }
    return advance(before: end) - advance(before: start)
  }

  /// The advance of the text before byte `offset`, in reading direction from the run's start.
  public func advance(before offset: Int) -> Float {
    if offset <= textRange.lowerBound { return 0 }
    if offset >= textRange.upperBound { return width }
    let boundary = firstGlyphIndex(atOrAfter: offset)
    let reached = isRightToLeft ? width - positions[boundary] : positions[boundary]
    let after = isRightToLeft ? boundary - 1 : boundary
    if glyphs.indices.contains(after), Int(glyphs[after].cluster) == offset { return reached }
    let cluster = clusterRange(containing: offset, boundary: boundary)
    guard cluster.bytes.lowerBound < offset, cluster.bytes.upperBound > offset, !cluster.bytes.isEmpty else { return reached }
    // Inside a cluster, such as a ligature: `reached` is its far side.
    let share = Float(offset - cluster.bytes.lowerBound) / Float(cluster.bytes.count)
    return reached - cluster.advance * (1 - share)
  }

  /// The last byte offset whose leading edge is within `distance` of the run's start in reading direction: the latest position at which a
  /// line of that width could be broken.
  public func offset(atAdvance distance: Float) -> Int {
    if distance >= width { return textRange.upperBound }
    if distance <= 0 { return textRange.lowerBound }
    var low = 0, high = glyphs.count
    if isRightToLeft {
      while low < high {  // finds the first glyph whose right edge, measured from the right, is within the distance
        let middle = (low + high) / 2
        if width - positions[middle] <= distance { high = middle } else { low = middle + 1 }
      }
      return low == 0 ? textRange.upperBound : Int(glyphs[low - 1].cluster)
    }
    while low < high {
      let middle = (low + high) / 2
      if positions[middle + 1] > distance { high = middle } else { low = middle + 1 }
    }
    return low < glyphs.count ? Int(glyphs[low].cluster) : textRange.upperBound
  }

  /// Whether the text can be broken before byte `offset` without reshaping.
  public func isSafeToBreak(before offset: Int) -> Bool {
    if offset <= textRange.lowerBound || offset >= textRange.upperBound { return true }
    let index = isRightToLeft ? firstGlyphIndex(atOrAfter: offset) - 1 : firstGlyphIndex(atOrAfter: offset)
    guard glyphs.indices.contains(index) else { return true }
    return Int(glyphs[index].cluster) == offset && !glyphs[index].isUnsafeToBreak
  }

  /// The first offset at or after `offset` where the run can be broken without reshaping.
  public func nextSafeToBreak(from offset: Int) -> Int {
    if offset >= textRange.upperBound { return textRange.upperBound }
    var index = firstGlyphIndex(atOrAfter: offset)
    if isRightToLeft {
      index -= 1
      while index >= 0, glyphs[index].isUnsafeToBreak { index -= 1 }
      return index >= 0 ? Int(glyphs[index].cluster) : textRange.upperBound
    }
    while index < glyphs.count, glyphs[index].isUnsafeToBreak { index += 1 }
    return index < glyphs.count ? Int(glyphs[index].cluster) : textRange.upperBound
  }

  /// The last offset at or before `offset` where the run can be broken without reshaping.
  public func previousSafeToBreak(from offset: Int) -> Int {
    if offset <= textRange.lowerBound { return textRange.lowerBound }
    if offset >= textRange.upperBound { return textRange.upperBound }
    if isSafeToBreak(before: offset) { return offset }
    var index = firstGlyphIndex(atOrAfter: offset)
    if isRightToLeft {
      while index < glyphs.count, glyphs[index].isUnsafeToBreak { index += 1 }
      return index < glyphs.count ? Int(glyphs[index].cluster) : textRange.lowerBound
    }
    index -= 1
    while index >= 0, glyphs[index].isUnsafeToBreak { index -= 1 }
    return index >= 0 ? Int(glyphs[index].cluster) : textRange.lowerBound
  }

  /// The glyphs of the bytes in `range`, without reshaping: only correct if both ends are safe to break, which `FontContext.line` ensures.
  public func subrun(_ range: Range<Int>) -> ShapedRun {
    let range = range.clamped(to: textRange)
    if range == textRange { return self }
    var result = ShapedRun(
      font: font, textRange: range, isRightToLeft: isRightToLeft, isUpright: isUpright, letterSpacing: letterSpacing,
      wordSpacing: wordSpacing)
    let first = firstGlyphIndex(atOrAfter: range.lowerBound), last = firstGlyphIndex(atOrAfter: range.upperBound)
    let kept = isRightToLeft ? last..<max(last, first) : first..<max(first, last)
    for segment in segments[firstSegment(reaching: kept.lowerBound)...] {
      if segment.glyphs.lowerBound >= kept.upperBound { break }
      let part = segment.glyphs.clamped(to: kept)
      guard !part.isEmpty else { continue }
      let start = result.glyphs.count
      result.glyphs.append(contentsOf: glyphs[part])
      result.segments.append(ShapedSegment(face: segment.face, size: segment.size, glyphs: start..<result.glyphs.count))
    }
    result.updatePositions()
    return result
  }

  /// The first segment with glyphs at or after `glyph`.
  private func firstSegment(reaching glyph: Int) -> Int {
    var low = 0, high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].glyphs.upperBound > glyph { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The faces used for the bytes `start..<end`, with their sizes, in visual order without duplicates.
  public func faces(from start: Int, to end: Int) -> [(face: FaceInstance, size: Float)] {
    let first = firstGlyphIndex(atOrAfter: isRightToLeft ? end : start), last = firstGlyphIndex(atOrAfter: isRightToLeft ? start : end)
    var low = 0, high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].glyphs.upperBound <= first { low = middle + 1 } else { high = middle }
    }
    var result: [(face: FaceInstance, size: Float)] = []
    for segment in segments[low...].prefix(while: { $0.glyphs.lowerBound < last })
    where !result.contains(where: { $0.face === segment.face && $0.size == segment.size }) {
      result.append((segment.face, segment.size))
    }
    return result
  }

  /// Appends the run that follows this one in reading direction.
  mutating func append(_ next: ShapedRun) {
    textRange = textRange.lowerBound..<next.textRange.upperBound
    let (left, right) = isRightToLeft ? (next, self) : (self, next)
    let shift = left.glyphs.count
    glyphs = left.glyphs + right.glyphs
    segments =
      left.segments
      + right.segments.map {
        ShapedSegment(face: $0.face, size: $0.size, glyphs: $0.glyphs.lowerBound + shift..<$0.glyphs.upperBound + shift)
      }
    updatePositions()
  }

  mutating func updatePositions() {
    positions.removeAll(keepingCapacity: true)
    positions.reserveCapacity(glyphs.count + 1)
    positions.append(0)
    var pen = 0.0
    for glyph in glyphs {
      pen += Double(glyph.advance)
      positions.append(Float(pen))
    }
  }

  /// For left-to-right runs, the first glyph of a cluster at or after `offset`; for right-to-left runs, the glyph after the last one. In
  /// both cases its position is that of the boundary.
  private func firstGlyphIndex(atOrAfter offset: Int) -> Int {
    var low = 0, high = glyphs.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore = Int(glyphs[middle].cluster) < offset
      if isBefore != isRightToLeft { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The cluster that begins before `offset` and ends at the glyph boundary after it.
  private func clusterRange(containing offset: Int, boundary: Int) -> (bytes: Range<Int>, advance: Float) {
    var index = isRightToLeft ? boundary : boundary - 1
    guard glyphs.indices.contains(index) else { return (offset..<offset, 0) }
    let start = glyphs[index].cluster
    var advance: Float = 0
    while glyphs.indices.contains(index), glyphs[index].cluster == start {
      advance += glyphs[index].advance
      index += isRightToLeft ? 1 : -1
    }
    let after = isRightToLeft ? boundary - 1 : boundary
    let end = glyphs.indices.contains(after) ? Int(glyphs[after].cluster) : textRange.upperBound
    return (Int(start)..<max(Int(start), end), advance)
  }
}
