import OffprintCoreTypes

/// Parses the text of a template. Open sections are on an explicit stack, so nesting uses no recursion.
struct MustacheParser {
  private typealias Token = MustacheTemplate.Token
  private struct Open {
    var index: Int
    var name: String
    var offset: Int
  }
  /// A tag between its delimiters.
  private struct Tag {
    var kind: UInt8
    var text: Range<Int>
    var start: Int
    var end: Int
  }

  private let source: [UInt8]
  private let name: String
  private let depth: Int
  private let deadline: Deadline
  private var position = 0
  private var start = Array("{{".utf8)
  private var end = Array("}}".utf8)
  private var tokens: [MustacheTemplate.Token] = []
  private var open: [Open] = []

  init(_ source: [UInt8], from start: Int, name: String, depth: Int, deadline: Deadline) {
    self.source = source
    position = min(start, source.count)
    self.name = name
    self.depth = depth
    self.deadline = deadline
  }

  mutating func parse() throws -> [MustacheTemplate.Token] {
    while let found = find(start, from: position) {
      if tokens.count & 1023 == 0 { try deadline.check() }
      let tag = try tag(at: found)
      try add(tag, before: position..<found)
    }
    addText(position..<source.count)
    if let unclosed = open.last { throw invalid("the section '\(unclosed.name)' is not closed", at: unclosed.offset) }
    return tokens
  }

  private func invalid(_ problem: String, at offset: Int) -> OffprintError {
    OffprintError(
      .templateInvalid,
      "The template '\(name)' is not valid Mustache: line \(MustacheTemplate.line(of: offset, in: source)): \(problem).")
  }

  private func find(_ bytes: [UInt8], from place: Int) -> Int? {
    guard let first = bytes.first else { return nil }
    var place = place
    while place + bytes.count <= source.count, let next = source[place...].firstIndex(of: first) {
      if source[next...].starts(with: bytes) { return next }
      place = next + 1
    }
    return nil
  }

  // MARK: Tags

  private func tag(at found: Int) throws(OffprintError) -> Tag {
    var content = found + start.count
    let kinds = Array("#^/>&!=<$%{".utf8)
    let kind = content < source.count && kinds.contains(source[content]) ? source[content] : 0
    if kind != 0 { content += 1 }
    let closing = kind == UInt8(ascii: "{") ? [UInt8(ascii: "}")] + end : kind == UInt8(ascii: "=") ? [UInt8(ascii: "=")] + end : end
    guard let close = find(closing, from: content) else { throw invalid("a tag is not closed", at: found) }
    return Tag(kind: kind, text: trimmed(content..<close), start: found, end: close + closing.count)
  }

  private mutating func add(_ tag: Tag, before text: Range<Int>) throws {
    // A tag alone on its line removes the line, unless it produces text.
    let isVariable = tag.kind == 0 || tag.kind == UInt8(ascii: "{") || tag.kind == UInt8(ascii: "&")
    let line = isVariable ? nil : standaloneLine(tag)
    addText(text.lowerBound..<max(text.lowerBound, line?.lowerBound ?? text.upperBound))
    position = line?.upperBound ?? tag.end
    let indentation = line.map { max($0.lowerBound, text.lowerBound)..<tag.start } ?? tag.start..<tag.start
    switch tag.kind {
    case UInt8(ascii: "!"): break
    case UInt8(ascii: "#"), UInt8(ascii: "^"):
      let reference = try reference(tag)
      try begin(.section(reference, isInverted: tag.kind == UInt8(ascii: "^"), end: 0), reference.text, tag)
    case UInt8(ascii: "$"): try begin(.block(name: try plainName(tag), end: 0), try plainName(tag), tag)
    case UInt8(ascii: ">"):
      let (name, isDynamic) = try partialName(tag)
      tokens.append(.partial(name: name, isDynamic: isDynamic, indentation: indentation, offset: tag.start))
    case UInt8(ascii: "<"):
      let (name, isDynamic) = try partialName(tag)
      try begin(.parent(name: name, isDynamic: isDynamic, indentation: indentation, end: 0, offset: tag.start), try plainName(tag), tag)
    case UInt8(ascii: "/"): try close(tag)
    case UInt8(ascii: "="): try setDelimiters(tag)
    case UInt8(ascii: "%"): try pragma(tag)
    default: tokens.append(.variable(try reference(tag), isEscaped: tag.kind == 0, offset: tag.start))
    }
  }

  private mutating func addText(_ range: Range<Int>) { if !range.isEmpty { tokens.append(.text(range)) } }

  private mutating func begin(_ token: MustacheTemplate.Token, _ name: String, _ tag: Tag) throws(OffprintError) {
    guard open.count < depth else {
      throw OffprintError(.limitExceeded, "The template '\(self.name)' nests sections deeper than the limit 'depth' (\(depth)) allows.")
    }
    open.append(Open(index: tokens.count, name: name, offset: tag.start))
    tokens.append(token)
  }

