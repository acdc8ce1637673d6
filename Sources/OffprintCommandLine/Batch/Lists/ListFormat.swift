import OffprintCoreTypes
import ArgumentParser
import Offprint

/// The format of a list.
enum ListFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// One JSON object per line.
  case ndjson
  /// A table with a header; the separator is detected.
  case csv
  /// A table with a header, separated by tabs.
  case tsv
  /// An array of objects, or concatenated objects.
  case json
  /// One file or URL per line.
  case paths
  /// The sitemap of a site whose files are local.
  case sitemap
  /// A log of another program: lines of JSON with a `job`. The service's own log contains no jobs.
  case log
  /// Not a list, but a page.
  case html

  /// Detects the format by a file's extension; nil if that is not sufficient.
  init?(name: String, head: [UInt8]) {
    guard let dot = name.lastIndex(ofByte: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "ndjson", "jsonl": self = Self.looksLikeLog(head) ? .log : .ndjson
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "txt", "list", "lst", "urls": self = .paths
    case "html", "htm", "xhtml", "xht", "svg": self = .html
    default: return nil
    }
  }

  /// Detects the format by the first bytes.
  ///
  /// - Parameter isTable: Whether rows of data are expected, not jobs.
  init(head: [UInt8], isTable: Bool) {
    let start = head.drop { $0 <= 0x20 }
    switch start.first {
    case UInt8(ascii: "[")?: self = .json
    case UInt8(ascii: "{")?: self = Self.looksLikeLog(head) ? .log : Self.isBroken(Self.firstLine(start)) ? .json : .ndjson
    case UInt8(ascii: "<")?: self = Self.contains(head, "<urlset") || Self.contains(head, "<sitemapindex") ? .sitemap : .html
    default: self = isTable || Self.looksLikeTable(Self.firstLine(start)) ? .csv : .paths
    }
  }

  /// Whether its first record contains the names of the fields.
  var hasHeader: Bool { self == .csv || self == .tsv }

  private static func firstLine(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { bytes.prefix { $0 != 0x0A } }

  /// Whether a JSON object continues on the next line, as in pretty-printed JSON.
  private static func isBroken(_ line: ArraySlice<UInt8>) -> Bool {
    line.last { $0 > 0x20 }.map { Array("{[,:".utf8).contains($0) } ?? false
  }

  private static func looksLikeLog(_ head: [UInt8]) -> Bool {
    guard let first = JSONValue(parsing: Array(firstLine(head[...]))), case .object(let members) = first, case .object? = first["job"]
    else {
      return false
    }
    return members["html"] == nil && members["input"] == nil
  }

  private static func looksLikeTable(_ line: ArraySlice<UInt8>) -> Bool {
    let header = Array(line)
    let names = TableText.fields(header, separator: TableText.separator(header)) ?? []
    return names.contains { JobHead.ownNames.contains($0) || JobOption.byName[$0] != nil }
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool { String(decoding: bytes, as: UTF8.self).contains(text) }
}
