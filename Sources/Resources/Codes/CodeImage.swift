import OffprintCoreTypes

/// A code as an SVG image in whole modules.
struct CodeImage {
  /// The values of the options.
  private struct Style {
    var margin: Int?
    var module: Double?
    var height = 80.0
    var level = QRLevel.medium
    var color = "#000"
    var background = "#fff"
  }

  /// - Throws: `resourceInvalidURL` for text that the code cannot represent and for invalid options, `resourceMissing` if libqrencode is
  ///   not installed.
  static func svg(_ url: CodeURL, shown: String) throws(ResourceError) -> [UInt8] {
    let style = try style(url, shown)
    switch url.kind {
    case .qr:
      let code = try QRCode(url.text, level: style.level, shown: shown)
      return square(code, style)
    case .ean13:
      guard let modules = EAN13.modules(url.text) else {
        throw CodeURL.invalid(shown, "requires 12 digits, or 13 with a valid check digit")
      }
      return bars(modules, margins: style.margin.map { ($0, $0) } ?? (11, 7), style)
    case .code128:
      guard let modules = Code128.modules(url.text) else { throw CodeURL.invalid(shown, "requires 1 to 200 ASCII characters") }
      return bars(modules, margins: style.margin.map { ($0, $0) } ?? (10, 10), style)
    }
  }

  private static func style(_ url: CodeURL, _ shown: String) throws(ResourceError) -> Style {
    var style = Style()
    for (name, value) in url.options {
      let isKnown: Bool
      switch name {
      case "margin":
        style.margin = Int(value)
        isKnown = style.margin.map { (0...100).contains($0) } ?? false
      case "module":
        style.module = Double(decimal: value)
        isKnown = style.module.map { $0 > 0 && $0 <= 100 } ?? false
      case "height":
        style.height = Double(decimal: value) ?? 0
        isKnown = url.kind != .qr && style.height > 0 && style.height <= 10_000
      case "level":
        let level = QRLevel(rawValue: value.uppercased())
        style.level = level ?? .medium
        isKnown = url.kind == .qr && level != nil
      case "color", "background":
        // Only letters, digits and the punctuation of color functions are allowed.
        isKnown = !value.isEmpty && value.utf8.count <= 100 && value.utf8.allSatisfy(isOfColor)
        if name == "color" { style.color = value } else { style.background = value }
      default: isKnown = false
      }
      guard isKnown else { throw CodeURL.invalid(shown, "has the option '\(name)=\(value)', which is unknown or out of range") }
    }
    return style
  }

  private static func isOfColor(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "#(),.%/ -+".utf8.contains(byte)
  }

  private static func square(_ code: QRCode, _ style: Style) -> [UInt8] {
    let margin = style.margin ?? 4, side = code.width + 2 * margin
    var path = ""
    for y in 0..<code.width {
      for run in runs(code.modules[(y * code.width)..<((y + 1) * code.width)]) {
        path += "M\(run.lowerBound + margin) \(y + margin)h\(run.count)v1h-\(run.count)z"
      }
    }
    let size = Double(side) * (style.module ?? 4)
    return document(width: size, height: size, box: "0 0 \(side) \(side)", ratio: "", path, style)
  }

  private static func bars(_ modules: [Bool], margins: (left: Int, right: Int), _ style: Style) -> [UInt8] {
    let side = modules.count + margins.left + margins.right
    let path = runs(modules[...]).map { "M\($0.lowerBound + margins.left) 0h\($0.count)v1h-\($0.count)z" }.joined()
    return document(
      width: Double(side) * (style.module ?? 2), height: style.height, box: "0 0 \(side) 1", ratio: " preserveAspectRatio=\"none\"", path,
      style)
  }

  /// The runs of dark modules, relative to the first module.
  private static func runs(_ modules: ArraySlice<Bool>) -> [Range<Int>] {
    var runs: [Range<Int>] = [], start: Int?
    for (index, isDark) in modules.enumerated() {
      if isDark, start == nil { start = index }
      if !isDark, let begin = start {
        runs.append(begin..<index)
        start = nil
      }
    }
    if let start { runs.append(start..<modules.count) }
    return runs
  }

  private static func document(width: Double, height: Double, box: String, ratio: String, _ path: String, _ style: Style) -> [UInt8] {
    Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="\(box)"\(ratio) shape-rendering="crispEdges">\
      <rect width="100%" height="100%" fill="\(style.background)"/><path fill="\(style.color)" d="\(path)"/></svg>
      """.utf8)
  }
}
