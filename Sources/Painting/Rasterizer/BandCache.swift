import OffprintImages

/// Shadows, gradients and rendered images reused across the bands of a list, up to a size limit. Beyond it, each band recreates them.
struct BandCache {
  private static let maximumBytes = 96 << 20

  private var shadows: [Int: ShadowMask] = [:]
  private var gradients: [Int: GradientSampler] = [:]
  private var bitmaps: [Int: Bitmap] = [:]
  private var wholes: [(source: FullResolutionJPEG, bitmap: Bitmap)] = []
  /// Items whose image failed to render; other bands do not retry.
  var failed: Set<Int> = []
  private var bytes = 0

  func shadow(_ index: Int) -> ShadowMask? { shadows[index] }
  func gradient(_ index: Int) -> GradientSampler? { gradients[index] }
  func bitmap(_ index: Int) -> Bitmap? { bitmaps[index] }

  func bitmap(_ source: FullResolutionJPEG) -> Bitmap? { wholes.first { $0.source == source }?.bitmap }

  mutating func keep(_ bitmap: Bitmap, _ source: FullResolutionJPEG) {
    if has(room: bitmap.stride * bitmap.height) { wholes.append((source, bitmap)) }
  }
  mutating func keep(_ shadow: ShadowMask, _ index: Int) { if has(room: 256 + shadow.byteCount) { shadows[index] = shadow } }
  mutating func keep(_ gradient: GradientSampler, _ index: Int) { if has(room: GradientSampler.byteCount) { gradients[index] = gradient } }
  mutating func keep(_ bitmap: Bitmap, _ index: Int) { if has(room: bitmap.stride * bitmap.height) { bitmaps[index] = bitmap } }

  private mutating func has(room count: Int) -> Bool {
    guard bytes + count <= Self.maximumBytes else { return false }
    bytes += count
    return true
  }
}

/// A least-recently-used cache of results that are expensive to compute, keyed by all of their inputs. Pixels do not depend on its contents.
struct RecentEntries<Key: Equatable, Value> {
  private static var maximumBytes: Int { 4 << 20 }
  private static var maximumEntries: Int { 32 }

  /// Ordered by last use, the most recent last.
  private var entries: [(key: Key, value: Value, byteCount: Int)] = []
  private var byteCount = 0

  mutating func value(_ key: Key) -> Value? {
    guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
    if index != entries.count - 1 { entries.append(entries.remove(at: index)) }
    return entries.last?.value
  }

  /// A value larger than a quarter of the capacity is not stored.
  mutating func keep(_ value: Value, _ key: Key, byteCount count: Int) {
    let count = count + 256
    guard count <= Self.maximumBytes / 4 else { return }
    while entries.count >= Self.maximumEntries || byteCount + count > Self.maximumBytes, !entries.isEmpty {
      byteCount -= entries.removeFirst().byteCount
    }
    byteCount += count
    entries.append((key, value, count))
  }
}
