public import OffprintCoreTypes
import Glibc

/// A pixel buffer: `width * height` native-endian words `0xAARRGGBB`, premultiplied by alpha, in contiguous rows, which is Cairo's ARGB32.
/// The memory does not move while the storage exists.
public final class BitmapStorage: @unchecked Sendable {
  public let width: Int
  public let height: Int
  /// `width * height` words; nil if a dimension is 0.
  public let base: UnsafeMutablePointer<UInt32>?

  /// Creates transparent pixels; nil if the size is out of range or memory cannot be allocated.
  init?(width: Int, height: Int) {
    guard width >= 0, height >= 0 else { return nil }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= Int(Int32.max) else { return nil }
    self.width = width
    self.height = height
    guard count > 0 else { base = nil; return }
    guard let memory = calloc(count, MemoryLayout<UInt32>.stride) else { return nil }  // untouched pages cost nothing
    base = memory.bindMemory(to: UInt32.self, capacity: count)
  }

  deinit { free(base) }

  var count: Int { width * height }
  var buffer: UnsafeMutableBufferPointer<UInt32> { UnsafeMutableBufferPointer(start: base, count: base == nil ? 0 : count) }
}

/// An image in memory with value semantics; copies share their pixels until one is changed.
public struct Bitmap: Sendable {
  private var shared: BitmapStorage
  /// How often the image was halved to stay within a limit.
  public internal(set) var halvings = 0

  /// Decodes the image at its full size, if it was decoded at a smaller size because it will probably be painted small.
  public internal(set) var whole: FullResolutionJPEG?

  /// A transparent image; nil if it cannot be allocated.
  public init?(width: Int, height: Int) {
    guard let storage = BitmapStorage(width: width, height: height) else { return nil }
    shared = storage
  }

  /// An image filled with a premultiplied pixel value.
  public init?(width: Int, height: Int, filledWith pixel: UInt32) {
    self.init(width: width, height: height)
    if pixel != 0 { shared.buffer.update(repeating: pixel) }
  }

  /// An image from premultiplied pixels, row by row; nil if their number is not `width * height`.
  public init?(width: Int, height: Int, pixels: [UInt32]) {
    guard let storage = BitmapStorage(width: width, height: height), storage.count == pixels.count else { return nil }
    shared = storage
    _ = storage.buffer.update(from: pixels)
  }

  /// A copy of rows that are `stride` bytes apart, such as those of a Cairo surface.
  public init?(width: Int, height: Int, copying rows: UnsafeRawPointer, stride: Int) {
    guard let storage = BitmapStorage(width: width, height: height), stride / 4 >= width else { return nil }
    shared = storage
    guard let base = storage.base else { return }
    for row in 0..<height { memcpy(base + row * width, rows + row * stride, width * 4) }
  }

  public var width: Int { shared.width }
  public var height: Int { shared.height }
  /// The bytes from one row to the next.
  public var stride: Int { shared.width * 4 }
  public var isEmpty: Bool { shared.base == nil }

  /// The pixel buffer, for callers that retain it while C code reads from it. It must not be written to.
  public var storage: BitmapStorage { shared }

  /// The premultiplied pixel; 0 outside of the image.
  public subscript(x: Int, y: Int) -> UInt32 {
    get { x >= 0 && y >= 0 && x < width && y < height ? shared.buffer[y * width + x] : 0 }
    set {
      guard x >= 0, y >= 0, x < width, y < height else { return }
      makeUnique()
      shared.buffer[y * width + x] = newValue
    }
  }

  /// All pixels, row by row.
  public func withUnsafePixels<R, E: Error>(_ body: (UnsafeBufferPointer<UInt32>) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(shared) {} }
    return try body(UnsafeBufferPointer(shared.buffer))
  }

  public mutating func withUnsafeMutablePixels<R, E: Error>(_ body: (UnsafeMutableBufferPointer<UInt32>) throws(E) -> R) throws(E) -> R {
    makeUnique()
    defer { withExtendedLifetime(shared) {} }
    return try body(shared.buffer)
  }

  public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(shared) {} }
    return try body(UnsafeRawBufferPointer(shared.buffer))
  }

  /// All pixels as an array, row by row.
  public var pixels: [UInt32] { withUnsafePixels { Array($0) } }

  /// Whether all pixels are opaque.
  public var isOpaque: Bool {
    withUnsafePixels { pixels in
      var all: UInt32 = 0xff00_0000
      for pixel in pixels { all &= pixel }
      return all == 0xff00_0000
    }
  }

  private mutating func makeUnique() {
    guard !isKnownUniquelyReferenced(&shared), let copy = BitmapStorage(width: width, height: height) else { return }
    if let target = copy.base, let source = shared.base { memcpy(target, source, shared.count * 4) }
    shared = copy
  }
}

extension Bitmap: Equatable {
  public static func == (a: Bitmap, b: Bitmap) -> Bool {
    guard a.width == b.width, a.height == b.height else { return false }
    return a.withUnsafeBytes { x in
      b.withUnsafeBytes { y in
        guard let first = x.baseAddress, let second = y.baseAddress else { return true }
        return first == second || memcmp(first, second, x.count) == 0
      }
    }
  }
}

extension Color {
  /// The color as a premultiplied pixel.
  public var premultipliedPixel: UInt32 { PixelMath.premultiply(rgba8) }
}

/// Arithmetic on 8-bit components.
enum PixelMath {
  /// a · b / 255, rounded.
  static func multiply(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let product = a &* b &+ 128
    return (product &+ (product >> 8)) >> 8
  }

  static func premultiply(_ color: (r: UInt8, g: UInt8, b: UInt8, a: UInt8)) -> UInt32 {
    let alpha = UInt32(color.a)
    return alpha << 24 | multiply(UInt32(color.r), alpha) << 16 | multiply(UInt32(color.g), alpha) << 8 | multiply(UInt32(color.b), alpha)
  }

  /// The pixel `0xAARRGGBB` without premultiplication, rounded like in Cairo's PNG writer; components greater than alpha are clamped.
  @inline(__always) static func unpremultiply(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    if alpha == 255 { return pixel }
    if alpha == 0 { return 0 }
    let half = alpha / 2
    let red = min(255, ((pixel >> 16 & 255) &* 255 &+ half) / alpha)
    let green = min(255, ((pixel >> 8 & 255) &* 255 &+ half) / alpha)
    let blue = min(255, ((pixel & 255) &* 255 &+ half) / alpha)
    return alpha << 24 | red << 16 | green << 8 | blue
  }
}
