/// Inserts an ICC profile into a WebP file.
///
/// https://developers.google.com/speed/webp/docs/riff_container#extended_file_format
enum WebPProfile {
  private static let hasProfile: UInt8 = 0x20, hasAlpha: UInt8 = 0x10

  static func insert(_ profile: [UInt8], into file: [UInt8], width: Int, height: Int) -> [UInt8] {
    let reader = ByteReader(bytes: file)
    guard file.count > 30, reader.hasASCII("WEBP", at: 8) else { return file }
    var body: [UInt8] = []
    if reader.hasASCII("VP8X", at: 12) {
      body += file[12..<30]
      body[8] |= hasProfile
      chunk("ICCP", profile, to: &body)
      body += file[30...]
    } else {
      // The header of lossless data indicates whether there is alpha; lossy data in a simple file has none.
      let isTranslucent = reader.hasASCII("VP8L", at: 12) && file[24] & 0x10 != 0
      func three(_ value: Int) -> [UInt8] { [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) } }
      let flags = isTranslucent ? hasProfile | hasAlpha : hasProfile
      chunk("VP8X", [flags, 0, 0, 0] + three(width - 1) + three(height - 1), to: &body)
      chunk("ICCP", profile, to: &body)
      body += file[12...]
    }
    return Array("RIFF".utf8) + four(body.count + 4) + Array("WEBP".utf8) + body
  }

  private static func four(_ value: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) } }

  private static func chunk(_ name: String, _ data: [UInt8], to body: inout [UInt8]) {
    body += Array(name.utf8) + four(data.count) + data
    if data.count % 2 == 1 { body.append(0) }
  }
}
