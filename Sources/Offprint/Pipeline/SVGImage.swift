import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting
import OffprintResources
import OffprintTypography

/// An SVG document used as an image. It loads only `data:` URLs. https://www.w3.org/TR/SVG2/conform.html#secure-static-mode
final class SVGImage: VectorDrawing, @unchecked Sendable {
  private let scene: SVGScene
  private let root: NodeID
  private let natural: (width: Double, height: Double)?
  private let context: SVGDrawingContext
  private let view: SVGView?
  /// Whether it is being painted; an image that contains itself paints nothing.
  private var isDrawing = false

  init(
    scene: SVGScene, root: NodeID, natural: (width: Double, height: Double)?, fragment: String = "", _ context: SVGDrawingContext
  ) {
    view = scene.view(fragment)
    self.scene = scene
    self.root = root
    self.natural = natural
    self.context = context
  }

  func bitmap(width: Int, height: Int, isStretched: Bool, limits: Limits, deadline: Deadline) throws(ImageError) -> Bitmap {
    guard !isDrawing else { throw ImageError(.imageDamaged, "The SVG image contains itself.") }
    isDrawing = true
    defer { isDrawing = false }
    do {
      return try context.withPainter { painter in
        try painter.bitmap(
          of: scene, root: root, view: isStretched ? (view ?? SVGView()).stretched : view, natural: natural, width: width, height: height,
          limits: limits, deadline: deadline)
      }
    } catch let error as ImageError {
      throw error
    } catch let error as LimitExceeded {
      throw ImageError(.limitExceeded, "The SVG image exceeds the limit of \(error.allowed) (\(error.limit)).")
    } catch {
      throw ImageError(.timedOut, "Rendering the SVG image exceeded the time limit.")
    }
  }
}

extension PageResources {
  /// Parses and styles an SVG document.
  ///
  /// - Returns: The scene, with a diagnostic if an image in it could not be loaded.
  /// - Throws: `ImageError` if the bytes are not SVG, `LimitExceeded`, `DeadlineExceeded`.
  func svgScene(
    _ bytes: [UInt8], width: Double, height: Double, fragment: String = "", isDark: Bool = false
  ) throws -> (scene: SVGScene, root: NodeID, problem: Diagnostic?) {
    try svg.descend { () throws in
      var log = DiagnosticLog()
      let options = HTMLParserOptions(limits: limits)
      var document = try XMLDocumentParser.parse(SVGDocument.expanded(bytes), options: options, diagnostics: &log)
      guard !log.entries.contains(where: { $0.code == .notWellFormed }) else {
        throw ImageError(.imageDamaged, "The SVG image is not well-formed XML.")
      }
      if hasFrames { animationLengths.add(document.animationLengths) }
      document.animate(to: time)
      document.aim(at: fragment)
      let root = document.documentElement
      guard !root.isNone, document[root].namespace == .svg, document[root].name == .svg else {
        throw ImageError(.imageDamaged, "The SVG image has no root element.")
      }
      let nested = SVGNestedResources(self, isDark: isDark)
      let (styled, fonts) = try nested.style(document, width: width, height: height)
      if hasFrames { animationLengths.add(styled.animationLengths) }
      let images = try nested.images(styled)
      let scene = SVGScene(styled, fonts: fonts, images: images, deadline: deadline, limits: limits) { images.byNode[$0] }
      return (scene, root, nested.problem)
    }
  }

  /// Prepares an SVG image for painting.
  ///
  /// - Returns: The image, with a diagnostic if it is incomplete.
  func completed(
    _ image: DecodedImage, _ bytes: [UInt8], fragment: String = "", isDark: Bool = false
  ) throws -> (DecodedImage, Diagnostic?) {
    guard case .vector(var vector) = image.content else { return (image, nil) }
    let (scene, root, problem) = try svgScene(
      bytes, width: image.intrinsicWidth ?? 300, height: image.intrinsicHeight ?? 150, fragment: fragment, isDark: isDark)
    var natural: (width: Double, height: Double)?
    if let width = image.intrinsicWidth, let height = image.intrinsicHeight { natural = (width, height) }
    vector.drawing = SVGImage(scene: scene, root: root, natural: natural, fragment: fragment, svg)
    vector.fragment = fragment
    var result = image
    result.content = .vector(vector)
    return (result, problem)
  }
}

extension Document {
  /// Sets the target element (`:target`) to the one that the URL's fragment names.
  mutating func aim(at fragment: String) {
    guard !fragment.isEmpty else { return }
    let index = nodes.indices.first { index in
      nodes[index].kind == .element && attribute(.id, of: NodeID(index)).map { $0.elementsEqual(fragment.utf8) } == true
    }
    target = index.map { NodeID($0) } ?? .none
  }
}

enum SVGDocument {
  /// With internal XML entities expanded.
  static func expanded(_ bytes: [UInt8]) -> [UInt8] { VectorImage.expanded(bytes) }

  /// The URL of an `image` or `feImage` element.
  static func imageURL(_ node: NodeID, _ document: Document) -> String? {
    let name = document.names[document[node].name]
    guard name.elementsEqual("image".utf8) || name.elementsEqual("feImage".utf8) else { return nil }
    guard let value = document.attribute(.href, of: node) ?? document.attribute(.href, .xlink, of: node) else { return nil }
    let trimmed = value.trimmingSpaces
    return trimmed.isEmpty || trimmed.first == UInt8(ascii: "#") ? nil : String(decoding: trimmed, as: UTF8.self)
  }
}
