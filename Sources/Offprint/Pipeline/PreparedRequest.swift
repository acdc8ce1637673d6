import OffprintCoreTypes
import OffprintDOM
import Glibc
import OffprintRenderCache
import OffprintTypography

/// A request with its template expanded, and the key of its image.
struct PreparedRequest: Sendable {
  var request: RenderRequest
  /// After template expansion.
  var html: [UInt8]
  var key: CacheKey
  private var encoder: CanonicalEncoder

  /// Incremented whenever the same request can give different pixels or bytes than before.
  static let renderingRevision = 25

  /// - Throws: `usage`, `identifierInvalid`, `limitExceeded`, `timedOut`, `outputUnwritable`, and what a template can throw.
  init(_ request: RenderRequest, fonts: FontRegistry, deadline: Deadline) throws(OffprintError) {
    try Self.check(request)
    self.request = request
    do {
      html = try Self.expand(request, deadline)
    } catch {
      throw OffprintError(error, seconds: request.limits.seconds)
    }
    guard html.count <= request.limits.inputBytes else {
      throw OffprintError(
        .limitExceeded, "The page has \(html.count) bytes, more than the limit 'inputBytes' (\(request.limits.inputBytes)) allows.")
    }
    encoder = Self.key(request, html: html, fonts: fonts)
    key = encoder.key
    try save()
  }

  /// The parts of its key, for explanations.
  var keyParts: [CacheKeyPart] { encoder.parts }

  private static func check(_ request: RenderRequest) throws(OffprintError) {
    try ImageIdentifier.check(request.identifier)
    if request.saveHTMLFolder?.isEmpty == true { throw OffprintError(.usage, "The name of the folder for HTML is empty.") }
    for case .px(let length) in [request.width, request.height] where !(length > 0 && length <= Double(request.limits.imageSide)) {
      throw OffprintError(.usage, "Width and height must be above 0 and at most \(request.limits.imageSide) px.")
    }
    guard request.scale > 0 && request.scale <= 16 else { throw OffprintError(.usage, "The scale must be above 0 and at most 16.") }
    guard request.viewportHeight > 0 && request.viewportHeight <= 65_535 else {
      throw OffprintError(.usage, "The viewport height must be above 0 and at most 65535 px.")
    }
    if case .seconds(let seconds) = request.time, AnimationTime(seconds: seconds) == nil {
      throw OffprintError(.usage, "The time must be 0 to \(Int(AnimationTime.latest)) s, or the end of all animations.")
    }
    if let maximum = request.maxWidth, !(maximum > 0 && maximum <= Double(request.limits.imageSide)) {
      throw OffprintError(.usage, "The maximum width must be above 0 and at most \(request.limits.imageSide) px.")
    }
    if let clip = request.clip, !([clip.x, clip.y].allSatisfy(\.isFinite) && clip.width > 0 && clip.height > 0) {
      throw OffprintError(.usage, "A clip must be four numbers, with width and height above 0.")
    }
    if let size = request.pageSetup.size, !(size.width > 0 && size.width <= 19_200 && size.height > 0 && size.height <= 19_200) {
      throw OffprintError(.usage, "The width and height of a page must be above 0 and at most 19200 px (200 in).")
    }
    if let margins = request.pageSetup.margins,
      ![margins.top, margins.right, margins.bottom, margins.left].allSatisfy({ $0 >= 0 && $0 <= 19_200 })
    {
      throw OffprintError(.usage, "The margins of a page must be 0 to 19200 px.")
    }
    if request.encoding.isAnimated || request.encoding.animation != nil,
      let problem = (request.encoding.animation ?? AnimationEncoding()).problem(request.encoding.format)
    {
      throw OffprintError(.usage, problem)
    }
    if let quality = request.encoding.quality, !(0...100).contains(quality) {
      throw OffprintError(.usage, "The quality must be 0 to 100.")
    }
  }

  private static func expand(_ request: RenderRequest, _ deadline: Deadline) throws -> [UInt8] {
    try request.template?.expand(request, deadline: deadline) ?? request.html
  }

