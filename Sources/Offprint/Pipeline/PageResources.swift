import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting
import OffprintResources
import OffprintTypography

/// Loads the resources of one render. Each is loaded, parsed and decoded once, however many passes over the page use it.
///
/// Diagnostics are stored with their resource, because each pass has its own log and reports only what it uses.
final class PageResources {
  /// An image, or the reason why it is missing or incomplete.
  struct LoadedImage {
    var image: DecodedImage?
    var problem: Diagnostic?
    /// The image without its EXIF orientation, if it differs and was requested.
    var unoriented: DecodedImage?
    /// The image with a dark color scheme, if it was requested; an inner nil if it does not differ.
    var darkened: DecodedImage??
  }

  /// Fonts of the page, valid while its `@font-face` rules are unchanged.
  struct PageFonts {
    var rules: [FontFaceRule]
    var set: FontSet
    var problems: [Diagnostic]
  }

  let loader: ResourceLoader
  /// The base URL of relative references in the page.
  let base: ResourceURL?
  let deadline: Deadline
  /// The memory limit of all decoded images.
  private var budget: DecodingBudget
  /// By resolved URL without fragment, and by nesting depth for images within SVG images: nothing else about a page affects decoding.
  private var images: [ByteString: LoadedImage] = [:]
  /// Documents that masks, clip paths and filters refer to, by URL.
  private var documents: [ByteString: SVGScene?] = [:]
  let limits: Limits
  /// The time to which images are advanced.
  private(set) var time: AnimationTime
  /// How long animated images take, if the image that is rendered is an animation.
  var animationLengths = AnimationLengths()
  /// The keys of images that depend on the time.
  private var animatedImages: [String] = []
  let hasFrames: Bool
  let svg: SVGDrawingContext
  /// Shared with nested documents.
  private(set) var frames: FrameContext
  var sheets: StyleEngine.ParsedSheets?
  /// Diagnostics from loading `sheets`.
  var sheetProblems: [Diagnostic] = []
  /// Files of registry fonts that rules name with `local()`, by path.
  var localFonts: [ByteString: [UInt8]] = [:]
  var fonts: PageFonts?
  let fontFiles: WebFontFiles

  init(
    _ request: RenderRequest, loader: ResourceLoader, registry: FontRegistry, decodedImages: DecodedImageCache? = nil, deadline: Deadline
  ) {
    self.loader = loader
    limits = request.limits
    time = request.time
    svg = SVGDrawingContext(registry)
    fontFiles = WebFontFiles(unpackedBytes: request.limits.loadedBytes)
    frames = FrameContext()
    hasFrames = request.encoding.isAnimated
    base = request.basePath.flatMap { ResourceURL(basePath: $0) }
    budget = DecodingBudget(limits: request.limits, deadline: deadline, cache: decodedImages, time: request.time)
    self.deadline = deadline
  }

  /// For a nested document. It shares the limits of the outer document.
  init(in parent: PageResources, _ request: RenderRequest, base: ResourceURL?, registry: FontRegistry) {
    loader = parent.loader
    limits = request.limits
    time = request.time
    svg = SVGDrawingContext(registry)
    fontFiles = parent.fontFiles
    hasFrames = false
    frames = parent.frames
    self.base = base
    budget = parent.budget
    deadline = parent.deadline
  }

  /// Advances to a time of an animation: images that differ then are decoded again.
  func advance(to time: AnimationTime) {
    self.time = time
    for key in animatedImages { images[key] = nil }
    animatedImages = []
    documents = [:]
    frames = FrameContext()
    budget = DecodingBudget(limits: limits, deadline: deadline, cache: budget.cache, time: time)
  }

  /// Whether any image depends on the time.
  var hasAnimatedImages: Bool { !animatedImages.isEmpty || !documents.isEmpty }

  /// - Parameters:
  ///   - shown: The URL as written in the page.
  ///   - size: The estimated size it is painted at, in device pixels. Only the first request's estimate is used.
  func image(_ url: String, shownAs shown: String, size: (width: Double, height: Double)? = nil) -> LoadedImage {
    let whole = fullResolutionImage(url, shownAs: shown, size: size)
    guard let hash = url.firstIndex(ofByte: "#"), let image = whole.image, case .vector(let vector) = image.content else { return whole }
    let fragment = String(decoding: ResourceURL.percentDecoded(Array(url[url.index(after: hash)...].utf8)[...]), as: UTF8.self)
    guard !fragment.isEmpty else { return whole }
    // The fragment selects a part of an SVG document, or another state of it.
    let key = key(url) + "#" + fragment
    if let cached = images[key] { return cached }
    let loaded: LoadedImage
    do {
      let (image, problem) = try completed(image, vector.bytes, fragment: fragment)
      loaded = LoadedImage(image: image, problem: problem)
      if hasFrames { animatedImages.append(key) }
    } catch {
      loaded = LoadedImage(image: nil, problem: Self.problem(error, shown))
    }
    images[key] = loaded
    return loaded
  }

