import OffprintCoreTypes

/// The objects of a PDF file with cross-reference tables, as this package writes it. Cross-reference streams (PDF 1.5) are not supported.
/// https://www.iso.org/standard/75839.html, 7.5
struct PDFSource {
  private let file: [UInt8]
  /// The offsets of objects, by number.
  private(set) var offsets: [Int: Int] = [:]
  private(set) var catalog = 0

  /// The maximum number of tables of an incrementally updated file.
  private static let maximumTables = 64

  init?(_ file: [UInt8]) {
    self.file = file
    guard let end = Self.lastRange(of: "startxref", in: file) else { return nil }
    var scanner = PDFScanner(file, at: end)
    guard let first = scanner.integer(), readTables(from: first), catalog > 0 else { return nil }
  }

  /// Follows `/Prev`. Objects of a later table take precedence over earlier ones.
  private mutating func readTables(from first: Int) -> Bool {
    var next: Int? = first
    for _ in 0..<Self.maximumTables {
      guard let place = next else { return true }
      guard file.indices.contains(place) else { return false }
      var scanner = PDFScanner(file, at: place)
      guard scanner.next()?.isWord("xref", in: file) == true, let trailer = readSections(&scanner) else { return false }
      if catalog == 0 { catalog = trailer.root ?? 0 }
      next = trailer.previous
    }
    return false
  }

  /// 7.5.4, 7.5.5
  private mutating func readSections(_ scanner: inout PDFScanner) -> (root: Int?, previous: Int?)? {
    while true {
      guard let token = scanner.next() else { return nil }
      if token.isWord("trailer", in: file) { return trailer(&scanner) }
      guard let start = token.integer, let count = scanner.integer(), count <= file.count / 20 else { return nil }
      for index in 0..<count {
        guard let offset = scanner.integer(), scanner.integer() != nil, let kind = scanner.next() else { return nil }
        let number = start &+ index
        if kind.isWord("n", in: file), offsets[number] == nil { offsets[number] = offset }
      }
    }
  }

  private func trailer(_ scanner: inout PDFScanner) -> (root: Int?, previous: Int?)? {
    var root: Int?, previous: Int?
    while let token = scanner.next(), !token.isWord(">>", in: file) {
      if token.isWord("/Root", in: file) { root = scanner.integer() }
      if token.isWord("/Prev", in: file) { previous = scanner.integer() }
    }
    return (root, previous)
  }

  /// The tokens of an object up to `endobj` or `stream`, and the range of its stream. 7.3.8, 7.3.10
  func object(_ number: Int) -> (tokens: [PDFScanner.Token], stream: Range<Int>?)? {
    guard let offset = offsets[number], file.indices.contains(offset) else { return nil }
    var scanner = PDFScanner(file, at: offset)
    guard scanner.integer() == number, scanner.integer() != nil, scanner.next()?.isWord("obj", in: file) == true else { return nil }
    var tokens: [PDFScanner.Token] = []
    while let token = scanner.next() {
      if token.isWord("endobj", in: file) { return (tokens, nil) }
      if token.isWord("stream", in: file) {
        guard let length = length(tokens), let start = scanner.startOfStream, length <= file.count - start else { return nil }
        return (tokens, start..<start + length)
      }
      tokens.append(token)
    }
    return nil
  }

  func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { file[range] }

  /// The value of `/Length`, which can be an indirect object.
  private func length(_ tokens: [PDFScanner.Token]) -> Int? {
    guard let index = tokens.firstIndex(where: { $0.isWord("/Length", in: file) }), tokens.indices.contains(index + 1) else { return nil }
    let isReference = tokens.indices.contains(index + 3) && tokens[index + 3].isWord("R", in: file)
    guard isReference, let number = tokens[index + 1].integer else { return tokens[index + 1].integer }
    guard let offset = offsets[number], file.indices.contains(offset) else { return nil }
    var scanner = PDFScanner(file, at: offset)
    guard scanner.integer() == number, scanner.integer() != nil, scanner.next()?.isWord("obj", in: file) == true else { return nil }
    return scanner.integer()
  }

  /// The pages in order, without the inner nodes of the tree. 7.7.3
  func pages() -> [Int]? {
    guard let root = object(catalog).flatMap({ reference("/Pages", in: $0.tokens) }) else { return nil }
    var pages: [Int] = [], open = [root], visited: Set<Int> = []
    while let number = open.popLast() {
      guard visited.insert(number).inserted, let node = object(number) else { return nil }
      guard let kids = references("/Kids", in: node.tokens) else {
        pages.append(number)
        continue
      }
      open += kids.reversed()
    }
    return pages
  }

  func isWord(_ token: PDFScanner.Token, _ word: StaticString) -> Bool { token.isWord(word, in: file) }

  private func reference(_ key: StaticString, in tokens: [PDFScanner.Token]) -> Int? {
    guard let index = tokens.firstIndex(where: { $0.isWord(key, in: file) }), tokens.indices.contains(index + 1) else { return nil }
    return tokens[index + 1].integer
  }

  private func references(_ key: StaticString, in tokens: [PDFScanner.Token]) -> [Int]? {
    guard let index = tokens.firstIndex(where: { $0.isWord(key, in: file) }) else { return nil }
    var numbers: [Int] = []
    for (position, token) in tokens.enumerated().dropFirst(index + 1) {
      if token.isWord("]", in: file) { break }
      if token.isWord("R", in: file), position >= 2, let number = tokens[position - 2].integer { numbers.append(number) }
    }
    return numbers
  }

  private static func lastRange(of word: StaticString, in file: [UInt8]) -> Int? {
    let tail = max(0, file.count - 1024)
    return file.indices.dropFirst(tail).reversed().first { PDFScanner.matches(word, file, at: $0) }.map { $0 + word.utf8CodeUnitCount }
  }
}
