import OffprintCoreTypes
import Synchronization

/// What is stored with an image: its diagnostics and the faces it uses.
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

/// Parses notes. Images with the same faces have identical notes, which are parsed once and cached. Thread-safe, with bounded memory.
final class ImageMetadataReader: Sendable {
  private let cached = Mutex<[String: ImageMetadata]>([:])
  private static let maximumBytes = 1024, maximumCount = 64

  func read(_ text: String) -> ImageMetadata {
    guard text.utf8.count <= Self.maximumBytes else { return ImageMetadata(text) }
    if let notes = cached.withLock({ $0[text] }) { return notes }
    let notes = ImageMetadata(text)
    cached.withLock { cached in
      if cached.count >= Self.maximumCount { cached = [:] }
      cached[text] = notes
    }
    return notes
  }
}

extension RenderResult {
  mutating func take(_ notes: ImageMetadata) { (diagnostics, faces) = (notes.diagnostics, notes.faces) }

  /// The serialized notes, stored with the image. At most 50 diagnostics, since they are for people.
  var metadata: String {
    let notes = (diagnostics.filter { $0.severity == .degraded } + diagnostics.filter { $0.severity == .note }).prefix(50).map {
      JSONValue.array([.string($0.code.rawValue), .string($0.message), .string($0.severity.rawValue)])
    }
    let used = faces.map { JSONValue.array([.string($0.family), .string($0.postScriptName)]) }
    return JSONValue.object(["diagnostics": .array(Array(notes)), "faces": .array(used)]).text
  }
}
