import OffprintCoreTypes

/// A parsed template: a flat list of tokens in which sections are ranges.
///
/// https://mustache.github.io/mustache.5.html
struct MustacheTemplate {
  /// The reference of a tag with its transforms, such as `reversed(a.b)`.
  struct Reference: Equatable {
    /// The names separated by dots; empty for `.` and for list functions such as `last()`.
    var path: [String]
    /// From the innermost to the outermost.
    var transforms: [String] = []
    /// As written in the template.
    var text: String
    /// Whether only the innermost context is searched (`.name`).
    var isLocal = false
  }

  enum Token {
    case text(Range<Int>)
    case variable(Reference, isEscaped: Bool, offset: Int)
    /// Its contents follow, up to `end`.
    case section(Reference, isInverted: Bool, end: Int)
    case partial(name: String, isDynamic: Bool, indentation: Range<Int>, offset: Int)
    /// A parent: a partial whose blocks can be replaced by blocks among the tokens up to `end`.
    case parent(name: String, isDynamic: Bool, indentation: Range<Int>, end: Int, offset: Int)
    /// A part that templates including this one can replace.
    case block(name: String, end: Int)
    /// Whether variables are escaped from here on.
    case escaping(Bool)
  }

  let name: String
  let source: [UInt8]
  private(set) var tokens: [Token] = []

  /// - Parameter from: Where the template begins, after front matter.
  /// - Throws: `templateInvalid` with the line, `limitExceeded` for sections nested too deep, `timedOut`.
  init(_ source: [UInt8], from start: Int = 0, name: String, depth: Int, deadline: Deadline) throws {
    self.name = name
    self.source = source
    var parser = MustacheParser(source, from: start, name: name, depth: depth, deadline: deadline)
    tokens = try parser.parse()
  }

  /// A partial. Its own declarations are ignored.
  init(partial source: String, name: String, depth: Int, deadline: Deadline) throws {
    let bytes = Array(source.utf8)
    let start = try TemplateDefinition(bytes, name: name).bodyOffset
    try self.init(bytes, from: start, name: name, depth: depth, deadline: deadline)
  }

  /// The partials that `source` includes by name, and whether it includes any whose name comes from data.
  static func partialNames(_ source: String, name: String) throws(OffprintError) -> (names: [String], isAny: Bool) {
    let template: MustacheTemplate
    do {
      template = try MustacheTemplate(partial: source, name: name, depth: 1024, deadline: .never)
    } catch {
      throw OffprintError(error, seconds: 0)
    }
    var names: [String] = []
    var isAny = false
    for token in template.tokens {
      switch token {
      case .partial(let name, let isDynamic, _, _), .parent(let name, let isDynamic, _, _, _):
        if isDynamic { isAny = true } else { names.append(name) }
      case .text, .variable, .section, .block, .escaping: break
      }
    }
    return (names, isAny)
  }

  /// The line of an offset in the source, from 1.
  static func line(of offset: Int, in source: [UInt8]) -> Int {
    source[..<min(offset, source.count)].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }

  func line(of offset: Int) -> Int { Self.line(of: offset, in: source) }
}
