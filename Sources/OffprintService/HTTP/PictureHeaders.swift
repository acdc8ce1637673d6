import HTTPTypes
import Offprint
import OffprintRenderCache

extension HTTPFields {
  /// The media type of a picture, and what it may do when it is opened as a document: drawings of vectors have styles and embedded images of
  /// their own, and run nothing. Chromium shows no PDF in a sandbox, and nothing in a PDF is run by the page's origin.
  ///
  /// https://www.w3.org/TR/CSP3/#directive-sandbox
  mutating func setPicture(_ format: PictureFormat) {
    self[.contentType] = format.mediaType
    if format != .pdf {
      self[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
    }
  }
}

extension CacheEntry {
  /// What its first bytes say it is; pixels where there are as many bytes as pixels need, which may begin with any.
  var likelyFormat: PictureFormat { PictureFormat(beginningOf: data) ?? .raw }

  /// Whether it could be pixels alone.
  var hasSizeOfPixels: Bool {
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && data.count % 4 == 0 && data.count / 4 == pixels
  }
}

extension CacheRecord {
  /// Whether the key says that it is pixels.
  var isRaw: Bool { parts.contains { $0.name == "format" && $0.summary == PictureFormat.raw.rawValue } }
}
