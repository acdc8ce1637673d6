import OffprintCoreTypes

/// The parts of a body of the type `multipart/form-data`. https://www.rfc-editor.org/rfc/rfc7578
struct MultipartBody {
  struct Part: Sendable {
    var name: String
    /// Nil for a field without a file.
    var fileName: String?
    var type: String?
    var bytes: [UInt8]
  }

  var parts: [Part] = []
  private static let maximumParts = 128
  private static let maximumHeaderBytes = 8 << 10

  /// - Parameter contentType: The value of the field `Content-Type`, with its boundary.
  /// - Throws: `dataInvalid` for a body that is not well-formed.
  init(_ bytes: [UInt8], contentType: String) throws(ServiceError) {
    guard let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count) else {
      throw Self.invalid("the boundary is missing")
    }
    // The delimiter includes the line end before it, which the first one does not need.
    let delimiter = Array("\r\n--\(boundary)".utf8)
    var rest = ([0x0D, 0x0A] + bytes)[...]
    guard let start = Self.find(delimiter, in: rest) else { throw Self.invalid("the boundary does not occur") }
    rest = rest[start.upperBound...]
    while !rest.starts(with: "--".utf8) {
      guard parts.count < Self.maximumParts else { throw Self.invalid("it has more than \(Self.maximumParts) parts") }
      guard let line = Self.find([0x0D, 0x0A], in: rest), rest[..<line.lowerBound].allSatisfy({ $0 == 0x20 || $0 == 0x09 }),
        let end = Self.find(delimiter, in: rest[line.lowerBound...])
      else { throw Self.invalid("the last boundary is missing") }
      parts.append(try Self.part(rest[line.lowerBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
  }

  /// - Parameter text: From the line end before the part's header to the end of its content.
  private static func part(_ text: ArraySlice<UInt8>) throws(ServiceError) -> Part {
    let limited = text.prefix(maximumHeaderBytes)
    guard let end = find([0x0D, 0x0A, 0x0D, 0x0A], in: limited) else { throw invalid("a part has no header, or one that is too long") }
    var part = Part(name: "", bytes: Array(text[end.upperBound...]))
    let lines = String(decoding: text[..<end.lowerBound], as: UTF8.self).split(whereByte: { $0 == 0x0D || $0 == 0x0A })
    for line in lines {
      let words = line.split(byte: ":", maxSplits: 1)
      guard words.count == 2 else { throw invalid("a line of a part's header has no colon") }
      switch words[0].lowercased() {
      case "content-disposition":
        part.name = parameter("name", of: words[1]) ?? ""
        part.fileName = parameter("filename", of: words[1])
      case "content-type": part.type = String(words[1].trimmed)
      case "content-transfer-encoding":
        guard ["7bit", "8bit", "binary"].contains(words[1].trimmed.lowercased()) else { throw invalid("a part is encoded") }
      default: break
      }
    }
    guard !part.name.isEmpty else { throw invalid("a part has no name") }
    return part
  }

  /// A parameter of a field such as `form-data; name="a"; filename="b.png"`. Browsers encode a quotation mark as `%22`.
  /// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
  static func parameter(_ name: String, of field: some StringProtocol) -> String? {
    var pieces: [String] = [""]
    var isQuoted = false
    for character in String(field).unicodeScalars {
      if character == "\"" { isQuoted.toggle() }
      if character == ";", !isQuoted { pieces.append("") } else { pieces[pieces.count - 1].unicodeScalars.append(character) }
    }
    for piece in pieces.dropFirst() {
      let words = piece.split(byte: "=", maxSplits: 1)
      guard words.count == 2, words[0].trimmed.lowercased() == name else { continue }
      let value = words[1].trimmed
      let bare =
        value.hasPrefix("\"") && value.hasSuffix("\"") && value.utf8.count > 1 ? String(value.dropFirst().dropLast()) : String(value)
      return bare.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
    return nil
  }

  private static func find(_ text: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first = text.first else { return nil }
    var start = bytes.startIndex
    while let place = bytes[start...].firstIndex(of: first) {
      guard bytes.endIndex - place >= text.count else { return nil }
      if bytes[place..<(place + text.count)].elementsEqual(text) { return place..<(place + text.count) }
      start = place + 1
    }
    return nil
  }

  private static func invalid(_ reason: String) -> ServiceError {
    ServiceError(.malformedRequest, "The body is not valid multipart/form-data: \(reason).")
  }
}
