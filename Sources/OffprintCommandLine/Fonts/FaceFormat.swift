import OffprintCoreTypes
import ArgumentParser
import Offprint

/// `--format` of `fonts`: text with names of a face's properties in braces; `{{` is a literal brace.
struct FaceFormat {
  private enum Part {
    case text(String)
    case field(String)
  }
  private var parts: [Part] = []

  /// - Throws: `ValidationError` for an unknown name.
  init(_ format: String) throws {
    var rest = format[...]
    while let open = rest.firstIndex(ofByte: "{") {
      parts.append(.text(String(rest[..<open])))
      rest = rest[rest.index(after: open)...]
      if rest.first == "{" {
        parts.append(.text("{"))
        rest = rest.dropFirst()
        continue
      }
      guard let close = rest.firstIndex(ofByte: "}") else { throw ValidationError("--format has an unclosed brace.") }
      let name = String(rest[..<close])
      guard FontLibrary.Face.fields.contains(name) else {
        throw ValidationError(
          "--format has no field '{\(name.prefix(100))}'; the fields are \(FontLibrary.Face.fields.joined(separator: ", ")).")
      }
      parts.append(.field(name))
      rest = rest[rest.index(after: close)...]
    }
    parts.append(.text(String(rest)))
  }

  func line(_ face: FontLibrary.Face) -> String {
    parts.map {
      switch $0 {
      case .text(let text): text
      case .field(let name): Sentence.printable(face.field(name) ?? "")
      }
    }.joined()
  }
}
