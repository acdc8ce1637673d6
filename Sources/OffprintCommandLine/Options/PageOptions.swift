import ArgumentParser
import OffprintCoreTypes
import Offprint

/// The options for laying out and rendering a page.
struct PageOptions: ParsableArguments {
  @Option(
    name: [.customLong("width"), .customShort("w", allowingJoined: true)],
    help: ArgumentHelp("The page's width, or auto for the width of its content (default: 800).", valueName: "px|auto"))
  var width: PageLength?

  @Option(
    name: .customLong("height"),
    help: ArgumentHelp("The image's height, or auto for the height of the content (default: auto).", valueName: "px|auto"))
  var height: PageLength?

  @Option(name: .customLong("window-size"), help: ArgumentHelp("Set width and height.", valueName: "w,h"))
  var windowSize: WindowSize?

  @Option(
    name: .customLong("viewport-height"),
    help: ArgumentHelp(
      "With --height auto, the viewport's height, for vh, media queries and fixed boxes (default: 600).", valueName: "px"))
  var viewportHeight: Double?

  @Option(name: .customLong("max-width"), help: ArgumentHelp("With --width auto, the maximum width.", valueName: "px"))
  var maxWidth: Double?

  @Option(
    name: [.customLong("scale"), .customLong("device-scale-factor"), .customLong("zoom")],
    help: ArgumentHelp("Device px per CSS px, above 0 to 16 (default: 1).", valueName: "factor"))
  var scale: Double?

  @Option(name: .customLong("background"), help: ArgumentHelp("A CSS color or transparent (default: white).", valueName: "color"))
  var background: ColorArgument?

  @Flag(name: [.customLong("transparent"), .customLong("omit-background")], help: "Same as --background transparent.")
  var transparent = false

  @Option(name: .customLong("selector"), help: ArgumentHelp("Crop to the first element that matches.", valueName: "css"))
  var selector: String?

  @Option(name: .customLong("clip"), help: ArgumentHelp("Crop to a rectangle.", valueName: "x,y,w,h"))
  var clip: RenderRequest.Clip?

  @Option(
    name: [.customLong("css"), .customLong("stylesheet")],
    help: ArgumentHelp("A style sheet added after those of the page; may be repeated.", valueName: "file"))
  var css: [String] = []

  @Option(
    name: .customLong("template"),
    help: ArgumentHelp(
      "A template by name (built in: \(FastPath.isActive ? "" : Template.builtInNames.joined(separator: ", "))), "
        + "or a Mustache file; the input becomes its body.",
      valueName: "name|file"))
  var template: String?

  @OptionGroup var templates: TemplateOptions

  @Option(name: .customLong("set"), help: ArgumentHelp("A value for the template; may be repeated.", valueName: "key=value"))
  var set: [Assignment] = []

  @Option(name: .customLong("data"), help: ArgumentHelp("A JSON object for the template.", valueName: "file"))
  var data: String?

  @Option(name: .customLong("color-scheme"), help: "The value of prefers-color-scheme: light or dark (default: light).")
  var colorScheme: RenderRequest.ColorScheme?

  @Option(name: .customLong("media"), help: "The media type: screen or print (default: print for a PDF, else screen).")
  var media: RenderRequest.Media?

  @Option(
    name: .customLong("media-feature"),
    help: ArgumentHelp(
      "The value of a media feature, such as prefers-reduced-motion=reduce or color-gamut=p3; may be repeated.", valueName: "name=value"))
  var mediaFeatures: [MediaFeature] = []

  @Option(
    name: .customLong("glyph-positions"),
    help: "Glyph positions: subpixel, or whole for whole pixels and advances at scale 1 (default: subpixel).")
  var glyphPositions: RenderRequest.GlyphPositions?

  @Option(
    name: .customLong("page-size"),
    help: ArgumentHelp(
      "The page size of a PDF, such as A4, \"A5 landscape\" or \"210mm 297mm\" "
        + "(default: the size in @page, else A4; without @page, one page of the image's size).",
      valueName: "size"))
  var pageSize: RenderRequest.PageSetup.Size?

