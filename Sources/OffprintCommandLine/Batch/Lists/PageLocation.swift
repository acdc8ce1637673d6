import OffprintCoreTypes
import Glibc
import Offprint

/// Locations of pages in lists: paths and URLs.
enum PageLocation {
  /// The file of a page.
  ///
  /// - Parameter root: The folder with a site's files, which URLs and paths are resolved in.
  /// - Throws: `resourceRefused` for a page that is not on this machine, `dataInvalid` for an invalid URL.
  static func file(_ text: String, root: String?, _ place: String) throws(OffprintError) -> String {
    guard let scheme = scheme(text) else { return try root.map { root throws(OffprintError) in try inside(root, text, place) } ?? text }
    let rest = text.dropFirst(scheme.count + 1)
    switch scheme.lowercased() {
    case "file":
      guard let path = path(rest), let decoded = percentDecoded(path.prefix { $0 != "?" && $0 != "#" }) else { break }
      return decoded
    case "http", "https":
      guard let root else {
        throw OffprintError(
          .resourceRefused,
          "\(place): Refused to load '\(Sentence.fit(text))' from the network. Set the site's folder with --root or allow the host with --allow-host."
        )
      }
      guard let path = path(rest), let decoded = percentDecoded(path.prefix { $0 != "?" && $0 != "#" }) else { break }
      return try inside(root, decoded, place)
    default: break
    }
    throw OffprintError(.dataInvalid, "\(place): '\(Sentence.fit(text))' is not the URL of a file.")
  }

  /// `blog/first` for `https://host/blog/first.html`.
  static func id(_ text: String) -> String {
    var path = text[...]
    if let scheme = scheme(text) { path = self.path(text.dropFirst(scheme.count + 1)) ?? path }
    path = path.prefix { $0 != "?" && $0 != "#" || scheme(text) == nil }
    var parts = (percentDecoded(path) ?? String(path)).split(byte: "/").filter { $0 != "." }.map(String.init)
    if text.hasSuffix("/") || parts.isEmpty { parts.append("index") }
    return (parts.dropLast() + [parts.last.map { Files.stem($0) } ?? ""]).joined(separator: "/")
  }

  /// The text of a `<loc>` element.
  static func sitemapText(_ text: String) -> String {
    var text = text
    if let end = text.range(ofLast: "</") { text = String(text[..<end]) }
    text = text.trimmingSpaces
    if text.hasPrefix("<![CDATA[") && text.hasSuffix("]]>") { return String(text.dropFirst(9).dropLast(3)).trimmingSpaces }
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text = text.replacing(entity, with: character)
    }
    return text
  }

  /// https://www.rfc-editor.org/rfc/rfc3986#section-3.1; a single letter is not treated as a scheme, nor is the beginning of a path that
  /// contains a colon later.
  private static func scheme(_ text: String) -> Substring? {
    guard let colon = text.firstIndex(ofByte: ":") else { return nil }
    let scheme = text[..<colon]
    let isScheme =
      scheme.utf8.count > 1 && scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isScheme && (text[colon...].hasPrefix("://") || scheme.lowercased() == "file") ? scheme : nil
  }

  /// The part after the host in `//host/path`; nil for a `file:` URL of another host.
  private static func path(_ rest: Substring) -> Substring? {
    guard rest.hasPrefix("//") else { return rest }
    let authority = rest.dropFirst(2)
    return authority.firstIndex(ofByte: "/").map { authority[$0...] } ?? "/"
  }

  private static func percentDecoded(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0 else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The file of a path in a site: `index.html` for a folder, and `name.html` for a name without extension.
  private static func inside(_ root: String, _ path: String, _ place: String) throws(OffprintError) -> String {
    let parts = path.split(byte: "/").filter { $0 != "." }
    guard !parts.contains(".."), !path.utf8.contains(0) else {
      throw OffprintError(.resourceRefused, "\(place): '\(Sentence.fit(path))' is outside --root.")
    }
    let file = root + (root.hasSuffix("/") ? "" : "/") + parts.joined(separator: "/")
    if path.hasSuffix("/") || path.isEmpty || Files.isFolder(file) { return "\(file)/index.html" }
    return Files.kind(file) == nil && Files.kind("\(file).html") != nil ? "\(file).html" : file
  }
}

extension Files {
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension String {
  /// The start of the last occurrence of a part.
  fileprivate func range(ofLast part: String) -> Index? {
    var found: Index?
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      found = range.lowerBound
      rest = rest[range.upperBound...]
    }
    return found
  }
}
