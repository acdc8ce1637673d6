import OffprintCoreTypes
public import ArgumentParser
public import Offprint

/// The options for the format of images.
struct EncodingOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help:
      "png, webp, jpeg, avif, pdf, svg, or raw: red, green, blue and alpha of each pixel (default: by the output's file extension, else png)."
  )
  var format: PictureFormat?

  @Option(
    name: .customLong("quality"), help: ArgumentHelp("The quality of a WebP, JPEG or AVIF, 0 to 100 (default: 80).", valueName: "percent"))
  var quality: Int?

  @Flag(name: .customLong("lossless"), help: "Encode a WebP or AVIF without loss.")
  var lossless = false

  @Flag(name: .customLong("progressive"), help: "Encode a progressive JPEG.")
  var progressive = false

  @Option(
    name: .customLong("compression"), help: "The compression of a PNG: fast, balanced or small (default: balanced).")
  var compression: PictureCompression?

  @Option(
    name: .customLong("icc"),
    help: ArgumentHelp(
      "Convert colors to an ICC profile, and embed it in a PNG, WebP, JPEG or AVIF (default: sRGB).", valueName: "file"))
  var profile: String?

  mutating func validate() throws {
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
      throw OffprintError(
        .usage, "--format \(format.rawValue) does not match '\(Sentence.fit(Files.name(output)))'.")
    }
  }

  /// - Throws: `profileInvalid` for a file that is not a profile.
  func encoding() throws(OffprintError) -> PictureEncoding {
    var encoding = PictureEncoding(format ?? .png)
    encoding.quality = quality
    encoding.isLossless = lossless
    encoding.isProgressive = progressive
    encoding.compression = compression ?? .balanced
    if let profile { encoding.profile = try Self.read(profile) }
    return encoding
  }

  private static func read(_ file: String) throws(OffprintError) -> OutputProfile {
    let bytes = try Files.read(file)
    do { return try OutputProfile(bytes) } catch {
      throw OffprintError(.profileInvalid, "--icc: \(error.message) The file is '\(Sentence.fit(file))'.")
    }
  }
}

/// The format according to an output's name.
enum OutputFormat: Equatable {
  case known(PictureFormat)
  /// The extension, including its dot.
  case unknown(String)

  static let endings = ".png, .webp, .jpg, .jpeg, .avif, .pdf, .svg or .raw"

  /// Nil for standard output, devices and names without an extension.
  init?(name: String) {
    let file = Files.name(name)
    guard name != "-", !name.hasPrefix("/dev/"), let dot = file.lastIndex(ofByte: "."), dot > file.startIndex else { return nil }
    let ending = file[file.index(after: dot)...]
    guard !ending.isEmpty, ending.utf8.count <= 8, ending.utf8.contains(where: { !(48...57).contains($0) }) else { return nil }
    self = PictureFormat(fileExtension: ending).map { .known($0) } ?? .unknown(".\(ending)")
  }
}

extension PictureFormat: ExpressibleByArgument {
  public init?(argument: String) {
    guard let format = PictureFormat(fileExtension: argument) else { return nil }
    self = format
  }
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension PictureCompression: ExpressibleByArgument {}
