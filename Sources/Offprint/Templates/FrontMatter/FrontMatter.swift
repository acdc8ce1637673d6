/// The block between two lines `---` at the start of a template, as in static site generators. It is a small subset of YAML 1.2: every
/// accepted document is YAML with the same meaning. Supports mappings and lists by indentation or in brackets on one line, quoted and plain
/// scalars, literal (`|`) and folded (`>`) text, and comments. Anchors, tags and multiple documents are rejected.
///
/// https://yaml.org/spec/1.2.2/
struct FrontMatter {
  indirect enum Value: Hashable, Sendable {
    case scalar(String, isQuoted: Bool)
    case list([Node])
    case mapping([Member])
  }
  /// A value, and the line of the file on which it begins.
  struct Node: Hashable, Sendable {
    var value: Value
    var line: Int
  }
  struct Member: Hashable, Sendable {
    var key: String
    var line: Int
    var value: Node
  }
  struct Invalid: Error, Equatable {
    var line: Int
    var problem: String
  }

  static let maximumBytes = 256 << 10
  static let maximumDepth = 16

  /// Nil if the file has no front matter.
  var root: Node?
  /// The offset at which the template itself begins.
  var bodyOffset = 0

  /// - Throws: `Invalid` for a block that is not closed or not in the supported subset.
  init(_ source: [UInt8]) throws(Invalid) {
    let start = source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    bodyOffset = start
    guard let first = Self.line(source, start), first.text.trimmingSpaces == "---", first.text.hasPrefix("---") else { return }
    var lines: [String] = []
    var position = first.next
    while let line = Self.line(source, position), position < source.count {
      position = line.next
      if line.text.trimmingSpaces == "---", line.text.hasPrefix("---") {
        bodyOffset = position
        var parser = FrontMatterParser(lines, firstLine: 2)
        root = try parser.document()
        return
      }
      lines.append(line.text)
      if position > Self.maximumBytes { break }
    }
    throw Invalid(line: 1, problem: "the block that begins with '---' is not ended by another '---' within \(Self.maximumBytes) bytes")
  }

  /// The line that begins at `start`, without its line end.
  private static func line(_ source: [UInt8], _ start: Int) -> (text: String, next: Int)? {
    guard start <= source.count else { return nil }
    let end = source[start...].firstIndex(of: 0x0A) ?? source.count
    guard end - start <= maximumBytes else { return nil }
    let bytes = source[start..<end]
    return (String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self), min(end + 1, source.count))
  }
}

extension FrontMatter.Node {
  /// The value as JSON, with plain scalars resolved by YAML's core schema.
  var json: JSONValue {
    switch value {
    case .scalar(let text, isQuoted: true): .string(text)
    case .scalar(let text, isQuoted: false): Self.plain(text)
    case .list(let items): .array(items.map(\.json))
    case .mapping(let members): .object(Dictionary(members.map { ($0.key, $0.value.json) }) { first, _ in first })
    }
  }

  var text: String? { if case .scalar(let text, _) = value { text } else { nil } }

  /// Whether there is no value.
  var isEmpty: Bool { value == .scalar("", isQuoted: false) }

  /// https://yaml.org/spec/1.2.2/#103-core-schema
  private static func plain(_ text: String) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE": .bool(true)
    case "false", "False", "FALSE": .bool(false)
    default: number(text) ?? .string(text)
    }
  }

  /// Nil for text that is not a number, or is out of range.
  static func number(_ text: String) -> JSONValue? {
    guard CoreSchemaNumber(text) != nil else { return nil }
    if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).flatMap { JSONValue(decimal: String($0)) } }
    if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).flatMap { JSONValue(decimal: String($0)) } }
    return JSONValue(decimal: text)
  }
}
