import CoreTypes

/// Expands a parsed template, within a number of steps, of bytes, and of levels.
struct MustacheRenderer {
  /// What replaces a block: tokens of the template that uses a parent.
  private struct Override {
    var template: MustacheTemplate
    var range: Range<Int>
  }
  /// Where in a list the innermost section is.
  private struct ListPlace {
    var index: Int
    var count: Int
  }

  private let partials: [String: String]
  private let depth: Int
  private let limits: Limits
  private let deadline: Deadline
  private var parsed: [String: MustacheTemplate] = [:]
  private var contexts: [JSONValue] = []
  private var places: [ListPlace] = []
  private var overrides: [[String: Override]] = []
  private var indentations: [[UInt8]] = []
  private var output: [UInt8] = []
  private var steps = 0
  private var level = 0
  private var isEscaping = true

  init(partials: [String: String], depth: Int, limits: Limits, deadline: Deadline) {
    self.partials = partials
    self.depth = depth
    self.limits = limits
    self.deadline = deadline
  }

  mutating func render(_ template: MustacheTemplate, _ data: JSONValue) throws -> [UInt8] {
    contexts = [data]
    try render(template, 0..<template.tokens.count)
    return output
  }

  // MARK: Bounds

  private static let indentationBytes = 4096

  private mutating func step(_ count: Int) throws {
    steps += count
    if steps > limits.templateSteps { throw LimitExceeded(limit: "templateSteps", allowed: limits.templateSteps) }
    try deadline.check()
  }

  private mutating func step() throws {
    steps += 1
    if steps > limits.templateSteps { throw LimitExceeded(limit: "templateSteps", allowed: limits.templateSteps) }
    if steps & 255 == 0 { try deadline.check() }
  }

  private mutating func append(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count <= limits.inputBytes - output.count else { throw LimitExceeded(limit: "inputBytes", allowed: limits.inputBytes) }
    output.append(contentsOf: bytes)
  }

  // MARK: Tokens

  private mutating func render(_ template: MustacheTemplate, _ range: Range<Int>) throws {
    level += 1
    defer { level -= 1 }
    if level > depth { throw LimitExceeded(limit: "depth", allowed: depth) }
    var index = range.lowerBound
    while index < range.upperBound {
      try step()
      var next = index + 1
      switch template.tokens[index] {
      case .text(let text): try append(template.source[text], in: template, from: text)
      case .escaping(let isOn): isEscaping = isOn
      case .variable(let reference, let isEscaped, let offset): try variable(reference, isEscaped && isEscaping, template, offset)
      case .section(let reference, let isInverted, let end):
        try section(reference, isInverted, template, next..<end)
        next = end
      case .partial(let name, let isDynamic, let indentation, let offset):
        try partial(try partialName(name, isDynamic, template, offset), Array(template.source[indentation]), template, offset)
      case .parent(let name, let isDynamic, let indentation, let end, let offset):
        overrides.append(blocks(template, next..<end))
        defer { overrides.removeLast() }
        try partial(try partialName(name, isDynamic, template, offset), Array(template.source[indentation]), template, offset)
        next = end
      case .block(let name, let end):
        try block(name, template, next..<end)
        next = end
      }
      index = next
    }
  }

  /// Text; in an indented partial each line begins with the indentation.
  private mutating func append(_ text: ArraySlice<UInt8>, in template: MustacheTemplate, from range: Range<Int>) throws {
    let indentation = indentations.last ?? []
    guard !indentation.isEmpty else { return try append(text) }
    for (index, byte) in zip(text.indices, text) {
      if index == 0 || template.source[index - 1] == 0x0A { try append(indentation) }
      try append(CollectionOfOne(byte))
    }
  }

  private mutating func variable(_ reference: MustacheTemplate.Reference, _ isEscaped: Bool, _ template: MustacheTemplate, _ offset: Int)
    throws
  {
    if let indentation = indentations.last, !indentation.isEmpty, offset == 0 || template.source[offset - 1] == 0x0A {
      try append(indentation)
    }
    guard let value = try transformed(reference) else {
      throw OffprintError(
        .templateAttributeMissing,
        "The template '\(template.name)' uses '\(reference.text)' (line \(template.line(of: offset))), which it was not given.")
    }
    switch value {
    case .null: break
    case .bool(let flag): try append((flag ? "true" : "false").utf8)
    case .number(let number): try append(JSONText.number(number).utf8)
    case .string(let text): if isEscaped { try appendEscaped(text) } else { try append(text.utf8) }
    case .array, .object:
      throw OffprintError(
        .templateAttributeInvalid,
        "The template '\(template.name)' uses '\(reference.text)' (line \(template.line(of: offset))) as text, but it is a list or an object."
      )
    }
  }

