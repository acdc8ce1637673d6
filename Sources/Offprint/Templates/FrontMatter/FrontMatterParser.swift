/// Parses the lines of a front-matter block.
struct FrontMatterParser {
  typealias Node = FrontMatter.Node
  typealias Invalid = FrontMatter.Invalid

  private struct Line {
    var number: Int
    var indent: Int
    var text: Substring
  }

  private let raw: [String]
  private let firstLine: Int
  private var index = 0
  /// The rest of a line after `- `: the first line of the item.
  private var rest: Line?

  init(_ lines: [String], firstLine: Int) {
    raw = lines
    self.firstLine = firstLine
  }

  mutating func document() throws(Invalid) -> Node {
    guard let first = try peek() else { return Node(value: .mapping([]), line: firstLine) }
    let node = try block(first.indent, depth: 0)
    if let line = try peek() {
      throw Invalid(line: line.number, problem: "'\(line.text.prefix(40))' is not indented like the lines before it")
    }
    return node
  }

  // MARK: Lines

  /// The next line with contents.
  private mutating func peek() throws(Invalid) -> Line? {
    if let rest { return rest }
    while index < raw.count {
      let spaces = raw[index].utf8.prefix { $0 == 0x20 }.count
      let text = Self.withoutTrailingSpaces(raw[index].dropFirst(spaces))
      if text.isEmpty || text.hasPrefix("#") {
        index += 1
        continue
      }
      if text.hasPrefix("\t") { throw Invalid(line: firstLine + index, problem: "lines must be indented with spaces, not tabs") }
      return Line(number: firstLine + index, indent: spaces, text: text)
    }
    return nil
  }

  private static func withoutTrailingSpaces(_ text: Substring) -> Substring {
    Substring(text.utf8.prefix(text.utf8.count - text.utf8.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count))
  }

  private mutating func advance() {
    rest = nil
    index += 1
  }

  // MARK: Blocks

  private mutating func block(_ indent: Int, depth: Int) throws(Invalid) -> Node {
    guard let line = try peek() else { return Node(value: .scalar("", isQuoted: false), line: firstLine + index) }
    guard depth < FrontMatter.maximumDepth else {
      throw Invalid(line: line.number, problem: "it is nested deeper than \(FrontMatter.maximumDepth)")
    }
    if Self.isItem(line.text) { return try list(indent, depth) }
    guard FrontMatterScalars.key(line.text) == nil else { return try mapping(indent, depth) }
    advance()
    var scalars = FrontMatterScalars(line.text, line: line.number)
    return try scalars.whole()
  }

  private static func isItem(_ text: Substring) -> Bool { text == "-" || text.hasPrefix("- ") }

  private mutating func list(_ indent: Int, _ depth: Int) throws(Invalid) -> Node {
    var items: [Node] = []
    let start = try peek()?.number ?? firstLine
    while let line = try peek(), line.indent == indent, Self.isItem(line.text) {
      let content = line.text.dropFirst().drop { $0 == " " }
      let isBare = content.isEmpty || content.hasPrefix("#")
      if isBare {
        advance()
        items.append(try nested(under: indent, depth, line.number))
      } else {
        let inner = indent + line.text.utf8.count - content.utf8.count
        rest = Line(number: line.number, indent: inner, text: content)
        items.append(try block(inner, depth: depth + 1))
      }
    }
    return Node(value: .list(items), line: start)
  }

  private mutating func mapping(_ indent: Int, _ depth: Int) throws(Invalid) -> Node {
    var members: [FrontMatter.Member] = []
    let start = try peek()?.number ?? firstLine
    while let line = try peek(), line.indent == indent {
      guard let (key, value) = FrontMatterScalars.key(line.text) else {
        throw Invalid(line: line.number, problem: "'\(line.text.prefix(40))' is not 'name: value'")
      }
      guard !members.contains(where: { $0.key == key }) else { throw Invalid(line: line.number, problem: "'\(key)' is specified twice") }
      advance()
      members.append(.init(key: key, line: line.number, value: try self.value(value, indent, depth, line.number)))
    }
    return Node(value: .mapping(members), line: start)
  }

  /// The value of a key: on its line, or below it.
  private mutating func value(_ text: Substring, _ indent: Int, _ depth: Int, _ line: Int) throws(Invalid) -> Node {
    if text.isEmpty || text.hasPrefix("#") {
      // A list may have the same indentation as its key.
      if let next = try peek(), next.indent == indent, Self.isItem(next.text) { return try list(indent, depth + 1) }
      return try nested(under: indent, depth, line)
    }
    if text.hasPrefix("|") || text.hasPrefix(">") { return try literal(text, indent, line) }
    var scalars = FrontMatterScalars(text, line: line)
    return try scalars.whole()
  }

  private mutating func nested(under indent: Int, _ depth: Int, _ line: Int) throws(Invalid) -> Node {
    guard let next = try peek(), next.indent > indent else { return Node(value: .scalar("", isQuoted: false), line: line) }
    return try block(next.indent, depth: depth + 1)
  }

  /// https://yaml.org/spec/1.2.2/#81-block-scalar-styles
  private mutating func literal(_ header: Substring, _ indent: Int, _ line: Int) throws(Invalid) -> Node {
    let marks = header.dropFirst().prefix { $0 != " " && $0 != "#" }
    guard ["", "-"].contains(marks) else { throw Invalid(line: line, problem: "after '\(header.prefix(1))' only '-' may stand") }
    var lines: [String] = []
    var own: Int?
    while index < raw.count {
      let text = raw[index]
      let spaces = text.utf8.prefix { $0 == 0x20 }.count
      let isBlank = spaces == text.utf8.count
      guard isBlank || spaces > indent && spaces >= own ?? 0 else { break }
      if !isBlank && own == nil { own = spaces }
      if isBlank && own == nil && spaces > indent + 1 {
        throw Invalid(line: firstLine + index, problem: "a line before the text of a block must not have spaces")
      }
      lines.append(isBlank && spaces <= own ?? .max ? "" : String(text.dropFirst(own ?? 0)))
      index += 1
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    let text = header.hasPrefix("|") ? lines.joined(separator: "\n") : Self.folded(lines)
    return Node(value: .scalar(marks.isEmpty && !text.isEmpty ? text + "\n" : text, isQuoted: true), line: line)
  }

  /// Line breaks become spaces, except beside empty lines and more-indented lines.
  /// https://yaml.org/spec/1.2.2/#813-folded-style
  private static func folded(_ lines: [String]) -> String {
    var text = "", empty = 0, previous: String?
    for line in lines {
      if line.isEmpty { empty += 1; continue }
      if let previous {
        let isKept = isIndented(previous) || isIndented(line)
        text += isKept ? String(repeating: "\n", count: empty + 1) : empty == 0 ? " " : String(repeating: "\n", count: empty)
      } else {
        text += String(repeating: "\n", count: empty)
      }
      text += line
      (previous, empty) = (line, 0)
    }
    return text
  }

  private static func isIndented(_ line: String) -> Bool { line.utf8.first == 0x20 || line.utf8.first == 0x09 }
}
