import HTTPTypes
import OffprintCoreTypes
import Offprint

/// Negotiates the image format. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
enum AcceptedFormat {
  /// In order of preference among formats that the client prefers equally.
  private static let offered: [EncodedImageFormat] = [.png, .webp, .jpeg, .avif, .svg, .apng, .gif, .pdf]
  /// The formats of animations.
  private static let offeredAnimations: [EncodedImageFormat] = [.apng, .webp, .gif, .avif, .png]

  private struct Range {
    var type: String
    /// From 0 to 1, where 0 means not acceptable.
    var quality: Double
  }

  /// - Returns: The format; nil if the request states no preference.
  /// - Throws: `notAcceptable` if the client accepts none of the formats.
  /// - Parameters:
  ///   - isAnimated: Whether the request asks for an animation.
  ///   - isJSON: Whether the response is JSON that refers to the image, so that `Accept` may name JSON instead of an image format.
  static func of(_ call: RouteCall, isAnimated: Bool = false, isJSON: Bool = false) throws(ServiceError) -> EncodedImageFormat? {
    guard call.query["report"] == nil else { return nil }
    let fields = call.request.headers[values: .accept]
    guard isJSON, preference(for: "application/json", ranges(fields)) != nil else { return try of(fields, isAnimated: isAnimated) }
    return try? of(fields, isAnimated: isAnimated)
  }

  static func of(_ fields: [String], isAnimated: Bool = false) throws(ServiceError) -> EncodedImageFormat? {
    let offered = isAnimated ? offeredAnimations : offered
    let ranges = ranges(fields)
    if ranges.isEmpty { return nil }
    var best: (format: EncodedImageFormat, preference: Preference)?
    for format in offered {
      guard let preference = preference(for: format.mediaType, ranges) else { continue }
      if best.map({ $0.preference < preference }) ?? true { best = (format, preference) }
    }
    if let best { return best.format }
    throw ServiceError(
      .notAcceptable,
      "Accept excludes the formats of the image, which are \(offered.dropLast().map(\.mediaType).joined(separator: ", ")) and "
        + "\(offered.last?.mediaType ?? ""). With 'report=json' the response is JSON.")
  }

  private static func ranges(_ fields: [String]) -> [Range] {
    fields.flatMap { $0.split(byte: ",") }.compactMap { range($0.split(byte: ";").map(\.trimmed)) }
  }

  private static func range(_ parts: [Substring]) -> Range? {
    guard let type = parts.first, !type.isEmpty else { return nil }
    let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
    return Range(type: type.lowercased(), quality: weight.map { Double(decimal: $0.dropFirst(2)) ?? 0 } ?? 1)
  }

  /// Formats of equal quality are ordered by how exactly the client names them: a browser names the formats that it prefers for images, and
  /// accepts everything else with a wildcard of the same quality.
  private struct Preference: Comparable {
    var quality: Double
    var isNamed: Bool

    static func < (a: Preference, b: Preference) -> Bool {
      a.quality == b.quality ? !a.isNamed && b.isNamed : a.quality < b.quality
    }
  }

  /// By the most specific range that matches the type; nil if it is not acceptable.
  private static func preference(for type: String, _ ranges: [Range]) -> Preference? {
    let group = type.split(byte: "/").first.map { "\($0)/*" } ?? ""
    for name in [type, group, "*/*"] {
      guard let quality = ranges.filter({ $0.type == name }).map(\.quality).max() else { continue }
      return quality > 0 ? Preference(quality: quality, isNamed: name == type) : nil
    }
    return nil
  }
}
