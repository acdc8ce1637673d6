public import ArgumentParser
public import Offprint

struct BackgroundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "background", abstract: "Makes a small stretchable image of one colour that counts as translucent.",
    discussion: """
      A 5×5 image whose top right pixel has alpha 0.99: stretched by its caps, it covers any bar and still counts as not opaque.

      Example:
        offprint background '#336699' -o bar.png
        offprint background '#336699' --stretch 320x44 -o bar-320.png
      """)

  @Argument(help: ArgumentHelp("A CSS colour.", valueName: "color")) var color: ColorArgument
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("The file, or - for standard output; for imageset a folder.", valueName: "file"))
  var output: String = "-"
  @Option(name: .customLong("size"), help: ArgumentHelp("px at scale 1.", valueName: "WxH")) var size: Size = Size(width: 5, height: 5)
  @Option(name: .customLong("cap-insets"), help: ArgumentHelp("Unstretched edges: top,right,bottom,left.", valueName: "t,r,b,l"))
  var capInsets = Insets(values: [2, 2, 2, 2])
  @Option(name: .customLong("alpha"), help: ArgumentHelp("The alpha of the odd pixel, 0 to 1.", valueName: "a")) var alpha = 0.99
  @Option(
    name: .customLong("pixel"), help: ArgumentHelp("Which pixel that is: a corner such as top-right, X,Y, or none.", valueName: "which"))
  var pixel = "top-right"
  @Option(name: .customLong("scale"), help: ArgumentHelp("Device px per px, 1 to 4.", valueName: "n")) var scale = 1
  @Option(name: .customLong("stretch"), help: ArgumentHelp("Draw it stretched to this size.", valueName: "WxH")) var stretch: Size?
  @Option(name: .customLong("format"), help: "png, nine-patch, npTc, css, imageset or json (default: png).") var format =
    StretchableBackground.Format.png

  struct Size: ExpressibleByArgument, CustomStringConvertible {
    var width: Int
    var height: Int
    init(width: Int, height: Int) { self.width = width; self.height = height }
    init?(argument: String) {
      let parts = argument.split(separator: "x").map { Int($0) }
      guard parts.count == 2, let width = parts[0], let height = parts[1], (1...32_767).contains(width), (1...32_767).contains(height)
      else {
        return nil
      }
      self.init(width: width, height: height)
    }
    var description: String { "\(width)x\(height)" }
  }

  struct Insets: ExpressibleByArgument, CustomStringConvertible {
    var values: [Int]
    init(values: [Int]) { self.values = values }
    init?(argument: String) {
      let parts = argument.split(separator: ",").map { Int($0) }
      let values = parts.compactMap(\.self)
      guard parts.count == 4, values.count == 4, values.allSatisfy({ (0...10_000).contains($0) }) else { return nil }
      self.values = values
    }
    var description: String { values.map(String.init).joined(separator: ",") }
  }

  mutating func validate() throws {
    if !(0...1).contains(alpha) { throw ValidationError("--alpha is 0 to 1.") }
    if !(1...4).contains(scale) { throw ValidationError("--scale is 1 to 4.") }
    if stretch != nil && format != .png { throw ValidationError("--stretch gives a PNG: it excludes --format.") }
    if format == .imageset && output == "-" { throw ValidationError("--format imageset needs -o FOLDER.") }
  }

  mutating func run() throws {
    if format != .css && format != .json { try Output.checkPictureTarget(output) }
    let background = try StretchableBackground(
      color: color.color, width: size.width, height: size.height, capInsets: capInsets.values, alpha: alpha, pixel: pixel, scale: scale)
    if let stretch {
      return try Files.write(try background.stretched(width: stretch.width, height: stretch.height), to: output)
    }
    let files = try background.files(format)
    if format == .imageset {
      try Files.write(folder: output, files)
    } else if let first = files.first {
      try Files.write(first.bytes, to: output)
    }
  }
}

extension StretchableBackground.Format: ExpressibleByArgument {}
