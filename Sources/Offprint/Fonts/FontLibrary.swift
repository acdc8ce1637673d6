import Typography

/// The faces a renderer of this configuration would have.
public struct FontLibrary: Sendable {
  /// A face that pages can use, by any of its three names.
  public struct Face: Hashable, Sendable, Codable {
    /// An axis of a variable font.
    public struct Axis: Hashable, Sendable, Codable {
      /// `wght`, `wdth`, …
      public var tag: String
      /// The least it can be.
      public var minimum: Float
      /// What it is unless asked for.
      public var defaultValue: Float
      /// The most it can be.
      public var maximum: Float
    }

    /// The name `font-family` usually has.
    public var family: String
    /// Family and style.
    public var fullName: String
    /// The name that no other face has.
    public var postScriptName: String
    /// As the font calls it: `Bold Italic`.
    public var style: String
    /// 1 to 1000; of a variable font its default.
    public var weight: Float
    /// Percent.
    public var stretch: Float
    /// Whether it is drawn slanted.
    public var isItalic: Bool
    /// Of a variable font.
    public var axes: [Axis]
    /// OpenType tags.
    public var features: [String]
    /// OpenType tags.
    public var scripts: [String]
    /// How many characters it has.
    public var coverage: Int
    /// Where it was read from.
    public var file: String
  }

  /// By family, weight and style.
  public let faces: [Face]
  /// Files that could not be read, a sentence each.
  public let problems: [String]
  let registry: FontRegistry

  /// - Throws: `inputNotFound` for a folder that is not there.
  public init(_ configuration: RendererConfiguration) throws(OffprintError) {
    registry = FontRegistry(
      folders: try configuration.resolvedFontFolders(), includeSystemFonts: configuration.usesSystemFonts,
      cacheDirectory: configuration.fontDigestFolder)
    faces = registry.faces.map(Face.init)
    problems = registry.problems
  }

  /// Faces with a glyph for every character of a text; spaces and what joins characters aside.
  public func faces(covering text: String) -> [Face] {
    let wanted = text.unicodeScalars.filter { !TextMatch.isBlank($0) }.map(\.value)
    return zip(registry.faces, faces).filter { face, _ in wanted.allSatisfy(face.covers) }.map(\.1)
  }
}

extension FontLibrary.Face {
  init(_ face: FontFace) {
    let info = face.info
    self.init(
      family: info.family, fullName: info.fullName, postScriptName: info.postScriptName, style: info.styleName, weight: info.weight,
      stretch: info.stretch, isItalic: info.isItalic,
      axes: info.axes.map {
        Axis(tag: $0.tag.description, minimum: $0.minimum, defaultValue: $0.defaultValue, maximum: $0.maximum)
      },
      features: face.features.map(\.description), scripts: face.scripts.map(\.description), coverage: face.coverageCount, file: face.path)
  }
}
