import OffprintCoreTypes
import Offprint
import Synchronization

/// The files uploaded with requests in progress. Each set of files has a base URL with the digest of its contents, so that
/// the same upload is found in the cache, on any machine.
final class Uploads: Sendable {
  struct File: Sendable {
    var name: String
    var bytes: [UInt8]
    var type: String?
  }

  private struct Shelf {
    var files: [File]
    /// The requests that use it.
    var users: Int
  }

  /// No host has such a name: https://www.rfc-editor.org/rfc/rfc6761#section-6.4
  private static let suffix = ".upload.invalid"
  private let shelves = Mutex<[String: Shelf]>([:])

  /// Keeps files until `release`.
  ///
  /// - Returns: Their base URL.
  func keep(_ files: [File]) -> String {
    var text: [UInt8] = []
    for file in files.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      text += SHA256.hash(Array(file.name.utf8)) + SHA256.hash(Array((file.type ?? "").utf8)) + SHA256.hash(file.bytes)
    }
    // A label of a host name has 63 characters at most.
    let digits = SHA256.hash(text).hexadecimalDigits
    let base = "http://\(digits.prefix(32)).\(digits.suffix(32))\(Self.suffix)/"
    shelves.withLock { $0[base, default: Shelf(files: files, users: 0)].users += 1 }
    return base
  }

  func release(_ base: String) {
    shelves.withLock { shelves in
      shelves[base]?.users -= 1
      if shelves[base]?.users == 0 { shelves[base] = nil }
    }
  }

  /// A message with the names that the client gave its files instead of their internal URLs.
  static func naming(filesIn message: String) -> String {
    guard message.contains(suffix) else { return message }
    let mark = Array("\(suffix)/".utf8), scheme = Array("http://".utf8)
    var rest = Array(message.utf8)[...], text: [UInt8] = []
    while let end = rest.firstRange(of: mark) {
      let start = end.lowerBound - hostLength - scheme.count
      let isBase = start >= rest.startIndex && rest[max(start, rest.startIndex)...].starts(with: scheme)
      text += rest[..<(isBase ? start : end.upperBound)]
      rest = rest[end.upperBound...]
      guard isBase else { continue }
      // Messages write URLs in quotation marks.
      let name = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: " ") }
      text += PercentEncoding.decode(name).map { Array($0.utf8) } ?? Array(name)
      rest = rest[name.endIndex...]
    }
    return String(decoding: text + rest, as: UTF8.self)
  }

  /// Two labels of 32 digits and a dot.
  private static let hostLength = 65

  /// The host of a base URL, which only the request that uploaded its files may load from.
  static func host(_ base: String) -> String { base.split(byte: "/").dropFirst().first.map(String.init) ?? "" }

  /// The file with a URL; nil if it is not the URL of an upload.
  ///
  /// - Throws: `resourceMissing` if it was not uploaded with its page.
  func content(_ query: ResourceQuery) throws(OffprintError) -> ResourceContent? {
    let words = query.url.split(byte: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == "http:", words[2].hasSuffix(Self.suffix) else { return nil }
    let base = "http://\(words[2])/", path = words[3][..<(words[3].firstIndex(ofByte: "?") ?? words[3].endIndex)]
    guard let name = PercentEncoding.decode(path.utf8) else { return nil }
    let found = shelves.withLock { $0[base]?.files.first { $0.name.hasSameBytes(as: name) } }
    guard let found else { throw OffprintError(.resourceMissing, "it was not uploaded with the page") }
    return ResourceContent(bytes: found.bytes, mimeType: found.type)
  }
}
