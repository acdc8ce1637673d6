import ArgumentParser
import CoreTypes
import Offprint

/// Which fonts pages see.
struct FontOptions: ParsableArguments {
  @Option(
    name: [.customLong("fonts"), .customLong("font-path")],
    help: ArgumentHelp("A folder of fonts, used besides the bundled ones; may be repeated.", valueName: "dir"))
  var fonts: [String] = []

  @Flag(name: .customLong("system-fonts"), help: "Use the machine's fonts as well: pictures then depend on where they are made.")
  var systemFonts = false

  var configuration: RendererConfiguration {
    var configuration = RendererConfiguration()
    configuration.fontFolders = fonts
    configuration.usesSystemFonts = systemFonts
    return configuration
  }
}

/// Fonts and the cache: what every rendering command takes.
struct EngineOptions: ParsableArguments {
  @OptionGroup var fonts: FontOptions

  @Option(name: .customLong("cache"), help: ArgumentHelp("The cache folder (default: $OFFPRINT_CACHE, or ./cache).", valueName: "dir"))
  var cache: String?

  @Flag(name: .customLong("no-cache"), help: "Neither read nor write the cache.")
  var noCache = false

  @Flag(name: .customLong("refresh"), help: "Render anew and store the result.")
  var refresh = false

  mutating func validate() throws {
    if noCache && refresh { throw ValidationError("--no-cache and --refresh exclude each other.") }
    if noCache && cache != nil { throw ValidationError("--no-cache and --cache exclude each other.") }
  }

  var policy: CachePolicy { noCache ? .none : refresh ? .refresh : .standard }

  func configuration(workers: Int = 1) -> RendererConfiguration {
    var configuration = fonts.configuration
    configuration.cacheFolder = noCache ? nil : cache ?? RendererConfiguration.defaultCacheFolder
    configuration.workers = workers
    return configuration
  }
}

/// How a page is laid out and drawn.
struct PageOptions: ParsableArguments {
  @Option(
    name: .customLong("width"), help: ArgumentHelp("The page's width, or auto: as narrow as its content allows.", valueName: "px|auto"))
  var width: PageLength?

  @Option(name: .customLong("height"), help: ArgumentHelp("The picture's height, or auto: the content's.", valueName: "px|auto"))
  var height: PageLength?

  @Option(name: .customLong("window-size"), help: ArgumentHelp("Width and height at once.", valueName: "w,h"))
  var windowSize: String?

  @Option(name: .customLong("max-width"), help: ArgumentHelp("With --width auto: the most it may become.", valueName: "px"))
  var maxWidth: Double?

  @Option(
    name: [.customLong("scale"), .customLong("device-scale-factor"), .customLong("zoom")],
    help: ArgumentHelp("Device px per CSS px, above 0 to 16 (default: 1).", valueName: "factor"))
  var scale: Double?

  @Option(name: .customLong("background"), help: ArgumentHelp("A CSS colour or transparent (default: white).", valueName: "color"))
  var background: ColorArgument?

  @Flag(name: [.customLong("transparent"), .customLong("omit-background")], help: "The same as --background transparent.")
  var transparent = false

  @Option(name: .customLong("selector"), help: ArgumentHelp("Crop to the first element that matches.", valueName: "css"))
  var selector: String?

  @Option(name: .customLong("clip"), help: ArgumentHelp("Crop to a rectangle.", valueName: "x,y,w,h"))
  var clip: RenderRequest.Clip?

  @Option(
    name: [.customLong("css"), .customLong("stylesheet")],
    help: ArgumentHelp("A style sheet added behind the page's own; may be repeated.", valueName: "file"))
  var css: [String] = []

  @Option(
    name: .customLong("template"),
    help: ArgumentHelp(
      "A built-in template (\(Template.builtInNames.joined(separator: ", "))) or a Mustache file that the input becomes the body of.",
      valueName: "name|file"))
  var template: String?

  @Option(name: .customLong("set"), help: ArgumentHelp("A value for the template; may be repeated.", valueName: "key=value"))
  var set: [Assignment] = []

  @Option(name: .customLong("data"), help: ArgumentHelp("A JSON object for the template.", valueName: "file"))
  var data: String?

  @Option(name: .customLong("color-scheme"), help: "What prefers-color-scheme answers: light or dark (default: light).")
  var colorScheme: RenderRequest.ColorScheme?

