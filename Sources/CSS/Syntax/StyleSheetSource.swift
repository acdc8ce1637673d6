public import CoreTypes
import DOM

/// The bytes of a style sheet and where they are from.
public struct StyleSheetSource: Sendable {
  public var bytes: [UInt8]
  /// What URLs in the sheet are relative to.
  public var baseURL: String
  /// For diagnostics; empty for a sheet in the page.
  public var name: String
  /// Where the sheet begins in its page, for diagnostics.
  public var start: SourcePosition?
  /// The character encoding that the transport named; nil where it did not.
  public var encoding: String?

  public init(bytes: [UInt8], baseURL: String = "", name: String = "", start: SourcePosition? = nil, encoding: String? = nil) {
    self.bytes = bytes
    self.baseURL = baseURL
    self.name = name
    self.start = start
    self.encoding = encoding
  }

  /// https://drafts.csswg.org/css-syntax-3/#input-byte-stream
  var decoded: [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xFE, 0xFF]) { return Self.decodeUTF16(bytes.dropFirst(2), bigEndian: true) }
    if bytes.starts(with: [0xFF, 0xFE]) { return Self.decodeUTF16(bytes.dropFirst(2), bigEndian: false) }
    let label = (encoding ?? charset)?.lowercased() ?? "utf-8"
    return Self.windows1252Labels.contains(label) ? Self.decodeWindows1252(bytes) : bytes
  }

  /// The encoding in an `@charset` rule at the very start.
  private var charset: String? {
    let prefix = Array("@charset \"".utf8)
    guard bytes.starts(with: prefix), let end = bytes.dropFirst(prefix.count).prefix(64).firstIndex(of: 0x22) else { return nil }
    return String(decoding: bytes[prefix.count..<end], as: UTF8.self)
  }

  private static func decodeUTF16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(bigEndian ? first << 8 | second : second << 8 | first)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static let windows1252Labels: Set<String> = [
    "windows-1252", "cp1252", "iso-8859-1", "latin1", "l1", "ascii", "us-ascii", "x-cp1252",
  ]

  private static let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static func decodeWindows1252(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let value = byte >= 0x80 && byte < 0xA0 ? windows1252[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return Array(String(text).utf8)
  }
}

/// A style sheet that a page or another sheet asks for.
public struct StyleSheetRequest: Sendable {
  /// As written.
  public var url: String
  public var baseURL: String
  public var position: SourcePosition?
  public init(url: String, baseURL: String, position: SourcePosition? = nil) {
    self.url = url
    self.baseURL = baseURL
    self.position = position
  }
}

/// Gives the sheet for a request; nil where it cannot be had, which the loader itself reports.
public typealias StyleSheetLoader = (StyleSheetRequest) -> StyleSheetSource?

extension Diagnostic.Code {
  public static let invalidDeclaration: Diagnostic.Code = "css.invalid-declaration"
  public static let invalidSelector: Diagnostic.Code = "css.invalid-selector"
  public static let invalidAtRule: Diagnostic.Code = "css.invalid-at-rule"
  public static let unknownAtRule: Diagnostic.Code = "css.unknown-at-rule"
  public static let styleRulesExceeded: Diagnostic.Code = "css.style-rules-exceeded"
}

/// Turns offsets of a sheet into positions as they are asked for, in ascending order at best.
struct SheetPositions {
  let source: StyleSheetSource
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  init(source: StyleSheetSource) { self.source = source }

  mutating func position(_ target: UInt32, in text: [UInt8]) -> SourcePosition {
    let target = min(Int(target), text.count)
    if target < offset { (offset, line, lineStart) = (0, 1, 0) }
    while offset < target {
      if text[offset] == 0x0A {
        line += 1
        lineStart = offset + 1
      }
      offset += 1
    }
    let column = target - lineStart + 1
    guard let start = source.start else { return SourcePosition(source: source.name, line: line, column: column) }
    return SourcePosition(source: source.name, line: start.line + line - 1, column: line == 1 ? start.column + column - 1 : column)
  }
}
