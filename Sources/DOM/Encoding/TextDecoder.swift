/// Decodes texts other than documents, such as style sheets.
package enum TextDecoder {
  /// Converts `bytes` to UTF-8: from the encoding of their byte order mark, otherwise from the first of `labels` that names an encoding;
  /// otherwise they are UTF-8.
  ///
  /// https://encoding.spec.whatwg.org/#decode
  package static func decode(_ bytes: [UInt8], labels: [String?]) -> (text: [UInt8], encoding: String) {
    let mark = EncodingSniffer.byteOrderMark(bytes)
    let named = labels.lazy.compactMap { $0 }.compactMap { TextEncoding(label: $0.utf8) }.first
    let encoding = mark?.encoding ?? named ?? .utf8
    if encoding == .utf8 { return (mark.map { Array(bytes.dropFirst($0.length)) } ?? bytes, encoding.name) }
    if encoding != .windows1252, let text = DecodedInput.convert(bytes, from: mark?.length ?? 0, encoding.converterName) {
      return (text, encoding.name)
    }
    return (DecodedInput.decodeWindows1252(bytes), TextEncoding.windows1252.name)
  }
}
