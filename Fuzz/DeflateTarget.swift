import COffprintCodecs

/// Uses any bytes as an image for the DEFLATE encoder of PNG rows: the first six are its size and options, the others its pixels. libdeflate must
/// decode the result to the same pixels.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzDeflate(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: data, count: count)
  guard count > 6, let deflater = shared.deflater else { return 0 }
  let width = 1 + Int(input[0]) + Int(input[1] & 0x3F) << 8, kind = input[3] % 4
  var image = DeflatedPixels(
    pixels: [], width: width, bytes: 2 + Int(input[2] % 3), depth: Int(input[4] % 12), rowsOfPart: input[5] == 0 ? .max : Int(input[5]))
  // Few colors, whole pixels, repeated rows and rows with one change, as in typical pages.
  let body = UnsafeBufferPointer(rebasing: input[6...]), size = kind == 1 ? 4 : 1
  let total = kind < 2 ? body.count / size / width * width : min(body.count * width, 1 << 18) / width * width
  guard total > 0 else { return 0 }
  image.pixels = (0..<total).map { index in
    let value: UInt32 =
      switch kind {
      case 0: UInt32(body[index]) &* 0x0102_0408
      case 1: (0..<4).reduce(0) { $0 << 8 | UInt32(body[index * 4 + $1]) }
      case 2: UInt32(body[index / width]) &* 0x8040_2011
      default: UInt32(body[index % width % body.count]) &* 0x0101_0101 ^ (index % width == Int(body[index / width]) ? 0xFF : 0)
      }
    return image.representable(value)
  }
  guard let stream = image.stream(deflater) else { preconditionFailure("every image of this form can be encoded") }
  let rows = [UInt8](unsafeUninitializedCapacity: image.decodedCount) { buffer, length in
    length = codecs_zlib_decompress(stream, stream.count, buffer.baseAddress, buffer.count)
  }
  precondition(image.isDecoded(as: rows), "the stream decodes to the image")
  return 0
}

/// One encoder for all images, as in the renderer: state of one image must not affect the next.
private struct Shared: @unchecked Sendable {
  let deflater = codecs_pixel_deflater_create()
}
private let shared = Shared()
