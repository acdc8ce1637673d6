internal import OffprintCoreTypes
internal import Offprint
internal import OffprintResources

// A worker's messages as the owner parses them: any bytes lead to a value or to an error.

extension RenderResult {
  /// The image is the bulk; identifiers, key and dependencies are added by the owner.
  var frame: Frame {
    var writer = WireWriter()
    writer.add(width)
    writer.add(height)
    writer.add(diagnostics) { writer, diagnostic in
      writer.add(diagnostic.code.rawValue)
      writer.add(diagnostic.severity.rawValue)
      writer.add(diagnostic.message)
      writer.add(diagnostic.position) { writer, position in
        writer.add(position.source)
        writer.add(position.line)
        writer.add(position.column)
      }
    }
    writer.add(faces) { writer, face in
      writer.add(face.family)
      writer.add(face.postScriptName)
    }
    writer.add(timings) { writer, timing in
      writer.add(timing.stage.rawValue)
      writer.add(timing.milliseconds)
    }
    return Frame(kind: .image, values: writer.bytes, bulk: image)
  }

  init(_ frame: Frame, limits: Limits) throws(WireError) {
    var reader = WireReader(frame.values)
    let (width, height) = (try reader.integer(), try reader.integer())
    guard (1...max(1, limits.imageSide)).contains(width), (1...max(1, limits.imageSide)).contains(height) else {
      throw WireError("an image of \(width)×\(height) exceeds the limits")
    }
    let diagnostics = try reader.array { reader throws(WireError) in try Diagnostic(from: &reader) }
    let faces = try reader.array { reader throws(WireError) in
      FaceUsed(family: try reader.string(), postScriptName: try reader.string())
    }
    let timings = try reader.array { reader throws(WireError) in
      StageTiming(stage: try reader.named(RenderStage.self), milliseconds: try reader.double())
    }
    try reader.end()
    guard timings.allSatisfy({ $0.milliseconds.isFinite && $0.milliseconds >= 0 }) else { throw WireError("a time is invalid") }
    self.init(
      image: frame.bulk, wasCached: false, width: width, height: height, diagnostics: diagnostics, faces: faces, key: "")
    self.timings = timings
  }
}

extension Diagnostic {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    let code = Code(rawValue: try reader.string())
    let severity = try reader.named(Severity.self)
    let message = try reader.string()
    let position = try reader.optional { reader throws(WireError) in
      SourcePosition(source: try reader.string(), line: try reader.integer(), column: try reader.integer())
    }
    self.init(code, severity, message, at: position)
  }
}

extension OffprintError {
  var frame: Frame {
    var writer = WireWriter()
    writer.add(code.rawValue)
    writer.add(message)
    return Frame(kind: .failure, values: writer.bytes)
  }

  init(_ frame: Frame) throws(WireError) {
    var reader = WireReader(frame.values)
    let (code, message) = (try reader.named(Code.self), try reader.string())
    try reader.end()
    self.init(code, message)
  }
}

/// Messages about the resources a page loads.
enum ResourceMessage {
  static func question(_ url: String) -> Frame { Frame(kind: .load, values: Array(url.utf8)) }

  static func answer(_ result: Result<LoadedResource, ResourceError>) -> Frame {
    var writer = WireWriter()
    switch result {
    case .success(let resource):
      writer.add(true)
      writer.add(resource.mimeType) { $0.add($1) }
      return Frame(kind: .resource, values: writer.bytes, bulk: resource.bytes)
    case .failure(let error):
      writer.add(false)
      for text in [error.code.rawValue, error.url, error.message] { writer.add(text) }
      return Frame(kind: .resource, values: writer.bytes)
    }
  }

  /// Digest and modification time are determined by the owner, so the worker's copy has none.
  static func read(_ frame: Frame, _ url: ResourceURL) throws(WireError) -> Result<LoadedResource, ResourceError> {
    var reader = WireReader(frame.values)
    if try reader.flag() {
      let mimeType = try reader.optional { reader throws(WireError) in try reader.string() }
      return .success(LoadedResource(bytes: frame.bulk, url: url, mimeType: mimeType, digest: [], modified: 0))
    }
    let code = Diagnostic.Code(rawValue: try reader.string())
    return .failure(ResourceError(code, url: try reader.string(), try reader.string()))
  }
}

/// The settings a worker needs before its first page.
struct Configuration: Equatable {
  var fontFolders: [String]
  var usesSystemFonts: Bool
  var cacheFolder: String?
  /// The limit of its address space in bytes.
  var addressBytes: Int
  /// The process ID of the owner; the worker ends when it does.
  var owner: Int

  var frame: Frame {
    var writer = WireWriter()
    writer.add(fontFolders) { $0.add($1) }
    writer.add(usesSystemFonts)
    writer.add(cacheFolder) { $0.add($1) }
    writer.add(addressBytes)
    writer.add(owner)
    return Frame(kind: .configure, values: writer.bytes)
  }
}

extension Configuration {
  init(_ frame: Frame) throws(WireError) {
    var reader = WireReader(frame.values)
    fontFolders = try reader.array { reader throws(WireError) in try reader.string() }
    usesSystemFonts = try reader.flag()
    cacheFolder = try reader.optional { reader throws(WireError) in try reader.string() }
    (addressBytes, owner) = (try reader.integer(), try reader.integer())
    try reader.end()
  }
}

/// A worker's message that it is ready.
struct Handshake {
  var library: String
  var fontsDigest: String
  var report: IsolationReport

  var frame: Frame {
    var writer = WireWriter()
    writer.add(library)
    writer.add(fontsDigest)
    writer.add(report.layers) { writer, layer in
      writer.add(layer.layer.rawValue)
      writer.add(layer.isInForce)
      writer.add(layer.detail)
    }
    return Frame(kind: .ready, values: writer.bytes)
  }
}

extension Handshake {
  init(_ frame: Frame) throws(WireError) {
    var reader = WireReader(frame.values)
    (library, fontsDigest) = (try reader.string(), try reader.string())
    report = IsolationReport(
      layers: try reader.array { reader throws(WireError) in
        IsolationReport.State(
          layer: try reader.named(IsolationReport.Layer.self), isInForce: try reader.flag(), detail: try reader.string())
      })
    try reader.end()
  }
}
