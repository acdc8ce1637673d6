import OffprintCoreTypes

/// Resolves relative URLs in style sheets.
///
/// Implements the joining part of https://url.spec.whatwg.org/#concept-basic-url-parser; the loader parses the result.
enum URLReference {
  static func resolve(_ reference: String, against base: String) -> String {
    let trimmed = Array(Array(reference.utf8).trimmingSpaces)
    guard !base.isEmpty, !trimmed.isEmpty, trimmed.first != 0x23, schemeEnd(trimmed) == nil else {
      return String(decoding: trimmed, as: UTF8.self)
    }
    return String(decoding: join(Array(base.utf8), trimmed), as: UTF8.self)
  }

  /// The index of the colon after a scheme; nil if there is no scheme.
  private static func schemeEnd(_ bytes: [UInt8]) -> Int? {
    guard let first = bytes.first, isLetter(first) else { return nil }
    for (index, byte) in bytes.enumerated() {
      if byte == 0x3A { return index }
      guard isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte == 0x2B || byte == 0x2D || byte == 0x2E else { return nil }
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

  private static func join(_ base: [UInt8], _ reference: [UInt8]) -> [UInt8] {
    let scheme = schemeEnd(base).map { $0 + 1 } ?? 0
    if reference.starts(with: [0x2F, 0x2F]) { return Array(base[..<scheme]) + reference }
    var authorityEnd = scheme
    if base[scheme...].starts(with: [0x2F, 0x2F]) {
      authorityEnd = base[(scheme + 2)...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? base.count
    } else if scheme > 0, base.count > scheme, base[scheme] != 0x2F {
      return reference  // URLs with opaque paths, such as data: URLs, cannot be base URLs.
    }
    if reference.first == 0x2F { return Array(base[..<authorityEnd]) + normalized(reference[...]) }
    let pathEnd = base[authorityEnd...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? base.count
    if reference.first == 0x3F { return Array(base[..<pathEnd]) + reference }
    let path = base[authorityEnd..<pathEnd]
    let folder = path.lastIndex(of: 0x2F).map { Array(path[...$0]) } ?? (authorityEnd > scheme ? [0x2F] : [])
    return Array(base[..<authorityEnd]) + normalized((folder + reference)[...])
  }

  /// Removes dot segments from the path, up to a query or fragment.
  private static func normalized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let pathEnd = bytes.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
    let path = bytes[..<pathEnd]
    var segments: [ArraySlice<UInt8>] = []
    let parts = path.split(separator: 0x2F, omittingEmptySubsequences: false)
    let isAbsolute = path.first == 0x2F
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if part.elementsEqual([0x2E, 0x2E]) {
        if let last = segments.last, !last.elementsEqual([0x2E, 0x2E]), !(isAbsolute && segments.count == 1) {
          segments.removeLast()
        } else if !isAbsolute {
          segments.append(part)
        }
        if isLast { segments.append([]) }
      } else if part.elementsEqual([0x2E]) {
        if isLast { segments.append([]) }
      } else {
        segments.append(part)
      }
    }
    return Array(segments.joined(separator: [0x2F])) + bytes[pathEnd...]
  }
}
