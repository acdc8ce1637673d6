import OffprintCoreTypes
import OffprintImages

/// Any bytes are a picture: PNG, JPEG, WebP, GIF, BMP or ICO, by what they begin with. SVG is a page of its own: see Fuzz/Pages.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzPictures(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var limits = Limits()
  limits.decodedPixels = 1_000_000
  _ = try? ImageProbe(bytes)
  guard let picture = try? ImageDecoder.decode(bytes, limits: limits), case .bitmap(let bitmap) = picture.content else { return 0 }
  precondition(bitmap.width * bitmap.height <= limits.decodedPixels, "the limit holds")
  if case .bitmap(let stored) = picture.unoriented.content {
    precondition(stored.width * stored.height == bitmap.width * bitmap.height, "a turned picture has as many pixels")
  }
  return 0
}