  /// Everything that can change a pixel, and nothing else: neither the identifier nor names. The contents of relative references are
  /// covered by the dependencies; that they may resolve differently, by the base.
  private static func key(_ request: RenderRequest, html: [UInt8], fonts: FontRegistry) -> CanonicalEncoder {
    var encoder = CanonicalEncoder(domain: "offprint/2")
    encoder.add("html", html)
    encoder.add("syntax", isXML(request, html) ? "xml" : "html")
    encoder.add("width", describe(request.width))
    encoder.add("height", describe(request.height))
    if request.height == .auto { encoder.add("viewportHeight", request.viewportHeight) }
    encoder.add("maxWidth", request.maxWidth)
    encoder.add("scale", request.scale)
    let color = request.background.rgba8
    encoder.add("background", "\(color.r),\(color.g),\(color.b),\(color.a)")
    encoder.add("selector", request.selector)
    encoder.add("clip", request.clip.map { "\($0.x),\($0.y),\($0.width),\($0.height)" })
    encoder.add("styleSheets") { fields in
      fields.append(count: request.styleSheets.count)
      request.styleSheets.forEach { fields.append($0.css) }
    }
    encoder.add("colorScheme", request.colorScheme.rawValue)
    encoder.add("media", request.media.rawValue)
    if !request.mediaFeatures.isEmpty { encoder.add("mediaFeatures", request.mediaFeatures.map(\.description)) }
    if !request.fatalDiagnostics.isEmpty { encoder.add("fatalDiagnostics", request.fatalDiagnostics.map(\.rawValue).sorted()) }
    if request.time != .start { encoder.add("time", request.time.description) }
    if request.hasWholeGlyphPositions { encoder.add("glyphPositions", "whole") }
    encoder.add("pageSetup", describe(request.pageSetup))
    encoder.add("base", request.basePath)
    encoder.add("allowedFolders", request.allowedFolders)
    encoder.add("allowedHosts", request.allowedHosts)
    let limits = request.limits
    encoder.add(
      "limits", [limits.depth, limits.nodes, limits.styleRules, limits.resources, limits.decodedBytes].map { "\($0)" })
    encoder.add("fonts", fonts.digest.hex)
    encoder.add("revision", renderingRevision)
    encoder.add("libraries", LibrarySet.current.digest)
    encoder.add("format", request.encoding.canonicalText)
    if let profile = request.encoding.effectiveProfile { encoder.add("profile", profile.bytes) }
    return encoder
  }

  /// Whether the page is parsed as XML: decided by the extension of its name, from which Chromium determines the type of a file; without a
  /// known extension, by its first bytes. A `.html` file may begin with an XML declaration.
  /// https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
  private static func isXML(_ request: RenderRequest, _ html: [UInt8]) -> Bool {
    let name = request.sourceName.lowercased()
    if [".xht", ".xhtml", ".xml"].contains(where: { name.hasSuffix($0) }) { return true }
    if [".html", ".htm"].contains(where: { name.hasSuffix($0) }) { return false }
    return XMLDocumentParser.looksLikeXML(html)
  }

  var isXML: Bool { Self.isXML(request, html) }

  private static func describe(_ length: PageLength) -> String {
    switch length {
    case .auto: "auto"
    case .px(let value): "\(value)"
    }
  }

  private static func describe(_ setup: RenderRequest.PageSetup) -> String? {
    guard setup != RenderRequest.PageSetup() else { return nil }
    let size = setup.size.map { "\($0.width),\($0.height)" } ?? "auto"
    return size + (setup.margins.map { " \($0.top),\($0.right),\($0.bottom),\($0.left)" } ?? "")
  }

  private func save() throws(OffprintError) {
    guard let folder = request.saveHTMLFolder else { return }
    let path = "\(folder)/\(key).html"
    mkdir(folder, 0o755)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw OffprintError(.outputUnwritable, "'\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    guard FileDescriptorIO.write(html, to: descriptor) == 0 else {
      throw OffprintError(.outputUnwritable, "'\(path)' could not be written completely.")
    }
  }
}
