import HTTPTypes
import OffprintCoreTypes
import Offprint

/// Which kind of picture a client takes. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
enum AcceptedFormat {
  /// The first where it may be, else the first of those that the client prefers most.
  private static let offered: [PictureFormat] = [.png, .webp, .jpeg, .avif, .svg, .pdf]

  private struct Range {
    var type: String
    /// 0 to 1; 0: not acceptable.
    var quality: Double
  }

  /// - Returns: nil where the request says nothing.
  /// - Throws: `notAcceptable` where it takes none of ours.
  static func of(_ call: RouteCall) throws(ServiceError) -> PictureFormat? {
    guard call.query["report"] == nil else { return nil }
    return try of(call.request.headers[values: .accept])
  }

  static func of(_ fields: [String]) throws(ServiceError) -> PictureFormat? {
    let ranges = fields.flatMap { $0.split(byte: ",") }.compactMap { range($0.split(byte: ";").map(\.trimmed)) }
    if ranges.isEmpty { return nil }
    var best: (format: PictureFormat, quality: Double)?
    for format in offered where best?.format != offered.first {
      let quality = quality(of: format.mediaType, ranges)
      if quality > best?.quality ?? 0 { best = (format, quality) }
    }
    if let best { return best.format }
    throw ServiceError(
      .notAcceptable, "Pictures are \(offered.dropLast().map(\.mediaType).joined(separator: ", ")) or \(PictureFormat.pdf.mediaType).")
  }

  private static func range(_ parts: [Substring]) -> Range? {
    guard let type = parts.first, !type.isEmpty else { return nil }
    let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
    return Range(type: type.lowercased(), quality: weight.map { Double(decimal: $0.dropFirst(2)) ?? 0 } ?? 1)
  }

  /// By the most specific range that the type is in.
  private static func quality(of type: String, _ ranges: [Range]) -> Double {
    let group = type.split(byte: "/").first.map { "\($0)/*" } ?? ""
    for name in [type, group, "*/*"] {
      let qualities = ranges.filter { $0.type == name }.map(\.quality)
      if let quality = qualities.max() { return quality }
    }
    return 0
  }
}
