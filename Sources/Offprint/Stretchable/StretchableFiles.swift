import OffprintCoreTypes
import OffprintImages

extension StretchableBackground {
  /// The files of a format at the image's scales. `name@2x.png` has a scale of 2; files for Android are in folders named by density.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - name: The file name without extension.
  ///   - selector: The selector of the rule, for `css`.
  ///   - imageFile: For `css`, whether the rule refers to image files, which are returned as well, instead of embedding the images.
  /// - Throws: `limitExceeded`, `renderFailed`.
  public func files(
    _ format: Format, name: String, selector: String = ".stretchable", imageFile: Bool = false
  ) throws(OffprintError) -> [(name: String, bytes: [UInt8])] {
    do {
      switch format {
      case .png: return try images.map { (Self.fileName(name, $0.scale), try $0.png()) }
      case .ninePatch: return try images.map { (androidName(name, $0.scale, ".9.png"), try $0.ninePatch()) }
      case .npTc: return try images.map { (androidName(name, $0.scale, ".png"), try $0.npTc()) }
      case .css:
        let files = imageFile ? try images.map { (Self.fileName(name, $0.scale), try $0.png()) } : []
        return [("\(name).css", Array(try css(selector, imageFile ? name : nil).utf8))] + files
      case .json: return [("\(name).json", Array(try json().utf8))]
      case .imageset: return try StretchableImage.imageSet(name: name, images: images).map { ($0.name, $0.bytes) }
      }
    } catch {
      throw OffprintError(stretchable: error)
    }
  }

  /// The files with the name `background`.
  public func files(_ format: Format) throws(OffprintError) -> [(name: String, bytes: [UInt8])] { try files(format, name: "background") }

  private static func fileName(_ name: String, _ scale: Int) -> String { scale == 1 ? "\(name).png" : "\(name)@\(scale)x.png" }

  /// https://developer.android.com/training/multiscreen/screendensities
  private func androidName(_ name: String, _ scale: Int, _ end: String) -> String {
    guard images.count > 1 else { return name + end }
    let density =
      switch scale {
      case 1: "mdpi"
      case 2: "xhdpi"
      case 3: "xxhdpi"
      case 4: "xxxhdpi"
      default: "\(160 * scale)dpi"
      }
    return "drawable-\(density)/\(name)\(end)"
  }

  /// A rule, and one for each larger scale in a media query.
  private func css(_ selector: String, _ name: String?) throws -> String {
    var text = ""
    for (index, image) in images.enumerated() {
      let rule = try image.css(selector: selector, url: name.map { Self.fileName(Self.escaped($0), image.scale) }, outset: outset)
      if index == 0 {
        text += rule
      } else {
        let minimum = Double(images[index - 1].scale + image.scale) / 2
        let lines = rule.split(byte: "\n").map { "  " + $0 }.joined(separator: "\n")
        text += "@media (min-resolution: \(JSONText.number(minimum))dppx) {\n\(lines)\n}\n"
      }
    }
    return text
  }

  /// Escapes for a quoted URL.
  private static func escaped(_ name: String) -> String {
    name.replacing("\\", with: "%5C").replacing("\"", with: "%22").replacing("\n", with: "%0A")
  }

  /// A single image without comparisons is an object. Several images, and images of a box, are arrays beside the comparisons.
  private func json() throws -> String {
    let objects = try images.map { try $0.json() }
    if objects.count == 1 && comparisons.isEmpty { return objects.joined() + "\n" }
    let list = objects.map { $0.filter { $0 != "\n" } }.joined(separator: ",")
    let compared = comparisons.map {
      "{\"width\":\($0.width),\"height\":\($0.height),\"scale\":\($0.scale),\"largestError\":\($0.largestError)}"
    }
    return
      "{\"images\":[\(list)],\"outset\":\(outset),\"stretchesAcross\":\(stretchesAcross),\"stretchesDown\":\(stretchesDown),\"exact\":\(isExact),\"largestError\":\(largestError),\"compared\":[\(compared.joined(separator: ","))]}\n"
  }
}
