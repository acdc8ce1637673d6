internal import COffprintCairo
import OffprintCoreTypes
import OffprintImages

/// Writes a display list as an SVG file. Text is written as glyphs with embedded outlines, so that the file looks the same everywhere,
/// independent of installed fonts.
struct SVGWriter {
  private let document: VectorDocument
  private let deadline: Deadline

  init(_ document: VectorDocument, deadline: Deadline) {
    self.document = document
    self.deadline = deadline
  }

  /// - Parameter makeCanvas: Creates the canvas for a cairo context.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`; `imageTooLarge` if out of memory.
  func write(_ background: Color?, _ makeCanvas: (OpaquePointer) -> VectorCanvas) throws -> (bytes: [UInt8], problems: [ImageError]) {
    guard let page = document.pages.first else { return ([], []) }
    let file = VectorFile(deadline: deadline)
    let canvas = try file.write(
      { take, pointer in cairo_svg_surface_create_for_stream(take, pointer, page.width, page.height) }
    ) { surface, context in
      cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
      let canvas = makeCanvas(context)
      if let background {
        canvas.setSource(background)
        cairo_paint(context)
      }
      let factor = 1 / document.scale
      let transform = AffineTransform(
        a: factor, b: 0, c: 0, d: factor, e: -Double(page.area.left) * factor, f: -Double(page.area.top) * factor)
      try canvas.draw(page.area, by: transform)
      return canvas
    }
    try deadline.check()
    return (try SVGNames.numbered(file.bytes, deadline), canvas.problems)
  }
}

/// Renumbers the identifiers in an SVG file. Cairo numbers them consecutively over the lifetime of the process; renumbering makes the
/// output reproducible.
enum SVGNames {
  /// - Throws: `DeadlineExceeded`.
  static func numbered(_ file: [UInt8], _ deadline: Deadline) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(file.count)
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    var index = 0
    while index < file.count {
      let byte = file[index]
      if index & 0xfffff == 0 { try deadline.check() }
      result.append(byte)
      index += 1
      // `id="name"`, `"#name"` or `url(#name)`. The file contains no text, and base64 contains neither quotes nor `#`.
      let isName =
        byte == UInt8(ascii: "#") && isReference(file, index)
        || byte == UInt8(ascii: "\"") && file[..<(index - 1)].suffix(4).elementsEqual(" id=".utf8)
      guard isName else { continue }
      let end = file[index...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ")") } ?? file.count
      let name = file[index..<end]
      let number = numbers[name] ?? numbers.count
      numbers[name] = number
      result.append(UInt8(ascii: "o"))
      result += Array("\(number)".utf8)
      index = end
    }
    return result
  }

  private static func isReference(_ file: [UInt8], _ index: Int) -> Bool {
    guard index >= 2 else { return false }
    return file[index - 2] == UInt8(ascii: "\"") || file[index - 2] == UInt8(ascii: "(")
  }
}
