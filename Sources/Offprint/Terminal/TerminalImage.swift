import OffprintCoreTypes
import OffprintImages

/// Protocols for showing an image at the terminal's cursor position.
public enum TerminalImage: String, Hashable, Sendable, CaseIterable {
  /// https://sw.kovidgoyal.net/kitty/graphics-protocol/
  case kitty
  /// https://iterm2.com/documentation-images.html
  case iterm2
  /// https://vt100.net/docs/vt3xx-gp/chapter14.html
  case sixel

  /// The bytes to write.
  ///
  /// - Parameters:
  ///   - png: A PNG file.
  ///   - width: Its width in px.
  ///   - terminalWidth: The terminal's width in px; 0 if unknown. Wider images are scaled down.
  ///   - columns: The terminal's width in characters.
  /// - Throws: `limitExceeded`, or `inputDamaged` if the file is not a PNG.
  public func sequence(png: [UInt8], width: Int, terminalWidth: Int = 0, columns: Int = 80) throws(OffprintError) -> [UInt8] {
    let isTooWide = terminalWidth > 0 && width > terminalWidth
    switch self {
    case .kitty: return Self.kitty(png, columns: isTooWide ? max(1, columns) : nil)
    case .iterm2:
      let size = isTooWide ? "100%" : "auto"
      return Array("\u{1B}]1337;File=inline=1;size=\(png.count);width=\(size);preserveAspectRatio=1:\(Base64.encode(png))\u{7}\n".utf8)
    case .sixel:
      do {
        guard case .bitmap(let bitmap) = try ImageDecoder.decode(png).content else {
          throw OffprintError(.inputDamaged, "The image cannot be shown in a terminal.")
        }
        return SixelEncoder.encode(isTooWide ? bitmap.reduced(by: (width + terminalWidth - 1) / terminalWidth) : bitmap)
      } catch {
        throw OffprintError(stretchable: error)
      }
    }
  }

  /// Chunks of at most 4096 characters; only the first contains the parameters.
  private static func kitty(_ png: [UInt8], columns: Int?) -> [UInt8] {
    let text = Array(Base64.encode(png).utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: max(1, text.count), by: 4096) {
      let end = min(text.count, start + 4096)
      let size = columns.map { ",c=\($0)" } ?? ""
      let keys = start == 0 ? "a=T,f=100,q=2\(size)," : ""
      result += Array("\u{1B}_G\(keys)m=\(end < text.count ? 1 : 0);".utf8) + text[start..<end] + [0x1B, 0x5C]
    }
    return result + [0x0A]
  }
}

extension Bitmap {
  /// Every `factor`-th pixel of every `factor`-th row.
  fileprivate func reduced(by factor: Int) -> Bitmap {
    let (newWidth, newHeight) = (max(1, width / factor), max(1, height / factor))
    guard factor > 1, var result = Bitmap(width: newWidth, height: newHeight) else { return self }
    for y in 0..<newHeight { for x in 0..<newWidth { result[x, y] = self[x * factor, y * factor] } }
    return result
  }
}
