/// The lines of a file of tokens or keys. They are split by bytes: a `Character` can hold CR and LF together, and a secret is any bytes.
package struct SecretLines {
  package struct Line {
    /// From 1.
    package var number: Int
    /// Separated by spaces and tabs; never empty.
    package var words: [ArraySlice<UInt8>]

    package var name: String { String(decoding: words[0], as: UTF8.self) }
  }

  /// Those that say something: blank lines and those that begin with `#` do not count.
  package var lines: [Line] = []

  /// - Parameter file: lines end in LF or CRLF; a byte order mark in front is ignored.
  package init(_ file: [UInt8]) {
    let text = file.starts(with: [0xEF, 0xBB, 0xBF]) ? file.dropFirst(3) : file[...]
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      lines.append(Line(number: index + 1, words: words))
    }
  }
}
