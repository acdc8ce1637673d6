import OffprintCoreTypes

/// `qr:TEXT#OPTIONS` and `barcode:KIND:TEXT#OPTIONS`: generated images. The text is percent-decoded, so a `#` in it is written `%23`.
///
/// Options are `name=value`, joined by `&`: `margin` (modules of the quiet zone), `module` (px), `color`, `background`; for QR codes
/// `level` (L, M, Q, H), for barcodes `height` (px).
public struct CodeURL: Sendable, Equatable {
  enum Kind: String, CaseIterable, Sendable {
    case qr
    case ean13
    case code128
  }

  var kind: Kind
  var text: [UInt8]
  var options: [(name: String, value: String)]

  public static func == (a: CodeURL, b: CodeURL) -> Bool {
    a.kind == b.kind && a.text == b.text && a.options.elementsEqual(b.options) { $0.name == $1.name && $0.value == $1.value }
  }

  /// Whether the scheme is one of these.
  static func isMeant(byScheme scheme: String) -> Bool { scheme == "qr" || scheme == "barcode" }

  /// - Throws: `resourceInvalidURL` for an unknown kind or option.
  init(_ reference: String) throws(ResourceError) {
    let shown = ResourceError.display(reference)
    guard let (scheme, rest) = ResourceURL.splitScheme(ResourceURL.cleaned(reference)[...]) else {
      throw Self.invalid(shown, "has no scheme")
    }
    let mark = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    var body = rest[..<mark]
    if scheme == "qr" {
      kind = .qr
    } else {
      guard let colon = body.firstIndex(of: UInt8(ascii: ":")),
        let kind = Kind(rawValue: String(decoding: body[..<colon], as: UTF8.self).lowercased()), kind != .qr
      else { throw Self.invalid(shown, "has an unknown barcode type; write barcode:ean13:TEXT or barcode:code128:TEXT") }
      self.kind = kind
      body = body[(colon + 1)...]
    }
    text = ResourceURL.percentDecoded(body)
    options = try rest[mark...].dropFirst().split(separator: UInt8(ascii: "&")).map { part throws(ResourceError) in
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw Self.invalid(shown, "has an option without a value") }
      return (String(decoding: pair[0], as: UTF8.self), String(decoding: ResourceURL.percentDecoded(pair[1]), as: UTF8.self))
    }
  }

  static func invalid(_ shown: String, _ problem: String) -> ResourceError {
    ResourceError(.resourceInvalidURL, url: shown, "\"\(shown)\" \(problem).")
  }
}
