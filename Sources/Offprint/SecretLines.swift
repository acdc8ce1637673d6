/// The lines of a file of tokens or keys. They are split by bytes, because a `Character` can contain both CR and LF, and a secret can be
/// any bytes.
package struct SecretLines {
  package struct Line {
    /// From 1.
    package var number: Int
    /// Separated by spaces and tabs; never empty.
    package var words: [ArraySlice<UInt8>]

    package var name: String { String(decoding: words[0], as: UTF8.self) }
  }

  /// The lines with contents; blank lines and those that begin with `#` are ignored.
  package var lines: [Line] = []

  /// - Parameter file: Lines end in LF or CRLF; a leading byte order mark is ignored.
  package init(_ file: [UInt8]) {
    let text = file.starts(with: [0xEF, 0xBB, 0xBF]) ? file.dropFirst(3) : file[...]
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      lines.append(Line(number: index + 1, words: words))
    }
  }
}
