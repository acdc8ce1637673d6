public import OffprintCoreTypes
import OffprintRenderCache

/// A picture, and how it came about.
public struct RenderResult: Hashable, Sendable {
  /// The file, of the request's format.
  public var image: [UInt8]
  /// The request's.
  public var identifier: String?
  /// Whether it was known: from the cache, or because another request for the same was under way.
  public var wasCached: Bool
  /// Device px.
  public var width: Int
  /// Device px.
  public var height: Int
  /// What the engine noticed; with `.degraded` among them the picture lacks something and was not cached.
  public var diagnostics: [Diagnostic]
  /// The faces that its text was drawn with, in order of first use.
  public var faces: [FaceUsed]
  /// The cache key in hexadecimal.
  public var key: String
  /// What rendering it took, from its template to the last byte, without waiting for a worker; 0 from the cache.
  public var milliseconds = 0.0
  /// How long each stage took; from the cache those of preparing, waiting and looking up.
  public var timings: [StageTiming] = []
  /// Bytes of the picture, where these were left in the cache.
  var leftBytes: Int?
  /// Bytes of the picture, also where `image` is empty because nobody wanted it.
  package var byteCount: Int { leftBytes ?? image.count }
  /// What it was made of besides the request.
  var dependencies: [CacheDependency] = []

  public init(
    image: [UInt8], identifier: String? = nil, wasCached: Bool, width: Int, height: Int, diagnostics: [Diagnostic] = [],
    faces: [FaceUsed] = [], key: String
  ) {
    self.image = image; self.identifier = identifier; self.wasCached = wasCached; self.width = width; self.height = height
    self.diagnostics = diagnostics; self.faces = faces; self.key = key
  }

  /// Whether the picture lacks something.
  public var isDegraded: Bool { diagnostics.contains { $0.severity == .degraded } }
}

/// The image is base64, everything else as it is named.
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

/// A picture that is not encoded, as `Renderer.pixels` answers.
public struct PixelResult: Hashable, Sendable {
  /// Rows from the top, 4 bytes a pixel: red, green, blue, alpha, in sRGB, not premultiplied.
  public var pixels: [UInt8]
  /// Device px.
  public var width: Int
  /// Device px.
  public var height: Int
  /// What the engine noticed.
  public var diagnostics: [Diagnostic]
  /// The faces that its text was drawn with.
  public var faces: [FaceUsed]
  /// How long each stage took.
  public var timings: [StageTiming]
}

/// A face that text was drawn with.
public struct FaceUsed: Hashable, Sendable, Codable {
  /// The font's family.
  public var family: String
  /// The face's own name.
  public var postScriptName: String
  public init(family: String, postScriptName: String) { self.family = family; self.postScriptName = postScriptName }
}
