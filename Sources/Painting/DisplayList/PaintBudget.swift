import OffprintCoreTypes
import OffprintTypography

/// What all lists of a page may take, and what painters that cannot throw came upon first.
///
/// A box has as many commands as its style has shadows and layers, and a text has its glyphs once for each of its shadows: both are as many as
/// the style sheet says, times the boxes that have them.
final class PaintBudget {
  /// Bytes of display lists, nearly.
  static let limit = 512 << 20
  private static let interval = 1 << 20

  private let deadline: Deadline
  private var bytes = 0
  private var nextLook = interval
  private var work = 0
  private(set) var failure: (any Error)?

  init(_ deadline: Deadline) { self.deadline = deadline }

  func note(_ error: any Error) { failure = failure ?? error }

  /// Of a glyph whose paints may have to be read: the clock is looked at every some hundred glyphs.
  static let glyphWork = interval / 256

  /// Notes `DeadlineExceeded` where work that adds nothing to a list comes too late.
  /// - Parameter bytes: that are made or gone over.
  func spend(work bytes: Int) {
    work &+= bytes
    guard work >= Self.interval else { return }
    work = 0
    do { try deadline.check() } catch { note(error) }
  }

  /// Notes `LimitExceeded` where a path alone is too much.
  func permit(_ path: VectorPath) {
    if path.bytes > Self.limit { note(LimitExceeded(limit: "displayListBytes", allowed: Self.limit)) }
  }

  /// Notes `LimitExceeded` or `DeadlineExceeded` where a command is too much, or too late.
  func spend(_ command: DisplayCommand) {
    bytes &+= command.bytes
    guard bytes >= nextLook else { return }
    nextLook = bytes &+ Self.interval
    if bytes > Self.limit { return note(LimitExceeded(limit: "displayListBytes", allowed: Self.limit)) }
    do { try deadline.check() } catch { note(error) }
  }
}

extension DisplayCommand {
  /// What it takes in a list, with its lists of points, glyphs and so on.
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
