import OffprintCoreTypes
import Glibc
import OffprintImages
import Testing

@Suite struct DecodedImageCacheTests {
  private func file(_ seed: Int, side: Int = 40) throws -> [UInt8] {
    try PNGEncoder.encode(makeBitmap(side, side) { opaque($0 * 5 + seed, $1 * 3, seed) })
  }

  private func decode(_ bytes: [UInt8], _ cache: DecodedImageCache?, limits: Limits = Limits()) throws -> DecodedImage {
    var budget = DecodingBudget(limits: limits, cache: cache)
    return try ImageDecoder.decode(bytes, within: &budget)
  }

  @Test("A cached image equals the decoded one")
  func same() throws {
    let cache = DecodedImageCache()
    for seed in [1, 2, 1, 1, 3, 2] {
      let bytes = try file(seed), cached = try decode(bytes, cache), fresh = try decode(bytes, nil)
      #expect(try bitmap(cached) == bitmap(fresh) && cached.intrinsicWidth == fresh.intrinsicWidth && cached.format == fresh.format)
    }
    #expect(cache.usage.images == 3)
  }

  @Test("Files of the same length that differ in one byte are separate entries")
  func oneByte() throws {
    let cache = DecodedImageCache(),
      header: [UInt8] = [0x42, 0x4d, 154, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 1, 0, 24, 0]
    var bytes = header + [UInt8](repeating: 0, count: 154 + 400 - header.count)
    let first = try bitmap(decode(bytes, cache))
    bytes[80] = 200
    let second = try bitmap(decode(bytes, cache))
    #expect(first != second && cache.usage.images == 2)
    #expect(try bitmap(decode(bytes, nil)) == second)
  }

  @Test(
    "The cache applies the limits of each page: an image above the pixel limit is an error, and a smaller memory limit reduces its resolution"
  )
  func limits() throws {
    let cache = DecodedImageCache(), bytes = try file(7)
    _ = try decode(bytes, cache)
    var strict = Limits()
    strict.decodedPixels = 100
    #expect(throws: ImageError.self) { try decode(bytes, cache, limits: strict) }
    var small = Limits()
    small.decodedBytes = 4000
    #expect(try bitmap(decode(bytes, cache, limits: small)) == bitmap(decode(bytes, nil, limits: small)))
    #expect(try bitmap(decode(bytes, cache)).width == 40)
  }

  @Test("The size of the cache is bounded, the oldest entries are evicted first, and larger images are not stored")
  func bounds() throws {
    let one = DecodedImageCache()
    _ = try decode(file(0), one)
    let cache = DecodedImageCache(maximumBytes: one.usage.bytes * 5 - 1)
    for seed in 0..<9 { _ = try decode(file(seed), cache) }
    #expect(cache.usage.images <= 4 && cache.usage.bytes < one.usage.bytes * 5)
    let before = cache.usage
    _ = try decode(file(1, side: 60), cache)
    #expect(cache.usage == before)
  }

  @Test("A damaged image is not cached, so that each decoding reports the damage")
  func damaged() throws {
    let cache = DecodedImageCache(), bytes = Array(try file(5).dropLast(60))
    #expect(try decode(bytes, cache).isPartial && decode(bytes, cache).isPartial && cache.usage.images == 0)
  }

  @Test("Threads that share the cache get the images that each would decode")
  func threads() async throws {
    let cache = DecodedImageCache(maximumBytes: 60_000), files = try (0..<12).map { try file($0) }
    let expected = try files.map { try bitmap(decode($0, nil)) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for offset in 0..<4 {
        group.addTask {
          try (0..<200).allSatisfy { try bitmap(decode(files[($0 * 5 + offset) % 12], cache)) == expected[($0 * 5 + offset) % 12] }
        }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }
}
