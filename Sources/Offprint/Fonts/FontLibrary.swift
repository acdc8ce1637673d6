import OffprintCoreTypes
import OffprintTypography

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

    /// A named style of a variable font.
    public struct Instance: Hashable, Sendable, Codable {
      /// `SemiBold Condensed`.
      public var name: String
      /// Values by axis.
      public var coordinates: [String: Float]
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
    /// Its number in a file of several faces.
    public var index = 0
    /// Its names in other languages, which work as well.
    public var localizedNames: [String] = []
    /// As the font has it.
    public var version = ""
    /// In the font's words; empty where it does not say.
    public var licence = ""
    /// Where it is to be read; empty where the font does not say.
    public var licenceURL = ""
    /// What may be put into documents: `installable`, `editable`, `preview` or `restricted`, and `no-subsetting`, `bitmaps-only`.
    public var embedding: [String] = []
    /// `truetype`, `cff`, `cff2` or `bitmap`.
    public var outlines = ""
    /// `CBDT`, `COLR`, `sbix`, `SVG`: tables of glyphs with colours of their own.
    public var colorTables: [String] = []
    /// Of a variable font.
    public var instances: [Instance] = []
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

  /// Faces that a name in `font-family` stands for: of a family or a face, in any language, a generic family, or one with a substitute of
  /// the same widths.
  public func faces(named name: String) -> [Face] {
    let family = GenericFontFamily(keyword: name).map(FontFamilyName.generic) ?? .named(ByteString(name))
    let found = Set(registry.faces(for: family).map(\.identifier))
    return zip(registry.faces, faces).filter { found.contains($0.0.identifier) }.map(\.1)
  }

  /// Files that hold the same as another, which is used; and faces with the name of another, which comes first.
  public var duplicates: [Duplicate] {
    var result = registry.duplicates.map { Duplicate(file: $0.path, of: $0.of, isSameFile: true) }
    var first: [String: Face] = [:]
    for face in faces {
      if let known = first[face.postScriptName] {
        result.append(Duplicate(file: face.file, of: known.file, isSameFile: false, postScriptName: face.postScriptName))
      } else {
        first[face.postScriptName] = face
      }
    }
    return result
  }

  /// A font that is there twice.
  public struct Duplicate: Hashable, Sendable, Codable {
    /// The one that need not be there.
    public var file: String
    /// The one that is used.
    public var of: String
    /// Whether they are the same to the last byte; otherwise only the name is.
    public var isSameFile: Bool
    /// Of faces that have only their name in common.
    public var postScriptName: String?
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
    let details = face.details
    index = face.index
    localizedNames = info.localizedFamilies + info.localizedFullNames
    (version, licence, licenceURL) = (details.version, details.licence, details.licenceURL)
    (embedding, outlines, colorTables) = (details.embedding, details.outlines, details.colorTables)
    instances = details.instances.map { instance in
      let values = instance.coordinates.map { ($0.tag.description, $0.value) }
      return Instance(name: instance.name, coordinates: Dictionary(values) { $1 })
    }
  }
}
