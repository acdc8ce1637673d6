public import OffprintCoreTypes
import OffprintDOM

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
  /// The encoding of what refers to the sheet, for one that does not say its own.
  var fallbackEncoding: String?
  /// The parent of the element that the sheet belongs to; `ElementInfo.none` without one.
  var ownerParent = ElementInfo.none

  public init(bytes: [UInt8], baseURL: String = "", name: String = "", start: SourcePosition? = nil, encoding: String? = nil) {
    self.bytes = bytes
    self.baseURL = baseURL
    self.name = name
    self.start = start
    self.encoding = encoding
  }

  /// The source as UTF-8, and the name of the encoding that it was in.
  ///
  /// https://drafts.csswg.org/css-syntax-3/#input-byte-stream
  func decoded() -> (text: [UInt8], encoding: String) { TextDecoder.decode(bytes, labels: [encoding, charset, fallbackEncoding]) }

  /// The encoding in an `@charset` rule at the very start. A sheet in which that can be read is not UTF-16, whatever it says.
  ///
  /// https://drafts.csswg.org/css-syntax-3/#determine-the-fallback-encoding
  private var charset: String? {
    let prefix = Array("@charset \"".utf8)
    guard bytes.starts(with: prefix), let end = bytes.dropFirst(prefix.count).prefix(1024).firstIndex(of: 0x22),
      end + 1 < bytes.count, bytes[end + 1] == 0x3B
    else { return nil }
    let label = String(decoding: bytes[prefix.count..<end], as: UTF8.self)
    return label.lowercased().hasPrefix("utf-16") ? "utf-8" : label
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
  public static let unknownProperty: Diagnostic.Code = "css.unknown-property"
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
