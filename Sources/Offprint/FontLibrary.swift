import Typography

/// The faces a renderer of this configuration would have.
public struct FontLibrary: Sendable {
  public struct Face: Sendable {
    public var family: String
    public var fullName: String
    public var postScriptName: String
    /// As the font calls it: `Bold Italic`.
    public var style: String
    /// `400`, or `100–900` for a variable font.
    public var weight: String
    public var file: String
    /// The face as one JSON object.
    public var json: String
  }

  /// By family, weight and style.
  public let faces: [Face]
  /// Files that could not be read, a sentence each.
  public let problems: [String]

  /// - Throws: `inputNotFound` for a folder that is not there.
  public init(_ configuration: RendererConfiguration) throws(OffprintError) {
    let registry = FontRegistry(folders: try configuration.resolvedFontFolders(), includeSystemFonts: configuration.usesSystemFonts)
    faces = registry.faces.map(Face.init)
    problems = registry.problems
  }
}

extension FontLibrary.Face {
  init(_ face: FontFace) {
    let info = face.info
    family = info.family
    fullName = info.fullName
    postScriptName = info.postScriptName
    style = info.styleName
    weight = info.axis("wght").map { "\(Self.number($0.minimum))–\(Self.number($0.maximum))" } ?? Self.number(info.weight)
    file = face.path
    json = Self.json(face)
  }

  private static func number(_ value: Float) -> String { JSONText.number(Double(value)) }

  private static func json(_ face: FontFace) -> String {
    let info = face.info
    let axes = info.axes.map {
      "{\"tag\":\(JSONText.string($0.tag.description)),\"minimum\":\(number($0.minimum)),\"default\":\(number($0.defaultValue)),\"maximum\":\(number($0.maximum))}"
    }
    func list(_ tags: [FontTag]) -> String { "[\(tags.map { JSONText.string($0.description) }.joined(separator: ","))]" }
    return """
      {"family":\(JSONText.string(info.family)),"fullName":\(JSONText.string(info.fullName)),\
      "postScriptName":\(JSONText.string(info.postScriptName)),"style":\(JSONText.string(info.styleName)),\
      "weight":\(number(info.weight)),"stretch":\(number(info.stretch)),"italic":\(info.isItalic),"axes":[\(axes.joined(separator: ","))],\
      "features":\(list(face.features)),"scripts":\(list(face.scripts)),"coverage":\(face.coverageCount),"file":\(JSONText.string(face.path))}
      """
  }
}
