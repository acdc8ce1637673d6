import HTTPTypes
import Offprint
import OffprintRenderCache

extension HTTPFields {
  /// Sets the media type of an image, and a policy for opening it as a document: SVG has styles and embedded images of its own but runs no
  /// scripts. PDF gets no policy because Chromium does not display PDF in a sandbox; scripts in a PDF do not run in the page's origin.
  ///
  /// https://www.w3.org/TR/CSP3/#directive-sandbox
  mutating func setImage(_ format: EncodedImageFormat) {
    self[.contentType] = format.mediaType
    if format != .pdf {
      self[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
    }
  }
}

extension CacheEntry {
  /// The format according to the first bytes, raw if unknown. Raw pixels can begin with any bytes: see `hasSizeOfPixels`.
  var likelyFormat: EncodedImageFormat { EncodedImageFormat(beginningOf: data) ?? .raw }

  /// Whether the size fits raw pixels.
  var hasSizeOfPixels: Bool {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && data.count % 4 == 0 && data.count / 4 == pixels
  }
}

extension CacheRecord {
  /// Whether the key contains the format `raw`.
  var isRaw: Bool { parts.contains { $0.name == "format" && $0.summary == EncodedImageFormat.raw.rawValue } }
}
