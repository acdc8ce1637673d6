import Offprint

/// Checks whether bytes are a page, before rendering them.
enum PageInput {
  /// - Parameter isBody: Whether the bytes are inserted into a template, so that they may be empty.
  /// - Returns: Diagnostics about the bytes.
  /// - Throws: `dataInvalid` for a known other type of file: an image, an archive, a font.
  static func check(_ bytes: [UInt8], name: String, isBody: Bool) throws(OffprintError) -> [Diagnostic] {
    if let kind = kind(bytes) { throw OffprintError(.dataInvalid, "\(name) is not a page but \(kind); specify an HTML file.") }
    if !isBody, bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
      return [Diagnostic("inputEmpty", .note, "\(name) is empty, and so is the image.")]
    }
    if isBinary(bytes.prefix(longestHead)) {
      return [Diagnostic("inputBinary", .note, "\(name) does not look like text; check that it is a page.")]
    }
    return []
  }

  /// The type of a file that is not text, such as `a PNG image`; nil if unknown.
  static func kind(_ bytes: [UInt8]) -> String? {
    let head = bytes.prefix(longestHead)
    let isBinary = isBinary(head)
    return signatures.first { $0.fits(head) && (isBinary || $0.isText) }?.kind
  }

  private static let longestHead = 1445

  /// https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary
  private static func isBinary(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return false }
    return bytes.contains { $0 <= 0x08 || $0 == 0x0B || (0x0E...0x1A).contains($0) || (0x1C...0x1F).contains($0) }
  }

  private struct Signature {
    var kind: String
    var bytes: [UInt8]
    var offset = 0
    /// Whether the signature alone identifies the type; other types also require bytes that text does not contain.
    var isText = false

    func fits(_ head: ArraySlice<UInt8>) -> Bool { head.dropFirst(offset).starts(with: bytes) }
  }

  /// https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern
  private static let signatures = [
    Signature(kind: "a PNG image", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    Signature(kind: "a JPEG image", bytes: [0xFF, 0xD8, 0xFF]), Signature(kind: "a GIF image", bytes: Array("GIF8".utf8)),
    Signature(kind: "a WebP image", bytes: Array("WEBPVP".utf8), offset: 8), Signature(kind: "an icon", bytes: [0, 0, 1, 0]),
    Signature(kind: "an AVIF image or a video", bytes: Array("ftyp".utf8), offset: 4),
    Signature(kind: "a PDF document", bytes: Array("%PDF-".utf8), isText: true),
    Signature(kind: "a PostScript document", bytes: Array("%!PS-".utf8), isText: true),
    Signature(kind: "a ZIP archive or an office document", bytes: [0x50, 0x4B, 3, 4]),
    Signature(kind: "a gzip file", bytes: [0x1F, 0x8B, 8]),
    Signature(kind: "a Zstandard file", bytes: [0x28, 0xB5, 0x2F, 0xFD]),
    Signature(kind: "an xz file", bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
    Signature(kind: "a font", bytes: Array("wOFF".utf8)), Signature(kind: "a font", bytes: Array("wOF2".utf8)),
    Signature(kind: "a font", bytes: Array("OTTO".utf8)), Signature(kind: "a font", bytes: [0, 1, 0, 0, 0]),
    Signature(kind: "a program", bytes: [0x7F, 0x45, 0x4C, 0x46]), Signature(kind: "a database", bytes: Array("SQLite format 3".utf8)),
  ]
}
