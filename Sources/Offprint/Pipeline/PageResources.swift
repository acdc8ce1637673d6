import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting
import OffprintResources
import OffprintTypography

/// Everything that one render loads, each thing loaded, parsed and decoded once however many passes over the page ask for it.
///
/// What is to be said of a resource is kept with it, because each pass has a log of its own: a pass tells of what it uses.
final class PageResources {
  /// A picture, or why there is none, or what it lacks.
  struct Picture {
    var image: DecodedImage?
    var problem: Diagnostic?
    /// The picture as it is stored, where that is another and was asked for.
    var unoriented: DecodedImage?
    /// The picture in the dark, where that was asked for; nil where it is the same.
    var darkened: DecodedImage??
  }

  /// Fonts of the page, for as long as its `@font-face` rules are the same.
  struct PageFonts {
    var rules: [FontFaceRule]
    var set: FontSet
    var problems: [Diagnostic]
  }

  let loader: ResourceLoader
  /// What relative references on the page are resolved against.
  let base: ResourceURL?
  let deadline: Deadline
  /// What all decoded pictures may hold together.
  private var budget: DecodingBudget
  /// By URL, resolved and without fragment, and in other pictures by how deep: nothing else about a page changes how a picture is decoded.
  private var pictures: [ByteString: Picture] = [:]
  /// Documents that masks, clip paths and filters refer to, by URL.
  private var documents: [ByteString: SVGScene?] = [:]
  let limits: Limits
  let svg: SVGPictureContext
  /// Shared with the documents in its frames.
  let frames: FrameContext
  var sheets: StyleEngine.ParsedSheets?
  /// What went wrong while `sheets` were loaded.
  var sheetProblems: [Diagnostic] = []
  /// Files of the registry that rules name with `local()`, by path.
  var localFonts: [ByteString: [UInt8]] = [:]
  var fonts: PageFonts?
  let fontFiles: WebFontFiles

  init(_ request: RenderRequest, loader: ResourceLoader, registry: FontRegistry, pictures: PictureCache? = nil, deadline: Deadline) {
    self.loader = loader
    limits = request.limits
    svg = SVGPictureContext(registry)
    fontFiles = WebFontFiles(unpackedBytes: request.limits.loadedBytes)
    frames = FrameContext()
    base = request.basePath.flatMap { ResourceURL(basePath: $0) }
    budget = DecodingBudget(limits: request.limits, deadline: deadline, cache: pictures)
    self.deadline = deadline
  }

  /// Of a document in a frame of another. Both together hold no more than one may.
  init(in parent: PageResources, _ request: RenderRequest, base: ResourceURL?, registry: FontRegistry) {
    loader = parent.loader
    limits = request.limits
    svg = SVGPictureContext(registry)
    fontFiles = parent.fontFiles
    frames = parent.frames
    self.base = base
    budget = parent.budget
    deadline = parent.deadline
  }

  /// - Parameters:
  ///   - shown: the URL as it stands on the page.
  ///   - size: how large it is probably drawn, in device pixels. Whoever asks first decides.
  func picture(_ url: String, shownAs shown: String, size: (width: Double, height: Double)? = nil) -> Picture {
    let whole = wholePicture(url, shownAs: shown, size: size)
    guard let hash = url.firstIndex(ofByte: "#"), let image = whole.image, case .vector(let vector) = image.content else { return whole }
    let fragment = String(decoding: ResourceURL.percentDecoded(Array(url[url.index(after: hash)...].utf8)[...]), as: UTF8.self)
    guard !fragment.isEmpty else { return whole }
    // A part of a document of SVG, or the document in another state.
    let key = key(url) + "#" + fragment
    if let known = pictures[key] { return known }
    let picture: Picture
    do {
      let (image, problem) = try completed(image, vector.bytes, fragment: fragment)
      picture = Picture(image: image, problem: problem)
    } catch {
      picture = Picture(image: nil, problem: Self.problem(error, shown))
    }
    pictures[key] = picture
    return picture
  }

