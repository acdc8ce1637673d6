import OffprintCoreTypes
import OffprintImages
import OffprintPainting
import OffprintTypography

/// The state shared by the SVG images of a page. They use the fonts of the registry, never those of the page.
final class SVGDrawingContext {
  let registry: FontRegistry
  private(set) lazy var fonts = FontContext(fonts: FontSet(registry: registry))
  /// One for each nesting level of images, because a painter paints one list at a time.
  private var painters: [Painter] = []
  private var drawingDepth = 0
  /// The nesting depth of the image that is being parsed.
  private(set) var depth = 0
  private static let deepest = 4

  init(_ registry: FontRegistry) { self.registry = registry }

  /// Characters in the text of SVG images that are missing from all fonts, without duplicates.
  var missingCharacters: [UInt32] {
    painters.reduce(into: []) { all, painter in all += painter.missingCharacters.filter { !all.contains($0) } }
  }

  /// Why images in SVG images are not painted, or not filtered.
  private(set) var problems: [ImageError] = []

  /// Runs `body` one level deeper.
  ///
  /// - Throws: `limitExceeded` if the nesting is too deep.
  func descend<Value>(_ body: () throws -> Value) throws -> Value {
    guard depth < Self.deepest else {
      throw ImageError(.limitExceeded, "SVG images can be nested at most \(Self.deepest) deep.")
    }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  func withPainter<Value>(_ body: (Painter) throws -> Value) rethrows -> Value {
    if drawingDepth == painters.count { painters.append(Painter()) }
    let painter = painters[drawingDepth]
    drawingDepth += 1
    defer {
      drawingDepth -= 1
      for problem in painter.problems where problems.count < 16 && !problems.contains(problem) { problems.append(problem) }
    }
    return try body(painter)
  }
}
