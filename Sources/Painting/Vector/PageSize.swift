import OffprintCoreTypes

/// The estimated amount of data that cairo writes for a page, in path points. A clip is written again whenever the clip changes between two
/// drawing operations, so nested clips multiply the size of their contents.
struct PageSize {
  private(set) var points = 0
  /// The total number of lines in which strokes are measured (`StrokeMeasure`).
  private(set) var lines = 0.0
  /// For each open clip, its points plus those of the clips around it.
  private var clips: [Int] = []
  private var writtenClips: Int?

  mutating func open(clip points: Int) { clips.append((clips.last ?? 0) &+ points) }
  mutating func closeClip() {
    _ = clips.popLast()
    writtenClips = nil
  }

  /// - Parameter count: Points of a path that is filled or stroked, or the equivalent amount of other data.
  mutating func add(_ count: Int) {
    points &+= count
    if let current = clips.last, writtenClips != clips.count {
      points &+= current
      writtenClips = clips.count
    }
  }

  mutating func add(_ stroke: StrokeMeasure) { lines += stroke.lines }

  /// The estimated time of cairo's final, uninterruptible pass. For a PDF, cairo measures a whole page before it writes the first byte,
  /// each stroke several times; an SVG is completely built in memory before its first byte, with images encoded as PNG.
  ///
  /// - Parameter pixels: The number of pixels in all images.
  func seconds(_ format: Painter.DocumentFormat, pixels: Int) -> Double {
    switch format {
    case .pdf: Double(points) * 1.5e-7 + lines * 9e-7
    case .svg: Double(points) * 6e-7 + lines * 3e-7 + Double(pixels) * 4e-8
    }
  }
}

extension VectorPath {
  /// Approximate: a line has one point, a curve three.
  var pointCount: Int { 2 * elements.count }
}
