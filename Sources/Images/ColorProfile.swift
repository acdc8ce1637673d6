import OffprintCoreTypes
import Glibc
internal import COffprintCodecs

/// The color space of an image that is not sRGB: an ICC profile with three primaries and curves, or a PNG's gamma.
///
/// https://www.color.org/specification/ICC.1-2022-05.pdf
struct ColorProfile {
  /// The linear value of each byte, by channel.
  private var curves: [[Float]]
  /// The rows for red, green and blue of linear sRGB.
  private var matrix: [SIMD3<Float>]

  /// Nil if the profile is of another kind, damaged, or nearly equal to sRGB.
  init?(icc bytes: [UInt8]) {
    self.init(whole: bytes)
    if isAlmostSRGB { return nil }
  }

  /// Also accepts profiles that are nearly equal to sRGB.
  init?(whole bytes: [UInt8]) {
    let reader = ByteReader(bytes: bytes)
    guard reader.hasASCII("RGB ", at: 16), reader.hasASCII("acsp", at: 36), let count = reader.big32(128), count <= 200 else { return nil }
    var tags: [ByteString: Int] = [:]
    for index in 0..<count {
      let entry = 132 + 12 * index
      guard let offset = reader.big32(entry + 4), entry + 4 <= bytes.count else { return nil }
      tags[String(decoding: bytes[entry..<entry + 4], as: UTF8.self)] = offset
    }
    var columns: [SIMD3<Float>] = []
    curves = []
    for channel in ["r", "g", "b"] {
      guard let at = tags[channel + "XYZ"], let color = Self.xyz(reader, at), let curveAt = tags[channel + "TRC"],
        let curve = Self.curve(reader, curveAt)
      else { return nil }
      columns.append(color)
      curves.append(curve)
    }
    matrix = Self.fromXYZ.map { row in SIMD3((row * columns[0]).sum(), (row * columns[1]).sum(), (row * columns[2]).sum()) }
  }

