/// The named character references of XHTML pages, which their doctype declares. They are expanded here because the parser loads no external
/// declarations.
///
/// https://html.spec.whatwg.org/multipage/xhtml.html#parsing-xhtml-documents
struct XMLEntityExpansion {
  private(set) var bytes: [UInt8]
  private(set) var offsets = OffsetMap()

  /// `source` with HTML's named references replaced by numeric ones, if its doctype declares them.
  init(_ source: [UInt8]) {
    bytes = source
    guard source.contains(UInt8(ascii: "&")), Self.declaresEntities(source) else { return }
    var result: [UInt8] = []
    result.reserveCapacity(source.count + 64)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "<"), let end = Self.verbatimEnd(source, index) {
        result.append(contentsOf: source[index..<end])
        index = end
      } else if source[index] == UInt8(ascii: "&"), let (end, replacement) = Self.reference(source, index) {
        result.append(contentsOf: replacement)
        offsets.record(removed: end - index - replacement.count, at: result.count)
        index = end
      } else {
        result.append(source[index])
        index += 1
      }
    }
    bytes = result
  }

  /// Whether the doctype's public identifier is one of XHTML or MathML.
  private static func declaresEntities(_ source: [UInt8]) -> Bool {
    guard let doctype = firstIndex(of: "<!DOCTYPE", in: source, from: 0, limit: 4096),
      let end = source[doctype...].firstIndex(of: UInt8(ascii: ">"))
    else { return false }
    let declaration = Array(source[doctype..<end])
    return ["-//W3C//DTD XHTML ", "-//W3C//DTD MathML 2.0//", "-//WAPFORUM//DTD XHTML Mobile "].contains {
      firstIndex(of: $0, in: declaration, from: 0, limit: declaration.count) != nil
    }
  }

  /// The end of the CDATA section, comment or processing instruction that begins at `index`; nil for anything else.
  private static func verbatimEnd(_ source: [UInt8], _ index: Int) -> Int? {
    for (opening, closing) in [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")] as [(StaticString, StaticString)] {
      guard hasPrefix(opening, source, index) else { continue }
      let end = firstIndex(of: closing, in: source, from: index + opening.utf8CodeUnitCount, limit: source.count)
      return end.map { $0 + closing.utf8CodeUnitCount } ?? source.count
    }
    return nil
  }

  private static func reference(_ source: [UInt8], _ start: Int) -> (end: Int, replacement: [UInt8])? {
    var end = start + 1
    let limit = min(source.count, end + NamedCharacterReferences.longestName)
    while end < limit, source[end].isASCIILetter || source[end].isASCIIDigit { end += 1 }
    guard end < source.count, source[end] == UInt8(ascii: ";") else { return nil }
    let name = source[(start + 1)..<end]
    if ["amp", "lt", "gt", "quot", "apos"].contains(where: { name.elementsEqual($0.utf8) }) { return nil }
    guard let (first, second) = NamedCharacterReferences.shared.lookup(name, legacyOnly: false) else { return nil }
    let scalars = second.map { [first, $0] } ?? [first]
    return (end + 1, scalars.flatMap { Array("&#\($0.value);".utf8) })
  }

  private static func hasPrefix(_ text: StaticString, _ source: [UInt8], _ index: Int) -> Bool {
    guard index + text.utf8CodeUnitCount <= source.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { source[index + $0] == text.utf8Start[$0] }
  }

  static func firstIndex(of text: StaticString, in source: [UInt8], from start: Int, limit: Int) -> Int? {
    guard start < min(limit, source.count) else { return nil }
    return (start..<min(limit, source.count)).first { hasPrefix(text, source, $0) }
  }
}