  private func fullResolutionImage(_ url: String, shownAs shown: String, size: (width: Double, height: Double)?) -> LoadedImage {
    let key = key(url)
    if let cached = images[key] { return cached }
    let loaded: LoadedImage
    do {
      let resource = try loader.load(url, relativeTo: base)
      let decoded = try ImageDecoder.decode(resource.bytes, within: &budget, shown: size)
      let (image, problem) = try completed(decoded, resource.bytes)
      loaded = LoadedImage(image: image, problem: image.isPartial ? Self.partial(shown) : problem)
      if hasFrames, isAnimated(image, resource.bytes) { animatedImages.append(key) }
    } catch {
      loaded = LoadedImage(image: nil, problem: Self.problem(error, shown))
    }
    images[key] = loaded
    return loaded
  }

  private func isAnimated(_ image: DecodedImage, _ bytes: [UInt8]) -> Bool {
    if case .vector = image.content { return true }
    let lengths = ImageDecoder.animationLengths(of: bytes)
    animationLengths.add(lengths)
    return lengths.longest > 0
  }

  /// The image without its EXIF orientation, for `image-orientation: none`; nil if it does not differ.
  func unoriented(_ url: String) -> DecodedImage? {
    let key = key(url)
    guard let loaded = images[key], let image = loaded.image, image.orientation != 1 else { return nil }
    if let cached = loaded.unoriented { return cached }
    let stored = image.unoriented(&budget)
    images[key]?.unoriented = stored
    return stored
  }

  /// An SVG image for elements with a dark color scheme; nil if it does not depend on the color scheme.
  ///
  /// https://drafts.csswg.org/mediaqueries-5/#prefers-color-scheme: in an embedded document, the preference is the color scheme of its
  /// element.
  func darkened(_ url: String) -> DecodedImage? {
    let key = key(url)
    guard let loaded = images[key], let image = loaded.image, case .vector(let vector) = image.content else { return nil }
    if let cached = loaded.darkened { return cached }
    let question = Array("color-scheme".utf8)
    let asks = vector.bytes.indices.contains { vector.bytes[$0] == question[0] && vector.bytes[$0...].starts(with: question) }
    let dark = asks ? try? completed(image, vector.bytes, isDark: true).0 : nil
    images[key]?.darkened = .some(dark)
    return dark
  }

  /// An external SVG document whose elements the page refers to; nil if it cannot be loaded or is not SVG.
  func document(_ url: String) -> SVGScene? {
    let key = key(url)
    if let cached = documents[key] { return cached }
    var scene: SVGScene?
    if let resource = try? loader.load(url, relativeTo: base), ImageFormat.sniff(resource.bytes) == .svg {
      scene = try? svgScene(resource.bytes, width: 300, height: 150).scene
    }
    documents[key] = .some(scene)
    return scene
  }

  /// The depth is part of the key because fewer nested images are allowed at greater depth.
  private func key(_ url: String) -> String { svg.depth == 0 ? address(url) : "\(svg.depth) \(address(url))" }

  private func address(_ url: String) -> String {
    if url.utf8.prefix(5).elementsEqual("data:".utf8) { return url }
    return (base?.resolving(url) ?? ResourceURL(url))?.withoutFragment.description ?? url
  }

  private static func partial(_ url: String) -> Diagnostic {
    Diagnostic("imageDamaged", .degraded, "The image '\(url.prefix(200))' ends early; only a part of it is rendered.")
  }

  private static func problem(_ error: any Error, _ url: String) -> Diagnostic {
    switch error {
    case let error as ResourceError: Diagnostic(error.code, .degraded, error.message)
    case let error as LimitExceeded:
      Diagnostic(
        "limitExceeded", .degraded,
        "The image '\(url.prefix(200))' is not rendered: it exceeds the limit of \(error.allowed) (limit '\(error.limit)').")
    case is DeadlineExceeded:
      Diagnostic("timedOut", .degraded, "The image '\(url.prefix(200))' is not rendered: decoding exceeded the time limit.")
    case let error as ImageError:
      Diagnostic(.init(rawValue: error.code.rawValue), .degraded, "The image '\(url.prefix(200))' is not rendered: \(error.message)")
    default: Diagnostic("resourceUnreadable", .degraded, "The image '\(url.prefix(200))' cannot be read.")
    }
  }
}
