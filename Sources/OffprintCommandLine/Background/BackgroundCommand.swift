import OffprintCoreTypes
import ArgumentParser
import Offprint

struct BackgroundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "background", abstract: "Makes a small stretchable image with cap insets, from a color or a box of a page.",
    discussion: """
      From a color: a 5×5 image whose top right pixel has alpha 0.99. Stretched by its caps, it covers any bar and still counts as not opaque.

      From a page: the smallest image that can be stretched to the box of --selector at any size. The caps are found by comparing columns and \
      rows. Then the box is rendered at three other sizes, and its largest difference from the stretched image is printed.

      With one --scale, the output is one file or standard output. With several, -o is the name of the first file (box.png, box@2x.png, …); for \
      nine-patch and npTc it is the folder in which drawable-xhdpi and so on are created. Imagesets are folders, by default with scales 1, 2 and 3.

      Examples:
        offprint background '#336699' -o bar.png
        offprint background '#336699' --stretch 320x44 -o bar-320.png
        offprint background button.html --selector .button --format nine-patch -o button.9.png
        offprint background --html '<div style="border-radius:9px;background:teal">' --format css --css-selector .box -o box.css
        offprint background card.html --outset 12 --scale 1,2,3 -o card.png
      """)

  @Argument(help: ArgumentHelp("A CSS color, an HTML file, or - for a page from standard input.", valueName: "color|input"))
  var subject: String?
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("The output file, or - for standard output; for imageset a folder.", valueName: "file"))
  var output: String = "-"
  @Option(name: .customLong("format"), help: "png, nine-patch, npTc, css, imageset or json (default: png).")
  var format = StretchableBackground.Format.png
  @Option(name: .customLong("scale"), help: ArgumentHelp("Device px per CSS px, 1 to 4, or several: 1,2,3 (default: 1).", valueName: "n"))
  var scales: Scales?
  @Option(name: .customLong("stretch"), help: ArgumentHelp("Write the image stretched to this size, in device px.", valueName: "WxH"))
  var stretch: Size?
  @Option(
    name: .customLong("size"),
    help: ArgumentHelp("Size in px at scale 1 (default: 5x5); for a page, the size at which caps are found.", valueName: "WxH"))
  var size: Size?
  @Option(name: .customLong("css-selector"), help: ArgumentHelp("The selector of the CSS rule.", valueName: "css"))
  var cssSelector = ".stretchable"
  @Flag(name: .customLong("css-file"), help: "Write the image to a separate file beside the CSS instead of embedding it.")
  var cssFile = false

  @OptionGroup(title: "From a color") var plain: PlainOptions
  @OptionGroup(title: "From a page") var page: BoxOptions

  struct PlainOptions: ParsableArguments {
    @Option(name: .customLong("cap-insets"), help: ArgumentHelp("Unstretched edges: top,right,bottom,left.", valueName: "t,r,b,l"))
    var capInsets = Insets(values: [2, 2, 2, 2])
    @Option(name: .customLong("alpha"), help: ArgumentHelp("The alpha of the translucent pixel, 0 to 1.", valueName: "a")) var alpha = 0.99
    @Option(
      name: .customLong("pixel"), help: ArgumentHelp("The translucent pixel: a corner such as top-right, X,Y, or none.", valueName: "which")
    )
    var pixel = "top-right"
  }

  struct BoxOptions: ParsableArguments {
    @Option(name: .customLong("html"), help: ArgumentHelp("The page, as HTML text.", valueName: "text")) var html: String?
    @Option(
      name: .customLong("selector"), help: ArgumentHelp("Use the first element that matches (default: the body's first).", valueName: "css")
    )
    var selector: String?
    @Option(name: .customLong("outset"), help: ArgumentHelp("Px around the box to include, for example for a shadow.", valueName: "px"))
    var outset = 0
    @Flag(name: .customLong("exact"), help: "Fail if the stretched image differs from the box in any pixel.") var exact = false
    @Option(
      name: .customLong("css"), help: ArgumentHelp("A style sheet added after those of the page; may be repeated.", valueName: "file"))
    var css: [String] = []
    @Option(
      name: .customLong("allow-files"),
      help: ArgumentHelp("A folder from which files may be loaded (default: the input's); may be repeated.", valueName: "dir"))
    var allowFiles: [String] = []
    @OptionGroup var fonts: FontOptions
    @OptionGroup var network: NetworkOptions
  }

  mutating func validate() throws {
    if (subject == nil) == (page.html == nil) { throw ValidationError("Specify a color, a file, - for standard input, or --html.") }
    if !(0...1).contains(plain.alpha) { throw ValidationError("--alpha must be 0 to 1.") }
    if !(0...1000).contains(page.outset) { throw ValidationError("--outset must be 0 to 1000.") }
    if let size, size.width > 4096 || size.height > 4096 { throw ValidationError("--size must be at most 4096x4096.") }
    if stretch != nil && format != .png { throw ValidationError("--stretch writes a PNG and excludes --format.") }
    if stretch != nil && scales?.values.count ?? 1 > 1 { throw ValidationError("--stretch writes one PNG and takes one --scale.") }
    if cssFile && (format != .css || output == "-") { throw ValidationError("--css-file requires --format css and -o FILE.") }
    if output == "-" && format == .imageset { throw ValidationError("--format imageset requires -o FOLDER.") }
    if output == "-", scales?.values.count ?? 1 > 1, format != .css, format != .json {
      throw ValidationError("Several scales are written to several files and require -o.")
    }
  }

  mutating func run() throws {
    if format != .css && format != .json { try Output.checkImageTarget(output) }
    try Files.checkOutput(output, inputs: [subject].compactMap(\.self) + page.css)
    let background = try background()
    report(background)
    if page.exact && !(background.isExact && background.stretchesAcross && background.stretchesDown) {
      throw OffprintError(.renderFailed, "No stretchable image reproduces this box exactly, as --exact requires.")
    }
    if let stretch {
      return try Files.write(try background.stretched(width: stretch.width, height: stretch.height), to: output)
    }
    try write(background)
  }

  // MARK: Creating the background

  private func background() throws(OffprintError) -> StretchableBackground {
    let scales = scales?.values ?? (format == .imageset ? [1, 2, 3] : [1])
    switch try source() {
    case .color(let color):
      return try StretchableBackground(
        color: color, width: size?.width ?? 5, height: size?.height ?? 5, capInsets: plain.capInsets.values, alpha: plain.alpha,
        pixel: plain.pixel, scales: scales)
    case .page(let input):
      return try box(RenderRequest(PageSource(input), bytes: try Files.read(input)), scales)
    case .text(let html): return try box(RenderRequest(.text(name: "--html"), bytes: Array(html.utf8)), scales)
    }
  }

  /// The name of a color is a color even if a file has that name; use ./red for the file.
  private func source() throws(OffprintError) -> Source {
    if let html = page.html { return .text(html) }
    let subject = subject ?? "-"
    if let color = ColorArgument(argument: subject) { return .color(color.color) }
    if subject == "-" || Files.kind(subject) != nil { return .page(subject) }
    if subject.contains("/") || subject.hasSuffix(".html") || subject.hasSuffix(".htm") {
      throw OffprintError(.inputNotFound, "There is no file '\(subject)'.")
    }
    throw OffprintError(.usage, "'\(subject)' is neither a CSS color nor a file.")
  }

  private func box(_ page: RenderRequest, _ scales: [Int]) throws(OffprintError) -> StretchableBackground {
    var request = page
    for file in self.page.css { request.styleSheets.append(.init(name: file, css: try Files.read(file))) }
    if !self.page.allowFiles.isEmpty {
      request.allowedFolders = try self.page.allowFiles.map { path throws(OffprintError) in try Files.folder(path, for: "--allow-files") }
    }
    var options = StretchableBackground.BoxOptions()
    options.selector = self.page.selector
    (options.width, options.height) = (size?.width, size?.height)
    options.outset = self.page.outset
    options.scales = scales
    var configuration = try self.page.network.apply(to: self.page.fonts.configuration)
    configuration.workers = 1
    let renderer = try Renderer(configuration)
    defer { renderer.shutdown(isExiting: true) }
    return try StretchableBackground(boxOf: request, options, renderer: renderer)
  }

  private func report(_ background: StretchableBackground) {
    guard !background.comparisons.isEmpty else { return }
    let sizes = background.comparisons.map { comparison in
      let scale = comparison.scale == 1 ? "" : "@\(comparison.scale)x"
      return "\(comparison.width)x\(comparison.height)\(scale) "
        + (comparison.largestError == 0 ? "exact" : "off by \(comparison.largestError)")
    }
    let verdict =
      background.isExact ? "stretches exactly" : "does not stretch exactly: channels differ by up to \(background.largestError) of 255"
    Output.error("offprint: the box \(verdict) (\(sizes.joined(separator: ", "))).\(limits(of: background))")
  }

  /// Which axes cannot be stretched.
  private func limits(of background: StretchableBackground) -> String {
    switch (background.stretchesAcross, background.stretchesDown) {
    case (true, true): ""
    case (true, false): " All its rows differ: it can be stretched only horizontally."
    case (false, true): " All its columns differ: it can be stretched only vertically."
    case (false, false): " All its rows and columns differ: it cannot be stretched."
    }
  }

  // MARK: Output

  private func write(_ background: StretchableBackground) throws(OffprintError) {
    let isFolder = format == .imageset || background.scales.count > 1 && (format == .ninePatch || format == .npTc)
    let name = name(isFolder)
    let files = try background.files(format, name: name, selector: cssSelector, imageFile: cssFile)
    if isFolder {
      for file in files {
        let path = "\(output)/\(file.name)"
        try Files.makeFolder(String(path[..<(path.lastIndex(ofByte: "/") ?? path.startIndex)]))
        try Files.write(file.bytes, to: path)
      }
      return
    }
    for (index, file) in files.enumerated() {
      try Files.write(file.bytes, to: index == 0 ? output : Files.sibling(output, file.name))
    }
  }

  /// The base name of the output files: the output without its extensions, or the folder without `.imageset`.
  private func name(_ isFolder: Bool) -> String {
    var name = Files.name(output)
    for end in [".imageset", ".9.png", ".png", ".css", ".json"] where name.hasSuffix(end) && name.count > end.count {
      name.removeLast(end.count)
      break
    }
    if isFolder && format != .imageset { return "background" }
    return output == "-" || name.isEmpty ? "background" : name
  }
}

extension Files {
  /// The path of another file in the folder of `path`.
  fileprivate static func sibling(_ path: String, _ name: String) -> String {
    path.lastIndex(ofByte: "/").map { String(path[...$0]) + name } ?? name
  }
}
