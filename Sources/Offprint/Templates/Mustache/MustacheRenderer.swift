import OffprintCoreTypes

/// Expands a parsed template, with limits for steps, bytes and nesting.
struct MustacheRenderer {
  /// The replacement of a block: tokens of the template that includes a parent.
  struct Override {
    var template: MustacheTemplate
    var range: Range<Int>
  }
  /// The position of the innermost section in its list.
  struct ListPosition {
    var index: Int
    var count: Int
  }

  let partials: [String: String]
  let depth: Int
  let limits: Limits
  let deadline: Deadline
  var parsed: [String: MustacheTemplate] = [:]
  var contexts: [JSONValue] = []
  var places: [ListPosition] = []
  var overrides: [[String: Override]] = []
  var indentations: [[UInt8]] = []
  var output: [UInt8] = []
  var steps = 0
  var level = 0
  var isEscaping = true
  /// The context in the page's markup after the output so far.
  var place = EscapingContext()

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

  // MARK: Limits

  static let indentationBytes = 4096

  mutating func step(_ count: Int) throws {
    steps += count
    if steps > limits.templateSteps { throw LimitExceeded(limit: "templateSteps", allowed: limits.templateSteps) }
    try deadline.check()
  }

  mutating func step() throws {
    steps += 1
    if steps > limits.templateSteps { throw LimitExceeded(limit: "templateSteps", allowed: limits.templateSteps) }
    if steps & 255 == 0 { try deadline.check() }
  }

  mutating func append(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count <= limits.inputBytes - output.count else { throw LimitExceeded(limit: "inputBytes", allowed: limits.inputBytes) }
    output.append(contentsOf: bytes)
    place.advance(over: bytes)
  }

  // MARK: Tokens

  mutating func render(_ template: MustacheTemplate, _ range: Range<Int>) throws {
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

  /// Appends text; in an indented partial, each line begins with the indentation.
  mutating func append(_ text: ArraySlice<UInt8>, in template: MustacheTemplate, from range: Range<Int>) throws {
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
        "The template '\(template.name)' uses '\(reference.text)' (line \(template.line(of: offset))), but has no value for "
          + "'\(reference.path.joined(separator: "."))'; pass one, and if the template has front matter, declare the attribute there.")
    }
    let text: String
    switch value {
    case .null: text = ""
    case .bool, .number, .integer: text = value.text
    case .string(let string): text = string
    case .array, .object:
      throw OffprintError(
        .templateAttributeInvalid,
        "The template '\(template.name)' uses '\(reference.text)' (line \(template.line(of: offset))) as text, but it is a list or an object."
      )
    }
    guard isEscaped else { return try append(text.utf8) }
    guard let escaped = MarkupEscaping.escape(text, at: place) else {
      throw OffprintError(
        .templateAttributeInvalid,
        "The template '\(template.name)' uses '\(reference.text)' (line \(template.line(of: offset))) \(place.name), where "
          + "'\(text.prefix(40))' is not a plain value; put the tag in quotes, or use {{{…}}} for text that you trust.")
    }
    try append(escaped)
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
        places.append(ListPosition(index: index, count: items.count))
        defer { places.removeLast() }
        try render(template, content, with: item)
      }
    case .number, .integer, .string, .object: try render(template, content, with: value)
    }
  }

  mutating func render(_ template: MustacheTemplate, _ range: Range<Int>, with context: JSONValue) throws {
    contexts.append(context)
    defer { contexts.removeLast() }
    try render(template, range)
  }
}

extension JSONValue {
  /// Whether an inverted section is rendered for the value.
  fileprivate var isFalse: Bool {
    switch self {
    case .null, .bool(false): true
    case .array(let items): items.isEmpty
    case .bool, .number, .integer, .string, .object: false
    }
  }
}