  @Option(
    name: .customLong("margin"),
    help: ArgumentHelp(
      "The page margins of a PDF, one to four lengths as in CSS (default: those in @page, else 0.4in).", valueName: "lengths"))
  var margin: RenderRequest.PageSetup.Margins?

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Render animations, transitions and animated images at this time: 500ms, 1.5s, or end, after all finite animations (default: 0).",
      valueName: "time"))
  var time: AnimationTime?

  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp(
      "The base of relative URLs: a folder, or a URL such as https://example.org/a/ (default: the input's folder). "
        + "Does not allow any files or hosts.",
      valueName: "folder"))
  var baseURL: String?

  @Option(
    name: .customLong("allow-files"),
    help: ArgumentHelp(
      "A folder from which files may be loaded (default: the input's, none for standard input); may be repeated.", valueName: "dir"))
  var allowFiles: [String] = []

  @OptionGroup var encoding: EncodingOptions

  @Option(
    name: .customLong("timeout"), help: ArgumentHelp("The maximum time of a render, such as 5s or 500ms (default: 10s).", valueName: "time")
  )
  var timeout: Seconds?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("A tag of the cache entry, for finding and removing groups of images; may be repeated.", valueName: "tag"))
  var tags: [String] = []

  @Flag(name: .customLong("strict"), help: "Treat a missing resource as an error, not a warning.")
  var strict = false

  @Option(
    name: .customLong("fail-on"),
    help: ArgumentHelp(
      "Treat this diagnostic as an error: scriptIgnored (the page needs scripts), missingGlyph, textClipped, fontUnreadable, "
        + "resourceMissing or resourceRefused; may be repeated.", valueName: "code"))
  var failOn: [RenderRequest.FatalDiagnostic] = []

  @Option(name: .customLong("save-html"), help: ArgumentHelp("Write the HTML of the expanded template to this folder.", valueName: "dir"))
  var saveHTML: String?

  @OptionGroup(title: "Limits") var limits: LimitOptions

  mutating func validate() throws {
    if let scale, !(scale > 0 && scale <= 16) { throw ValidationError("--scale must be above 0 and at most 16.") }
    if let viewportHeight, !(viewportHeight > 0 && viewportHeight <= 65_535) {
      throw ValidationError("--viewport-height must be above 0 and at most 65535.")
    }
    if let maxWidth, !(maxWidth > 0 && maxWidth <= 65_535) { throw ValidationError("--max-width must be above 0 and at most 65535.") }
    if selector != nil && clip != nil { throw ValidationError("--selector and --clip exclude each other.") }
    if transparent && background != nil { throw ValidationError("--transparent and --background exclude each other.") }
    if template == nil && !(set.isEmpty && data == nil) { throw ValidationError("--set and --data require --template.") }
    if let tag = tags.first(where: { !Self.isTag($0) }) {
      throw ValidationError("'\(tag)' is not a valid tag: use 1 to 200 bytes without control characters.")
    }
    if tags.count > 32 { throw ValidationError("An image can have at most 32 tags.") }
    if windowSize != nil && (width != nil || height != nil) { throw ValidationError("--window-size excludes --width and --height.") }
  }

  static func isTag(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
  }

  /// The limits of pages with these options.
  var allLimits: Limits {
    var all = Limits()
    limits.apply(to: &all)
    if let timeout { all.seconds = timeout.value }
    return all
  }

  /// - Parameter limits: The value of `allLimits`, if already known.
  /// - Throws: `inputNotFound` and similar errors for style sheets, templates, data and folders.
  func apply(to request: inout RenderRequest, limits known: Limits? = nil) throws(OffprintError) {
    request.limits = known ?? allLimits
    if let template { request.template = try templates.template(template) }
    for assignment in set { request.attributes[assignment.key] = assignment.value }
    if let data { request.data = try Files.readText(data) }
    do throws(OffprintError) {
      try request.takeTemplatePage()
    } catch {
      throw explaining(error, request.data)
    }
    request.width = windowSize?.width ?? width ?? request.width
    request.height = windowSize?.height ?? height ?? request.height
    request.viewportHeight = viewportHeight ?? request.viewportHeight
    request.maxWidth = maxWidth ?? request.maxWidth
    request.scale = scale ?? request.scale
    request.background = transparent ? .transparent : background?.color ?? request.background
    request.selector = clip == nil ? selector ?? request.selector : nil
    request.clip = clip
    for file in css { request.styleSheets.append(.init(name: file, css: try Files.read(file))) }
    request.colorScheme = colorScheme ?? request.colorScheme
    if let media { request.media = media }
    request.mediaFeatures += mediaFeatures
    request.time = time ?? request.time
    request.glyphPositions = glyphPositions ?? request.glyphPositions
    request.pageSetup = RenderRequest.PageSetup(size: pageSize ?? request.pageSetup.size, margins: margin ?? request.pageSetup.margins)
    request.encoding = try encoding.encoding()
    request.isStrict = strict
    request.fatalDiagnostics = Set(failOn)
    request.tags = tags
    request.saveHTMLFolder = saveHTML
    if let baseURL { request.basePath = try PageSource.base(baseURL) }
    if !allowFiles.isEmpty {
      request.allowedFolders = try allowFiles.map { path throws(OffprintError) in try Files.folder(path, for: "--allow-files") }
    }
  }
}

