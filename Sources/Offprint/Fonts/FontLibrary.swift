import OffprintCoreTypes
import OffprintTypography

/// The faces available to a renderer with a configuration.
public struct FontLibrary: Sendable {
  /// A face, which pages can refer to by any of its three names.
  public struct Face: Hashable, Sendable, Codable {
    /// An axis of a variable font.
    public struct Axis: Hashable, Sendable, Codable {
      /// `wght`, `wdth`, …
      public var tag: String
      /// The minimum value.
      public var minimum: Float
      /// The default value.
      public var defaultValue: Float
      /// The maximum value.
      public var maximum: Float
    }

    /// A named style of a variable font.
    public struct Instance: Hashable, Sendable, Codable {
      /// For example `SemiBold Condensed`.
      public var name: String
      /// Values by axis tag.
      public var coordinates: [String: Float]
    }

    /// The name normally used in `font-family`.
    public var family: String
    /// Family and style.
    public var fullName: String
    /// The unique name of the face.
    public var postScriptName: String
    /// The style name in the font, for example `Bold Italic`.
    public var style: String
    /// 1 to 1000; the default for a variable font.
    public var weight: Float
    /// The width as a percentage.
    public var stretch: Float
    /// Whether the face is italic or oblique.
    public var isItalic: Bool
    /// The axes of a variable font.
    public var axes: [Axis]
    /// The OpenType feature tags.
    public var features: [String]
    /// The OpenType script tags.
    public var scripts: [String]
    /// The number of characters it supports.
    public var coverage: Int
    /// The path of its file.
    public var file: String
    /// Its index in a font collection.
    public var index = 0
    /// Its names in other languages, which `font-family` accepts as well.
    public var localizedNames: [String] = []
    /// The version string in the font.
    public var version = ""
    /// The license text in the font; empty if absent.
    public var licence = ""
    /// The license URL in the font; empty if absent.
    public var licenceURL = ""
    /// Embedding permissions: `installable`, `editable`, `preview` or `restricted`, and `no-subsetting`, `bitmaps-only`.
    public var embedding: [String] = []
    /// `truetype`, `cff`, `cff2` or `bitmap`.
    public var outlines = ""
    /// `CBDT`, `COLR`, `sbix`, `SVG`: the tables of color glyphs.
    public var colorTables: [String] = []
    /// The named instances of a variable font.
    public var instances: [Instance] = []
  }

  /// Sorted by family, weight and style.
  public let faces: [Face]
  /// One sentence for each file that could not be read.
  public let problems: [String]
  let registry: FontRegistry

  /// - Throws: `inputNotFound` for a folder that does not exist.
  public init(_ configuration: RendererConfiguration) throws(OffprintError) {
    registry = FontRegistry(
      folders: try configuration.resolvedFontFolders(), includeSystemFonts: configuration.usesSystemFonts,
      cacheDirectory: configuration.fontDigestFolder)
    faces = registry.faces.map(Face.init)
    problems = registry.problems
  }

  /// The faces that a name in `font-family` selects: the name of a family or face in any language, a generic family, or a family with a
  /// metric-compatible substitute.
  public func faces(named name: String) -> [Face] {
    let family = GenericFontFamily(keyword: name).map(FontFamilyName.generic) ?? .named(ByteString(name))
    let found = Set(registry.faces(for: family).map(\.identifier))
    return zip(registry.faces, faces).filter { found.contains($0.0.identifier) }.map(\.1)
  }

  /// Files with the same contents as another file, and faces with the same name as an earlier face, which takes precedence.
  public var duplicates: [Duplicate] {
    var result = registry.duplicates.map { Duplicate(file: $0.path, of: $0.of, isSameFile: true) }
    var first: [String: Face] = [:]
    for face in faces {
      if let earlier = first[face.postScriptName] {
        result.append(Duplicate(file: face.file, of: earlier.file, isSameFile: false, postScriptName: face.postScriptName))
      } else {
        first[face.postScriptName] = face
      }
    }
    return result
  }

  /// A font that is present twice.
  public struct Duplicate: Hashable, Sendable, Codable {
    /// The redundant file.
    public var file: String
    /// The file that is used.
    public var of: String
    /// Whether the files are identical; otherwise only the names are.
    public var isSameFile: Bool
    /// The common name of faces that are otherwise different.
    public var postScriptName: String?
  }

  /// The faces with a glyph for every character of a text, ignoring spaces and joiners.
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