  private mutating func appendEscaped(_ text: String) throws {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): try append("&amp;".utf8)
      case UInt8(ascii: "<"): try append("&lt;".utf8)
      case UInt8(ascii: ">"): try append("&gt;".utf8)
      case UInt8(ascii: "\""): try append("&quot;".utf8)
      case UInt8(ascii: "'"): try append("&#39;".utf8)
      default: try append(CollectionOfOne(byte))
      }
    }
  }

  // MARK: Sections

  /// https://mustache.github.io/mustache.5.html#Sections
  private mutating func section(
    _ reference: MustacheTemplate.Reference, _ isInverted: Bool, _ template: MustacheTemplate, _ content: Range<Int>
  ) throws {
    let value = try transformed(reference) ?? .null
    if isInverted {
      if value.isFalse { try render(template, content) }
      return
    }
    switch value {
    case .null, .bool(false): return
    case .bool(true): try render(template, content)
    case .array(let items):
      for (index, item) in items.enumerated() {
        try step()
        places.append(ListPlace(index: index, count: items.count))
        defer { places.removeLast() }
        try render(template, content, with: item)
      }
    case .number, .string, .object: try render(template, content, with: value)
    }
  }

  private mutating func render(_ template: MustacheTemplate, _ range: Range<Int>, with context: JSONValue) throws {
    contexts.append(context)
    defer { contexts.removeLast() }
    try render(template, range)
  }

  // MARK: Partials

  private func partialName(_ name: String, _ isDynamic: Bool, _ template: MustacheTemplate, _ offset: Int) throws(OffprintError) -> String {
    guard isDynamic else { return name }
    let path = name.split(separator: ".").map(String.init)
    guard let found = value(of: .init(path: path, text: name))?.string else {
      throw OffprintError(
        .templateAttributeMissing,
        "The template '\(template.name)' uses '\(name)' (line \(template.line(of: offset))) as a partial's name, which it was not given.")
    }
    return found
  }

  private mutating func partial(_ name: String, _ indentation: [UInt8], _ user: MustacheTemplate, _ offset: Int) throws {
    guard let source = partials[name] else {
      throw OffprintError(
        .templateInvalid,
        "The template '\(user.name)' uses the partial '\(name.prefix(200))' (line \(user.line(of: offset))), which it was not given.")
    }
    let template = try parsed[name] ?? MustacheTemplate(Array(source.utf8), name: name, depth: depth, deadline: deadline)
    parsed[name] = template
    let whole = (indentations.last ?? []) + indentation
    guard whole.count <= Self.indentationBytes else { throw LimitExceeded(limit: "inputBytes", allowed: limits.inputBytes) }
    indentations.append(whole)
    defer { indentations.removeLast() }
    try render(template, 0..<template.tokens.count)
  }

  /// https://mustache.github.io/mustache.5.html#Blocks: the outermost user's replacement counts.
  private mutating func block(_ name: String, _ template: MustacheTemplate, _ content: Range<Int>) throws {
    guard let override = overrides.lazy.compactMap({ $0[name] }).first else { return try render(template, content) }
    let indentation = indentations
    indentations = []
    defer { indentations = indentation }
    try render(override.template, override.range)
  }

  private func blocks(_ template: MustacheTemplate, _ range: Range<Int>) -> [String: Override] {
    var found: [String: Override] = [:]
    var index = range.lowerBound
    while index < range.upperBound {
      switch template.tokens[index] {
      case .block(let name, let end):
        found[name] = Override(template: template, range: index + 1..<end)
        index = end
      case .section(_, _, let end), .parent(_, _, _, let end, _): index = end
      case .text, .variable, .partial, .escaping: index += 1
      }
    }
    return found
  }

  // MARK: Values

  /// - Returns: nil where there is no such value.
  private mutating func transformed(_ reference: MustacheTemplate.Reference) throws -> JSONValue? {
    if reference.path.isEmpty, let transform = reference.transforms.first, isPlace(transform) { return place(reference) }
    var value = value(of: reference)
    for transform in reference.transforms {
      if let value { try step(value.size) }
      value = value.flatMap { MustacheTransform.apply(transform, to: $0) }
    }
    return value
  }

  private func value(of reference: MustacheTemplate.Reference) -> JSONValue? {
    reference.path.isEmpty ? contexts.last : found(reference)
  }

  /// The innermost context that has the first name decides.
  private func found(_ reference: MustacheTemplate.Reference) -> JSONValue? {
    guard let first = reference.path.first else { return nil }
    let owners = reference.isLocal ? contexts.suffix(1) : contexts[...]
    guard let start = owners.reversed().lazy.compactMap({ $0[first] }).first else { return nil }
    return reference.path.dropFirst().reduce(start) { value, name in value.flatMap { $0[name] } }
  }

  private func isPlace(_ transform: String) -> Bool { ["first", "last", "index", "even", "odd"].contains(transform) }

  /// `first()`, `last()`, `index()`, `even()`, `odd()`: where in its list an item is.
  private func place(_ reference: MustacheTemplate.Reference) -> JSONValue? {
    guard let place = places.last, reference.transforms.count == 1 else { return nil }
    return switch reference.transforms[0] {
    case "first": .bool(place.index == 0)
    case "last": .bool(place.index == place.count - 1)
    case "index": .number(Double(place.index))
    case "even": .bool(place.index & 1 == 0)
    default: .bool(place.index & 1 == 1)
    }
  }
}

extension JSONValue {
  /// What a transform has to go over.
  fileprivate var size: Int {
    switch self {
    case .array(let items): items.count
    case .string(let text): text.utf8.count
    case .null, .bool, .number, .object: 1
    }
  }

  /// What an inverted section is for.
  fileprivate var isFalse: Bool {
    switch self {
    case .null, .bool(false): true
    case .array(let items): items.isEmpty
    case .bool, .number, .string, .object: false
    }
  }
}
