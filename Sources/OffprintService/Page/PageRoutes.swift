import OffprintCoreTypes
import HTTPTypes
import Hummingbird
import NIOCore
import Offprint

/// The preview page and the files it loads, which are embedded in the program.
enum PageRoutes {
  private struct File: Sendable {
    var representation: Representation

    init(_ bytes: [UInt8], _ type: String) {
      let headers: HTTPFields = [
        .contentType: "\(type); charset=utf-8", .cacheControl: "no-cache", .contentSecurityPolicy: policy,
      ]
      representation = Representation(entityTag: EntityTag.of(SHA256.hash(bytes)), headers: headers, bytes: ByteBuffer(bytes: bytes))
    }
  }

  /// Allows only the page's own files, and images that it created.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'"

  private static let index = File(PackageResources.index_html, "text/html")
  private static let style = File(PackageResources.page_css, "text/css")
  private static let script = File(PackageResources.page_js, "text/javascript")

  private static func operation(_ id: String, _ summary: String, _ type: String) -> Operation {
    Operation(
      id, summary,
      responses: [
        "200": ["description": "The file", "content": .object([type: ["schema": ["type": "string"]]])], "304": OpenAPIDocument.notModified,
      ], refusals: [416])
  }

  static let routes: [ServiceRoute] = [
    ServiceRoute(.get, "/", .open, operation("page", "Returns the live preview page.", "text/html")) { _, call in
      index.representation.response(to: call.request)
    },
    ServiceRoute(.get, "/page.css", .open, operation("pageStyle", "Returns the style sheet of the preview page.", "text/css")) { _, call in
      style.representation.response(to: call.request)
    },
    ServiceRoute(.get, "/page.js", .open, operation("pageScript", "Returns the script of the preview page.", "text/javascript")) {
      _, call in
      script.representation.response(to: call.request)
    },
  ]
}
