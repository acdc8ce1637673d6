import OffprintCoreTypes

/// How much cairo will write for one page, in points of paths. A clip is written again each time that something is drawn in another clip than
/// what was drawn before it, so nested clips multiply what is drawn in them.
struct PageSize {
  private(set) var points = 0
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
}

extension VectorPath {
  /// Nearly: a line has one point, a curve three.
  var pointCount: Int { 2 * elements.count }
}
