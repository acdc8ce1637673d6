import OffprintCoreTypes
import OffprintImages

/// Uses any bytes as an image: PNG, JPEG, WebP, GIF, BMP or ICO, by its signature. For SVG see Fuzz/Pages.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzImages(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = Limits()
  limits.decodedPixels = 1_000_000
  _ = try? ImageProbe(bytes)
  guard let image = try? ImageDecoder.decode(bytes, limits: limits), case .bitmap(let bitmap) = image.content else { return 0 }
  precondition(bitmap.width * bitmap.height <= limits.decodedPixels, "the limit holds")
  if case .bitmap(let stored) = image.unoriented.content {
    precondition(stored.width * stored.height == bitmap.width * bitmap.height, "a rotated image has as many pixels")
  }
  return 0
}
