/// The forms in which other programs take stretchable images.
extension StretchableImage {
  public enum Format: String, Hashable, Sendable, CaseIterable {
    case png, ninePatch = "nine-patch", npTc, css, imageset, json
  }

  /// A file of an answer that has several.
  public struct File: Hashable, Sendable {
    public var name: String
    public var bytes: [UInt8]
  }

  /// The plain picture.
  public func png() throws(ImageError) -> [UInt8] {
    try PNGEncoder.encode(bitmap, options: .init(compression: .small, scale: scale > 1 ? Double(scale) : nil))
  }

  /// The source form of an Android nine-patch (`.9.png`): a border of one pixel marks what is stretched (left and above) and where
  /// content goes (right and below).
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

  /// The compiled form of an Android nine-patch: the plain picture with a chunk that says what is stretched.
  public func npTc() throws(ImageError) -> [UInt8] {
    try PNGEncoder.encode(bitmap, options: .init(compression: .small, chunks: [.init(type: .ninePatch, data: npTcChunk)]))
  }

  /// `Res_png_9patch` in its file form: big-endian, the divisions of both axes, the paddings, a colour for each region.
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

  /// The segments the divisions make of an axis, without empty ones.
  private static func segments(_ divisions: [Int], _ length: Int) -> [Range<Int>] {
    let bounds = [0] + divisions + [length]
    return zip(bounds, bounds.dropFirst()).compactMap { $0 < $1 ? $0..<$1 : nil }
  }

  /// The colour of a region of one colour, 0 where it is transparent, 1 (`NO_COLOR`) where it has several.
  private func regionColor(_ columns: Range<Int>, _ rows: Range<Int>) -> UInt32 {
    let first = bitmap[columns.lowerBound, rows.lowerBound]
    for y in rows { for x in columns where bitmap[x, y] != first { return 1 } }
    return PixelMath.unpremultiply(first)
  }

  /// A rule with the picture as a border image. Nothing is smoothed: what lies beside a cap would shine through its edge.
  ///
  /// https://www.w3.org/TR/css-backgrounds-3/#border-images
  /// - Parameters:
  ///   - url: where the picture is; nil: in the rule itself.
  ///   - outset: how many px of the picture lie outside of the box, on each side.
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

  /// What is known of the image, with the picture itself as base64.
  public func json() throws(ImageError) -> String {
    let insets = capInsets
    return """
      {"width":\(bitmap.width),"height":\(bitmap.height),"scale":\(scale),\
      "capInsets":{"top":\(insets.top),"right":\(insets.right),"bottom":\(insets.bottom),"left":\(insets.left)},\
      "png":"\(Base64.encode(try png()))"}

      """
  }

  /// An image set of an asset catalog: `Contents.json` and a picture for each scale.
  ///
  /// https://developer.apple.com/library/archive/documentation/Xcode/Reference/xcode_ref-Asset_Catalog_Format/ImageSetType.html
  /// - Parameter images: the same image at several scales.
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