  /// The conversion from sRGB; nil if the primaries are collinear, or a curve is not increasing.
  var inverse: ProfileConversion? {
    let (a, b, c) = (matrix[0], matrix[1], matrix[2])
    func cross(_ u: SIMD3<Float>, _ v: SIMD3<Float>) -> SIMD3<Float> {
      SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
    }
    let columns = [cross(b, c), cross(c, a), cross(a, b)], determinant = (a * columns[0]).sum()
    guard abs(determinant) > 1e-6, curves.allSatisfy({ curve in zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 } }) else { return nil }
    let rows = (0..<3).map { row in SIMD3(columns[0][row], columns[1][row], columns[2][row]) / determinant }
    let light = (0..<256).map { byte -> Float in
      let value = Float(byte) / 255
      return value <= 0.040_45 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }
    return ProfileConversion(light: light, matrix: rows, curves: curves)
  }

  /// - Parameter gamma: The gamma in the file as PNG defines it: 0.45455 for displays.
  init?(gamma: Double) {
    guard gamma > 0.01, gamma < 10, abs(1 / gamma - 2.2) > 0.05 else { return nil }
    let curve = (0..<256).map { powf(Float($0) / 255, Float(1 / gamma)) }
    curves = [curve, curve, curve]
    matrix = [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
  }

  /// Wide-gamut primaries by their code points. https://www.itu.int/rec/T-REC-H.273
  ///
  /// Nil for sRGB, and for everything that is treated as sRGB, including high dynamic range (16, 18).
  init?(primaries: Int, transfer: Int) {
    switch primaries {
    case 9:
      matrix = [
        SIMD3(1.660_491, -0.587_641, -0.072_850), SIMD3(-0.124_550, 1.132_900, -0.008_349), SIMD3(-0.018_151, -0.100_579, 1.118_730),
      ]
    case 12:
      matrix = [SIMD3(1.224_940, -0.224_940, 0), SIMD3(-0.042_057, 1.042_057, 0), SIMD3(-0.019_638, -0.078_636, 1.098_274)]
    default: return nil
    }
    guard transfer != 16, transfer != 18 else { return nil }
    let curve = (0..<256).map { byte -> Float in
      let value = Float(byte) / 255
      switch transfer {
      case 4: return powf(value, 2.2)
      case 5: return powf(value, 2.8)
      case 8: return value
      default: return value <= 0.040_45 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
      }
    }
    curves = [curve, curve, curve]
  }

  /// D50 to linear sRGB.
  private static let fromXYZ = [
    SIMD3<Float>(3.133_856, -1.616_867, -0.490_615), SIMD3<Float>(-0.978_768, 1.916_142, 0.033_454),
    SIMD3<Float>(0.071_945, -0.228_991, 1.405_243),
  ]

  private static func fixed(_ reader: ByteReader, _ offset: Int) -> Float? {
    reader.big32(offset).map { Float(Int32(truncatingIfNeeded: $0)) / 65536 }
  }

  private static func xyz(_ reader: ByteReader, _ offset: Int) -> SIMD3<Float>? {
    guard let x = fixed(reader, offset + 8), let y = fixed(reader, offset + 12), let z = fixed(reader, offset + 16) else { return nil }
    return SIMD3(x, y, z)
  }

  private static func curve(_ reader: ByteReader, _ offset: Int) -> [Float]? {
    if reader.hasASCII("para", at: offset) { return parametric(reader, offset) }
    guard reader.hasASCII("curv", at: offset), let count = reader.big32(offset + 8), count <= 65_536 else { return nil }
    if count == 0 { return (0..<256).map { Float($0) / 255 } }
    if count == 1 { return reader.big16(offset + 12).map { gamma in (0..<256).map { powf(Float($0) / 255, Float(gamma) / 256) } } }
    guard reader.big16(offset + 12 + 2 * (count - 1)) != nil else { return nil }
    return (0..<256).map { value in
      let place = Float(value) / 255 * Float(count - 1), low = min(Int(place), count - 2)
      let a = Float(reader.big16(offset + 12 + 2 * low) ?? 0), b = Float(reader.big16(offset + 14 + 2 * low) ?? 0)
      return (a + (b - a) * (place - Float(low))) / 65535
    }
  }

  private static func parametric(_ reader: ByteReader, _ offset: Int) -> [Float]? {
    let counts = [1, 3, 4, 5, 7]
    guard let kind = reader.big16(offset + 8), counts.indices.contains(kind) else { return nil }
    var p = [Float](repeating: 0, count: 7)
    for index in 0..<counts[kind] {
      guard let value = fixed(reader, offset + 12 + 4 * index) else { return nil }
      p[index] = value
    }
    let (g, a, b, c, d, e, f) = (p[0], kind == 0 ? 1 : p[1], p[2], p[3], p[4], p[5], p[6])
    return (0..<256).map { value in
      let x = Float(value) / 255
      let light: Float =
        switch kind {
        case 0: powf(x, g)
        case 1: x >= -b / a ? powf(a * x + b, g) : 0
        case 2: (x >= -b / a ? powf(a * x + b, g) : 0) + c
        case 3: x >= d ? powf(a * x + b, g) : c * x
        default: x >= d ? powf(a * x + b, g) + e : c * x + f
        }
      return light.isFinite ? min(max(light, 0), 1) : 0
    }
  }

  private var isAlmostSRGB: Bool {
    let samples: [(Int, Int, Int)] = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (128, 128, 128), (40, 90, 200)]
    return samples.allSatisfy { r, g, b in
      let c = convert(r, g, b)
      func isNear(_ v: Float, _ byte: Int) -> Bool { abs(v * 255 - Float(byte)) < 2.5 }
      return isNear(c.x, r) && isNear(c.y, g) && isNear(c.z, b)
    }
  }

  private func convert(_ r: Int, _ g: Int, _ b: Int) -> SIMD3<Float> {
    let light = SIMD3(curves[0][r], curves[1][g], curves[2][b])
    func encoded(_ v: Float) -> Float {
      // The table is too coarse where the curve is steep.
      if v <= 0.003_130_8 { return max(0, v) * 12.92 }
      return Self.encodings[Int(min(v, 1) * 16_384 + 0.5)]
    }
    return SIMD3(encoded((matrix[0] * light).sum()), encoded((matrix[1] * light).sum()), encoded((matrix[2] * light).sum()))
  }

  /// sRGB's transfer curve in 16 384 steps.
  private static let encodings: [Float] = (0...16_384).map { 1.055 * powf(Float($0) / 16_384, 1 / 2.4) - 0.055 }

  /// Converts an image to sRGB.
  func apply(to bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) {
    var (last, result): (UInt32, UInt32) = (0, 0)
    let (width, height) = (bitmap.width, bitmap.height)
    try bitmap.withUnsafeMutablePixels { pixels throws(ImageError) in
      for y in 0..<height {
        try task.check(row: y, width: width)
        for index in y * width..<(y + 1) * width where pixels[index] != 0 {
          if pixels[index] != last {
            last = pixels[index]
            let alpha = last >> 24
            func straight(_ v: UInt32) -> Int { Int(min(255, alpha == 255 ? v : (v * 255 + alpha / 2) / max(1, alpha))) }
            let c = convert(straight(last >> 16 & 255), straight(last >> 8 & 255), straight(last & 255)) * Float(alpha)
            func byte(_ v: Float) -> UInt32 { UInt32(max(0, min(255, v + 0.5))) }
            result = alpha << 24 | byte(c.x) << 16 | byte(c.y) << 8 | byte(c.z)
          }
          pixels[index] = result
        }
      }
    }
  }
}

