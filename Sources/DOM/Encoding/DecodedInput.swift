import OffprintCoreTypes
import Glibc

/// A source converted to valid UTF-8 with line feeds as its only line ends.
///
/// https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream
struct DecodedInput {
  private(set) var bytes: [UInt8]
  private(set) var encoding = TextEncoding.utf8
  /// Maps to offsets in the source. For legacy encodings, to offsets in the source as UTF-8.
  private(set) var offsets = OffsetMap()

  init(
    _ source: [UInt8], isXML: Bool = false, encodingLabel: String?, limits: Limits, _ diagnostics: inout DiagnosticLog
  ) throws(LimitExceeded) {
    guard source.count <= limits.inputBytes, source.count < 1 << 30 else {
      throw LimitExceeded(limit: "inputBytes", allowed: limits.inputBytes)
    }
    bytes = source
    var start = 0
    let mark = EncodingSniffer.byteOrderMark(source)
    if let mark {
      encoding = mark.encoding
      start = mark.length
    } else {
      encoding = Self.declaredEncoding(source, isXML: isXML, encodingLabel, &diagnostics)
    }
    if encoding == .utf8 {
      decodeUTF8(from: start, &diagnostics)
      return
    }
    if encoding == .windows1252 {
      bytes = Self.decodeWindows1252(source)
    } else if let converted = Self.convert(source, from: start, encoding.converterName) {
      bytes = converted
    } else {
      diagnostics.report(
        Diagnostic(.unknownEncoding, .note, "the encoding \(encoding.name) is not supported on this machine; decoded as windows-1252"))
      encoding = .windows1252
      bytes = Self.decodeWindows1252(source)
    }
    guard bytes.count < 1 << 30 else { throw LimitExceeded(limit: "inputBytes", allowed: limits.inputBytes) }
    normalizeNewlines()
  }

  /// The encoding of the transport layer, otherwise the one the page declares, otherwise UTF-8 if the bytes are valid UTF-8 and
  /// windows-1252 if not.
  private static func declaredEncoding(
    _ source: [UInt8], isXML: Bool, _ label: String?, _ diagnostics: inout DiagnosticLog
  ) -> TextEncoding {
    if let label {
      if let encoding = TextEncoding(label: label.utf8) { return encoding }
      diagnostics.report(Diagnostic(.unknownEncoding, .note, "unknown encoding \(label); use a label of the Encoding Standard"))
    }
    // https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding, which falls back to the XML
    // declaration.
    let declared = (isXML ? nil : EncodingSniffer.prescan(source)) ?? EncodingSniffer.xmlDeclaration(source)
    if let declared, let encoding = TextEncoding(label: declared) {
      // A declaration that could be read as ASCII is not UTF-16, whatever it declares.
      return encoding == .utf16LE || encoding == .utf16BE ? .utf8 : encoding
    }
    return isXML || UTF8Scanner.isValid(source) ? .utf8 : .windows1252
  }

  // MARK: UTF-8

  private mutating func decodeUTF8(from start: Int, _ diagnostics: inout DiagnosticLog) {
    if start == 0, UTF8Scanner.isValidWithoutReturns(bytes) { return }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    offsets.record(removed: start, at: 0)
    var invalid: Int?
    bytes.withUnsafeBufferPointer { source in
      var index = start
      while index < source.count {
        let runStart = index
        index = UTF8Scanner.plainEnd(source, from: index)
        decoded.append(contentsOf: source[runStart..<index])
        guard index < source.count else { break }
        if source[index] == 0x0D {
          decoded.append(0x0A)
          index += 1
          guard index < source.count, source[index] == 0x0A else { continue }
          index += 1
          offsets.record(removed: 1, at: decoded.count)
        } else {
          let length = UTF8Scanner.maximalSubpart(source, at: index)
          if invalid == nil { invalid = index }
          decoded.append(contentsOf: [0xEF, 0xBF, 0xBD])
          index += length
          offsets.record(removed: length - 3, at: decoded.count)
        }
      }
    }
    if let invalid {
      let position = Document.position(ofOffset: invalid, in: bytes)
      diagnostics.report(Diagnostic(.invalidEncoding, .note, "bytes that are not UTF-8 were replaced", at: position))
    }
    bytes = decoded
  }

  private mutating func normalizeNewlines() {
    guard bytes.contains(0x0D) else { return }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == 0x0D else {
        result.append(bytes[index])
        index += 1
        continue
      }
      result.append(0x0A)
      index += 1
      if index < bytes.count, bytes[index] == 0x0A {
        index += 1
        offsets.record(removed: 1, at: result.count)
      }
    }
    bytes = result
  }

  // MARK: Legacy encodings

  static func decodeWindows1252(_ source: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(source.count + source.count / 8)
    for byte in source {
      if byte < 0x80 {
        decoded.append(byte)
      } else {
        let value = byte < 0xA0 ? windows1252Controls[Int(byte) - 0x80] : UInt16(byte)
        if let scalar = Unicode.Scalar(value) { decoded.appendUTF8(scalar) }
      }
    }
    return decoded
  }

  /// Converts with the C library's iconv; each invalid byte becomes U+FFFD.
  static func convert(_ source: [UInt8], from start: Int, _ name: String) -> [UInt8]? {
    guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = Array(source[min(start, source.count)...]).map { CChar(bitPattern: $0) }
    var result: [UInt8] = []
    var buffer = [CChar](repeating: 0, count: 16 << 10)
    input.withUnsafeMutableBufferPointer { input in
      buffer.withUnsafeMutableBufferPointer { buffer in
        guard let inputStart = input.baseAddress, let bufferStart = buffer.baseAddress else { return }
        var next: UnsafeMutablePointer<CChar>? = inputStart
        var left = input.count
        while left > 0 {
          var out: UnsafeMutablePointer<CChar>? = bufferStart
          var room = buffer.count
          let status = iconv(converter, &next, &left, &out, &room)
          let failure = errno
          result.append(contentsOf: buffer[..<(buffer.count - room)].lazy.map { UInt8(bitPattern: $0) })
          guard status == Int.max || status == -1 else { continue }
          if failure == E2BIG { continue }
          result.append(contentsOf: [0xEF, 0xBF, 0xBD])
          guard failure == EILSEQ, left > 1 else { break }
          next = next.map { $0 + 1 }
          left -= 1
        }
      }
    }
    return result
  }
}