  private func wholePicture(_ url: String, shownAs shown: String, size: (width: Double, height: Double)?) -> Picture {
    let key = key(url)
    if let known = pictures[key] { return known }
    let picture: Picture
    do {
      let resource = try loader.load(url, relativeTo: base)
      let decoded = try ImageDecoder.decode(resource.bytes, within: &budget, shown: size)
      let (image, problem) = try completed(decoded, resource.bytes)
      picture = Picture(image: image, problem: image.isPartial ? Self.partial(shown) : problem)
    } catch {
      picture = Picture(image: nil, problem: Self.problem(error, shown))
    }
    pictures[key] = picture
    return picture
  }

  /// The picture as it is stored, for `image-orientation: none`; nil where that is how it is shown.
  func unoriented(_ url: String) -> DecodedImage? {
    let key = key(url)
    guard let picture = pictures[key], let image = picture.image, image.orientation != 1 else { return nil }
    if let known = picture.unoriented { return known }
    let stored = image.unoriented(&budget)
    pictures[key]?.unoriented = stored
    return stored
  }

  /// A picture of SVG as elements of the dark scheme show it; nil where it does not ask.
  ///
  /// https://drafts.csswg.org/mediaqueries-5/#prefers-color-scheme: a document that is embedded prefers what its element is drawn in.
  func darkened(_ url: String) -> DecodedImage? {
    let key = key(url)
    guard let picture = pictures[key], let image = picture.image, case .vector(let vector) = image.content else { return nil }
    if let known = picture.darkened { return known }
    let question = Array("color-scheme".utf8)
    let asks = vector.bytes.indices.contains { vector.bytes[$0] == question[0] && vector.bytes[$0...].starts(with: question) }
    let dark = asks ? try? completed(image, vector.bytes, isDark: true).0 : nil
    pictures[key]?.darkened = .some(dark)
    return dark
  }

  /// Another SVG document that the page refers to elements of; nil where it cannot be had or is none.
  func document(_ url: String) -> SVGScene? {
    let key = key(url)
    if let known = documents[key] { return known }
    var scene: SVGScene?
    if let resource = try? loader.load(url, relativeTo: base), ImageFormat.sniff(resource.bytes) == .svg {
      scene = try? svgScene(resource.bytes, width: 300, height: 150).scene
    }
    documents[key] = .some(scene)
    return scene
  }

  /// In other pictures fewer fit in.
  private func key(_ url: String) -> String { svg.depth == 0 ? address(url) : "\(svg.depth) \(address(url))" }

  private func address(_ url: String) -> String {
    if url.utf8.prefix(5).elementsEqual("data:".utf8) { return url }
    return (base?.resolving(url) ?? ResourceURL(url))?.withoutFragment.description ?? url
  }

  private static func partial(_ url: String) -> Diagnostic {
    Diagnostic("imageDamaged", .degraded, "The picture '\(url.prefix(200))' ends early; what there is of it is drawn.")
  }

  private static func problem(_ error: any Error, _ url: String) -> Diagnostic {
    switch error {
    case let error as ResourceError: Diagnostic(error.code, .degraded, error.message)
    case let error as LimitExceeded:
      Diagnostic(
        "limitExceeded", .degraded,
        "The picture '\(url.prefix(200))' is not drawn: it is over the limit of \(error.allowed) (limit '\(error.limit)').")
    case is DeadlineExceeded:
      Diagnostic("timedOut", .degraded, "The picture '\(url.prefix(200))' is not drawn: there was no time left.")
    case let error as ImageError:
      Diagnostic(.init(rawValue: error.code.rawValue), .degraded, "The picture '\(url.prefix(200))' is not drawn: \(error.message)")
    default: Diagnostic("resourceUnreadable", .degraded, "The picture '\(url.prefix(200))' cannot be read.")
    }
  }
}