extension PageOptions {
  /// Adds what to do if `--data` of one page is a table.
  private func explaining(_ error: OffprintError, _ bytes: [UInt8]?) -> OffprintError {
    guard error.code == .dataInvalid, let data, let template, let bytes else { return error }
    let isArray = bytes.first { $0 > 0x20 } == UInt8(ascii: "[")
    guard isArray || [.csv, .tsv, .ndjson].contains(ListFormat(name: data, head: [])) else { return error }
    return OffprintError(
      .dataInvalid,
      "\(error.message) To render an image for each row of a table, use 'offprint batch --template \(Sentence.fit(template)) --data "
        + "\(Sentence.fit(data))'.")
  }
}

/// The source of a page.
enum PageSource {
  /// A file. Relative references are resolved against its folder, which may be read.
  case file(String)
  /// Standard input or the text of a job. Relative references are resolved against the working directory, and no files may be read.
  case text(name: String)

  /// The value of `--base-url`: a URL, or a folder.
  static func base(_ text: String) throws(OffprintError) -> String {
    text.hasPrefix("http://") || text.hasPrefix("https://") ? text : try Files.folder(text, for: "--base-url")
  }

  init(_ input: String) { self = input == "-" ? .text(name: "standard input") : .file(input) }
}

extension RenderRequest {
  init(_ source: PageSource, bytes: [UInt8]) {
    self.init(html: bytes)
    switch source {
    case .file(let path):
      sourceName = path
      basePath = Files.absolute(path)
      allowedFolders = [Files.folder(of: path)]
    case .text(let name):
      sourceName = name
      basePath = Files.folder(of: "./x")
    }
  }

  /// Reads and checks a page: a file, standard input, or a URL.
  ///
  /// - Parameter network: A configuration with the allowed hosts.
  /// - Returns: The request, and diagnostics about the page's source.
  static func reading(
    _ input: String, _ page: PageOptions, _ network: RendererConfiguration
  ) throws(OffprintError) -> (request: RenderRequest, notes: [Diagnostic]) {
    if RendererConfiguration.isAddress(input) {
      let request = try network.page(at: input, limits: page.allLimits)
      return (request, try PageInput.check(request.html, name: Files.displayName(input), isBody: page.template != nil))
    }
    let bytes = try Files.read(input, limit: page.allLimits.inputBytes, field: "inputBytes")
    return (
      RenderRequest(PageSource(input), bytes: bytes),
      try PageInput.check(bytes, name: Files.displayName(input), isBody: page.template != nil)
    )
  }
}
