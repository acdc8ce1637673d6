import OffprintCoreTypes

/// A template of the user, parsed: a flat list of tokens, sections being ranges of it.
///
/// https://mustache.github.io/mustache.5.html
struct MustacheTemplate {
  /// `reversed(a.b)`: what a tag refers to, and what is done with it.
  struct Reference: Equatable {
    /// The names between the points; empty for `.` and for what only a list knows (`last()`).
    var path: [String]
    /// From the innermost outwards.
    var transforms: [String] = []
    /// As it is written.
    var text: String
    /// Whether only the innermost context is asked (`.name`).
    var isLocal = false
  }

  enum Token {
    case text(Range<Int>)
    case variable(Reference, isEscaped: Bool, offset: Int)
    /// Its content is behind it, up to `end`.
    case section(Reference, isInverted: Bool, end: Int)
    case partial(name: String, isDynamic: Bool, indentation: Range<Int>, offset: Int)
    /// A partial some blocks of which are replaced: those among the tokens up to `end`.
    case parent(name: String, isDynamic: Bool, indentation: Range<Int>, end: Int, offset: Int)
    /// A part that a parent's user can replace.
    case block(name: String, end: Int)
    /// Whether variables are escaped from here on.
    case escaping(Bool)
  }

  let name: String
  let source: [UInt8]
  private(set) var tokens: [Token] = []

  /// - Parameter from: where the template begins, behind front matter.
  /// - Throws: `templateInvalid` with the line, `limitExceeded` for sections nested too deep, `timedOut`.
  init(_ source: [UInt8], from start: Int = 0, name: String, depth: Int, deadline: Deadline) throws {
    self.name = name
    self.source = source
    var parser = MustacheParser(source, from: start, name: name, depth: depth, deadline: deadline)
    tokens = try parser.parse()
  }

  /// A template that another includes; what it declares counts for itself alone.
  init(partial source: String, name: String, depth: Int, deadline: Deadline) throws {
    let bytes = Array(source.utf8)
    let start = try TemplateDefinition(bytes, name: name).bodyOffset
    try self.init(bytes, from: start, name: name, depth: depth, deadline: deadline)
  }

  /// The templates that `source` includes by name, and whether it includes some whose names data tell.
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

  /// The line that a place in the source is in, from 1.
  static func line(of offset: Int, in source: [UInt8]) -> Int {
    source[..<min(offset, source.count)].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }

  func line(of offset: Int) -> Int { Self.line(of: offset, in: source) }
}
