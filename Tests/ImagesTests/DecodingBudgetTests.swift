import OffprintCoreTypes
import OffprintImages
import Testing

@Suite("Decoding budget and deadline") struct DecodingBudgetTests {
  private func budget(bytes: Int, deadline: Deadline = .never) -> DecodingBudget {
    var limits = Limits()
    limits.decodedBytes = bytes
    return DecodingBudget(limits: limits, deadline: deadline)
  }

  @Test("Images above the budget are stored at a half, a quarter, … of their resolution, and the total stays within the budget")
  func halved() throws {
    let file = try PNGEncoder.encode(makeBitmap(64, 64) { x, y in opaque(x * 4, y * 4, 0) })
    var budget = budget(bytes: 40_000)
    var sides: [Int] = []
    for _ in 0..<12 {
      let image = try ImageDecoder.decode(file, within: &budget)
      let bitmap = try bitmap(image)
      sides.append(bitmap.width)
      #expect(64 >> bitmap.halvings == bitmap.width && image.intrinsicWidth == 64)
    }
    #expect(sides[0] == 64 && sides[1] < 64 && budget.used <= 40_000)
    #expect(sides.allSatisfy { $0 >= 8 })
  }

  @Test("Each pixel of a halved image is the mean of four")
  func meanOfFour() throws {
    let colors = [opaque(0, 0, 0), opaque(40, 0, 0), opaque(80, 4, 0), opaque(120, 4, 255)]
    let file = try PNGEncoder.encode(makeBitmap(2, 2) { x, y in colors[y * 2 + x] })
    var budget = budget(bytes: 16)
    #expect(try bitmap(ImageDecoder.decode(file, within: &budget)).pixels == [opaque(60, 2, 64)])
  }

  @Test("Decoding any format fails after the deadline")
  func deadline() throws {
    let png = try PNGEncoder.encode(makeBitmap(9, 9) { opaque($0, $1, 0) })
    for file in [png] + Fixtures.all {
      var budget = budget(bytes: 1 << 20, deadline: Deadline(after: .zero))
      #expect { try ImageDecoder.decode(file, within: &budget) } throws: { ($0 as? ImageError)?.code == .timedOut }
    }
  }

  /// The error of encoding an image.
  private func problem(_ encoder: consuming PNGEncoder, _ deadline: Deadline) -> ImageError.Code? {
    do throws(ImageError) {
      _ = try encoder.finish(deadline: deadline)
      return nil
    } catch { return error.code }
  }

  @Test("Encoding fails after the deadline")
  func deadlineOfWriting() throws {
    #expect(problem(try PNGEncoder(width: 100, height: 100), Deadline(after: .zero)) == .timedOut)
    #expect(problem(try PNGEncoder(width: 100, height: 100), Deadline(after: .seconds(60))) == nil)
  }

  @Test("Compressing a large image is abandoned at the deadline")
  func deadlineWhileWriting() throws {
    var encoder = try PNGEncoder(width: 4000, height: 3000, options: .init(compression: .small)), noise = Noise()
    let row = (0..<4000).map { _ in 0xff00_0000 | noise.next() & 0xff_ffff }
    for _ in 0..<3000 { row.withUnsafeBufferPointer { encoder.append(rows: $0) } }
    #expect(problem(encoder, Deadline(after: .milliseconds(1))) == .timedOut)
  }
}
