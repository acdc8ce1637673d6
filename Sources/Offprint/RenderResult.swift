public import OffprintCoreTypes
import OffprintRenderCache

/// An image, with information about its render.
public struct RenderResult: Hashable, Sendable {
  /// The file in the request's format.
  public var image: [UInt8]
  /// The identifier of the request.
  public var identifier: String?
  /// Whether it was not rendered for this request: it was in the cache, or a concurrent request rendered it.
  public var wasCached: Bool
  /// Device px.
  public var width: Int
  /// Device px.
  public var height: Int
  /// The diagnostics of the render. If one is `.degraded`, the image is incomplete and was not cached.
  public var diagnostics: [Diagnostic]
  /// The faces used by its text, in order of first use.
  public var faces: [FaceUsed]
  /// The cache key in hexadecimal.
  public var key: String
  /// The rendering time from template expansion to the last byte, without waiting for a worker; 0 if cached.
  public var milliseconds = 0.0
  /// The duration of each stage; for a cached image, those of preparing, waiting and the lookup.
  public var timings: [StageTiming] = []
  /// The size of the image, if its bytes were not read from the cache.
  var leftBytes: Int?
  /// The size of the image, even if `image` is empty because its bytes were not requested.
  package var byteCount: Int { leftBytes ?? image.count }
  /// Resources it was rendered from, in addition to the request.
  var dependencies: [CacheDependency] = []

  public init(
    image: [UInt8], identifier: String? = nil, wasCached: Bool, width: Int, height: Int, diagnostics: [Diagnostic] = [],
    faces: [FaceUsed] = [], key: String
  ) {
    self.image = image; self.identifier = identifier; self.wasCached = wasCached; self.width = width; self.height = height
    self.diagnostics = diagnostics; self.faces = faces; self.key = key
  }

  /// Whether the image is incomplete.
  public var isDegraded: Bool { diagnostics.contains { $0.severity == .degraded } }
}

/// The image is encoded in base64, everything else by its name.
extension RenderResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case image, identifier, wasCached, width, height, diagnostics, faces, key, milliseconds, timings
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard let image = Base64.decode(try values.decode(String.self, forKey: .image)) else {
      throw DecodingError.dataCorruptedError(forKey: .image, in: values, debugDescription: "The image is not base64.")
    }
    self.init(
      image: image, identifier: try values.decodeIfPresent(String.self, forKey: .identifier),
      wasCached: try values.decode(Bool.self, forKey: .wasCached), width: try values.decode(Int.self, forKey: .width),
      height: try values.decode(Int.self, forKey: .height), diagnostics: try values.decode([Diagnostic].self, forKey: .diagnostics),
      faces: try values.decode([FaceUsed].self, forKey: .faces), key: try values.decode(String.self, forKey: .key))
    milliseconds = try values.decode(Double.self, forKey: .milliseconds)
    timings = try values.decode([StageTiming].self, forKey: .timings)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Base64.encode(image), forKey: .image)
    try values.encodeIfPresent(identifier, forKey: .identifier)
    try values.encode(wasCached, forKey: .wasCached)
    try values.encode(width, forKey: .width)
    try values.encode(height, forKey: .height)
    try values.encode(diagnostics, forKey: .diagnostics)
    try values.encode(faces, forKey: .faces)
    try values.encode(key, forKey: .key)
    try values.encode(milliseconds, forKey: .milliseconds)
    try values.encode(timings, forKey: .timings)
  }
}

/// An unencoded image, as returned by `Renderer.pixels`.
public struct PixelResult: Hashable, Sendable {
  /// Rows from top to bottom, 4 bytes per pixel: red, green, blue, alpha, in sRGB, not premultiplied.
  public var pixels: [UInt8]
  /// Device px.
  public var width: Int
  /// Device px.
  public var height: Int
  /// The diagnostics of the render.
  public var diagnostics: [Diagnostic]
  /// The faces used by its text.
  public var faces: [FaceUsed]
  /// The duration of each stage.
  public var timings: [StageTiming]
}

/// A face used by text.
public struct FaceUsed: Hashable, Sendable, Codable {
  /// The font's family.
  public var family: String
  /// The PostScript name of the face.
  public var postScriptName: String
  public init(family: String, postScriptName: String) { self.family = family; self.postScriptName = postScriptName }
}
