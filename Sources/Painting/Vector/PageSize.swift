import OffprintCoreTypes

/// How much cairo will write for one page, in points of paths. A clip is written again each time that something is drawn in another clip than
/// what was drawn before it, so nested clips multiply what is drawn in them.
struct PageSize {
  private(set) var points = 0
  /// As which strokes are measured (`StrokeMeasure`).
  private(set) var lines = 0.0
  /// Points of each open clip and of those around it.
  private var clips: [Int] = []
  private var writtenClips: Int?

  mutating func open(clip points: Int) { clips.append((clips.last ?? 0) &+ points) }
  mutating func closeClip() {
    _ = clips.popLast()
    writtenClips = nil
  }

  /// - Parameter count: points of a path that is filled or stroked, or as many as take the same room.
  mutating func add(_ count: Int) {
    points &+= count
    if let current = clips.last, writtenClips != clips.count {
      points &+= current
      writtenClips = clips.count
    }
  }

  mutating func add(_ stroke: StrokeMeasure) { lines += stroke.lines }

  /// Nearly, for how long cairo cannot be stopped once all is recorded. It measures all of a PDF's page before it writes the first byte, each
  /// stroke several times; an SVG is complete in memory before its first byte, with its images as PNG.
  ///
  /// - Parameter pixels: of images.
  func seconds(_ format: Painter.DocumentFormat, pixels: Int) -> Double {
    switch format {
    case .pdf: Double(points) * 1.5e-7 + lines * 9e-7
    case .svg: Double(points) * 6e-7 + lines * 3e-7 + Double(pixels) * 4e-8
    }
  }
}

extension VectorPath {
  /// Nearly: a line has one point, a curve three.
  var pointCount: Int { 2 * elements.count }
}
