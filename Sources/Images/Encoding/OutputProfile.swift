/// The ICC profile of an output image: an RGB profile with three primaries and curves, so that pixels can be converted individually.
/// https://www.color.org/specification/ICC.1-2022-05.pdf
public struct OutputProfile: Hashable, Sendable {
  /// The contents of the profile's file.
  public let bytes: [UInt8]
  private static let largest = 4 << 20

  /// - Throws: `profileInvalid` if it is not such a profile.
  public init(_ bytes: [UInt8]) throws(ImageError) {
    let reader = ByteReader(bytes: bytes)
    guard bytes.count >= 132, reader.hasASCII("acsp", at: 36) else { throw ImageError(.profileInvalid, "It is not an ICC profile.") }
    guard reader.big32(0) == bytes.count, bytes.count <= Self.largest else {
      throw ImageError(.profileInvalid, "The ICC profile is truncated, or larger than 4 MiB.")
    }
    guard ColorProfile(whole: bytes)?.inverse != nil else {
      throw ImageError(
        .profileInvalid,
        "The ICC profile is not an RGB profile with three primaries and curves, such as sRGB, Display P3 or Adobe RGB."
      )
    }
    self.bytes = bytes
  }

  /// Nil if the profile is nearly equal to sRGB.
  var conversion: ProfileConversion? { ColorProfile(icc: bytes)?.inverse }
}

/// Converts from sRGB to a profile.
struct ProfileConversion {
  private let light: [Float]
  private let matrix: [SIMD3<Float>]
  private let curves: [[Float]]

  /// - Parameters:
  ///   - light: The linear value of each byte of sRGB.
  ///   - matrix: The matrix from linear sRGB to the profile's linear values.
  ///   - curves: The linear value of each byte of the profile, by channel.
  init(light: [Float], matrix: [SIMD3<Float>], curves: [[Float]]) {
    self.light = light; self.matrix = matrix; self.curves = curves
  }

  /// Converts rows of premultiplied pixels.
  /// - Parameter overWhite: For formats without alpha: blends with white in sRGB, as on the screen, before converting.
  func convert(_ rows: UnsafeBufferPointer<UInt32>, overWhite: Bool) -> [UInt32] {
    var (last, result): (UInt32, UInt32) = (0, overWhite ? convert(.max) : 0)
    return rows.map { pixel in
      if pixel != last { (last, result) = (pixel, convert(overWhite ? Self.overWhite(pixel) : pixel)) }
      return result
    }
  }

  private static func overWhite(_ pixel: UInt32) -> UInt32 {
    let white = 255 - (pixel >> 24)
    func channel(_ shift: UInt32) -> UInt32 { min(255, (pixel >> shift & 255) + white) << shift }
    return 0xff00_0000 | channel(16) | channel(8) | channel(0)
  }

  private func convert(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha > 0 else { return 0 }
    func straight(_ value: UInt32) -> Float { light[Int(min(255, alpha == 255 ? value : (value * 255 + alpha / 2) / alpha))] }
    let color = SIMD3(straight(pixel >> 16 & 255), straight(pixel >> 8 & 255), straight(pixel & 255))
    func byte(_ channel: Int) -> UInt32 {
      let value = Self.place(of: (matrix[channel] * color).sum(), in: curves[channel])
      return alpha == 255 ? value : (value * alpha + 127) / 255
    }
    return alpha << 24 | byte(0) << 16 | byte(1) << 8 | byte(2)
  }

  /// The byte with the nearest linear value; curves are increasing.
  private static func place(of value: Float, in curve: [Float]) -> UInt32 {
    var low = 0, high = 255
    while low < high {
      let middle = (low + high) / 2
      if curve[middle] < value { low = middle + 1 } else { high = middle }
    }
    return UInt32(low > 0 && value - curve[low - 1] < curve[low] - value ? low - 1 : low)
  }
}