  @Option(name: .customLong("media"), help: "The medium of style sheets: screen or print (default: screen).")
  var media: RenderRequest.Media?

  @Option(
    name: .customLong("base-url"),
    help: ArgumentHelp("What relative references are resolved against (default: the input's folder).", valueName: "folder"))
  var baseURL: String?

  @Option(
    name: .customLong("allow-files"),
    help: ArgumentHelp("A folder that files may be loaded from (default: the input's); may be repeated.", valueName: "dir"))
  var allowFiles: [String] = []

  @Option(name: .customLong("timeout"), help: ArgumentHelp("The time a render may take, as 5s or 500ms (default: 10s).", valueName: "time"))
  var timeout: Seconds?

  @Flag(name: .customLong("strict"), help: "A missing resource is an error, not a warning.")
  var strict = false

  @Option(name: .customLong("save-html"), help: ArgumentHelp("Write the HTML after templates into this folder.", valueName: "dir"))
  var saveHTML: String?

  mutating func validate() throws {
    if let scale, !(scale > 0 && scale <= 16) { throw ValidationError("--scale is above 0 and at most 16.") }
    if let maxWidth, !(maxWidth > 0 && maxWidth <= 65_535) { throw ValidationError("--max-width is above 0 and at most 65535.") }
    if selector != nil && clip != nil { throw ValidationError("--selector and --clip exclude each other.") }
    if transparent && background != nil { throw ValidationError("--transparent and --background exclude each other.") }
    if template == nil && !(set.isEmpty && data == nil) { throw ValidationError("--set and --data are for --template.") }
    if windowSize != nil {
      if width != nil || height != nil { throw ValidationError("--window-size excludes --width and --height.") }
      let sides = (windowSize ?? "").split(whereSeparator: { $0 == "," || $0 == "x" }).map { PageLength(argument: String($0)) }
      guard sides.count == 2, let first = sides[0], let second = sides[1] else { throw ValidationError("--window-size is W,H.") }
      width = first
      height = second
    }
  }

  /// - Throws: `inputNotFound` and the like for style sheets, templates and data.
  func apply(to request: inout RenderRequest) throws(OffprintError) {
    if let template { request.template = try Self.template(template) }
    for assignment in set { request.attributes[assignment.key] = assignment.value }
    if let data { request.data = try Files.read(data) }
    request.width = width ?? request.width
    request.height = height ?? request.height
    request.maxWidth = maxWidth
    request.scale = scale ?? request.scale
    request.background = transparent ? .transparent : background?.color ?? request.background
    request.selector = selector
    request.clip = clip
    for file in css { request.styleSheets.append(.init(name: file, css: try Files.read(file))) }
    request.colorScheme = colorScheme ?? request.colorScheme
    request.media = media ?? request.media
    request.isStrict = strict
    request.saveHTMLFolder = saveHTML
    if let timeout { request.limits.seconds = timeout.value }
    if let baseURL { request.basePath = Files.absolute(baseURL.hasSuffix("/") ? baseURL : baseURL + "/") }
    if !allowFiles.isEmpty { request.allowedFolders = allowFiles.map(Files.absolute) }
    if case .builtIn(SnippetDefaults.name)? = request.template, width == nil { request.width = SnippetDefaults.width(request.attributes) }
  }

  static func template(_ name: String) throws(OffprintError) -> Template {
    if Template.builtInNames.contains(name) { return .builtIn(name) }
    do {
      return .mustache(source: String(decoding: try Files.read(name), as: UTF8.self), name: name)
    } catch {
      guard error.code == .inputNotFound else { throw error }
      throw OffprintError(
        .templateUnknown,
        "There is no template '\(name)': it is neither a file nor built in (\(Template.builtInNames.joined(separator: ", "))).")
    }
  }
}

extension RenderRequest {
  /// The request for an input named on the command line: its folder is where relative references lead, and may be read.
  init(input: String, bytes: [UInt8]) {
    self.init(html: bytes)
    sourceName = input == "-" ? "standard input" : input
    let folder = input == "-" ? Files.folder(of: "./x") : Files.folder(of: input)
    basePath = input == "-" ? folder : Files.absolute(input)
    allowedFolders = [folder]
  }
}
