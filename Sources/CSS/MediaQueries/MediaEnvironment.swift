public import OffprintCoreTypes

/// The environment that media queries test: a desktop browser's screen, or paper. Lengths in CSS px.
///
/// https://drafts.csswg.org/mediaqueries-5/
public struct MediaEnvironment: Hashable, Sendable {
  public enum MediaType: Sendable { case screen, print }
  public var type: MediaType
  public var width: Double
  public var height: Double
  /// Device pixels per CSS px.
  public var resolution: Double
  public var isDark: Bool
  /// Overridden features by name; see `MediaFeatureOverrides`.
  public var chosen: [ByteString: String] = [:]

  public init(type: MediaType = .screen, width: Double, height: Double, resolution: Double = 1, isDark: Bool = false) {
    self.type = type
    self.width = width
    self.height = height
    self.resolution = resolution
    self.isDark = isDark
  }

  func feature(_ name: String) -> FeatureValue? {
    if !chosen.isEmpty {
      if let value = chosen[name] { return MediaFeatureOverrides.featureValue(name, value) }
      if name == "-webkit-device-pixel-ratio", case .resolution(let value)? = feature("resolution") { return .number(value) }
    }
    let isScreen = type == .screen
    switch name {
    case "width", "device-width": return .length(width)
    case "height", "device-height": return .length(height)
    case "aspect-ratio", "device-aspect-ratio": return .ratio(width, height)
    case "orientation": return .keyword(height >= width ? "portrait" : "landscape")
    case "resolution": return .resolution(resolution)
    case "-webkit-device-pixel-ratio": return .number(resolution)
    case "-webkit-transform-3d": return .number(1)
    case "color": return .number(8)
    case "color-index", "monochrome", "grid": return .number(0)
    case "color-gamut": return .keywords(["srgb"])
    case "hover", "any-hover": return .keyword(isScreen ? "hover" : "none")
    case "pointer", "any-pointer": return .keyword(isScreen ? "fine" : "none")
    case "update": return .keyword(isScreen ? "fast" : "none")
    case "overflow-block": return .keyword(isScreen ? "scroll" : "paged")
    case "overflow-inline": return .keyword(isScreen ? "scroll" : "none")
    case "scan": return .keyword("progressive")
    case "dynamic-range", "video-dynamic-range": return .keyword("standard")
    case "display-mode": return .keyword("browser")
    case "prefers-color-scheme": return .keyword(isDark ? "dark" : "light")
    case "prefers-reduced-motion", "prefers-reduced-transparency", "prefers-contrast", "prefers-reduced-data":
      return .preference("no-preference")
    case "forced-colors", "inverted-colors", "scripting": return .keyword("none")
    default: return nil
    }
  }
}

/// The value of a media or container feature.
enum FeatureValue {
  /// In CSS px.
  case length(Double)
  case number(Double)
  /// Device pixels per CSS px.
  case resolution(Double)
  case ratio(Double, Double)
  case keyword(String)
  case keywords([String])
  /// A keyword that is false in a boolean context, as in `(prefers-reduced-motion)`.
  case preference(String)

  /// https://drafts.csswg.org/mediaqueries-4/#mq-boolean-context
  var isTrue: Bool {
    switch self {
    case .length(let value), .number(let value), .resolution(let value): value != 0
    case .ratio(let a, _): a != 0
    case .keyword(let keyword): keyword != "none"
    case .keywords(let keywords): !keywords.isEmpty
    case .preference: false
    }
  }
}
