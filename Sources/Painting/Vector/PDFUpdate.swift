import OffprintCoreTypes

/// Adds what cairo does not write (language) or writes incorrectly (cairo 1.16 omits link objects) as an incremental update at the end of
/// the file. https://www.iso.org/standard/75839.html, 7.5.6
struct PDFUpdate {
  enum Target {
    case address(String)
    /// In points from the bottom left corner.
    case page(Int, x: String, y: String)
  }

  struct Annotation {
    /// Left, bottom, right and top, in points.
    var rect: [String]
    var target: Target
  }

  private let file: [UInt8]
  private var size = 0
  private var root = 0
  private var info = 0
  private let table: Int
  private var offsets: [Int] = []
  private var added: [(number: Int, body: [UInt8])] = []

  /// - Parameter annotations: By page index.
  /// - Returns: The updated file; the unchanged file if its structure differs from cairo's output.
  static func adding(_ annotations: [Int: [Annotation]], language: String, to file: [UInt8]) -> [UInt8] {
    let tag = Array(language.utf8.prefix(64))
    let isTag = !tag.isEmpty && tag.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2d }
    guard isTag || !annotations.isEmpty, var update = PDFUpdate(file) else { return file }
    if !annotations.isEmpty { update.add(annotations) }
    if isTag, let catalog = update.dictionary(of: update.root) {
      update.added.append((update.root, catalog + Array("   /Lang (\(String(decoding: tag, as: UTF8.self)))\n>>".utf8)))
    }
    return update.added.isEmpty ? file : update.written
  }

  private init?(_ file: [UInt8]) {
    self.file = file
    let end = file.suffix(512)
    guard let start = Self.find("trailer", in: end) else { return nil }
    let words = String(decoding: end[start...], as: UTF8.self).split(whereByte: { $0 == 0x20 || $0 == 0x0A })
    func number(after word: String) -> Int? {
      guard let index = words.firstIndex(where: { $0 == word }), words.indices.contains(index + 1) else { return nil }
      return Int(words[index + 1])
    }
    guard let size = number(after: "/Size"), let root = number(after: "/Root"), let info = number(after: "/Info"),
      let table = number(after: "startxref"), table >= 0, table < file.count
    else { return nil }
    (self.size, self.root, self.info, self.table) = (size, root, info, table)
    // The cross-reference table: two header lines and entries of 20 bytes.
    let head = Array("xref\n0 \(size)\n".utf8)
    guard file[table...].starts(with: head), table + head.count + 20 * size <= file.count else { return nil }
    for number in 0..<size {
      let row = table + head.count + 20 * number
      guard let offset = Int(String(decoding: file[row..<row + 10], as: UTF8.self)) else { return nil }
      offsets.append(offset)
    }
  }

  /// The content of an object's dictionary, without the closing `>>`.
  private func dictionary(of number: Int) -> [UInt8]? {
    let head = Array("\(number) 0 obj\n".utf8)
    guard offsets.indices.contains(number), file.indices.contains(offsets[number]), file[offsets[number]...].starts(with: head) else {
      return nil
    }
    let start = offsets[number] + head.count
    guard let end = Self.find("\n>>\nendobj", in: file[start...]) else { return nil }
    return Array(file[start...end])
  }

  private mutating func add(_ annotations: [Int: [Annotation]]) {
    let pages = pageNumbers()
    for index in pages.indices {
      guard let links = annotations[index], !links.isEmpty, let page = dictionary(of: pages[index]) else { continue }
      var references = ""
      for link in links {
        let target: String
        switch link.target {
        case .address(let address): target = "/A << /S /URI /URI (\(Self.escaped(address))) >>"
        case .page(let number, let x, let y):
          guard pages.indices.contains(number) else { continue }
          target = "/Dest [\(pages[number]) 0 R /XYZ \(x) \(y) 0]"
        }
        let body = "<< /Type /Annot /Subtype /Link /Rect [\(link.rect.joined(separator: " "))] /Border [0 0 0]\n   \(target) >>"
        added.append((size, Array(body.utf8)))
        references += "\(size) 0 R "
        size += 1
      }
      added.append((pages[index], page + Array("   /Annots [\(references)]\n>>".utf8)))
    }
  }

  /// The object numbers of the pages, which cairo lists in its first object.
  private func pageNumbers() -> [Int] {
    guard let tree = dictionary(of: 1), let start = Self.find("/Kids [", in: tree[...]) else { return [] }
    let rest = tree[(start + 7)...]
    let words = rest.prefix { $0 != UInt8(ascii: "]") }.split { $0 == 0x20 || $0 == 0x0a }
    return stride(from: 0, to: words.count, by: 3).compactMap { Int(String(decoding: words[$0], as: UTF8.self)) }
  }

  /// Percent-encodes a URL and escapes it for a string in parentheses.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x28, 0x29, 0x5c: result += "\\" + String(UnicodeScalar(byte))
      case 0x21...0x7e: result.unicodeScalars.append(UnicodeScalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private var written: [UInt8] {
    var result = file, rows = ""
    for (number, body) in added {
      var offset = "\(result.count)"
      offset = String(repeating: "0", count: max(0, 10 - offset.utf8.count)) + offset
      rows += "\(number) 1\n\(offset) 00000 n \n"
      result += Array("\(number) 0 obj\n".utf8) + body + Array("\nendobj\n".utf8)
    }
    let start = result.count
    result += Array("xref\n\(rows)trailer\n<< /Size \(size)\n   /Root \(root) 0 R\n   /Info \(info) 0 R\n   /Prev \(table)\n>>\n".utf8)
    result += Array("startxref\n\(start)\n%%EOF\n".utf8)
    return result
  }

  private static func find(_ word: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let word = Array(word.utf8)
    guard bytes.count >= word.count, let first = word.first else { return nil }
    return bytes.indices.dropLast(word.count - 1).first { bytes[$0] == first && bytes[$0...].starts(with: word) }
  }
}