  private mutating func close(_ tag: Tag) throws(OffprintError) {
    let name = text(tag.text)
    guard let section = open.popLast() else { throw invalid("'\(name)' is closed, but was not opened", at: tag.start) }
    guard section.name == name else { throw invalid("'\(name)' is closed where '\(section.name)' is open", at: tag.start) }
    switch tokens[section.index] {
    case .section(let reference, let isInverted, _): tokens[section.index] = .section(reference, isInverted: isInverted, end: tokens.count)
    case .block(let name, _): tokens[section.index] = .block(name: name, end: tokens.count)
    case .parent(let name, let isDynamic, let indentation, _, let offset):
      tokens[section.index] = .parent(name: name, isDynamic: isDynamic, indentation: indentation, end: tokens.count, offset: offset)
    case .text, .variable, .partial, .escaping: break
    }
  }

  /// https://mustache.github.io/mustache.5.html#Set-Delimiter
  private mutating func setDelimiters(_ tag: Tag) throws(OffprintError) {
    let parts = source[tag.text].split(whereSeparator: { $0 <= 0x20 })
    guard parts.count == 2, let first = parts.first, let last = parts.last, !first.contains(UInt8(ascii: "=")),
      !last.contains(UInt8(ascii: "="))
    else { throw invalid("delimiters are set as {{=<% %>=}}", at: tag.start) }
    (start, end) = (Array(first), Array(last))
  }

  private mutating func pragma(_ tag: Tag) throws(OffprintError) {
    let parts = text(tag.text).split(whereByte: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") })
    guard parts.count == 2, parts[0] == "CONTENT_TYPE", ["TEXT", "HTML"].contains(parts[1]) else {
      throw invalid("'\(text(tag.text).prefix(40))' is not a setting; use CONTENT_TYPE: TEXT or HTML", at: tag.start)
    }
    tokens.append(.escaping(parts[1] == "HTML"))
  }

  // MARK: Names

  private func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

  private func plainName(_ tag: Tag) throws(OffprintError) -> String {
    let name = text(tag.text)
    guard !name.isEmpty, name.utf8.count <= 200 else { throw invalid("a tag has no name, or one over 200 bytes", at: tag.start) }
    return name
  }

  private func partialName(_ tag: Tag) throws(OffprintError) -> (name: String, isDynamic: Bool) {
    let name = try plainName(tag)
    guard name.hasPrefix("*") else { return (name, false) }
    return (String(name.dropFirst().drop { $0 == " " }), true)
  }

  /// A name can contain anything except braces and line ends, so that every column of a table has one: `{{Product name}}`, `{{Price
  /// (EUR)}}`. A word directly before a parenthesis is a transform: `{{uppercased(name)}}`.
  private func reference(_ tag: Tag) throws(OffprintError) -> MustacheTemplate.Reference {
    let text = try plainName(tag)
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
      throw invalid("'\(text.prefix(40))' is not a name", at: tag.start)
    }
    let (transforms, name) = try calls(text, tag)
    return MustacheTemplate.Reference(
      path: name.split(byte: ".").map(String.init), transforms: transforms.reversed(), text: text, isLocal: name.hasPrefix("."))
  }

  /// The transforms of `a(b(name))`, outermost first, and the name.
  private func calls(_ text: String, _ tag: Tag) throws(OffprintError) -> (transforms: [String], name: Substring) {
    var transforms: [String] = []
    var name = text[...]
    while let parenthesis = name.firstIndex(ofByte: "("), !name[..<parenthesis].contains(where: { $0 == " " || $0 == "\t" }) {
      guard name.hasSuffix(")") else { throw invalid("'\(text.prefix(40))' has no matching parentheses", at: tag.start) }
      transforms.append(String(name[..<parenthesis]))
      name = name[name.index(after: parenthesis)...].dropLast()
      guard transforms.count <= 16, transforms.last != "" else { throw invalid("'\(text.prefix(40))' is not a name", at: tag.start) }
    }
    return (transforms, name)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high, source[low] <= 0x20 { low += 1 }
    while low < high, source[high - 1] <= 0x20 { high -= 1 }
    return low..<high
  }

  // MARK: Lines

  /// The whole line including its end, if it contains only the tag.
  private func standaloneLine(_ tag: Tag) -> Range<Int>? {
    var low = tag.start
    while low > 0, source[low - 1] == 0x20 || source[low - 1] == 0x09 { low -= 1 }
    guard low == 0 || source[low - 1] == 0x0A, low >= position else { return nil }
    var high = tag.end
    while high < source.count, source[high] == 0x20 || source[high] == 0x09 { high += 1 }
    if high + 1 < source.count, source[high] == 0x0D, source[high + 1] == 0x0A { return low..<high + 2 }
    if high < source.count { return source[high] == 0x0A ? low..<high + 1 : nil }
    return low..<high
  }
}
