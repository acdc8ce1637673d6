import OffprintCoreTypes

/// A face of an `@font-face` rule.
public struct WebFont: Sendable {
  public var family: String
  /// Nil for the range of the font's axis, or 400.
  public var weight: ClosedRange<Float>?
  public var stretch: ClosedRange<Float>
  public var isItalic: Bool
  /// Degrees of `font-style: oblique`.
  public var oblique: ClosedRange<Float>?
  /// The code points it is used for; empty for all.
  public var unicodeRange: [ClosedRange<UInt32>]
  public var overrides: FontFaceOverrides
  /// The font file.
  public var data: [UInt8]

  public init(
    family: String, weight: ClosedRange<Float>? = nil, stretch: ClosedRange<Float> = 100...100, isItalic: Bool = false,
    oblique: ClosedRange<Float>? = nil, unicodeRange: [ClosedRange<UInt32>] = [],
    overrides: FontFaceOverrides = FontFaceOverrides(), data: [UInt8]
  ) {
    self.family = family; self.weight = weight; self.stretch = stretch; self.isItalic = isItalic
    self.oblique = oblique; self.unicodeRange = unicodeRange; self.overrides = overrides; self.data = data
  }
}

/// The fonts of one render: those of the registry and of the page's `@font-face` rules.
public final class FontSet: Sendable {
  public let registry: FontRegistry
  /// The indexes of web fonts that are not usable.
  public var rejectedWebFonts: [Int] { rejections.map(\.index) }
  /// The unusable web fonts with the reason, such as "its table 'loca' ends too soon".
  public let rejections: [(index: Int, reason: String)]
  let webFamilies: [ByteString: [WebFace]]
  /// 0 without web fonts: cached results of such a set are valid for every other one with the same registry.
  let identifier: UInt64

  struct WebFace: Sendable {
    var face: FontFace
    var capabilities: FaceCapabilities
    var characters: CharacterRanges
    var overrides: FontFaceOverrides
  }

  /// - Parameter files: Web font files that were opened earlier.
  public init(registry: FontRegistry, webFonts: [WebFont] = [], files: WebFontFiles = WebFontFiles()) {
    self.registry = registry
    var families: [ByteString: [WebFace]] = [:]
    var rejected: [(index: Int, reason: String)] = []
    for (index, font) in webFonts.enumerated() {
      let face: FontFace
      switch files.face(font.data) {
      case .success(let known): face = known
      case .failure(let problem):
        rejected.append((index, problem.reason))
        continue
      }
      let weight = font.weight ?? (face.info.axis("wght") == nil ? 400...400 : FaceCapabilities(face.info).weight)
      let capabilities = FaceCapabilities(weight: weight, stretch: font.stretch, isItalic: font.isItalic, oblique: font.oblique)
      families[font.family.lowercased(), default: []].append(
        WebFace(face: face, capabilities: capabilities, characters: CharacterRanges(font.unicodeRange), overrides: font.overrides))
    }
    webFamilies = families
    rejections = rejected
    identifier = families.isEmpty ? 0 : makeIdentifier()
  }

  /// Whether a `font-family` name matches a face of the page or of the registry.
  public func knows(family name: String) -> Bool { webFamilies[name.lowercased()] != nil || !registry.faces(named: name).isEmpty }
}
