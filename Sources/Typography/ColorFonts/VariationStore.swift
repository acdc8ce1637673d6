/// The item variation store of a table: how its numbers vary along the axes of a font. All values read are checked, since the table is
/// untrusted.
///
/// https://learn.microsoft.com/typography/opentype/spec/otvarcommonformats#item-variation-store
struct VariationStore {
  private let reader: SFNTReader
  private let table: Range<Int>
  private let store: Int
  /// The offset of the index map, or 0 without one. Indexes then refer to the store directly.
  private let map: Int
  /// The instance's normalized axis coordinates, -1 to 1.
  private let coordinates: [Double]
  private static let none = 0xffff_ffff
  private static let maximumRegions = 4096
  private static let maximumAxes = 64

  /// Nil if nothing varies.
  /// - Parameters:
  ///   - store: The offset from the table's start.
  ///   - map: The offset of the index map from the table's start.
  init?(_ reader: SFNTReader, _ table: Range<Int>, store: Int, map: Int, _ coordinates: [Double]) {
    guard store > 0, store < table.count, map < table.count, coordinates.contains(where: { $0 != 0 }) else { return nil }
    self.reader = reader
    self.table = table
    self.store = table.lowerBound + store
    self.map = map > 0 ? table.lowerBound + map : 0
    self.coordinates = coordinates
  }

  private func u8(_ offset: Int) -> Int { table.contains(offset) ? reader.u8(offset) : 0 }
  private func u16(_ offset: Int) -> Int { table.contains(offset) && table.contains(offset + 1) ? reader.u16(offset) : 0 }
  private func u32(_ offset: Int) -> Int { table.contains(offset) && table.contains(offset + 3) ? reader.u32(offset) : 0 }
  private func i8(_ offset: Int) -> Double { Double(Int8(truncatingIfNeeded: u8(offset))) }
  private func i16(_ offset: Int) -> Double { Double(Int16(truncatingIfNeeded: u16(offset))) }
  private func i32(_ offset: Int) -> Double { Double(Int32(truncatingIfNeeded: u32(offset))) }

  /// The cost (`ColorSteps`) of summing a number's deltas, each of which is multiplied by one factor per axis.
  func cost(_ base: Int, _ number: Int) -> Int {
    guard base != Self.none, let (outer, _) = place(base + number), outer < u16(store + 6) else { return 1 }
    let regions = min(u16(store + u32(store + 8 + 4 * outer) + 4), Self.maximumRegions),
      axes = min(u16(store + u32(store + 2)), Self.maximumAxes)
    return 1 + regions * axes / 8
  }

  /// The delta of a number, in its own units.
  func delta(_ base: Int, _ number: Int) -> Double {
    guard base != Self.none, let (outer, inner) = place(base + number), outer < u16(store + 6) else { return 0 }
    let data = store + u32(store + 8 + 4 * outer)
    let words = u16(data + 2) & 0x7fff, isLong = u16(data + 2) & 0x8000 != 0, regions = u16(data + 4)
    guard inner < u16(data), words <= regions, regions <= Self.maximumRegions else { return 0 }
    let (wide, narrow) = isLong ? (4, 2) : (2, 1)
    let row = data + 6 + 2 * regions + inner * (words * wide + (regions - words) * narrow)
    var result = 0.0
    for index in 0..<regions {
      let scalar = scalar(u16(data + 6 + 2 * index))
      guard scalar != 0 else { continue }
      let place = row + (index < words ? index * wide : words * wide + (index - words) * narrow)
      let value = index < words ? (isLong ? i32(place) : i16(place)) : isLong ? i16(place) : i8(place)
      result += scalar * value
    }
    return result
  }

  /// https://learn.microsoft.com/typography/opentype/spec/otvarcommonformats#associating-target-items-to-variation-data
  private func place(_ index: Int) -> (outer: Int, inner: Int)? {
    guard map > 0 else { return (index >> 16, index & 0xffff) }
    let isWide = u8(map) == 1, format = u8(map + 1), count = isWide ? u32(map + 2) : u16(map + 2)
    guard count > 0 else { return nil }
    let size = (format >> 4 & 3) + 1, bits = format & 15 + 1
    let entry = map + (isWide ? 6 : 4) + min(index, count - 1) * size
    let value = (0..<size).reduce(0) { $0 << 8 | u8(entry + $1) }
    return (value >> bits, value & (1 << bits - 1))
  }

  /// The scalar of a region for the instance.
  /// https://learn.microsoft.com/typography/opentype/spec/otvaroverview#algorithm-for-interpolation-of-instance-values
  private func scalar(_ region: Int) -> Double {
    let list = store + u32(store + 2), axes = u16(list)
    guard region < u16(list + 2) else { return 0 }
    var result = 1.0
    for axis in 0..<min(axes, Self.maximumAxes) {
      let place = list + 4 + (region * axes + axis) * 6
      let start = i16(place) / 16384, peak = i16(place + 2) / 16384, end = i16(place + 4) / 16384
      let at = axis < coordinates.count ? coordinates[axis] : 0
      if start > peak || peak > end || (start < 0 && end > 0 && peak != 0) || peak == 0 || at == peak { continue }
      if at <= start || at >= end { return 0 }
      result *= at < peak ? (at - start) / (peak - start) : (end - at) / (end - peak)
    }
    return result
  }
}
