import OffprintCoreTypes
import Foundation
@testable import Offprint

/// The pages in `Pages`: small ones that together cover every feature.
enum OwnPages {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Pages")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".html") }.map { String($0.dropLast(5)) }.sorted()
  }()

  static func request(_ name: String) throws -> RenderRequest {
    var request = RenderRequest(html: Array(try Data(contentsOf: folder.appendingPathComponent(name + ".html"))))
    request.sourceName = name + ".html"
    request.width = .px(400)
    request.limits.seconds = 120
    return request
  }

  /// SHA-256 of the pixels, preceded by their size.
  static func digest(_ image: PixelResult) -> String {
    "\(image.width)x\(image.height) "
      + SHA256.hash(image.pixels).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension Renderer {
  /// One worker, no cache.
  static func alone(_ change: (inout RendererConfiguration) -> Void = { _ in }) throws -> Renderer {
    var configuration = RendererConfiguration()
    configuration.workers = 1
    change(&configuration)
    return try Renderer(configuration)
  }
}
