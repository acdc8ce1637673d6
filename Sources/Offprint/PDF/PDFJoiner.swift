import OffprintCoreTypes

/// Joins PDF files written by a renderer into one: their pages in order, with an outline that names each file. Objects shared by several
/// files, such as fonts and images with the same bytes, are written once.
///
/// The same files in the same order give the same bytes. https://www.iso.org/standard/75839.html, 7.5
package struct PDFJoiner {
  /// The number of bytes returned so far.
  private var written = 0
  private var pending: [UInt8] = Array("%PDF-1.4\n%\u{E5}\u{E4}\n".utf8)
  /// The offsets of objects, starting with number 1; 0 for objects written at the end.
  private var offsets: [Int] = []
  private var pages: [Int] = []
  private var outline: [(title: String, page: Int)] = []
  /// Object numbers by the digests of objects, including everything they refer to.
  private var cached: [[UInt8]: Int] = [:]

  private static let catalog = 1, pageTree = 2, outlines = 3

  package init() { offsets = [0, 0, 0] }

  /// The number of pages.
  package var pageCount: Int { pages.count }

  /// - Parameters:
  ///   - file: A file written by a renderer.
  ///   - title: The title of the file in the outline.
  /// - Returns: The next bytes of the joined file.
  /// - Throws: `dataInvalid` for any other file; nothing of it is added.
  package mutating func append(_ file: [UInt8], title: String) throws(OffprintError) -> [UInt8] {
    guard let source = PDFSource(file), let added = source.pages(), !added.isEmpty else { throw Self.unreadable }
    let before = self
    var copy = PDFCopy(source)
    let first = pages.count
    // All nodes between the root of the page tree and its pages are replaced by the new root.
    for page in added { pages.append(number(of: page, &copy)) }
    while let old = copy.waiting.popLast() {
      guard write(old, &copy) else {
        self = before
        throw Self.unreadable
      }
    }
    outline.append((title, pages[first]))
    return taken()
  }

  /// - Returns: The last bytes of the file.
  package mutating func finish() -> [UInt8] {
    let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
    begin(Self.catalog)
    let mode = outline.count > 1 ? "/Outlines \(Self.outlines) 0 R /PageMode /UseOutlines " : ""
    pending += "<< /Type /Catalog /Pages \(Self.pageTree) 0 R \(mode)>>\nendobj\n".utf8
    begin(Self.pageTree)
    pending += "<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>\nendobj\n".utf8
    writeOutline()
    let information = allocate()
    begin(information)
    pending += "<< /Creator (Offprint) >>\nendobj\n".utf8
    writeTable(information)
    return taken()
  }

  private static let unreadable = OffprintError(
    .dataInvalid, "The file is not a PDF written by this program, and cannot be joined with others.")

  // MARK: Objects

  private mutating func taken() -> [UInt8] {
    defer { pending = [] }
    written += pending.count
    return pending
  }

  private mutating func allocate() -> Int {
    offsets.append(0)
    return offsets.count
  }

  private mutating func begin(_ number: Int) {
    offsets[number - 1] = written + pending.count
    pending += "\(number) 0 obj\n".utf8
  }

  /// The new number of an object. An unknown object is queued to be written.
  private mutating func number(of old: Int, _ copy: inout PDFCopy) -> Int {
    if let number = copy.numbers[old] { return number }
    if copy.isPageTreeNode(old) { return Self.pageTree }
    let digest = copy.digest(old)
    if let digest, let number = cached[digest] {
      copy.numbers[old] = number
      return number
    }
    let number = allocate()
    copy.numbers[old] = number
    if let digest { cached[digest] = number }
    copy.waiting.append(old)
    return number
  }

  private mutating func write(_ old: Int, _ copy: inout PDFCopy) -> Bool {
    guard let number = copy.numbers[old] else { return false }
    if offsets[number - 1] != 0 { return true }
    var references: [Int] = []
    guard let parts = copy.parts(old, &references) else { return false }
    let renamed = references.map { self.number(of: $0, &copy) }
    begin(number)
    for (index, part) in parts.enumerated() {
      pending += part
      if renamed.indices.contains(index) { pending += "\(renamed[index]) 0 R".utf8 }
    }
    pending += "\nendobj\n".utf8
    return true
  }

  // MARK: File trailer

  /// 12.3.3
  private mutating func writeOutline() {
    let items = outline.count > 1 ? outline.map { _ in allocate() } : []
    begin(Self.outlines)
    let ends = items.first.flatMap { first in items.last.map { " /First \(first) 0 R /Last \($0) 0 R" } } ?? ""
    pending += "<< /Type /Outlines /Count \(items.count)\(ends) >>\nendobj\n".utf8
    for (index, number) in items.enumerated() {
      begin(number)
      let previous = index > 0 ? " /Prev \(items[index - 1]) 0 R" : "",
        next = index + 1 < items.count ? " /Next \(items[index + 1]) 0 R" : ""
      let title = outline[index].title.utf16.prefix(1000).map(Self.hexadecimal).joined()
      pending +=
        "<< /Title <FEFF\(title)> /Parent \(Self.outlines) 0 R /Dest [\(outline[index].page) 0 R /Fit]\(previous)\(next) >>\nendobj\n".utf8
    }
  }

  /// Four digits.
  private static func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// 7.5.4: entries of twenty bytes.
  private mutating func writeTable(_ information: Int) {
    let start = written + pending.count
    pending += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8
    for offset in offsets {
      let digits = "\(offset)"
      pending += (String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits + " 00000 n \n").utf8
    }
    pending +=
      "trailer\n<< /Size \(offsets.count + 1) /Root \(Self.catalog) 0 R /Info \(information) 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8
  }
}

