import CoreTypes

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

  /// - Throws: `templateInvalid` with the line, `limitExceeded` for sections nested too deep, `timedOut`.
  init(_ source: [UInt8], name: String, depth: Int, deadline: Deadline) throws {
    self.name = name
    self.source = source
    var parser = MustacheParser(source, name: name, depth: depth, deadline: deadline)
    tokens = try parser.parse()
  }

  /// The line that a place in the source is in, from 1.
  static func line(of offset: Int, in source: [UInt8]) -> Int {
    source[..<min(offset, source.count)].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }

  func line(of offset: Int) -> Int { Self.line(of: offset, in: source) }
}

extension MustacheTemplate {
  /// `template` with `data` and `attributes`, `{{{body}}}` being `body`.
  ///
  /// - Throws: `dataInvalid`, `templateInvalid`, `templateAttributeMissing`, `templateAttributeInvalid`, `limitExceeded`, `timedOut`.
  static func expand(_ source: String, name: String, request: RenderRequest, deadline: Deadline) throws -> [UInt8] {
    var context = try request.data.map { data throws(OffprintError) in try object(data, name: name) } ?? [:]
    for (key, value) in request.attributes { context[key] = .string(value) }  // in any order
    if !request.html.isEmpty || context["body"] == nil { context["body"] = .string(String(decoding: request.html, as: UTF8.self)) }
    let limits = request.limits
    let depth = max(1, min(limits.depth, 1024))
    let template = try MustacheTemplate(Array(source.utf8), name: name, depth: depth, deadline: deadline)
    var renderer = MustacheRenderer(partials: request.partials, depth: depth, limits: limits, deadline: deadline)
    return try renderer.render(template, .object(context))
  }

  private static func object(_ data: [UInt8], name: String) throws(OffprintError) -> [String: JSONValue] {
    guard case .object(let object)? = JSONValue(parsing: data) else {
      throw OffprintError(.dataInvalid, "The data for the template '\(name)' is not a JSON object.")
    }
    return object
  }
}
