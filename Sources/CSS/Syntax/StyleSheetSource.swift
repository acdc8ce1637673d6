public import OffprintCoreTypes
import OffprintDOM

/// The source of a style sheet and its origin.
public struct StyleSheetSource: Sendable {
  public var bytes: [UInt8]
  /// The base URL of the sheet.
  public var baseURL: String
  /// The name for diagnostics; empty for a style sheet in the page.
  public var name: String
  /// The position in the page at which the style sheet starts, for diagnostics.
  public var start: SourcePosition?
  /// The character encoding specified by the transport; nil if none.
  public var encoding: String?
  /// The encoding of the referring document or style sheet, used if the style sheet does not specify one.
  var fallbackEncoding: String?
  /// The parent of the style sheet's owner node; `ElementInfo.none` if absent.
  var ownerParent = ElementInfo.none

  public init(bytes: [UInt8], baseURL: String = "", name: String = "", start: SourcePosition? = nil, encoding: String? = nil) {
    self.bytes = bytes
    self.baseURL = baseURL
    self.name = name
    self.start = start
    self.encoding = encoding
  }

  /// The source as UTF-8, and the name of its original encoding.
  ///
  /// https://drafts.csswg.org/css-syntax-3/#input-byte-stream
  func decoded() -> (text: [UInt8], encoding: String) { TextDecoder.decode(bytes, labels: [encoding, charset, fallbackEncoding]) }

  /// The encoding of an `@charset` rule at the start of the sheet. Since the rule is readable as ASCII, the encoding cannot be UTF-16 even
  /// if specified.
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

/// A request for a style sheet, from a page or from another sheet.
public struct StyleSheetRequest: Sendable {
  /// The URL as written.
  public var url: String
  public var baseURL: String
  public var position: SourcePosition?
  public init(url: String, baseURL: String, position: SourcePosition? = nil) {
    self.url = url
    self.baseURL = baseURL
    self.position = position
  }
}

/// Loads the style sheet for a request. Returns nil on failure, which the loader itself reports.
public typealias StyleSheetLoader = (StyleSheetRequest) -> StyleSheetSource?

extension Diagnostic.Code {
  public static let invalidDeclaration: Diagnostic.Code = "css.invalid-declaration"
  public static let unknownProperty: Diagnostic.Code = "css.unknown-property"
  public static let invalidSelector: Diagnostic.Code = "css.invalid-selector"
  public static let invalidAtRule: Diagnostic.Code = "css.invalid-at-rule"
  public static let unknownAtRule: Diagnostic.Code = "css.unknown-at-rule"
  public static let styleRulesExceeded: Diagnostic.Code = "css.style-rules-exceeded"
}

/// Converts offsets in a style sheet to positions; fastest in ascending order.
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
