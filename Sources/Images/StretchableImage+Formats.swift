/// The formats in which other programs use stretchable images.
extension StretchableImage {
  public enum Format: String, Hashable, Sendable, CaseIterable {
    case png, ninePatch = "nine-patch", npTc, css, imageset, json
  }

  /// One of several output files.
  public struct File: Hashable, Sendable {
    public var name: String
    public var bytes: [UInt8]
  }

  /// The plain image.
  public func png() throws(ImageError) -> [UInt8] {
    try PNGEncoder.encode(bitmap, options: .init(compression: .small, scale: scale > 1 ? Double(scale) : nil))
  }

  /// The source form of an Android nine-patch (`.9.png`): a border of one pixel marks the stretchable parts (left and top) and the content
  /// area (right and bottom).
  ///
  /// https://developer.android.com/develop/ui/views/graphics/drawables#nine-patch
  public func ninePatch() throws(ImageError) -> [UInt8] {
    let (width, height, insets) = (bitmap.width, bitmap.height, pixelInsets)
    guard var framed = Bitmap(width: width + 2, height: height + 2) else { throw ImageError(.imageTooLarge, "There is not enough memory.") }
    framed.copy(bitmap, toX: 1, y: 1)
    let black: UInt32 = 0xff00_0000
    for x in insets.left..<(width - insets.right) { (framed[x + 1, 0], framed[x + 1, height + 1]) = (black, black) }
    for y in insets.top..<(height - insets.bottom) { (framed[0, y + 1], framed[width + 1, y + 1]) = (black, black) }
    return try PNGEncoder.encode(framed, options: .init(compression: .small))
  }

  /// The compiled form of an Android nine-patch: the plain image with a chunk that describes the stretchable parts.
  public func npTc() throws(ImageError) -> [UInt8] {
    try PNGEncoder.encode(bitmap, options: .init(compression: .small, chunks: [.init(type: .ninePatch, data: npTcChunk)]))
  }

  /// `Res_png_9patch` in its serialized form: big-endian, the divisions of both axes, the paddings, a color for each region.
  ///
  /// https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h
  var npTcChunk: [UInt8] {
    let insets = pixelInsets
    let columns = [insets.left, bitmap.width - insets.right], rows = [insets.top, bitmap.height - insets.bottom]
    let colors = Self.segments(rows, bitmap.height).flatMap { ys in Self.segments(columns, bitmap.width).map { regionColor($0, ys) } }
    var chunk: [UInt8] = [0, UInt8(columns.count), UInt8(rows.count), UInt8(clamping: colors.count)]
    func word(_ value: UInt32) { chunk += [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)] }
    let divisionsStart = 32
    word(UInt32(divisionsStart))
    word(UInt32(divisionsStart + 4 * columns.count))
    for padding in [insets.left, insets.right, insets.top, insets.bottom] { word(UInt32(clamping: padding)) }
    word(UInt32(divisionsStart + 4 * (columns.count + rows.count)))
    for division in columns + rows { word(UInt32(clamping: division)) }
    colors.forEach(word)
    return chunk
  }

  /// The nonempty segments into which the divisions split an axis.
  private static func segments(_ divisions: [Int], _ length: Int) -> [Range<Int>] {
    let bounds = [0] + divisions + [length]
    return zip(bounds, bounds.dropFirst()).compactMap { $0 < $1 ? $0..<$1 : nil }
  }

  /// The color of a uniform region, 0 if it is transparent, 1 (`NO_COLOR`) if it has several colors.
  private func regionColor(_ columns: Range<Int>, _ rows: Range<Int>) -> UInt32 {
    let first = bitmap[columns.lowerBound, rows.lowerBound]
    for y in rows { for x in columns where bitmap[x, y] != first { return 1 } }
    return PixelMath.unpremultiply(first)
  }

  /// A rule with the image as a border image. It is scaled without smoothing, because pixels next to a cap would bleed into its edge.
  ///
  /// https://www.w3.org/TR/css-backgrounds-3/#border-images
  /// - Parameters:
  ///   - url: The URL of the image; nil to embed it in the rule.
  ///   - outset: How many px of the image lie outside of the box, on each side.
  public func css(selector: String = ".stretchable", url: String? = nil, outset: Int = 0) throws(ImageError) -> String {
    let (slice, insets) = (pixelInsets, capInsets)
    let source = if let url { url } else { "data:image/png;base64,\(Base64.encode(try png()))" }
    func sides(_ insets: CapInsets, less: Int = 0) -> String {
      [insets.top, insets.right, insets.bottom, insets.left].map { "\(max(0, $0 - less))px" }.joined(separator: " ")
    }
    let place = outset > 0 ? " / \(sides(insets)) / \(outset)px" : ""
    return """
      \(selector) {
        border-style: solid;
        border-width: \(sides(insets, less: outset));
        border-image: url("\(source)") \
      \(slice.top) \(slice.right) \(slice.bottom) \(slice.left) fill\(place) stretch;
        image-rendering: pixelated;
      }

      """
  }

  /// The properties of the image, with the image itself in base64.
  public func json() throws(ImageError) -> String {
    let insets = capInsets
    return """
      {"width":\(bitmap.width),"height":\(bitmap.height),"scale":\(scale),\
      "capInsets":{"top":\(insets.top),"right":\(insets.right),"bottom":\(insets.bottom),"left":\(insets.left)},\
      "png":"\(Base64.encode(try png()))"}

      """
  }

  /// An image set of an asset catalog: `Contents.json` and an image for each scale.
  ///
  /// https://developer.apple.com/library/archive/documentation/Xcode/Reference/xcode_ref-Asset_Catalog_Format/ImageSetType.html
  /// - Parameter images: The same image at several scales.
  public static func imageSet(name: String, images: [StretchableImage]) throws(ImageError) -> [File] {
    var files: [File] = [], entries: [String] = []
    for image in images.sorted(by: { $0.scale < $1.scale }) {
      let file = image.scale == 1 ? "\(name).png" : "\(name)@\(image.scale)x.png"
      files.append(File(name: file, bytes: try image.png()))
      entries.append(image.imageSetEntry(file))
    }
    let contents = """
      {
        "images" : [
      \(entries.joined(separator: ",\n"))
        ],
        "info" : {
          "author" : "xcode",
          "version" : 1
        }
      }

      """
    return [File(name: "Contents.json", bytes: Array(contents.utf8))] + files
  }

  private func imageSetEntry(_ file: String) -> String {
    let insets = pixelInsets
    return """
          {
            "filename" : \(Self.quoted(file)),
            "idiom" : "universal",
            "resizing" : {
              "cap-insets" : {
                "bottom" : \(insets.bottom),
                "left" : \(insets.left),
                "right" : \(insets.right),
                "top" : \(insets.top)
              },
              "center" : {
                "height" : \(bitmap.height - insets.top - insets.bottom),
                "mode" : "stretch",
                "width" : \(bitmap.width - insets.left - insets.right)
              },
              "mode" : "9-part"
            },
            "scale" : "\(scale)x"
          }
      """
  }

  /// A JSON string.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// https://www.rfc-editor.org/rfc/rfc4648#section-4
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for i in 0..<4 { out.append(i <= group.count ? alphabet[word >> (18 - 6 * i) & 63] : UInt8(ascii: "=")) }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