/// A file while it is copied into another.
private struct PDFCopy {
  let source: PDFSource
  /// New object numbers by old ones.
  var numbers: [Int: Int] = [:]
  /// Objects that have a new number but are not written yet.
  var waiting: [Int] = []
  /// Nil for objects that cannot be shared.
  private var digests: [Int: [UInt8]?] = [:]
  /// The maximum depth of references from a shared object; fonts need three.
  private static let deepest = 16

  init(_ source: PDFSource) { self.source = source }

  func isPageTreeNode(_ number: Int) -> Bool {
    source.object(number)?.tokens.contains { source.isWord($0, "/Kids") } == true
  }

  /// The digest of an object including everything it refers to; nil for pages and objects that refer to them, and for cyclic references.
  mutating func digest(_ number: Int, depth: Int = 0) -> [UInt8]? {
    if let cached = digests[number] { return cached }
    // Nil while in progress, and therefore for an object that refers to itself.
    digests[number] = .some(nil)
    var references: [Int] = []
    guard depth < Self.deepest, !isPageTreeNode(number), let parts = parts(number, &references) else { return nil }
    var bytes = SHA256.hash(parts[0])
    for (part, reference) in zip(parts.dropFirst(), references) {
      guard let digest = digest(reference, depth: depth + 1) else { return nil }
      bytes += digest
      bytes += SHA256.hash(part)
    }
    let digest = SHA256.hash(bytes)
    digests[number] = digest
    return digest
  }

  /// The bytes between an object's references, one part more than there are references; the length of a stream is written as a direct
  /// number.
  func parts(_ number: Int, _ references: inout [Int]) -> [[UInt8]]? {
    guard let object = source.object(number) else { return nil }
    var parts: [[UInt8]] = [[]]
    var index = 0
    func isReference(_ index: Int) -> Bool {
      object.tokens.indices.contains(index + 2) && object.tokens[index].integer != nil && object.tokens[index + 1].integer != nil
        && source.isWord(object.tokens[index + 2], "R")
    }
    while index < object.tokens.count {
      let token = object.tokens[index]
      if let stream = object.stream, index > 0, source.isWord(object.tokens[index - 1], "/Length") {
        parts[parts.count - 1] += "\(stream.count) ".utf8
        index += isReference(index) ? 3 : 1
      } else if isReference(index), let old = token.integer {
        references.append(old)
        parts.append([UInt8(ascii: " ")])
        index += 3
      } else {
        parts[parts.count - 1] += source.bytes(token.range)
        parts[parts.count - 1].append(0x20)
        index += 1
      }
    }
    if let stream = object.stream {
      parts[parts.count - 1] += "\nstream\n".utf8
      parts[parts.count - 1] += source.bytes(stream)
      parts[parts.count - 1] += "\nendstream".utf8
    }
    return parts
  }
}
