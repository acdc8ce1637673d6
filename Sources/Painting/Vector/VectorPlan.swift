import OffprintCSS
import OffprintCoreTypes

/// Decides which items of a display list are written as vectors and which as images.
struct VectorPlan {
  enum Representation: UInt8 {
    /// As vectors.
    case drawn
    /// This item and its contents are rasterized.
    case raster
    /// Everything up to the end of this item is rasterized, since it modifies the content below it.
    case flattened
  }
  /// Maximum nesting of clips around vector content, since clips are rewritten for nearly every item inside.
  private static let deepestClip = 64
  private let blends: Bool
  private(set) var representations: [Representation]
  /// Groups that have to be composited separately before they are drawn onto the content below.
  private(set) var isIsolated: Set<Int> = []

  /// - Parameter blends: Whether the format supports blend modes of groups.
  init(_ list: DisplayList, blends: Bool) {
    self.blends = blends
    representations = Array(repeating: .drawn, count: list.items.count)
    // Groups with effects of their own.
    var groups: [Int] = []
    var isOpaque: [Bool] = [], all: [Int] = [], clips = 0
    for (index, item) in list.items.enumerated() {
      switch item.command {
      case .pushGroup(let group):
        enter(group, index, inside: groups, all)
        all.append(index)
        isOpaque.append(!group.isPlain || group.opacity < 1 || group.projection != nil)
        if isOpaque.last == true { groups.append(index) }
      case .popGroup:
        _ = all.popLast()
        if isOpaque.popLast() == true { groups.removeLast() }
      case .backdrop: representations[groups.first ?? index] = .flattened
      case .shadow(let shadow): if shadow.sigma > 0 { representations[index] = .raster }
      case .pattern(let pattern): if !Self.isVector(pattern) { representations[index] = .raster }
      case .pushClip(let shape):
        clips += 1
        if case .stroke = shape { representations[index] = .raster }
        if clips > Self.deepestClip { representations[index] = .raster }
      case .popClip: clips -= 1
      case .glyphs(let run): if run.face.face.info.hasColor { representations[index] = .raster }
      default: break
      }
    }
  }

  private mutating func enter(_ group: Group, _ index: Int, inside groups: [Int], _ all: [Int]) {
    if group.hasBackdrop { return representations[groups.first ?? index] = .flattened }
    switch group.operation {
    case .blend(.plusLighter): representations[groups.first ?? index] = .flattened
    case .blend(let mode) where mode != .normal && !blends: representations[groups.first ?? index] = .flattened
    case .blend(let mode):
      if mode != .normal, let outer = all.last { isIsolated.insert(outer) }
      if !group.filters.isEmpty || group.projection != nil { representations[index] = mode == .normal ? .raster : .flattened }
    // Masks affect the enclosing group.
    case .mask, .source, .inside, .outside, .xor:
      if let outer = all.last {
        if representations[outer] == .drawn { representations[outer] = .raster }
      } else {
        representations[index] = .flattened
      }
    }
  }

  private static func isVector(_ pattern: Pattern) -> Bool {
    let isTiled = pattern.periodX > 0 || pattern.periodY > 0
    switch pattern.source {
    case .bitmap, .vector: return !isTiled || tiles(of: pattern) <= 1000
    case .list: return false
    case .gradient(let gradient):
      if case .conic = gradient.geometry { return false }
      return !isTiled
    }
  }

  private static func tiles(of pattern: Pattern) -> Double {
    let area = pattern.area.rect
    return (pattern.periodX > 0 ? area.width / pattern.periodX + 2 : 1) * (pattern.periodY > 0 ? area.height / pattern.periodY + 2 : 1)
  }
}
