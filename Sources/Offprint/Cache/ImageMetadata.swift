import OffprintCoreTypes
import Synchronization

/// The metadata that is stored with an image: its diagnostics and the font faces it uses.
struct ImageMetadata: Sendable {
  var diagnostics: [Diagnostic] = []
  var faces: [FaceUsed] = []

  init(_ text: String) {
    guard let value = JSONValue(parsing: Array(text.utf8)) else { return }
    func texts(_ key: String) -> [[String]] {
      guard case .array(let items)? = value[key] else { return [] }
      return items.compactMap { item in if case .array(let parts) = item { parts.compactMap(\.string) } else { nil } }
    }
    diagnostics = texts("diagnostics").filter { $0.count >= 2 }.map {
      Diagnostic(.init(rawValue: $0[0]), $0.count > 2 ? .init(rawValue: $0[2]) ?? .note : .note, $0[1])
    }
    faces = texts("faces").filter { $0.count == 2 }.map { FaceUsed(family: $0[0], postScriptName: $0[1]) }
  }
}

/// Parses metadata. Images with the same faces have identical metadata, which is parsed once and cached. Thread-safe, with bounded memory.
final class ImageMetadataReader: Sendable {
  private let cached = Mutex<[String: ImageMetadata]>([:])
  private static let maximumBytes = 1024, maximumCount = 64

  func read(_ text: String) -> ImageMetadata {
    guard text.utf8.count <= Self.maximumBytes else { return ImageMetadata(text) }
    if let metadata = cached.withLock({ $0[text] }) { return metadata }
    let metadata = ImageMetadata(text)
    cached.withLock { cached in
      if cached.count >= Self.maximumCount { cached = [:] }
      cached[text] = metadata
    }
    return metadata
  }
}

extension RenderResult {
  mutating func set(_ metadata: ImageMetadata) { (diagnostics, faces) = (metadata.diagnostics, metadata.faces) }

  /// The serialized metadata, which is stored with the image. It contains at most 50 diagnostics, degraded ones first, because people read them.
  var metadata: String {
    let reported = (diagnostics.filter { $0.severity == .degraded } + diagnostics.filter { $0.severity == .note }).prefix(50).map {
      JSONValue.array([.string($0.code.rawValue), .string($0.message), .string($0.severity.rawValue)])
    }
    let used = faces.map { JSONValue.array([.string($0.family), .string($0.postScriptName)]) }
    return JSONValue.object(["diagnostics": .array(Array(reported)), "faces": .array(used)]).text
  }
}