// MARK: Profiles embedded in image files

extension ColorProfile {
  init?(_ bytes: [UInt8], _ format: ImageFormat) {
    switch format {
    case .png: self.init(png: bytes)
    case .jpeg: self.init(icc: Self.jpegProfile(bytes))
    case .webp: self.init(icc: Self.webpProfile(bytes))
    case .avif:
      guard let container = AVIFContainer(bytes) else { return nil }
      if let profile = container.profile {
        self.init(icc: Array(bytes[profile]))
      } else {
        self.init(primaries: container.primaries, transfer: container.transfer)
      }
    default: return nil
    }
  }

  /// https://www.w3.org/TR/png-3/#11addnlcolinfo
  private init?(png bytes: [UInt8]) {
    let reader = ByteReader(bytes: bytes)
    var offset = 8
    var gamma: Double?
    var profile: [UInt8]?
    while let length = reader.big32(offset), !reader.hasASCII("IDAT", at: offset + 4), offset + 12 + length <= bytes.count {
      let data = offset + 8
      if reader.hasASCII("sRGB", at: offset + 4) { return nil }
      if reader.hasASCII("gAMA", at: offset + 4), length == 4 { gamma = reader.big32(data).map { Double($0) / 100_000 } }
      if reader.hasASCII("iCCP", at: offset + 4), let end = bytes[data..<data + min(length, 80)].firstIndex(of: 0), end + 2 < data + length
      {
        profile = Self.inflated(bytes[end + 2..<data + length])
      }
      offset += 12 + length
    }
    if let profile {
      self.init(icc: profile)
    } else if let gamma {
      self.init(gamma: gamma)
    } else {
      return nil
    }
  }

  private static func inflated(_ data: ArraySlice<UInt8>) -> [UInt8] {
    let capacity = 1 << 20
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = data.withUnsafeBufferPointer { codecs_zlib_decompress($0.baseAddress, $0.count, buffer.baseAddress, capacity) }
    }
  }

  private static func jpegProfile(_ bytes: [UInt8]) -> [UInt8] {
    let reader = ByteReader(bytes: bytes)
    var parts: [(Int, Range<Int>)] = []
    var offset = 2
    while reader.byte(offset) == 0xFF, let marker = reader.byte(offset + 1), marker != 0xDA, let length = reader.big16(offset + 2),
      length >= 2
    {
      if marker == 0xE2, length > 16, reader.hasASCII("ICC_PROFILE", at: offset + 4), let number = reader.byte(offset + 16) {
        parts.append((number, offset + 18..<min(offset + 2 + length, bytes.count)))
      }
      offset += 2 + length
    }
    return parts.sorted { $0.0 < $1.0 }.flatMap { bytes[min($0.1.lowerBound, $0.1.upperBound)..<$0.1.upperBound] }
  }

  private static func webpProfile(_ bytes: [UInt8]) -> [UInt8] {
    let reader = ByteReader(bytes: bytes)
    var offset = 12
    while let length = reader.little32(offset + 4), length <= bytes.count - offset - 8 {
      if reader.hasASCII("ICCP", at: offset) { return Array(bytes[offset + 8..<offset + 8 + length]) }
      offset += 8 + length + (length & 1)
    }
    return []
  }
}
