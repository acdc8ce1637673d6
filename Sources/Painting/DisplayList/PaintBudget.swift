import OffprintCoreTypes
import OffprintTypography

/// Limits the memory and time of all display lists of a page, and holds the first error of painters that cannot throw.
///
/// The size of a display list is not bounded by the size of the page: a style may have any number of shadows and layers, and each text
/// shadow repeats the glyphs of the text.
final class PaintBudget {
  /// Approximate size of all display lists in bytes.
  static let limit = 512 << 20
  private static let interval = 1 << 20

  private let deadline: Deadline
  private var bytes = 0
  private var nextLook = interval
  private var work = 0
  private(set) var failure: (any Error)?

  init(_ deadline: Deadline) { self.deadline = deadline }

  func note(_ error: any Error) { failure = failure ?? error }

  /// The cost of a glyph whose color paints may have to be read. The deadline is checked once in 256 such glyphs.
  static let glyphWork = interval / 256

  /// Records `DeadlineExceeded` if work that adds nothing to a list exceeds the deadline.
  ///
  /// - Parameter bytes: The amount of data produced or scanned.
  func spend(work bytes: Int) {
    work &+= bytes
    guard work >= Self.interval else { return }
    work = 0
    do { try deadline.check() } catch { note(error) }
  }

  /// Records `LimitExceeded` if the path alone exceeds the limit.
  func permit(_ path: VectorPath) {
    if path.bytes > Self.limit { note(LimitExceeded(limit: "displayListBytes", allowed: Self.limit)) }
  }

  /// Records `LimitExceeded` if the command exceeds the limit, and `DeadlineExceeded` if the time is up.
  func spend(_ command: DisplayCommand) {
    bytes &+= command.bytes
    guard bytes >= nextLook else { return }
    nextLook = bytes &+ Self.interval
    if bytes > Self.limit { return note(LimitExceeded(limit: "displayListBytes", allowed: Self.limit)) }
    do { try deadline.check() } catch { note(error) }
  }
}

extension DisplayCommand {
  /// The memory of the command in a list, including its points, glyphs and filters.
  fileprivate var bytes: Int { MemoryLayout<DisplayItem>.stride &+ partBytes }

  private var partBytes: Int {
    switch self {
    case .fillPath(let path, _), .strokePath(let path, _, _), .pushClip(.path(let path)), .pushClip(.stroke(let path, _)):
      path.bytes
    case .glyphs(let run): run.glyphs.count &* MemoryLayout<GlyphRun.Glyph>.stride
    case .pattern(let pattern): pattern.partBytes
    case .pushGroup(let group): group.filters.count &* MemoryLayout<DisplayFilter>.stride
    default: 0
    }
  }
}

extension VectorPath {
  fileprivate var bytes: Int { elements.count &* MemoryLayout<Element>.stride }
}

extension Pattern {
  fileprivate var partBytes: Int {
    guard case .gradient(let gradient) = source else { return 0 }
    return gradient.stops.count &* MemoryLayout<ResolvedGradient.Stop>.stride
  }
}
