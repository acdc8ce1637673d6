import OffprintCoreTypes
public import ArgumentParser
public import Offprint

/// The options for the format of images.
struct EncodingOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help:
      "png, apng, gif, webp, jpeg, avif, pdf, svg, or raw: red, green, blue and alpha of each pixel (default: by the output's file extension, else png)."
  )
  var format: EncodedImageFormat?

  @Option(
    name: .customLong("quality"), help: ArgumentHelp("The quality of a WebP, JPEG or AVIF, 0 to 100 (default: 80).", valueName: "percent"))
  var quality: Int?

  @Flag(name: .customLong("lossless"), help: "Encode a WebP or AVIF without loss.")
  var lossless = false

  @Flag(name: .customLong("progressive"), help: "Encode a progressive JPEG.")
  var progressive = false

  @Option(
    name: .customLong("compression"), help: "The compression of a PNG or APNG: fast, balanced or small (default: balanced).")
  var compression: ImageCompression?

  @Option(
    name: .customLong("icc"),
    help: ArgumentHelp(
      "Convert colors to an ICC profile, and embed it in a PNG, WebP, JPEG or AVIF (default: sRGB).", valueName: "file"))
  var profile: String?

  @Flag(name: .customLong("animate"), help: "Render a PNG, WebP or AVIF as an animation; APNG and GIF always are.")
  var animate = false

  @Option(
    name: .customLong("duration"),
    help: ArgumentHelp(
      "The length of an animation, such as 2s or 500ms (default: the longest finite animation of the page, or one period).",
      valueName: "time"))
  var duration: Seconds?

  @Option(
    name: .customLong("fps"),
    help: ArgumentHelp("Frames per second of an animation, 1 to 60, for GIF 1 to 50 (default: 20).", valueName: "n"))
  var framesPerSecond: Int?

  @Option(
    name: .customLong("loop"),
    help: ArgumentHelp("How often an animation is shown: a number or forever (default: forever).", valueName: "n"))
  var loop: Repetitions?

  @Option(
    name: .customLong("poster"),
    help: ArgumentHelp(
      "The time of the image in an animated PNG that other programs show: 500ms, 1.5s, or end (default: the first frame).",
      valueName: "time"))
  var poster: AnimationTime?

  @Flag(name: .customLong("dither"), help: "Dither the colors of a GIF that are not in its palette.")
  var dither = false

  mutating func validate() throws {
    if let framesPerSecond, !(1...60).contains(framesPerSecond) { throw ValidationError("--fps must be 1 to 60.") }
    if let quality, !(0...100).contains(quality) { throw ValidationError("--quality must be 0 to 100.") }
    if lossless && quality != nil { throw ValidationError("--lossless and --quality exclude each other.") }
  }

  /// Sets the format by the output's extension if none is specified.
  ///
  /// - Throws: `usage` for the extension of another kind of file, or one that contradicts the specified format.
  mutating func settle(output: String) throws(OffprintError) {
    guard let named = OutputFormat(name: output) else { return }
    switch named {
    case .unknown(let ending):
      guard format == nil else { return }
      throw OffprintError(
        .usage,
        "'\(Sentence.fit(ending))' is not a known image format: use \(OutputFormat.endings). Set --format for other file extensions.")
    case .known(let known):
      guard let format, format != known else { return format = known }
      // Files of animated PNGs usually end in .png.
      if format == .apng, known == .png { return }
      throw OffprintError(
        .usage, "--format \(format.rawValue) does not match '\(Sentence.fit(Files.name(output)))'.")
    }
  }

  /// - Throws: `profileInvalid` for a file that is not a profile.
  func encoding() throws(OffprintError) -> ImageEncoding {
    var encoding = ImageEncoding(format ?? .png)
    encoding.quality = quality
    encoding.isLossless = lossless
    encoding.isProgressive = progressive
    encoding.compression = compression ?? .balanced
    if let profile { encoding.profile = try Self.read(profile) }
    setAnimation(&encoding)
    return encoding
  }

  /// An image is an animation if an option of animations is specified.
  private func setAnimation(_ encoding: inout ImageEncoding) {
    if animate || duration != nil || framesPerSecond != nil || loop != nil || poster != nil {
      encoding.animate {
        $0.duration = duration?.value
        $0.framesPerSecond = framesPerSecond ?? AnimationEncoding.standardRate
        $0.plays = loop?.count
        $0.poster = poster
      }
    }
    if dither, encoding.format == .gif { encoding.animate { $0.isDithered = true } }
  }

  private static func read(_ file: String) throws(OffprintError) -> OutputProfile {
    let bytes = try Files.read(file)
    do { return try OutputProfile(bytes) } catch {
      throw OffprintError(.profileInvalid, "--icc: \(error.message) The file is '\(Sentence.fit(file))'.")
    }
  }
}

/// How often an animation is shown: a number, or `forever`.
struct Repetitions: ExpressibleByArgument, Hashable {
  /// Nil if forever.
  var count: Int?

  init?(argument: String) {
    if argument == "forever" { return }
    guard let number = Int(argument), (1...65_535).contains(number) else { return nil }
    count = number
  }
}

/// The format according to an output's name.
enum OutputFormat: Equatable {
  case known(EncodedImageFormat)
  /// The extension, including its dot.
  case unknown(String)

  static let endings = ".png, .apng, .gif, .webp, .jpg, .jpeg, .avif, .pdf, .svg or .raw"

  /// Nil for standard output, devices and names without an extension.
  init?(name: String) {
    let file = Files.name(name)
    guard name != "-", !name.hasPrefix("/dev/"), let dot = file.lastIndex(ofByte: "."), dot > file.startIndex else { return nil }
    let ending = file[file.index(after: dot)...]
    guard !ending.isEmpty, ending.utf8.count <= 8, ending.utf8.contains(where: { !(48...57).contains($0) }) else { return nil }
    self = EncodedImageFormat(fileExtension: ending).map { .known($0) } ?? .unknown(".\(ending)")
  }
}

extension EncodedImageFormat: ExpressibleByArgument {
  public init?(argument: String) {
    guard let format = EncodedImageFormat(fileExtension: argument) else { return nil }
    self = format
  }
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension ImageCompression: ExpressibleByArgument {}
