import CSS
import CoreTypes
import DOM
import Images
import Layout
import Painting
import Resources
import Typography

/// A document of SVG that is a picture. It loads nothing but `data:` URLs. https://www.w3.org/TR/SVG2/conform.html#secure-static-mode
final class SVGPicture: VectorDrawing, @unchecked Sendable {
  private let scene: SVGScene
  private let root: NodeID
  private let natural: (width: Double, height: Double)?
  private let painter: () -> Painter
  /// A picture that shows itself shows nothing.
  private var isDrawing = false

  init(scene: SVGScene, root: NodeID, natural: (width: Double, height: Double)?, painter: @escaping () -> Painter) {
    self.scene = scene
    self.root = root
    self.natural = natural
    self.painter = painter
  }

  func bitmap(width: Int, height: Int, limits: Limits, deadline: Deadline) throws(ImageError) -> Bitmap {
    guard !isDrawing else { throw ImageError(.imageDamaged, "The SVG picture shows itself.") }
    isDrawing = true
    defer { isDrawing = false }
    do {
      return try painter().bitmap(
        of: scene, root: root, natural: natural, width: width, height: height, limits: limits, deadline: deadline)
    } catch let error as ImageError {
      throw error
    } catch let error as LimitExceeded {
      throw ImageError(.limitExceeded, "The SVG picture is over the limit of \(error.allowed) (\(error.limit)).")
    } catch {
      throw ImageError(.timedOut, "There was no time left to draw the SVG picture.")
    }
  }
}

extension PageResources {
  private static let deepest = 4

  /// Bytes of SVG as a styled document; nil where they are none.
  func svgScene(_ bytes: [UInt8], width: Double, height: Double) -> (scene: SVGScene, root: NodeID)? {
    guard let fontContext, svgDepth < Self.deepest else { return nil }
    svgDepth += 1
    defer { svgDepth -= 1 }
    var log = DiagnosticLog()
    guard let document = try? XMLDocumentParser.parse(SVGDocument.expanded(bytes), diagnostics: &log),
      !log.entries.contains(where: { $0.code == .notWellFormed })
    else { return nil }
    let root = document.documentElement
    guard !root.isNone, document[root].namespace == .svg, document[root].name == .svg else { return nil }
    var options = StyleEngine.Options(
      media: MediaEnvironment(type: .screen, width: width, height: height, resolution: 1, isDark: false))
    options.deadline = deadline
    guard let styled = try? StyleEngine.style(document, options: options, fontMetrics: FontMetricsAnswer(fonts: fontContext)) else {
      return nil
    }
    var pictures: [NodeID: DecodedImage] = [:]
    for index in document.nodes.indices where document.nodes[index].kind == .element && document.nodes[index].namespace == .svg {
      let node = NodeID(index)
      if let url = SVGDocument.pictureURL(node, document), url.utf8.prefix(5).elementsEqual("data:".utf8),
        let image = picture(url, shownAs: String(url.prefix(40))).image
      {
        pictures[node] = image
      }
    }
    return (SVGScene(styled, fonts: fontContext, deadline: deadline) { pictures[$0] }, root)
  }

  /// Makes a picture of SVG ready to be drawn.
  func completed(_ image: DecodedImage, _ bytes: [UInt8]) -> DecodedImage? {
    guard case .vector(var vector) = image.content else { return image }
    let size = (image.intrinsicWidth ?? 300, image.intrinsicHeight ?? 150)
    guard let (scene, root) = svgScene(bytes, width: size.0, height: size.1) else { return nil }
    var natural: (width: Double, height: Double)?
    if let width = image.intrinsicWidth, let height = image.intrinsicHeight { natural = (width, height) }
    vector.drawing = SVGPicture(scene: scene, root: root, natural: natural) { self.svgPainter }
    var result = image
    result.content = .vector(vector)
    return result
  }
}

enum SVGDocument {
  /// With its own entities written out.
  static func expanded(_ bytes: [UInt8]) -> [UInt8] { VectorImage.expanded(bytes) }

  /// What an `image` or `feImage` element shows.
  static func pictureURL(_ node: NodeID, _ document: Document) -> String? {
    let name = document.names[document[node].name]
    guard name.elementsEqual("image".utf8) || name.elementsEqual("feImage".utf8) else { return nil }
    guard let value = document.attribute(.href, of: node) ?? document.attribute(.href, .xlink, of: node) else { return nil }
    let trimmed = value.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    return trimmed.isEmpty || trimmed.first == UInt8(ascii: "#") ? nil : String(decoding: trimmed, as: UTF8.self)
  }
}
