import OffprintCoreTypes
import OffprintImages

/// Resamples images as Chromium does: picks the smallest mipmap that is not smaller than the target, then interpolates bilinearly.
struct ImageSampler {
  let bitmap: Bitmap
  let smooth: Bool
  /// The visible part, in pixels of the bitmap.
  let source: DisplayRect
  let tile: DisplayRect
  let periodX: Double
  let periodY: Double
  /// Whether adjacent tiles are interpolated at their common edge.
  let wraps: Bool

  /// Two neighboring pixels and the weight of the second in units of 1/256. `first` is -1 in the gaps between tiles.
  fileprivate struct Tap {
    var first: Int32
    var second: Int32
    var weight: UInt32
  }

  init(
    _ bitmap: Bitmap, smooth: Bool, sourceRect: DisplayRect, tile: DisplayRect, periodX: Double, periodY: Double, wraps: Bool = false
  ) {
    self.wraps = wraps && periodX == tile.width && periodY == tile.height
    self.bitmap = bitmap
    self.smooth = smooth
    self.tile = tile
    self.periodX = periodX
    self.periodY = periodY
    source = DisplayRect(
      x: sourceRect.x * Double(bitmap.width), y: sourceRect.y * Double(bitmap.height), width: sourceRect.width * Double(bitmap.width),
      height: sourceRect.height * Double(bitmap.height))
  }

  private func tap(_ value: Double, origin: Double, size: Double, period: Double, start: Double, length: Double, limit: Int) -> Tap {
    var u = value - origin
    if period > 0 { u -= (u / period).rounded(.down) * period }
    guard u >= 0, u < size, limit > 0 else {
      // Outside of a single tile its edge pixels are repeated; the area limits what is painted.
      guard period <= 0 else { return Tap(first: -1, second: -1, weight: 0) }
      u = min(max(u, 0), size)
      return tap(at: start + u / size * length, start: start, length: length, limit: limit)
    }
    return tap(at: start + u / size * length, start: start, length: length, limit: limit)
  }

  private func tap(at position: Double, start: Double, length: Double, limit: Int) -> Tap {
    guard position.isFinite, limit > 0 else { return Tap(first: -1, second: -1, weight: 0) }
    let low = max(0, min(limit - 1, Int(max(-1e9, min(1e9, (start + 1e-6).rounded(.down))))))
    let high = max(low, min(limit - 1, Int(max(-1e9, min(1e9, (start + length - 1e-6).rounded(.down))))))
    func clamp(_ v: Double) -> Int {
      if wraps, v < Double(low) { return high }
      if wraps, v > Double(high) { return low }
      return max(low, min(high, Int(max(-1e9, min(1e9, v)))))
    }
    if !smooth {
      let index = Int32(clamp((position + 1e-9).rounded(.down)))
      return Tap(first: index, second: index, weight: 0)
    }
    let middle = position - 0.5, below = middle.rounded(.down)
    let weight = UInt32(((middle - below) * 256).rounded())
    return Tap(first: Int32(clamp(below)), second: Int32(clamp(below + 1)), weight: weight)
  }

  private func column(_ x: Double) -> Tap {
    tap(x, origin: tile.x, size: tile.width, period: periodX, start: source.x, length: source.width, limit: bitmap.width)
  }
  private func row(_ y: Double) -> Tap {
    tap(y, origin: tile.y, size: tile.height, period: periodY, start: source.y, length: source.height, limit: bitmap.height)
  }

  /// The samples of the columns `x..<x + count`, reused for many rows.
  struct Columns {
    fileprivate var taps: [Tap]
    fileprivate var isPlain: Bool
  }
  func columns(x: Int, count: Int, offset: Double) -> Columns {
    let taps = (0..<count).map { column(Double(x + $0) + 0.5 - offset) }
    return Columns(taps: taps, isPlain: taps.allSatisfy { $0.weight == 0 || $0.weight == 256 })
  }

  func fill(_ out: UnsafeMutablePointer<UInt32>, _ columns: Columns, y: Double) {
    let vertical = row(y)
    let count = columns.taps.count
    guard vertical.first >= 0 else { return out.update(repeating: 0, count: count) }
    bitmap.withUnsafePixels { pixels in
      guard let base = pixels.baseAddress else { return }
      columns.taps.withUnsafeBufferPointer { taps in
        let a = base + Int(vertical.weight == 256 ? vertical.second : vertical.first) * bitmap.width
        let b = base + Int(vertical.second) * bitmap.width
        let isRowPlain = vertical.weight == 0 || vertical.weight == 256
        if isRowPlain && columns.isPlain {
          for i in 0..<count {
            let tap = taps[i]
            out[i] = tap.first < 0 ? 0 : a[Int(tap.weight == 256 ? tap.second : tap.first)]
          }
          return
        }
        for i in 0..<count {
          let tap = taps[i]
          if tap.first < 0 { out[i] = 0; continue }
          let top = mixPixels(a[Int(tap.first)], a[Int(tap.second)], tap.weight)
          out[i] = isRowPlain ? top : mixPixels(top, mixPixels(b[Int(tap.first)], b[Int(tap.second)], tap.weight), vertical.weight)
        }
      }
    }
  }

  /// A single pixel, for rotated images.
  func pixel(_ p: DisplayPoint) -> UInt32 {
    let h = column(p.x), v = row(p.y)
    guard h.first >= 0, v.first >= 0 else { return 0 }
    return bitmap.withUnsafePixels { pixels in
      func at(_ x: Int32, _ y: Int32) -> UInt32 { pixels[Int(y) * bitmap.width + Int(x)] }
      return mixPixels(
        mixPixels(at(h.first, v.first), at(h.second, v.first), h.weight),
        mixPixels(at(h.first, v.second), at(h.second, v.second), h.weight), v.weight)
    }
  }
}

/// Mipmaps: images halved repeatedly. They are kept across renders up to a size limit, since an image that is decoded once keeps its storage.
final class MipmapCache {
  private struct Key: Hashable {
    var storage: ObjectIdentifier
    var level: Int
  }
  /// Each entry retains its full-size image: the key identifies that image's storage, which must not be reused for another one.
  private var levels: [Key: (half: Bitmap, whole: Bitmap)] = [:]

  private var byteCount = 0
  private static let maximumKept = 32 << 20

  /// Evicts everything at the end of a render if the cache exceeds its limit.
  func trim() {
    guard byteCount > Self.maximumKept else { return }
    levels.removeAll()
    byteCount = 0
  }

  /// Returns `bitmap` halved as often as possible, to at least `1 / ratio` of its size on both axes.
  func bitmap(_ bitmap: Bitmap, ratioX: Double, ratioY: Double, _ meter: WorkMeter) throws -> Bitmap {
    let ratio = min(ratioX, ratioY)
    guard ratio >= 2, ratio.isFinite else { return bitmap }
    var level = 0, reached = 2.0, result = bitmap
    while reached <= ratio * 1.0001, level < 15, result.width > 1 || result.height > 1 {
      level += 1
      reached *= 2
      let key = Key(storage: ObjectIdentifier(bitmap.storage), level: level)
      if let known = levels[key]?.half {
        result = known
      } else {
        try meter.spend(result.width * result.height)
        guard let half = result.halved() else { return result }
        levels[key] = (half, bitmap)
        byteCount += half.stride * half.height + (level == 1 ? bitmap.stride * bitmap.height : 0)
        result = half
      }
    }
    return result
  }
}
