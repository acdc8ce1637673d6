internal import OffprintCoreTypes
internal import Offprint

/// A page as it is sent to a worker: everything that affects its image. The HTML is the bulk.
struct PageMessage {
  var request: RenderRequest
  /// The time left.
  var seconds: Double
  var tellsStages: Bool

  init(_ request: RenderRequest, seconds: Double, tellsStages: Bool) {
    self.request = request; self.seconds = seconds; self.tellsStages = tellsStages
  }

  var frame: Frame {
    var writer = WireWriter()
    writer.add(seconds)
    writer.add(tellsStages)
    request.write(to: &writer)
    return Frame(kind: .request, values: writer.bytes, bulk: request.html)
  }

  init(_ frame: Frame) throws(WireError) {
    var reader = WireReader(frame.values)
    seconds = try reader.double()
    tellsStages = try reader.flag()
    request = RenderRequest(html: frame.bulk)
    try request.read(from: &reader)
    try reader.end()
  }
}

/// Encodes everything except what the owner has processed (template, data, identifiers, the cache). A test ensures that no field is
/// forgotten.
extension RenderRequest {
  func write(to writer: inout WireWriter) {
    writer.add(sourceName)
    writer.add(basePath) { $0.add($1) }
    writer.add(allowedFolders) { $0.add($1) }
    writer.add(allowedHosts) { $0.add($1) }
    width.write(to: &writer)
    height.write(to: &writer)
    writer.add(viewportHeight)
    writer.add(maxWidth) { $0.add($1) }
    writer.add(scale)
    for component in [background.red, background.green, background.blue, background.alpha] { writer.add(Double(component)) }
    writer.add(selector) { $0.add($1) }
    writer.add(clip) { writer, clip in
      for side in [clip.x, clip.y, clip.width, clip.height] { writer.add(side) }
    }
    writer.add(styleSheets) { writer, sheet in
      writer.add(sheet.name)
      writer.add(sheet.css)
    }
    writer.add(colorScheme.rawValue)
    writer.add(mediaFeatures) { writer, feature in
      writer.add(feature.name)
      writer.add(feature.value)
    }
    writer.add(time.description)
    writer.add(glyphPositions.rawValue)
    writer.add(chosenMedia) { $0.add($1.rawValue) }
    writer.add(pageSetup.size) { writer, size in
      for side in [size.width, size.height] { writer.add(side) }
    }
    writer.add(pageSetup.margins) { writer, margins in
      for side in [margins.top, margins.right, margins.bottom, margins.left] { writer.add(side) }
    }
    writer.add(encoding.format.rawValue)
    writer.add(encoding.quality) { $0.add($1) }
    writer.add(encoding.isLossless)
    writer.add(encoding.isProgressive)
    writer.add(encoding.compression.rawValue)
    writer.add(encoding.profile) { $0.add($1.bytes) }
    writer.add(encoding.animation) { $1.write(to: &$0) }
    writer.add(isStrict)
    writer.add(fatalDiagnostics.map(\.rawValue).sorted()) { $0.add($1) }
    limits.write(to: &writer)
  }

  mutating func read(from reader: inout WireReader) throws(WireError) {
    sourceName = try reader.string()
    basePath = try reader.optional { reader throws(WireError) in try reader.string() }
    allowedFolders = try reader.array { reader throws(WireError) in try reader.string() }
    allowedHosts = try reader.array { reader throws(WireError) in try reader.string() }
    width = try PageLength(from: &reader)
    height = try PageLength(from: &reader)
    viewportHeight = try reader.double()
    maxWidth = try reader.optional { reader throws(WireError) in try reader.double() }
    scale = try reader.double()
    background = Color(
      red: Float(try reader.double()), green: Float(try reader.double()), blue: Float(try reader.double()),
      alpha: Float(try reader.double()))
    selector = try reader.optional { reader throws(WireError) in try reader.string() }
    clip = try reader.optional { reader throws(WireError) in
      Clip(x: try reader.double(), y: try reader.double(), width: try reader.double(), height: try reader.double())
    }
    styleSheets = try reader.array { reader throws(WireError) in StyleSheet(name: try reader.string(), css: try reader.byteArray()) }
    colorScheme = try reader.named(ColorScheme.self)
    mediaFeatures = try reader.array { reader throws(WireError) in
      guard let feature = MediaFeature(name: try reader.string(), value: try reader.string()) else {
        throw WireError("a media feature is invalid")
      }
      return feature
    }
    guard let time = AnimationTime(try reader.string()) else { throw WireError("the time is invalid") }
    self.time = time
    glyphPositions = try reader.named(GlyphPositions.self)
    chosenMedia = try reader.optional { reader throws(WireError) in try reader.named(Media.self) }
    pageSetup.size = try reader.optional { reader throws(WireError) in
      PageSetup.Size(width: try reader.double(), height: try reader.double())
    }
    pageSetup.margins = try reader.optional { reader throws(WireError) in
      PageSetup.Margins(top: try reader.double(), right: try reader.double(), bottom: try reader.double(), left: try reader.double())
    }
    encoding.format = try reader.named(EncodedImageFormat.self)
    encoding.quality = try reader.optional { reader throws(WireError) in try reader.integer() }
    encoding.isLossless = try reader.flag()
    encoding.isProgressive = try reader.flag()
    encoding.compression = try reader.named(ImageCompression.self)
    encoding.profile = try reader.optional { reader throws(WireError) in try reader.byteArray() }.flatMap { try? OutputProfile($0) }
    encoding.animation = try reader.optional { reader throws(WireError) in try AnimationEncoding(from: &reader) }
    isStrict = try reader.flag()
    fatalDiagnostics = Set(try reader.array { reader throws(WireError) in try reader.named(FatalDiagnostic.self) })
    try limits.read(from: &reader)
    cachePolicy = .none
  }
}

extension AnimationEncoding {
  fileprivate func write(to writer: inout WireWriter) {
    writer.add(duration) { $0.add($1) }
    writer.add(framesPerSecond)
    writer.add(plays) { $0.add($1) }
    writer.add(poster) { $0.add($1.description) }
    writer.add(isDithered)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init()
    duration = try reader.optional { reader throws(WireError) in try reader.double() }
    framesPerSecond = try reader.integer()
    plays = try reader.optional { reader throws(WireError) in try reader.integer() }
    poster = try reader.optional { reader throws(WireError) in try reader.string() }.flatMap { AnimationTime($0) }
    isDithered = try reader.flag()
  }
}

extension PageLength {
  fileprivate func write(to writer: inout WireWriter) {
    switch self {
    case .auto: writer.add(nil as Double?) { $0.add($1) }
    case .px(let length): writer.add(length as Double?) { $0.add($1) }
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self = try reader.optional { reader throws(WireError) in try reader.double() }.map { .px($0) } ?? .auto
  }
}

extension Limits {
  private static var counts: [WritableKeyPath<Limits, Int>] {
    [
      \.inputBytes, \.nodes, \.depth, \.styleRules, \.imageSide, \.imagePixels, \.resourceBytes, \.loadedBytes, \.resources,
      \.decodedPixels, \.decodedBytes, \.layerBytes, \.layoutDepth, \.boxes, \.fragments, \.pathSteps, \.templateSteps,
      \.frames, \.animationPixels,
    ]
  }

  fileprivate func write(to writer: inout WireWriter) {
    for count in Self.counts { writer.add(self[keyPath: count]) }
    writer.add(seconds)
  }

  fileprivate mutating func read(from reader: inout WireReader) throws(WireError) {
    for count in Self.counts { self[keyPath: count] = try reader.integer() }
    seconds = try reader.double()
  }
}
