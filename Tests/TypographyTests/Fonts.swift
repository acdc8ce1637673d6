import OffprintCoreTypes
import Testing

@testable import OffprintTypography

/// The bundled fonts.
enum Fixture {
  static let folder = String(#filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }) + "/Fonts"
  static let registry = FontRegistry(folders: [folder])

  static func context() -> FontContext { FontContext(fonts: FontSet(registry: registry)) }

  static func description(_ family: String, size: Float = 16) -> FontDescription {
    FontDescription(families: [.named(ByteString(family))], size: size)
  }

  static let sans = description("Liberation Sans")

  static func bytes(_ file: String) -> [UInt8] {
    FontData(path: folder + "/" + file)?.withBytes { Array($0) } ?? []
  }
}

extension FontContext {
  func shape(
    _ text: String, _ description: FontDescription, isRightToLeft: Bool = false, letterSpacing: Float = 0, wordSpacing: Float = 0
  ) -> ShapedRun {
    shape(
      Array(text.utf8), font: font(description), isRightToLeft: isRightToLeft, letterSpacing: letterSpacing, wordSpacing: wordSpacing)
  }

  /// The family of the face that each segment of `text` uses.
  func families(_ text: String, _ description: FontDescription) -> [String] {
    shape(text, description).segments.map(\.face.face.info.family)
  }
}
