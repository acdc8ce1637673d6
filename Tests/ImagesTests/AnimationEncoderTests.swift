import OffprintCoreTypes
import Testing

@testable import OffprintImages

@Suite struct AnimationEncoderTests {
  /// Frames of rectangles in a few colors, on top of one another.
  private static func frames(_ seed: UInt64, hasAlpha: Bool, colors: Int) throws -> [Bitmap] {
    var noise = Noise(state: seed)
    let (width, height) = (1 + noise.below(40), 1 + noise.below(40))
    var bitmap = try makeBitmap(width, height) { _, _ in hasAlpha ? 0 : 0xffff_ffff }
    return (0..<1 + noise.below(9)).map { _ in
      for _ in 0..<noise.below(4) {
        let color = hasAlpha && noise.below(3) == 0 ? 0 : 0xff00_0000 | UInt32(noise.below(colors)) &* 0x01_9f35
        let (left, top) = (noise.below(width), noise.below(height))
        for y in top..<min(height, top + 1 + noise.below(20)) {
          for x in left..<min(width, left + 1 + noise.below(20)) { bitmap[x, y] = color }
        }
      }
      return bitmap
    }
  }

  private static func encode(_ frames: [Bitmap], _ encoding: ImageEncoding, hasAlpha: Bool) throws -> [UInt8] {
    var encoder = try AnimationEncoder(width: frames[0].width, height: frames[0].height, hasAlpha: hasAlpha, encoding: encoding)
    for frame in frames { try encoder.add(frame, deadline: .never) }
    return try encoder.finish(deadline: .never)
  }

  private static func pixels(_ file: [UInt8], at time: Double) throws -> Bitmap {
    var budget = DecodingBudget(time: .seconds(time))
    return try bitmap(try ImageDecoder.decode(file, within: &budget))
  }

  private static let encodings: [ImageEncoding] = [EncodedImageFormat.apng, .gif, .webp].map { format in
    var encoding = ImageEncoding(format)
    encoding.isLossless = true
    encoding.animate { ($0.framesPerSecond, $0.plays) = (10, 2) }
    return encoding
  }

  @Test("Decoded frames equal the encoded ones, regardless of which areas change", arguments: encodings, [false, true])
  func random(_ encoding: ImageEncoding, hasAlpha: Bool) throws {
    for seed in 1...150 as ClosedRange<UInt64> {
      let frames = try Self.frames(seed, hasAlpha: hasAlpha, colors: 30)
      let file = try Self.encode(frames, encoding, hasAlpha: hasAlpha)
      #expect(EncodedImageFormat(beginningOf: file) == encoding.format)
      for (index, frame) in frames.enumerated() {
        #expect(try Self.pixels(file, at: Double(index) / 10 + 0.001) == frame, "seed \(seed), frame \(index)")
      }
    }
  }

  @Test("A GIF with many colors approximates them by its palettes, with and without dithering", arguments: [false, true])
  func quantized(isDithered: Bool) throws {
    var encoding = ImageEncoding(.gif)
    encoding.animate { $0.isDithered = isDithered }
    let frames = try (0..<4).map { number in
      try makeBitmap(90, 70) { x, y in opaque(x * 2 + number * 9, y * 3, (x + y) / 2) }
    }
    let file = try Self.encode(frames, encoding, hasAlpha: false)
    for (index, frame) in frames.enumerated() {
      #expect(largestDifference(try Self.pixels(file, at: Double(index) / 20 + 0.001), frame) < (isDithered ? 40 : 24))
    }
  }

  @Test("GIF frames with recurring colors share a palette, even if all frames together have too many colors")
  func sharedPalette() throws {
    var encoding = ImageEncoding(.gif)
    encoding.animate { $0.framesPerSecond = 10 }
    // The first frame has 200 colors, each later one 100 of 200 others.
    let frames = try (0..<20).map { number in
      try makeBitmap(20, 20) { x, y in
        let color = number == 0 ? (y * 20 + x) % 200 : 300 + (number % 2) * 100 + (y * 20 + x) % 100
        return 0xff00_0000 | UInt32(color) &* 0x01_9f35 & 0xff_ffff
      }
    }
    let file = try Self.encode(frames, encoding, hasAlpha: false)
    for (index, frame) in frames.enumerated() { #expect(try Self.pixels(file, at: Double(index) / 10 + 0.001) == frame, "frame \(index)") }
    // A palette has 384 bytes or more, and the pixels of a frame about 200.
    #expect(file.count < 8500, "\(file.count)")
  }

  @Test("A moving box costs little per frame")
  func size() throws {
    let frames = try (0..<60).map { number in
      try makeBitmap(420, 200) { x, y in (number * 5..<number * 5 + 60).contains(x) && (100..<160).contains(y) ? 0xffcc_3333 : 0xffee_eeff }
    }
    for encoding in Self.encodings {
      let one = try Self.encode(Array(frames.prefix(1)), encoding, hasAlpha: false).count
      #expect(try Self.encode(frames, encoding, hasAlpha: false).count < one + 59 * 260, "\(encoding.format)")
    }
  }

  @Test("A lossy animated WebP has no remnants of moved content, and frames with few colors are lossless")
  func lossyTraces() throws {
    var encoding = ImageEncoding(.webp)
    encoding.quality = 60
    encoding.animate()
    func frames(_ background: (Int, Int) -> UInt32) throws -> [Bitmap] {
      try (0..<8).map { number in
        try makeBitmap(200, 60) { x, y in
          (number * 20 + 3..<number * 20 + 25).contains(x) && (15..<40).contains(y) ? 0xffcc_0000 : background(x, y)
        }
      }
    }
    let colorful = try frames { x, y in opaque(255 - x / 4, 250 - y / 3, 255 - (x + y) / 6) }
    let file = try Self.encode(colorful, encoding, hasAlpha: false), last = try Self.pixels(file, at: 0.36)
    var worst = 0
    for y in 0..<60 {
      for x in 0..<130 {
        for shift in [0, 8, 16] { worst = max(worst, abs(Int(last[x, y] >> shift & 255) - Int(colorful[7][x, y] >> shift & 255))) }
      }
    }
    #expect(worst <= 6, "\(worst)")
    let flat = try frames { _, _ in 0xffee_eeff }, exact = try Self.encode(flat, encoding, hasAlpha: false)
    #expect(try Self.pixels(exact, at: 0.21) == flat[4])
  }

  @Test("Rounded frame durations add up to the total duration")
  func durations() {
    var animation = AnimationEncoding()
    animation.framesPerSecond = 30
    let shape = AnimationShape(width: 1, height: 1, hasAlpha: false, encoding: ImageEncoding(.gif), animation: animation)
    let each = (0..<30).map { shape.duration($0..<$0 + 1, unitsPerSecond: 100) }
    #expect(each.reduce(0, +) == 100 && Set(each) == [3, 4])
    #expect(shape.duration(0..<30, unitsPerSecond: 1000) == 1000)
  }

  @Test("Encoding stops at the deadline", arguments: encodings)
  func deadline(_ encoding: ImageEncoding) throws {
    var noise = Noise()
    let frame = try makeBitmap(300, 300) { _, _ in noise.next() | 0xff00_0000 }
    let error = #expect(throws: ImageError.self) {
      var encoder = try AnimationEncoder(width: 300, height: 300, hasAlpha: false, encoding: encoding)
      try encoder.add(frame, deadline: Deadline(after: .zero))
      _ = try encoder.finish(deadline: Deadline(after: .zero))
    }
    #expect(error?.code == .timedOut)
  }
}
