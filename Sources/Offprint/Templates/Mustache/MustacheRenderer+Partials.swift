import OffprintCoreTypes

extension MustacheRenderer {
  // MARK: Partials

  func partialName(_ name: String, _ isDynamic: Bool, _ template: MustacheTemplate, _ offset: Int) throws(OffprintError) -> String {
    guard isDynamic else { return name }
    let path = name.split(byte: ".").map(String.init)
    guard let found = value(of: .init(path: path, text: name))?.string else {
      throw OffprintError(
        .templateAttributeMissing,
        "The template '\(template.name)' uses '\(name)' (line \(template.line(of: offset))) as a partial's name, which is not defined.")
    }
    return found
  }

  mutating func partial(_ name: String, _ indentation: [UInt8], _ user: MustacheTemplate, _ offset: Int) throws {
    guard let source = partials[name] else {
      throw OffprintError(
        .templateInvalid,
        "The template '\(user.name)' uses the partial '\(name.prefix(200))' (line \(user.line(of: offset))), which is not defined.")
    }
    let template = try parsed[name] ?? MustacheTemplate(partial: source, name: name, depth: depth, deadline: deadline)
    parsed[name] = template
    let whole = (indentations.last ?? []) + indentation
    guard whole.count <= Self.indentationBytes else { throw LimitExceeded(limit: "inputBytes", allowed: limits.inputBytes) }
    indentations.append(whole)
    defer { indentations.removeLast() }
    try render(template, 0..<template.tokens.count)
  }

  /// https://mustache.github.io/mustache.5.html#Blocks: the replacement by the outermost template applies.
  mutating func block(_ name: String, _ template: MustacheTemplate, _ content: Range<Int>) throws {
    guard let override = overrides.lazy.compactMap({ $0[name] }).first else { return try render(template, content) }
    let indentation = indentations
    indentations = []
    defer { indentations = indentation }
    try render(override.template, override.range)
  }

  func blocks(_ template: MustacheTemplate, _ range: Range<Int>) -> [String: Override] {
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
}
