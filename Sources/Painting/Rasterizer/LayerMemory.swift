import Glibc

/// Allocates the memory of layers and masks. All live blocks share one budget. Released blocks are reused, since clearing used pages is
/// cheaper than mapping new ones.
final class LayerMemory {
  /// The budget is exhausted; the band has to be rasterized in smaller pieces.
  struct Exhausted: Error {}

  /// Zeroed memory, returned to its owner when the block is released.
  final class Block {
    let base: UnsafeMutableRawPointer
    fileprivate let capacity: Int
    private let owner: LayerMemory

    fileprivate init(_ base: UnsafeMutableRawPointer, capacity: Int, owner: LayerMemory) {
      self.base = base
      self.capacity = capacity
      self.owner = owner
    }

    deinit { owner.giveBack(base, capacity) }
  }

  private static let maximumSpareLayers = 4
  /// Smaller blocks are left to malloc.
  private static let smallestSpare = 1 << 18
  /// Spare memory kept across renders.
  private static let maximumKept = 32 << 20

  let limit: Int
  private(set) var used = 0
  /// The maximum of `used`.
  private(set) var peak = 0
  private var spare: [(base: UnsafeMutableRawPointer, capacity: Int)] = []

  init(limit: Int) { self.limit = limit }

  deinit { removeSpare() }

  /// - Throws: `Exhausted`.
  func take(_ bytes: Int) throws -> Block {
    guard bytes <= limit - used else { throw Exhausted() }
    if bytes >= Self.smallestSpare, let index = spare.firstIndex(where: { $0.capacity >= bytes && $0.capacity / 2 <= bytes }) {
      let found = spare.remove(at: index)
      memset(found.base, 0, bytes)
      return note(found.base, found.capacity)
    }
    if spare.reduce(used + bytes, { $0 + $1.capacity }) > limit { removeSpare() }
    guard let base = calloc(max(1, bytes), 1) else { throw Exhausted() }
    return note(base, bytes)
  }

  private func note(_ base: UnsafeMutableRawPointer, _ capacity: Int) -> Block {
    used += capacity
    peak = max(peak, used)
    return Block(base, capacity: capacity, owner: self)
  }

  private func giveBack(_ base: UnsafeMutableRawPointer, _ capacity: Int) {
    used -= capacity
    guard capacity >= Self.smallestSpare else { return free(base) }
    spare.append((base, capacity))
    if spare.count > Self.maximumSpareLayers { free(spare.removeFirst().base) }
  }

  /// Frees spare memory beyond `maximumKept` at the end of a render.
  func trim() {
    if spare.reduce(0, { $0 + $1.capacity }) > Self.maximumKept { removeSpare() }
  }

  func removeSpare() {
    for block in spare { free(block.base) }
    spare.removeAll()
  }
}
